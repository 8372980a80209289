"""Writes the pages of the site as mdBook reads them, from the Markdown of the repository and from the command.

A page of docs/ is at its name, a rule at `rules/CODE.html`, a robot at `robots/TOKEN.html`. These addresses stay.
"""

import os
import re
import subprocess
from pathlib import Path

# What is beside docs/ and linked from it.
ELSEWHERE = {
    "README.md": "index.md",
    "docs/README.md": "guides.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "RELEASING.md": "releasing.md",
    "SECURITY.md": "security.md",
    "bindings/javascript/README.md": "npm.md",
    "bindings/python/README.md": "python.md",
    "crates/abide/README.md": "engine.md",
    "crates/abide/src/pattern/DESIGN.md": "matching.md",
    "crates/abide-fetch/README.md": "retrieval.md",
    "vectors/README.md": "vectors.md",
}
# Where the web page that needs no service is.
TESTER = "tester"
RULES = "crates/abide-lint/src/rules/"
ADDRESS = re.compile(r"https?://[^ |]+")
FENCED = re.compile(r"^([ \t]*)(```+|~~~+)[^\n]*\n.*?^[ \t]*\2[ \t]*$\n?", re.M | re.S)
LINK = re.compile(r"(\]\()([^)\s]+)")
DEFINITION = re.compile(r"^(\s*- \*\*)([A-Z]+(?:-[A-Z]+)*-\d+)(?=\*\*)", re.M)
# A heading, code, a link or an element, which are kept; or an ID.
KEPT_OR_ID = re.compile(
    r"^#[^\n]*|(?P<ticks>`+)(?:(?!\n\n).)*?(?P=ticks)(?!`)|\[[^\]]*\]\([^)]*\)|<[^>\n]*>|(?P<id>\b[A-Z]+(?:-[A-Z]+)*-\d+\b)",
    re.M | re.S,
)


class Command:
    """The command that says which rules and robots there are."""

    def __init__(self, program: Path):
        self.program = program

    def says(self, *words: str) -> str:
        return subprocess.run([self.program, *words], check=True, capture_output=True, text=True).stdout

    def rules(self) -> list[str]:
        return [line.split()[0] for line in self.says("lint", "--explain", "all").splitlines()]

    def robots(self) -> list[str]:
        """The rows of the table, behind its head."""
        return self.says("robots", "--format", "markdown").splitlines()


def place(path: str) -> str:
    """Where a Markdown file of the repository is in the site."""
    if path in ELSEWHERE:
        return ELSEWHERE[path]
    if path.startswith(RULES):
        return "rules/" + Path(path).name.replace("_", "-")
    if path.startswith("docs/"):
        return path.removeprefix("docs/").replace("README.md", "index.md")
    raise SystemExit(f"{path} is linked from the site, and packaging/site/pages.py does not say where it is there")


