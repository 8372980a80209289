"""Servers on the loopback interface, for tests that fetch, and crawls of them with Scrapy."""

from __future__ import annotations

import http.server
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
import venv
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import abide_robots

RULES = b"User-agent: *\nDisallow: /private/\n"


@dataclass
class Answer:
    """What a server answers for one path."""

    status: int = 200
    body: bytes = b"page"
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    """Seconds between the bytes of the body."""
    raw: bytes | None = None
    """What is sent in place of everything else. Nothing: the connection is reset."""


@dataclass
class Site:
    """A server with its answers, and the paths that it was asked for."""

    port: int
    answers: dict[str, Answer]
    requests: list[str] = field(default_factory=list)
    visits: list[tuple[float, float, str]] = field(default_factory=list)
    """When each request came, when its answer began, and what it asked for."""
    sent: int = 0
    """Bytes of bodies."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def rests(self) -> list[float]:
        """The seconds between an answer and the next request. The client had the answer after its beginning."""
        visits = sorted(self.visits)
        return [began - ended for (_, ended, _), (began, _, _) in zip(visits, visits[1:], strict=False)]

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
        site, began = self.server.site, time.monotonic()
        site.requests.append(self.path)
        answer = site.answers.get(self.path, Answer() if "/robots.txt" not in self.path else None)
        if answer is None:
            answer = Answer(404)
        time.sleep(answer.delay)
        site.visits.append((began, time.monotonic(), self.path))
        if answer.raw is not None:
            self._send_raw(answer.raw)
            return
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        piece = 1 if answer.drip else 65_536
        for place in range(0, len(answer.body), piece):
            site.sent += self.wfile.write(answer.body[place : place + piece])
            time.sleep(answer.drip)

    def _send_raw(self, raw: bytes) -> None:
        if not raw:
            at_once = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        self.wfile.write(raw)
        self.close_connection = True

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
def taken_folder(start: Start, tmp_path: Path) -> Iterator[Path]:
    """A cache that a command has for itself, while it waits for a site."""
    slow, folder = start({"/robots.txt": Answer(delay=60)}), tmp_path / "taken"
    words = ["check", f"{slow.url}/x", "-a", "ExampleBot", "--allow-private", "--cache", str(folder)]
    command = subprocess.Popen([sys.executable, "-m", "abide_robots", *words], stdout=subprocess.DEVNULL)
    while not slow.requests:
        assert command.poll() is None
        time.sleep(0.02)
    yield folder
    command.kill()
    command.wait()


@pytest.fixture
def closed_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port


@pytest.fixture
def valkey(closed_port: int, tmp_path: Path) -> Iterator[str]:
    program = shutil.which("valkey-server") or shutil.which("redis-server")
    assert program, "this test needs valkey-server or redis-server (Debian: redis-server)"
    words = ["--port", str(closed_port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    server = subprocess.Popen([program, *words], stdout=subprocess.DEVNULL)
    while True:
        try:
            socket.create_connection(("127.0.0.1", closed_port), 1).close()
            break
        except OSError:
            assert server.poll() is None
            time.sleep(0.05)
    yield f"redis://127.0.0.1:{closed_port}"
    server.terminate()
    server.wait()


HERE = Path(__file__).parent
OLDEST = "2.13.*"


@pytest.fixture(scope="session")
def oldest_scrapy(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A Python with the oldest Scrapy."""
    # Kept between runs, if there is a place for it.
    kept = os.environ.get("ABIDE_OLDEST_SCRAPY")
    folder = Path(kept) if kept else tmp_path_factory.mktemp("scrapy")
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", f"scrapy=={OLDEST}"], check=True)
    return [str(python)]


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with nothing but this package, for another Python's path."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "abide_robots").symlink_to(Path(abide_robots.__file__).parent)
    return str(folder)


class Crawler:
    """Runs crawls with one version of Scrapy."""

    def __init__(self, python: list[str], path: str) -> None:
        self.python = python
        self.environment = {**os.environ, "PYTHONPATH": path}

    def __call__(
        self,
        *urls: str,
        requests: dict[str, Any] | None = None,
        spider: dict[str, Any] | None = None,
        environment: dict[str, str] | None = None,
        **settings: Any,
    ) -> Any:
        task = {"urls": urls, "requests": requests or {}, "spider": spider or {}, "settings": settings}
        done = subprocess.run(
            [*self.python, str(HERE / "crawl.py")],
            input=json.dumps(task),
            env={**self.environment, **(environment or {})},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(params=["newest", "oldest"])
def crawl(request: pytest.FixtureRequest, package: str) -> Crawler:
    if request.param == "newest":
        return Crawler([sys.executable], package)
    return Crawler(request.getfixturevalue("oldest_scrapy"), package)


@pytest.fixture
def newest(package: str) -> Crawler:
    return Crawler([sys.executable], package)
