"""The engine: `allows`, `Policy`, `Decision`."""

from __future__ import annotations

import datetime
import json
import pickle
import types
from pathlib import Path

import pytest

import abide_robots
from abide_robots import Decision, InvalidOptionError, InvalidUrlError, Policy

ROBOTS_TXT = """\
User-agent: *
Disallow: /private/
Allow: /private/press/
Crawl-delay: 2.5
Sitemap: https://example.com/sitemap.xml

User-agent: OtherBot
Disallow: /
"""


@pytest.fixture
def policy() -> Policy:
    return Policy(ROBOTS_TXT, "ExampleBot")


@pytest.mark.parametrize("kind", [str, bytes, bytearray])
def test_bodies_agents_and_urls_are_text_or_bytes(kind: type) -> None:
    def given(text: str) -> object:
        return text if kind is str else kind(text.encode())

    body, agent, url = map(given, [ROBOTS_TXT, "ExampleBot", "https://example.com/private/x"])
    assert not abide_robots.allows(body, agent, url)
    assert not Policy(body, agent).allows(url)
    assert Policy(body, agent).decide(url).line == 2
    assert Policy(body, agent).allows_many([url, given("/")]) == [False, True]


def test_paths_are_asked_about_as_well(policy: Policy) -> None:
    assert policy.allows("/private/press/kit")
    assert not policy.allows("/private/x")
    assert policy.decide("/private/x").robots_url is None


@pytest.mark.parametrize(
    ("agent", "allowed"),
    [
        ("ExampleBot", True),
        ("otherbot", False),
        ("*", True),
        ("OtherBot/1.0 (+https://bot.example/)", False),
        ("Mozilla/5.0 (compatible; OtherBot/2.1; +https://bot.example/)", False),
        (["NewsBot", "OtherBot"], False),
    ],
)
def test_agents_as_people_write_them(agent: object, allowed: bool) -> None:
    assert Policy(ROBOTS_TXT, agent).allows("/page") is allowed
    assert abide_robots.allows(ROBOTS_TXT, agent, "/page") is allowed


def test_what_the_file_says_beside_rules(policy: Policy) -> None:
    assert policy.crawl_delay == 2.5
    assert policy.sitemaps == ["https://example.com/sitemap.xml"]
    assert policy.agents == ["ExampleBot"]
    assert policy.group_lines == [1]
    assert policy.access == "rules"
    assert Policy(ROBOTS_TXT, "OtherBot").crawl_delay is None


def test_a_decision_has_the_fields_of_the_contract(policy: Policy) -> None:
    decision = policy.decide("https://example.com/private/press/kit.zip")
    given = json.loads(decision.to_json())
    del given["id"]
    assert decision.to_dict() == given
    for name, value in given.items():
        assert getattr(decision, name) == value, name
    # Every member that the schema requires, but for the `id` that answers repeat.
    schema = json.loads((Path(__file__).parents[3] / "schema" / "decision.json").read_text())
    assert set(schema["$defs"]["Decision"]["required"]).difference(given) == {"id"}
    assert (decision.agent, decision.profile) == ("ExampleBot", "careful")
    assert Policy("", ["A", "B"], profile="google").decide("/").to_dict()["agent"] == ["A", "B"]
    assert decision.allowed
    assert decision.line == 3
    assert decision.statement == "Allow: /private/press/"
    assert decision.outcome() == "permitted"
    assert decision.outcome("index") == "unspecified"
    assert decision.usages["crawl"]["evidence"][1]["role"] == "overridden"
    # The caller's own copy.
    decision.to_dict()["usages"].clear()
    assert decision.usages


def test_representations_name_the_deciding_line(policy: Policy) -> None:
    decision = policy.decide("https://example.com/private/<b>")
    assert repr(decision) == (
        '<Decision: https://example.com/private/<b> is disallowed, line 2: "Disallow: /private/", '
        "the only rule that matches (9 bytes)>"
    )
    assert str(decision) == decision.explain().rstrip()
    assert "line 2: Disallow: /private/" in decision.explain()
    html = decision._repr_html_()
    assert "line 2" in html
    assert "&lt;b&gt;" in html and "<b>" not in html
    assert "OtherBot may crawl nothing" in repr(Policy(ROBOTS_TXT, "OtherBot"))


def test_a_decision_in_a_condition_is_the_answer(policy: Policy) -> None:
    assert policy.decide("/")
    assert not policy.decide("/private/")
    assert policy.decide("/", now="2026-01-01T00:00:00Z") == policy.decide(
        "/", now=datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    )
    assert policy.decide("/") != policy.decide("/x")
    assert policy.decide("/") != "/"
    assert len({policy.decide("/"), policy.decide("/")}) == 1


