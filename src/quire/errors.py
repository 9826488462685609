"""Every error Quire raises on purpose.

QuireError
├── ConfigError (ValueError)       wrong before anything runs: options, machine
│   ├── UnknownOption              a name nobody declared, with the nearest one
│   ├── BadOption                  a known name with a value out of its range
│   ├── DoesNotFit                 the model or its KV cache needs more memory than there is
│   ├── BadRecord                  a file that is no record, or not one this version reads
│   └── CheckpointError            a model folder that cannot be used
│       ├── UnknownArchitecture    a config.json of a family Quire does not know
│       ├── CorruptWeights         truncated file, Git-LFS pointer, HTML page, pickle
│       └── TensorMismatch         missing, extra or misshapen tensors, listed
├── RequestError (ValueError)      one request is wrong; the engine goes on          400
│   ├── BadParameter               a sampling or pooling parameter out of its range
│   ├── EmptyPrompt
│   ├── PromptTooLong
│   ├── TextTooLong                so long that its tokens are not even counted
│   ├── TokenOutOfRange            a token id the model does not have
│   ├── BadGrammar                 a schema, expression or grammar that cannot be kept to
│   ├── BadTemplate                the chat template refused or outgrew its limits
│   ├── NeedsTokenizer             text was given but the tokenizer is off
│   ├── WrongTask                  the checkpoint has no head for what was asked
│   ├── NotAllowed                 no key, a wrong key, or not with this key         401, 403
│   ├── NotFound                   a model, file, batch or response nobody has       404
│   ├── TooLarge                   a body, a header or a file beyond its limit       413, 431
│   └── Unsupported                a feature this build does not have                501
├── NotNow (RuntimeError)          right, but later: `retry_after` says in how many seconds
│   ├── Overloaded                 too many wait, or would wait too long             429
│   ├── Draining                   the server is about to stop                       503
│   ├── NoMemory                   others hold what the KV cache needs               503
│   └── EngineDead                 the engine cannot go on                           503
├── TimedOut (RuntimeError)        a request outlived its time limit                 504
└── RequestFailed (RuntimeError)   one request broke while running                   500
    ├── GrammarFailed              its grammar allows no text, or outgrew its limits 400
    └── NothingAllowed             its parameters together exclude every token       400

A message gives the numbers and the way out. `status` is what a server answers.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

FEW = 12  # known names that are all listed


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
        known = list(known)
        every = f"; there are {', '.join(known)}" if len(known) <= FEW else ""
        super().__init__(f"unknown {where} {name!r}{nearest(name, known) or every}")


class BadOption(ConfigError):
    pass


class DoesNotFit(ConfigError):
    pass


class BadRecord(ConfigError):
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
    """`param` names the field of the request that is wrong, `code` is a word for programs."""

    status = 400
    code: str | None = None

    def __init__(self, message: str = "", param: str | None = None):
        super().__init__(message)
        self.param = param


class BadParameter(RequestError):
    pass


class EmptyPrompt(RequestError):
    def __init__(self) -> None:
        super().__init__("the prompt is empty; give it at least one token")


class PromptTooLong(RequestError):
    code = "context_length_exceeded"

    def __init__(self, tokens: int, limit: int, answers: bool = True, raisable: bool = True):
        kept = " (one place is kept for the answer)" if answers else ""
        out = "shorten it or set truncate_prompt_tokens"
        if raisable:
            out = "shorten it, set truncate_prompt_tokens, or raise --max-model-len"
        super().__init__(
            f"the prompt has {tokens:,} tokens and the model reads at most {limit:,}{kept}; {out}"
        )


class TextTooLong(RequestError):
    code = "context_length_exceeded"

    def __init__(self, chars: int, limit: int):
        super().__init__(
            f"the text has {chars:,} characters and at most {limit:,} are turned into tokens, more than the "
            f"model reads; shorten it"
        )


class TokenOutOfRange(RequestError):
    def __init__(self, token: int, vocab: int, param: str | None = None):
        told = f"token id {token} is outside the vocabulary; ids run from 0 to {vocab - 1:,}"
        super().__init__(told, param)


class BadGrammar(RequestError):
    pass


class BadTemplate(RequestError):
    pass


class NeedsTokenizer(RequestError):
    pass


class WrongTask(RequestError):
    pass


class NotAllowed(RequestError):
    """Without a `reason`, the key is missing or wrong."""

    status = 401
    code = "invalid_api_key"

    def __init__(self, reason: str = ""):
        super().__init__(
            reason or "this server needs a key; send `Authorization: Bearer KEY` or `x-api-key: KEY`"
        )
        if reason:
            self.status, self.code = 403, "not_allowed"


class NotFound(RequestError):
    status = 404
    code = "not_found"


class TooLarge(RequestError):
    code = "too_large"

    def __init__(self, message: str, status: int = 413):
        super().__init__(message)
        self.status = status


class Unsupported(RequestError):
    status = 501


class NotNow(QuireError, RuntimeError):
    """`retry_after`: seconds after which it is worth another try."""

    status = 503
    code = "unavailable"

    def __init__(self, message: str = "", retry_after: float = 5.0):
        super().__init__(message)
        self.retry_after = retry_after


class Overloaded(NotNow):
    status = 429
    code = "overloaded"


class Draining(NotNow):
    code = "draining"

    def __init__(self, retry_after: float = 5.0):
        super().__init__("the server is about to stop and takes no new requests; try again", retry_after)


class NoMemory(NotNow):
    code = "no_memory"

    def __init__(self, needed: int, free: int):
        super().__init__(
            f"the KV cache, with the graphs over it, needs {needed / 2**30:.2f} GiB of memory and "
            f"{free / 2**30:.2f} are free; free some and try again"
        )
        self.needed, self.free = needed, free


class EngineDead(NotNow):
    code = "engine_dead"


class TimedOut(QuireError, RuntimeError):
    status = 504
    code = "timeout"

    def __init__(self, seconds: float):
        super().__init__(
            f"the request was not done within {seconds:,.3g} seconds and was ended; "
            f"ask for fewer tokens, give a longer timeout or raise --request-timeout"
        )


class RequestFailed(QuireError, RuntimeError):
    status = 500


class GrammarFailed(RequestFailed):
    status = 400
    code = "grammar_failed"


class NothingAllowed(RequestFailed):
    status = 400
    code = "nothing_allowed"
