"""The column of structured outputs: only tokens that continue the text as a row's grammar allows.

A grammar speaks of text; the column adds the tokens that end the request (end of text, stop_token_ids) where
the grammar may end. min_tokens and ignore_eos hold those back as long as anything else can come: when the
grammar is complete they are all that is left, and the request ends.

What may come depends only on the tokens so far: the masks of all rows are filled in one call, in a thread
of their own while the model computes the logits they are for.
"""

from __future__ import annotations

import functools
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import embedding

from quire.errors import NeedsTokenizer, RequestFailed
from quire.grammar import Grammars, Matcher
from quire.types import GRAMMAR_FAILED, Admission, Ints, RowIndex
from quire.worker.columns.contract import HELD_LINES, Step, Switch, bits_of, words_of

Problems = dict[int, str]  # line → why it cannot go on


@functools.cache
def _closed() -> Tensor:
    """For each value of eight bits, what is added to their logits: much faster than a masked fill."""
    bits = torch.arange(256)[:, None] >> torch.arange(8)
    return torch.where(bits & 1 == 1, 0.0, -torch.inf)


class Grammar(Switch):
    def __init__(self, rows: int, vocab: int, grammars: Grammars | None):
        super().__init__(rows)
        self.vocab = vocab
        self.grammars = grammars
        words = words_of(vocab)
        self.matchers: dict[int, Matcher] = {}
        self.stop_ids: dict[int, frozenset[int]] = {}
        self.bits: Ints = np.zeros((rows, words), np.int32)  # masks, of each line of a step that has one
        # What a row's mask is made of; untouched pages cost no memory.
        self.ends: Ints = np.zeros((rows, words), np.int32)  # tokens that end the request
        self.eos: Ints = np.zeros((rows, words), np.int32)  # those of them that ignore_eos holds back
        self.until: Ints = np.zeros(rows, np.int32)  # the position from which the request may end
        self._thread: ThreadPoolExecutor | None = None
        self._filling: tuple[Step, Future[Problems]] | None = None

    def admit(self, admission: Admission) -> None:
        request, row = admission.request, admission.row
        asked = request.params.structured_outputs
        self.on[row] = asked is not None
        if asked is None:
            return
        if self.grammars is None:
            raise NeedsTokenizer("structured_outputs need a tokenizer; drop skip_tokenizer_init")
        after = request.params.structured_outputs_after
        self.matchers[row] = matcher = self.grammars.matcher(asked, after, request.grammar)
        self.stop_ids[row] = request.stop_ids
        self.ends[row] = bits_of(request.stop_ids, self.vocab)
        self.eos[row] = bits_of(request.eos_ids, self.vocab) if request.params.ignore_eos else 0
        self.until[row] = len(request.prompt) + request.params.min_tokens
        for token in admission.tokens[len(request.prompt) :].tolist():  # from before a preemption
            if token not in request.stop_ids and not matcher.advance(token):
                raise RequestFailed(f"its grammar does not allow token {token}, which it has generated")

    def release(self, row: int) -> None:
        super().release(row)
        self.matchers.pop(row, None)
        self.stop_ids.pop(row, None)

    def begin(self, step: Step) -> None:
        lines = self.users(step)
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="quire-masks")
        self._filling = (step, self._thread.submit(self._fill, step, lines))

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        lines, places = self.masks(step)
        for at in range(0, len(places), HELD_LINES):
            some, held = lines[at : at + HELD_LINES], places[at : at + HELD_LINES]
            octets = torch.from_numpy(self.bits[held].view(np.uint8)).int()
            closed = embedding(octets, _closed()).view(len(some), -1)[:, : self.vocab]
            if len(some) == len(logits):
                return logits.add_(closed)
            logits.index_add_(0, torch.tensor(some), closed)
        return logits

    def masks(self, step: Step) -> tuple[list[int], list[int]]:
        """Lines of the step, and where in `bits` each one's mask is. Lines that cannot go on have failed."""
        lines = self.users(step)
        filling, self._filling = self._filling, None
        ours = filling is not None and filling[0] is step
        problems = filling[1].result() if filling is not None and ours else self._fill(step, lines)
        for line, why in problems.items():
            step.failed.setdefault(line, why)
        places = [place for place, line in enumerate(lines) if line not in problems]
        return [lines[place] for place in places], places

    def _fill(self, step: Step, lines: list[int]) -> Problems:
        """Sets the bits of what may come in each of these lines; one that cannot go on fails alone.

        Matchers go along the drafts and back again. Behind a draft that is not allowed all bits are set: it
        will not be drawn, so nobody comes there.
        """
        if len(self.bits) < len(lines):
            self.bits = np.zeros((2 * len(lines), self.bits.shape[1]), np.int32)
        if step.depth is None:
            return self._fill_places(step, lines, list(range(len(lines))))
        self.bits[: len(lines)] = -1
        depth, walked = step.depth[lines], dict[int, int]()
        problems = self._fill_places(step, lines, np.flatnonzero(depth == 0).tolist())
        for layer in range(1, int(depth.max()) + 1):
            here = []
            for place in np.flatnonzero(depth == layer).tolist():
                row, before = int(step.rows[lines[place]]), lines[place - 1]
                goes_on = walked.get(row, 0) == layer - 1 and before not in problems
                if goes_on and self._takes(row, int(step.tokens[row, step.positions[before]]), place - 1):
                    walked[row] = layer
                    here.append(place)
            problems |= self._fill_places(step, lines, here)
        for row, count in walked.items():
            try:
                self.matchers[row].rollback(count)
            except Exception as e:  # whatever a backend raises
                problems |= {n: f"{GRAMMAR_FAILED}: {e}" for n in lines if step.rows[n] == row}
        return problems

    def _takes(self, row: int, draft: int, place: int) -> bool:
        """Whether a draft may stand at this place; the row's matcher has taken it then."""
        if not self.bits[place, draft >> 5] >> (draft & 31) & 1 or draft in self.stop_ids[row]:
            return False
        try:
            return self.matchers[row].advance(draft)
        except Exception:  # whatever a backend raises: if this token is drawn, it will raise again
            return False

    def _fill_places(self, step: Step, lines: list[int], places: list[int]) -> Problems:
        assert self.grammars is not None
        if not places:
            return {}
        some = [lines[place] for place in places]
        rows = step.rows[some]
        matchers = [self.matchers[row] for row in rows.tolist()]
        try:
            told = self.grammars.fill(matchers, self.bits, places)
            problems = {
                line: f"{GRAMMAR_FAILED}: {why}"
                for line, why in zip(some, told, strict=True)
                if why is not None
            }
            may_end = np.array([m.may_end for m in matchers], np.bool_)
            empty = ~self._with_ends(places, rows, may_end, step.positions[some]).any(1)
        except Exception as e:  # whatever a backend raises
            return dict.fromkeys(some, f"{GRAMMAR_FAILED}: {e}")
        for i in np.flatnonzero(empty).tolist():
            problems.setdefault(some[i], f"{GRAMMAR_FAILED}: it allows no token here")
        return problems

    def _with_ends(self, places: list[int], rows: RowIndex, may_end: np.ndarray, positions: Ints) -> Ints:
        """Adds to the bits of places what ends their requests, where it may come; returns them."""
        bits = self.bits[places]
        bits[may_end] |= self.ends[rows[may_end]]
        held = np.where((positions < self.until[rows])[:, None], self.ends[rows], self.eos[rows])
        if held.any():
            rest = bits & ~held
            some = rest.any(1)
            bits[some] = rest[some]
        self.bits[places] = bits
        return bits

    def advance(self, step: Step, tokens: Ints) -> None:
        over = set()  # rows that have ended: what comes after it does not count
        for line in self.users(step):
            row, token = int(step.rows[line]), int(tokens[line])
            if line in step.failed or row in over:
                continue
            try:
                if token in self.stop_ids[row]:
                    over.add(row)
                elif not self.matchers[row].advance(token):
                    step.failed[line] = f"its grammar does not allow token {token}, which it had allowed"
            except Exception as e:  # whatever a backend raises
                step.failed[line] = f"{GRAMMAR_FAILED}: {e}"
