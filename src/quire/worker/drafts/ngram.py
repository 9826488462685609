"""Prompt lookup: what followed the same few tokens before is likely to follow them again.

Nothing is kept: a row's own tokens are searched each time, which takes microseconds. Answers that copy from
their prompt (extraction, editing, code, lists) gain most.
"""

from __future__ import annotations

import numpy as np

from quire.types import Ints, RowIndex
from quire.worker.drafts.contract import Drafts, Seen, Stateless


class Ngram(Stateless):
    reads_hidden = False

    def __init__(self, least: int, most: int):
        """A match has at least `least` tokens; up to `most` are compared, and the longest match wins."""
        self.least, self.most = least, most

    def propose(self, seen: Seen) -> Drafts:
        drafts = Drafts.room(seen.want)
        for i in seen.want.nonzero()[0].tolist():
            text = seen.tokens[seen.rows[i], : seen.start[i] + seen.kept[i] + 1]
            at = self._match(text)
            if at is not None:
                drafts.put(i, copied(text, at, int(seen.want[i])))
        return drafts

    def _match(self, text: Ints) -> int | None:
        """Where a match ends: the latest of the longest ones."""
        found, length = occurrences(text, text, self.most)
        return int(found[-1]) if length >= self.least and len(found) else None


def occurrences(text: Ints, pattern: Ints, most: int) -> tuple[RowIndex, int]:
    """Where in `text`, before its last token, `pattern` ends with as many tokens as anywhere, up to `most`.

    Returns the places of that many, in order, and how many tokens are the same there.
    """
    found = (text[:-1] == pattern[-1]).nonzero()[0]
    length = min(1, len(found))
    while 0 < length < min(most, len(pattern)):
        longer = found[(text[found - length] == pattern[-1 - length]) & (found >= length)]
        if not len(longer):
            break
        found, length = longer, length + 1
    return found, length


def copied(text: Ints, at: int, count: int) -> Ints:
    """`count` tokens after place `at`; where the text ends it goes on as it repeats itself from there."""
    rest = text[at + 1 :]
    tokens: Ints = rest[:count] if len(rest) >= count else np.resize(rest, count)
    return tokens
