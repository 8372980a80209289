"""The middleware for web applications, behind real servers on the loopback interface."""

from __future__ import annotations

import asyncio
import http.client
import threading
import time
import wsgiref.simple_server
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
import uvicorn

import abide_robots
from abide_robots import InvalidOptionError, write
from abide_robots.middleware import AsgiMiddleware, WsgiMiddleware

RULES: dict[str, Any] = {
    "robots_tag": [("/drafts/", "*;noindex"), ("/drafts/open", None), ("/*.pdf$", write.robots_tag({"*": "nosnippet"}))],
    "x_robots_tag": [("/drafts/", ["noindex", "ExampleBot: nosnippet"])],
    "content_usage": [("/", "train-ai=n")],
}
NAMES = ("robots-tag", "x-robots-tag", "content-usage")
USAGE = ("content-usage", "train-ai=n")
BOTH = [("x-robots-tag", "ExampleBot: nosnippet"), ("x-robots-tag", "noindex")]


def wsgi(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    own = [("ROBOTS-TAG", "b;nofollow")] if environ["PATH_INFO"] == "/drafts/own" else []
    start_response("200 OK", [("Content-Type", "text/plain"), *own])
    return [b"page"]


async def asgi(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        while (await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})
        return
    own = [(b"ROBOTS-TAG", b"b;nofollow")] if scope["path"] == "/drafts/own" else []
    await send({"type": "http.response.start", "status": 200, "headers": own})
    await send({"type": "http.response.body", "body": b"page"})


class Quiet(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(params=["wsgi", "asgi"])
def port(request: pytest.FixtureRequest) -> Iterator[int]:
    """A server with the middleware."""
    if request.param == "wsgi":
        server = wsgiref.simple_server.make_server(
            "127.0.0.1", 0, WsgiMiddleware(wsgi, **RULES), handler_class=Quiet
        )
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server.server_port
        server.shutdown()
        server.server_close()
        return
    config = uvicorn.Config(AsgiMiddleware(asgi, **RULES), host="127.0.0.1", port=0, log_level="error")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield running.servers[0].sockets[0].getsockname()[1]
    running.should_exit = True
    thread.join()


def fields(port: int, path: str) -> list[tuple[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", path)
    response = connection.getresponse()
    assert response.read() == b"page"
    connection.close()
    found = [(name.lower(), value) for name, value in response.getheaders()]
    return sorted(field for field in found if field[0] in NAMES)


def test_responses_are_tagged_by_path(port: int) -> None:
    assert fields(port, "/") == [USAGE]
    drafts = [USAGE, ("robots-tag", "*;noindex"), *BOTH]
    assert fields(port, "/drafts/1?a=b") == drafts
    assert fields(port, "/%64rafts/%C3%BC") == drafts
    assert fields(port, "/drafts/open/1") == [USAGE, *BOTH]
    assert fields(port, "/a.pdf") == [USAGE, ("robots-tag", "*;nosnippet")]
    assert fields(port, "/a.pdf?x") == [USAGE]
    # What the application says itself is not doubled.
    own = fields(port, "/drafts/own")
    assert own == [USAGE, ("robots-tag", "b;nofollow"), *BOTH]
    assert abide_robots.tags("ExampleBot", headers=fields(port, "/drafts/1")) == {
        "noindex": True,
        "nosnippet": True,
    }


def test_a_scope_without_the_raw_path_and_other_scopes() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "lifespan.shutdown"}

    app = AsgiMiddleware(asgi, robots_tag=[("/dr%C3%A4fts/", "*;noindex")])
    asyncio.run(app({"type": "http", "path": "/dräfts/1"}, receive, send))
    assert sent[0]["headers"] == [(b"robots-tag", b"*;noindex")]
    asyncio.run(app({"type": "lifespan"}, receive, send))
    assert sent[-1] == {"type": "lifespan.shutdown.complete"}


@pytest.mark.parametrize("middleware", [AsgiMiddleware, WsgiMiddleware])
@pytest.mark.parametrize(
    "rules",
    [
        {"robots_tag": [("drafts", "*;noindex")]},
        {"robots_tag": [("/", "noindex")]},
        {"robots_tag": [("/", "*;noindex\r\nSet-Cookie: a")]},
        {"x_robots_tag": [("/", "")]},
        {"content_usage": [("/", "train-ai n")]},
        {"robots_tag": [("/a", "*;noindex"), ("/a", "*;noai")]},
    ],
)
def test_rules_that_robots_could_not_read_are_refused(middleware: Any, rules: Any) -> None:
    with pytest.raises(InvalidOptionError) as caught:
        middleware(wsgi, **rules)
    assert caught.value.argument == next(iter(rules))
