"""From deltas to outputs: text, stop strings, log-probabilities, and the n sequences of one request.

A `Collected` is one request as its caller sees it; each of its sequences is an engine request of its own.
Whole replies are what the streamed pieces add up to: there is no second way to build them.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from quire.engine.intake import ReadPrompt
from quire.errors import GrammarFailed, NothingAllowed, RequestFailed
from quire.outputs import CompletionOutput, Logprob, PoolingRequestOutput, RequestMetrics, RequestOutput
from quire.params import RequestOutputKind, SamplingParams
from quire.text.detokenize import Detokenizer, StopStrings
from quire.text.tokenizer import Tokenizer
from quire.types import GRAMMAR_FAILED, NOTHING_ALLOWED, Delta, Guesses, Request, Scores, Timeline

log = logging.getLogger("quire")
Output = RequestOutput | PoolingRequestOutput[Any]
_CALLERS_DOING = {GRAMMAR_FAILED: GrammarFailed, NOTHING_ALLOWED: NothingAllowed}  # by how a failure begins


class Sequence:
    """One generated sequence: what is known of it so far."""

    def __init__(self, index: int, params: SamplingParams, tokenizer: Tokenizer | None, prompt: list[int]):
        self.index = index
        self.params = params
        self.tokenizer = tokenizer
        self.token_ids: list[int] = []
        self.text = ""
        self.logprobs: list[dict[int, Logprob]] | None = None if params.logprobs is None else []
        self.cumulative: float | None = None if params.logprobs is None else 0.0
        self.finish: str | None = None
        self.stop_reason: int | str | None = None
        self.error: str | None = None
        self._told_text = self._told_tokens = 0
        self._text = self._stops = None
        if tokenizer is not None and params.detokenize:
            self._text = Detokenizer(
                tokenizer, prompt, params.skip_special_tokens, params.spaces_between_special_tokens
            )
            self._stops = StopStrings(list(params.stop or ()), params.include_stop_str_in_output)

    def take(self, delta: Delta) -> None:
        """Adds news. Afterwards `finish` may be set although the engine knows of no end: a stop string."""
        before = len(self.token_ids)
        self.token_ids += delta.tokens
        self._take_scores(delta.scores)
        visible = delta.tokens
        if delta.finish == "stop" and not self.params.include_stop_str_in_output:
            visible = visible[:-1]  # the token that ended it is not part of the text
        self._take_text(visible, before, last=delta.finish is not None)
        if self.finish is None and delta.finish is not None:
            self.finish, self.stop_reason, self.error = delta.finish, delta.stop_reason, delta.error

    def _take_text(self, tokens: list[int], before: int, last: bool) -> None:
        if self._text is None or self._stops is None:
            return
        free = max(0, self.params.min_tokens - before)  # tokens that no stop string may end
        pieces = [tokens[i : i + 1] for i in range(len(tokens))] if self.params.stop else [tokens]
        for i, ids in enumerate(pieces):
            piece = self._text.push(ids)
            if self.params.stop and i < free:
                self.text += piece
            elif self._push(piece):
                self._cut(before + i + 1)
                return
        if last and not self._push(self._text.finish()):
            self.text += self._stops.finish()

    def _cut(self, tokens: int) -> None:
        """Forgets tokens after the one that completed a stop string."""
        del self.token_ids[tokens:]
        if self.logprobs is not None:
            del self.logprobs[tokens:]
            self.cumulative = sum((next(iter(at.values())).logprob for at in self.logprobs), 0.0)

    def _push(self, piece: str) -> bool:
        """Shows text as far as no stop string can begin in it; tells whether one was found."""
        assert self._stops is not None
        shown, found = self._stops.push(piece)
        self.text += shown
        if found is not None:
            self.finish, self.stop_reason = "stop", found
        return found is not None

    def _take_scores(self, scores: list[Scores]) -> None:
        if self.logprobs is None or self.cumulative is None:
            return
        for s in scores:
            self.cumulative += float(s.logprobs[0])
            self.logprobs.append(readable(s, self.tokenizer))

    def output(self, delta: bool, scores: bool) -> CompletionOutput:
        """What is known, or with `delta` only what is new since the last call; `scores` shows logprobs."""
        text_from, tokens_from = (self._told_text, self._told_tokens) if delta else (0, 0)
        self._told_text, self._told_tokens = len(self.text), len(self.token_ids)
        return CompletionOutput(
            self.index,
            self.text[text_from:],
            self.token_ids[tokens_from:],
            self.cumulative,
            self.logprobs[tokens_from:] if scores and self.logprobs is not None else None,
            self.finish,
            self.stop_reason,
        )


def readable(scores: Scores, tokenizer: Tokenizer | None) -> dict[int, Logprob]:
    """{token id: Logprob}; the token itself first, with its own rank, then the best ones."""
    ids, values = scores.token_ids.tolist(), scores.logprobs.tolist()
    ranks = [scores.rank, *range(1, len(ids))]
    out: dict[int, Logprob] = {}
    for token, value, rank in zip(ids, values, ranks, strict=True):
        if token not in out:
            out[token] = Logprob(value, rank, None if tokenizer is None else tokenizer.text_of(token))
    return out


@dataclass(slots=True)
class Collected:
    request_id: str
    prompt: ReadPrompt
    params: SamplingParams
    sequences: dict[str, Sequence]  # by the id of the engine's request
    metrics: RequestMetrics
    prompt_logprobs: list[dict[int, Logprob] | None] | None = None
    cached: int = 0
    open: int = 0
    ids: list[int] = field(default_factory=list)  # the prompt's, as a list made once
    timelines: dict[int, Timeline] = field(default_factory=dict)  # by the sequence's index

    @classmethod
    def of(
        cls,
        request_id: str,
        prompt: ReadPrompt,
        params: SamplingParams,
        requests: list[Request],
        tokenizer: Tokenizer | None,
    ) -> Collected:
        ids = prompt.tokens.tolist()
        sequences = {r.id: Sequence(i, r.params, tokenizer, ids) for i, r in enumerate(requests)}
        metrics = RequestMetrics(arrival_time=requests[0].arrival)
        return cls(request_id, prompt, params, sequences, metrics, open=len(requests), ids=ids)

    @property
    def streams(self) -> bool:
        """Which of more answers are returned is known only at the end."""
        p = self.params
        return p.output_kind is not RequestOutputKind.FINAL_ONLY and p.samples == p.n

    def output(self) -> Output:
        delta = self.params.output_kind is RequestOutputKind.DELTA
        scores = self.params.logprobs is not None  # best_of needs them, its caller may not
        sequences = list(self.sequences.values())
        if not self.open and self.params.samples > self.params.n:
            sequences.sort(key=lambda s: -(s.cumulative or 0.0))
            for i, s in enumerate(sequences):
                s.index = i
        return RequestOutput(
            self.request_id,
            self.prompt.text,
            self.ids,
            [s.output(delta, scores) for s in sequences[: self.params.n]],
            not self.open,
            self.prompt_logprobs,
            self.cached,
            self.metrics,
            self.failure(),
        )

    def failure(self) -> RequestFailed | None:
        for s in self.sequences.values():
            if s.finish == "error":
                why = s.error or ""
                kind = next(
                    (k for begin, k in _CALLERS_DOING.items() if why.startswith(begin)), RequestFailed
                )
                return kind(f"request {self.request_id} failed: {s.error}")
        return None


def account(metrics: RequestMetrics, timelines: dict[int, Timeline], now: float) -> None:
    """Fills in where the time went. A request that a stop string ended, ended now."""
    preemptions = [p for t in timelines.values() for p in t.preemptions]
    metrics.preemptions = len(preemptions)
    metrics.preempted_by = list(dict.fromkeys(p.by for p in preemptions if p.by))
    t = timelines.get(0)
    if t is None:
        return
    metrics.blocked_on, metrics.blocked_by = t.blocked_on, t.blocked_by
    end = now if t.ended is None else t.ended
    if metrics.first_token_time is not None and t.prefilled is not None:
        metrics.first_token_time = min(t.prefilled, metrics.first_token_time)
    metrics.queued = (end if t.planned is None else t.planned) - t.queued
    if t.planned is not None:
        read = end if t.prefilled is None else t.prefilled
        before = sum((p.resumed or end) - p.at for p in t.preemptions if p.at < read)
        after = sum((p.resumed or end) - p.at for p in t.preemptions if p.at >= read)
        metrics.preempted = before + after
        metrics.prefill = read - t.planned - before
        if t.prefilled is not None:
            metrics.decode = end - t.prefilled - after


@dataclass(slots=True)
class Processed:
    outputs: list[Output] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)  # engine requests that a stop string has ended
    broken: dict[str, str] = field(default_factory=dict)  # engine requests whose text failed


class OutputProcessor:
    def __init__(self, tokenizer: Tokenizer | None):
        self.tokenizer = tokenizer
        self._of: dict[str, Collected] = {}  # by the id of the engine's request
        self._open: dict[str, Collected] = {}  # by the caller's id

    def __len__(self) -> int:
        return len(self._open)

    def __contains__(self, request_id: str) -> bool:
        """Whether a caller's request or one of the engine's has this id."""
        return request_id in self._open or request_id in self._of

    def add(self, collected: Collected) -> None:
        self._open[collected.request_id] = collected
        self._of |= dict.fromkeys(collected.sequences, collected)

    def forget(self, request_id: str) -> None:
        """Forgets a request; what is still said of it is ignored."""
        collected = self._open.pop(request_id, None)
        for name in () if collected is None else collected.sequences:
            self._of.pop(name, None)

    def drop(self, engine_id: str) -> str:
        """Forgets a request that was never begun, by the id of one of the engine's; returns the caller's."""
        collected = self._of[engine_id]
        del self._open[collected.request_id]
        for name in collected.sequences:
            self._of.pop(name, None)
        return collected.request_id

    def engine_ids(self, request_id: str) -> list[str]:
        """The engine's requests of this one that have not ended."""
        collected = self._open.get(request_id)
        if collected is None:
            return []
        return [i for i, s in collected.sequences.items() if s.finish is None]

    def process(self, deltas: Iterable[Delta], now: float) -> Processed:
        """Takes in a step's news; outputs are those the caller wants to see now."""
        done = Processed()
        touched: dict[str, Collected] = {}
        for delta in deltas:
            collected = self._of.get(delta.request_id)
            if collected is None:
                continue  # ended by a stop string a step ago
            self._take(collected, delta, now, done)
            touched[collected.request_id] = collected
        for collected in touched.values():
            if not collected.open:
                del self._open[collected.request_id]
                collected.metrics.finished_time = now
                account(collected.metrics, collected.timelines, now)
            elif not collected.streams:
                continue
            done.outputs.append(collected.output())
        return done

    def _take(self, collected: Collected, delta: Delta, now: float, done: Processed) -> None:
        sequence = collected.sequences[delta.request_id]
        if sequence.index == 0:  # the others find what the first one has just computed
            collected.cached = delta.cached
        if delta.timeline is not None:
            collected.timelines[sequence.index] = delta.timeline
            account(collected.metrics, collected.timelines, now)
        if collected.metrics.first_token_time is None and delta.tokens:
            collected.metrics.first_token_time = now
        try:
            sequence.take(delta)
            self._take_prompt_scores(collected, delta)
        except Exception as e:  # one request's text must not stop the others
            log.exception("request %s: its text could not be made", delta.request_id)
            sequence.finish, sequence.error = "error", f"{type(e).__name__}: {e}"
            done.broken[delta.request_id] = sequence.error
        if sequence.finish is not None:
            if delta.guesses is not None:
                collected.metrics.guesses = collected.metrics.guesses or Guesses()
                collected.metrics.guesses.add(delta.guesses)
            collected.open -= 1
            del self._of[delta.request_id]
            if delta.finish is None and delta.request_id not in done.broken:
                done.stopped.append(delta.request_id)

    def _take_prompt_scores(self, collected: Collected, delta: Delta) -> None:
        """They come once, with the first token; the prompt's own first token has none."""
        asked = collected.params.prompt_logprobs is not None and collected.prompt_logprobs is None
        if asked and delta.tokens and len(delta.prompt_scores) == len(collected.prompt.tokens) - 1:
            scores = [readable(s, self.tokenizer) for s in delta.prompt_scores]
            collected.prompt_logprobs = [None, *scores]