class Site:
    def __init__(self, root: Path, folder: Path, command: Command):
        self.root, self.folder, self.command = root, folder, command
        self.pages: dict[str, str] = {}
        self.ids: dict[str, str] = {}

    def write(self) -> None:
        self.collect()
        for path in self.pages:
            self.put(place(path), self.page(path))
        guide = (self.folder / "page.md").read_text(encoding="utf-8")
        opened = f"[Open the page]({TESTER}/index.html): it runs in your browser, and sends nothing.\n"
        self.put("page.md", guide.replace("\n\n", f"\n\n{opened}\n", 1))
        robots = self.robots()
        self.put("SUMMARY.md", self.summary(robots))

    def put(self, name: str, text: str) -> None:
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")

    def collect(self) -> None:
        """The README, the rules, and every page that one of these links to."""
        rules = sorted(str(path.relative_to(self.root)) for path in (self.root / RULES).glob("*/*.md"))
        waiting = ["README.md", "docs/README.md", *rules]
        waiting += sorted(str(path.relative_to(self.root)) for path in (self.root / "docs").rglob("*.md"))
        while waiting:
            path = waiting.pop()
            if path in self.pages:
                continue
            text = self.pages[path] = (self.root / path).read_text(encoding="utf-8")
            for found in DEFINITION.finditer(FENCED.sub("", text)):
                self.ids[found[2]] = path
            targets = [self.target(path, found[2])[0] for found in LINK.finditer(FENCED.sub("", text))]
            waiting += [target for target in targets if target.endswith(".md")]

    def target(self, page: str, link: str) -> tuple[str, str]:
        """The file of the repository that a link of a page leads to, or nothing for an address; and the anchor."""
        path, mark, anchor = link.partition("#")
        if ":" in path:
            return "", ""
        return os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page, mark + anchor

    def page(self, path: str) -> str:
        """A page with the links of the site. Code stays as it is."""
        text, prose, end = self.pages[path], [], 0
        for fence in FENCED.finditer(text):
            prose += [self.prose(path, text[end : fence.start()]), fence[0]]
            end = fence.end()
        return "".join(prose) + self.prose(path, text[end:])

    def prose(self, path: str, text: str) -> str:
        text = LINK.sub(lambda found: found[1] + self.link(path, found[2]), text)
        text = DEFINITION.sub(r'\1<a class="requirement" id="\2" href="#\2">\2</a>', text)
        return KEPT_OR_ID.sub(lambda found: self.requirement(path, found), text)

    def requirement(self, path: str, found: re.Match) -> str:
        if found["id"] not in self.ids:
            return found[0]
        defined = self.relative(path, place(self.ids[found["id"]]))
        # An ID is already a link where it is defined.
        before = found.string[: found.start()]
        return found[0] if before.endswith(f'"#{found["id"]}">') else f"[{found['id']}]({defined}#{found['id']})"

    def link(self, path: str, link: str) -> str:
        target, anchor = self.target(path, link)
        if not target or target == path:
            return link
        if target.endswith(".md"):
            return self.relative(path, place(target)) + anchor
        source = self.root / target
        if source.is_dir():
            # A static host shows no folder.
            return self.relative(path, place(path)) + anchor
        name = target.removeprefix("docs/")
        copy = self.folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(source.read_bytes())
        return self.relative(path, name) + anchor

    def relative(self, path: str, target: str) -> str:
        return os.path.relpath(target, os.path.dirname(place(path)) or ".")

    def robots(self) -> list[str]:
        """A page for each robot and one with all; returns the names."""
        head, rule, *rows = self.command.robots()
        names = [row.split("|")[1].strip() for row in rows]
        for name in names:
            self.put(f"robots/{name}.md", robot(self.command.says("robots", name)))
        rows = [row.replace(f"| {name} |", f"| [{name}]({name}.md) |", 1) for row, name in zip(rows, names)]
        # The first columns: who, and what for. The page of a robot has all of them.
        table = "\n".join("|".join(row.split("|")[:5]) + "|" for row in [head, rule, *rows])
        note = "[The known robots](../robots.md) explains what the table is for."
        self.put("robots/index.md", f"# All known robots\n\n{note}\n\n{table}\n")
        return names

    def summary(self, robots: list[str]) -> str:
        """The list of chapters, in the order of docs/README.md."""
        lines, listed = ["# Summary", "", "[abide](index.md)", "[The guides](guides.md)"], {"README.md", "docs/README.md"}
        children = {
            "docs/robots.md": [("All known robots", "robots/index.md"), *((name, f"robots/{name}.md") for name in robots)],
            "docs/lint.md": [(code, f"rules/{code}.md") for code in self.command.rules()],
        }
        for folder in ["spec", "issues"]:
            inside = sorted(path for path in self.pages if path.startswith(f"docs/{folder}/") and "README" not in path)
            children[f"docs/{folder}/README.md"] = [(title(self.pages[path]), place(path)) for path in inside]
            listed.update(inside)
        dash = ""
        for line in FENCED.sub("", self.pages["docs/README.md"]).splitlines():
            if line.startswith("## "):
                lines += ["", f"# {line.removeprefix('## ')}", ""]
                dash = "- "
            for words, link in re.findall(r"\[([^\]]+)\]\(([^)\s]+)\)", line):
                path = self.target("docs/README.md", link)[0]
                if path in self.pages and path not in listed:
                    listed.add(path)
                    words = title(self.pages[path]) if words.endswith(".md") else words
                    lines.append(f"{dash}[{capital(words)}]({place(path)})")
                    lines += [f"  - [{name}]({child})" for name, child in children.get(path, [])]
        rest = sorted(path for path in self.pages if path not in listed and not path.startswith(RULES))
        lines += [f"- [{title(self.pages[path])}]({place(path)})" for path in rest]
        return "\n".join(lines) + "\n"


def title(text: str) -> str:
    return re.search(r"^# (.*)$", text, re.M)[1].replace("`", "")


def capital(words: str) -> str:
    words = words.replace("`", "")
    return words[:1].upper() + words[1:]


def robot(answer: str) -> str:
    """What the command says about a robot, as a page."""
    first, *lines = answer.splitlines()
    name, _, kind = first.partition(": ")
    rows: list[list[str]] = []
    for line in lines:
        key, value = line[2:15].strip(), line[16:]
        if key:
            rows.append([key, value])
        else:
            rows[-1][1] += " " + value.strip()
    cells = [f"| {key} | {shown(value)} |" for key, value in rows]
    table = "\n".join(["| | |", "|---|---|", *cells])
    command = f"```console\n$ abide robots {name}\n```"
    return f"# {name}\n\n{capital(kind)}.\n\n{table}\n\n{command}\n\n[All known robots](index.md)\n"


def shown(text: str) -> str:
    """A value as Markdown: addresses are links, and nothing else is markup."""
    marked = re.compile(rf"({ADDRESS.pattern})|[*_|<`\[\\]")
    return marked.sub(lambda found: f"<{found[1]}>" if found[1] else "\\" + found[0], text)
