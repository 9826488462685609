"""Columns that look back: repetition, presence and frequency penalties over one count of tokens."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from quire.params import SamplingParams
from quire.types import Admission, RowIndex
from quire.worker.columns.contract import HELD_LINES, Step, Switch


class History:
    """For rows that need it: which tokens the prompt has, and how often each was generated.

    The penalties share one History. It grows by doubling and gives places back.
    """

    def __init__(self, rows: int, vocab: int, device: torch.device):
        self.vocab, self.device = vocab, device
        self.place = np.full(rows, -1, np.int32)
        self._free: list[int] = []
        self.in_prompt = torch.zeros(0, vocab, dtype=torch.bool, device=device)
        self.count = torch.zeros(0, vocab, device=device)

    def admit(self, admission: Admission) -> None:
        row, prompt = admission.row, len(admission.request.prompt)
        if not needs_history(admission.request.params):
            return
        if not self._free:
            old = len(self.count)
            more = max(4, old)
            self._free = list(range(old + more - 1, old - 1, -1))
            self.in_prompt = torch.cat([self.in_prompt, self.in_prompt.new_zeros(more, self.vocab)])
            self.count = torch.cat([self.count, self.count.new_zeros(more, self.vocab)])
        place = self.place[row] = self._free.pop()
        tokens = self._index(admission.tokens)
        self.in_prompt[place].zero_().index_fill_(0, tokens[:prompt], True)
        answer = tokens[prompt:]
        self.count[place].zero_().index_add_(0, answer, self.count.new_ones(len(answer)))

    def release(self, row: int) -> None:
        if self.place[row] >= 0:
            self._free.append(int(self.place[row]))
            self.place[row] = -1

    def advance(self, rows: RowIndex, tokens: Tensor) -> None:
        """Counts what was sampled, a token for each of `rows`; `tokens` may still be on the device."""
        places = self.place[rows]
        some = np.flatnonzero(places >= 0)
        if len(some):
            at, which = self._index(places[some]), self._index(some)
            one = self.count.new_ones(())  # a row may have several tokens
            self.count.index_put_((at, tokens[which].long()), one, accumulate=True)

    def _index(self, numbers: np.ndarray) -> Tensor:
        index = torch.from_numpy(numbers).long()
        if self.device.type == "cuda":  # from other memory a copy waits for the step under way
            index = index.pin_memory()
        return index.to(self.device, non_blocking=True)

    def of(self, step: Step, lines: list[int]) -> tuple[Tensor, Tensor]:
        """What the prompt has and how often each token was generated, as these lines see it."""
        at = self._index(self.place[step.rows[lines]])
        in_prompt, count = self.in_prompt[at], self.count[at]
        if step.depth is not None:
            for i, line in enumerate(lines):
                end, row = int(step.positions[line]), step.rows[line]
                drafts = step.tokens[row, end - int(step.depth[line]) : end]
                count[i].index_put_((self._index(drafts),), count.new_ones(()), accumulate=True)
        return in_prompt, count


def needs_history(params: SamplingParams) -> bool:
    return bool(params.presence_penalty or params.frequency_penalty or params.repetition_penalty != 1.0)


class Penalty(Switch):
    """One penalty: its strength for every row. Subclasses name the parameter and do the arithmetic."""

    name: str
    neutral: float

    def __init__(self, rows: int, history: History):
        super().__init__(rows)
        self.history = history
        self.strength = np.full(rows, self.neutral, np.float32)

    def admit(self, admission: Admission) -> None:
        value = getattr(admission.request.params, self.name)
        self.strength[admission.row] = value
        self.on[admission.row] = value != self.neutral

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        users = self.users(step)
        for at in range(0, len(users), HELD_LINES):
            lines = users[at : at + HELD_LINES]
            rows = step.rows[lines]
            in_prompt, count = self.history.of(step, lines)
            strength = torch.from_numpy(self.strength[rows])[:, None]
            logits[lines] = self.change(logits[lines], strength, in_prompt, count)
        return logits

    def change(self, logits: Tensor, strength: Tensor, in_prompt: Tensor, count: Tensor) -> Tensor:
        raise AssertionError("a penalty says what it changes")


class Repetition(Penalty):
    """repetition_penalty: tokens of prompt and answer, divided if likely, multiplied if not."""

    name, neutral = "repetition_penalty", 1.0

    def change(self, logits: Tensor, strength: Tensor, in_prompt: Tensor, count: Tensor) -> Tensor:
        seen = in_prompt | (count > 0)
        return torch.where(seen, torch.where(logits > 0, logits / strength, logits * strength), logits)


class Frequency(Penalty):
    """frequency_penalty: times how often the token was generated."""

    name, neutral = "frequency_penalty", 0.0

    def change(self, logits: Tensor, strength: Tensor, in_prompt: Tensor, count: Tensor) -> Tensor:
        return logits - strength * count


class Presence(Penalty):
    """presence_penalty: once for every token generated at all."""

    name, neutral = "presence_penalty", 0.0

    def change(self, logits: Tensor, strength: Tensor, in_prompt: Tensor, count: Tensor) -> Tensor:
        return logits - strength * (count > 0)
