"""Ranks that read their steps sooner or later still do everything in one order where experts move."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from quire.executor import rank as ranks
from quire.executor.channel import Gone
from quire.executor.messages import Step
from quire.executor.rank import Rank, work


class Noting(Rank):
    """Launches two steps before it reads the first; experts move after every second one."""

    def __init__(self) -> None:
        self._waiting, self._taken = deque(), 0
        self.local: Any = SimpleNamespace(
            executor=SimpleNamespace(depth=2), settles=lambda step: step > 0 and step % 2 == 0
        )
        self.did: list[str] = []

    def take(self, message: Any) -> None:
        self._taken += 1
        self._waiting.append((self._taken, None))
        self.did.append(f"launch {self._taken}")

    def finish(self) -> None:
        self.did.append(f"read {self._waiting.popleft()[0]}")

    def rest(self, seconds: float) -> None: ...


class Steps:
    """Five of them, each there at once or only when it is waited for."""

    def __init__(self, *, at_once: bool):
        self.at_once, self.left = at_once, 5

    def receive(self) -> bytes:
        self.left -= 1
        if self.left < 0:
            raise Gone
        return b""

    def ready(self) -> bool:
        return self.at_once and self.left > 0


@pytest.mark.parametrize("at_once", [True, False])
def test_no_step_is_launched_between_one_and_the_moves_after_it(
    at_once: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(ranks.messages, "read_for_rank", lambda data: Step(msgspec.Raw(b"")))
    rank = Noting()
    with pytest.raises(Gone):
        work(rank, Steps(at_once=at_once), SimpleNamespace(put=None))
    for step in (2, 4):
        assert rank.did.index(f"read {step}") < rank.did.index(f"launch {step + 1}")
    assert (rank.did.index("launch 2") < rank.did.index("read 1")) == at_once, "elsewhere they overlap"
