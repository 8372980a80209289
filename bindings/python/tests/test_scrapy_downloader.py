"""robots.txt through Scrapy's own downloader, with its proxies and HTTP cache."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from conftest import RULES, Answer, Crawler, Site, Start

SCRAPY: dict[str, Any] = {"ABIDE_FETCH": "scrapy"}
SELECT = {"TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor"}
LONG = RULES + b"# padding padding padding padding padding padding\n" * 60_000 + b"Disallow: /late\n"


def found(to: str) -> Answer:
    return Answer(302, b"", {"Location": to})


def chain(length: int) -> dict[str, Answer | bytes]:
    hops: dict[str, Answer | bytes] = {"/robots.txt": found("/r0"), f"/r{length}": RULES}
    return {**hops, **{f"/r{number}": found(f"/r{number + 1}") for number in range(length)}}


def failing_sites(start: Start) -> list[Site]:
    """Sites whose robots.txt are as bad as those of the web."""
    good = start()
    answers: list[Answer | bytes] = [
        RULES,
        *(Answer(status, b"User-agent: *\nDisallow: /\n") for status in (401, 403, 404, 410, 429, 500, 503)),
        Answer(503, b"<html>maintenance</html>", {"Content-Type": "text/html", "Retry-After": "1"}),
        Answer(999, b""),
        Answer(200, b"<!doctype html><html><body>User-agent: *<br>Disallow: /</body></html>"),
        LONG,
        Answer(200, gzip.compress(RULES), {"Content-Encoding": "gzip"}),
        Answer(200, gzip.compress(RULES), {"Content-Type": "application/gzip"}),
        Answer(200, b"x", {"Content-Encoding": "gzip"}),
        Answer(200, b"x", {"Content-Encoding": "rot13"}),
        RULES.decode().encode("utf-16"),
        b"\xef\xbb\xbf" + RULES,
        b"",
        b"User-agent: *\nContent-Signal: ai-train=no, search=yes\nDisallow: /private\n",
        b"User-agent: *\nCrawl-delay: 0.1\nDisallow: /private\n",
        Answer(drip=0.01, body=RULES),
        Answer(delay=20),
        Answer(raw=b"HTTP/1.1 204 No Content\r\n\r\n"),
        Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + RULES),
        Answer(raw=b""),
        found(good.url + "/robots.txt"),
        found("/robots.txt"),
        found("/login"),
        found("ftp://127.0.0.1/robots.txt"),
        Answer(302),
    ]
    sites = [start({"/robots.txt": answer, "/login": Answer(500)}) for answer in answers]
    return [*sites, start(chain(3)), start(chain(9))]


def outcomes(done: dict[str, Any]) -> tuple[set[str], dict[str, str]]:
    return set(done["pages"]), done["ignored"]


def test_both_ways_of_fetching_come_to_the_same(crawl: Crawler, start: Start, closed_port: int) -> None:
    sites = failing_sites(start)
    assert len(sites) == 33
    urls = [site.url + path for site in sites for path in ("/page", "/private/x", "/late")]
    urls += [f"http://127.0.0.1:{closed_port}/x", "http://no-such-host.invalid/x"]
    settings = {"ABIDE_TIMEOUT": 4, "CONCURRENT_REQUESTS": 128}
    abide, scrapy = (crawl(*urls, ABIDE_FETCH=way, **settings) for way in ("abide", "scrapy"))
    assert set(scrapy["pages"]) == set(abide["pages"])
    assert scrapy["ignored"] == abide["ignored"]
    assert len(scrapy["pages"]) > 40 and len(scrapy["ignored"]) > 40
    for key in ("abide/forbidden", "abide/allowed", "robotstxt/request_count"):
        assert scrapy["stats"][key] == abide["stats"][key], key
    assert scrapy["threads"] == abide["threads"]
    # Scrapy counts the requests of one way only.
    assert scrapy["stats"]["downloader/request_count"] > abide["stats"]["downloader/request_count"] + len(sites)


def how(done: dict[str, Any]) -> list[str]:
    return [line for line in done["log"] if line.startswith("INFO robots.txt is fetched by")]


def test_the_log_says_once_how_files_are_fetched(newest: Crawler, site: Site, tmp_path: Path) -> None:
    cached = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path)}
    for settings, said in [
        ({}, "abide, because neither a proxy nor an HTTP cache is configured"),
        ({"ABIDE_FETCH": "abide", **cached}, "abide, because ABIDE_FETCH is 'abide'"),
        (SCRAPY, "Scrapy's downloader, because ABIDE_FETCH is 'scrapy'"),
    ]:
        assert how(newest(site.url + "/page", **settings)) == [f"INFO robots.txt is fetched by {said}"]
    done = newest(site.url + "/page", ABIDE_FETCH="curl")
    assert done["pages"] == {} and how(done) == []


def proxied(start: Start) -> Site:
    """A proxy that knows one site."""
    site = "http://news.invalid"
    return start({f"{site}/robots.txt": RULES, f"{site}/page": Answer(), f"{site}/private/x": Answer()})


PROXIED = ["http://news.invalid/page", "http://news.invalid/private/x"]


def test_a_proxy_of_the_environment_makes_it_the_default(crawl: Crawler, start: Start) -> None:
    proxy = proxied(start)
    # The proxy looks the name up. That is no address, so nothing has to be allowed.
    environment = {"http_proxy": proxy.url, "no_proxy": ""}
    done = crawl(*PROXIED, environment=environment, ABIDE_ALLOW_PRIVATE=False)
    assert (list(done["pages"]), list(done["ignored"])) == ([PROXIED[0]], [PROXIED[1]])
    assert proxy.requests == ["http://news.invalid/robots.txt", PROXIED[0]]
    assert how(done) == ["INFO robots.txt is fetched by Scrapy's downloader, because the environment has http_proxy"]
    # Nobody uses the proxy.
    done = crawl(*PROXIED, environment=environment, HTTPPROXY_ENABLED=False)
    assert "abide, because neither" in how(done)[0] and len(done["ignored"]) == 2


def test_a_proxy_of_requests(newest: Crawler, start: Start) -> None:
    proxy = proxied(start)
    requests = {url: {"meta": {"proxy": proxy.url}} for url in PROXIED}
    done = newest(*PROXIED, requests=requests, **SCRAPY)
    assert (list(done["pages"]), list(done["ignored"])) == ([PROXIED[0]], [PROXIED[1]])
    warnings = [line for line in done["log"] if line.startswith("WARNING Requests have a proxy")]
    assert warnings == []
    done = newest(*PROXIED, requests=requests)
    assert done["pages"] == {}
    warnings = [line for line in done["log"] if line.startswith("WARNING Requests have a proxy")]
    assert len(warnings) == 1 and "Set ABIDE_FETCH to 'scrapy'" in warnings[0]


@pytest.mark.parametrize("refuses", [True, False])
def test_a_proxy_that_fails_says_nothing_about_the_site(
    newest: Crawler, start: Start, closed_port: int, refuses: bool
) -> None:
    site = "http://news.invalid"
    proxy = start({f"{site}/robots.txt": Answer(407)})
    address = proxy.url if refuses else f"http://127.0.0.1:{closed_port}"
    urls = [f"{site}/{number}" for number in range(3)]
    done = newest(*urls, environment={"http_proxy": address, "no_proxy": ""}, CONCURRENT_REQUESTS=1)
    assert done["pages"] == {} and all("unreachable" in reason for reason in done["ignored"].values())
    # It is asked for again at once, because nothing is kept.
    assert done["stats"]["robotstxt/request_count"] == 3
    assert not refuses or len(proxy.requests) == 3


def test_a_crawl_is_replayed_from_scrapys_cache(crawl: Crawler, start: Start, tmp_path: Path) -> None:
    site = start({"/robots.txt": found("/rules"), "/rules": Answer(200, RULES, {"ETag": '"1"'})})
    missing = start({"/robots.txt": Answer(404)})
    urls = [site.url + "/page", site.url + "/private/x", missing.url + "/page"]
    settings = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path)}
    first = crawl(*urls, **settings)
    assert how(first) == ["INFO robots.txt is fetched by Scrapy's downloader, because HTTPCACHE_ENABLED is set"]
    assert (len(first["pages"]), list(first["ignored"])) == (2, [urls[1]])
    site.answers.clear()
    site.requests.clear()
    again = crawl(*urls, HTTPCACHE_IGNORE_MISSING=True, **settings)
    assert outcomes(again) == outcomes(first) and site.requests == []
    # What is not in the cache is not known, whatever it is.
    other = start()
    done = crawl(other.url + "/page", HTTPCACHE_IGNORE_MISSING=True, **settings)
    assert list(done["ignored"]) == [other.url + "/page"] and other.requests == []


@pytest.mark.parametrize("settings", [{}, SELECT])
def test_a_site_that_hangs_stops_no_other(crawl: Crawler, start: Start, settings: dict[str, str]) -> None:
    hangs, good = start({"/robots.txt": Answer(delay=20)}), start()
    urls = [f"{hangs.url}/{number}" for number in range(14)] + [good.url + "/page", good.url + "/private/x"]
    done = crawl(*urls, CONCURRENT_REQUESTS=32, ABIDE_TIMEOUT=5, **SCRAPY, **settings)
    assert len(done["ignored"]) == 15 and hangs.fetches == 1
    assert not any(url.startswith(hangs.url) for url in done["pages"][good.url + "/page"]["after"])
    assert done["threads"] == crawl(good.url + "/page", ABIDE_FETCH="abide", **settings)["threads"]


def test_a_long_file_is_not_read_to_its_end(crawl: Crawler, start: Start) -> None:
    long = RULES + b"#" * 100_000_000
    bomb = gzip.compress(RULES + b"#" * 100_000_000)
    sites = [start({"/robots.txt": Answer(200, long)}), start({"/robots.txt": Answer(200, bomb, {"Content-Encoding": "gzip"})})]
    urls = [site.url + path for site in sites for path in ("/page", "/private/x")]
    done = crawl(*urls, **SCRAPY)
    assert list(done["pages"]) == [urls[0]]
    assert "line 2" in done["ignored"][urls[1]]
    assert "unreachable" in done["ignored"][urls[2]]
    assert done["peak"] < crawl(urls[0], **SCRAPY)["peak"] + 60_000_000
    assert sites[0].sent < 20_000_000


def test_files_do_not_wait_behind_pages(crawl: Crawler, start: Start) -> None:
    site = start(chain(4))
    urls = [site.url + "/a", site.url + "/private/x"]
    done = crawl(*urls, DOWNLOAD_DELAY=4, ABIDE_TIMEOUT=3, AUTOTHROTTLE_ENABLED=True, **SCRAPY)
    assert outcomes(done)[0] == {urls[0]} and "line 2" in done["ignored"][urls[1]]
    assert done["slots_with_settings"] == []


def test_files_are_kept_between_runs(newest: Crawler, site: Site, tmp_path: Path) -> None:
    for _ in range(2):
        done = newest(site.url + "/private/x", site.url + "/y", ABIDE_CACHE=str(tmp_path), **SCRAPY)
        assert (len(done["pages"]), len(done["ignored"])) == (1, 1)
    assert site.fetches == 1


def test_documents_beside_the_file(newest: Crawler, start: Start) -> None:
    reserved = b'[{"location": "/", "tdm-reservation": 1}]'
    site = start({"/robots.txt": b"", "/.well-known/tdmrep.json": reserved, "/page": Answer()})
    done = newest(site.url + "/page", ABIDE_PREFERENCES=True, **SCRAPY)
    assert done["pages"][site.url + "/page"]["train"] == "prohibited"
    assert done["stats"]["downloader/request_count"] == len(site.requests) == 3


def test_the_spiders_filters_are_for_pages(newest: Crawler, start: Start) -> None:
    target = start()
    site = start({"/robots.txt": found(target.url.replace("127.0.0.1", "localhost") + "/robots.txt")})
    spider = {"ALLOWED_DOMAINS": ["127.0.0.1"]}
    done = newest(site.url + "/page", site.url + "/private/x", spider=spider, RETRY_ENABLED=True, **SCRAPY)
    assert len(done["pages"]) == len(done["ignored"]) == target.fetches == 1


def test_private_addresses_need_a_setting(newest: Crawler, site: Site) -> None:
    done = newest(site.url + "/page", "http://localhost:1/x", ABIDE_ALLOW_PRIVATE=False, **SCRAPY)
    assert [("the address is refused" in reason) for reason in done["ignored"].values()] == [True, True]
    assert site.requests == []
