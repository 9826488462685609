"""Token by token to text, whole characters only, and the search for stop strings in that text.

A token is not a piece of text: a character can be spread over several tokens, and a token's text depends on
what stands before it. Three streams know the three kinds of vocabulary; each costs O(1) for a token whatever
the length of the output. `tokenizers.DecodeStream` is not used: it holds back invalid bytes while more come.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from quire.text.tokenizer import Tokenizer, clean_up

BROKEN = "\ufffd"  # stands for bytes that are no character
_CONTEXT_TOKENS = 8
_LONGEST_CHARACTER = 4  # bytes in UTF-8, and so the most tokens a character can be spread over


class Detokenizer:
    """Gives the text that output tokens add after a prompt.

    Deltas and `finish` together are `tokenizer.decode` of the output in the prompt's context. One exception:
    where byte-fallback tokens turn out not to be UTF-8, characters of the same run already sent stay as sent.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        prompt_ids: Sequence[int] = (),
        skip_special_tokens: bool = True,
        spaces_between_special_tokens: bool = True,
    ):
        self._skipped = tokenizer.special_ids if skip_special_tokens else frozenset()
        self._tokenizer = tokenizer
        self._cleaner = _Cleaner() if tokenizer.cleans_up else None
        self._stream: _Stream
        pieces = _pieces(tokenizer)
        if isinstance(pieces, _BytePieces):
            self._stream = _ByteStream(pieces)
        elif isinstance(pieces, _FallbackPieces):
            self._stream = _FallbackStream(pieces)
        else:
            self._stream = _WindowStream(tokenizer, spaces_between_special_tokens)
        self._prime(prompt_ids)

    def _prime(self, prompt_ids: Sequence[int]) -> None:
        tail: list[int] = []
        for token in map(int, reversed(prompt_ids)):  # numpy or not
            if self._shows(token):
                tail.append(token)
                if len(tail) == _CONTEXT_TOKENS:
                    break
        self._stream.push(tail[::-1])
        self._prompt_debt = (
            self._stream.debt
        )  # the prompt's own half character, if it stays one, is not output

    def _shows(self, token: int) -> bool:
        return token not in self._skipped and self._tokenizer.id_to_token(token) is not None

    def push(self, ids: Iterable[int]) -> str:
        """Returns the text that became certain. Ids that are unknown or skipped add nothing."""
        return self._emit(self._stream.push([i for i in ids if self._shows(i)]))

    def finish(self) -> str:
        """Returns what was held back: an unfinished character comes out as U+FFFD."""
        text = self._emit(self._stream.finish())
        return text + self._cleaner.finish() if self._cleaner else text

    def _emit(self, text: str) -> str:
        if text and self._prompt_debt:
            whole = len(text)
            text = text.lstrip(BROKEN) if text.startswith(BROKEN * self._prompt_debt) else text
            text = BROKEN * max(0, whole - len(text) - self._prompt_debt) + text
            self._prompt_debt = 0
        return self._cleaner.push(text) if self._cleaner and text else text


class _Stream(Protocol):
    @property
    def debt(self) -> int:
        """How many U+FFFD `finish` would return now."""

    def push(self, ids: Sequence[int]) -> str: ...

    def finish(self) -> str: ...


class _BytePieces(dict[int, bytes]):
    """Token → bytes for byte-level vocabularies (GPT-2, Llama 3, Qwen). Filled as tokens are met."""

    def __init__(self, tokenizer: Tokenizer):
        super().__init__()
        self._spelling = tokenizer.backend.id_to_token

    def __missing__(self, token: int) -> bytes:
        spelling = self._spelling(token) or ""
        try:
            piece = bytes(_BYTE_OF[char] for char in spelling)
        except KeyError:  # an added token, spelled as itself
            piece = spelling.encode()
        self[token] = piece
        return piece


class _ByteStream:
    def __init__(self, pieces: _BytePieces):
        self._pieces = pieces
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    @property
    def debt(self) -> int:
        return int(bool(self._decoder.getstate()[0]))

    def push(self, ids: Sequence[int]) -> str:
        return self._decoder.decode(b"".join([self._pieces[i] for i in ids]))

    def finish(self) -> str:
        return self._decoder.decode(b"", True)


