"""What an engine's loop tells front ends that choose between several engines, and when."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import zmq

from quire import wire
from quire.config import EngineConfig
from quire.engine.build import build
from quire.engine.service import Service
from quire.params import SamplingParams
from quire.types import Request

CHOOSES, OTHER = b"a0", b"a1"


@pytest.fixture
def service(llama: Path) -> Service:
    config = EngineConfig.of(
        model=str(llama),
        skip_tokenizer_init=True,
        cpu_threads=1,
        max_model_len=64,
        max_num_seqs=2,
        device="cpu",
    )
    pulse: Any = SimpleNamespace(held=0)
    made = Service(build(config), zmq.Context.instance().socket(zmq.ROUTER), pulse)
    made._read(CHOOSES, wire.pack(wire.Hello(chooses=True)))
    made._read(OTHER, wire.pack(wire.Hello()))
    return made


def ask(service: Service, *ids: str) -> None:
    for name in ids:
        params = SamplingParams(max_tokens=20, ignore_eos=True)
        request = Request(name, np.arange(5, 9, dtype=np.int32), params, 0, 24)
        service._read(name.split("-")[0].encode(), wire.pack(wire.submission([request])))


def told(service: Service) -> dict[bytes, wire.Load | None]:
    """A turn of the loop: who gets a message after it, and what that says of the load."""
    service._collect(service._step())
    service._tell_choosers()
    news, service._news = service._news, {}
    return {front: message.load for front, message in news.items()}


def test_who_chooses_is_told_after_it_has_sent_something_and_when_there_is_space_again(service: Service):
    ask(service, "a0-1", "a0-2", "a0-3", "a1-1")
    first = told(service)
    assert [*first] == [CHOOSES]  # nobody streams: there is no other news
    load = first[CHOOSES]
    assert load is not None
    assert (load.running, load.waiting, load.seen) == (2, 2, 3)
    assert load.space[0] < 0 < load.space[1]
    assert told(service) == {}  # nothing has changed
    service._read(CHOOSES, wire.pack(wire.Stop(["a0-1", "a0-2"])))
    assert told(service) == {}  # others took their rows
    service._read(CHOOSES, wire.pack(wire.Stop(["a0-3"])))
    again = told(service)[CHOOSES]
    assert again is not None
    assert (again.running, again.waiting, again.seen) == (1, 0, 3)
    assert min(again.space) > 0
    assert told(service) == {}


def test_with_its_news_it_always_hears_the_load_and_what_is_refused_counts_as_seen(service: Service):
    ask(service, "a0-1", "a0-1", "a1-1")
    ended = [told(service) for _ in range(21)][-2:]
    news = {front: load for some in ended for front, load in some.items()}
    assert {*news} == {CHOOSES, OTHER}
    load = news[CHOOSES]
    assert load is not None
    assert news[OTHER] is None
    assert (load.running, load.seen, load.space[0]) == (0, 2, 2)


def test_who_asks_with_an_id_that_is_taken_takes_nothing_away(service: Service):
    ask(service, "a0-1")
    ask(service, "a0-1")
    assert [refused.ids for refused in service._news[CHOOSES].refused] == [["a0-1"]]
    assert service._owner == {"a0-1": CHOOSES}
    service._read(CHOOSES, wire.pack(wire.Abort(["a0-1"])))
    assert not service._owner and not service.core.scheduler.entries
