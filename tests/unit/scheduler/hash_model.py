"""A model that is a hash, run by a worker that trusts no plan.

The worker keeps what a real one keeps (tokens and block tables, from plans alone) and a KV cache that holds,
in every slot, a hash of the whole history of the token written there. Before a row's token counts, all that
it can see must be there: this row's history, slot by slot, in a block of the right group. A block handed to
two rows, a prefix that is not what its name says, a table entry that came too late: each is a wrong hash.

A request that pools is answered with the histories of all positions its row has computed, across its chunks.

Drafts are written like tokens, each with the history it would have, and stay in their slots when they turn
out wrong. The model guesses for itself: it knows what it would say, and sometimes says something else.

A plan ahead says where a row is at least, and how many guesses it may have; the worker, as a device would,
knows both: it goes on from the end of the row's last step with the guesses that it made then.

Rows can be made to fail. What they wrote is then spoilt, and so is whatever is computed from it: a spoilt
token is `SPOILT_TOKEN`, which no request may ever be told.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from quire.kv.groups import Layout
from quire.types import Admission, FinishReason, Floats, Ints, Plan, Request, Result, Scores

VOCAB = 40  # small, so that stop ids come up by themselves
EMPTY, SPOILT, GUESSED = 0, -1, -2  # slots; histories are positive
SPOILT_TOKEN = 30_000


def histories(request: Request, tokens: Sequence[int], before: Sequence[int] = ()) -> list[int]:
    """A number for each token that depends on all tokens up to it, on salt and on media."""
    media = {at: int.from_bytes(content) for at, content in request.media}
    out = list(before)
    for token in tokens[len(out) :]:
        parent = out[-1] if out else int.from_bytes(request.salt)
        out.append(hash((parent, int(token), media.get(len(out), 0))) & (2**62 - 1))
    return out


def next_token(history: int) -> int:
    return (history >> 7) % VOCAB


def answer_of(request: Request) -> tuple[list[int], FinishReason, int | None]:
    """What the model says to this request alone: the tokens, and how it ends."""
    past, tokens = histories(request, request.prompt.tolist()), request.prompt.tolist()
    while True:
        tokens.append(next_token(past[-1]))
        past = histories(request, tokens, past)
        out = tokens[len(request.prompt) :]
        if out[-1] in request.stop_ids and len(out) >= request.params.min_tokens:
            return out, "stop", None if out[-1] in request.eos_ids else out[-1]
        if len(tokens) == request.limit:
            return out, "length", None


def value_of(past: list[int], spoilt: bool = False) -> Floats:
    """What the model makes of positions with these histories, as numbers that float32 can tell apart."""
    return np.array([SPOILT_TOKEN if spoilt else past[i] % 2**20 for i in range(len(past))], np.float32)


@dataclass(slots=True)
class Held:
    """A row as the worker knows it."""

    request: Request
    tokens: list[int]
    past: list[int]  # its history at every token
    computed: int
    spoilt: bool = False
    pooled: list[int] = field(default_factory=list)  # histories of what it computed, if it pools
    guesses: list[int] = field(default_factory=list)  # after its last token, if that step was one ahead


class HashModel:
    def __init__(self, layout: Layout, blocks: int, rows: int, max_tokens: int, budget: int):
        self.layout = layout
        self.budget = budget
        columns = -(-max_tokens // layout.block_tokens)
        self.tables = [np.zeros((rows, columns), np.int32) for _ in layout.groups]
        self.kv = np.full((blocks + 1, layout.block_tokens), EMPTY, np.int64)
        self.live: dict[int, Held] = {}
        self.owner: dict[int, tuple[int, int]] = {}  # block → (group, row) that may write it
        self.failures = False  # whether anything was ever spoilt
        self.contagious = False  # whether a row that reads something spoilt is reported as failed, as NaN is
        self.luck = 0.7  # the chance of each guess to be right
        self.lookahead = False  # whether guessing needs blocks
        self.most = 0  # guesses of a row, where they are made in steps ahead
        self.ahead_steps = 0
        self.passed_over = 0  # places behind known tokens that were written there
        self.rng = random.Random(0)

    def execute(self, plan: Plan, failing: Collection[int] = (), broken: bool = False) -> Result | None:
        """Runs a step; rows in `failing` fail alone, and None is the answer of a step that is `broken`."""
        self._enter(plan)
        if plan.ahead is not None:
            plan = self._placed(plan)
        spoiling = set(plan.rows.tolist()) if broken else set(failing) & set(plan.rows.tolist())
        self.failures |= bool(spoiling)
        self._draft(plan)
        for row, start, count in _each(plan):
            self._write(row, start, start + count, row in spoiling)
        width = 1 if plan.drafts is None else 1 + plan.drafts.shape[1]
        result = Result(np.zeros((len(plan.rows), width), np.int32), plan.samples.astype(np.int32))
        for i, (row, start, count) in enumerate(_each(plan)):
            self._read(row, start, start + count)
            self._sample(plan, i, result)
        if plan.ahead is None:
            self._guess(plan, result)
        else:
            result.verified = plan.drafted
            self._guess_on_device(plan)
        for i, row in enumerate(plan.rows.tolist()):
            if row in spoiling:
                result.failed[i] = "it was told to fail"
            elif self.contagious and self.live[row].spoilt and plan.samples[i]:
                result.failed[i] = "its logits are useless"
        return None if broken else result

    # -- what the plan says --------------------------------------------------------------------------

    def _enter(self, plan: Plan) -> None:
        assert 0 < plan.tokens <= self.budget and (plan.count > 0).all()
        assert len(set(plan.rows.tolist())) == len(plan.rows), "a row is planned twice"
        for row in plan.released:
            del self.live[row]
        needed = self._needed()
        given: list[tuple[int, int, int]] = []  # (group, row, block)
        for admission in plan.admitted:
            given += self._admit(admission)
        for g, writes in enumerate(plan.blocks):
            self.tables[g][writes.rows, writes.columns] = writes.blocks
            given += [(g, *pair) for pair in zip(writes.rows.tolist(), writes.blocks.tolist(), strict=True)]
        blocks = [block for _, _, block in given]
        assert len(set(blocks)) == len(blocks), "a block is given twice in one plan"
        assert 0 not in blocks, "the null block is given away"
        assert not needed & set(blocks), "a block is given away that somebody still reads"
        for g, row, block in given:
            assert row in self.live
            self.owner[block] = (g, row)
        for i, (row, start, count) in enumerate(_each(plan)):
            held, sure = self.live[row], count - _drafted(plan, i)
            if plan.ahead is not None:
                self._check_ahead(plan, i)
                continue
            held.guesses = []
            assert start == held.computed, "a position is skipped or computed twice"
            assert start + sure <= len(held.tokens), "a token is computed before it exists"
            assert start + count < held.request.limit or held.request.pooling, "a draft that cannot come"
            assert plan.samples[i] == (start + sure == len(held.tokens))
            assert sure == count or plan.samples[i]

    def _check_ahead(self, plan: Plan, i: int) -> None:
        assert plan.ahead is not None and not plan.admitted and plan.samples[i]
        held, start, count = self.live[int(plan.rows[i])], int(plan.start[i]), int(plan.count[i])
        far = int(plan.ahead[i])
        assert count == 1 + _drafted(plan, i) and held.request.simple
        assert start <= held.computed <= start + max(far, 0), "it is not where the plan takes it to be"
        assert start + max(far, 0) + count < held.request.limit, "a guess that cannot come"
        assert held.computed + 1 == len(held.tokens)
        if far < 0:
            held.guesses = []

    def _placed(self, plan: Plan) -> Plan:
        """A plan ahead as the device knows it: where its rows are, and what is guessed."""
        self.ahead_steps += 1
        held = [self.live[row] for row in plan.rows.tolist()]
        tried = [h.guesses[: _drafted(plan, i)] for i, h in enumerate(held)]
        drafted = np.array([len(t) for t in tried], np.int32)
        drafts = np.zeros((len(held), int(drafted.max())), np.int32)
        for i, guesses in enumerate(tried):
            drafts[i, : len(guesses)] = guesses
        start = np.array([h.computed for h in held], np.int32)
        return replace(plan, start=start, count=1 + drafted, drafts=drafts, drafted=drafted)

    def _admit(self, admission: Admission) -> list[tuple[int, int, int]]:
        row, tokens = admission.row, admission.tokens.tolist()
        assert row not in self.live, "a row has two requests"
        assert tokens[: len(admission.request.prompt)] == admission.request.prompt.tolist()
        past = histories(admission.request, tokens)
        self.live[row] = Held(admission.request, tokens, past, admission.computed)
        full = admission.computed // self.layout.block_tokens
        assert full * self.layout.block_tokens == admission.computed < len(tokens)
        given = []
        for g, (table, blocks) in enumerate(zip(self.tables, admission.tables, strict=True)):
            table[row] = 0
            table[row, : len(blocks)] = blocks
            given += [(g, row, block) for block in blocks[full:].tolist()]
        return given

    def _needed(self) -> set[int]:
        """Blocks that rows will read again, whatever comes next."""
        out: set[int] = set()
        for g, group in enumerate(self.layout.groups):
            for row, held in self.live.items():
                first = int(group.first_needed(np.array([held.computed], np.int32))[0])
                out |= set(self.tables[g][row, first : group.blocks_for(held.computed)].tolist())
        return out - {0}

    # -- what the model does -------------------------------------------------------------------------

    def _slots(self, g: int, row: int, first: int, end: int) -> tuple[Ints, Ints]:
        at = np.arange(first, end)
        blocks = self.tables[g][row, at // self.layout.block_tokens]
        assert (blocks > 0).all(), f"row {row} has no block for some position in {first}..{end - 1}"
        return blocks, at % self.layout.block_tokens

    def _draft(self, plan: Plan) -> None:
        """Takes drafts for tokens, until `_sample` knows better."""
        for i, row in enumerate(plan.rows.tolist()):
            for j in range(_drafted(plan, i)):
                assert plan.drafts is not None
                self.live[row].tokens.append(int(plan.drafts[i, j]))
            self.live[row].past = histories(
                self.live[row].request, self.live[row].tokens, self.live[row].past
            )

    def _guess(self, plan: Plan, result: Result) -> None:
        if plan.want is None:
            return
        result.drafts = np.zeros((len(plan.rows), int(plan.want.max())), np.int32)
        result.drafted = np.zeros(len(plan.rows), np.int32)
        for i, row in enumerate(plan.rows.tolist()):
            held, tokens = self.live[row], list(self.live[row].tokens)
            want = min(int(plan.want[i]), held.request.limit - 1 - len(tokens))
            if not result.counts[i] or want <= 0:
                continue
            if self.lookahead:
                self._own(row, held.computed, held.computed + want)
            for _ in range(self.rng.choice([0, want, want])):
                token = next_token(histories(held.request, tokens)[-1])
                tokens.append(token if self.rng.random() < self.luck else self.rng.randrange(VOCAB))
            drafts = tokens[len(held.tokens) :]
            result.drafts[i, : len(drafts)] = drafts
            result.drafted[i] = len(drafts)

    def _guess_on_device(self, plan: Plan) -> None:
        assert (plan.room is not None) == self.lookahead
        for i, row in enumerate(plan.rows.tolist()):
            held, tokens = self.live[row], list(self.live[row].tokens)
            if plan.room is not None:
                self._pass_over(row, held.computed, min(held.computed + self.most, int(plan.room[i])))
            for _ in range(self.rng.choice([0, self.most, self.most])):
                token = next_token(histories(held.request, tokens)[-1])
                tokens.append(token if self.rng.random() < self.luck else self.rng.randrange(VOCAB))
            held.guesses = tokens[len(held.tokens) :]

    def _pass_over(self, row: int, first: int, end: int) -> None:
        """Who guesses on the device writes there, too."""
        self.passed_over += max(0, end - first)
        self._own(row, first, end)
        if not self.live[row].spoilt:
            for g in range(len(self.tables)):
                self.kv[self._slots(g, row, first, end)] = GUESSED

    def _own(self, row: int, first: int, end: int) -> None:
        for g in range(len(self.tables)):
            blocks, _ = self._slots(g, row, first, end)
            assert all(self.owner[block] == (g, row) for block in set(blocks.tolist())), "not its block"

    def _write(self, row: int, start: int, end: int, spoil: bool) -> None:
        held = self.live[row]
        held.spoilt |= spoil
        for g in range(len(self.tables)):
            blocks, offsets = self._slots(g, row, start, end)
            assert all(self.owner[block] == (g, row) for block in set(blocks.tolist())), "not its block"
            if held.spoilt:
                self.kv[blocks] = SPOILT  # whole blocks: a worker wipes them
            else:
                self.kv[blocks, offsets] = self._content(g, held, start, end)

    def _read(self, row: int, start: int, end: int) -> None:
        """All that positions start .. end - 1 see is this row's own history, or the row is spoilt."""
        held = self.live[row]
        held.computed = end
        for g, group in enumerate(self.layout.groups):
            first = max(0, start - getattr(group, "window", start + 1) + 1)
            blocks, offsets = self._slots(g, row, first, end)
            seen, due = self.kv[blocks, offsets], self._content(g, held, first, end)
            if (seen == SPOILT).any():
                assert self.failures
                held.spoilt = True
            elif not held.spoilt:
                wrong = np.flatnonzero(seen != due)
                assert not len(wrong), f"row {row}, group {g}: positions {(first + wrong).tolist()} are wrong"
        if held.spoilt:
            self._write(row, start, end, spoil=True)

    def _content(self, g: int, held: Held, first: int, end: int) -> np.ndarray:
        return np.array(held.past[first:end], np.int64) ^ g

    def _sample(self, plan: Plan, i: int, result: Result) -> None:
        held = self.live[int(plan.rows[i])]
        params, prompt = held.request.params, len(held.request.prompt)
        if params.prompt_logprobs is not None:
            start, end = int(plan.start[i]), min(held.computed, prompt - 1)
            result.prompt_scores[i] = [_score(held.tokens[p], p) for p in range(start + 1, end + 1)]
        if held.request.pooling is not None:
            result.counts[i] = 0
            held.pooled += held.past[int(plan.start[i]) : held.computed]
            if plan.samples[i]:
                result.pooled[i] = value_of(held.pooled, held.spoilt)
            return
        if not plan.samples[i]:
            return
        end = len(held.tokens) - _drafted(plan, i)  # drafts stand from there on
        drafts, past = held.tokens[end:], held.past
        del held.tokens[end:]
        for j in range(len(drafts) + 1):
            token = SPOILT_TOKEN if held.spoilt else next_token(past[end + j - 1])
            if params.logprobs is not None:
                result.scores.setdefault(i, []).append(_score(token, len(held.tokens)))
            result.tokens[i, j] = token
            held.tokens.append(token)
            if [token] != drafts[j : j + 1]:
                break
        result.counts[i] = len(held.tokens) - end
        held.computed = len(held.tokens) - 1
        held.past = histories(held.request, held.tokens, past[:end])


def _each(plan: Plan) -> list[tuple[int, int, int]]:
    return list(zip(plan.rows.tolist(), plan.start.tolist(), plan.count.tolist(), strict=True))


def _drafted(plan: Plan, i: int) -> int:
    return 0 if plan.drafted is None else int(plan.drafted[i])


def _score(token: int, position: int) -> Scores:
    """Its log-probability is its position: so a test sees which position was scored."""
    return Scores(np.array([token], np.int32), np.array([position], np.float32), 1)
