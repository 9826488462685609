"""From what a caller gives to requests the engine accepts: tokens, limits, seeds.

Everything a caller can get wrong about a prompt is refused here, before anything is allocated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from quire.errors import (
    BadParameter,
    EmptyPrompt,
    NeedsTokenizer,
    PromptTooLong,
    RequestError,
    TextTooLong,
    TokenOutOfRange,
    WrongTask,
)
from quire.grammar import Compiled, Grammars, Spec
from quire.params import PoolingParams, SamplingParams, StructuredOutputsParams
from quire.text.tokenizer import Tokenizer
from quire.types import Ints, Request

Prompt = str | Sequence[int] | Mapping[str, Any]
MOST_CHARS_PER_TOKEN = 16  # of a text that is tokenized: no real text comes near
ALWAYS_READ = 65_536  # characters: some vocabularies have one token for any word they do not know
MOST_READ = 1_000_000  # characters, seconds of work and 100 MiB, unless the model reads more
_MIX = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True)
class ReadPrompt:
    text: str | None
    tokens: Ints
    salt: str = ""  # keeps its prefix apart from others' in the cache


@dataclass(frozen=True, slots=True)
class Limits:
    """What the model and the config allow."""

    vocab: int
    max_len: int
    max_logprobs: int
    eos_ids: frozenset[int]
    architecture: str = ""
    language_head: bool = True
    label_names: tuple[str, ...] = ()  # of its classification head, if it has one
    hidden: int = 0  # numbers in a vector
    pooling: str = "last"  # what embeddings are made of
    raisable: bool = True  # the model has positions for a higher --max-model-len
    grammar_max_bytes: int = 131_072  # of a schema; other kinds have a share of it


class Intake:
    def __init__(
        self,
        tokenizer: Tokenizer | None,
        limits: Limits,
        seed: int,
        grammars: Grammars | None = None,
        *,
        compiles: bool = True,
    ):
        """Without `compiles`, grammars are compiled by somebody else, later."""
        self.tokenizer = tokenizer
        self.compiles = compiles
        self.grammars = grammars
        self.limits = limits
        self._seed = seed
        self._unseeded = 0  # requests that brought no seed of their own

    def read(
        self, prompt: Prompt, params: SamplingParams | PoolingParams, add_special_tokens: bool = True
    ) -> ReadPrompt:
        """The prompt's tokens, checked and truncated. One that is pooled needs no place for an answer."""
        text, ids = self._parts(prompt)
        keep = params.truncate_prompt_tokens
        if ids is None:
            assert text is not None
            ids = self.encode(text, add_special_tokens, cut=keep is not None)
        tokens = self._checked(ids)
        answers = isinstance(params, SamplingParams)
        most = self.limits.max_len - answers
        if keep is not None:
            tokens = tokens[-(most if keep == -1 else keep) :]
        if not len(tokens):
            raise EmptyPrompt
        if len(tokens) > most:
            raise PromptTooLong(len(tokens), most, answers, self.limits.raisable)
        salt = prompt.get("cache_salt") if isinstance(prompt, Mapping) else None
        return ReadPrompt(text, tokens, str(salt or params.cache_salt or ""))

    def encode(self, text: str, add_special_tokens: bool = True, cut: bool = False) -> list[int]:
        """The tokens of a text; one that would take minutes and gigabytes is refused, or cut at its front."""
        if self.tokenizer is None:
            raise NeedsTokenizer("the prompt is text and skip_tokenizer_init is on; give prompt_token_ids")
        return self.tokenizer.encode(self.bounded(text, cut), add_special_tokens)

    def bounded(self, text: str, cut: bool = False) -> str:
        most = ALWAYS_READ if len(text) <= ALWAYS_READ else self.most_chars
        if len(text) <= most:
            return text
        if cut:
            return text[-most:]
        raise TextTooLong(len(text), most)

    @cached_property
    def most_chars(self) -> int:
        """Of a text: no more than the model could read if every token were the longest there is."""
        assert self.tokenizer is not None
        possible = min(self.limits.max_len * self.tokenizer.longest, MOST_READ)
        return max(ALWAYS_READ, possible, MOST_CHARS_PER_TOKEN * self.limits.max_len)

    def requests(
        self, request_id: str, prompt: ReadPrompt, params: SamplingParams, arrival: float, stream: bool
    ) -> list[Request]:
        """One request per sequence to generate; several share the prompt's blocks."""
        grammar = self.check(params)
        end = self.limits.max_len
        if params.max_tokens is not None:
            end = min(end, len(prompt.tokens) + params.max_tokens)
        eos = self.limits.eos_ids
        if params.ignore_eos and params.structured_outputs is None:  # the end of a grammar is an end
            eos = frozenset()
        seed = self._next_seed() if params.seed is None else params.seed
        if params.samples > 1 and params.best_of is not None and params.logprobs is None:
            params = replace(params, logprobs=0)  # to know which are best
        return [
            Request(
                id=request_id if params.samples == 1 else f"{request_id}-{i}",
                prompt=prompt.tokens,
                params=params,
                seed=seed + i * _MIX,  # far apart: the next seed's answers are others
                limit=end,
                stop_ids=eos | frozenset(params.stop_token_ids or ()),
                eos_ids=eos,
                arrival=arrival,
                salt=prompt.salt.encode(errors="surrogatepass"),
                stream=stream or bool(params.stop),
                reuse_prefix=params.prompt_logprobs is None,
                grammar=grammar,
            )
            for i in range(params.samples)
        ]

    def pooling(self, request_id: str, prompt: ReadPrompt, params: PoolingParams, arrival: float) -> Request:
        """A request that ends with its prompt. Its limit is one token that is never planned."""
        params = self._settled(params)
        return Request(
            id=request_id,
            prompt=prompt.tokens,
            params=SamplingParams(temperature=0.0, max_tokens=1, priority=params.priority),
            seed=0,
            limit=len(prompt.tokens) + 1,
            arrival=arrival,
            salt=prompt.salt.encode(errors="surrogatepass"),
            reuse_prefix=params.kind(self.limits.pooling) == "last",  # others need every position computed
            pooling=params,
        )

    def _settled(self, params: PoolingParams) -> PoolingParams:
        """The parameters with a task this model has a head for."""
        task, labels = params.task or "encode", len(self.limits.label_names)
        if task == "classify" and not labels:
            raise WrongTask(
                f"{self.limits.architecture} has no classification head; use a …ForSequenceClassification "
                f"checkpoint, or embed, encode or generate with this one"
            )
        if task == "score" and labels != 1:
            raise WrongTask(
                f"the task 'score' needs a classification checkpoint with one label and "
                f"{self.limits.architecture} has {labels or 'none'}; LLM.score compares embeddings instead, "
                f"or use {'classify' if labels else 'embed'}"
            )
        if params.dimensions is not None and params.dimensions > self.limits.hidden:
            raise BadParameter(
                f"dimensions is {params.dimensions:,} and the model's vectors have {self.limits.hidden:,}; "
                f"lower it or leave it out"
            )
        return params if params.task else replace(params, task=task)

    def need_language_head(self) -> None:
        """Raises WrongTask where the checkpoint cannot generate."""
        name = self.limits.architecture
        if self.limits.label_names:
            raise WrongTask(
                f"this is a classification model ({name}) without a language head; "
                f"use classify, embed or encode"
            )
        if not self.limits.language_head:
            raise WrongTask(f"this model ({name}) has no language head; use embed or encode")

    def check(self, params: SamplingParams) -> Compiled | None:
        """Raises what only this model can refuse; returns the grammar, if there is one and it is compiled."""
        self.need_language_head()
        for name in ("logprobs", "prompt_logprobs"):
            asked = getattr(params, name)
            if asked is not None and asked > self.limits.max_logprobs:
                raise BadParameter(
                    f"{name} is {asked} and may be at most {self.limits.max_logprobs}; raise --max-logprobs"
                )
        for name in ("allowed_token_ids", "logit_bias", "stop_token_ids"):
            highest = max(getattr(params, name) or (0,))
            if highest >= self.limits.vocab:
                raise TokenOutOfRange(highest, self.limits.vocab, name)
        if self.tokenizer is None and params.stop:
            raise NeedsTokenizer(
                "stop strings need the text and skip_tokenizer_init is on; use stop_token_ids"
            )
        if self.tokenizer is None and params.bad_words:
            raise NeedsTokenizer("bad_words need a tokenizer and skip_tokenizer_init is on; use logit_bias")
        if params.structured_outputs is None:
            return None
        return self._grammar(params, params.structured_outputs)

    def _grammar(self, params: SamplingParams, asked: StructuredOutputsParams) -> Compiled | None:
        """Compiles it now, while nothing is allocated, unless that is somebody else's business."""
        if self.tokenizer is None or (self.grammars is None and self.compiles):
            raise NeedsTokenizer(
                "structured_outputs need a tokenizer and skip_tokenizer_init is on; use allowed_token_ids"
            )
        ends = {*self.limits.eos_ids, *(params.stop_token_ids or ())}
        if not any(token < self.limits.vocab for token in ends):
            raise BadParameter(
                "structured_outputs need a token that ends the answer and this model has none; "
                "give stop_token_ids"
            )
        if self.compiles and self.grammars is not None:
            return self.grammars.compile(asked)
        Spec.of(asked, self.limits.grammar_max_bytes)
        return None

    def _parts(self, prompt: Prompt) -> tuple[str | None, Any]:
        if isinstance(prompt, str):
            return prompt, None
        if prompt is None:
            raise RequestError("the prompt is None; give text, token ids or a mapping with one of them")
        if isinstance(prompt, bytes | bytearray):  # a sequence of numbers, but hardly of token ids
            raise RequestError("the prompt is bytes; decode it to text or give prompt_token_ids")
        if isinstance(prompt, Mapping):
            unknown = set(prompt) - {"prompt", "prompt_token_ids", "cache_salt"}
            if unknown or not ({"prompt", "prompt_token_ids"} & set(prompt)):
                raise RequestError(
                    f"a prompt has 'prompt' or 'prompt_token_ids', got {sorted(map(str, prompt))}"
                )
            text, ids = prompt.get("prompt"), prompt.get("prompt_token_ids")
            if ids is None and not isinstance(text, str):
                raise RequestError(f"'prompt' must be text, got {text!r:.80}")
            return text, ids
        return None, prompt

    def _checked(self, ids: Any) -> Ints:
        try:
            wide = np.asarray(ids if isinstance(ids, np.ndarray) else list(ids))
        except (TypeError, ValueError, OverflowError) as e:
            raise RequestError(f"token ids must be a list of whole numbers, got {ids!r:.80}") from e
        if not wide.size:
            raise EmptyPrompt
        if wide.ndim != 1 or wide.dtype.kind not in "iu":
            big = next((i for i in wide.flat if isinstance(i, int) and not 0 <= i < self.limits.vocab), None)
            if big is not None:
                raise TokenOutOfRange(big, self.limits.vocab)
            raise RequestError(f"token ids must be a list of whole numbers, got {ids!r:.80}")
        bad = (wide < 0) | (wide >= self.limits.vocab)
        if bad.any():
            raise TokenOutOfRange(int(wide[bad][0]), self.limits.vocab)
        return wide.astype(np.int32)

    def go_on(self, other: Intake) -> None:
        """Continues the seeds of an intake that this one replaces."""
        self._unseeded = other._unseeded

    def _next_seed(self) -> int:
        self._unseeded += 1
        return (self._seed * _MIX + self._unseeded * 2**20) % 2**63
