"""Log-probabilities as OpenAI writes them: the shape of chats, and the older one of completions.

A reply may hold a million of them, so each token's are turned into JSON at once and kept as that. `cost` says
how long writing them takes, in the measure of strangers.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from quire.outputs import Logprob
from quire.server.sse import encode
from quire.text.detokenize import token_bytes
from quire.text.tokenizer import Tokenizer

LEAST = -9999.0  # JSON has no minus infinity
_COST = 20  # of one number with its token: some microseconds


def cost(*scores: Sequence[Mapping[int, Logprob] | None] | None) -> int:
    """Every token is scored like the last."""
    return sum(_COST * len(found) * (1 + len(found[-1] or ())) for found in scores if found)


def raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(encode(value))


def chat_logprobs(
    tokenizer: Tokenizer,
    token_ids: Sequence[int],
    scores: Sequence[Mapping[int, Logprob]],
    top: int,
    by_id: bool = False,
) -> Iterator[dict[str, Any]]:
    """One entry for each token, with the `top` likeliest at its place; `by_id` names tokens by their ids."""
    for token, found in zip(token_ids, scores, strict=False):
        entry = _entry(tokenizer, token, found[token], by_id)
        entry["top_logprobs"] = [_entry(tokenizer, t, score, by_id) for t, score in _best(found, top)]
        yield entry


def _name(token: int, piece: bytes, by_id: bool) -> str:
    return f"token_id:{token}" if by_id else piece.decode("utf-8", "replace")


def _entry(tokenizer: Tokenizer, token: int, score: Logprob, by_id: bool) -> dict[str, Any]:
    piece = token_bytes(tokenizer, token)
    return {
        "token": _name(token, piece, by_id),
        "logprob": max(score.logprob, LEAST),
        "bytes": list(piece),
    }


def _best(found: Mapping[int, Logprob], top: int) -> list[tuple[int, Logprob]]:
    """The chosen token stands first in `found` and may lie outside the best ones."""
    return sorted(found.items(), key=lambda item: item[1].rank or 1 << 30)[:top]


class OlderLogprobs:
    """Tokens, their numbers and where they stand in the text; offsets go on from call to call."""

    def __init__(self, tokenizer: Tokenizer, top: int, skip_special_tokens: bool, by_id: bool = False):
        self._tokenizer = tokenizer
        self._top = top
        self._by_id = by_id
        self._unseen = tokenizer.special_ids if skip_special_tokens else frozenset()
        self._offset = 0

    def write(
        self, token_ids: Sequence[int], scores: Sequence[Mapping[int, Logprob] | None]
    ) -> dict[str, list[Any]]:
        """A prompt's first token has no score."""
        tokens, values, tops, offsets = [], [], [], []
        for token, found in zip(token_ids, scores, strict=False):
            piece = token_bytes(self._tokenizer, token)
            tokens.append(_name(token, piece, self._by_id))
            offsets.append(self._offset)
            if token not in self._unseen:
                self._offset += sum(byte & 0xC0 != 0x80 for byte in piece)  # characters begin so
            values.append(None if found is None else max(found[token].logprob, LEAST))
            tops.append(None if found is None else raw(self._tops(token, found)))
        return {"tokens": tokens, "token_logprobs": values, "top_logprobs": tops, "text_offset": offsets}

    def _tops(self, token: int, found: Mapping[int, Logprob]) -> dict[str, float]:
        """The best, and as OpenAI does the chosen one, too."""
        best = dict(_best(found, self._top)) | {token: found[token]}
        told: dict[str, float] = {}
        for t, score in best.items():
            name = _name(t, token_bytes(self._tokenizer, t), self._by_id)
            told.setdefault(name, max(score.logprob, LEAST))
        return told


def prompt_logprobs(
    tokenizer: Tokenizer, scores: Sequence[Mapping[int, Logprob] | None]
) -> list[msgspec.Raw | None]:
    """vLLM's shape: for each position the tokens' ids, with logprob, rank and text."""
    return [
        None
        if found is None
        else raw(
            {
                str(token): {
                    "logprob": max(score.logprob, LEAST),
                    "rank": score.rank,
                    "decoded_token": token_bytes(tokenizer, token).decode("utf-8", "replace"),
                }
                for token, score in found.items()
            }
        )
        for found in scores
    ]
