"""Log-probabilities on their way from the device to the host, and what the host makes of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from quire.ops.sample import logprobs
from quire.types import Ints, Scores


@dataclass(slots=True)
class Report:
    counts: list[int]  # how many best ones each line asked for
    words: Tensor  # int32 on the host, once the stream has come so far: own, rank, then best and ids

    @classmethod
    def of(cls, logits: Tensor, lines: Tensor, tokens: Tensor, counts: list[int]) -> Report:
        """Started behind what was launched; nothing waits. `lines` of the logits ascend, int32 [n].

        A negative token is scored as token 0.
        """
        own, rank, best, ids = logprobs(logits, lines, tokens, max(counts))
        parts = (own.view(torch.int32), rank, best.view(torch.int32).flatten(), ids.flatten())
        found = torch.cat(parts)
        there = torch.empty(len(found), dtype=torch.int32, pin_memory=found.is_cuda)
        return cls(counts, there.copy_(found, non_blocking=True))

    def wait(self) -> Report:
        """Waits for whatever was launched."""
        if self.words.is_pinned():
            torch.cuda.current_stream().synchronize()
        return self

    def scores(self, tokens: Ints) -> list[Scores]:
        """Of the tokens that were scored; the stream must have come so far."""
        n = len(self.counts)
        words: Ints = self.words.numpy()
        own, rank = words[:n].view(np.float32), words[n : 2 * n].tolist()
        best, ids = words[2 * n :].reshape(2, n, -1)
        return Scores.of_lines(tokens[:n], own, rank, ids, best.view(np.float32), self.counts)
