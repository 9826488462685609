"""What computes in this process: a checkpoint's share, a runner over it, and how steps are given to it.

The engine's own process does this where it computes alone; a rank does it with its place in the mesh.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from quire import speculative
from quire.config import EngineConfig
from quire.executor.inproc import InProcess
from quire.executor.lost import SpareTime
from quire.executor.overlapped import Overlapped
from quire.grammar import GrammarLimits, Grammars, Vocabulary, check_installed, open_backend
from quire.log import Phases
from quire.models.keys import eos_ids
from quire.models.registry import build as build_model
from quire.models.shapes import DecoderShape, shape_of
from quire.ops.gemm import gpu_packers
from quire.ops.gemm.cpu import packer
from quire.parallel.context import Shard
from quire.parallel.mesh import ALONE, Mesh
from quire.parallel.rebalance import Rebalancer
from quire.speculative import Speculative
from quire.text.tokenizer import Tokenizer, load_tokenizer
from quire.types import CacheShape
from quire.weights.folder import find_tokenizer, read_config, read_generation_config
from quire.weights.loader import load
from quire.worker.drafts import Ngram, Proposer, Suffix
from quire.worker.drafts.build import build_proposer
from quire.worker.drafts.checkpoint import DraftCheckpoint, open_draft
from quire.worker.memory import keep_freed_memory
from quire.worker.runner import Runner

if TYPE_CHECKING:
    from quire.models.decoder import Decoder
    from quire.worker.cuda.runner import CudaRunner

log = logging.getLogger("quire")
KV_TYPES = {
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
    "fp8": torch.float8_e4m3fn,
}


@dataclass(slots=True)
class Checkpoint:
    """What a folder says, as far as both halves need it; tokenizer and grammars are shared by them."""

    folder: Path
    hf: dict[str, Any]
    shape: DecoderShape
    generation: dict[str, Any]  # generation_config.json
    tokenizer: Tokenizer | None
    stops: frozenset[int]
    grammars: Grammars | None
    draft: DraftCheckpoint | None = None  # of what drafts for it


@dataclass(slots=True)
class Local:
    """Ready to compute. `prepare` does something for later steps; False: nothing is left to do."""

    model: Decoder
    runner: Runner | CudaRunner
    executor: InProcess | Overlapped
    after_step: Callable[[], None]  # moves experts when it is time to; nothing where they stay
    settles: Callable[[int], bool]  # whether that is after the step of this number
    prepare: Callable[[], bool] | None = None


def open_checkpoint(config: EngineConfig, folder: Path) -> Checkpoint:
    hf = read_config(folder, config.model.hf_overrides)
    (shape, draft), generation = shapes_of(config, folder, hf), read_generation_config(folder)
    tokenizer = _tokenizer(config, folder)
    own = () if tokenizer is None or tokenizer.eos_token_id is None else (tokenizer.eos_token_id,)
    stops = frozenset((*shape.eos_ids, *eos_ids(generation), *own))
    grammars = _grammars(config, tokenizer, shape.vocab_size, stops)
    return Checkpoint(folder, hf, shape, generation, tokenizer, stops, grammars, draft)


def shapes_of(
    config: EngineConfig, folder: Path, hf: dict[str, Any]
) -> tuple[DecoderShape, DraftCheckpoint | None]:
    """What the folder's model is, with what drafts for it, if anything does."""
    shape = shape_of(hf)
    asked = speculative.read(config.speculation.speculative_config)
    source = config.load
    draft = open_draft(
        asked, folder, hf, shape, load_format=source.load_format, download_dir=source.download_dir
    )
    if draft is None:
        return shape, None
    drafting = draft.shape.drafting
    ahead = draft.asked.most if drafting.kv_layers else 0
    return replace(shape, drafting=replace(drafting, ahead=ahead)), draft


