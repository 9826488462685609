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
from quire.ops.step import prepare_decode
from quire.params import SamplingParams
from quire.types import Admission, CacheShape, Ints, KVLayerSpec, Plan, Result, RowIndex
from quire.worker.columns import Step
from quire.worker.cuda.graphs import Graphs, Recorded
from quire.worker.cuda.guesses import GuessesAhead
from quire.worker.cuda.kv_memory import KVMemory
from quire.worker.cuda.prompts import PROMPTS, Chunks, PromptGraphs, Prompts
from quire.worker.cuda.reading import Reading
from quire.worker.cuda.rows import CudaRows
from quire.worker.cuda.sampler import CudaSampler, Report
from quire.worker.cuda.staging import Readback, Staging
from quire.worker.cuda.verify import Verify, lines_of
from quire.worker.drafts import NoDrafts, Proposer
from quire.worker.drafts.asking import ask
from quire.worker.drafts.on_device import Guesser, on_device
from quire.worker.pooler import Pooler
from quire.worker.sampler import NAN, NOTHING, right_lines

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
    order: Ints | None  # sequence i of the step is row order[i] of the plan; None: as in the plan
    lines: Ints | None  # the sequences that draw a token; None: all
    step: Step
    turn: int
    report: Report | None = None
    flags: Ints | None = None  # further words read back: for each sequence, whether a state is not a number
    picked: Ints | None = None  # which of the words read back are the lines'; None: the first ones
    hidden: Tensor | None = None  # for who guesses
    query_start: Ints | None = None  # where the plan's rows begin in it
    done: Result | None = None
    refused: dict[int, str] = field(default_factory=dict)

    def result(self) -> Result:
        if self.done is None:
            self.done = self.runner.take_in(self)
        return self.done


