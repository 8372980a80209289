"""Middleware for web applications, which says what robots may do with responses.

:class:`AsgiMiddleware` and :class:`WsgiMiddleware` add ``Robots-Tag`` fields, and on request
``X-Robots-Tag`` and ``Content-Usage``, by the path of the request:

>>> from abide_robots.middleware import WsgiMiddleware
>>> def application(environ, start_response):
...     start_response("200 OK", [("Content-Type", "text/plain")])
...     return [b"page"]
>>> application = WsgiMiddleware(
...     application, robots_tag=[("/drafts/", "*;noindex"), ("/drafts/open", None)]
... )

A rule is a pattern of robots.txt and a value, a list of values, or ``None`` for no field. Of the
patterns that match, the longest decides about its field, and of two equally long ones the first. A
field that the application has set itself stays as it is. :func:`abide_robots.write.robots_tag` and its
relatives write values. A rule that robots could not read raises
:class:`~abide_robots.InvalidOptionError`.
"""

from __future__ import annotations

from urllib.parse import quote

from abide_robots import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, MutableMapping
    from typing import Any, TypeAlias

    FieldRules: TypeAlias = Iterable[tuple[str, str | Iterable[str] | None]]
    """Patterns of robots.txt, each with a value, a list of values, or ``None`` for no field."""
    Message: TypeAlias = MutableMapping[str, Any]
    Receive: TypeAlias = Callable[[], Awaitable[Message]]
    Send: TypeAlias = Callable[[Message], Awaitable[None]]
    AsgiApplication: TypeAlias = Callable[[Message, Receive, Send], Awaitable[None]]

__all__ = ["AsgiMiddleware", "WsgiMiddleware"]

# What a path has without escapes (RFC 3986, 3.3).
_SAFE = "/:@!$&'()*+,;=~-._"


def _rules(
    robots_tag: FieldRules, x_robots_tag: FieldRules, content_usage: FieldRules
) -> _native.FieldRules:
    def of(rules: FieldRules) -> list[tuple[str, list[str]]]:
        return [
            (pattern, [] if value is None else [value] if isinstance(value, str) else list(value))
            for pattern, value in rules
        ]

    return _native.FieldRules(of(robots_tag), of(x_robots_tag), of(content_usage))


def _not_set(fields: list[tuple[str, str]], own: Iterable[str]) -> list[tuple[str, str]]:
    """The fields that an application, which has these ones, has not set itself."""
    names = {name.lower() for name in own}
    return [field for field in fields if field[0].lower() not in names]


class AsgiMiddleware:
    """Adds fields to the responses of an ASGI application.

    The path is the one that the server received, with its query. Other scopes than ``http`` pass
    through.
    """

    def __init__(
        self,
        app: AsgiApplication,
        *,
        robots_tag: FieldRules = (),
        x_robots_tag: FieldRules = (),
        content_usage: FieldRules = (),
    ) -> None:
        self.app = app
        self._rules = _rules(robots_tag, x_robots_tag, content_usage)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        raw = scope.get("raw_path")
        path = quote(scope["path"], safe=_SAFE) if raw is None else raw.decode("latin-1")
        query = scope.get("query_string", b"").decode("latin-1")
        fields = self._rules.fields(f"{path}?{query}" if query else path)

        async def tagged(message: Message) -> None:
            if message["type"] == "http.response.start" and fields:
                headers = list(message.get("headers", ()))
                own = (bytes(name).decode("latin-1") for name, _ in headers)
                further = _not_set(fields, own)
                headers += [(name.lower().encode(), value.encode()) for name, value in further]
                message = {**message, "headers": headers}
            await send(message)

        await self.app(scope, receive, tagged)


class WsgiMiddleware:
    """Adds fields to the responses of a WSGI application.

    The path is ``SCRIPT_NAME`` and ``PATH_INFO``, with the query.
    """

    def __init__(
        self,
        app: Callable[..., Iterable[bytes]],
        *,
        robots_tag: FieldRules = (),
        x_robots_tag: FieldRules = (),
        content_usage: FieldRules = (),
    ) -> None:
        self.app = app
        self._rules = _rules(robots_tag, x_robots_tag, content_usage)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answers a request."""
        path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
        # WSGI has the bytes of the path, without escapes, as Latin-1.
        path = quote(path.encode("latin-1"), safe=_SAFE) or "/"
        query = environ.get("QUERY_STRING", "")
        fields = self._rules.fields(f"{path}?{query}" if query else path)

        def tagged(status: str, headers: list[tuple[str, str]], *exc_info: Any) -> Any:
            further = _not_set(fields, (name for name, _ in headers))
            return start_response(status, [*headers, *further], *exc_info)

        return self.app(environ, tagged)