def test_purposes_and_profiles() -> None:
    body = "User-Agent-Purpose: EXAMPLE-PURPOSE-1\nDisallow: /x\n\nUser-agent: *\nDisallow: /y\n"
    assert not Policy(body, "ExampleBot", purposes=["EXAMPLE-PURPOSE-1"]).allows("/x")
    assert Policy(body, "ExampleBot").allows("/x")
    tilde = "User-agent: *\nDisallow: /~\n"
    assert not Policy(tilde, "ExampleBot").allows("/%7Ejoe")
    assert Policy(tilde, "ExampleBot", profile="google").allows("/%7Ejoe")


def test_known_robots_bring_what_their_operators_document() -> None:
    body = "User-agent: Googlebot\nDisallow: /drafts/\n"
    assert Policy(body, "Googlebot-News").allows("/drafts/1")
    news = Policy(body, "Googlebot-News", known_robots=True)
    assert not news.allows("/drafts/1")
    robot = news.decide("/drafts/1").known_robot
    assert robot is not None and robot["operator"] == "Google"


def test_acap_and_its_references() -> None:
    body = (
        "ACAP-crawler: *\n"
        "ACAP-disallow-index: /news/\n"
        "ACAP-allow-index: /news/free/ time-limit=3-days\n"
    )
    decision = Policy(body, "ExampleBot", acap={"mode": "full"}).decide("https://e.example/news/a")
    assert decision.outcome("index") == "prohibited"
    off = Policy(body, "ExampleBot", acap={"mode": "off"}).decide("https://e.example/news/a")
    assert off.outcome("index") == "unspecified"


def test_preferences_are_usages_of_their_own() -> None:
    body = "User-agent: *\nContent-Usage: train-ai=n\nAllow: /\n"
    silent = Policy("", "ExampleBot", preferences={"vocabularies": ["tdmrep"]})
    assert silent.decide("https://e.example/").outcome("train") == "unknown"
    known = {"vocabularies": ["content-usage"]}
    decision = Policy(body, "ExampleBot", preferences=known).decide("https://e.example/")
    assert decision.outcome("train") == "prohibited"
    tdmrep = {"tdmrep": '[{"location": "/", "tdm-reservation": 1}]'}
    decision = Policy("", "ExampleBot", preferences={}).decide(
        "https://e.example/", preferences=tdmrep
    )
    assert decision.outcome("train") == "prohibited"


def test_a_registry_is_that_of_the_contract() -> None:
    body = b"User-agent: *\nContent-Usage: train-ai=n\nApp-Directives: a;train;new\n"
    directive = {"type": "boolean", "overrides": ["train-ai"], "means": {"true": "y"}}
    registry = {"application": [{"id": "a", "directive": {"train": directive}}]}
    made = [
        Policy(body, "ExampleBot", applications=["a"], preferences={}, registry=given)
        for given in (registry, json.dumps(registry))
    ]
    now = "2026-01-01T00:00:00Z"
    told = {policy.decide("https://e.example/", now=now).to_json() for policy in made}
    assert len(told) == 1
    assert made[0].decide("/").applications["a"]["overrides"] == {"train": ["train-ai"]}
    with pytest.raises(InvalidOptionError) as raised:
        Policy(body, "ExampleBot", registry={"rule": [{"name": "NoIndex"}]})
    assert raised.value.pointer == "/registry/rule/0/name"


def test_applications() -> None:
    body = "User-agent: *\nApp-Directives: /;examplesearch;widgets=?0\n"
    decision = Policy(body, "ExampleBot", applications=["examplesearch"]).decide("https://e.example/")
    assert "examplesearch" in decision.applications


def test_what_a_fetch_gave_instead_of_a_file() -> None:
    unreachable = Policy(None, "ExampleBot", robots_error="timeout")
    assert unreachable.access == "unreachable"
    assert not unreachable.allows("/")
    assert "unreachable" in unreachable.decide("/").reason
    missing = Policy(None, "ExampleBot", robots_status=404)
    assert missing.access == "unavailable"
    assert missing.allows("/")
    assert not Policy("ignored", "ExampleBot", robots_status=503).allows("/")
    unknown = Policy(None, "ExampleBot").decide("https://e.example/")
    assert unknown.outcome() == "unknown"
    assert unknown.needs == ["https://e.example/robots.txt"]
    moved = Policy(None, "ExampleBot", robots_status=302, robots_location="https://w.example/r")
    assert moved.decide("https://e.example/").needs == ["https://w.example/r"]


