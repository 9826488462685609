"""The decoder: one implementation of every family that `shapes.py` describes.

What differs between families is a number or a switch of `DecoderShape`. Reading checkpoints is weights/'s
part; allocating the KV cache and batching are the runner's. A stage of a pipeline is a decoder with some of
the layers: it has an embedding if it is the first, and a norm and a head if it is the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import torch
from torch import Tensor, nn

from quire.layers.attention import Attention
from quire.layers.context import ContextParallel
from quire.layers.embedding import Embedding
from quire.layers.linear import Linear, Packer, Then
from quire.layers.mlp import MLP
from quire.layers.moe import ExpertNames, MoE
from quire.layers.norm import RMSNorm
from quire.layers.rope import Rope
from quire.layers.slot import Slot
from quire.models.shapes import DecoderShape
from quire.ops.attention import ForwardContext, KVLayer
from quire.ops.gemm.contract import Activations, Unscaled
from quire.ops.moe import Routing
from quire.ops.norm import add_rms_norm
from quire.parallel.mesh import ALONE, Mesh
from quire.parallel.relay import Relay
from quire.parallel.stages import stage_of

TABLE = "embed_tokens"  # the embedding's name in checkpoints
EARLY_BYTES = 32 << 20  # of a projection: on GPUs, attention may begin before smaller ones end


class DecoderLayer(nn.Module):
    """Attention and MLP, or experts, with their norms. What a family has no norm for is None."""

    def __init__(self, shape: DecoderShape, index: int, mesh: Mesh, dtype: torch.dtype, device: torch.device):
        super().__init__()
        self.rope = shape.rope_of_layer[index]
        self.attention = Attention(
            shape.hidden_size,
            shape.heads,
            shape.kv_heads,
            shape.head_dim,
            scale=shape.attention_scale,
            window=shape.windows[index],
            soft_cap=shape.attention_soft_cap,
            qkv_bias=shape.qkv_bias,
            output_bias=shape.output_bias,
            mesh=mesh,
            dtype=dtype,
            device=device,
        )
        if shape.qk_norm != "none":
            self.attention.add_norms(shape.qk_norm, shape.norm_eps, shape.norm_plus_one, dtype, device)
        self.mlp = _mlp(shape, index, mesh, dtype, device)
        self.before_attention: RMSNorm | None = None
        self.after_attention: RMSNorm | None = None
        self.before_mlp: RMSNorm | None = None
        self.after_mlp: RMSNorm | None = None
        for place in shape.norm_names():
            setattr(self, place, _norm(shape, dtype, device))
        self.between: Then | None = None  # what comes after attention, where nothing comes between
        self.then: Then | None = None  # and after the MLP: the next layer

    def forward(
        self,
        x: Tensor | Unscaled | None,
        stream: Tensor,
        turn: tuple[Tensor, Tensor],
        context: ForwardContext,
        then: Then | None = None,
    ) -> Tensor | Unscaled | None:
        """Adds x, the layer before's output, to the stream; returns this layer's output if not yet added.

        The stream is changed in place. If this layer's last kernel could do the norm that comes `then`, too,
        what is to be read after that is returned.
        """
        straight = self.after_attention is None and self.before_mlp is not None
        into = stream if straight else None  # where nothing comes between, the product may add itself
        seen = _enter(x, stream, self.before_attention, self.attention.qkv)
        x = self.attention(seen, turn, context, into, self.between)
        if self.after_attention is not None and isinstance(x, Tensor):
            x = self.after_attention(x)
        seen = _enter(x, stream, self.before_mlp, self.mlp.entry)
        x = self.mlp(seen, stream if self.after_mlp is None and straight else None, then)
        if self.after_mlp is not None and isinstance(x, Tensor):
            x = self.after_mlp(x)
        return x

    __call__ = forward


class Decoder(nn.Module):
    """A decoder over a paged KV cache; its head tells tokens apart, or labels.

    `split` says how many layers each stage of a pipeline has, if they are not to be as equal as they can be.
    """

    def __init__(
        self,
        shape: DecoderShape,
        dtype: torch.dtype,
        device: torch.device,
        mesh: Mesh = ALONE,
        max_model_len: int | None = None,
        split: str | None = None,
    ):
        super().__init__()
        self.shape = shape
        self.dtype = dtype
        self.stage = stage = stage_of(shape.layers, mesh.pp.size, mesh.pp.rank, split)
        self.relay: Relay | None = None
        if mesh.pp.size > 1:
            self.relay = Relay(mesh.pp, shape.hidden_size, dtype, device)
        longest = max_model_len or shape.default_max_len
        self.embedding: Embedding | None = None
        if stage.first:
            self.embedding = Embedding(
                shape.vocab_size,
                shape.hidden_size,
                shape.embedding_scale,
                mesh=mesh,
                dtype=dtype,
                device=device,
            )
        self.ropes = [Rope(rope, longest, dtype, device) for rope in shape.ropes]
        self.layers = nn.ModuleList(DecoderLayer(shape, i, mesh, dtype, device) for i in stage.layers)
        self.tied = shape.tied_head  # the head multiplies by the embedding's table
        self.norm: RMSNorm | None = None
        self.head: Linear | None = None
        if stage.last:
            self.norm = _norm(shape, dtype, device)
            shared = self.embedding if self.tied else None
            self.head = _head(shape, self.tied, mesh, dtype, torch.device("meta") if shared else device)
            if shared is not None:
                self.head.weight = shared.weight
        self.stack: list[DecoderLayer] = list(self.layers)  # those that run, in order
        projections = [layer.attention.qkv.weight for layer in self.stack]
        self.early = all(weight is not None and weight.nbytes <= EARLY_BYTES for weight in projections)
        self._other_layers = {str(i) for i in range(shape.layers) if i not in stage.layers}
        self.context_parallel = None if mesh.cp.size == 1 else ContextParallel(mesh.cp)

    def untie(self) -> None:
        """Gives the head a weight of its own, for checkpoints whose head differs from the table after all."""
        assert self.head is not None and self.head.weight is not None
        self.tied = False
        self.head = _head(self.shape, False, self.head.mesh, self.dtype, self.head.weight.device)

    @contextmanager
    def one_of_each(self) -> Iterator[None]:
        """Runs the first layer and one of each kind, for rehearsals: all others launch the same kernels."""
        every = self.stack
        kinds = {(layer.attention.window, layer.rope, type(layer.mlp)): layer for layer in every}
        self.stack = [every[0], *(layer for layer in kinds.values() if layer is not every[0])]
        try:
            yield
        finally:
            self.stack = every

    def bind_kv(self, layers: list[KVLayer]) -> None:
        """Gives each layer its part of the KV cache, in layer order."""
        assert len(layers) == len(self.stack)
        for layer, kv in zip(self.stack, layers, strict=True):
            layer.attention.kv = kv

    def forward(self, token_ids: Tensor, positions: Tensor, context: ForwardContext) -> Tensor:
        """Token ids and positions [tokens] → hidden states after the last norm [tokens, hidden].

        Writes the tokens' keys and values into the cache. A layer's output is added to the stream only by
        whoever reads the stream next, so that addition and norm stay together. A stage that is not the last
        hands the stream on, with everything added, and returns it: it is to be looked at, not changed.
        """
        turns = [rope.turn(positions) for rope in self.ropes]
        if self.embedding is not None:
            stream = self.embedding(token_ids)
        else:
            assert self.relay is not None
            stream = self.relay.take_over(len(token_ids))
        for batch in context.batches:
            batch.early = self.early  # torch's own kernels above have waited for what made them
        x: Tensor | Unscaled | None = None
        last = self.stack[-1] if self.stack else None
        for layer in self.stack:
            x = layer(x, stream, turns[layer.rope], context, None if layer is last else layer.then)
        assert not isinstance(x, Unscaled)  # nothing comes after the last one
        if self.norm is not None:
            hidden = add_rms_norm(x, stream, self.norm.gain)
        else:
            assert self.relay is not None
            hidden = stream if x is None else stream.add_(x)
            self.relay.hand_on(hidden)
        return hidden if self.context_parallel is None else self.context_parallel.whole(hidden, context)

    def step(self, token_ids: Tensor, positions: Tensor, context: ForwardContext) -> Tensor | None:
        """Scores after every token, in the last stage."""
        hidden = self.forward(token_ids, positions, context)
        return self.scores(hidden) if self.stage.last else None

    def scores(self, hidden: Tensor) -> Tensor:
        """The same as `logits`, in the model's own type where nothing is computed after the product."""
        if self.shape.logit_soft_cap is not None:
            return self.logits(hidden)
        assert self.head is not None
        return self.head(hidden)

    def logits(self, hidden: Tensor) -> Tensor:
        """[rows, hidden] → float32 [rows, vocab], soft cap applied; or [rows, labels]. For the last stage."""
        assert self.head is not None
        logits = self.head(hidden).float()
        cap = self.shape.logit_soft_cap
        return logits if cap is None else logits.div_(cap).tanh_().mul_(cap)

    def pack(self, packer: Packer, exact: Packer | None = None, *, drop: bool = False) -> None:
        """Lets every linear multiply with packer(weight), head and routers with `exact` where it differs.

        Where their packed form is all they need, plain weights are forgotten one by one; with `drop` those of
        all layers.
        """
        for linear in self.linears():
            linear.pack(exact if exact is not None and linear.exact else packer)
            is_head = linear is self.head
            if (drop and not is_head) or not (linear.needs_weight or (is_head and self.tied)):
                linear.drop_weight()

    def pack_experts(self, packer: Packer) -> None:
        """The same for experts, on a CPU."""
        for module in self.modules():
            if isinstance(module, MoE):
                module.pack(packer)

    def linears(self) -> Iterator[Linear]:
        return (m for m in self.modules() if isinstance(m, Linear))

    def ready(self) -> None:
        """Call when all weights are in place: prepares the norms' constants."""
        make_ready(self)
        for layer, following in pairwise([*self.stack, None]):
            assert layer is not None
            if isinstance(layer.mlp, MLP):  # a router and experts both read what comes in
                layer.between = _then(layer.before_mlp, layer.mlp.entry)
            if following is not None:
                layer.then = _then(following.before_attention, following.attention.qkv)

    def slots(self) -> Iterator[Slot]:
        """Every checkpoint tensor the model reads and where it goes; a tied head reads none twice."""
        fused = self.shape.fused_checkpoint
        if self.embedding is not None:
            yield from self.embedding.slots(TABLE)
        for i, layer in zip(self.stage.layers, self.stack, strict=True):
            yield from layer.attention.slots(f"layers.{i}.self_attn", fused)
            yield from layer.mlp.slots(f"layers.{i}.mlp", fused)
            for place, name in self.shape.norm_names().items():
                yield from getattr(layer, place).slots(f"layers.{i}.{name}")
        if self.norm is not None and self.head is not None:
            yield from self.norm.slots("norm")
            if not self.tied or self.embedding is None:
                yield from self.head.slots("")

    def elsewhere(self, name: str) -> bool:
        """Whether a checkpoint tensor belongs to another stage."""
        part, _, rest = name.partition(".")
        if part == "layers":
            return rest.partition(".")[0] in self._other_layers
        here = {f"{TABLE}.weight": self.stage.first, "norm.weight": self.stage.last}
        here[f"{self.shape.head[0]}.weight"] = self.stage.last
        return not here.get(name, True)


