"""`abide_robots.machine`: the states of a robots.txt without I/O."""

from __future__ import annotations

import http.client
import time
import urllib.parse

import pytest
from conftest import Answer, Start

from abide_robots import InvalidOptionError, InvalidUrlError
from abide_robots.machine import Request, Site

BODY = b"User-agent: *\nDisallow: /x\n"
DAY = 86_400


def fetched(status: int, body: bytes = BODY, **fields: str) -> Site:
    site = Site("https://e.example/", "ExampleBot")
    assert site.policy(0).access == "unknown" and not site.policy(0).allows("/")
    assert site.request(0) == site.request(0) == Request("https://e.example/robots.txt", {})
    site.answered(status, {name.replace("_", "-"): value for name, value in fields.items()}, body, 0)
    return site


@pytest.mark.parametrize(
    ("status", "access"),
    [(200, "rules"), (204, "rules"), (206, "unreachable"), (304, "unreachable"), (401, "unavailable"),
     (404, "unavailable"), (429, "unreachable"), (500, "unreachable"), (503, "unreachable"), (999, "unreachable")],
)
def test_what_a_status_means(status: int, access: str) -> None:
    site = fetched(status)
    policy = site.policy(1)
    assert policy.access == access
    assert policy.allows("/y") is (access != "unreachable")
    assert policy.allows("/x") is (access == "unavailable" or status == 204)
    assert site.request(0) is None
    # A failure is tried again, after twice as long each time.
    assert (site.request(1) is not None) is (access == "unreachable")


def test_a_copy_expires_and_is_confirmed() -> None:
    site = fetched(200, ETag='"1"', Cache_Control="max-age=600")
    assert site.request(599) is None
    assert site.request(600) == Request(site.robots_url, {"If-None-Match": '"1"'})
    site.answered(304, {}, b"", 601)
    decision = site.policy(602).decide("/x")
    assert decision.allowed is False
    assert decision.retrieval is not None and decision.retrieval["checked_at"] == "1970-01-01T00:10:01Z"
    assert "sha256" in decision.retrieval
    # A renewal that fails leaves the copy for a day, and its rules for 30.
    assert site.request(2 * DAY) is not None
    site.failed("timeout", 2 * DAY)
    assert site.policy(2 * DAY).access == "unreachable"
    retrieval = site.policy(2 * DAY).decide("/x").retrieval
    assert retrieval is not None and "sha256" not in retrieval
    assert site.request(2 * DAY) is None


def test_redirects_are_followed_hop_by_hop() -> None:
    site = fetched(301, Location="//www.e.example/a", ETag='"1"')
    for hop in "abcd":
        request = site.request(0)
        assert request == Request(f"https://www.e.example/{hop}", {})
        site.answered(302, {"location": chr(ord(hop) + 1)}, b"", 0)
    assert site.request(0) is not None
    site.answered(200, {"ETag": '"2"', "Cache-Control": "max-age=600"}, BODY, 0)
    assert not site.policy(1).allows("https://e.example/x")
    # The validator of another site is not sent.
    assert site.request(600) == Request("https://e.example/robots.txt", {})
    loop = fetched(302, Location="/robots.txt")
    assert (loop.policy(0).access, loop.request(0)) == ("unavailable", None)
    assert fetched(302).policy(0).access == "unreachable"
    assert fetched(302, Location="file:///etc/passwd").policy(0).access == "unreachable"


@pytest.mark.parametrize("failure", ["dns", "connect", "tls", "timeout", "truncated", "network"])
def test_a_failure_closes_the_site(failure: str) -> None:
    site = Site("http://e.example:8080/a/b", "ExampleBot")
    assert site.request(0) == Request("http://e.example:8080/robots.txt", {})
    site.failed(failure, 1)  # type: ignore[arg-type]
    assert site.policy(1).access == "unreachable"
    assert site.request(1) is None
    assert site.request(2) is not None
    site.failed(failure, 2)  # type: ignore[arg-type]
    assert (site.request(3), site.request(4) is None) == (None, False)


def test_a_long_file_ends_with_a_whole_line() -> None:
    long = b"User-agent: *\n" + b"#" * 511_976 + b"\nDisallow: /xyz\n"
    assert fetched(200, long).policy(0).allows("/x")
    assert fetched(200, long[:600_000]).policy(0).decide("/").retrieval["cut"] is True  # type: ignore[index]


def test_mistakes() -> None:
    with pytest.raises(InvalidUrlError, match="expected an http or https URL"):
        Site("mailto:a@b.example", "A")
    with pytest.raises(InvalidOptionError, match="agent"):
        Site("https://e.example/", "no \n name")
    with pytest.raises(InvalidOptionError, match="grace"):
        Site("https://e.example/", "A", grace=-1)
    site = Site("https://e.example/", "A")
    with pytest.raises(RuntimeError, match="no request is open"):
        site.answered(200, {}, b"", 0)
    with pytest.raises(RuntimeError, match="no request is open"):
        site.failed("dns", 0)
    site.request(0)
    for status in (0, 100, 1000, 70_000, -1):
        with pytest.raises(InvalidOptionError, match="status: expected a final code"):
            site.answered(status, {}, b"", 0)
    with pytest.raises(TypeError, match="argument 'status'"):
        site.answered("200", {}, b"", 0)  # type: ignore[arg-type]
    with pytest.raises(InvalidOptionError, match="failure: expected one of dns, connect"):
        site.failed("boredom", 0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="argument 'body'"):
        site.answered(200, {}, None, 0)  # type: ignore[arg-type]
    # None of these ended the request.
    assert site.request(0) is not None


def test_with_a_client_of_ones_own(start: Start) -> None:
    target = start({"/robots.txt": BODY})
    first = start({"/robots.txt": Answer(301, b"", {"Location": f"{target.url}/robots.txt"})})
    site = Site(first.url + "/page", "ExampleBot")
    while (request := site.request(time.time())) is not None:
        parts = urllib.parse.urlsplit(request.url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=10)
        connection.request("GET", parts.path, headers=request.headers)
        response = connection.getresponse()
        site.answered(response.status, response.getheaders(), response.read(), time.time())
        connection.close()
    assert site.policy(time.time()).allows_many([first.url + "/x", first.url + "/y"]) == [False, True]
    assert (first.fetches, target.fetches) == (1, 1)
