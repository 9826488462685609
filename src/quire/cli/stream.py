"""Prints an answer as it comes, and counts. What `run` and `chat` share."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from quire import LLM, RequestOutput, SamplingParams


@dataclass(slots=True)
class Answer:
    """What came out of one request. Seconds are as seen from the terminal."""

    text: str = ""
    prompt_tokens: int = 0
    cached_tokens: int = 0
    tokens: int = 0
    first_s: float | None = None
    total_s: float = 0.0
    finish: str | None = None  # None: stopped from the keyboard

    def __str__(self) -> str:
        line = f"{self.prompt_tokens:,} prompt tokens ({self.cached_tokens:,} cached), {self.tokens:,} tokens"
        if self.first_s is not None:
            line += f" in {self.total_s:.2f} s, the first after {self.first_s:.2f} s"
            if self.tokens > 1 and self.total_s > self.first_s:
                line += f", then {(self.tokens - 1) / (self.total_s - self.first_s):.1f} tokens/s"
        return f"{line}; ended by {self.finish or 'the keyboard'}"


def print_answer(llm: LLM, prompt: str | list[dict[str, Any]], params: SamplingParams) -> Answer:
    """Streams the answer to stdout. Ctrl-C ends the answer after the current step, not the program."""
    answer = Answer()
    start = time.perf_counter()
    outputs = llm.stream(prompt, params)
    with _keyboard() as stopped:
        try:
            for output in outputs:
                _show(answer, output, time.perf_counter() - start)
                if stopped():
                    break
        finally:
            outputs.close()  # aborts the request, if it has not ended
    click.echo()
    return answer


def _show(answer: Answer, output: RequestOutput, elapsed_s: float) -> None:
    if output.error is not None:
        raise output.error
    best = output.outputs[0]
    click.echo(best.text[len(answer.text) :], nl=False)
    answer.text, answer.tokens, answer.finish = best.text, len(best.token_ids), best.finish_reason
    answer.prompt_tokens, answer.cached_tokens = len(output.prompt_token_ids), output.num_cached_tokens
    answer.total_s = elapsed_s
    if answer.first_s is None and answer.tokens:
        answer.first_s = elapsed_s


@contextmanager
def _keyboard() -> Iterator[Callable[[], bool]]:
    """Turns the first Ctrl-C into a question that can be asked between steps; the second is as usual."""
    pressed = False

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
