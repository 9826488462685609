"""The column of structured outputs: only tokens that continue the text as a row's grammar allows.

A grammar speaks of text; the column adds the tokens that end the request (end of text, stop_token_ids) where
the grammar may end. min_tokens and ignore_eos hold those back as long as anything else can come: when the
grammar is complete they are all that is left, and the request ends.

What may come depends only on the tokens so far: the masks of all rows are filled in one call, in a thread
of their own while the model computes the logits they are for.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import embedding

from quire.errors import NeedsTokenizer, RequestFailed
from quire.grammar import Grammars, Matcher
from quire.types import GRAMMAR_FAILED, Admission, Ints
from quire.worker.columns.contract import HELD_LINES, Step, Switch

Problems = dict[int, str]  # line → why it cannot go on


@functools.cache
def _closed(device: torch.device) -> Tensor:
    """For each value of eight bits, what is added to their logits: much faster than a masked fill."""
    bits = torch.arange(256)[:, None] >> torch.arange(8)
    return torch.where(bits & 1 == 1, 0.0, -torch.inf).to(device)


class Grammar(Switch):
    def __init__(self, rows: int, vocab: int, grammars: Grammars | None):
        super().__init__(rows)
        self.vocab = vocab
        self.grammars = grammars
        words = -(-vocab // 32)
        self.matchers: dict[int, Matcher] = {}
        self.stop_ids: dict[int, frozenset[int]] = {}
        # What a row's mask is made of; untouched pages cost no memory.
        self.bits: Ints = np.zeros((rows, words), np.int32)
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
        self.ends[row] = self._bits_of(request.stop_ids)
        self.eos[row] = self._bits_of(request.eos_ids) if request.params.ignore_eos else 0
        self.until[row] = len(request.prompt) + request.params.min_tokens
        for token in admission.tokens[len(request.prompt) :].tolist():  # from before a preemption
            if token not in request.stop_ids and not matcher.advance(token):
                raise RequestFailed(f"its grammar does not allow token {token}, which it has generated")

    def _bits_of(self, ids: Iterable[int]) -> Ints:
        chosen = np.zeros(32 * self.bits.shape[1], np.bool_)
        chosen[[i for i in ids if i < self.vocab]] = True
        bits: Ints = np.packbits(chosen, bitorder="little").view(np.int32)
        return bits

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
        lines = self.users(step)
        filling, self._filling = self._filling, None
        ours = filling is not None and filling[0] is step
        problems = filling[1].result() if filling is not None and ours else self._fill(step, lines)
        for line, why in problems.items():
            step.failed.setdefault(line, why)
        lines = [line for line in lines if line not in problems]
        for at in range(0, len(lines), HELD_LINES):
            some = lines[at : at + HELD_LINES]
            octets = torch.from_numpy(self.bits[step.rows[some]].view(np.uint8)).to(logits.device).int()
            closed = embedding(octets, _closed(logits.device)).view(len(some), -1)[:, : self.vocab]
            if len(some) == len(logits):
                return logits.add_(closed)
            logits.index_add_(0, torch.tensor(some, device=logits.device), closed)
        return logits

    def _fill(self, step: Step, lines: list[int]) -> Problems:
        """Sets the bits of what may come in these lines' rows; one that cannot go on fails alone."""
        assert self.grammars is not None
        rows = step.rows[lines]
        matchers = [self.matchers[row] for row in rows.tolist()]
        try:
            told = self.grammars.fill(matchers, self.bits, rows.tolist())
            problems = {
                line: f"{GRAMMAR_FAILED}: {why}"
                for line, why in zip(lines, told, strict=True)
                if why is not None
            }
            may_end = np.array([m.may_end for m in matchers], np.bool_)
            empty = ~self._with_ends(rows, may_end, step.positions[lines]).any(1)
        except Exception as e:  # whatever a backend raises
            return dict.fromkeys(lines, f"{GRAMMAR_FAILED}: {e}")
        for i in np.flatnonzero(empty).tolist():
            problems.setdefault(lines[i], f"{GRAMMAR_FAILED}: it allows no token here")
        return problems

    def _with_ends(self, rows: Ints, may_end: np.ndarray, positions: Ints) -> Ints:
        """Adds to the bits of rows what ends their requests, where it may come; returns them."""
        bits = self.bits[rows]
        bits[may_end] |= self.ends[rows[may_end]]
        held = np.where((positions < self.until[rows])[:, None], self.ends[rows], self.eos[rows])
        if held.any():
            rest = bits & ~held
            some = rest.any(1)
            bits[some] = rest[some]
        self.bits[rows] = bits
        return bits

    def advance(self, step: Step, tokens: Ints) -> None:
        for line in self.users(step):
            if line in step.failed:
                continue
            row, token = int(step.rows[line]), int(tokens[line])
            try:
                if token not in self.stop_ids[row] and not self.matchers[row].advance(token):
                    step.failed[line] = f"its grammar does not allow token {token}, which it had allowed"
            except Exception as e:  # whatever a backend raises
                step.failed[line] = f"{GRAMMAR_FAILED}: {e}"
