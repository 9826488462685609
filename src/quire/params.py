"""What a caller may ask of one request. Bad values raise here, before anything is allocated.

How a parameter is declared is `declared.py`'s part.
"""

from __future__ import annotations

import copy
import enum
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any

from quire.declared import Checked, number, param, whole
from quire.errors import BadParameter, nearest

MAX_N = 1024
MAX_LOGPROBS = 1024
MAX_STOP_STRINGS = 256
MAX_STOP_CHARS = 4096
MAX_IDS = 65_536
MAX_CHOICES = 4096
MAX_MARKER_CHARS = 256
KINDS = ("json", "regex", "choice", "grammar", "json_object", "structural_tag")
TASKS = ("embed", "classify", "encode", "score")
_ALSO = {"token_embed": "encode"}  # vLLM's newer names


class RequestOutputKind(enum.Enum):
    CUMULATIVE = 0
    DELTA = 1
    FINAL_ONLY = 2


def _ids(name: str, value: Any) -> list[int]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise BadParameter(f"{name} must be a list of token ids, got {value!r}")
    if len(value) > MAX_IDS:
        raise BadParameter(f"{name} has {len(value):,} entries and may have at most {MAX_IDS:,}")
    ids = [whole(f"{name}[{i}]", v) for i, v in enumerate(value)]
    if any(i < 0 for i in ids):
        raise BadParameter(f"{name} holds {min(ids)} and token ids are at least 0")
    return ids


def _strings(name: str, value: Any, most: int = MAX_STOP_STRINGS) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise BadParameter(f"{name} must be a list of strings, got {value!r}")
    if len(value) > most:
        raise BadParameter(f"{name} has {len(value):,} strings and may have at most {most:,}")
    for word in value:
        if not isinstance(word, str) or not 0 < len(word) <= MAX_STOP_CHARS:
            raise BadParameter(f"{name}: a string has 1 to {MAX_STOP_CHARS:,} characters, got {word!r:.80}")
    return list(value)


def _after(value: Any) -> tuple[str, str] | str | None:
    if value is None:
        return None
    begin, end = value if isinstance(value, list | tuple) and len(value) == 2 else ("", value)
    for text in (begin, end):
        if not isinstance(text, str) or len(text) > MAX_MARKER_CHARS or not end:
            raise BadParameter(
                f"structured_outputs_after is a text of 1 to {MAX_MARKER_CHARS} characters, or two of which "
                f"the first may be empty, got {value!r:.80}"
            )
    return end if isinstance(value, str) else (begin, end)


def _bias(value: Any) -> dict[int, float]:
    if not isinstance(value, dict) or len(value) > MAX_IDS:
        raise BadParameter(f"logit_bias must map at most {MAX_IDS:,} token ids to numbers")
    bias = {}
    for key, given in value.items():
        try:  # JSON has text keys
            token = int(key) if isinstance(key, str) else whole("logit_bias", key)
        except ValueError as e:
            raise BadParameter(f"logit_bias keys are token ids, got {key!r}") from e
        bias[token] = number(f"logit_bias[{token}]", given)
        if token < 0 or not abs(bias[token]) <= 100:
            raise BadParameter(
                f"logit_bias maps token ids from 0 to numbers from -100 to 100, got {key}: {given}"
            )
    return bias


