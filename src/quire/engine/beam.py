"""Beam search on top of the engine: every round is one token of log-probabilities for every beam.

Beams share their prefixes through the prefix cache, so a round computes one new token each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tqdm import tqdm

from quire.engine.intake import Prompt
from quire.errors import BadParameter
from quire.outputs import BeamSearchOutput, BeamSearchSequence, RequestOutput
from quire.params import BeamSearchParams, SamplingParams

if TYPE_CHECKING:
    from quire.engine.engine import Engine

Generate = Callable[..., list[RequestOutput]]  # LLM.generate


@dataclass(slots=True)
class Beam:
    tokens: list[int]
    logprob: float = 0.0


class Search:
    """One prompt's beams."""

    def __init__(self, prompt: list[int], params: BeamSearchParams):
        self.prompt = prompt
        self.params = params
        self.beams = [Beam(prompt)]
        self.complete: list[tuple[Beam, str]] = []

    def score(self, beam: Beam) -> float:
        """The log-probability per token, to the power of the length penalty."""
        length = float(max(1, len(beam.tokens) - len(self.prompt)))
        return float(beam.logprob / length**self.params.length_penalty)

    def advance(self, options: list[list[tuple[int, float]]], eos: frozenset[int], last: bool) -> None:
        """`options[i]` are the likeliest next tokens of beam i with their log-probabilities."""
        grown: list[Beam] = []
        for beam, nexts in zip(self.beams, options, strict=True):
            for token, value in nexts:
                new = Beam([*beam.tokens, token], beam.logprob + value)
                if token in eos and not self.params.ignore_eos:
                    self.complete.append((new, "stop"))
                else:
                    grown.append(new)
        grown.sort(key=self.score, reverse=True)
        self.beams = grown[: self.params.beam_width]
        if last:
            self.complete += [(beam, "length") for beam in self.beams]
            self.beams = []

    def best(self) -> list[tuple[Beam, str]]:
        self.complete.sort(key=lambda pair: self.score(pair[0]), reverse=True)
        return self.complete[: self.params.beam_width]


def beam_search(
    engine: Engine, generate: Generate, prompts: list[Prompt], params: BeamSearchParams, use_tqdm: bool
) -> list[BeamSearchOutput]:
    limits = engine.intake.limits
    wanted, allowed = 2 * params.beam_width, limits.max_logprobs
    if wanted > allowed:
        raise BadParameter(
            f"beam_width is {params.beam_width} and needs {wanted} log-probabilities at each position, "
            f"which may be at most {allowed}; raise --max-logprobs"
        )
    step = SamplingParams(
        max_tokens=1,
        temperature=params.temperature,
        logprobs=wanted,
        ignore_eos=True,
        detokenize=False,
    )
    longest = limits.max_len
    searches = []
    for prompt in prompts:
        tokens = engine.intake.read(prompt, step).tokens.tolist()
        if len(tokens) + params.max_tokens > longest:
            out = "lower max_tokens or shorten it"
            if limits.raisable:
                out = "lower max_tokens, shorten it or raise --max-model-len"
            raise BadParameter(
                f"the prompt has {len(tokens):,} tokens and max_tokens is {params.max_tokens:,}; together "
                f"they may be at most {longest:,}; {out}"
            )
        searches.append(Search(tokens, params))
    eos = limits.eos_ids
    for i in tqdm(range(params.max_tokens), desc="Beam search", disable=not use_tqdm):
        live = [beam.tokens for s in searches for beam in s.beams]
        if not live:
            break
        options = iter([_likeliest(output, step) for output in generate(live, step, use_tqdm=False)])
        for s in searches:
            s.advance([next(options) for _ in s.beams], eos, last=i + 1 == params.max_tokens)
    return [_output(engine, s, params, eos) for s in searches]


def _likeliest(output: RequestOutput, step: SamplingParams) -> list[tuple[int, float]]:
    if output.error is not None:
        raise output.error
    scores = output.outputs[0].logprobs
    assert scores is not None
    best = sorted(scores[0].items(), key=lambda item: -item[1].logprob)
    return [(token, score.logprob) for token, score in best[: step.logprobs]]


def _output(
    engine: Engine, search: Search, params: BeamSearchParams, eos: frozenset[int]
) -> BeamSearchOutput:
    sequences = []
    for beam, why in search.best():
        shown = beam.tokens
        if shown[-1] in eos and not params.include_stop_str_in_output and why == "stop":
            shown = shown[:-1]
        text = engine.tokenizer.decode(shown) if engine.tokenizer is not None else None
        sequences.append(BeamSearchSequence(beam.tokens, beam.logprob, text, why))
    return BeamSearchOutput(sequences)
