"""Times the steps of an engine in this process: decoding with so many requests, reading so many tokens."""

from __future__ import annotations

import itertools
import time
from random import Random
from typing import TYPE_CHECKING

from quire.params import SamplingParams
from quire.tools.load.prompts import Ids

if TYPE_CHECKING:
    from quire.engine.engine import Engine

SETTLE = 3  # decode steps before those that are timed


class NoRoom(Exception):
    """So many requests do not fit into the KV cache at once."""


class Stepper:
    """One engine with nothing else to do. Prompts are random ids, so no prefix is known."""

    def __init__(self, engine: Engine, seed: int = 0):
        self._engine = engine
        self._rng = Random(seed)
        self._ids = itertools.count()

    def decode(self, requests: int, context: int, steps: int, least_s: float = 0.3) -> float:
        """Seconds of a step in which each of so many requests gets a token, about `context` tokens in.

        At least `steps` are timed, and as many as fit into `least_s`.
        """
        engine, stats = self._engine, self._engine.stats
        preempted = stats.preemptions
        longest = engine.intake.limits.max_len
        names = [self._add(context, longest - context) for _ in range(requests)]
        try:
            while sum(p.tokens > 0 for p in engine.progress(set(names))) < requests:
                self._step()
                if stats.preemptions > preempted or engine.unfinished < requests:
                    raise NoRoom
            for _ in range(SETTLE):
                self._step()
            made, began = 0, time.perf_counter()
            while made < steps or time.perf_counter() - began < least_s:
                self._step()
                made += 1
                if engine.unfinished < requests:
                    break
            taken = time.perf_counter() - began
            if stats.preemptions > preempted:
                raise NoRoom
            return taken / made
        finally:
            self._end(names)

    def read(self, tokens: int, prompt: int) -> float:
        """Seconds until prompts of this many tokens in all have been read and each has its first token."""
        lengths = [prompt] * (tokens // prompt) + ([tokens % prompt] if tokens % prompt else [])
        began = time.perf_counter()
        names = [self._add(length, 1) for length in lengths]
        while self._engine.unfinished:
            self._step()
        taken = time.perf_counter() - began
        self._end(names)
        return taken

    def _step(self) -> None:
        """Raises if a request breaks: a step without it would seem a fast one."""
        for output in self._engine.step():
            if output.error is not None:
                raise output.error

    def _add(self, prompt: int, answer: int) -> str:
        name = f"step {next(self._ids)}"
        params = SamplingParams(max_tokens=answer, ignore_eos=True, detokenize=False, temperature=0.0)
        self._engine.add(name, {"prompt_token_ids": Ids().write(prompt, self._rng)}, params)
        return name

    def _end(self, names: list[str]) -> None:
        self._engine.abort(names)
        while self._engine.unfinished:
            self._engine.step()