HTML = b'<meta name="robots" content="max-snippet:50">\xff'


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Robots-Tag": "noindex"},
        {"x-robots-tag": ["noindex"]},
        {b"X-Robots-Tag": [b"noindex"]},
        [("X-Robots-Tag", "noindex")],
        [(b"X-Robots-Tag", b"noindex")],
    ],
)
def test_tags_of_headers_and_pages(policy: Policy, headers: object) -> None:
    expected = {"max-snippet": "50", "noindex": True}
    assert abide_robots.tags("ExampleBot", headers=headers, html=HTML) == expected
    decision = policy.decide("https://example.com/", headers=headers, html=HTML)
    assert decision.tags == expected
    assert decision.outcome("index") == "prohibited"


def test_a_page_says_its_encoding() -> None:
    page = '<meta name="robots" content="noarchive">'.encode("utf-16")
    assert abide_robots.tags("ExampleBot", html=page) == {"noarchive": True}


def test_rendered_pages_and_foreign_tags() -> None:
    rendered = '<html><head><meta name="otherbot" content="noindex"></head></html>'
    assert abide_robots.tags("ExampleBot", rendered_html=rendered) == {}
    assert abide_robots.tags("OtherBot", rendered_html=rendered) == {"noindex": True}


@pytest.mark.parametrize("url", ["example.com/x", "", "http://", "http://[::1", "mailto:x"])
def test_bad_urls(policy: Policy, url: str) -> None:
    for ask in [
        lambda: policy.allows(url),
        lambda: policy.decide(url),
        lambda: abide_robots.allows(ROBOTS_TXT, "ExampleBot", url),
    ]:
        with pytest.raises(InvalidUrlError, match="^url: ") as caught:
            ask()
        assert isinstance(caught.value, ValueError)
        assert caught.value.url == url


def test_urls_in_other_encodings(policy: Policy) -> None:
    for ask in [policy.allows, policy.decide]:
        with pytest.raises(InvalidUrlError, match="^url: invalid utf-8 .* from index 1: /"):
            ask("/\xfc".encode("latin-1"))


ENDLESS: list[object] = []
ENDLESS.append(ENDLESS)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Policy(1, "A"), "argument 'body': expected str or bytes, but found int"),
        (
            lambda: Policy("", 1),
            "argument 'agent': expected a string, or a list of strings, but found the number 1",
        ),
        (lambda: Policy("", [1]), "argument 'agent'"),
        (lambda: Policy("", "A", purposes="P"), "argument 'purposes'"),
        (lambda: Policy("", "A", acap={1, 2}), "argument 'acap'"),
        (lambda: Policy("", "A", acap="full"), "argument 'acap': expected an object, but found"),
        (lambda: Policy("", "A", acap=object()), "argument 'acap': expected only values that JSON has"),
        (lambda: Policy("", "A", acap={"names": float("nan")}), "argument 'acap'"),
        (lambda: Policy("", "A", acap={"names": ENDLESS}), "argument 'acap'"),
        (lambda: Policy("", "A", known_robots=1), "argument 'known_robots': expected true or false"),
        (lambda: Policy("", "A", robots_status="404"), "argument 'robots_status': expected an HTTP status"),
        (lambda: Policy("", "A", robots_limit=True), "argument 'robots_limit': expected a whole number"),
        (lambda: Policy("", "A").allows(None), "argument 'url'"),
        (lambda: Policy("", "A").decide("/", headers="X: y"), "argument 'headers'"),
        (lambda: Policy("", "A").decide("/", html=1), "argument 'html'"),
        (lambda: Policy("", "A").decide("/", now=1), "argument 'now'"),
        (lambda: Policy("", "A", purpose=["P"]), "purpose"),
    ],
)
def test_wrong_types_name_the_argument(call: object, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: Policy("", ""), "agent"),
        (lambda: Policy("", []), "agent"),
        (lambda: Policy("", "MJ12bot"), "agent"),
        (lambda: Policy("", "A", purposes=["no purpose"]), "purposes"),
        (lambda: Policy("", "A", acap={"mode": "strict"}), "acap"),
        (lambda: Policy("", "A", acap={"mood": "full"}), "acap"),
        (lambda: Policy("", "A", profile="strict"), "profile"),
        (lambda: Policy("", "A", preferences={"vocabularies": ["x"]}), "preferences"),
        (lambda: Policy("", "A", robots_status=99), "robots_status"),
        (lambda: Policy("", "A", robots_error="slow"), "robots_error"),
        (lambda: Policy("", "A").decide("/", now="yesterday"), "now"),
        (lambda: Policy("", "A").decide("/", version="new"), "version"),
        (lambda: Policy("", "A").decide("/", now=datetime.datetime(2026, 1, 1)), "now"),
        (lambda: Policy("", "A").decide("/").outcome("crawling"), "usage"),
        (lambda: Policy("", "A").decide("/").outcome("train"), "usage"),
        (lambda: abide_robots.product_token(""), "user_agent"),
    ],
)
def test_wrong_values_name_the_argument(call: object, argument: str) -> None:
    with pytest.raises(InvalidOptionError) as caught:
        call()
    assert isinstance(caught.value, ValueError)
    assert caught.value.argument == argument
    assert argument in str(caught.value)