@dataclass
class StructuredOutputsParams(Checked):
    """The form of an answer: exactly one of json, regex, choice, grammar, json_object, structural_tag."""

    json: str | dict[str, Any] | None = param(None, "A JSON Schema, as a dict or as text.")
    regex: str | None = param(None, "A regular expression that matches the whole answer.")
    choice: list[str] | None = param(None, "The answer is one of these strings.")
    grammar: str | None = param(None, "A context-free grammar, in EBNF (`root ::= …`) or Lark (`start: …`).")
    json_object: bool | None = param(None, "On: any JSON object.")
    structural_tag: str | dict[str, Any] | None = param(
        None, "Free text in which `structures` (begin, schema, end) follow on `triggers`, as JSON."
    )
    disable_any_whitespace: bool = param(False, "No whitespace between the parts of JSON.")
    disable_additional_properties: bool = param(
        False, "JSON objects have only the properties that the schema names, where it does not say."
    )
    whitespace_pattern: str | None = param(
        None,
        "What may stand between the parts of JSON, as a regular expression. Default: whitespace, up to 32.",
    )
    disable_fallback: bool = param(False, "No effect: a grammar is done as it stands or refused.")

    def __post_init__(self) -> None:
        self.check_bounds()
        given = self._given()
        if len(given) != 1:
            found = " and ".join(given) if given else "none"
            raise BadParameter(f"structured outputs need exactly one of {', '.join(KINDS)}; given: {found}")
        if self.choice is not None:
            self.choice = _strings("choice", self.choice, MAX_CHOICES)
            if not self.choice:
                raise BadParameter("choice is empty; give at least one string")
        for name in ("regex", "grammar", "whitespace_pattern"):
            self._check_text(name, (str,), "text")
        for name in ("json", "structural_tag"):
            self._check_text(name, (str, dict), "a dict or JSON text")
        for name in ("disable_any_whitespace", "disable_additional_properties", "whitespace_pattern"):
            if getattr(self, name) and self.kind not in ("json", "json_object"):
                raise BadParameter(f"{name} has no meaning for {self.kind}; leave it out")
        if self.whitespace_pattern and self.disable_any_whitespace:
            raise BadParameter("give whitespace_pattern or disable_any_whitespace, not both")

    def _check_text(self, name: str, kinds: tuple[type, ...], what: str) -> None:
        value = getattr(self, name)
        if value is not None and not isinstance(value, kinds):
            raise BadParameter(f"{name} must be {what}, got {value!r:.80}")
        if value == "":
            raise BadParameter(f"{name} is empty; leave it out or give {what}")

    @property
    def kind(self) -> str:
        """Which of them is given."""
        return self._given()[0]

    def _given(self) -> list[str]:
        return [k for k in KINDS if getattr(self, k) is not None and getattr(self, k) is not False]

    @classmethod
    def of(cls, value: Any, name: str = "structured_outputs") -> StructuredOutputsParams:
        """Takes a mapping of the fields, too."""
        if isinstance(value, StructuredOutputsParams):
            return value
        if not isinstance(value, Mapping):
            raise BadParameter(f"{name} must be StructuredOutputsParams or a dict, got {value!r:.80}")
        known = [f.name for f in fields(cls)]
        for key in value:
            if key not in known:
                raise BadParameter(f"{name} has no {key!r}{nearest(str(key), known)}")
        return cls(**value)


GuidedDecodingParams = StructuredOutputsParams  # vLLM's older name


