"""Puts an engine together: folder → shape → resolved config → weights → runner → scheduler → core."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from quire.config import EngineConfig
from quire.embedded import DEFAULT, embedded_folder
from quire.engine.core import EngineCore
from quire.engine.gpu_memory import GIB
from quire.engine.intake import Intake, Limits
from quire.engine.machine import process_age, this_machine
from quire.engine.resolve import Resolved, resolve
from quire.executor.inproc import InProcess
from quire.executor.overlapped import Overlapped
from quire.grammar import GrammarLimits, Grammars, Vocabulary, check_installed, open_backend
from quire.kv.manager import KVManager
from quire.log import Phases, set_up
from quire.models.registry import build as build_model
from quire.models.shapes import eos_ids, shape_of
from quire.ops.gemm import gpu_packers
from quire.ops.gemm.contract import Packer
from quire.ops.gemm.cpu import packer
from quire.scheduler.policy import POLICIES
from quire.scheduler.rows import Rows
from quire.scheduler.scheduler import Scheduler
from quire.scheduler.timeline import Timekeeper
from quire.text.tokenizer import Tokenizer, load_tokenizer
from quire.types import CacheShape
from quire.weights.folder import find_model, find_tokenizer, read_config, read_generation_config, read_pooling
from quire.weights.loader import load
from quire.worker.memory import keep_freed_memory
from quire.worker.runner import Runner

if TYPE_CHECKING:
    from quire.worker.cuda.runner import CudaRunner

log = logging.getLogger("quire")
IMPORTED_S = process_age()  # how old the process was when everything an engine needs was imported
KV_TYPES = {
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
    "fp8": torch.float8_e4m3fn,
}


@dataclass(slots=True)
class Parts:
    """A ready engine, in process."""

    config: EngineConfig
    core: EngineCore
    intake: Intake
    tokenizer: Tokenizer | None
    runner: Runner | CudaRunner
    generation: dict[str, Any]  # the checkpoint's generation_config.json
    folder: Path  # the checkpoint's

    def recommended(self) -> dict[str, Any]:
        """Sampling parameters that the checkpoint's generation_config.json sets."""
        known = ["temperature", "top_p", "top_k", "min_p", "repetition_penalty"]
        found = {"max_tokens": self.generation.get("max_new_tokens")}
        if self.generation.get("do_sample") is False:
            found["temperature"] = 0.0
        else:
            found |= {k: self.generation.get(k) for k in known}
        return {k: v for k, v in found.items() if v is not None}


def build(config: EngineConfig, *, idles: bool = False) -> Parts:
    """`idles`: the loop calls `core.prepare` when it has no work, so what can wait for that is left to it."""
    set_up()
    started, phases = time.perf_counter(), Phases()
    if IMPORTED_S is not None:
        phases.seconds["imports"] = IMPORTED_S
    folder = _folder(config)
    hf = read_config(folder, config.model.hf_overrides)
    shape = shape_of(hf)
    pooling = read_pooling(folder)
    resolved = resolve(
        config,
        shape,
        this_machine(look_for_gpu=config.device.device != "cpu"),
        _checkpoint_dtype(hf),
        checkpoint_pooling=pooling,
    )
    config = resolved.config
    phases.end("device")
    answers = shape.language_head and not shape.labels and pooling is None  # embedding is not its business
    for choice in config.choices:
        log.log(logging.DEBUG if answers and choice.name == "pooling_type" else logging.INFO, "%s", choice)
    torch.set_num_threads(config.device.cpu_threads or 1)
    keep_freed_memory()
    tokenizer = _tokenizer(config, folder)
    dtype, device = getattr(torch, config.model.dtype), torch.device(config.device.device)
    model = build_model(hf, dtype, device, max_model_len=config.model.max_model_len)
    phases.end("tokenizer")
    load(model, folder, config.load.load_format, config.model.seed, config.device.cpu_threads or 1)
    if device.type == "cuda":
        model.pack(*gpu_packers(config.model.quantization), drop=config.model.quantization is not None)
        if config.model.quantization is not None and shape.experts is not None:
            log.warning(
                "quantization %s: experts and routers stay in %s, the other products of the layers change",
                config.model.quantization,
                config.model.dtype,
            )
        torch.cuda.empty_cache()  # of weights that were packed and dropped
    elif (pack := _cpu_packer(config, dtype)) is not None:
        model.pack(pack)
    phases.end("weights")
    log.info("Loading weights took %.2f seconds", phases.seconds["weights"])
    for line in _memory_lines(resolved):
        log.info("%s", line)
    rows, max_len = config.scheduler.max_num_seqs, config.model.max_model_len
    assert rows is not None and max_len is not None
    cache = _cache_shape(resolved)
    generation = read_generation_config(folder)
    stops = frozenset((*shape.eos_ids, *eos_ids(generation), *_tokenizer_eos(tokenizer)))
    grammars = _grammars(config, tokenizer, shape.vocab_size, stops)
    common: dict[str, Any] = {
        "rows": rows,
        "max_tokens": max_len,
        "vocab": shape.vocab_size,
        "kv_dtype": KV_TYPES[config.cache.kv_cache_dtype],
        "device": device,
        "encode": _bad_word_speller(tokenizer),
        "grammars": grammars,
        "pooling": config.model.pooling_type,
        "activation": shape.label_activation,
    }
    executor: InProcess | Overlapped
    prepare: Callable[[], bool] | None = None
    runner: Runner | CudaRunner
    if device.type == "cuda":
        from quire.worker.cuda.start import start

        runner = start(model, shape.kv_layers(), cache, config, common, phases, idles=idles)
        executor = Overlapped(runner, most=2 if config.scheduler.async_scheduling else 1)
        prepare = runner.prepare
        for line in _measured_lines(resolved):
            log.info("%s", line)
    else:
        runner = Runner(model, shape.kv_layers(), cache, **common)
        executor = InProcess(runner)
        phases.end("KV cache")
    limits = Limits(
        shape.vocab_size,
        max_len,
        config.model.max_logprobs,
        stops,
        architecture=shape.architecture,
        language_head=shape.language_head,
        label_names=shape.label_names,
        hidden=shape.hidden_size,
        pooling=config.model.pooling_type,
        raisable=max_len < shape.max_positions,
        grammar_max_bytes=config.structured.grammar_max_bytes,
    )
    core = EngineCore(_scheduler(resolved), executor, prepare)
    log.info("start-up: %s", phases)
    log.info("ready in %.2f seconds", time.perf_counter() - started)
    intake = Intake(tokenizer, limits, config.model.seed, grammars)
    return Parts(config, core, intake, tokenizer, runner, generation, folder)


