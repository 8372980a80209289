"""The pace of Scrapy: what a site asks for, what settings ask for, and fleets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Answer, Crawler, Start
from fleet_crawl import crawl_in_fleet

DELAYED = b"User-agent: *\nCrawl-delay: 0.4\nDisallow: /x\n"


@pytest.mark.parametrize("throttled", [False, True])
def test_a_delay_begins_when_the_answer_is_there(crawl: Crawler, start: Start, throttled: bool) -> None:
    pages = {f"/{number}": Answer(delay=0.2) for number in range(4)}
    site = start({"/robots.txt": DELAYED, **pages})
    # AutoThrottle and DOWNLOAD_DELAY alone would ask sooner, and for several pages at once.
    settings = {"AUTOTHROTTLE_ENABLED": throttled, "AUTOTHROTTLE_START_DELAY": 0.01, "DOWNLOAD_DELAY": 0.05}
    done = crawl(*[site.url + page for page in pages], **settings)
    assert len(done["pages"]) == 4 and min(site.rests) >= 0.4


def test_delays_have_limits_and_a_switch(newest: Crawler, start: Start) -> None:
    site = start({"/robots.txt": DELAYED.replace(b"0.4", b"3600")})
    urls = [f"{site.url}/{number}" for number in range(3)]
    assert len(newest(*urls, ABIDE_MAX_CRAWL_DELAY=0.1)["pages"]) == 3 and min(site.rests) >= 0.1
    assert delayed(newest(*urls, ABIDE_CRAWL_DELAY=False)) == []


def visits(done: dict[str, Any]) -> list[float]:
    """The seconds between pages."""
    at = sorted(page["at"] for page in done["pages"].values())
    return [later - earlier for earlier, later in zip(at, at[1:], strict=False)]


def delayed(done: dict[str, Any]) -> list[str]:
    return [line for line in done["log"] if line.startswith("INFO") and "between requests" in line]


@pytest.mark.parametrize("throttled", [False, True])
def test_a_delay_holds_across_slots(crawl: Crawler, start: Start, throttled: bool) -> None:
    site = start({"/robots.txt": DELAYED})
    urls = [f"{site.url}/{number}" for number in range(6)]
    requests = {url: {"meta": {"download_slot": f"proxy {number % 3}"}} for number, url in enumerate(urls)}
    done = crawl(*urls, requests=requests, AUTOTHROTTLE_ENABLED=throttled, AUTOTHROTTLE_START_DELAY=0.01)
    assert len(done["pages"]) == 6 and min(site.rests) >= 0.4
    throttle = "; AutoThrottle may make it longer" if throttled else ""
    said = f"{site.url}/robots.txt: at least 0.4 s between requests (Crawl-delay{throttle})"
    assert delayed(done) == [f"INFO {said}"]


def test_sites_without_a_delay_keep_their_slots(newest: Crawler, start: Start) -> None:
    site = start()
    urls = [f"{site.url}/{number}" for number in range(4)]
    requests = {url: {"meta": {"download_slot": f"proxy {number}"}} for number, url in enumerate(urls)}
    done = newest(*urls, requests=requests, DOWNLOAD_DELAY=2)
    assert len(done["delays"]) == 4 and max(visits(done)) < 2 and delayed(done) == []


def test_a_redirect_is_a_visit_of_its_site(crawl: Crawler, start: Start) -> None:
    site = start({"/robots.txt": DELAYED})
    goes = {f"/{number}": Answer(302, b"", {"Location": f"{site.url}/to/{number}"}) for number in range(3)}
    other = start({"/robots.txt": b"", **goes, "/no": Answer(302, b"", {"Location": site.url + "/x"})})
    done = crawl(*[other.url + path for path in [*goes, "/no"]])
    assert len(done["pages"]) == 3 and list(done["ignored"]) == [site.url + "/x"]
    assert min(site.rests) >= 0.4


@pytest.mark.parametrize(
    ("settings", "delay", "why"),
    [
        ({"DOWNLOAD_DELAY": 0.6}, 0.4, "Crawl-delay; DOWNLOAD_DELAY or the slot makes it about 0.6 s"),
        (
            {"DOWNLOAD_SLOTS": {"127.0.0.1": {"delay": 0.8}}},
            0.4,
            "Crawl-delay; DOWNLOAD_DELAY or the slot makes it about 0.8 s",
        ),
        ({"ABIDE_MAX_CRAWL_DELAY": 0.1}, 0.1, "ABIDE_MAX_CRAWL_DELAY; Crawl-delay asks for 0.4 s"),
        ({"ABIDE_MIN_DELAY": 0.6}, 0.6, "ABIDE_MIN_DELAY"),
        ({"ABIDE_MIN_DELAY": 0.2}, 0.4, "Crawl-delay"),
    ],
)
def test_the_longest_delay_wins_and_the_log_says_which(
    newest: Crawler, start: Start, settings: dict[str, Any], delay: float, why: str
) -> None:
    site = start({"/robots.txt": DELAYED})
    done = newest(*[f"{site.url}/{number}" for number in range(3)], **settings)
    assert len(done["pages"]) == 3 and min(site.rests) >= delay
    assert delayed(done) == [f"INFO {site.url}/robots.txt: at least {delay:g} s between requests ({why})"]


def test_a_delay_for_all_sites(crawl: Crawler, start: Start) -> None:
    sites = [start(), start({"/robots.txt": Answer(404)})]
    urls = [f"{site.url}/{number}" for number in range(3) for site in sites]
    assert len(crawl(*urls, ABIDE_MIN_DELAY=0.4)["pages"]) == 6
    assert all(min(site.rests) >= 0.4 for site in sites)


def test_a_site_that_wants_to_be_left_alone_stalls_no_other(crawl: Crawler, start: Start) -> None:
    busy = {f"/{number}": Answer(503, b"", {"Retry-After": "7200"}) for number in range(6)}
    site, other = start({"/robots.txt": DELAYED, **busy}), start()
    urls = [site.url + path for path in busy] + [f"{other.url}/{number}" for number in range(6)]
    done = crawl(*urls, CONCURRENT_REQUESTS=4, HTTPERROR_ALLOW_ALL=True)
    statuses = [done["pages"][url]["status"] for url in urls if url in done["pages"]]
    assert sorted(statuses) == [200] * 6 + [503] and len(site.requests) == 2
    reasons = set(done["ignored"].values())
    assert len(done["ignored"]) == 5 and all("No turn: the site rests for another 7" in reason for reason in reasons)
    assert done["stats"]["abide/no_turn"] == 5


def test_a_failing_site_is_visited_less_often(newest: Crawler, start: Start) -> None:
    failing = {f"/{number}": Answer(500) for number in range(3)}
    site = start({"/robots.txt": DELAYED, **failing})
    newest(*[site.url + path for path in failing])
    first, second, third = site.rests
    assert first >= 0.4 and second >= 0.8 and third >= 1.6


def test_a_visit_ends_however_the_request_ends(crawl: Crawler, start: Start) -> None:
    broken = {"/reset": Answer(raw=b""), "/slow": Answer(delay=3)}
    site = start({"/robots.txt": DELAYED, **broken})
    done = crawl(site.url + "/reset", site.url + "/slow", site.url + "/page", DOWNLOAD_TIMEOUT=0.5)
    assert list(done["pages"]) == [site.url + "/page"] and len(done["ignored"]) == 2


def test_a_download_that_the_crawler_stops_is_no_failure(crawl: Crawler, start: Start) -> None:
    site = start({"/robots.txt": DELAYED})
    done = crawl(*(f"{site.url}/{number}" for number in range(5)), STOPS_AT_HEADERS=True)
    # A failure would make each rest twice as long as the one before: 8 s.
    assert len(done["ignored"]) == 5 and site.rests[-1] < 4


def test_the_log_has_what_the_pacer_reports(newest: Crawler, start: Start) -> None:
    site = start({"/robots.txt": DELAYED + b"Request-rate: 1/5\n"})
    done = newest(site.url + "/page")
    assert any("Request-rate" in line for line in done["log"])


def test_the_scheduler_counts_what_waits(newest: Crawler, start: Start) -> None:
    slow, fast = start({"/robots.txt": DELAYED.replace(b"0.4", b"1")}), start({"/robots.txt": b""}, host="localhost")
    urls = [f"{slow.url}/{number}" for number in range(6)]
    quick = [f"http://localhost:{fast.port}/{number}" for number in range(12)]
    aware = {"SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue"}
    pages = newest(*urls, *quick, CONCURRENT_REQUESTS=4, **aware)["pages"]
    assert len(pages) == 18
    at = sorted(pages[url]["at"] for url in urls)
    # Also those that came before there was a slot.
    assert max(page["active"]["127.0.0.1"] for page in pages.values()) >= 3
    # All of the fast site, while four requests to the slow one wait.
    assert max(pages[url]["at"] for url in quick) < at[4]


def test_cached_pages_are_no_visits(newest: Crawler, start: Start, tmp_path: Path) -> None:
    site = start({"/robots.txt": DELAYED})
    urls = [f"{site.url}/{number}" for number in range(4)]
    settings = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path)}
    assert len(newest(*urls, **settings)["pages"]) == 4 and min(site.rests) >= 0.4
    replayed = newest(*urls, **settings)
    assert len(replayed["pages"]) == 4 and delayed(replayed) == [] and len(site.requests) == 5


def test_delays_that_nothing_waits_for(newest: Crawler, start: Start) -> None:
    site = start({"/robots.txt": DELAYED})
    by_hand = {"ADDONS": {}, "DOWNLOADER_MIDDLEWARES": {"abide_robots.scrapy.RobotsMiddleware": 100}}
    for least, seconds in [(None, "0.4"), (3, "3")]:
        done = newest(site.url + "/1", site.url + "/2", ROBOTSTXT_OBEY=True, ABIDE_MIN_DELAY=least, **by_hand)
        [warning] = [line for line in done["log"] if "nothing waits" in line]
        assert warning.startswith(f"WARNING {site.url}/robots.txt: nothing waits {seconds} s between requests")


def test_autothrottle_begins_where_it_begins(crawl: Crawler, start: Start) -> None:
    site = start({"/robots.txt": DELAYED})
    settings = {"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 2}
    urls = [f"{site.url}/{number}" for number in range(4)]
    crawl(*urls, CONCURRENT_REQUESTS=1, **settings)
    _, first, *_, last = site.rests
    # It goes down from there, but not below what the site asks for.
    assert first > 0.9 and 0.4 <= last < first


def test_a_fleet_has_one_pace(valkey: str) -> None:
    report = crawl_in_fleet(valkey, sites=10, pages=9, longest=0.4)
    assert [site.too_early() for site in report.hosts.sites] == [[]] * 10
    for site in report.hosts.sites:
        paths = sorted(path for _, _, path in site.visits)
        # robots.txt is fetched once for all, and no closed page.
        assert paths == sorted([*[f"/{page}" for page in range(9)], "/robots.txt"])
    assert [done["robotstxt/forbidden"] for done in report.done if done is not None] == [10, 10, 10]
