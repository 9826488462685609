"""Runs plans on a CUDA GPU. Nothing waits for the device except `Running.result`.

A step of one token for each row is a replay of a captured graph: its packet says which rows, at which
positions, with which new blocks, and the device does the rest, from the last token of each row to the next.
Steps that read prompts are graphs, too, or are launched kernel by kernel, decoding rows first. In all of them
a step may be launched before the one before it is read; what follows then is in `landing`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from quire.errors import QuireError
from quire.grammar import Grammars
from quire.ops.attention import ForwardContext, KVLayer, PagedBatch
from quire.ops.attention.contract import QUERY_TILE
from quire.ops.step import prepare_decode, publish, scatter_blocks
from quire.params import SamplingParams
from quire.shared_prefix import SHARED_ROWS, SHARED_TOKENS
from quire.types import Admission, CacheShape, Ints, KVLayerSpec, Plan, Result
from quire.worker.columns import Step
from quire.worker.cuda.graphs import Graphs, Recorded
from quire.worker.cuda.guesses import GuessesAhead
from quire.worker.cuda.kv_memory import KVMemory
from quire.worker.cuda.landing import Landing, Repeated, Running, RunningAhead
from quire.worker.cuda.prompts import CHUNKS, Chunks, PromptGraphs, Prompts
from quire.worker.cuda.reading import Reading
from quire.worker.cuda.repeats import HEADER, Repeats
from quire.worker.cuda.rows import CudaRows
from quire.worker.cuda.sampler import CudaSampler, Scored
from quire.worker.cuda.staging import Readback, Staging
from quire.worker.cuda.verify import Verify, lines_of
from quire.worker.drafts import NoDrafts, Proposer
from quire.worker.drafts.guessing import Guesser
from quire.worker.drafts.on_device import on_device
from quire.worker.kv_room import held_bytes
from quire.worker.pooler import Pooler


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
        proposer = NoDrafts() if proposer is None else proposer
        self.model, self.small, self.small_lines = model, small, small_lines
        self.cache, self.device = cache, device
        guesser = on_device(proposer) if drafts and ahead else None
        reads = guesser is not None and guesser.reads_history
        longest = max_tokens + drafts  # what pads a line with drafts may stand behind its last token
        self.rows = CudaRows(rows, longest, cache, device, pinned=reads)
        self.sampler = CudaSampler(rows, vocab, encode, grammars, device)
        self.reading = Reading(self.rows, Pooler(rows, pooling, activation))
        self.kv = KVMemory(model, proposer, layers, cache, kv_dtype, device)
        lines = (rows + CHUNKS[-1] + 2) * (1 + drafts)
        entries = cache.groups * (rows + 1) * self.rows.columns
        tiles = 2 * (lines + -(-budget // QUERY_TILE))
        after = budget + lines if guesser is not None else 0
        words = 9 * lines + rows + budget + after + tiles + 2 * entries + len(self.sampler.words) + 128
        self.staging = Staging(words, device)
        self.readback = Readback(4 * lines, device)
        self._drawn = torch.zeros(rows, dtype=torch.int32, device=device)
        self.landing = Landing(self.rows, self.sampler, self.kv, cache, self.readback, proposer)
        self._repeats = Repeats(self.staging)
        self.graphs = Graphs(self.decode, self.blank, rows, capture=capture and device.type == "cuda")
        self.prompts = Prompts(model, self.rows, cache, self.staging, self.sampler, drafts, guesser)
        common = (model, self.rows, cache, self.staging, self.sampler)
        self.verify = Verify(*common, self.graphs.record, self.graphs.sizes, drafts)
        self.ahead: GuessesAhead | None = None
        self.guess_by(guesser)
        self.prompt_graphs = PromptGraphs(self.prompts, self.graphs.record, short_prompt, budget, rows)

    @property
    def proposer(self) -> Proposer:
        """Who guesses on the host."""
        return self.landing.proposer

    @proposer.setter
    def proposer(self, proposer: Proposer) -> None:
        self.landing.proposer = proposer

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
        """Gives the memory of the cache and of graphs back; nothing may run until `allocate_kv`."""
        before = held_bytes(self.device)
        self.graphs.forget()
        self.prompt_graphs.forget()
        self.verify.forget()
        if self.ahead is not None:
            self.ahead.forget()
        self.kv.free()
        self.kv.room = max(self.kv.room, before - held_bytes(self.device))

    # -- steps -----------------------------------------------------------------------------------------

    @property
    def depth(self) -> int:
        """Steps that may be in flight: one while a row needs its last token on the host."""
        return 1 if self.sampler.changing.waits else 2

    def submit(self, plan: Plan) -> Running | Repeated | RunningAhead:
        self.landing.latest = plan
        if plan.again and not plan.released and not self.sampler.some_rich:
            again = self._repeat(plan)
            if again is not None:
                return again
        return self._submit(plan)

    @torch.inference_mode()
    def _submit(self, plan: Plan) -> Running | RunningAhead:
        self._repeats.forget()
        self.landing.catch_up(plan.released)
        refused = self._enter(plan)
        if plan.ahead is not None:
            assert self.ahead is not None and not self.sampler.rich[plan.rows].any()
            words, width = self.ahead.submit(plan)
            turn = self._send_back(words)
            return RunningAhead(self.landing, self.ahead, plan, turn, len(words), width)
        if plan.again:
            return self._replay(plan)
        drafted = plan.count == 1 if plan.drafted is None else plan.count == 1 + plan.drafted
        if plan.admitted or not drafted.all() or not plan.samples.all() or self.reading.wants(plan):
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
        if who.reads_hidden and plan.want is not None and plan.want.any():
            return True
        return not self.rows.grows_by_itself(plan)

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
        common = rows.common.tokens(plan) if n >= SHARED_ROWS and rows.groups == 1 else 0
        shared = common >= SHARED_TOKENS
        lines = self.graphs.lines_for(n, shared)
        replay = self.graphs.at(lines, shared)
        turn = self.readback.next()
        self.staging.begin()
        header = self.staging.space(HEADER)
        header[0], header[1] = common, turn
        packet = self.staging.space((3 + rows.groups) * lines).reshape(3 + rows.groups, lines)
        packet[0, :n], packet[0, n:] = plan.rows, rows.scratch
        packet[1, :n], packet[1, n:] = plan.start, 0
        rows.input_tokens(plan.rows, plan.start, packet[2, :n])
        packet[2:, n:] = 0
        self._repeats.begin(common, lines, packet)
        self._send(plan, packet[3:, :n])
        step = Step(plan.rows, plan.start + 1, rows.prompt, rows.tokens)
        scored: Scored | None = None
        if self.sampler.some_rich and self.sampler.rich[plan.rows].any():
            step.prompts = rows.prompt[plan.rows]
            self.sampler.changing.begin(step)
            recorded = replay()
            scored = self.sampler.draw_again(
                recorded.logits[:n], step, recorded.tokens[:n], rows.last, ends=True
            )
            self.readback.start(recorded.tokens, turn)
        else:
            replay()
            self.readback.published(turn)
        return Running(self.landing, plan, None, None, step, turn, scored)

    def _repeat(self, plan: Plan) -> Repeated | None:
        """The last step once more, a token further; None where it was of another kind or size."""
        repeats, n = self._repeats, len(plan.rows)
        shared = repeats.common >= SHARED_TOKENS
        # First whether there is a better size: to capture it would leave another packet on the device.
        if self.graphs.lines_for(n, shared) != repeats.lines or not repeats.follows:
            return None
        turn = self.readback.next()
        if plan.blocks:
            places = repeats.packet(n)
            places.header[1], places.start[:] = turn, plan.start
            self._send(plan, places.blocks)
        self.graphs.at(repeats.lines, shared)()  # without news it has made the packet itself
        self.readback.published(turn)
        return Repeated(self.landing, plan, turn)

    def _send(self, plan: Plan, blocks: Ints) -> None:
        """Sends a packet of single tokens: blocks that rows begin in its lines, those ahead behind them."""
        rows, staging = self.rows, self.staging
        if rows.grows_by_itself(plan):
            rows.new_blocks(plan, blocks)
            staging.send()
            return
        blocks[:] = 0
        places, numbers = (staging.put(words) for words in rows.writes(plan))
        sent = staging.send()
        scatter_blocks(rows.tables, sent[places], sent[numbers])

    def blank(self, lines: int) -> None:
        """A packet of padded lines only."""
        self._repeats.forget()
        self.staging.device[: HEADER + (3 + self.rows.groups) * lines] = 0
        self.staging.device[HEADER : HEADER + lines] = self.rows.scratch
        self.staging.device[1] = self.readback.nowhere

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
        self.sampler.draw(logits, packet[0], inputs.seq_lens, tokens, rows.last, ends=True)
        publish(tokens, self.staging.device[1:2], packet, self.readback.ring)
        return Recorded(tokens, logits)

    def _send_back(self, words: Tensor) -> int:
        """Lets the host have what a step left behind; returns the turn to read."""
        turn = self.readback.next()
        self.readback.start(words, turn)
        return turn

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
            self.sampler.changing.begin(step)
        left = self.verify.submit(plan, room, width)
        tokens, scored = left.tokens, None
        if rich:
            scored = self.sampler.draw_again(left.logits, step, tokens, self.rows.last, at)
        turn = self._send_back(tokens)
        owner = np.repeat(np.arange(len(plan.rows), dtype=np.int32), plan.count)
        running = Running(
            self.landing, plan, np.arange(len(plan.rows), dtype=np.int32), owner, step, turn, scored
        )
        running.picked = at
        if plan.want is not None and plan.want.any() and self.proposer.reads_hidden:
            running.hidden = left.hidden.clone()  # the next replay overwrites it
        running.query_start = np.arange(len(plan.rows) + 1, dtype=np.int32) * width
        return running

    def _shows(self, plan: Plan) -> bool:
        """Whether who guesses needs the states of a step: for its own layers, or for guesses right after."""
        layers = self.cache.drafting > 0
        return plan.want is not None and self.proposer.reads_hidden and (layers or bool(plan.want.any()))

    def _follows(self, plan: Plan) -> bool:
        """Whether who guesses on the device can see a step before its tokens are known."""
        guessed = plan.want is None or plan.drafted is not None or bool(plan.want.any())
        return self.ahead is not None and not guessed

    # -- steps with prompts ----------------------------------------------------------------------------

    def _launch(self, plan: Plan) -> Running:
        reads, follows = self.reading.wants(plan), self._follows(plan)
        shows = not follows and self._shows(plan)
        chunks = Chunks.of(plan, plan.samples & ~self.reading.pooler.on[plan.rows])
        # The next step overwrites the states of a graph: whoever needs them later gets none.
        graph = None if reads or shows else self.prompt_graphs.find(chunks, read=plan.want is not None)
        room = chunks.exactly() if graph is None else graph[0]
        if follows and self.ahead is not None:
            r = self.rows
            self.ahead.guesser.prepare(plan.rows, plan.start, plan.count, r.tokens, r.blocks)
        seat = self.prompts.send(plan, chunks, room)
        who, lines = chunks.rows[chunks.lines], len(chunks.lines)
        step = Step(who, chunks.drawn_at, self.rows.prompt[who], self.rows.tokens, depth=chunks.depth)
        rich = bool(self.sampler.rich[who].any())
        if rich:
            self.sampler.changing.begin(step)
        drawn = self.prompts.run(room, follow=follows) if graph is None else graph[1]()
        scored = None
        if rich:
            some = drawn.logits[:lines], step, drawn.words[:lines]
            scored = self.sampler.draw_again(*some, self.rows.last)
        turn = self._send_back(drawn.words)
        running = Running(
            self.landing, plan, chunks.order, chunks.lines, step, turn, scored, room.lines + seat
        )
        if shows:
            running.hidden = drawn.hidden
            running.query_start = np.zeros(len(plan.rows), np.int32)
            running.query_start[chunks.order] = chunks.query_start()[:-1]
        running.asked = follows
        if reads:
            found = self.reading.read(
                plan, chunks.order, chunks.query_start(), drawn.hidden, self.model.logits
            )
            running.done = self.landing.take_in(running, found)
        return running
