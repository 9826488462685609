"""Where a benchmark of kernels makes its tensors and takes its times."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

COLD = 160 << 20  # bytes of weights that no cache holds
DTYPE = torch.bfloat16


class Bench:
    """On "cpu" shapes are tiny and times mean nothing; on "meta" nothing is computed: launches are noted."""

    def __init__(self, device: str):
        self.device = torch.device(device)
        self.tiny, self.noting = device == "cpu", device == "meta"
        self.pdl = not self.tiny
        self.result: dict[str, Any] = {}

    def say(self, text: str) -> None:
        if not self.noting:
            print(text, flush=True)

    def random(self, *shape: int, scale: float = 0.02) -> Tensor:
        return torch.empty(*shape, dtype=DTYPE, device=self.device).normal_(0, scale)

    def weights(self, outputs: int, inputs: int) -> list[Tensor]:
        many = self.tiny or self.noting
        return [
            self.random(outputs, inputs) for _ in range(1 if many else -(-COLD // (outputs * inputs * 2)))
        ]

    def error(self, y: Tensor, truth: Tensor) -> float:
        if self.noting:
            return 0.0
        return ((y.float() - truth.float()).norm() / truth.float().norm()).item()

    def ms(self, work: Callable[[], Any], times: int = 9) -> float:
        """Milliseconds of one replay of the graph of `work`."""
        if self.tiny or self.noting:
            start = time.perf_counter()
            work()
            return (time.perf_counter() - start) * 1e3
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            work()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            work()
        graph.replay()
        marks = [torch.cuda.Event(enable_timing=True) for _ in range(times + 1)]
        marks[0].record()
        for mark in marks[1:]:
            graph.replay()
            mark.record()
        torch.cuda.synchronize()
        return sorted(a.elapsed_time(b) for a, b in itertools.pairwise(marks))[times // 2]

    def us(self, multiply: Callable[[Any], Any], weights: list[Any]) -> float:
        """Microseconds of one product, over weights in turn."""
        return self.ms(lambda: [multiply(w) for w in weights]) / len(weights) * 1e3