def assemble(
    config: EngineConfig,
    checkpoint: Checkpoint,
    cache: CacheShape,
    phases: Phases,
    *,
    mesh: Mesh = ALONE,
    device: torch.device | None = None,
    idles: bool = False,
) -> Local:
    """Loads the weights of this process's place in the mesh and makes a runner for them.

    `idles`: the loop calls `prepare` when it has no work, so what can wait for that is left to it.
    """
    shape, rows, max_len = checkpoint.shape, config.scheduler.max_num_seqs, config.model.max_model_len
    assert rows is not None and max_len is not None
    device = torch.device(config.device.device) if device is None else device
    torch.set_num_threads(config.device.cpu_threads or 1)
    keep_freed_memory()
    if device.type == "cuda":
        from quire.worker.cuda.kernels import waking

        waking()
    dtype = getattr(torch, config.model.dtype)
    split = config.parallel.pipeline_layer_split
    model = build_model(checkpoint.hf, dtype, device, mesh, max_model_len=max_len, split=split)
    load(model, checkpoint.folder, config.load.load_format, config.model.seed, config.device.cpu_threads or 1)
    if device.type == "cuda":
        model.pack(*gpu_packers(config.model.quantization), drop=config.model.quantization is not None)
        if config.model.quantization is not None and shape.experts is not None:
            log.warning(
                "quantization %s: experts and routers stay in %s, the other products of the layers change",
                config.model.quantization,
                config.model.dtype,
            )
        torch.cuda.empty_cache()  # of weights that were packed and dropped
    elif (pack := packer(dtype, copy=bool(config.device.cpu_pack_weights))) is not None:
        model.pack(pack)
        model.pack_experts(pack)
    phases.end("weights")
    rebalancer = Rebalancer(model, mesh, config.parallel.expert_rebalance_steps)
    every = shape.kv_layers(mesh.tp_size)
    layers = [every[layer] for layer in model.stage.layers]
    if model.stage.last:
        layers += shape.drafting.kv_layers
    common: dict[str, Any] = {
        "rows": rows,
        "max_tokens": max_len,
        "vocab": shape.vocab_size,
        "kv_dtype": KV_TYPES[config.cache.kv_cache_dtype],
        "device": device,
        "encode": _bad_word_speller(checkpoint.tokenizer),
        "grammars": checkpoint.grammars,
        "pooling": config.model.pooling_type,
        "activation": shape.label_activation,
    }
    asked = speculative.read(config.speculation.speculative_config)
    proposer = None
    if asked is not None and model.stage.last:
        proposer = _proposer(asked, config, checkpoint, model, cache, mesh, device)
    if device.type == "cuda" and mesh.pp.size == mesh.cp.size == 1:
        from quire.worker.cuda.start import start

        if proposer is not None and asked is not None:
            ahead = config.scheduler.async_scheduling and mesh.tp.size == 1
            common |= {"proposer": proposer, "drafts": asked.most, "ahead": ahead}
        runner = start(model, layers, cache, config, common, phases, idles=idles)
        most = 2 if config.scheduler.async_scheduling else 1
        executor = Overlapped(runner, most)
        # Of several ranks all must prepare the same, or none goes on.
        prepare = SpareTime(runner.prepare) if mesh.tp.size == 1 else runner.prepare
        return Local(model, runner, executor, rebalancer.after_step, rebalancer.due, prepare)
    shard = Shard(mesh.cp.size, mesh.cp.rank, cache.block_tokens) if mesh.cp.size > 1 else None
    plain = Runner(model, layers, cache, **common, shard=shard, ends=model.stage.last, proposer=proposer)
    phases.end("KV cache")
    return Local(model, plain, InProcess(plain), rebalancer.after_step, rebalancer.due)


def _proposer(
    asked: Speculative,
    config: EngineConfig,
    checkpoint: Checkpoint,
    model: Decoder,
    cache: CacheShape,
    mesh: Mesh,
    device: torch.device,
) -> Proposer:
    """Whoever guesses tokens, where they are drawn."""
    if checkpoint.draft is not None:
        folder = checkpoint.folder
        return build_proposer(checkpoint.draft, model, folder, cache, config, mesh=mesh, device=device)
    if asked.method == "ngram":
        return Ngram(asked.prompt_lookup_min, asked.prompt_lookup_max)
    assert config.scheduler.max_num_seqs is not None
    return Suffix(
        config.scheduler.max_num_seqs,
        asked.suffix_decoding_max_tree_depth,
        asked.suffix_decoding_max_cached_requests,
        asked.suffix_decoding_max_spec_factor,
        asked.suffix_decoding_min_token_prob,
    )


def _tokenizer(config: EngineConfig, folder: Path) -> Tokenizer | None:
    if config.model.skip_tokenizer_init:
        return None
    return load_tokenizer(find_tokenizer(config.model.tokenizer) if config.model.tokenizer else folder)


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
