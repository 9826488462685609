"""Runs plans on a CUDA GPU. Nothing waits for the device except `Running.result`.

A step of one token for each row is a replay of a captured graph: its packet says which rows, at which
positions, with which new blocks, and the device does the rest, from the last token of each row to the next.
Steps that read prompts are launched kernel by kernel, decoding rows first. In both a step may be launched
before the one before it is read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from quire.errors import QuireError
from quire.grammar import Grammars
from quire.ops.attention import ForwardContext, KVLayer, PagedBatch
from quire.ops.attention.contract import QUERY_TILE
from quire.ops.step import gather_inputs, prepare_decode
from quire.params import SamplingParams
from quire.types import Admission, CacheShape, Ints, KVLayerSpec, Plan, Result
from quire.worker.columns import Step
from quire.worker.cuda.graphs import Graphs, Recorded
from quire.worker.cuda.rows import CudaRows
from quire.worker.cuda.sampler import CudaSampler, Report
from quire.worker.cuda.staging import Readback, Staging
from quire.worker.pooler import Pooler
from quire.worker.sampler import NAN, NOTHING, score

PROMPT_LINES = 256  # prompt positions whose logits are held at once
HEADER = 4  # words of a packet before its lines: the length of the shared prefix
SHARED_LINES, SHARED_TOKENS = 8, 512  # from here on it pays to read a shared prefix once for all


class Steps(Protocol):
    """A model as decode steps see it."""

    def step(self, token_ids: Tensor, positions: Tensor, context: ForwardContext) -> Tensor:
        """Token ids and positions [rows] → logits of every row."""
        ...


class Model(Steps, Protocol):
    """What the runner asks of a model."""

    def bind_kv(self, layers: list[KVLayer]) -> None: ...

    def forward(self, token_ids: Tensor, positions: Tensor, context: ForwardContext) -> Tensor: ...

    def scores(self, hidden: Tensor) -> Tensor:
        """Logits in the model's own type."""
        ...

    def logits(self, hidden: Tensor) -> Tensor:
        """Logits in float32."""
        ...


@dataclass(slots=True)
class Running:
    """A step that was launched."""

    runner: CudaRunner
    plan: Plan
    order: Ints  # sequence i of the step is row order[i] of the plan
    lines: Ints  # the sequences that draw a token
    step: Step
    turn: int
    report: Report | None = None
    flags: int = 0  # further words read back, one a sequence: whether a hidden state is not a number
    done: Result | None = None
    refused: dict[int, str] = field(default_factory=dict)

    def result(self) -> Result:
        if self.done is None:
            self.done = self.runner.take_in(self)
        return self.done


