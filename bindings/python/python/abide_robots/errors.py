"""Exceptions of abide_robots."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from abide_robots._native import Decision
    from abide_robots._types import Failure

__all__ = [
    "AbideError",
    "DisallowedError",
    "FetchError",
    "FormatError",
    "InvalidOptionError",
    "InvalidUrlError",
    "NoTurnError",
    "StoreError",
]


class AbideError(Exception):
    """The base class of all exceptions of this package.

    >>> import abide_robots
    >>> try:
    ...     abide_robots.Policy("", "ExampleBot", acap={"unsupported": ["x"]})
    ... except abide_robots.AbideError as error:
    ...     print(error.code, error.pointer)
    invalid-acap /acap/unsupported/0
    """

    code: str | None
    """The code that the command and the service have for the same mistake, if they have one."""
    pointer: str | None
    """A JSON Pointer to the value that is wrong, from the arguments on; empty for all of them."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        self.code = None
        self.pointer = None


class InvalidUrlError(AbideError, ValueError):
    """A URL that cannot be read.

    >>> import abide_robots
    >>> try:
    ...     abide_robots.allows("", "ExampleBot", "example.com/page")
    ... except abide_robots.InvalidUrlError as error:
    ...     print(error)
    url: the URL has no scheme; expected one such as https://example.com/page: example.com/page
    """

    url: str | None
    """The URL."""
    index: int | None
    """Its position in a list of URLs, from 0; ``None`` if there was only one."""

    def __init__(
        self, message: str, url: str | None = None, index: int | None = None
    ) -> None:
        super().__init__(message)
        self.url = url
        self.index = index


class InvalidOptionError(AbideError, ValueError):
    """An argument with a value that it cannot have.

    >>> import abide_robots
    >>> try:
    ...     abide_robots.Policy("", "ExampleBot", profile="strict")
    ... except abide_robots.InvalidOptionError as error:
    ...     print(error.argument)
    profile
    """

    argument: str | None
    """The name of the argument."""

    def __init__(self, message: str, argument: str | None = None) -> None:
        super().__init__(message)
        self.argument = argument


class DisallowedError(AbideError):
    """A request that a client does not send, because robots.txt does not allow its URL."""

    decision: Decision
    """The whole decision."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(f"{decision.url} is disallowed by {decision.robots_url}: {decision.reason}")
        self.decision = decision


class NoTurnError(AbideError):
    """There is no turn to visit a site: it is skipped, too many visits wait, or its robots.txt could not be asked
    for.
    """


class FetchError(AbideError):
    """There is no response to a request for a robots.txt. The ``fetch`` of a cache may raise it, to say
    why; what other exceptions of clients mean is known by their classes.
    """

    failure: Failure
    """Why: ``dns``, ``connect``, ``tls``, ``timeout``, ``truncated`` or ``network``."""
    is_local: bool
    """Whether it says nothing about the site, such as a proxy that does not answer: then nothing is
    allowed, and nothing is kept.
    """

    def __init__(
        self, message: str, failure: Failure = "network", *, is_local: bool = False
    ) -> None:
        super().__init__(message)
        self.failure = failure
        self.is_local = is_local


class FormatError(AbideError, ValueError):
    """A file that cannot be formatted without changing what it means."""

    line: int | None
    """The line to blame, from 1; ``None`` if it is the file as a whole."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class StoreError(AbideError, OSError):
    """A place for robots.txt files that cannot be used."""