@pytest.mark.parametrize(
    ("call", "code", "pointer"),
    [
        (lambda: Policy("", ["A", "A", "B C"]), "invalid-agent", "/agent/2"),
        (lambda: Policy("", "A", purposes=["P", "no purpose"]), "invalid-purpose", "/purposes/1"),
        (lambda: Policy("", "A", acap={"unsupported": ["x"]}), "invalid-acap", "/acap/unsupported/0"),
        (lambda: Policy("", "A", acap={"mood": "full"}), "invalid-request", "/acap/mood"),
        (
            lambda: Policy("", "A", applications=[{"id": "a", "product_tokens": ["B", 1]}]),
            "invalid-request",
            "/applications/0/product_tokens/1",
        ),
        (lambda: Policy("", "A", references={"/a": {"status": 99}}), "invalid-references", "/references/~1a/status"),
        (lambda: Policy("", "A").decide("x"), "invalid-url", "/url"),
    ],
)
def test_mistakes_have_the_code_and_the_pointer_of_the_contract(call: object, code: str, pointer: str) -> None:
    with pytest.raises(abide_robots.AbideError) as caught:
        call()
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


def test_wrong_types_have_the_code_and_the_pointer_of_the_contract() -> None:
    with pytest.raises(TypeError) as caught:
        Policy("", "A", purposes=["P", 1])
    assert (caught.value.code, caught.value.pointer) == ("invalid-request", "/purposes/1")


def test_options_are_what_python_has_for_them() -> None:
    body = "User-Agent-Purpose: EXAMPLE-PURPOSE-1\nDisallow: /x\n\nUser-agent: *\nDisallow: /y\n"
    acap = types.MappingProxyType({"names": ("a",), "purposes": {b"b"}, "mode": bytearray(b"off")})
    purposes = (purpose for purpose in [b"EXAMPLE-PURPOSE-1"])
    policy = Policy(body, (b"ExampleBot",), purposes=purposes, acap=acap, robots_limit=10**6)
    for same in [policy, pickle.loads(pickle.dumps(policy, protocol=0))]:
        assert not same.allows("/x")
        assert same.agents == ["ExampleBot"]
    east = datetime.timezone(datetime.timedelta(hours=2))
    fetched = datetime.datetime(2026, 1, 1, 2, tzinfo=east)
    there = policy.decide("/", now=fetched, preferences={"fetched_at": fetched})
    assert there == policy.decide("/", now="2026-01-01T00:00:00Z")


def test_readings_can_be_chosen() -> None:
    body = "User-agent: *\nDisallow: private/\n"
    assert Policy(body, "ExampleBot").allows("/private/x")
    assert not Policy(body, "ExampleBot", readings=["AMB-REP-3=implied-slash"]).allows("/private/x")
    with pytest.raises(InvalidOptionError, match="did you mean AMB-REP-3=implied-slash"):
        Policy(body, "ExampleBot", readings=["AMB-REP-3=implied-slahs"])


def test_nonstandard_names_are_accepted_on_request() -> None:
    body = "User-agent: MJ12bot\nDisallow: /\n"
    assert not Policy(body, "MJ12bot", nonstandard_token=True).allows("/")


