"""The values the planning half and the compute half exchange. Plain data: numpy and nothing else.

A *row* is a request's permanent place, the same number on both sides, from admission to release.
A `Plan` says which rows compute which positions; a `Result` says what was sampled or pooled. KV blocks
are named by number only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from quire.params import PoolingParams, SamplingParams

Ints = NDArray[np.int32]
RowIndex = NDArray[np.int64]  # rows to index by: numpy is three times as fast by its own type
Floats = NDArray[np.float32]
FinishReason = Literal["stop", "length", "abort", "error"]
# How a row's `failed` begins where it is the caller's doing, not ours.
GRAMMAR_FAILED = "its grammar failed"
NOTHING_ALLOWED = "no token is allowed"


@dataclass(frozen=True, slots=True)
class KVLayerSpec:
    """What one attention layer keeps per token. `window` None means every earlier token."""

    kv_heads: int
    head_dim: int
    window: int | None = None
    values: bool = True  # False for a latent cache that keeps one tensor instead of K and V

    def token_bytes(self, dtype_bytes: int, scale_bytes: int = 0) -> int:
        return (1 + self.values) * self.kv_heads * (self.head_dim * dtype_bytes + scale_bytes)


@dataclass(frozen=True, slots=True)
class CacheShape:
    """The KV cache the planner counts on: its blocks, and where each layer lives in them."""

    blocks: int  # the null block not counted
    block_tokens: int
    groups: int
    places: int  # layers stored in one block
    place: tuple[tuple[int, int], ...]  # layer → (group, place)
    drafting: int = 0  # of the layers the last ones, which are not the model's but of what drafts for it
    windows: tuple[int | None, ...] = ()  # of each group, how much a row keeps; None, or (): everything


@dataclass(slots=True, eq=False)
class Request:
    """One sequence to complete or to pool, validated. The planner owns it until it ends."""

    id: str
    prompt: Ints
    params: SamplingParams
    seed: int
    limit: int  # prompt + output tokens never exceed this
    stop_ids: frozenset[int] = frozenset()  # end the request, once min_tokens are out
    eos_ids: frozenset[int] = frozenset()  # those among stop_ids that are reported without a stop_reason
    arrival: float = 0.0
    salt: bytes = b""  # keeps its prefix apart from requests with another salt
    lora: bytes = b""  # the adapter's id: another adapter computes other keys and values
    media: tuple[tuple[int, bytes], ...] = ()  # (position, content hash) of embedded media
    stream: bool = False  # report every step, not only the end
    reuse_prefix: bool = True  # prompt logprobs and means need every prompt position computed
    pooling: PoolingParams | None = None  # read the prompt and answer with numbers: no token is sampled
    tenant: str = ""  # who asks, and
    weight: float = 1.0  # its share of the tokens, with --scheduling-policy fair
    grammar: Any = None  # its grammar, compiled, if it has one; never leaves the process
    name: str = ""  # what its caller calls it, if not by its id; the n answers to one prompt share it
    waited_for: str = ""  # what kept it from the scheduler, if anything did: grammar
    guess: bool = True  # whether drafts are welcome; not since a step failed that verified some

    @property
    def known_as(self) -> str:
        return self.name or self.id

    @property
    def simple(self) -> bool:
        """Whether nothing but temperature, top_k, top_p and min_p decides, and only tokens are reported."""
        p = self.params
        masks = p.bad_words or p.logit_bias or p.allowed_token_ids is not None or p.structured_outputs
        waits = p.min_tokens > 0 and self.stop_ids
        penalties = (p.presence_penalty, p.frequency_penalty, p.repetition_penalty) != (0.0, 0.0, 1.0)
        scores = p.logprobs is not None or p.prompt_logprobs is not None
        return not (masks or waits or penalties or scores or self.pooling is not None)

    @property
    def floor(self) -> int:
        """How many tokens it has before one may end it.

        With a grammar any may: the compute half lets one through when it is due, and min_tokens or not, it is
        due when the grammar is complete.
        """
        bound = self.params.structured_outputs is not None
        return len(self.prompt) + (0 if bound else self.params.min_tokens)


@dataclass(slots=True)
class Admission:
    """A request enters its row: everything the compute half must know about it."""

    row: int
    request: Request
    tokens: Ints  # prompt, and what was generated before a preemption
    computed: int  # tokens already in the KV cache (a prefix hit)
    tables: list[Ints] = field(default_factory=list)  # its blocks so far, one array per KV group


@dataclass(slots=True)
class BlockWrites:
    """Block-table entries that changed: table[rows, columns] = blocks."""

    rows: RowIndex
    columns: Ints
    blocks: Ints


@dataclass(slots=True)
class Plan:
    """One step: row `rows[i]` computes positions start[i] .. start[i] + count[i] - 1.

    The last `drafted[i]` of them are guesses: each is computed as if it were right, and a token is drawn
    after it and after the one before the first.
    """

    step: int
    rows: RowIndex
    start: Ints
    count: Ints
    samples: NDArray[np.bool_]  # whether the last position gives a new token, or a pooled row its value
    admitted: list[Admission] = field(default_factory=list)
    released: list[int] = field(default_factory=list)  # rows whose request ended or was preempted
    blocks: list[BlockWrites] = field(default_factory=list)  # of rows admitted earlier, one per KV group
    drafts: Ints | None = None  # [rows, width]; None: nothing is guessed in this step
    drafted: Ints | None = None  # [rows] how many of the width are real
    want: Ints | None = None  # [rows] most drafts that are welcome after this step; None: none
    least: float = 0.0  # a draft that is less likely right, together with those before it, is not welcome
    # How likely drafts are right of which who guesses is so sure: up to the first of `speculative.SAID`, the
    # second, and so on. None: as likely as it says.
    believed: Floats | None = None
    # [rows] The step before may not be read yet, so `start` is the least that it can be, and the row may be
    # so many tokens further; -1: it is not, and the device hears it now. What is guessed, `drafted` at most,
    # only the device knows. None: the host knows everything.
    ahead: Ints | None = None
    room: Ints | None = (
        None  # [rows] of a step ahead: tokens for which a row has blocks, if guesses need some
    )
    again: bool = False  # the rows of the step before, in its order, each one token further and drawing one

    @property
    def tokens(self) -> int:
        return int(self.count.sum())


@dataclass(slots=True)
class Scores:
    """Log-probabilities of one position: the token itself first, then the best ones."""

    token_ids: Ints
    logprobs: Floats
    rank: int  # of the first entry, 1 is the likeliest

    @classmethod
    def of_lines(
        cls, tokens: Ints, own: Floats, ranks: list[int], ids: Ints, best: Floats, counts: list[int]
    ) -> list[Scores]:
        """Each line's token, then as many of its best ones as it asked; ids and best are [lines, most]."""
        all_ids = np.concatenate([tokens[:, None], ids], axis=1)
        values = np.concatenate([own[:, None], best], axis=1)
        shapes = enumerate(zip(ranks, counts, strict=True))
        return [cls(all_ids[i, : n + 1], values[i, : n + 1], rank) for i, (rank, n) in shapes]


