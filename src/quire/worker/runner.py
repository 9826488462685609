"""Runs plans: admit rows, gather inputs, run the model, sample or pool, guess. One step in, one result out.

The runner knows nothing of requests that wait, of budgets or of who may use which block: the plan says it
all. A row that cannot be admitted or whose logits are useless fails alone, in `Result.failed`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from quire.errors import QuireError
from quire.grammar import Grammars
from quire.ops.attention import ForwardContext, KVLayer
from quire.parallel.context import Shard
from quire.params import SamplingParams
from quire.types import Admission, CacheShape, Ints, KVLayerSpec, Plan, Result, Scores
from quire.worker.columns import Step
from quire.worker.drafts import NoDrafts, Proposer
from quire.worker.drafts.asking import ask
from quire.worker.inputs import Inputs, gather
from quire.worker.kv_room import Places, held_bytes, whole
from quire.worker.lines import Lines
from quire.worker.memory import lazy_zeros
from quire.worker.pooler import Pooler
from quire.worker.rows import DeviceRows
from quire.worker.sampler import NAN, Sampler, score

PROMPT_LINES = 256  # prompt positions whose logits are held at once


class Model(Protocol):
    """What the runner asks of a model."""

    def bind_kv(self, layers: list[KVLayer]) -> None: ...

    def forward(self, token_ids: Tensor, positions: Tensor, context: ForwardContext) -> Tensor:
        """Hidden states; from a stage of a pipeline those that it has handed on."""
        ...

    def logits(self, hidden: Tensor) -> Tensor:
        """What its head says: over the vocabulary, or over the labels of a classification model."""
        ...


class Runner:
    def __init__(
        self,
        model: Model,
        layers: list[KVLayerSpec],
        cache: CacheShape,
        *,
        rows: int,
        max_tokens: int,
        vocab: int,
        kv_dtype: torch.dtype,
        device: torch.device,
        encode: Callable[[str], list[list[int]]] | None = None,
        grammars: Grammars | None = None,
        pooling: str = "last",
        activation: str = "softmax",
        shard: Shard | None = None,
        ends: bool = True,
        proposer: Proposer | None = None,
    ):
        """`shard` is what this rank keeps of every sequence, if not all; `ends`: the model's end is here."""
        self.model = model
        self.cache = cache
        self.shard, self.ends = shard, ends
        self.rows = DeviceRows(rows, max_tokens, cache)
        self.sampler = Sampler(rows, vocab, encode, grammars)
        self.pooler = Pooler(rows, pooling, activation)
        self.proposer: Proposer = NoDrafts() if proposer is None else proposer
        self._prompt_logprobs: dict[int, int] = {}  # row → how many best ones
        self._layers, self._kv_dtype, self._device = layers, kv_dtype, device
        self._kv: list[KVLayer] = []
        self.allocate_kv()

    def allocate_kv(self) -> None:
        """Gives the model a KV cache of zeros; NoMemory if there is too little."""
        places = whole(self._places, self._device)
        self._kv = [
            KVLayer(group, *places[place, spec.kv_heads, spec.head_dim])
            for spec, (group, place) in zip(self._layers, self.cache.place, strict=True)
        ]
        own = len(self._kv) - self.cache.drafting
        self.model.bind_kv(self._kv[:own])
        self.proposer.bind_kv(self._kv[own:])

    def free_kv(self) -> None:
        """Gives the cache's memory back; nothing may run until `allocate_kv`."""
        for kv in self._kv:
            kv.keys = kv.values = torch.empty(0)
        held_bytes(self._device)

    def _places(self, device: torch.device) -> Places:
        """One tensor pair per place; the layers of different groups at one place share it.

        Zeros, because a padded or masked slot still takes part as 0 × value.
        """
        size = (self.cache.blocks + 1, self.cache.block_tokens)
        places: Places = {}
        for spec, (_, place) in zip(self._layers, self.cache.place, strict=True):
            key = (place, spec.kv_heads, spec.head_dim)
            if key not in places:
                shape = (*size, spec.kv_heads, spec.head_dim)
                places[key] = tuple(lazy_zeros(shape, self._kv_dtype, device) for _ in "kv")
        return places

    @torch.inference_mode()
    def execute(self, plan: Plan) -> Result:
        refused = self._enter(plan)
        inputs = gather(plan, self.rows, self.cache.block_tokens, self.shard).on(self._device)
        if not self.ends:
            hidden = self.model.forward(inputs.token_ids, inputs.positions, inputs.context)
            for i in self._nan_rows(plan, inputs, hidden, _sure(plan)):
                self._wipe(plan, i)  # its blocks may be another's in the step after this one
            return Result(np.zeros((len(plan.rows), 1), np.int32), np.zeros(len(plan.rows), np.int32))
        samples = plan.samples & ~self.pooler.on[plan.rows]
        lines = Lines.of(plan, samples)
        rows = plan.rows[lines.owner]
        step = Step(rows, lines.positions, self.rows.prompt[rows], self.rows.tokens, depth=lines.depth)
        self.sampler.begin(step)
        hidden = self.model.forward(inputs.token_ids, inputs.positions, inputs.context)
        result = Result(np.zeros((len(plan.rows), lines.width), np.int32), samples.astype(np.int32))
        if len(lines.owner):
            self._sample(inputs, hidden, lines, step, result)
        if len(hidden) > result.counts.sum():
            for i in self._nan_rows(plan, inputs, hidden, _sure(plan) + result.counts - samples):
                result.failed.setdefault(i, NAN)
        if self.pooler.on.any():
            pooled = self.pooler.pool(plan, inputs.query_start, hidden, self.model.logits)
            result.pooled, result.failed = pooled.values, pooled.failed | result.failed
        if self._prompt_logprobs:
            self._score_prompts(plan, inputs, hidden, result)
        for i, row in enumerate(plan.rows.tolist()):
            if row in refused:
                result.failed[i] = refused[row]
        for i in result.failed:
            self._wipe(plan, i)
        if plan.want is not None:
            r = self.rows
            ask(self.proposer, plan, result, r.limit, r.tokens, r.tables, hidden, inputs.query_start)
        elif self.proposer.remembers:
            known = plan.start + plan.count + (result.counts > 0)
            self.proposer.passed(plan.rows, known, self.rows.tokens)
        return result

    def _enter(self, plan: Plan) -> dict[int, str]:
        """Brings rows and tables up to date; returns rows whose parameters make no sense here."""
        refused = {}
        for row in plan.released:
            self._release(row)
        for admission in plan.admitted:
            self.rows.admit(admission)
            try:
                self.sampler.admit(admission)
                self.pooler.admit(admission)
            except QuireError as e:
                refused[admission.row] = str(e)
                self._neutralise(admission)
            wanted = admission.request.params.prompt_logprobs
            if wanted is not None and admission.row not in refused:
                self._prompt_logprobs[admission.row] = wanted
            self.proposer.admit(admission)
        self.rows.write(plan.blocks)
        self.rows.draft(plan)
        return refused

    def _release(self, row: int) -> None:
        self.sampler.release(row)
        self.pooler.release(row)
        self.proposer.release(row)
        self._prompt_logprobs.pop(row, None)

    def _neutralise(self, admission: Admission) -> None:
        """Lets a refused row run through this step without effect: it is reported as failed after it."""
        self.sampler.release(admission.row)
        request = admission.request
        plain = type(request)(
            request.id, request.prompt, SamplingParams(temperature=0.0), request.seed, request.limit
        )
        self.sampler.admit(Admission(admission.row, plain, admission.tokens, admission.computed))

    def _sample(self, inputs: Inputs, hidden: Tensor, lines: Lines, step: Step, result: Result) -> None:
        """Fills in what the rows of the plan that sample have sampled."""
        if len(lines.owner) < hidden.shape[0]:
            hidden = hidden[torch.from_numpy(lines.within(inputs.query_start)).long()]
        sampled = self.sampler.sample(self.model.logits(hidden).cpu(), step)
        if sampled.lines is None:
            result.tokens[lines.owner, 0] = sampled.tokens
            self.rows.tokens[step.rows, step.positions] = sampled.tokens
        else:
            lines = lines.only(sampled.lines)
            result.tokens[lines.owner, lines.depth] = sampled.tokens
            result.counts[:] = np.bincount(lines.owner, minlength=len(result.counts))
            self.rows.tokens[step.rows[sampled.lines], lines.positions] = sampled.tokens
        for i, s in sampled.scores.items():
            result.scores.setdefault(int(lines.owner[i]), []).append(s)
        result.failed = {int(lines.owner[i]): why for i, why in sampled.failed.items()}

    def _score_prompts(self, plan: Plan, inputs: Inputs, hidden: Tensor, result: Result) -> None:
        """Log-probabilities of prompt tokens start + 1 …, each under the logits of the one before it."""
        for i, row in enumerate(plan.rows.tolist()):
            if row not in self._prompt_logprobs:
                continue
            wanted, prompt = self._prompt_logprobs[row], int(self.rows.prompt[row])
            start, first = int(plan.start[i]), int(inputs.query_start[i])
            end = min(start + int(plan.count[i]), prompt - 1)
            scores: list[Scores] = []
            for at in range(start, end, PROMPT_LINES):
                stop = min(at + PROMPT_LINES, end)
                logits = self.model.logits(hidden[first + at - start : first + stop - start])
                scores += score(
                    logits.cpu(), self.rows.tokens[row, at + 1 : stop + 1], [wanted] * (stop - at)
                )
            result.prompt_scores[i] = scores

    def _nan_rows(self, plan: Plan, inputs: Inputs, hidden: Tensor, kept: Ints) -> list[int]:
        """Rows of whose first kept[i] tokens one became NaN, sampled from or not: so are its keys and values.

        What comes after those were wrong guesses. They fail nobody, and what they wrote is cleared.
        """
        at = np.flatnonzero(~torch.isfinite(hidden.amax(-1)).cpu().numpy())
        owner = np.searchsorted(inputs.query_start, at, side="right") - 1
        offset = at - inputs.query_start[owner]
        vain = offset >= kept[owner]
        for i in np.unique(owner[vain]).tolist():
            self._clear(int(plan.rows[i]), plan.start[i] + offset[vain & (owner == i)])
        rows: list[int] = np.unique(owner[~vain]).tolist()
        return rows

    def _clear(self, row: int, positions: Ints) -> None:
        """Clears the keys and values of some of a row's tokens."""
        size = self.cache.block_tokens
        if self.shard is not None:
            positions = self.shard.local(positions[self.shard.owner(positions) == self.shard.rank])
        offsets = torch.from_numpy((positions % size).astype(np.int64))
        for kv in self._kv:
            blocks = torch.from_numpy(self.rows.tables[kv.group][row, positions // size].astype(np.int64))
            kv.keys[blocks, offsets] = 0
            kv.values[blocks, offsets] = 0

    def _wipe(self, plan: Plan, i: int) -> None:
        """Clears what a failed row wrote: NaN in a reused block would reach others, even masked."""
        row, start, count = int(plan.rows[i]), int(plan.start[i]), int(plan.count[i])
        span = self.cache.block_tokens if self.shard is None else self.shard.span
        columns = slice(start // span, -(-(start + count) // span))
        for kv in self._kv:
            blocks = torch.from_numpy(self.rows.tables[kv.group][row, columns].astype(np.int64))
            kv.keys[blocks] = 0
            kv.values[blocks] = 0


def _sure(plan: Plan) -> Ints:
    """How many tokens of each row are not guesses."""
    sure: Ints = plan.count if plan.drafted is None else plan.count - plan.drafted
    return sure