class _FallbackPieces(dict[int, str | int]):
    """Token → its text inside a sentence, or one byte (`<0xE4>`), for SentencePiece (Llama 2, Gemma)."""

    def __init__(self, tokenizer: Tokenizer, byte_fallback: bool):
        super().__init__()
        self._tokenizer = tokenizer
        self._byte_fallback = byte_fallback
        vocab = tokenizer.backend.get_vocab(with_added_tokens=False)
        self._anchor = next(
            (i for word, i in vocab.items() if word.isalnum() and self.alone(i) == word), None
        )
        self._anchor_chars = 0 if self._anchor is None else len(self.alone(self._anchor))

    def alone(self, token: int) -> str:
        """The text at the very beginning, where a leading space may be dropped."""
        return self._tokenizer.backend.decode([token], skip_special_tokens=False)

    def __missing__(self, token: int) -> str | int:
        spelling = self._tokenizer.backend.id_to_token(token) or ""
        piece: str | int
        if self._byte_fallback and re.fullmatch(r"<0x[0-9A-Fa-f]{2}>", spelling):
            piece = int(spelling[3:5], 16)
        elif self._anchor is None:
            piece = self.alone(token)
        else:
            both = self._tokenizer.backend.decode([self._anchor, token], skip_special_tokens=False)
            piece = both[self._anchor_chars :]
        self[token] = piece
        return piece


class _FallbackStream:
    def __init__(self, pieces: _FallbackPieces):
        self._pieces = pieces
        self._pending = b""
        self._broken_run = False  # tokenizers gives one U+FFFD for each byte of a run that is not UTF-8
        self._at_start = True

    @property
    def debt(self) -> int:
        return len(self._pending)

    def push(self, ids: Sequence[int]) -> str:
        return "".join([self._one(i) for i in ids])

    def _one(self, token: int) -> str:
        piece = self._pieces[token]
        if self._at_start:
            self._at_start = False
            alone = self._pieces.alone(token)
            if isinstance(piece, str) or not alone:
                return alone
        if isinstance(piece, str):
            broken, self._broken_run = self.finish(), False
            return broken + piece
        self._pending += bytes([piece])
        if self._broken_run:
            return self.finish()
        try:
            text = self._pending.decode()
        except UnicodeDecodeError as e:
            if e.reason == "unexpected end of data":
                return ""
            self._broken_run = True
            return self.finish()
        self._pending = b""
        return text

    def finish(self) -> str:
        count, self._pending = len(self._pending), b""
        return BROKEN * count


class _WindowStream:
    """Any other decoder: decodes the new token behind the last few and takes what was added."""

    def __init__(self, tokenizer: Tokenizer, spaces_between_special_tokens: bool):
        self._decode: Callable[[list[int]], str] = lambda ids: tokenizer.backend.decode(
            ids, skip_special_tokens=False
        )
        self._joined = frozenset() if spaces_between_special_tokens else tokenizer.added_ids
        self._context: list[int] = []
        self._context_chars = 0
        self._new: list[int] = []

    @property
    def debt(self) -> int:
        return self._look().count(BROKEN) if self._new else 0

    def push(self, ids: Sequence[int]) -> str:
        return "".join([self._one(i) for i in ids])

    def _look(self) -> str:
        text = self._decode(self._context + self._new)[self._context_chars :]
        if self._context and self._context[-1] in self._joined and self._new[0] in self._joined:
            return text.removeprefix(" ")
        return text

    def _one(self, token: int) -> str:
        self._new.append(token)
        text = self._look()
        if text.endswith(BROKEN) and len(self._new) < _LONGEST_CHARACTER:
            return ""
        return self._advance(text)

    def _advance(self, text: str) -> str:
        self._context = (self._context + self._new)[-_CONTEXT_TOKENS:]
        self._context_chars = len(self._decode(self._context))
        self._new = []
        return text

    def finish(self) -> str:
        return self._advance(self._look()) if self._new else ""


class _Cleaner:
    """`clean_up` on a stream: text is cut only inside words, where no rule can reach across."""

    _INSIDE_A_WORD = re.compile(r"[^\W_]{2}(?=[^\W_])")  # no rule has three letters in a row

    def __init__(self) -> None:
        self._held = ""

    def push(self, text: str) -> str:
        seen = max(0, len(self._held) - 2)
        self._held += text
        cut = 0
        for match in self._INSIDE_A_WORD.finditer(self._held, seen):
            cut = match.end()
        ready, self._held = self._held[:cut], self._held[cut:]
        return clean_up(ready)

    def finish(self) -> str:
        text, self._held = self._held, ""
        return clean_up(text)


