"""The linter, the formatter, the comparison, conversions and the matrix, with their results as
objects."""

from __future__ import annotations

from abide_robots import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime
    from typing import Any

    from abide_robots._types import (
        Body,
        Cause,
        ChangedUrls,
        ClientDifferences,
        Code,
        ConversionFinding,
        Fix,
        Headers,
        KnownRobot,
        MatrixRow,
        Profile,
        RelatedPlace,
        Severity,
    )

__all__ = [
    "Conversion",
    "Diff",
    "Finding",
    "Fixed",
    "Matrix",
    "convert",
    "diff",
    "fix",
    "fmt",
    "known_robots",
    "lint",
    "matrix",
    "tags",
]


class _Result:
    """A result with the members of a JSON object."""

    __slots__ = ("_data",)

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data: dict[str, Any] = dict(data)

    def to_dict(self) -> dict[str, object]:
        """Returns the result as a dict, with the fields that the ``abide`` command writes."""
        return dict(self._data)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._data == getattr(other, "_data", None)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Any], tuple[dict[str, Any]]]:
        return type(self), (self._data,)


class Finding(_Result):
    """Something that is wrong, or probably not meant, in a file or a response."""

    __slots__ = ()

    @property
    def code(self) -> Code:
        """The name of the rule, such as ``missing-colon``. ``abide lint --explain CODE`` explains it."""
        code: Code = self._data["code"]
        return code

    @property
    def severity(self) -> Severity:
        """``error``, ``warning`` or ``info``."""
        severity: Severity = self._data["severity"]
        return severity

    @property
    def message(self) -> str:
        """What is wrong, in words."""
        return str(self._data["message"])

    @property
    def file(self) -> str:
        """The name of the file, or ``the response``."""
        return str(self._data["file"])

    @property
    def line(self) -> int | None:
        """The line, from 1; ``None`` for the file as a whole."""
        return self._data.get("line")

    @property
    def column(self) -> int | None:
        """The column, in bytes from 1."""
        return self._data.get("column")

    @property
    def span(self) -> tuple[int, int] | None:
        """The first byte, and the byte after the last."""
        span = self._data.get("span")
        return None if span is None else (span[0], span[1])

    @property
    def related(self) -> list[RelatedPlace]:
        """Other lines that matter: dicts with ``line``, ``span`` and ``message``."""
        return list(self._data.get("related", ()))

    @property
    def fix(self) -> Fix | None:
        """A fix, with ``safety``, ``title`` and ``edits``."""
        return self._data.get("fix")

    def __repr__(self) -> str:
        place = "" if self.line is None else f":{self.line}:{self.column}"
        return f"<Finding: {self.file}{place} {self.severity} {self.code}: {self.message}>"


class Fixed:
    """A file after its fixes. Made by :func:`fix`."""

    __slots__ = ("body", "findings", "fixed")

    body: bytes
    """The new file."""
    fixed: int
    """How many findings were fixed."""
    findings: list[Finding]
    """What is left in the new file."""

    def __init__(self, body: bytes, fixed: int, findings: list[Finding]) -> None:
        self.body = body
        self.fixed = fixed
        self.findings = findings

    def __repr__(self) -> str:
        return f"<Fixed: {self.fixed} fixed, {len(self.findings)} left>"


class Diff(_Result):
    """What changes for whom from one robots.txt to another. True if anything changes."""

    __slots__ = ()

    @property
    def equivalent(self) -> bool:
        """Whether it is proved that nothing changes."""
        return bool(self._data["equivalent"])

    @property
    def complete(self) -> bool:
        """Whether everything could be compared."""
        return bool(self._data["complete"])

    @property
    def headline(self) -> str:
        """The worst effect, and whom it concerns."""
        return str(self._data["headline"])

    @property
    def causes(self) -> list[Cause]:
        """Why answers change: dicts with ``kind``, ``sentence``, ``whom`` and ``line``."""
        return list(self._data["causes"])

    @property
    def clients(self) -> list[ClientDifferences]:
        """Robots with the same changes, with their names and the regions of URLs that change."""
        return list(self._data["clients"])

    @property
    def urls(self) -> ChangedUrls | None:
        """What changes for the given URLs: ``count``, and the ``changed`` ones."""
        urls: ChangedUrls | None = self._data["urls"]
        return urls

    def __bool__(self) -> bool:
        return not self.equivalent

    def __str__(self) -> str:
        causes = (f"{cause['whom']}: {cause['sentence']}" for cause in self.causes)
        return "\n".join([self.headline, *self._data["also"], *causes])

    def __repr__(self) -> str:
        return f"<Diff: {self.headline}>"


