"""Writes what a site says: fields with robots tags, and groups of a robots.txt.

>>> from abide_robots import write
>>> write.robots_tag({"*": "nosnippet", "ExampleBot": {"max-snippet": 10}})
'*;nosnippet, ExampleBot;max-snippet=10'
>>> print(write.group(purposes=["AI-TRAINING"], rules=[("disallow", "/archive/")]), end="")
User-Agent-Purpose: AI-TRAINING
Disallow: /archive/

What a document has no text for raises :class:`~abide_robots.InvalidOptionError` with its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

from abide_robots import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    Rules: TypeAlias = str | Iterable[str] | Mapping[str, str | int | None]
    """One rule, several, or rules with their values; ``True`` and ``None`` are no value."""
    Value: TypeAlias = bool | int | float | Decimal | str | bytes | datetime
    """A value of a directive."""
    Directives: TypeAlias = Iterable[str] | Mapping[str, Value]
    """Names of directives, or directives with their values."""
    Applications: TypeAlias = Mapping[str, Directives]
    """What a line asks of applications, by identifier."""
    Usages: TypeAlias = Mapping[str, bool]
    """Usages or words, and whether they are permitted."""

__all__ = [
    "DisplayString",
    "Token",
    "app_directives",
    "content_usage",
    "group",
    "robots_tag",
    "x_robots_tag",
]


class Token(str):
    """A value that is written as a Token, without quotes, and not as a String."""

    __slots__ = ()


class DisplayString(str):
    """A value that is written as a Display String, which can have any character."""

    __slots__ = ()


def _tags(rules: Mapping[str, Rules]) -> list[tuple[str, list[tuple[str, str | None]]]]:
    def of(own: Rules) -> list[tuple[str, str | None]]:
        if isinstance(own, str):
            return [(own, None)]
        if not isinstance(own, Mapping):
            return [(name, None) for name in own]
        return [
            (name, None if value is None or value is True else str(value))
            for name, value in own.items()
        ]

    return [(name, of(own)) for name, own in rules.items()]


def robots_tag(rules: Mapping[str, Rules]) -> str:
    """Returns the value of a ``Robots-Tag`` field: the rules of each robot, and of ``*``.

    What :func:`abide_robots.tags` returns for a robot is one of these values.

    >>> from abide_robots import write
    >>> write.robots_tag({"*": ["noindex", "nofollow"]})
    '*;noindex;nofollow'
    """
    return _native.write_robots_tag(_tags(rules))


def x_robots_tag(rules: Mapping[str, Rules]) -> list[str]:
    """Returns the values of ``X-Robots-Tag`` fields, one for each robot. The field is deprecated; it
    is for robots that do not read ``Robots-Tag``.

    >>> from abide_robots import write
    >>> write.x_robots_tag({"*": "noindex", "ExampleBot": {"max-snippet": 10}})
    ['noindex', 'ExampleBot: max-snippet: 10']
    """
    return _native.write_x_robots_tag(_tags(rules))


def _value(value: Value) -> tuple[str, object]:
    """The type of structured fields for a value, and the value as the native part takes it."""
    if isinstance(value, bool):
        return "boolean", value
    if isinstance(value, int):
        return "integer", value
    if isinstance(value, (float, Decimal)):
        text = format(Decimal(str(value)), "f")
        return "decimal", text if "." in text else f"{text}.0"
    if isinstance(value, Token):
        return "token", str(value)
    if isinstance(value, DisplayString):
        return "display-string", str(value)
    if isinstance(value, str):
        return "string", value
    if isinstance(value, bytes):
        return "bytes", value
    if isinstance(value, datetime) and value.tzinfo is not None:
        return "date", int(value.timestamp())
    message = f"expected a value of a directive, or a datetime with a time zone, but found {value!r}"
    raise TypeError(message)


def _applications(
    applications: Applications,
) -> list[tuple[str, list[tuple[str, tuple[str, object]]]]]:
    def of(own: Directives) -> list[tuple[str, tuple[str, object]]]:
        if isinstance(own, str):
            message = f"expected a list of directives, but found {own!r}"
            raise TypeError(message)
        if not isinstance(own, Mapping):
            return [(name, _value(True)) for name in own]
        return [(name, _value(value)) for name, value in own.items()]

    return [(name, of(own)) for name, own in applications.items()]


def app_directives(applications: Applications, *, path: str | None = None) -> str:
    """Returns the value of an ``App-Directives`` line: what each application is asked to do.

    The types of values become those of structured fields: ``bool``, ``int``, ``float`` and
    ``Decimal``, ``str``, :class:`Token`, ``bytes``, an aware ``datetime`` (a Date, in seconds) and
    :class:`DisplayString`.

    >>> from abide_robots import write
    >>> write.app_directives({"examplesearch": {"widgets": False}}, path="/news/")
    '/news/ examplesearch;widgets=?0'
    """
    return _native.write_app_directives(_applications(applications), path)


def content_usage(usages: Usages, *, path: str | None = None, revision: str = "08") -> str:
    """Returns the value of a ``Content-Usage`` field, or of a line of a robots.txt, which may have a
    path. Usages are named as decisions name them, or by the words of the document.

    >>> from abide_robots import write
    >>> write.content_usage({"train": False, "search": True})
    'train-ai=n, search=y'
    """
    return _native.write_content_usage(list(usages.items()), path, revision)


def group(
    *,
    purposes: Iterable[str] = (),
    robots: Iterable[str] = (),
    rules: Iterable[tuple[str, str]] = (),
    app_directives: Iterable[tuple[str | None, Applications]] = (),
    content_usage: Iterable[tuple[str | None, Usages]] = (),
    revision: str = "08",
) -> str:
    """Returns a group of a robots.txt: its ``User-Agent-Purpose`` and ``User-agent`` lines, then its
    rules, directives and preferences, each line with LF.

    ``robots`` has product tokens and ``*``. A rule is ``("allow", pattern)`` or ``("disallow",
    pattern)``. Directives and preferences are pairs of a path, or ``None`` for every path, and what
    :func:`app_directives` and :func:`content_usage` take. Robots that do not know purposes add a group
    that only a purpose starts to the group before it, so write it first in the file.

    >>> from abide_robots import write
    >>> print(write.group(robots=["*"], content_usage=[("/blog/", {"train": False})]), end="")
    User-agent: *
    Content-Usage: /blog/ train-ai=n
    """
    return _native.write_group(
        list(purposes),
        list(robots),
        list(rules),
        [(path, _applications(own)) for path, own in app_directives],
        [(path, list(own.items())) for path, own in content_usage],
        revision,
    )
