"""Which layout suits a model on the GPUs of a machine, and what a given one costs: sentences with numbers.

Nothing is decided here. Whether a layout fits is asked of `resolve`, which the engine itself will ask; what
it sends is parallel/cost.py's arithmetic. `quire serve` prints the lines when there is something to choose
or when the user chose.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from quire.config import EngineConfig
from quire.engine.devices import Devices, devices_here
from quire.engine.fitting import BYTES
from quire.engine.gpu_memory import GIB
from quire.engine.machine import Machine, this_machine
from quire.engine.resolve import Resolved, resolve
from quire.errors import BadOption, DoesNotFit, QuireError
from quire.models.keys import checkpoint_dtype
from quire.models.shapes import DecoderShape, shape_of
from quire.models.share import largest_share
from quire.parallel.cost import Link, idle_share, step_traffic, total_bytes, total_seconds
from quire.parallel.layout import Layout
from quire.weights.folder import model_here, read_config

CROWD = 64  # requests that a decode step is worked out for, beside one
CHUNK = 8192  # tokens of a step that reads prompts
LONG = 65_536  # tokens from which on it may pay to share the reading of one prompt
SIZES = {
    "dp": "data_parallel_size",
    "pp": "pipeline_parallel_size",
    "cp": "context_parallel_size",
    "tp": "tensor_parallel_size",
}


@dataclass(frozen=True, slots=True)
class Advice:
    layout: Layout
    reasons: tuple[str, ...]
    fits: bool = True  # False: no layout on these devices does

    @property
    def flags(self) -> str:
        return flags_of(self.layout)


def flags_of(layout: Layout) -> str:
    """The flags that ask for a layout; empty for a single process."""
    sizes = [
        f"--{name.replace('_', '-')} {getattr(layout, axis)}"
        for axis, name in sorted(SIZES.items(), key=lambda item: item[0], reverse=True)
        if getattr(layout, axis) > 1
    ]
    return " ".join(sizes + ["--enable-expert-parallel"] * layout.spread_experts)


def layout_given(config: EngineConfig) -> Layout:
    """What the user asked for, all engines together."""
    p = config.parallel
    sizes = {axis: int(getattr(p, name)) for axis, name in SIZES.items()}
    return Layout(**sizes, spread_experts=p.enable_expert_parallel, redundant_experts=p.num_redundant_experts)


def advise(
    config: EngineConfig, shape: DecoderShape, devices: Devices, machine: Machine, dtype: str = "bfloat16"
) -> Advice:
    """What to run this model with on several equal GPUs, and why. `dtype` is the checkpoint's.

    One engine on one GPU is kept where that works: the advice then says what the other GPUs could do.
    """
    case = _Case(config, shape, devices, machine, dtype)
    alone = case.tried(Layout())
    if alone is None:
        return _does_not_fit_one(case)
    return _fits_one(case, alone)


def meaning(
    config: EngineConfig, shape: DecoderShape, devices: Devices, dtype: str, native_bf16: bool = False
) -> list[str]:
    """What the layout that the user chose costs. It is never changed. `native_bf16`: whether the CPU has it.

    On a Ray cluster nobody knows yet what lies between the ranks: no times are given.
    """
    layout, on_ray = layout_given(config), config.parallel.distributed_executor_backend == "ray"
    link = None if on_ray else devices.link
    each = layout.world // layout.dp
    engines = f"{layout.dp} engines of " if layout.dp > 1 else ""
    out = [f"layout: {flags_of(layout)}, {engines}{each} process{'es' * (each > 1)}"]
    if devices.gpus and layout.world > len(devices.gpus) and not on_ray:
        out.append(
            f"layout: {layout.world} processes share {len(devices.gpus)} GPUs; each has a part of the memory"
        )
    on_gpu = config.device.device != "cpu" if on_ray else bool(devices.gpus)
    wide = BYTES[_dtype(config, dtype, on_gpu, native_bf16)]
    if not step_traffic(shape, layout, 1, wide):
        return [*out, f"layout: nothing is sent between engines; weights are kept {layout.dp} times"]
    out.append(f"layout: a decode step of one request {_cost(shape, layout, 1, wide, link)}")
    out.append(f"layout: one of {CROWD} requests {_cost(shape, layout, CROWD, wide, link)}")
    chunk = min(CHUNK, config.model.max_model_len or shape.default_max_len)
    out.append(f"layout: reading {chunk:,} prompt tokens {_cost(shape, layout, chunk, wide, link, drawn=1)}")
    if layout.pp > 1:
        out.append(
            f"layout: a lone request keeps each of {layout.pp} stages idle "
            f"{idle_share(layout.pp, 1):.0%} of the time; {layout.pp} or more requests keep all busy"
        )
    if layout.tp > 1 and link is not None and not link.within and devices.gpus:
        staged = replace(layout, pp=layout.pp * layout.tp, tp=1, spread_experts=False)
        if staged.pp <= shape.layers:
            out.append(
                f"layout: sums in every layer go over {link.name}; {flags_of(staged)} would send "
                f"{_size(total_bytes(step_traffic(shape, staged, CROWD, wide)))} in place of "
                f"{_size(total_bytes(step_traffic(shape, layout, CROWD, wide)))} a step of {CROWD} requests"
            )
    return out


def reasoning(values: Mapping[str, Any], environ: Mapping[str, str] = os.environ) -> list[str]:
    """The lines for a server's start. None for a single device with nothing chosen: there is nothing to say.

    Only a model whose config.json is here already is looked at; what is wrong with it the engine tells.
    """
    config = EngineConfig.of(**values)
    chosen = layout_given(config).world > 1
    devices = devices_here(environ) if config.device.device != "cpu" else Devices()
    if not chosen and len(devices.gpus) < 2:
        return []
    try:
        found = config_here(config)
        if found is None:
            return []
        shape, dtype = shape_of(found), checkpoint_dtype(found)
        if chosen:
            return meaning(config, shape, devices, dtype, this_machine(look_for_gpu=False).native_bf16)
        machine = this_machine(look_for_gpu=False)
        advice = advise(config, shape, devices, machine, dtype)
        return [f"layout: {reason}" for reason in advice.reasons]
    except QuireError:
        return []


# -- one machine and one model ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Case:
    config: EngineConfig
    shape: DecoderShape
    devices: Devices
    machine: Machine
    dtype: str

    def tried(self, layout: Layout) -> Resolved | None:
        """What the engine would decide with this layout; None if it does not fit or cannot be."""
        reasons = {name: (getattr(layout, axis), "") for axis, name in SIZES.items()}
        config = self.config.having(reasons | {"enable_expert_parallel": (layout.spread_experts, "")})
        gpus = self.devices.gpus
        gpu = gpus[0] if layout.world == 1 else min(gpus, key=lambda gpu: gpu.free)
        machine = replace(self.machine, gpu=gpu, gpus=len(gpus) // layout.dp)
        try:
            share = largest_share(self.shape, layout)
            if share.parameters > gpu.free:  # whatever their type: no need to look closer
                return None
            return resolve(config, self.shape, machine, self.dtype)
        except (DoesNotFit, BadOption):
            return None

    @property
    def wanted(self) -> int:
        """Tokens of the longest request that there may be."""
        return self.config.model.max_model_len or self.shape.default_max_len

    @property
    def wide(self) -> int:
        return BYTES[_dtype(self.config, self.dtype, True)]

    def cost(self, layout: Layout, tokens: int = 1) -> str:
        return _cost(self.shape, layout, tokens, self.wide, self.devices.link)


def _fits_one(case: _Case, alone: Resolved) -> Advice:
    count = len(case.devices.gpus)
    longest, memory = alone.config.model.max_model_len, alone.gpu_memory
    assert longest is not None and memory is not None
    layout = Layout(dp=count)
    reasons = [
        f"the model fits one GPU ({memory.weights / GIB:.1f} GiB of weights, KV cache for "
        f"{alone.capacity.tokens:,} tokens), so one of {count} is used; more are a matter of choice",
        f"for many requests: {flags_of(layout)} runs {count} engines; nothing is sent between them, and each "
        f"keeps all weights",
    ]
    wanted = case.wanted
    if longest < wanted:
        whole = next((lay for lay in _shared(case, count) if _longest(case, lay) >= wanted), None)
        if whole is not None:
            layout = whole
            reasons.append(
                f"for long requests: one GPU holds {longest:,} of the {wanted:,} tokens that the model "
                f"reads, {flags_of(whole)} all of them"
            )
    quick = next(_tensor(case, count), None)
    if quick is not None and case.devices.link.within:
        reasons.append(
            f"for less time a token: {flags_of(quick)} reads each layer's weights from {quick.tp} GPUs at "
            f"once; a decode step {case.cost(quick)}"
        )
    elif quick is not None:
        reasons.append(
            f"{flags_of(quick)} would pay little here: over {case.devices.link.name} a decode step "
            f"{case.cost(quick)}"
        )
    return Advice(layout, (*reasons, *_more(case, Layout())))


def _does_not_fit_one(case: _Case) -> Advice:
    gpus = case.devices.gpus
    bytes_ = case.shape.parameter_count() * case.wide
    begins = (
        f"the model does not fit one GPU: {bytes_ / GIB:.1f} GiB of weights, beside KV cache and "
        f"activations, and {gpus[0].free / GIB:.1f} of {gpus[0].memory / GIB:.1f} GiB are free"
    )
    found = next((lay for lay in _shared(case, len(gpus)) if case.tried(lay) is not None), None)
    if found is None:
        told = (
            f"nor does it fit {len(gpus)} of them: use more GPUs (--distributed-executor-backend ray on "
            f"several machines), larger ones, or a smaller model"
        )
        return Advice(Layout(), (begins, told), fits=False)
    longest, wanted = _longest(case, found), case.wanted
    why = f"start it with {flags_of(found)}: "
    if found.tp > 1:
        why += f"each GPU keeps 1/{found.tp} of every layer; a decode step {case.cost(found)}"
    else:
        why += (
            f"each GPU keeps some layers; a decode step {case.cost(found)} "
            f"(--tensor-parallel-size {found.pp}: {case.cost(Layout(tp=found.pp))})"
        )
    reasons = [begins, why]
    if longest < wanted:
        reasons.append(f"{flags_of(found)} holds {longest:,} of the {wanted:,} tokens that the model reads")
    copies = len(gpus) // found.world
    if copies > 1:
        reasons.append(f"for many requests: --data-parallel-size {copies} runs {copies} such engines")
    return Advice(replace(found, dp=copies), (*reasons, *_more(case, found)))


def _more(case: _Case, engine: Layout) -> Iterator[str]:
    """What is worth knowing about this kind of model; `engine` is a layout of one engine that fits."""
    experts, free = case.shape.experts, len(case.devices.gpus) // engine.world
    spread = replace(engine, dp=free, spread_experts=True)
    if experts is not None and case.tried(spread) is not None:
        yield (
            f"of {experts.experts} experts a token visits {experts.per_token}: {flags_of(spread)} keeps each "
            f"expert on one GPU; a step of {CROWD} requests on each {case.cost(spread, CROWD)}"
        )
    context = replace(engine, cp=free)
    if case.wanted >= LONG and free > 1 and case.tried(context) is not None:
        yield (
            f"for prompts of {LONG:,} tokens and more: {flags_of(context)} shares their positions; a step of "
            f"{CHUNK:,} tokens {case.cost(context, CHUNK)}"
        )


def _shared(case: _Case, count: int) -> Iterator[Layout]:
    """Layouts of one engine over several GPUs, fewest first; by layers where links are slow."""
    for ranks in range(2, count + 1):
        flat, staged = Layout(tp=ranks), Layout(pp=ranks)
        first, then = (flat, staged) if case.devices.link.within else (staged, flat)
        if count % ranks == 0 or ranks == count:
            yield from (first, then)


def _tensor(case: _Case, count: int) -> Iterator[Layout]:
    for ranks in range(2, count + 1):
        if count % ranks == 0 and case.tried(Layout(tp=ranks)) is not None:
            yield Layout(tp=ranks)


def _longest(case: _Case, layout: Layout) -> int:
    found = case.tried(layout)
    return 0 if found is None else found.config.model.max_model_len or 0


# -- words -------------------------------------------------------------------------------------------------


def _cost(
    shape: DecoderShape, layout: Layout, tokens: int, wide: int, link: Link | None, drawn: int | None = None
) -> str:
    """Of a step; over a link that is not known without the time."""
    traffic = step_traffic(shape, layout, tokens, wide, drawn=drawn)
    turns = sum(one.times * one.messages for one in traffic)
    sends = f"sends {_size(total_bytes(traffic))} in {turns:,} turn{'s' * (turns != 1)}"
    if link is None:
        return sends
    return f"{sends}, about {total_seconds(traffic, link) * 1e3:.2f} ms over {link.name}"


def _size(count: float) -> str:
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if count >= scale:
            return f"{count / scale:.3g} {unit}"
    return f"{count:.0f} bytes"


# -- the model ---------------------------------------------------------------------------------------------


def config_here(config: EngineConfig) -> dict[str, Any] | None:
    """The model's config.json if it is on this machine; nothing is fetched."""
    folder = model_here(config.model.model, config.load.download_dir, config.model.revision)
    if folder is None or not (folder / "config.json").is_file():
        return None
    return read_config(folder, config.model.hf_overrides)


def _dtype(config: EngineConfig, checkpoint: str, on_gpu: bool, native_bf16: bool = False) -> str:
    """What `resolve` would make of it, without asking for a machine."""
    given = {"half": "float16", "float": "float32"}.get(config.model.dtype, config.model.dtype)
    if given != "auto":
        return given
    if on_gpu:
        return checkpoint if checkpoint in ("bfloat16", "float16") else "bfloat16"
    return "bfloat16" if native_bf16 and checkpoint == "bfloat16" else "float32"
