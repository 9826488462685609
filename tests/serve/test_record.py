"""`quire serve --record`: the real processes, killed, and several engines."""

from __future__ import annotations

import json

import httpx
import pytest
from tests.serve.command import SMALL, Command, until

from quire.cli import main
from quire.record.reader import lives
from quire.simulate.replan import replan
from quire.simulate.traffic import recorded


def ask(address: str, prompt: str, tokens: int = 8) -> None:
    body = {"model": "quire-tiny", "prompt": prompt, "max_tokens": tokens, "ignore_eos": True}
    httpx.post(f"{address}/v1/completions", json=body, timeout=60).raise_for_status()


@pytest.mark.slow
def test_a_killed_engine_leaves_its_record_and_the_next_goes_on_with_it(tmp_path, capsys):
    path = tmp_path / "traffic.qrec"
    with Command("--record", str(path), *SMALL) as command:
        address = command.wait_until_ready()
        for i in range(5):
            ask(address, f"The same beginning for all of them, and then {i}")
        command.engine.kill()
        (first,) = lives(path)
        assert (replan(first).requests, replan(first).differs) == (5, "")
        until(lambda: len(lives(path)) == 2, 60, "a second life")
        ask(address, "again")
        until(lambda: replan(lives(path)[1]).requests == 1, 10, "its request")
        assert main(["replay", str(path), "--base-url", address, "--speed", "50", "--json"]) == 0
        told = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert (told["completed"], told["failed"]) == (6, 0)
    assert main(["replay", str(path)]) == 0
    assert len(recorded(path)) >= 12


@pytest.mark.slow
def test_engines_write_a_file_each_and_their_prefixes_can_be_compared(tmp_path):
    path = tmp_path / "traffic.qrec"
    with Command("--record", str(path), "--data-parallel-size", "2", *SMALL) as command:
        address = command.wait_until_ready()
        for _ in range(4):
            ask(address, "The very same prompt, long enough that some of its blocks are full. " * 3)
    one, two = (recorded(tmp_path / f"traffic.qrec.{n}") for n in (0, 1))
    assert len(one) + len(two) == 4 and one and two
    assert one[0].content.name(0, 16) == two[0].content.name(0, 16)
    assert [lives(tmp_path / f"traffic.qrec.{n}")[0].header.engine for n in (0, 1)] == [0, 1]
