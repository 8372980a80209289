"""The notebook in `docs/`: it runs, and draws what the survey says."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

NOTEBOOK = Path(__file__).parents[3] / "docs" / "closed-to-ai.ipynb"


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, corpus: Path | None) -> list[Any]:
    """The outputs of all cells."""
    # The kernel talks to this process alone.
    monkeypatch.delenv("ABIDE_CORPUS", raising=False)
    if corpus is not None:
        monkeypatch.setenv("ABIDE_CORPUS", str(corpus))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not part of the source"
    client = nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}})
    client.execute()
    return [output for cell in notebook.cells for output in cell.get("outputs", ())]


def text(outputs: list[Any]) -> str:
    shown = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs]
    return "\n".join(shown)


def test_the_notebook_draws_made_up_sites(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    outputs = run(monkeypatch, tmp_path, None)
    assert "2000 sites: made up" in text(outputs) and "GPTBot" in text(outputs)
    images = [output["data"]["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    assert len(images) == 1 and base64.b64decode(images[0]).startswith(b"\x89PNG")


def test_the_notebook_reads_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.example").write_bytes(b"User-agent: GPTBot\nDisallow: /\n")
    (corpus / "b.example").write_bytes(b"")
    outputs = run(monkeypatch, tmp_path, corpus)
    assert f"2 sites: {corpus}" in text(outputs)