@pytest.mark.parametrize(
    ("line", "token"),
    [
        ("ExampleBot", "ExampleBot"),
        (b"Scrapy/2.19.0 (+https://scrapy.org)", "Scrapy"),
        ("Mozilla/5.0 (compatible; ExampleBot/1.0)", "ExampleBot"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "*"),
        ("MyCrawler/Nutch-1.19 (My crawler; https://bot.example/)", "MyCrawler"),
        ("search.engine.example Java/22.0.2", "search.engine.example"),
        ("Mozilla/5.0 (X11; Linux x86_64)", "*"),
        ("*", "*"),
    ],
)
def test_product_tokens_of_user_agents(line: str, token: str) -> None:
    assert abide_robots.product_token(line) == token


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("MyCrawler/Nutch-1.19", "MyCrawler"),
        ("MyCrawler/Nutch-1.19", "Nutch"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/120.0 Safari/537.36", "Mozilla"),
        ("Bad Bot/", "Bot"),
    ],
)
def test_a_group_for_a_name_of_the_line_binds(line: str, name: str) -> None:
    decision = Policy(f"User-agent: {name}\nDisallow: /\n\nUser-agent: *\nAllow: /\n", line).decide("/x")
    assert not decision.allowed
    told = json.loads(decision.to_json())
    assert (told["agent"], told["user_agent"]["taken"]) == (name, "in-file")


def test_purposes_of_the_line_are_compared() -> None:
    def codes(policy: Policy) -> set[str]:
        return {found["code"] for found in policy.decide("/x").diagnostics}

    body = "User-agent-purpose: Archive\nDisallow: /\n"
    line = "ExampleBot/1 (Archive; https://bot.example/)"
    assert "purpose-not-claimed" in codes(Policy(body, line))
    assert "purpose-not-sent" in codes(Policy(body, "ExampleBot/1", purposes=["Archive"]))
    assert not any(code.startswith("purpose-") for code in codes(Policy(body, line, purposes=["Archive"])))


def test_equal_policies() -> None:
    body = "User-agent: *\nDisallow: /x\n"
    one = Policy(body, "ExampleBot")
    assert one == Policy(body.encode(), ["ExampleBot"]) == pickle.loads(pickle.dumps(one))
    assert len({one, Policy(body, "ExampleBot")}) == 1
    others = [
        Policy(body + "#", "ExampleBot"),
        Policy(body, "OtherBot"),
        Policy(body, "ExampleBot", robots_status=404),
        Policy(body, "ExampleBot", preferences={}),
        Policy(None, "ExampleBot", robots_status=404),
        body,
    ]
    assert one not in others


def test_bytes_of_any_kind() -> None:
    body = b"User-agent: *\nDisallow: /x\n"
    page = b"<meta name=robots content=noindex>"
    for kind in (bytes, bytearray, memoryview):
        policy = Policy(kind(body), "ExampleBot")
        assert policy == Policy(body, "ExampleBot")
        assert policy.decide("/y", html=kind(page)).outcome("index") == "prohibited"
        assert [finding.code for finding in abide_robots.lint(kind(b"Disallow: /"))]
    # One that has gaps, and one that is closed.
    assert Policy(memoryview(b"".join(bytes([one, 0]) for one in body))[::2], "A") == Policy(body, "A")
    closed = memoryview(body)
    closed.release()
    with pytest.raises(ValueError, match="released"):
        Policy(closed, "A")


def test_hostile_files_are_only_files() -> None:
    body = b"User-agent: *\nDisallow: /" + b"*a" * 200_000 + b"\nDisallow: /\xff\x00\n"
    policy = Policy(body, "ExampleBot")
    assert isinstance(policy.allows("/" + "a" * 100_000), bool)
    surrogate = Policy("User-agent: *\nDisallow: /x\udc80\nDisallow: /y\n", "ExampleBot")
    assert not surrogate.allows("/y")
    assert isinstance(policy.decide("/a"), Decision)


def test_the_same_file_for_another_robot() -> None:
    body = b"User-agent: OtherBot\nDisallow: /\n"
    policy = Policy(body, "ExampleBot", purposes=["A"], known_robots=False)
    other = policy.for_agent("OtherBot/1.0 (+https://bot.example/)")
    assert (policy.allows("/"), other.allows("/"), other.agents) == (True, False, ["OtherBot"])
    assert policy.body == other.body == body
    assert policy.for_agent("*").agents == []
    assert policy.for_agent("Other_Bot2").allows("/")
    closed = Policy(None, "ExampleBot", robots_status=503).for_agent("OtherBot")
    assert (closed.body, closed.access, closed.allows("/")) == (None, "unreachable", False)
    with pytest.raises(InvalidOptionError, match="agent"):
        policy.for_agent("no \n name")
    with pytest.raises(TypeError, match="argument 'agent'"):
        policy.for_agent(5)  # type: ignore[arg-type]
