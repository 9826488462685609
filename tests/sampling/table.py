"""A sampler and those who sit at its rows, driven the way the runner drives it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from tests.sampling.reference import Asker, Spell

from quire.grammar import Grammars
from quire.types import Admission, Request
from quire.worker.columns import Step
from quire.worker.sampler import Sampled, Sampler

WIDTH = 256  # most tokens of a row


class Table:
    def __init__(
        self, vocab: int, rows: int = 32, spell: Spell | None = None, grammars: Grammars | None = None
    ):
        self.vocab = vocab
        self.sampler = Sampler(rows, vocab, spell, grammars)
        self.tokens = np.zeros((rows, WIDTH), np.int32)
        self.askers: dict[int, Asker] = {}

    @classmethod
    def of(
        cls,
        vocab: int,
        askers: list[Asker],
        spell: Spell | None = None,
        grammars: Grammars | None = None,
    ) -> Table:
        table = cls(vocab, len(askers), spell, grammars)
        for row, asker in enumerate(askers):
            table.admit(row, asker)
        return table

    def admit(self, row: int, asker: Asker) -> None:
        """With an output already there, it is one that was preempted and comes back."""
        prompt, tokens = np.array(asker.prompt, np.int32), np.array(asker.tokens, np.int32)
        request = Request(
            f"row {row}",
            prompt,
            asker.params,
            asker.seed,
            limit=WIDTH,
            stop_ids=asker.stop_ids,
            eos_ids=asker.stop_ids,
        )
        self.sampler.admit(Admission(row, request, tokens, computed=0))
        self.tokens[row, : len(tokens)] = tokens
        self.askers[row] = replace(asker)

    def release(self, row: int) -> None:
        self.sampler.release(row)
        del self.askers[row]

    def step(self, rows: list[int]) -> Step:
        who = [self.askers[row] for row in rows]
        positions, prompts = [len(a.tokens) for a in who], [len(a.prompt) for a in who]
        return Step(np.array(rows, np.int32), np.array(positions), np.array(prompts), self.tokens)

    def sample(self, logits: np.ndarray, rows: list[int] | None = None) -> Sampled:
        """One token for each of the rows (all of them by default); line i of the logits is for rows[i]."""
        rows = sorted(self.askers) if rows is None else rows
        sampled = self.sampler.sample(torch.tensor(logits, dtype=torch.float32), self.step(rows))
        for row, token in zip(rows, sampled.tokens.tolist(), strict=True):
            asker = self.askers[row]
            self.tokens[row, len(asker.tokens)] = token
            asker.output = [*asker.output, token]
        return sampled

    def kept(self, logits: np.ndarray, row: int = 0) -> list[int]:
        """The tokens that temperature, min-p, top-k and top-p leave to choose from."""
        step = self.step([row])
        line = self.sampler.temperature.apply(torch.tensor(logits[None], dtype=torch.float32), step)
        for shaper in self.sampler.shapers:
            line = shaper.apply(line, step)
        return torch.isfinite(line[0]).nonzero()[:, 0].tolist()


def one_token(vocab: int, asker: Asker, logits: np.ndarray, spell: Spell | None = None) -> int:
    """What this asker gets, alone."""
    return int(Table.of(vocab, [asker], spell).sample(logits[None]).tokens[0])
