"""Every error Quire raises on purpose.

QuireError
├── ConfigError (ValueError)       wrong before anything runs: options, machine
│   ├── UnknownOption              a name nobody declared, with the nearest one
│   ├── BadOption                  a known name with a value out of its range
│   ├── DoesNotFit                 the model or its KV cache needs more memory than there is
│   └── CheckpointError            a model folder that cannot be used
│       ├── UnknownArchitecture    a config.json of a family Quire does not know
│       ├── CorruptWeights         truncated file, Git-LFS pointer, HTML page, pickle
│       └── TensorMismatch         missing, extra or misshapen tensors, listed
├── RequestError (ValueError)      one request is wrong; the engine goes on          400
│   ├── BadParameter               a sampling or pooling parameter out of its range
│   ├── EmptyPrompt
│   ├── PromptTooLong
│   ├── TokenOutOfRange            a token id the model does not have
│   ├── BadGrammar                 a schema, expression or grammar that cannot be kept to
│   ├── BadTemplate                the chat template refused or outgrew its limits
│   ├── NeedsTokenizer             text was given but the tokenizer is off
│   ├── WrongTask                  the checkpoint has no head for what was asked
│   └── Unsupported                a feature this build does not have                501
├── RequestFailed                  one request broke while running                   500
└── EngineDead                     the engine cannot go on                           503

A message gives the numbers and the way out. `status` is what a server answers.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str:
    """Returns a ready-made hint (`; did you mean 'x'?`) or an empty string."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {found[0]!r}?" if found else ""


class QuireError(Exception):
    status = 500


class ConfigError(QuireError, ValueError):
    status = 400


class UnknownOption(ConfigError, TypeError):
    def __init__(self, name: str, known: Iterable[str], where: str = "option"):
        super().__init__(f"unknown {where} {name!r}{nearest(name, known)}")


class BadOption(ConfigError):
    pass


class DoesNotFit(ConfigError):
    pass


class CheckpointError(ConfigError):
    pass


class UnknownArchitecture(CheckpointError):
    def __init__(self, name: str, known: Iterable[str]):
        known = sorted(known)
        super().__init__(f"unknown architecture {name!r}{nearest(name, known)} (known: {', '.join(known)})")


class CorruptWeights(CheckpointError):
    pass


class TensorMismatch(CheckpointError):
    pass


class RequestError(QuireError, ValueError):
    status = 400


class BadParameter(RequestError):
    pass


class EmptyPrompt(RequestError):
    def __init__(self) -> None:
        super().__init__("the prompt is empty; give it at least one token")


class PromptTooLong(RequestError):
    def __init__(self, tokens: int, limit: int, answers: bool = True):
        kept = " (one place is kept for the answer)" if answers else ""
        super().__init__(
            f"the prompt has {tokens:,} tokens and the model reads at most {limit:,}{kept}; "
            f"shorten it, set truncate_prompt_tokens, or raise --max-model-len"
        )


class TokenOutOfRange(RequestError):
    def __init__(self, token: int, vocab: int):
        super().__init__(f"token id {token} is outside the vocabulary; ids run from 0 to {vocab - 1:,}")


class BadGrammar(RequestError):
    pass


class BadTemplate(RequestError):
    pass


class NeedsTokenizer(RequestError):
    pass


class WrongTask(RequestError):
    pass


class Unsupported(RequestError):
    status = 501


class RequestFailed(QuireError, RuntimeError):
    status = 500


class EngineDead(QuireError, RuntimeError):
    status = 503
