"""Reads the pages of a built site: each link leads to a file and a heading, and nothing is loaded from elsewhere."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser loads by itself.
LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("object", "data"), ("source", "src")}


class Page(HTMLParser):
    def __init__(self, path: Path):
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[tuple[str, str]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id":
                self.ids.add(value or "")
            elif (tag, name) == ("a", "href") or (tag, name) in LOADED:
                self.links.append((tag, value or ""))


def faults(site: Path) -> list[str]:
    # Links are resolved, too.
    site = site.resolve()
    # The page for addresses that do not exist is shown at any depth.
    paths = [path for path in sorted(site.rglob("*.html")) if path.name != "404.html"]
    pages = {path: Page(path) for path in paths}
    found = []
    for path, page in pages.items():
        for tag, link in page.links:
            if reason := fault(site, pages, path, tag, link):
                found.append(f"{path.relative_to(site)}: {link}: {reason}")
    count = sum(len(page.links) for page in pages.values())
    print(f"{len(pages)} pages, {count} links")
    return found if count > 10_000 else [*found, f"only {count} links: the pages are not what this check reads"]


def fault(site: Path, pages: dict[Path, Page], path: Path, tag: str, link: str) -> str | None:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        if tag != "a":
            return "a page loads only what the site has"
        return None if parts.scheme in ("http", "https", "mailto") else "no address of a page"
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_relative_to(site):
        return "outside the site"
    if not target.is_file():
        return "no such file"
    if parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
        return "no such heading"
    return None