@dataclass
class SamplingParams(Checked):
    """How to continue a prompt. The defaults sample from the model's own distribution, 16 tokens."""

    n: int = param(1, "Answers to return for the prompt.", low=1, high=MAX_N)
    best_of: int | None = param(
        None, "Answers to generate; the n likeliest are returned. Default: n.", low=1, high=MAX_N
    )
    presence_penalty: float = param(
        0.0,
        "Taken from the logit of every token the answer already has. Below 0 invites repeats.",
        low=-2,
        high=2,
    )
    frequency_penalty: float = param(
        0.0, "Taken from a token's logit once for each time the answer already has it.", low=-2, high=2
    )
    repetition_penalty: float = param(
        1.0,
        "Divides the logits of tokens in prompt or answer. Above 1 discourages them.",
        low=0,
        high=100,
        above=True,
    )
    temperature: float = param(
        1.0, "0 always takes the likeliest token; higher is more varied.", low=0, high=100
    )
    top_p: float = param(
        1.0, "Sample among the likeliest tokens that hold this probability.", low=0, high=1, above=True
    )
    top_k: int = param(0, "Sample among this many likeliest tokens. 0 or -1: all.", low=-1)
    min_p: float = param(0.0, "Drop tokens less likely than this share of the likeliest one.", low=0, high=1)
    seed: int | None = param(
        None, "Makes this request repeatable, whatever runs beside it.", low=-(2**63), high=2**63 - 1
    )
    stop: str | list[str] | None = param(None, "Strings that end the answer.")
    stop_token_ids: list[int] | None = param(None, "Token ids that end the answer, besides the model's own.")
    bad_words: list[str] | None = param(None, "Strings the answer may not contain.")
    allowed_token_ids: list[int] | None = param(None, "The only token ids to choose from.")
    logit_bias: dict[int, float] | None = param(
        None, "Token id → number from -100 to 100 added to its logit."
    )
    ignore_eos: bool = param(False, "Go on after the model's end-of-text token.")
    max_tokens: int | None = param(
        16, "Most tokens of the answer. None: as many as the context holds.", low=1
    )
    min_tokens: int = param(0, "Tokens before end-of-text or a stop token may come.", low=0)
    logprobs: int | None = param(
        None,
        "Return this many likeliest tokens at each position, besides the chosen one.",
        low=0,
        high=MAX_LOGPROBS,
    )
    prompt_logprobs: int | None = param(
        None, "The same for the prompt's positions.", low=0, high=MAX_LOGPROBS
    )
    detokenize: bool = param(True, "Return text. Off: token ids only.")
    skip_special_tokens: bool = param(True, "Leave special tokens out of the text.")
    spaces_between_special_tokens: bool = param(True, "Put spaces between special tokens in the text.")
    include_stop_str_in_output: bool = param(False, "Keep the stop string at the end of the text.")
    truncate_prompt_tokens: int | None = param(
        None, "Keep only the last so many tokens of the prompt.", low=1
    )
    structured_outputs: StructuredOutputsParams | None = param(
        None, "The form of the answer: StructuredOutputsParams, or a dict of its fields."
    )
    structured_outputs_after: tuple[str, str] | str | None = param(
        None,
        "The form holds only after this text, such as `</think>`; what comes before it is free. Of two, such "
        "as `<think>` and `</think>`: after the second if the answer begins with the first.",
    )
    priority: int = param(
        0, "Lower runs first, with --scheduling-policy priority.", low=-(2**31), high=2**31 - 1
    )
    output_kind: RequestOutputKind = param(
        RequestOutputKind.CUMULATIVE,
        "Whether a streamed output holds everything so far, only what is new, or the end.",
    )
    cache_salt: str | None = param(None, "Only requests with the same salt share cached prefixes.")
    guided_decoding: StructuredOutputsParams | None = param(None, "vLLM's older name of structured_outputs.")

    def __post_init__(self) -> None:
        self.check_bounds()
        if self.best_of is not None and self.best_of < self.n:
            raise BadParameter(f"best_of is {self.best_of} and must be at least n, which is {self.n}")
        if self.max_tokens is not None and self.min_tokens > self.max_tokens:
            raise BadParameter(f"min_tokens is {self.min_tokens} and max_tokens only {self.max_tokens}")
        self.top_k = max(0, self.top_k)  # -1 and 0 both mean all
        if 0 < self.temperature < 1e-2:
            self.temperature = 1e-2  # below, logits overflow float32 once divided
        self.repetition_penalty = max(self.repetition_penalty, 1e-9)  # the same
        self._check_lists()
        self._check_structure()
        if not isinstance(self.output_kind, RequestOutputKind):
            raise BadParameter(f"output_kind must be a RequestOutputKind, got {self.output_kind!r}")
        if self.cache_salt is not None and not isinstance(self.cache_salt, str):
            raise BadParameter(f"cache_salt must be a string, got {self.cache_salt!r}")

    def _check_lists(self) -> None:
        self.stop = _strings("stop", [self.stop] if isinstance(self.stop, str) else self.stop or [])
        if self.stop and not self.detokenize:
            raise BadParameter("stop strings need the text; leave detokenize on or use stop_token_ids")
        self.stop_token_ids = _ids("stop_token_ids", self.stop_token_ids or [])
        self.bad_words = _strings("bad_words", self.bad_words or [])
        if self.allowed_token_ids is not None:
            self.allowed_token_ids = _ids("allowed_token_ids", self.allowed_token_ids)
            if not self.allowed_token_ids:
                raise BadParameter(
                    "allowed_token_ids is empty: nothing could be generated; leave it out to allow all"
                )
        if self.logit_bias is not None:
            self.logit_bias = _bias(self.logit_bias)

    def _check_structure(self) -> None:
        if self.guided_decoding is not None:
            if self.structured_outputs is not None:
                raise BadParameter("guided_decoding is an older name of structured_outputs; give one of them")
            self.structured_outputs = StructuredOutputsParams.of(self.guided_decoding, "guided_decoding")
            self.guided_decoding = None
        elif self.structured_outputs is not None:
            self.structured_outputs = StructuredOutputsParams.of(self.structured_outputs)
        self.structured_outputs_after = _after(self.structured_outputs_after)

    def clone(self) -> SamplingParams:
        return copy.deepcopy(self)

    @property
    def greedy(self) -> bool:
        return self.temperature == 0.0

    @property
    def samples(self) -> int:
        """How many sequences are generated for the n that are returned."""
        return self.best_of or self.n


