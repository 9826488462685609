"""How many numbers of a model one rank holds: arithmetic for what has to fit before anything is allocated.

Tensor parallelism cuts products and tables, pipelines deal out layers, and experts are cut or dealt out. All
ranks of a stage hold as many. No torch: planning tools read it too.
"""

from __future__ import annotations

from typing import NamedTuple

from quire.models.experts import ExpertsShape
from quire.models.shapes import DecoderShape
from quire.parallel.experts import slots_for
from quire.parallel.layout import Layout
from quire.parallel.stages import Stage, stage_of


class Share(NamedTuple):
    parameters: int
    linears: int  # of those, what a quantization changes: products of layers, without routers and experts


def share_of(shape: DecoderShape, layout: Layout, stage: Stage) -> Share:
    """What each rank of the stage holds."""
    linears = sum(_linears(shape, layout.tp, layer) for layer in stage.layers)
    rest = sum(_rest(shape, layout, layer) for layer in stage.layers)
    ends = _ends(shape, layout.tp, stage) + _beside(shape, layout, stage)
    return Share(linears + rest + ends, linears)


def largest_share(shape: DecoderShape, layout: Layout, split: str | None = None) -> Share:
    """Of the rank that holds most; `split` as in --pipeline-layer-split."""
    stages = (stage_of(shape.layers, layout.pp, at, split) for at in range(layout.pp))
    return max(share_of(shape, layout, stage) for stage in stages)


def _beside(shape: DecoderShape, layout: Layout, stage: Stage) -> int:
    """What drafts for the model is whole on every rank of the last stage, and may need the table there."""
    if not stage.last:
        return 0
    drafting = shape.drafting
    lacks = drafting.reads_table and not stage.first and not shape.tied_head
    return drafting.parameters + (-(-shape.vocab_size // layout.tp) * shape.hidden_size if lacks else 0)


def _linears(shape: DecoderShape, tp: int, layer: int) -> int:
    experts = _sparse(shape, layer)
    inner = shape.intermediate_size if experts is None else experts.shared
    return shape.attention_count(tp) + shape.hidden_size * (3 * inner // tp)


def _rest(shape: DecoderShape, layout: Layout, layer: int) -> int:
    """Norms, biases, routers and experts."""
    hidden, tp = shape.hidden_size, layout.tp
    q, k = _queries(shape, tp), _keys(shape, tp)
    count = shape.qkv_bias * (q + 2 * k) + shape.output_bias * hidden + len(shape.norm_names()) * hidden
    count += shape.attention_norm_count(tp)
    experts = _sparse(shape, layer)
    if experts is None:
        return count + shape.mlp_bias * (2 * shape.intermediate_size // tp + hidden)
    ranks = layout.dp * tp
    whole = experts.expert_count(hidden)
    if layout.spread_experts and ranks > 1:
        held = slots_for(experts.experts, ranks, layout.redundant_experts)
        return count + experts.router_count(hidden) + whole // experts.experts * held
    return count + experts.router_count(hidden) + whole // tp


def _ends(shape: DecoderShape, tp: int, stage: Stage) -> int:
    """The embedding's table, the last norm and the head, which is the table again where it is tied."""
    hidden = shape.hidden_size
    table = -(-shape.vocab_size // tp) * hidden
    count = table if stage.first else 0
    if stage.last and shape.tied_head:
        count += 0 if stage.first else table
    elif stage.last:
        count += shape.labels * hidden if shape.labels else table
    return count + hidden * stage.last


def _queries(shape: DecoderShape, tp: int) -> int:
    return shape.heads // tp * shape.head_dim


def _keys(shape: DecoderShape, tp: int) -> int:
    """Ranks that outnumber the KV heads hold one each."""
    return max(1, shape.kv_heads // tp) * shape.head_dim


def _sparse(shape: DecoderShape, layer: int) -> ExpertsShape | None:
    return shape.experts if shape.experts is not None and shape.experts.layers[layer] else None