def _cpu_packer(config: EngineConfig, dtype: torch.dtype) -> Packer | None:
    return packer(dtype, copy=bool(config.device.cpu_pack_weights))


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


def _cache_shape(resolved: Resolved) -> CacheShape:
    layout = resolved.layout
    return CacheShape(
        resolved.capacity.blocks, layout.block_tokens, len(layout.groups), layout.places, layout.place
    )


def _scheduler(resolved: Resolved) -> Scheduler:
    config = resolved.config
    rows, max_len, tokens = (
        config.scheduler.max_num_seqs, config.model.max_model_len, config.scheduler.max_num_batched_tokens,
    )  # fmt: skip
    assert rows is not None and max_len is not None and tokens is not None
    prefixes = config.cache.enable_prefix_caching
    kv = KVManager(resolved.layout, resolved.capacity.blocks, rows, max_len, prefixes)
    policy = POLICIES[config.scheduler.scheduling_policy]()
    chunked, times = config.scheduler.enable_chunked_prefill, Timekeeper(time.perf_counter)
    return Scheduler(kv, Rows(rows, max_len), tokens, policy, chunked, times)


def _checkpoint_dtype(hf: dict[str, Any]) -> str:
    name = hf.get("dtype") or hf.get("torch_dtype") or hf.get("text_config", {}).get("dtype") or "float32"
    return str(name).removeprefix("torch.")


def _tokenizer(config: EngineConfig, folder: Path) -> Tokenizer | None:
    if config.model.skip_tokenizer_init:
        return None
    return load_tokenizer(find_tokenizer(config.model.tokenizer) if config.model.tokenizer else folder)


def _tokenizer_eos(tokenizer: Tokenizer | None) -> tuple[int, ...]:
    if tokenizer is None or tokenizer.eos_token_id is None:
        return ()
    return (tokenizer.eos_token_id,)


def _grammars(
    config: EngineConfig, tokenizer: Tokenizer | None, vocab: int, eos: frozenset[int]
) -> Grammars | None:
    """Shared by intake, which compiles a grammar, and the runner, which walks through it."""
    asked = config.structured
    if tokenizer is None:
        return None
    check_installed(asked.backend)

    def vocabulary() -> Vocabulary:
        return Vocabulary(tokenizer.backend.to_str(), vocab, tokenizer.highest_id + 1, eos)

    limits = GrammarLimits(asked.grammar_max_bytes, asked.grammar_max_depth, asked.grammar_compile_seconds)
    grammars = Grammars(
        lambda: open_backend(asked.backend, vocabulary()),
        limits,
        asked.grammar_cache_entries,
        asked.grammar_cache_bytes,
    )
    if asked.backend != "llguidance":  # its import takes seconds, which no request should wait for
        grammars.open()
    return grammars


def _bad_word_speller(tokenizer: Tokenizer | None) -> Callable[[str], list[list[int]]] | None:
    """Spells a word in tokens as it looks at the start of a text and after a space."""
    if tokenizer is None:
        return None

    def spell(word: str) -> list[list[int]]:
        plain = tokenizer.encode(word.lstrip(), add_special_tokens=False)
        spaced = tokenizer.encode(" " + word.lstrip(), add_special_tokens=False)
        return [plain] if plain == spaced else [plain, spaced]

    return spell