class Matrix(_Result):
    """Which robots may crawl a site. Iterating gives one dict for each robot."""

    __slots__ = ()

    @property
    def rows(self) -> list[MatrixRow]:
        """One dict for each robot, with its ``kind``, for ``pandas.DataFrame`` and the like."""
        rows: list[Any] = [
            {"kind": kind["kind"], **robot}
            for kind in self._data["kinds"]
            for robot in kind["robots"]
        ]
        typed: list[MatrixRow] = rows
        return typed

    @property
    def summaries(self) -> list[str]:
        """One sentence for each kind of robot."""
        return [str(kind["summary"]) for kind in self._data["kinds"]]

    @property
    def proven(self) -> bool:
        """Whether all paths could be compared for every robot."""
        return bool(self._data["proven"])

    def __iter__(self) -> Iterator[MatrixRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        return "\n".join(self.summaries)

    def __repr__(self) -> str:
        return f"<Matrix: {len(self)} {'robot' if len(self) == 1 else 'robots'}>"

    def _repr_html_(self) -> str:
        from html import escape

        cells = (
            f"<tr><td>{escape(str(row['kind']))}</td><td>{escape(str(row['name']))}</td>"
            f"<td>{escape(str(row['access']))}</td></tr>"
            for row in self.rows
        )
        head = "<tr><th>kind</th><th>robot</th><th>access</th></tr>"
        return f"<table>{head}{''.join(cells)}</table>"


class Conversion(_Result):
    """A robots.txt or robots tags in another form. True if it means what the source means."""

    __slots__ = ()

    @property
    def text(self) -> str | None:
        """The result; ``None`` if it would not mean what the source means."""
        text: str | None = self._data["converted"]
        return text

    @property
    def findings(self) -> list[ConversionFinding]:
        """What changes or is left out: dicts with ``code``, ``line``, ``refuses`` and ``message``,
        the reasons for a refusal first."""
        return list(self._data["findings"])

    def __bool__(self) -> bool:
        return self.text is not None

    def __repr__(self) -> str:
        result = "refused" if self.text is None else f"{len(self.text)} characters"
        return f"<Conversion: {result}, {len(self.findings)} findings>"


def convert(
    body: Body | None,
    to: str,
    *,
    headers: Headers | None = None,
    html: Body | None = None,
    rendered_html: Body | None = None,
    revision: str = "08",
) -> Conversion:
    """Converts a robots.txt or robots tags to another specification, or refuses.

    A robots.txt becomes ``acap``, ``robots``, ``content-usage``, ``content-signal`` or ``tdmrep``.
    Robots tags, of ``headers`` or a page, become ``robots-tag``, ``x-robots-tag`` or ``meta``; then
    ``body`` is ``None``. With ACAP records in ``body``, ``robots-tag`` and ``x-robots-tag`` are the
    fields of each path. ``revision`` is that of ``Content-Usage``.

    >>> import abide_robots
    >>> abide_robots.convert(None, "robots-tag", headers={"X-Robots-Tag": "noindex"}).text
    'Robots-Tag: *;noindex\\n'
    """
    converted = _native.convert(
        body, to, headers=headers, html=html, rendered_html=rendered_html, revision=revision
    )
    return Conversion(converted)


def lint(
    body: Body | None,
    *,
    file: str = "robots.txt",
    select: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] | None = None,
    allow_closed: bool | None = None,
    purposes: str | Iterable[str] | None = None,
    media_type: str | None = None,
    headers: Headers | None = None,
    html: Body | None = None,
    rendered_html: Body | None = None,
    url: str | None = None,
    config: str | None = None,
    registry: str | None = None,
    now: datetime | str | None = None,
) -> list[Finding]:
    """Lints a robots.txt, a ``tdmrep.json`` or an RSL licence, and the response of a page.

    ``file`` names the file in findings, and says what it is. ``select`` and ``ignore`` take codes;
    ``config`` takes the text of an ``abide.toml``, ``registry`` that of a file with a registry, and
    ``purposes`` those that exist. ``allow_closed`` accepts a file that closes the whole site. ``now``
    is the instant of the check. With ``headers``, ``html`` or ``rendered_html``, the robots tags of the page at
    ``url`` are linted too; then ``body`` may be ``None``.

    Raises :class:`InvalidOptionError` for unknown codes.

    >>> import abide_robots
    >>> abide_robots.lint("User-agent: *\\nDisallow /private/\\n")
    [<Finding: robots.txt:2:1 warning missing-colon: ...>]
    """
    found = _native.lint(
        body,
        file=file,
        select=select,
        ignore=ignore,
        allow_closed=allow_closed,
        purposes=purposes,
        media_type=media_type,
        headers=headers,
        html=html,
        rendered_html=rendered_html,
        url=url,
        config=config,
        registry=registry,
        now=now,
    )
    return [Finding(finding) for finding in found]


