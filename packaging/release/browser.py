"""Asks the web page in Chromium, which is led through a pipe."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

NAMES = ["chromium", "chromium-browser", "google-chrome"]
# Ends when the page shows this.
WAIT = """new Promise((done) => {
  const look = () => (document.body?.innerText.includes(%s) ? done() : setTimeout(look, 50));
  look();
})"""


def chromium() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def fragment(state: dict) -> str:
    """What was entered, as the page has it in its address."""
    packer = zlib.compressobj(wbits=-15)
    data = packer.compress(json.dumps(state).encode()) + packer.flush()
    return "#1" + base64.urlsafe_b64encode(data).decode().rstrip("=")


def messages(source: int) -> Iterator[dict]:
    rest = b""
    while data := os.read(source, 1 << 16):
        *whole, rest = (rest + data).split(b"\0")
        yield from map(json.loads, whole)


def shows(program: str, page: Path, state: dict, text: str, seconds: float) -> bool:
    """Whether the page, opened from its folder, shows a text in so many seconds."""
    import fcntl  # Windows has none, and imports this module too.

    # Chromium reads 3 and writes 4, so no end of a pipe has these numbers itself.
    ends = []
    for end in (*os.pipe(), *os.pipe()):
        ends.append(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10))
        os.close(end)
    read_orders, orders, said, say = ends

    def connect() -> None:
        os.dup2(read_orders, 3)
        os.dup2(say, 4)

    def order(number: int, method: str, **more) -> None:
        os.write(orders, json.dumps({"id": number, "method": method} | more).encode() + b"\0")

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        # It finds no other machine.
        words = [program, "--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"]
        words += [f"--user-data-dir={profile}", "--remote-debugging-pipe"]
        browser = subprocess.Popen(words, preexec_fn=connect, pass_fds=(3, 4), stderr=subprocess.DEVNULL)
        os.close(read_orders)
        os.close(say)
        end = threading.Timer(seconds, browser.kill)
        end.start()
        try:
            order(1, "Target.createTarget", params={"url": page.as_uri() + fragment(state)})
            for message in messages(said):
                match message:
                    case {"id": 1, "result": {"targetId": target}}:
                        order(2, "Target.attachToTarget", params={"targetId": target, "flatten": True})
                    case {"id": 2, "result": {"sessionId": session}} | {"id": 3, "error": _, "sessionId": session}:
                        # Once more if the page has come in place of an empty one.
                        asked = {"expression": WAIT % json.dumps(text), "awaitPromise": True, "returnByValue": True}
                        order(3, "Runtime.evaluate", sessionId=session, params=asked)
                    case {"id": 3}:
                        return True
                    case {"error": error}:
                        raise SystemExit(f"Chromium: {error}")
            return False
        finally:
            end.cancel()
            browser.kill()
            browser.wait()
            os.close(orders)
            os.close(said)