@dataclass(slots=True)
class Result:
    """What a plan produced; index i speaks of plan.rows[i]."""

    tokens: Ints  # [rows, width]
    counts: Ints  # [rows] how many of the width are real: 0 where nothing was sampled
    scores: dict[int, list[Scores]] = field(default_factory=dict)  # i → one per token
    prompt_scores: dict[int, list[Scores]] = field(default_factory=dict)  # i → positions start+1 ..
    pooled: dict[int, Floats] = field(default_factory=dict)  # i → vector or matrix; its request has ended
    failed: dict[int, str] = field(default_factory=dict)  # i → why this row alone failed
    drafts: Ints | None = None  # [rows, width] what may come after the tokens of each row
    drafted: Ints | None = None  # [rows] how many of the width are real
    # [rows, width] how sure who guessed is of each draft, if those before it are right; of one beyond
    # `drafted` it was not sure enough. 0: nothing was guessed. None: it does not tell.
    sure: Floats | None = None
    drafting_s: float = 0.0  # seconds that guessing them took
    late: bool = False  # for that, something was read first that had been left unread
    verified: Ints | None = None  # [rows] of a step ahead: how many guesses there were


@dataclass(slots=True)
class Preemption:
    """A running request had to wait again, from `at` until it was `resumed`."""

    at: float
    by: str = ""  # the request that took its blocks; empty: nobody, it wanted more than was left
    resumed: float | None = None


@dataclass(slots=True)
class Timeline:
    """When a request changed its state, in seconds on the engine's clock. None: it has not, so far."""

    queued: float
    planned: float | None = None  # given its first tokens to compute
    prefilled: float | None = None  # its first token, or its pooled value, was there
    ended: float | None = None
    preemptions: list[Preemption] = field(default_factory=list)
    blocked_on: str = ""  # what it last waited for, if it did: sequences, tokens or blocks
    blocked_by: list[str] = field(default_factory=list)  # whose leaving made room for it, a few of them


@dataclass(slots=True)
class Progress:
    """How far a request has come that has not ended."""

    name: str  # its caller's
    timeline: Timeline  # of one that waits: what for and who is in the way, now
    prompt: int  # tokens
    cached: int = 0
    tokens: int = 0  # generated so far


@dataclass(slots=True)
class Guesses:
    """How the drafts of a request fared."""

    steps: int = 0  # that gave it tokens
    drafts: int = 0  # of those, how many had drafts to verify
    tokens: int = 0  # drafted
    accepted: list[int] = field(default_factory=list)  # [j]: drafts that were right at their place j

    @property
    def tokens_per_step(self) -> float:
        """1.0 where no draft was right."""
        return 1.0 + sum(self.accepted) / self.steps if self.steps else 1.0

    def add(self, other: Guesses) -> None:
        self.steps += other.steps
        self.drafts += other.drafts
        self.tokens += other.tokens
        longer = max(len(self.accepted), len(other.accepted))
        mine, theirs = (a + [0] * (longer - len(a)) for a in (self.accepted, other.accepted))
        self.accepted = [a + b for a, b in zip(mine, theirs, strict=True)]


@dataclass(slots=True)
class Delta:
    """News of one request after a step. The last one carries `finish`."""

    request_id: str
    tokens: list[int]
    scores: list[Scores] = field(default_factory=list)
    prompt_scores: list[Scores] = field(default_factory=list)
    finish: FinishReason | None = None
    stop_reason: int | str | None = None
    error: str | None = None
    cached: int = 0  # prompt tokens that came from the prefix cache
    pooled: Floats | None = None
    timeline: Timeline | None = None  # so far, whenever it has changed
    guesses: Guesses | None = None  # so far: at its end, and whenever a stop string may end it
