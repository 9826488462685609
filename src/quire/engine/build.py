"""Puts an engine together: folder → shape → resolved config → weights → runner → scheduler → core."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import torch

from quire import speculative
from quire.config import EngineConfig
from quire.embedded import DEFAULT, embedded_folder
from quire.engine.core import EngineCore, Executor
from quire.engine.gpu_memory import GIB
from quire.engine.intake import Intake, Limits
from quire.engine.machine import Machine, process_age, this_machine
from quire.engine.ranges import mark_for_nsight
from quire.engine.recording import recorder_of
from quire.engine.resolve import Resolved, resolve
from quire.executor.assemble import Checkpoint, assemble, open_checkpoint, shapes_of
from quire.kv.manager import KVManager
from quire.log import Phases, set_up
from quire.models.keys import checkpoint_dtype
from quire.scheduler.ahead import Ahead
from quire.scheduler.drafting import Drafting
from quire.scheduler.policy import POLICIES
from quire.scheduler.recorded import Recorded
from quire.scheduler.rows import Rows
from quire.scheduler.scheduler import Scheduler
from quire.scheduler.speculation import Speculation
from quire.scheduler.timeline import Timekeeper
from quire.text.tokenizer import Tokenizer
from quire.types import CacheShape
from quire.weights.folder import find_model, read_config, read_pooling

if TYPE_CHECKING:
    from quire.executor.cluster import Cluster
    from quire.executor.messages import StartRank
    from quire.executor.team import Team

log = logging.getLogger("quire")
IMPORTED_S = process_age()  # how old the process was when everything an engine needs was imported


class Peers(Protocol):
    """Engines whose ranks talk to the ranks of this one."""

    @property
    def number(self) -> int:
        """Of this engine among them."""
        ...

    def meet(self, host: str = "", port: int = 0) -> tuple[str, int]:
        """The place that the first of them gives here, in all of them."""
        ...


class Computes(Protocol):
    """Whoever has the KV cache's memory: a runner, or the processes behind an executor."""

    def free_kv(self) -> None: ...

    def allocate_kv(self) -> None: ...


@dataclass(slots=True)
class Parts:
    """A ready engine, in process."""

    config: EngineConfig
    core: EngineCore
    intake: Intake
    tokenizer: Tokenizer | None
    runner: Computes
    generation: dict[str, Any]  # the checkpoint's generation_config.json
    folder: Path  # the checkpoint's
    start_s: dict[str, float]  # seconds of its start, by phase

    def recommended(self) -> dict[str, Any]:
        """Sampling parameters that the checkpoint's generation_config.json sets."""
        known = ["temperature", "top_p", "top_k", "min_p", "repetition_penalty"]
        found = {"max_tokens": self.generation.get("max_new_tokens")}
        if self.generation.get("do_sample") is False:
            found["temperature"] = 0.0
        else:
            found |= {k: self.generation.get(k) for k in known}
        return {k: v for k, v in found.items() if v is not None}


def build(config: EngineConfig, *, idles: bool = False, peers: Peers | None = None) -> Parts:
    """`idles`: the loop calls `core.prepare` when it has no work, so what can wait for that is left to it.

    `peers` are engines that share their experts with this one.
    """
    set_up()
    if config.parallel.distributed_executor_backend != "ray":
        return _build(config, idles, None, peers)
    from quire.executor.cluster import Cluster

    cluster = Cluster(config.parallel.ray_address)
    try:
        return _build(config, idles, cluster, peers)
    except BaseException:
        cluster.leave()
        raise


def _build(config: EngineConfig, idles: bool, cluster: Cluster | None, peers: Peers | None) -> Parts:
    started, phases = time.perf_counter(), Phases()
    if IMPORTED_S is not None:
        phases.seconds["imports"] = IMPORTED_S
    folder = _folder(config)
    hf = read_config(folder, config.model.hf_overrides)
    shape, _ = shapes_of(config, folder, hf)
    pooling = read_pooling(folder)
    resolved = resolve(
        config,
        shape,
        _machine(config, cluster),
        checkpoint_dtype(hf),
        checkpoint_pooling=pooling,
    )
    config = resolved.config
    phases.end("device")
    answers = shape.language_head and not shape.labels and pooling is None  # embedding is not its business
    for choice in config.choices:
        log.log(logging.DEBUG if answers and choice.name == "pooling_type" else logging.INFO, "%s", choice)
    checkpoint = open_checkpoint(config, folder)
    phases.end("tokenizer")
    for line in _memory_lines(resolved):
        log.info("%s", line)
    executor, prepare, runner = _executor(resolved, checkpoint, phases, idles, cluster, peers)
    max_len = config.model.max_model_len
    assert max_len is not None
    limits = Limits(
        shape.vocab_size,
        max_len,
        config.model.max_logprobs,
        checkpoint.stops,
        architecture=shape.architecture,
        language_head=shape.language_head,
        label_names=shape.label_names,
        hidden=shape.hidden_size,
        pooling=config.model.pooling_type,
        raisable=max_len < shape.max_positions,
        grammar_max_bytes=config.structured.grammar_max_bytes,
    )
    core = EngineCore(_scheduler(resolved, executor.depth, checkpoint), executor, prepare)
    mark_for_nsight(core)
    log.info("start-up: %s", phases)
    log.info("ready in %.2f seconds", time.perf_counter() - started)
    intake = Intake(checkpoint.tokenizer, limits, config.model.seed, checkpoint.grammars)
    generation, seconds = checkpoint.generation, phases.seconds
    return Parts(config, core, intake, checkpoint.tokenizer, runner, generation, folder, seconds)