class CudaRunner:
    def __init__(
        self,
        model: Model,
        layers: list[KVLayerSpec],
        cache: CacheShape,
        *,
        rows: int,
        max_tokens: int,
        budget: int,
        vocab: int,
        kv_dtype: torch.dtype,
        device: torch.device,
        encode: Callable[[str], list[list[int]]] | None = None,
        grammars: Grammars | None = None,
        pooling: str = "last",
        activation: str = "softmax",
        capture: bool = True,
        small: Steps | None = None,
        small_lines: int = 0,
    ):
        """`small` is the same model made for at most `small_lines` tokens at a time."""
        self.model, self.small, self.small_lines = model, small, small_lines
        self.cache, self.device = cache, device
        self.rows = CudaRows(rows, max_tokens, cache, device)
        self.sampler = CudaSampler(rows, vocab, encode, grammars, device)
        self.pooler = Pooler(rows, pooling, activation)
        self._prompt_logprobs: dict[int, int] = {}
        self._layers, self._kv_dtype = layers, kv_dtype
        self._kv: list[KVLayer] = []
        entries = cache.groups * (rows + 1) * self.rows.columns
        tiles = 2 * (rows + -(-budget // QUERY_TILE))
        words = 8 * (rows + 1) + budget + tiles + 2 * entries + len(self.sampler.words) + 128
        self.staging = Staging(words, device)
        self.readback = Readback(2 * rows + 2, device)
        self._drawn = torch.zeros(rows, dtype=torch.int32, device=device)
        self.graphs = Graphs(self.decode, self.blank, rows, capture=capture and device.type == "cuda")
        self.allocate_kv()

    # -- memory ----------------------------------------------------------------------------------------

    def allocate_kv(self) -> None:
        """Gives the model a KV cache of zeros, each head's tokens of a block side by side."""
        places: dict[tuple[int, int, int], tuple[Tensor, ...]] = {}
        self._kv = []
        for spec, (group, place) in zip(self._layers, self.cache.place, strict=True):
            key = (place, spec.kv_heads, spec.head_dim)
            if key not in places:
                places[key] = self._pair(spec)
            self._kv.append(KVLayer(group, *places[key]))
        self.model.bind_kv(self._kv)

    def _pair(self, spec: KVLayerSpec) -> tuple[Tensor, ...]:
        blocks, tokens = self.cache.blocks + 1, self.cache.block_tokens
        shape = (blocks, spec.kv_heads, tokens, spec.head_dim)
        pair = [torch.zeros(shape, dtype=self._kv_dtype, device=self.device).transpose(1, 2) for _ in "kv"]
        if self._kv_dtype.itemsize > 1:
            return tuple(pair)
        scales = (blocks, spec.kv_heads, tokens)
        return *pair, *(torch.zeros(scales, device=self.device).transpose(1, 2) for _ in "kv")

    def free_kv(self) -> None:
        """Gives the cache's memory back; nothing may run until `allocate_kv`."""
        self.graphs.forget()
        for kv in self._kv:
            kv.keys = kv.values = torch.empty(0)
            kv.key_scales = kv.value_scales = None
        if self.device.type == "cuda":
            torch.cuda.synchronize()
            torch.cuda.empty_cache()

    # -- steps -----------------------------------------------------------------------------------------

    @property
    def depth(self) -> int:
        """Steps that may be in flight: one while a row needs its last token on the host."""
        return 1 if self.sampler.host_bound.any() else 2

    @torch.inference_mode()
    def submit(self, plan: Plan) -> Running:
        refused = self._enter(plan)
        plain = (
            not plan.admitted
            and int(plan.count.max()) == 1
            and bool(plan.samples.all())
            and not self._prompt_logprobs
            and not self.pooler.on.any()
        )
        running = self._replay(plan) if plain else self._launch(plan)
        running.refused = refused
        return running

    def touch(self) -> None:
        """Prepares a step of padding only; what reads its results may then be rehearsed."""
        self.blank(1)
        packet = self.staging.device[HEADER : HEADER + 3 + self.rows.groups].view(-1, 1)
        prepare_decode(packet, self.rows.tables, self.rows.last, self.cache.block_tokens)
        zeros = torch.zeros(4, dtype=torch.int32, device=self.device)
        ends = torch.arange(4, dtype=torch.int32, device=self.device)
        gather_inputs(
            zeros[:3], zeros[:3], ends, zeros[:3], self.rows.tables, self.rows.last, self.cache.block_tokens
        )

    def execute(self, plan: Plan) -> Result:
        """A step from beginning to end."""
        return self.submit(plan).result()

    def _enter(self, plan: Plan) -> dict[int, str]:
        """Brings the host's side of rows up to date; returns rows whose parameters make no sense here."""
        refused = {}
        for row in plan.released:
            self.sampler.release(row)
            self.pooler.release(row)
            self._prompt_logprobs.pop(row, None)
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
        return refused

    def _neutralise(self, admission: Admission) -> None:
        """Lets a refused row run through this step without effect: it is reported as failed after it."""
        self.sampler.release(admission.row)
        request = admission.request
        plain = type(request)(
            request.id, request.prompt, SamplingParams(temperature=0.0), request.seed, request.limit
        )
        self.sampler.admit(Admission(admission.row, plain, admission.tokens, admission.computed))

    # -- one token for each row ------------------------------------------------------------------------

    def _replay(self, plan: Plan) -> Running:
        n, rows = len(plan.rows), self.rows
        lines = self.graphs.lines_for(n)
        common = rows.shared_tokens(plan, self.cache.block_tokens) if n >= SHARED_LINES else 0
        replay = self.graphs.at(lines, common >= SHARED_TOKENS)
        self.staging.begin()
        self.staging.space(HEADER)[:] = common
        packet = self.staging.space((3 + rows.groups) * lines).reshape(3 + rows.groups, lines)
        packet[0, :n], packet[0, n:] = plan.rows, rows.scratch
        packet[1, :n], packet[1, n:] = plan.start, 0
        packet[2, :n], packet[2, n:] = rows.input_tokens(plan.rows, plan.start), 0
        packet[3:, n:] = 0
        rows.new_blocks(plan, packet[3:, :n])
        self.staging.send()
        step = Step(plan.rows, plan.start + 1, rows.prompt[plan.rows], rows.tokens)
        rich = bool(self.sampler.rich[plan.rows].any())
        if rich:
            self.sampler.begin(step)
        recorded = replay()
        report = None
        if rich:
            report = self._draw_richly(recorded.logits[:n], step, recorded.tokens[:n])
        turn = self.readback.start(recorded.tokens[:n])
        every = np.arange(n, dtype=np.int32)
        return Running(self, plan, every, every, step, turn, report)

    def blank(self, lines: int) -> None:
        """A packet of padded lines only."""
        self.staging.device[: HEADER + (3 + self.rows.groups) * lines] = 0
        self.staging.device[HEADER : HEADER + lines] = self.rows.scratch

    def decode(self, lines: int, shared: bool) -> Recorded:
        """What a graph of so many lines contains: from the packet to the tokens drawn."""
        rows = self.rows
        words = self.staging.device[HEADER : HEADER + (3 + rows.groups) * lines]
        packet = words.view(3 + rows.groups, lines)
        size = self.cache.block_tokens
        inputs = prepare_decode(packet, rows.tables, rows.last, size)
        batches = [
            PagedBatch(
                query_start=inputs.query_start,
                seq_lens=inputs.seq_lens,
                block_tables=rows.tables[g],
                slots=inputs.slots[g],
                host_query_start=[],
                host_seq_lens=[],
                block_size=size,
                rows=packet[0],
                decodes=lines,
                shared_len=self.staging.device[:1] if shared else None,
            )
            for g in range(rows.groups)
        ]
        few = self.small is not None and lines <= self.small_lines and not shared
        model: Steps = self.small if few and self.small is not None else self.model
        logits = model.step(inputs.token_ids, inputs.positions, ForwardContext(batches))
        tokens = self._drawn[:lines]
        self.sampler.draw(logits, packet[0], inputs.seq_lens, tokens, rows.last)
        return Recorded(tokens, logits)

    def draw_changed(self) -> None:
        """Draws from logits as columns leave them: in float32."""
        logits = torch.zeros(1, self.sampler.vocab, device=self.device)
        zero = torch.zeros(1, dtype=torch.int32, device=self.device)
        self.sampler.draw(logits, zero + self.rows.scratch, zero, self._drawn[:1], self.rows.last)

    def _draw_richly(self, logits: Tensor, step: Step, tokens: Tensor) -> Report | None:
        """Draws again where columns change logits; starts the log-probabilities that were asked for."""
        changed, raw = self.sampler.process(logits, step)
        index = torch.from_numpy(np.stack([step.rows, step.positions]).astype(np.int32)).to(self.device)
        self.sampler.draw(changed, index[0], index[1], tokens, self.rows.last)
        self.sampler.history.advance(step.rows, tokens.clamp(min=0))
        if raw is None:
            return None
        lines = np.flatnonzero(self.sampler.logprobs[step.rows] >= 0)
        counts = self.sampler.logprobs[step.rows[lines]].tolist()
        chosen = tokens[torch.from_numpy(lines).to(self.device)]
        return Report.of(raw, chosen, lines.astype(np.int32), counts)

    # -- steps with prompts ----------------------------------------------------------------------------

    def _launch(self, plan: Plan) -> Running:
        order = np.argsort(plan.count > 1, kind="stable").astype(np.int32)  # decoding rows first
        who, start, count = plan.rows[order], plan.start[order], plan.count[order]
        decodes = int((count == 1).sum())
        total = int(count.sum())
        query_start = np.zeros(len(who) + 1, np.int32)
        np.cumsum(count, out=query_start[1:])
        owner = np.repeat(who, count)
        positions = np.arange(total, dtype=np.int32) - np.repeat(query_start[:-1] - start, count).astype(
            np.int32
        )
        tiles = _tiles(start, count, decodes)
        samples = (plan.samples & ~self.pooler.on[plan.rows])[order]
        lines = np.flatnonzero(samples).astype(np.int32)
        places, blocks = self.rows.writes(plan)

        staging = self.staging
        staging.begin()
        parts = {
            "rows": staging.put(who),
            "start": staging.put(start),
            "query_start": staging.put(query_start),
            "tokens": staging.put(self.rows.input_tokens(owner, positions)),
            "tiles": staging.put(tiles.reshape(-1)),
            "last": staging.put(query_start[1:][lines] - 1),
            "draw_rows": staging.put(who[lines]),
            "draw_at": staging.put((start + count)[lines]),
            "places": staging.put(places),
            "blocks": staging.put(blocks),
        }
        if self.sampler.changed:
            parts["table"] = staging.put(self.sampler.words)
        packet = staging.send()
        on_device = {name: packet[where] for name, where in parts.items()}
        if "table" in on_device:
            self.sampler.update(on_device["table"])
        if len(places):
            self.rows.tables.view(-1)[on_device["places"].long()] = on_device["blocks"]
        step = Step(who[lines], (start + count)[lines], self.rows.prompt[who[lines]], self.rows.tokens)
        rich = bool(self.sampler.rich[step.rows].any())
        if rich:
            self.sampler.begin(step)
        hidden = self._forward(on_device, total, decodes, len(tiles))
        tokens, report = self._drawn[: len(lines)], None
        if len(lines):
            logits = self.model.scores(hidden[on_device["last"].long()])
            if rich:
                report = self._draw_richly(logits, step, tokens)
            else:
                self.sampler.draw(
                    logits, on_device["draw_rows"], on_device["draw_at"], tokens, self.rows.last
                )
        done = self._whole(plan, order, query_start, hidden)
        flags = 0
        if len(lines) < len(who) or total > len(who):
            bad = ~torch.isfinite(hidden).all(-1)
            before = torch.nn.functional.pad(bad.cumsum(0, dtype=torch.int32), (1, 0))
            ends = on_device["query_start"].long()
            failed = before[ends[1:]] - before[ends[:-1]]
            tokens, flags = torch.cat([tokens, failed.int()]), len(who)
        turn = self.readback.start(tokens)
        running = Running(self, plan, order, lines, step, turn, report, flags)
        if done is not None:
            running.done = self.take_in(running, done)
        return running

    def _forward(self, on_device: dict[str, Tensor], total: int, decodes: int, tiles: int) -> Tensor:
        size = self.cache.block_tokens
        inputs = gather_inputs(
            on_device["rows"],
            on_device["start"],
            on_device["query_start"],
            on_device["tokens"],
            self.rows.tables,
            self.rows.last,
            size,
        )
        batches = [
            PagedBatch(
                query_start=on_device["query_start"],
                seq_lens=inputs.seq_lens,
                block_tables=self.rows.tables[g],
                slots=inputs.slots[g],
                host_query_start=[],
                host_seq_lens=[],
                block_size=size,
                rows=on_device["rows"],
                decodes=decodes,
                tiles=on_device["tiles"].view(-1, 2) if tiles else None,
            )
            for g in range(self.rows.groups)
        ]
        return self.model.forward(inputs.token_ids, inputs.positions, ForwardContext(batches))

    def _whole(self, plan: Plan, order: Ints, query_start: Ints, hidden: Tensor) -> Result | None:
        """Pooled values and prompt log-probabilities: rare enough to wait for."""
        pools, scores = self.pooler.on.any(), bool(self._prompt_logprobs)
        if not pools and not scores:
            return None
        n = len(plan.rows)
        result = Result(np.zeros((n, 1), np.int32), np.zeros(n, np.int32))
        if pools:
            ordered = Plan(
                plan.step, plan.rows[order], plan.start[order], plan.count[order], plan.samples[order]
            )
            pooled = self.pooler.pool(ordered, query_start, hidden, self.model.logits)
            result.pooled = {int(order[i]): value for i, value in pooled.values.items()}
            result.failed = {int(order[i]): why for i, why in pooled.failed.items()}
        for j, i in enumerate(order.tolist()) if scores else ():
            row = int(plan.rows[i])
            if row in self._prompt_logprobs:
                start, first = int(plan.start[i]), int(query_start[j])
                end = min(start + int(plan.count[i]), int(self.rows.prompt[row]) - 1)
                found = []
                for at in range(start, end, PROMPT_LINES):
                    stop = min(at + PROMPT_LINES, end)
                    logits = self.model.logits(hidden[first + at - start : first + stop - start]).cpu()
                    wanted = [self._prompt_logprobs[row]] * (stop - at)
                    found += score(logits, self.rows.tokens[row, at + 1 : stop + 1], wanted)
                result.prompt_scores[i] = found
        return result

    # -- results ---------------------------------------------------------------------------------------

    def take_in(self, running: Running, result: Result | None = None) -> Result:
        """Waits for a step and says what it drew, in the order of its plan."""
        plan, step, n = running.plan, running.step, len(running.plan.rows)
        drawn = len(step.rows)
        words = self.readback.read(running.turn, drawn + running.flags)
        tokens = words[:drawn]
        if result is None:
            result = Result(np.zeros((n, 1), np.int32), np.zeros(n, np.int32))
        at = running.order[running.lines]
        result.tokens[at, 0] = tokens
        result.counts[at] = 1
        for line, why in step.failed.items():
            result.failed.setdefault(int(at[line]), why)
        if drawn and tokens.min() < 0:
            for line in np.flatnonzero(tokens < 0).tolist():
                result.failed.setdefault(int(at[line]), NAN if tokens[line] == -1 else NOTHING)
            tokens = np.maximum(tokens, 0)
            result.tokens[at, 0] = tokens
        for i in np.flatnonzero(words[drawn:]).tolist() if running.flags else ():
            result.failed.setdefault(int(running.order[i]), NAN)
        self.rows.tokens[step.rows, step.positions] = tokens
        if self.sampler.host_bound[step.rows].any():
            for column in self.sampler.used(step):
                column.advance(step, tokens)
            for line, why in step.failed.items():
                result.failed.setdefault(int(at[line]), why)
        if running.report is not None:
            result.scores = {int(at[i]): s for i, s in running.report.scores(tokens).items()}
        for i, row in enumerate(plan.rows.tolist() if running.refused else ()):
            if row in running.refused:
                result.failed[i] = running.refused[row]
        for i in result.failed:
            self._wipe(plan, i)
        return result

    @torch.inference_mode()
    def _wipe(self, plan: Plan, i: int) -> None:
        """Clears what a failed row wrote, and the step after it, which may be under way."""
        reach = min(int(plan.start[i] + plan.count[i]) + 1, self.rows.columns * self.cache.block_tokens)
        first = int(plan.start[i]) // self.cache.block_tokens
        columns = slice(first, -(-reach // self.cache.block_tokens))
        for kv in self._kv:
            blocks = self.rows.tables[kv.group, int(plan.rows[i]), columns].long()
            kv.keys[blocks] = 0
            kv.values[blocks] = 0


def _tiles(start: Ints, count: Ints, decodes: int) -> Ints:
    """(sequence, first query) of all tiles of prompt chunks; those that read the most keys come first."""
    each = -(-count[decodes:] // QUERY_TILE)
    sequence = np.repeat(np.arange(decodes, len(count), dtype=np.int32), each)
    ends = np.cumsum(each)
    within = np.arange(len(sequence), dtype=np.int32) - np.repeat(ends - each, each).astype(np.int32)
    first = within * QUERY_TILE
    keys = start[sequence] + np.minimum(first + QUERY_TILE, count[sequence])
    by_length = np.argsort(-keys, kind="stable")
    tiles: Ints = np.stack([sequence, first], 1)[by_length].astype(np.int32)
    return tiles