@dataclass(slots=True)
class RunningAhead:
    """A step ahead that was launched."""

    runner: CudaRunner
    plan: Plan
    turn: int
    words: int
    done: Result | None = None

    def result(self) -> Result:
        if self.done is None:
            self.done = self.runner.take_in_ahead(self)
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
        short_prompt: int = 0,
        proposer: Proposer | None = None,
        drafts: int = 0,
        ahead: bool = True,
    ):
        """`small` is the same model made for at most `small_lines` tokens at a time.

        Prompts of at most `short_prompt` tokens, those of a step together, run in graphs. `proposer` guesses
        at most `drafts` tokens of a row, and on the device, if it can, in steps planned `ahead` of results.
        """
        self.proposer: Proposer = NoDrafts() if proposer is None else proposer
        self.model, self.small, self.small_lines = model, small, small_lines
        self.cache, self.device = cache, device
        guesser = on_device(self.proposer) if drafts and ahead else None
        reads = guesser is not None and guesser.reads_history
        longest = max_tokens + drafts  # what pads a line with drafts may stand behind its last token
        self.rows = CudaRows(rows, longest, cache, device, pinned=reads)
        self.sampler = CudaSampler(rows, vocab, encode, grammars, device)
        self.reading = Reading(self.rows, Pooler(rows, pooling, activation))
        self.kv = KVMemory(model, self.proposer, layers, cache, kv_dtype, device)
        lines = (rows + PROMPTS + 2) * (1 + drafts)
        entries = cache.groups * (rows + 1) * self.rows.columns
        tiles = 2 * (lines + -(-budget // QUERY_TILE))
        words = 9 * lines + budget + tiles + 2 * entries + len(self.sampler.words) + 128
        self.staging = Staging(words, device)
        self.readback = Readback(4 * lines, device)
        self._drawn = torch.zeros(rows, dtype=torch.int32, device=device)
        self._latest: Plan | None = None  # submitted
        self.graphs = Graphs(self.decode, self.blank, rows, capture=capture and device.type == "cuda")
        self.prompts = Prompts(model, self.rows, cache, self.staging, self.sampler, drafts)
        common = (model, self.rows, cache, self.staging, self.sampler)
        self.verify = Verify(*common, self.graphs.record, self.graphs.sizes, drafts)
        self.ahead: GuessesAhead | None = None
        self.guess_by(guesser)
        most = min(budget - rows, max_tokens, short_prompt)
        self.prompt_graphs = PromptGraphs(self.prompts, self.graphs.record, most, rows)

    def prepare(self) -> bool:
        """Captures one graph that is still missing; False where none is."""
        if self.graphs.record_next() or self.prompt_graphs.record_next():
            return True
        return self.graphs.capture and self.ahead is not None and self.ahead.record_next()

    def guess_by(self, guesser: Guesser | None) -> None:
        """Lets steps ahead be guessed for by `guesser`; without one there are none."""
        most = self.verify.widths[-1] - 1
        self.ahead = None if guesser is None else GuessesAhead(self.verify, guesser, most, self.graphs.record)

    def allocate_kv(self) -> None:
        self.kv.allocate()

    def free_kv(self) -> None:
        """Gives the cache's memory back; nothing may run until `allocate_kv`."""
        self.graphs.forget()
        self.prompt_graphs.forget()
        self.verify.forget()
        if self.ahead is not None:
            self.ahead.forget()
        self.kv.free()

    # -- steps -----------------------------------------------------------------------------------------

    @property
    def depth(self) -> int:
        """Steps that may be in flight: one while a row needs its last token on the host."""
        return 1 if self.sampler.host_bound.any() else 2

    @torch.inference_mode()
    def submit(self, plan: Plan) -> Running | RunningAhead:
        self._latest = plan
        refused = self._enter(plan)
        if plan.ahead is not None:
            assert self.ahead is not None and not self.sampler.rich[plan.rows].any()
            words = self.ahead.submit(plan)
            return RunningAhead(self, plan, self.readback.start(words), len(words))
        drafted = plan.count == 1 if plan.drafted is None else plan.count == 1 + plan.drafted
        if plan.admitted or not drafted.all() or not plan.samples.all() or self.reading.wanted:
            running = self._launch(plan)
        elif plan.want is None or (plan.drafted is None and not self._shown(plan)):
            running = self._replay(plan)
        elif self.verify.pays(plan):
            running = self._verify(plan)
        else:
            running = self._launch(plan)
        running.refused = refused
        return running

    def _shown(self, plan: Plan) -> bool:
        """Whether a plain step would lack something: blocks ahead of tokens, or states for who guesses."""
        who = self.proposer
        return who.lookahead > 0 or (who.reads_hidden and plan.want is not None and bool(plan.want.any()))

    def execute(self, plan: Plan) -> Result:
        """A step from beginning to end."""
        return self.submit(plan).result()

    def _enter(self, plan: Plan) -> dict[int, str]:
        """Brings the host's side of rows up to date; returns rows whose parameters make no sense here."""
        refused = {}
        for row in plan.released:
            self.sampler.release(row)
            self.reading.release(row)
            self.proposer.release(row)
        for admission in plan.admitted:
            self.rows.admit(admission)
            self.proposer.admit(admission)
            if self.ahead is not None:
                self.ahead.texts.admit(admission.row)
            try:
                self.sampler.admit(admission)
                self.reading.admit(admission)
            except QuireError as e:
                refused[admission.row] = str(e)
                self._neutralise(admission)
        self.rows.draft(plan)
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
        common = rows.shared_tokens(plan, self.cache.block_tokens) if n >= SHARED_LINES else 0
        shared = common >= SHARED_TOKENS
        lines = self.graphs.lines_for(n, shared)
        replay = self.graphs.at(lines, shared)
        self.staging.begin()
        self.staging.space(HEADER)[:] = common
        packet = self.staging.space((3 + rows.groups) * lines).reshape(3 + rows.groups, lines)
        packet[0, :n], packet[0, n:] = plan.rows, rows.scratch
        packet[1, :n], packet[1, n:] = plan.start, 0
        rows.input_tokens(plan.rows, plan.start, packet[2, :n])
        packet[2:, n:] = 0
        rows.new_blocks(plan, packet[3:, :n])
        self.staging.send()
        step = Step(plan.rows, plan.start + 1, rows.prompt, rows.tokens)
        report = None
        if self.sampler.rich[plan.rows].any():
            step.prompts = rows.prompt[plan.rows]
            self.sampler.begin(step)
            recorded = replay()
            report = self._draw_richly(recorded.logits[:n], step, recorded.tokens[:n])
        else:
            recorded = replay()
        turn = self.readback.start(recorded.tokens)
        return Running(self, plan, None, None, step, turn, report)

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
        if step.depth is None:
            self.sampler.history.advance(step.rows, tokens.clamp(min=0))
        else:  # of the others it is not known yet which count
            sure = _sure(step.depth)
            some = tokens[torch.from_numpy(sure).to(self.device)]
            self.sampler.history.advance(step.rows[sure], some.clamp(min=0))
        if raw is None:
            return None
        lines = np.flatnonzero(self.sampler.logprobs[step.rows] >= 0)
        counts = self.sampler.logprobs[step.rows[lines]].tolist()
        chosen = tokens[torch.from_numpy(lines).to(self.device)]
        return Report.of(raw, chosen, lines.astype(np.int32), counts)

    # -- drafts ----------------------------------------------------------------------------------------

    def _verify(self, plan: Plan) -> Running:
        room, width = self.verify.room(plan)
        at, depth = lines_of(plan, width)
        who = np.repeat(plan.rows, plan.count)
        positions = np.repeat(plan.start, plan.count) + depth + 1
        step = Step(who, positions, self.rows.prompt[who], self.rows.tokens)
        if plan.drafted is not None:
            step.depth = depth
        rich = bool(self.sampler.rich[who].any())
        if rich:
            self.sampler.begin(step)
        left = self.verify.submit(plan, room, width)
        tokens, report = left.tokens, None
        if rich:
            index = torch.from_numpy(at).to(self.device).long()
            some = tokens[index]
            report = self._draw_richly(left.logits[index], step, some)
            tokens[index] = some
        turn = self.readback.start(tokens)
        owner = np.repeat(np.arange(len(plan.rows), dtype=np.int32), plan.count)
        running = Running(self, plan, np.arange(len(plan.rows), dtype=np.int32), owner, step, turn, report)
        running.picked = at
        if plan.want is not None and plan.want.any() and self.proposer.reads_hidden:
            running.hidden = left.hidden.clone()  # the next replay overwrites it
        running.query_start = np.arange(len(plan.rows) + 1, dtype=np.int32) * width
        return running

    # -- steps with prompts ----------------------------------------------------------------------------

    def _launch(self, plan: Plan) -> Running:
        reads = self.reading.wanted
        shows = plan.want is not None and self.proposer.reads_hidden
        chunks = Chunks.of(plan, plan.samples & ~self.reading.pooler.on[plan.rows])
        graph = None if reads or shows else self.prompt_graphs.find(chunks)
        room = chunks.exactly() if graph is None else graph[0]
        seat = self.prompts.send(plan, chunks, room)
        who, lines = chunks.rows[chunks.lines], len(chunks.lines)
        step = Step(who, chunks.drawn_at, self.rows.prompt[who], self.rows.tokens, depth=chunks.depth)
        rich = bool(self.sampler.rich[who].any())
        if rich:
            self.sampler.begin(step)
        drawn = self.prompts.run(room) if graph is None else graph[1]()
        report = self._draw_richly(drawn.logits[:lines], step, drawn.words[:lines]) if rich else None
        turn = self.readback.start(drawn.words)
        running = Running(self, plan, chunks.order, chunks.lines, step, turn, report, room.lines + seat)
        if shows:
            running.hidden = drawn.hidden
            running.query_start = np.zeros(len(plan.rows), np.int32)
            running.query_start[chunks.order] = chunks.query_start()[:-1]
        if reads:
            found = self.reading.read(
                plan, chunks.order, chunks.query_start(), drawn.hidden, self.model.logits
            )
            running.done = self.take_in(running, found)
        return running

    # -- results ---------------------------------------------------------------------------------------

    def take_in(self, running: Running, result: Result | None = None) -> Result:
        """Waits for a step and says what it drew, in the order of its plan."""
        plan, step, n = running.plan, running.step, len(running.plan.rows)
        drawn = len(step.rows)
        read = drawn if running.flags is None else int(running.flags[-1]) + 1
        read = read if running.picked is None else int(running.picked[-1]) + 1
        words = self.readback.read(running.turn, read)
        tokens = words[:drawn] if running.picked is None else words[running.picked]
        if drawn and tokens.min() < 0:
            for line in np.flatnonzero(tokens < 0).tolist():
                step.failed.setdefault(line, NAN if tokens[line] == -1 else NOTHING)
            tokens = np.maximum(tokens, 0)
        scores = {} if running.report is None else running.report.scores(tokens)
        if running.order is None or running.lines is None:  # a token for each row, in the plan's order
            at = np.arange(n, dtype=np.int32)
            result = Result(tokens[:, None], np.ones(n, np.int32))
        else:
            at, depth = running.order[running.lines], np.zeros(drawn, np.int32)
            if step.depth is not None:
                lines = right_lines(tokens, step)
                at, tokens, depth = at[lines], tokens[lines], step.depth[lines]
                scores = {i: scores[line] for i, line in enumerate(lines.tolist()) if line in scores}
                step = self._count(step, lines, tokens)
            result = result or Result(np.zeros((0, 0), np.int32), np.zeros(0, np.int32))
            result.tokens = np.zeros((n, 1 + int(depth.max(initial=0))), np.int32)
            result.tokens[at, depth] = tokens
            result.counts = np.bincount(at, minlength=n).astype(np.int32)
        for line, why in step.failed.items():
            result.failed.setdefault(int(at[line]), why)
        if running.order is not None and running.flags is not None:
            for i in np.flatnonzero(words[running.flags]).tolist():
                result.failed.setdefault(int(running.order[i]), NAN)
        self.rows.tokens[step.rows, step.positions] = tokens
        if self.sampler.host_bound[step.rows].any():
            for column in self.sampler.used(step):
                column.advance(step, tokens)
            for line, why in step.failed.items():
                result.failed.setdefault(int(at[line]), why)
        for i, found in scores.items():
            result.scores.setdefault(int(at[i]), []).extend(found)
        for i, row in enumerate(plan.rows.tolist() if running.refused else ()):
            if row in running.refused:
                result.failed[i] = running.refused[row]
        for i in result.failed:
            self._wipe(plan, i)
        if plan.want is not None:
            self._propose(running, result)
        return result

    def take_in_ahead(self, running: RunningAhead) -> Result:
        """Waits for a step ahead and says what it drew."""
        assert self.ahead is not None
        result = self.ahead.take_in(running.plan, self.readback.read(running.turn, running.words))
        for i in result.failed:
            self._wipe(running.plan, i)
        return result

    @torch.inference_mode()
    def _count(self, step: Step, lines: RowIndex, tokens: Ints) -> Step:
        """The step of those lines alone that count: drafts before the others were wrong."""
        assert step.depth is not None
        some = step.only(lines)
        some.failed = {i: step.failed[n] for i, n in enumerate(lines.tolist()) if n in step.failed}
        self.rows.given[some.rows] = some.positions + 1  # the device does not know which one was the last
        if self.sampler.rich[some.rows].any():
            late = np.flatnonzero(~np.isin(lines, _sure(step.depth)))
            self.sampler.history.advance(some.rows[late], torch.from_numpy(tokens[late]).to(self.device))
        return some

    @torch.inference_mode()
    def _propose(self, running: Running, result: Result) -> None:
        hidden = self._drawn[:0] if running.hidden is None else running.hidden
        starts = np.zeros(0, np.int32) if running.query_start is None else running.query_start
        r = self.rows
        ask(self.proposer, running.plan, result, r.limit, r.tokens, r.blocks, hidden, starts)

    def _wipe(self, plan: Plan, i: int) -> None:
        """Clears what a failed row wrote, and the step after it, which may be under way.

        Not a block further: behind what a row computes its table names blocks that are others' by now.
        """
        size, row = self.cache.block_tokens, int(plan.rows[i])
        both = plan, self._latest or plan
        end = max(int(_end(p)[p.rows == row].max(initial=0)) for p in both)
        self.kv.wipe(self.rows.tables, row, int(plan.start[i]) // size, -(-end // size))


def _end(plan: Plan) -> Ints:
    """Behind which position rows compute nothing."""
    end: Ints = plan.start + plan.count
    return end if plan.ahead is None else end + plan.ahead.clip(min=0)


def _sure(depth: Ints) -> RowIndex:
    """The lines of rows without drafts: they count, whatever is drawn, and their next step may not wait."""
    lines: RowIndex = np.flatnonzero((depth == 0) & np.append(depth[1:] == 0, True))
    return lines