def _machine(config: EngineConfig, cluster: Cluster | None) -> Machine:
    if cluster is None:
        return this_machine(look_for_gpu=config.device.device != "cpu")
    from quire.engine.on_cluster import machine_of

    return machine_of(cluster, config)


def _executor(
    resolved: Resolved,
    checkpoint: Checkpoint,
    phases: Phases,
    idles: bool,
    cluster: Cluster | None,
    peers: Peers | None,
) -> tuple[Executor, Callable[[], bool] | None, Computes]:
    """What runs plans, what it can do while there are none, and who has the KV cache's memory."""
    config, ranks = resolved.config, resolved.ranks
    if ranks.world > 1 or cluster is not None:
        from quire.executor.ranks import starts

        number = 0 if peers is None else peers.number
        told = starts(config, checkpoint.folder, ranks, _cache_shape(resolved, checkpoint), number)
        group = _team(config, told, resolved.in_flight, cluster, peers)
        if checkpoint.grammars is not None:
            checkpoint.grammars.elsewhere = group.compile
        phases.end("ranks")
        return group, group.prepare if config.device.device == "cuda" else None, group
    local = assemble(config, checkpoint, _cache_shape(resolved, checkpoint), phases, idles=idles)
    log.info("Loading weights took %.2f seconds", phases.seconds["weights"])
    if config.device.device == "cuda":
        for line in _measured_lines(resolved):
            log.info("%s", line)
    return local.executor, local.prepare, local.runner


def _team(
    config: EngineConfig, told: list[StartRank], depth: int, cluster: Cluster | None, peers: Peers | None
) -> Team:
    """Ranks as processes on this machine, or as actors on a cluster."""
    meet = None if peers is None else peers.meet
    if cluster is None:
        from quire.executor.multiproc import MultiProcess

        return MultiProcess(told, depth, meet)
    from quire.executor.on_ray import OnRay

    on_gpu = config.device.device == "cuda"
    need = {"CPU": 1, "GPU": 1} if on_gpu else {"CPU": config.device.cpu_threads or 1}
    return OnRay(told, depth, cluster, need, meet)


def _memory_lines(resolved: Resolved) -> list[str]:
    memory, blocks = resolved.gpu_memory, resolved.capacity.blocks
    said = [] if memory is None else memory.lines(blocks * resolved.layout.block_bytes)
    return [*said, *resolved.capacity.lines()]


def _measured_lines(resolved: Resolved) -> list[str]:
    """What the GPU says, beside what was planned: weights, KV cache and the largest step have been there."""
    memory = resolved.gpu_memory
    assert memory is not None
    kv = (resolved.capacity.blocks + 1) * resolved.layout.block_bytes
    free, _ = torch.cuda.mem_get_info()
    beside = memory.free - free - memory.weights - kv
    return [
        f"GPU memory in use: {(memory.total - free) / GIB:.2f} GiB; beside weights and KV cache "
        f"{beside / GIB:.2f} of {memory.work / GIB:.2f} planned"
    ]


def _folder(config: EngineConfig) -> Path:
    if config.model.model:
        return find_model(config.model.model, config.model.revision, config.load.download_dir)
    folder = embedded_folder(DEFAULT)
    assert folder is not None
    return folder


def _cache_shape(resolved: Resolved, checkpoint: Checkpoint) -> CacheShape:
    layout = resolved.layout
    return CacheShape(
        resolved.capacity.blocks,
        layout.block_tokens,
        len(layout.groups),
        layout.places,
        layout.place,
        len(checkpoint.shape.drafting.kv_layers),
        tuple(getattr(group, "window", None) for group in layout.groups),
    )


def _scheduler(resolved: Resolved, depth: int, checkpoint: Checkpoint) -> Scheduler:
    config = resolved.config
    rows, max_len, tokens = (
        config.scheduler.max_num_seqs, config.model.max_model_len, config.scheduler.max_num_batched_tokens,
    )  # fmt: skip
    assert rows is not None and max_len is not None and tokens is not None
    prefixes = config.cache.enable_prefix_caching
    kv = KVManager(resolved.layout, resolved.capacity.blocks, rows, max_len, prefixes)
    policy = POLICIES[config.scheduler.scheduling_policy]()
    chunked, times = config.scheduler.enable_chunked_prefill, Timekeeper(time.perf_counter)
    table, stages = Rows(rows, max_len), resolved.ranks.pp
    drafting = _drafting(resolved, checkpoint, table, kv)
    parts = (kv, table, tokens, policy, chunked, times, stages, drafting)
    if config.log.record is None:
        return Scheduler(*parts)
    return Recorded(recorder_of(config.log.record, resolved, depth, checkpoint.folder), *parts)


def _drafting(resolved: Resolved, checkpoint: Checkpoint, rows: Rows, kv: KVManager) -> Drafting | None:
    """Plans with drafts, if somebody makes them."""
    config, ranks, draft = resolved.config, resolved.ranks, checkpoint.draft
    asked = speculative.read(config.speculation.speculative_config) if draft is None else draft.asked
    if asked is None:
        return None
    overlaps = config.device.device == "cuda" and config.scheduler.async_scheduling and ranks.pp == 1
    alone = ranks.world == 1 and config.parallel.distributed_executor_backend != "ray"
    common: dict[str, Any] = {
        "lookahead": checkpoint.shape.drafting.ahead,
        "adaptive": asked.adaptive,
        "most_rows": asked.disable_by_batch_size,
        "stages": ranks.pp,
        "overlaps": overlaps,
    }
    if overlaps and alone and asked.method in speculative.ON_DEVICE:
        return Ahead(rows, kv, asked.most, time.perf_counter, late=asked.method == "draft_model", **common)
    return Speculation(rows, kv, asked.most, time.perf_counter, **common)
