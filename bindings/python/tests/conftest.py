"""Servers on the loopback interface, for tests that fetch."""

from __future__ import annotations

import http.server
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

RULES = b"User-agent: *\nDisallow: /private/\n"


@dataclass
class Answer:
    """What a server answers for one path."""

    status: int = 200
    body: bytes = b"page"
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0


@dataclass
class Site:
    """A server with its answers, and the paths that it was asked for."""

    port: int
    answers: dict[str, Answer]
    requests: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def fetches(self) -> int:
        """How often the robots.txt was requested."""
        return self.requests.count("/robots.txt")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    site: Site

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that stopped listening are part of the tests."""


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        site = self.server.site
        site.requests.append(self.path)
        answer = site.answers.get(self.path, Answer() if "/robots.txt" not in self.path else None)
        if answer is None:
            answer = Answer(404)
        time.sleep(answer.delay)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, *_: object) -> None:
        pass


Start = Callable[..., Site]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts servers: `start({"/robots.txt": Answer(503)})`; a body is an answer with status 200."""
    servers: list[Server] = []

    def one(answers: dict[str, Answer | bytes] | None = None, host: str = "127.0.0.1") -> Site:
        server = Server((host, 0), Handler)
        given = answers if answers is not None else {"/robots.txt": RULES}
        server.site = Site(
            server.server_port,
            {path: one if isinstance(one, Answer) else Answer(body=one) for path, one in given.items()},
        )
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return server.site

    yield one
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def site(start: Start) -> Site:
    """A site that works, and disallows `/private/`."""
    return start()


@pytest.fixture
def closed_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port