def fix(
    body: Body,
    *,
    unsafe: bool = False,
    file: str = "robots.txt",
    select: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] | None = None,
    allow_closed: bool | None = None,
    purposes: str | Iterable[str] | None = None,
    media_type: str | None = None,
    config: str | None = None,
    registry: str | None = None,
    now: datetime | str | None = None,
) -> Fixed:
    """Applies the fixes of the linter. By default only safe ones, which change no robot's answer.
    The other options are those of :func:`lint`.

    >>> import abide_robots
    >>> abide_robots.fix("User-agent: *\\nDisallow /private/\\n", unsafe=True).body
    b'User-agent: *\\nDisallow: /private/\\n'
    """
    new, fixed, left = _native.fix(
        body,
        fix="unsafe" if unsafe else "safe",
        file=file,
        select=select,
        ignore=ignore,
        allow_closed=allow_closed,
        purposes=purposes,
        media_type=media_type,
        config=config,
        registry=registry,
        now=now,
    )
    return Fixed(new, fixed, [Finding(finding) for finding in left])


def fmt(body: Body) -> bytes:
    """Formats a robots.txt without changing what it means.

    Raises :class:`FormatError` if that is not possible.

    >>> import abide_robots
    >>> abide_robots.fmt("user-agent:*\\ndisallow : /x")
    b'User-agent: *\\nDisallow: /x\\n'
    """
    return _native.fmt(body)


def diff(
    old: Body,
    new: Body,
    *,
    agents: str | Iterable[str] | None = None,
    purposes: str | Iterable[str] | None = None,
    urls: str | Iterable[str] | None = None,
    literal: bool = False,
) -> Diff:
    """Shows what changes for whom from one robots.txt to another, for all URLs there can be.

    ``agents`` limits the comparison to some robots: names, sets such as ``@ai-training``, or whole
    ``User-Agent`` lines. ``purposes`` are those that the robots claim. ``urls`` names a page of yours to look
    up, or several. With ``literal``, what operators document about their robots does not apply.

    >>> import abide_robots
    >>> change = abide_robots.diff("User-agent: *\\nDisallow: /x", "User-agent: *\\nDisallow: /")
    >>> bool(change)
    True
    """
    data = _native.diff(
        old, new, agents=agents, purposes=purposes, urls=urls, literal=literal
    )
    return Diff(data)


def matrix(
    body: Body,
    *,
    agents: str | Iterable[str] | None = None,
    purposes: str | Iterable[str] | None = None,
    literal: bool = False,
    preferences: bool | Mapping[str, object] | None = None,
    profile: Profile = "careful",
    site: str | None = None,
) -> Matrix:
    """Shows which robots may crawl a site: by default all that are known or that the file names.

    ``purposes`` are those that the robots claim. ``preferences`` adds what the file asks about training,
    AI input and search [default: if it asks anything]; a mapping says which ``vocabularies`` count, and
    has the documents beside robots.txt of the ``site``.

    >>> import abide_robots
    >>> for row in abide_robots.matrix("User-agent: GPTBot\\nDisallow: /", agents="GPTBot,Bingbot"):
    ...     print(row["name"], row["access"])
    Bingbot allowed
    GPTBot closed
    """
    data = _native.matrix(
        body,
        agents=agents,
        purposes=purposes,
        literal=literal,
        preferences=preferences,
        profile=profile,
        site=site,
    )
    return Matrix(data)


def known_robots() -> list[KnownRobot]:
    """Returns the table of known robots: names, operators, purposes and documented behaviour.

    >>> import abide_robots
    >>> [row["operator"] for row in abide_robots.known_robots() if row["token"] == "GPTBot"]
    ['OpenAI']
    """
    return _native.known_robots()


def tags(
    agent: str | Iterable[str],
    *,
    headers: Headers | None = None,
    html: Body | None = None,
    rendered_html: Body | None = None,
) -> dict[str, str | bool]:
    """Returns the robots tags of a page that bind a robot: ``Robots-Tag`` and ``X-Robots-Tag``
    fields, and meta elements. A rule without a value is ``True``.

    ``headers`` is a mapping, whose values may be lists, or pairs of names and values.

    >>> import abide_robots
    >>> abide_robots.tags(
    ...     "ExampleBot",
    ...     headers={"X-Robots-Tag": "noindex"},
    ...     html='<meta name="robots" content="max-snippet:50">',
    ... )
    {'max-snippet': '50', 'noindex': True}
    """
    policy = _native.Policy(b"", agent)
    page = policy.decide("/", headers=headers, html=html, rendered_html=rendered_html)
    return page.tags