def _byte_alphabet() -> dict[str, int]:
    """The printable character that stands for each byte in byte-level vocabularies."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(b): b for b in printable} | {chr(256 + n): b for n, b in enumerate(others)}


_BYTE_OF = _byte_alphabet()
_PIECES: WeakKeyDictionary[Tokenizer, _BytePieces | _FallbackPieces | None] = WeakKeyDictionary()


def _pieces(tokenizer: Tokenizer) -> _BytePieces | _FallbackPieces | None:
    """The table for this tokenizer's kind of decoder, or None where only decoding in context will do."""
    if tokenizer not in _PIECES:
        steps = _steps(tokenizer.backend.decoder)
        kinds = [step["type"] for step in steps]
        found: _BytePieces | _FallbackPieces | None = None
        if kinds == ["ByteLevel"]:
            found = _BytePieces(tokenizer)
        elif kinds and set(kinds) <= {"Replace", "ByteFallback", "Fuse", "Strip", "Metaspace"}:
            only_left = all(step.get("stop", 0) == 0 for step in steps)
            fused_last = "Fuse" not in kinds or "Replace" not in kinds[kinds.index("Fuse") :]
            found = _FallbackPieces(tokenizer, "ByteFallback" in kinds) if only_left and fused_last else None
        _PIECES[tokenizer] = found
    return _PIECES[tokenizer]


def _steps(decoder: Any) -> list[dict[str, Any]]:
    if decoder is None:
        return []
    state = json.loads(decoder.__getstate__())
    return list(state["decoders"]) if state["type"] == "Sequence" else [state]


class StopStrings:
    """Finds stop strings in a text that comes in pieces, however it is cut.

    The stop string that is complete first wins; of several complete at the same character, the longest. Each
    character is looked at once for each stop string, so a long text costs no more than its length.
    """

    def __init__(self, stops: Sequence[str], include: bool = False):
        self.matched: str | None = None
        self._stops = [stop for stop in dict.fromkeys(stops) if stop]
        self._include = include
        self._first_chars = {stop[0] for stop in self._stops}
        self._matched_chars = [0] * len(self._stops)  # how much of each stop string the text ends with
        self._tables: list[list[int]] = [[0] for _ in self._stops]  # longest border of each prefix met so far
        self._held = ""

    def push(self, delta: str) -> tuple[str, str | None]:
        """Returns the text that can be sent and the stop string found, if any.

        Text that may be the beginning of a stop string is held back, unless stop strings are included in the
        output. After a match nothing more comes out.
        """
        if self.matched is not None:
            return "", self.matched
        if not any(self._matched_chars) and not any(char in delta for char in self._first_chars):
            return delta, None
        text = self._held + delta
        for position, char in enumerate(delta, len(self._held) + 1):
            found = self._advance(char)
            if found is not None:
                self.matched, self._held = found, ""
                return text[: position if self._include else position - len(found)], found
        held = 0 if self._include else max(self._matched_chars)
        self._held = text[len(text) - held :]
        return text[: len(text) - held], None

    def finish(self) -> str:
        """Returns what was held back: the text ended, so it was no stop string."""
        text, self._held = self._held, ""
        return text

    def _advance(self, char: str) -> str | None:
        """Moves every stop string on by a character (Knuth-Morris-Pratt); returns the longest complete."""
        found: str | None = None
        for i, stop in enumerate(self._stops):
            table, length = self._tables[i], self._matched_chars[i]
            while length and stop[length] != char:
                length = table[length - 1]
            if stop[length] == char:
                length += 1
                if length > len(table):
                    table.append(_border(stop, table))
            self._matched_chars[i] = length
            if length == len(stop) and (found is None or length > len(found)):
                found = stop
        return found


def _border(stop: str, table: list[int]) -> int:
    """The longest proper prefix of stop[: n + 1] that is also its end, given those of shorter prefixes."""
    n, length = len(table), table[-1]
    while length and stop[length] != stop[n]:
        length = table[length - 1]
    return length + (stop[length] == stop[n])


def token_bytes(tokenizer: Tokenizer, token: int) -> bytes:
    """What one token adds inside a text; a special token, its name."""
    pieces = _pieces(tokenizer)
    if pieces is None:
        return tokenizer.decode([token], skip_special_tokens=False).encode()
    piece = pieces[token]
    if isinstance(piece, bytes):
        return piece
    return bytes([piece]) if isinstance(piece, int) else piece.encode()
