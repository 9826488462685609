"""What a layout of ranks says to each other in one step: bytes, messages and seconds, by arithmetic alone.

A message takes the link's latency and its bytes over the link's bandwidth. Everything below counts what one
rank sends; ranks send at the same time, each over a link of its own, so that is also how long it takes.

**A sum over n ranks** of a tensor of b bytes goes around a ring twice. The tensor is cut in n pieces; in
n - 1 turns every piece travels around and is added up on its way, in n - 1 more the sums travel around. In
each turn a rank sends b / n bytes: 2 (n - 1) messages, 2 (n - 1) / n b bytes. The bytes tend to 2b and never
grow beyond, the messages grow with n: large sums are paid in bytes, small ones in latency.

**A gather over n ranks** of parts of b bytes is the second half of it: n - 1 messages of b bytes.

**An exchange over n ranks** sends something else to each of the others. The bytes are whatever is not for
the rank itself; no message waits for another, so the latency counts once.

From these, for a step of t tokens with h numbers in a hidden state:

- *Tensor parallel.* A layer splits its first product by columns and its second by rows, for attention and
  again for the MLP: two sums of t x h a layer, one more for a shared expert. The embedding's table is split
  by words and ends with a sum. The head is split by words, too, and ends with a gather of logits, of those
  tokens that draw.
- *Pipeline.* Each stage hands t x h on to the next one, every tensor-parallel rank to its counterpart. A
  step passes s - 1 such hops. A hop is one message, but while one stage works on a step the others need
  other steps to work on: see `idle_share`.
- *Experts spread over engines.* A token visits k of e experts, which live on r ranks. It is sent once to
  each rank that holds any of them, not once for each expert. How many ranks that is follows from drawing k
  experts without putting them back: a rank is left out if none of its e / r is drawn (`ranks_visited`).
  Back comes a row for each expert, so that their sum does not depend on where they were (`shuffle`).
  Within one engine all ranks have all tokens already: nothing is sent, and the layer's sum does the rest.
- *Context parallel.* Keys and values stay where their positions live. The queries, keys and values of a
  step that was split are gathered; each rank attends over the keys it has, and sends of every foreign row
  its outcome and the logarithm of the sum of its weights, by which the outcomes are merged.
- *Data parallel.* Nothing goes between engines. It costs a whole set of weights for each.

No torch here and no device: models are numbers, and a link is two of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from typing import Literal, Protocol

from quire.parallel.context import rows_each
from quire.parallel.layout import Layout


@dataclass(frozen=True, slots=True)
class Link:
    """What lies between two devices, as one of them sees it in one direction."""

    name: str
    bytes_per_s: float
    latency_s: float  # of one message, with what the libraries add to it
    within: bool = False  # fast enough for sums in every layer


# Bandwidths are those of the makers, one direction; latencies are rules of thumb and worth measuring
# (benchmarks/communication.py does).
LINKS = {
    "nvlink5": Link("NVLink 5", 900e9, 1e-6, within=True),
    "nvlink4": Link("NVLink 4", 450e9, 1e-6, within=True),
    "nvlink3": Link("NVLink 3", 300e9, 1e-6, within=True),
    "pcie5": Link("PCIe 5 x16", 63e9, 2.5e-6),
    "pcie4": Link("PCIe 4 x16", 31.5e9, 2.5e-6),
    "400g": Link("400 Gb/s network", 50e9, 5e-6),
    "100g": Link("100 Gb/s network", 12.5e9, 15e-6),
    "cpu": Link("gloo on one machine", 1.5e9, 100e-6),
}


class Experts(Protocol):
    """What is asked of a mixture of experts; `models.experts.ExpertsShape` answers."""

    @property
    def experts(self) -> int: ...
    @property
    def per_token(self) -> int: ...
    @property
    def shared(self) -> int: ...
    @property
    def sparse_layers(self) -> int: ...


class Shape(Protocol):
    """What is asked of a model; `models.shapes.DecoderShape` answers."""

    @property
    def hidden_size(self) -> int: ...
    @property
    def layers(self) -> int: ...
    @property
    def heads(self) -> int: ...
    @property
    def kv_heads(self) -> int: ...
    @property
    def head_dim(self) -> int: ...
    @property
    def vocab_size(self) -> int: ...
    @property
    def experts(self) -> Experts | None: ...


@dataclass(frozen=True, slots=True)
class Traffic:
    """Messages of one kind on the way of one step."""

    what: str
    kind: Literal["sum", "gather", "exchange", "hop"]
    axis: str  # whom they go between: tp, pp, cp or ep
    times: int
    payload: float  # bytes given to the collective each time
    sent: float  # bytes that leave a rank each time
    messages: int  # that wait for each other, each time

    @property
    def bytes(self) -> float:
        return self.times * self.sent

    def seconds(self, link: Link) -> float:
        return self.times * (self.messages * link.latency_s + self.sent / link.bytes_per_s)


def total_bytes(traffic: Iterable[Traffic]) -> float:
    return sum(one.bytes for one in traffic)


def total_seconds(traffic: Iterable[Traffic], link: Link, across: Link | None = None) -> float:
    """`across` is the link between stages and between engines, where it is another one."""
    far = across or link
    return sum(one.seconds(far if one.axis in ("pp", "ep") else link) for one in traffic)


def sum_over(n: int, payload: float, what: str, times: int = 1, axis: str = "tp") -> Traffic:
    return Traffic(what, "sum", axis, times, payload, 2 * (n - 1) / n * payload, 2 * (n - 1))


def gather_over(n: int, part: float, what: str, times: int = 1, axis: str = "tp") -> Traffic:
    """`part` is what each rank brings."""
    return Traffic(what, "gather", axis, times, part, (n - 1) * part, n - 1)


def exchange_over(away: float, what: str, times: int = 1, axis: str = "ep") -> Traffic:
    """`away` are the bytes of a rank that are for others."""
    return Traffic(what, "exchange", axis, times, away, away, 1)


def step_traffic(
    shape: Shape,
    layout: Layout,
    tokens: int,
    dtype_bytes: int,
    *,
    drawn: int | None = None,
) -> list[Traffic]:
    """What one step of one engine sends, in the order of the model; empty for a single rank.

    `tokens` are the engine's in this step, and `drawn` those of them whose logits are needed (default: all,
    as in decoding).
    """
    drawn = tokens if drawn is None else drawn
    out: list[Traffic] = []
    here = rows_each(tokens, layout.cp)  # tokens of one rank in the linear parts
    states = here * shape.hidden_size * dtype_bytes
    experts = shape.experts
    sparse = experts.sparse_layers if experts else 0
    shuffled = layout.spread_experts and layout.dp > 1 and experts is not None
    if layout.tp > 1:
        out.append(sum_over(layout.tp, states, "sum of embeddings"))
        out.append(sum_over(layout.tp, states, "sum after attention", shape.layers))
        if shape.layers > sparse:
            out.append(sum_over(layout.tp, states, "sum after the MLP", shape.layers - sparse))
        if sparse and not shuffled:
            out.append(sum_over(layout.tp, states, "sum of experts", sparse))
        if experts and experts.shared:
            out.append(sum_over(layout.tp, states, "sum of the shared expert", sparse))
    if layout.cp > 1:
        out += _context(shape, layout, tokens, dtype_bytes)
    if shuffled and experts is not None:
        out += _shuffles(experts, layout, here, shape.hidden_size * dtype_bytes)
    if layout.pp > 1:
        out.append(Traffic("hand-over between stages", "hop", "pp", layout.pp - 1, states, states, 1))
    if layout.tp > 1:
        places = -(-shape.vocab_size // layout.tp)
        out.append(gather_over(layout.tp, drawn * places * dtype_bytes, "gather of logits"))
    return out


def _context(shape: Shape, layout: Layout, tokens: int, dtype_bytes: int) -> list[Traffic]:
    here, heads, layers = rows_each(tokens, layout.cp), shape.heads // layout.tp, shape.layers
    kv_heads = max(1, shape.kv_heads // layout.tp)
    outcome = heads * (shape.head_dim * dtype_bytes + 4)  # and the logarithm, in float32
    if here == tokens:  # every rank has every row, and wants every outcome
        return [gather_over(layout.cp, tokens * outcome, "gather of partial attention", layers, "cp")]
    qkv = (heads + 2 * kv_heads) * shape.head_dim * dtype_bytes
    away = (layout.cp - 1) * here * outcome
    return [
        gather_over(layout.cp, here * qkv, "gather of queries, keys and values", layers, "cp"),
        exchange_over(away, "exchange of partial attention", layers, "cp"),
        gather_over(layout.cp, here * shape.hidden_size * dtype_bytes, "gather of hidden states", 1, "cp"),
    ]


def _shuffles(experts: Experts, layout: Layout, tokens: int, row: int) -> list[Traffic]:
    """A tensor-parallel rank sends its share of its engine's tokens away and gets what became of them."""
    ranks = layout.dp * layout.tp
    mine, far = -(-tokens // layout.tp), (ranks - 1) / ranks
    visited = ranks_visited(experts.experts, experts.per_token, ranks, layout.redundant_experts)
    top, times = experts.per_token, experts.sparse_layers
    out = shuffle(ranks, mine * visited * far, mine * top * far, row, top, times)
    if layout.tp > 1:
        out.append(gather_over(layout.tp, mine * row, "gather of shuffled tokens", times))
    return out


def shuffle(
    ranks: int, rows: float, choices: float, row: int, per_token: int, times: int = 1
) -> list[Traffic]:
    """Of a rank that sends `rows` tokens away for so many of their choices.

    A token goes once to each rank, with the places of its experts there; for each choice a row comes back, so
    that they can be added in one order wherever they were computed. Both sides first say how much will come.
    """
    return [
        exchange_over((ranks - 1) * 16, "counts of the exchange", times),
        exchange_over(rows * row, "tokens to experts", times),
        exchange_over(rows * per_token * 4, "places of their experts", times),
        exchange_over(choices * row, "rows back", times),
    ]


def ranks_visited(experts: int, per_token: int, ranks: int, redundant: int = 0) -> float:
    """How many of `ranks` hold an expert of a token, on average, if all experts are as likely.

    Experts are spread as evenly as they can be. `redundant` ones are held twice, and the token goes to either
    copy as likely: a rank that holds i of the token's experts in one of two copies is left out with 1 / 2^i.
    That is the most: tokens take turns among copies, with the same turn for all their experts, so the copies
    that a token visits live together more often than by chance. Copies beyond the second change nothing here.
    """
    redundant = min(redundant, experts)
    once, twice = experts - redundant, 2 * redundant
    visited = 0.0
    for rank in range(ranks):
        halves = twice // ranks + (rank < twice % ranks)
        whole = once // ranks + (rank >= ranks - once % ranks)
        others = experts - whole - halves
        missed = sum(comb(halves, i) * comb(others, per_token - i) / 2**i for i in range(per_token + 1))
        visited += 1 - missed / comb(experts, per_token)
    return visited


def idle_share(stages: int, in_flight: int) -> float:
    """The part of their time that pipeline stages wait, in steady work, with so many steps in flight.

    A step holds one stage at a time; with as many steps as stages none has to wait.
    """
    return max(0.0, 1 - in_flight / stages)


def filling_share(stages: int, pieces: int) -> float:
    """The same for work that begins and ends: a prompt in `pieces` chunks passes the stages one by one.

    The last stage begins stages - 1 turns after the first one and ends as much later.
    """
    return (stages - 1) / (pieces + stages - 1)