def _then(norm: RMSNorm | None, reader: Linear) -> Then | None:
    return None if norm is None else Then(norm.gain, reader)


def _enter(x: Tensor | Unscaled | None, stream: Tensor, norm: RMSNorm | None, reader: Linear) -> Activations:
    """Adds x to the stream in place; returns what `reader` reads: the stream, normed if there is a norm."""
    if isinstance(x, Unscaled):  # added and normed
        return x
    if norm is not None:
        return reader.entered(x, stream, norm.gain)
    return stream if x is None else stream.add_(x)


def _mlp(shape: DecoderShape, index: int, mesh: Mesh, dtype: torch.dtype, device: torch.device) -> MLP | MoE:
    experts, hidden = shape.experts, shape.hidden_size
    if experts is None or not experts.layers[index]:
        return MLP(
            hidden,
            shape.intermediate_size,
            shape.activation,
            shape.mlp_bias,
            mesh=mesh,
            dtype=dtype,
            device=device,
        )
    routing = Routing(
        experts.experts,
        experts.per_token,
        experts.scores,
        experts.renormalise,
        experts.groups,
        experts.top_groups,
        experts.scale,
    )
    return MoE(
        hidden,
        experts.inner,
        shape.activation,
        routing,
        shared=experts.shared,
        biased=experts.biased,
        names=ExpertNames(*experts.names),
        mesh=mesh,
        dtype=dtype,
        device=device,
    )


def _head(shape: DecoderShape, tied: bool, mesh: Mesh, dtype: torch.dtype, device: torch.device) -> Linear:
    """A tied one reads the embedding's table, where that is not here already."""
    name, rows = shape.head
    return Linear(
        shape.hidden_size,
        {TABLE if tied else name: (rows, 1)},
        split="none" if shape.labels else "vocab",
        exact=True,
        mesh=mesh,
        dtype=dtype,
        device=device,
    )


def _norm(shape: DecoderShape, dtype: torch.dtype, device: torch.device) -> RMSNorm:
    return RMSNorm(shape.hidden_size, shape.norm_eps, shape.norm_plus_one, dtype=dtype, device=device)


def make_ready(model: nn.Module) -> None:
    """Lets its layers prepare what follows from their weights, and makes what it consists of fast to find."""
    modules = list(model.modules())
    for kind in (RMSNorm, Attention):
        for module in modules:
            if isinstance(module, kind):
                module.ready()
    for module in modules:  # found as plain attributes, without the microsecond of nn.Module's look-up
        vars(module).update(module._modules)