@dataclass
class BeamSearchParams(Checked):
    """How to search for the likeliest answers."""

    beam_width: int = param(
        MISSING, "Answers kept at each step, and returned.", low=1, high=MAX_LOGPROBS // 2
    )
    max_tokens: int = param(MISSING, "Most tokens of an answer.", low=1)
    ignore_eos: bool = param(False, "Go on after the model's end-of-text token.")
    temperature: float = param(
        0.0, "No effect: beams are scored by the model's own probabilities, as in vLLM.", low=0, high=100
    )
    length_penalty: float = param(
        1.0,
        "Exponent of the length a beam's score is divided by. Above 1 favours long answers.",
        low=-10,
        high=10,
    )
    include_stop_str_in_output: bool = param(False, "Keep the end-of-text token in the text.")

    def __post_init__(self) -> None:
        self.check_bounds()


@dataclass
class PoolingParams(Checked):
    """What to make of a prompt's hidden states. A value left at None is decided by the task."""

    task: str | None = param(
        None,
        "embed: one vector; classify: a probability for each label; encode (or token_embed): a vector for "
        "each token; score: a cross-encoder's score. Default: encode, except in embed, classify and score.",
    )
    normalize: bool | None = param(
        None, "Bring vectors to length 1. Default: on for embed, off for encode; other tasks have none."
    )
    use_activation: bool | None = param(
        None, "Turn the logits of classify and score into probabilities. Default: on."
    )
    truncate_prompt_tokens: int | None = param(
        None, "Keep only the last so many tokens of the prompt. -1: as many as the model reads.", low=-1
    )
    dimensions: int | None = param(
        None, "Keep the first so many numbers of a vector, before it is normalized.", low=1
    )
    priority: int = param(
        0, "Lower runs first, with --scheduling-policy priority.", low=-(2**31), high=2**31 - 1
    )
    cache_salt: str | None = param(None, "Only requests with the same salt share cached prefixes.")

    def __post_init__(self) -> None:
        self.check_bounds()
        if self.truncate_prompt_tokens == 0:
            raise BadParameter("truncate_prompt_tokens is 0: nothing would be left; give 1 or more, or -1")
        if self.cache_salt is not None and not isinstance(self.cache_salt, str):
            raise BadParameter(f"cache_salt must be a string, got {self.cache_salt!r}")
        if self.task is not None:
            self._check_task()

    def _check_task(self) -> None:
        if not isinstance(self.task, str):
            raise BadParameter(f"task must be one of {', '.join(TASKS)}, got {self.task!r}")
        self.task = _ALSO.get(self.task, self.task)
        if self.task not in TASKS:
            known = ", ".join(TASKS)
            raise BadParameter(f"task is {self.task!r} and must be one of {known}{nearest(self.task, TASKS)}")
        scores = self.task in ("classify", "score")
        for name in ("normalize", "dimensions") if scores else ("use_activation",):
            if getattr(self, name) is not None:
                raise BadParameter(f"{name} has no meaning for the task {self.task!r}; leave it out")

    def kind(self, embedding: str) -> str:
        """Which positions count: every one, the last, or those that make an `embedding` (mean, last, cls)."""
        return {"encode": "every", "embed": embedding}.get(self.task or "encode", "last")

    def clone(self) -> PoolingParams:
        return copy.deepcopy(self)
