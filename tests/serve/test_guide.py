"""The serving guide tells the truth: its examples run, it shows every route, and what the server prints.

Examples that talk to port 8000 meet the real `quire serve`, those for 8001 one with the classifier inside;
other ports are of servers that an example starts itself. Python examples run in this process, which imports
the clients once.
"""

from __future__ import annotations

import re
import runpy
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from tests.examples import EXAMPLES, PORT, ROOT, Block, run
from tests.serve.command import SMALL, Command

from quire.server.listen import banner
from quire.server.options import ServerConfig

GUIDE = (ROOT / "docs" / "guides" / "serving.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def classifier() -> Iterator[str]:
    with Command(*SMALL, model="quire-tiny-classify") as command:
        yield command.wait_until_ready()


@pytest.fixture
def port_of(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """From a port in an example to that of a server; the same for the same."""
    ports: dict[str, str] = {}

    def find(port: str) -> str:
        name = {"8000": "live", "8001": "classifier"}.get(port)
        if name is not None:
            address: str = request.getfixturevalue(name)
            return address.rpartition(":")[2]
        return ports.setdefault(port, _free_port())

    return find


def _free_port() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


@pytest.mark.slow
@pytest.mark.parametrize("block", [b for b in EXAMPLES if b.needs_server], ids=str)
def test_an_example_runs_against_a_server(
    block: Block, port_of: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    code = PORT.sub(lambda found: port_of(found[0]), block.code)
    if block.language == "python":
        monkeypatch.chdir(tmp_path)
        file = tmp_path / "example.py"
        file.write_text(code, encoding="utf-8")
        runpy.run_path(str(file))
        return
    done = run(block.language, code, tmp_path, {"XDG_STATE_HOME": str(tmp_path)})
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def test_the_guide_shows_every_route(live: str):
    paths = httpx.get(f"{live}/openapi.json").json()["paths"]
    routes = [
        f"`{method.upper()} {re.sub('{.*?}', '{id}', path)}`" for path in paths for method in paths[path]
    ]
    assert [route for route in routes if route not in GUIDE] == []


def test_the_guide_shows_what_the_server_prints():
    assert f"```text\n{banner('http://127.0.0.1:8000', ServerConfig())}\n```" in GUIDE
