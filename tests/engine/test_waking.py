"""Engines that wake up where others have taken their memory: they say so, sleep on, and can try again."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
import zmq
from tests.engine.engines import open_llm, token_ids

from quire import wire
from quire.config import EngineConfig
from quire.engine.build import build
from quire.engine.service import Service
from quire.errors import EngineDead, NoMemory, RequestError
from quire.executor.team import Team
from quire.types import CacheShape, KVLayerSpec
from quire.worker import kv_room, runner
from quire.worker.cuda.kv_memory import KVMemory
from quire.worker.drafts import NoDrafts

PROMPT = [5, 6, 7]
GIB = 2**30


class Full:
    """Memory of which there is enough for so many tensors."""

    def __init__(self, make: Callable[..., torch.Tensor], enough: int):
        self.make, self.enough = make, enough
        self.made: list[weakref.ref[torch.Tensor]] = []

    def __call__(self, *args: Any, **options: Any) -> torch.Tensor:
        if torch.device("meta") in (*args, options.get("device")):
            return self.make(*args, **options)
        if len(self.made) == self.enough:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
        tensor = self.make(*args, **options)
        self.made.append(weakref.ref(tensor))
        return tensor


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> Full:
    """Enough for one layer and a half of every cache that is allocated from now on."""
    full = Full(runner.lazy_zeros, 3)
    monkeypatch.setattr(runner, "lazy_zeros", full)
    monkeypatch.setattr(kv_room, "free_bytes", lambda device: 5 * GIB)
    full.enough = 10**6  # for now
    return full


def test_who_wakes_up_with_too_little_memory_sleeps_on_and_may_try_again(llama: Path, little: Full):
    llm = open_llm(llama, skip_tokenizer_init=True, kv_cache_memory_bytes=2**26)
    right = token_ids(llm, [PROMPT])
    llm.sleep()
    little.made.clear()
    little.enough = 3
    for _ in range(2):
        with pytest.raises(NoMemory, match=r"needs 0\.06 GiB of memory and 5\.00 are free"):
            llm.wake_up()
        gc.collect()
        assert len(little.made) == 3 and not any(tensor() is not None for tensor in little.made)
        little.made.clear()
        with pytest.raises(RequestError, match="asleep"):
            llm.generate([PROMPT], use_tqdm=False)
    little.enough = 10**6
    llm.wake_up()
    assert token_ids(llm, [PROMPT]) == right


def service_of(folder: Path) -> Service:
    config = EngineConfig.of(
        model=str(folder), skip_tokenizer_init=True, cpu_threads=1, max_model_len=64, device="cpu"
    )
    pulse: Any = SimpleNamespace(held=0)
    return Service(build(config), zmq.Context.instance().socket(zmq.ROUTER), pulse)


def test_a_server_that_cannot_wake_up_says_why_and_goes_on(llama: Path, little: Full):
    service = service_of(llama)
    assert service._call(wire.Call(1, "sleep")).kind is None
    little.made.clear()
    little.enough = 3
    reply = service._call(wire.Call(2, "wake_up"))
    assert reply.kind == "NoMemory" and "5.00 are free" in reply.message and service.asleep
    little.enough = 10**6
    assert service._call(wire.Call(3, "wake_up")).kind is None and not service.asleep


def test_a_call_that_finds_the_engine_dead_ends_it(llama: Path, monkeypatch: pytest.MonkeyPatch):
    def gone() -> None:
        raise EngineDead("rank 1 is gone")

    service = service_of(llama)
    monkeypatch.setattr(service.parts.runner, "free_kv", gone)
    with pytest.raises(EngineDead, match="rank 1"):
        service._call(wire.Call(1, "sleep"))


# -- on a GPU ------------------------------------------------------------------------------------------


class Bound:
    """A model as far as the cache knows it."""

    layers: Any = None

    def bind_kv(self, layers: Any) -> None:
        self.layers = layers


def kv_memory(dtype: torch.dtype = torch.float32) -> KVMemory:
    cache = CacheShape(7, 4, 1, 2, ((0, 0), (0, 1)))
    return KVMemory(Bound(), NoDrafts(), [KVLayerSpec(2, 8, None)] * 2, cache, dtype, torch.device("cpu"))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float8_e4m3fn])
def test_a_gpus_cache_is_had_as_a_whole_or_not_at_all(dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch):
    kv = kv_memory(dtype)
    bytes_of = {id(t): t.nbytes for layer in kv.layers for t in vars_of(layer)}
    kv.free()
    full = Full(torch.zeros, 3)
    monkeypatch.setattr(torch, "zeros", full)
    monkeypatch.setattr(kv_room, "free_bytes", lambda device: 100)
    with pytest.raises(NoMemory) as told:
        kv.allocate()
    assert (told.value.needed, told.value.free) == (sum(bytes_of.values()), 100)
    assert not any(tensor() is not None for tensor in full.made)
    assert all(layer.keys.numel() == 0 for layer in kv.model.layers)  # type: ignore[attr-defined]
    full.enough = 10**6
    kv.allocate()
    assert all(layer.keys.numel() for layer in kv.model.layers)  # type: ignore[attr-defined]


def vars_of(layer: Any) -> list[torch.Tensor]:
    every = (layer.keys, layer.values, layer.key_scales, layer.value_scales)
    return [tensor for tensor in every if tensor is not None]


def test_who_slept_needs_room_for_graphs_as_well(monkeypatch: pytest.MonkeyPatch):
    kv = kv_memory()
    kv.free()
    kv.room = 3 * GIB  # what cache and graphs have given back
    monkeypatch.setattr(kv_room, "free_bytes", lambda device: 2 * GIB)
    with pytest.raises(NoMemory, match=r"needs 3\.00 GiB of memory and 2\.00 are free"):
        kv.allocate()
    monkeypatch.setattr(kv_room, "free_bytes", lambda device: 3 * GIB)
    kv.allocate()


class Ranks:
    """Ranks that say so much to an order."""

    def __init__(self, *said: Any):
        self.said, self.orders = list(said), list[str]()

    def order(self, name: str) -> list[Any]:
        self.orders.append(name)
        return self.said if name == "allocate_kv" else [None] * len(self.said)


def test_if_one_rank_cannot_wake_up_the_others_sleep_on_with_it():
    ranks: Any = Ranks(None, [3 * GIB, 2 * GIB], [3 * GIB, GIB])
    with pytest.raises(NoMemory, match=r"3\.00 GiB of memory and 1\.00 are free"):
        Team.allocate_kv(ranks)
    assert ranks.orders == ["allocate_kv", "free_kv"]
    awake: Any = Ranks(None, None)
    Team.allocate_kv(awake)
    assert awake.orders == ["allocate_kv"]
