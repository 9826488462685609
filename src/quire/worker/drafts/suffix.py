"""Suffix decoding: the longest ending of a text that was seen before, and what followed it most often.

A row's own text is searched, and the answers of earlier requests: agents and pipelines that ask alike are
answered alike. A request with a salt keeps to its own text, and its answer to itself. Earlier answers lie in
one ring of tokens with a chain through all places where the same two tokens stand, so memory is bounded and a
lookup visits a few dozen places. Guessing goes on along the most frequent continuation while the chance of
being right, by counting, is above a bound.
"""

from __future__ import annotations

from array import array
from collections import deque

import numpy as np

from quire.ops.attention import KVLayer
from quire.types import Admission, Ints, RowIndex
from quire.worker.drafts.contract import Drafts, Seen
from quire.worker.drafts.ngram import occurrences

MOST_TOKENS = 1 << 20  # of earlier answers, about 17 bytes each
MOST_PLACES = 48  # that a lookup visits
FIRST_TOKENS = 1 << 12  # the ring begins small and doubles
HEADS = 1 << 16  # fit into 16 bits
TOGETHER = 1 << 10  # tokens that are indexed at once, if nobody looks before
APART = -1  # stands between answers
_END = np.array([APART], np.int32)


class Answers:
    """Earlier answers, the oldest forgotten first."""

    def __init__(self, most: int, most_tokens: int = MOST_TOKENS):
        """At most so many of them."""
        self.most, self.most_tokens = most, most_tokens
        self.end = 0  # tokens that ever came; place p is slot p % len
        self.tokens: Ints = np.full(min(FIRST_TOKENS, most_tokens), APART, np.int32)
        self._before = array("q", [-1]) * len(self.tokens)  # the place before with the same head
        self._head = array("q", [-1]) * HEADS
        self._begins: deque[int] = deque()  # where answers begin
        self._waiting: list[Ints] = []  # not indexed so far, APART after each
        self._waiting_tokens = 0

    @property
    def first(self) -> int:
        """The oldest place that counts."""
        kept = self._begins[0] if self._begins else self.end
        return max(kept, self.end - len(self.tokens))

    def add(self, answer: Ints) -> None:
        """Remembers an answer. Many are indexed at once, which is far cheaper than one by one: at the latest
        when somebody looks, so while guessing rests an answer costs next to nothing."""
        if not self.most or len(answer) < 3:
            return
        answer = answer[-(self.most_tokens - 1) :]
        if self._waiting_tokens + len(answer) + 1 > self.most_tokens:
            self._index()
        self._waiting += (answer.copy(), _END)
        self._waiting_tokens += len(answer) + 1
        if self._waiting_tokens >= TOGETHER:
            self._index()

    def _index(self) -> None:
        """All that wait get their places, and each pair of tokens the place before where it stood."""
        if not self._waiting:
            return
        tokens = np.concatenate(self._waiting)
        self._waiting, self._waiting_tokens = [], 0
        room = len(self.tokens)
        while self.end + len(tokens) > room and room < self.most_tokens:
            room = min(2 * room, self.most_tokens)
        if room > len(self.tokens):  # nothing has been overwritten so far
            more = room - len(self.tokens)
            self.tokens = np.concatenate([self.tokens, np.full(more, APART, np.int32)])
            self._before.extend(array("q", [-1]) * more)
        self.tokens[(self.end + np.arange(len(tokens))) % room] = tokens
        ends = (tokens == APART).nonzero()[0]
        self._begins.extend((self.end + np.append(0, ends[:-1] + 1)).tolist())
        self._link(tokens, room)
        self.end += len(tokens)
        while (
            len(self._begins) > self.most or self._begins[0] < self.end - room
        ):  # overwritten, at least in part
            self._begins.popleft()

    def _link(self, tokens: Ints, room: int) -> None:
        """Chains the pairs of tokens that go to `self.end`; sorted by head, each follows the one before."""
        pairs = ((tokens[:-1] != APART) & (tokens[1:] != APART)).nonzero()[0]
        heads = _heads(tokens[pairs], tokens[pairs + 1])
        order = heads.astype(np.uint16).argsort(kind="stable")  # of 16 bits, so sorted in linear time
        heads, places = heads[order], self.end + 1 + pairs[order]
        newest, before = np.frombuffer(self._head, np.int64), np.frombuffer(self._before, np.int64)
        first = np.append(True, heads[1:] != heads[:-1])
        linked = np.append(-1, places[:-1])
        linked[first] = newest[heads[first]]
        before[places % room] = linked
        last = np.append(first[1:], True)
        newest[heads[last]] = places[last]

    def places(self, pattern: Ints) -> RowIndex:
        """Where the last two tokens of `pattern` may stand; the latest first, a few of them."""
        self._index()
        place, first = self._head[int(_heads(pattern[-2:-1], pattern[-1:])[0])], self.first
        found: list[int] = []
        room = len(self.tokens)
        while place > first and len(found) < MOST_PLACES:
            found.append(place)
            place = self._before[place % room]
        return np.array(found, np.int64)

    def longest(self, pattern: Ints) -> tuple[RowIndex, int]:
        """Places where the longest ending of `pattern` ends, and its length; 0 if it is less than two."""
        found = self.places(pattern)
        first, room = self.first, len(self.tokens)
        length = 0
        while len(found) and length < len(pattern):
            same = self.tokens[(found - length) % room] == pattern[-1 - length]
            longer = found[same & (found - length >= first)]
            if not len(longer):
                break
            found, length = longer, length + 1
        return (found, length) if length >= 2 else (found[:0], 0)

    def after(self, places: RowIndex, count: int) -> Ints:
        """The tokens after each of these places; APART where its answer has ended.   # [places, count]"""
        where = places[:, None] + np.arange(1, count + 1)
        tokens = self.tokens[where % len(self.tokens)]
        return np.where((where < self.end), tokens, APART)


class Suffix:
    reads_hidden = False
    lookahead = 0
    remembers = True

    def __init__(self, rows: int, depth: int, most_answers: int, factor: float, least_chance: float):
        """Up to `depth` tokens are compared; `factor` guesses for each that is the same, while they are right
        with a chance of at least `least_chance`."""
        self.depth, self.factor, self.least_chance = depth, factor, least_chance
        self.answers = Answers(most_answers)
        self._prompt: Ints = np.zeros(rows, np.int32)
        self._known: Ints = np.zeros(rows, np.int32)
        self._apart = np.zeros(rows, np.bool_)
        self._tokens: Ints | None = None  # of all rows

    def bind_kv(self, layers: list[KVLayer]) -> None:
        pass

    def admit(self, admission: Admission) -> None:
        self._prompt[admission.row] = len(admission.request.prompt)
        self._known[admission.row] = len(admission.tokens)
        self._apart[admission.row] = bool(admission.request.salt)

    def release(self, row: int) -> None:
        """Its answer is remembered; where it was preempted, as far as it came."""
        if self._tokens is not None and not self._apart[row]:
            self.answers.add(self._tokens[row, self._prompt[row] : self._known[row]])
        self._known[row] = self._prompt[row]

    def passed(self, rows: RowIndex, known: Ints, tokens: Ints) -> None:
        self._known[rows], self._tokens = known, tokens

    def propose(self, seen: Seen) -> Drafts:
        drafts = Drafts.room(seen.want)
        self._tokens = seen.tokens
        known = seen.start + seen.kept + (seen.drawn >= 0)
        self._known[seen.rows] = np.maximum(known, self._known[seen.rows])
        for i in seen.want.nonzero()[0].tolist():
            row = seen.rows[i]
            text, apart = seen.tokens[row, : known[i]], bool(self._apart[row])
            drafts.put(i, self._guess(text, int(seen.want[i]), apart))
        return drafts

    def _guess(self, text: Ints, want: int, apart: bool) -> Ints:
        pattern = text[-self.depth :]
        own, length = occurrences(text, pattern, self.depth)
        best, chance = self._follow(_repeated(text, own[-MOST_PLACES:], self._most(want, length)))
        if len(pattern) < 2 or apart:
            return best
        others, longer = self.answers.longest(pattern)
        if longer >= length:
            found, more = self._follow(self.answers.after(others, self._most(want, longer)))
            if more > chance:
                return found
        return best

    def _most(self, want: int, length: int) -> int:
        return min(want, self.depth, int(self.factor * length + 0.5))

    def _follow(self, after: Ints) -> tuple[Ints, float]:
        """Follows the most frequent continuation; returns it, and how many of it are right on average."""
        if len(after) == 1:  # the usual case: what came once comes again
            apart = (after[0] == APART).nonzero()[0]
            only = after[0, : apart[0]] if len(apart) else after[0]
            return only, float(len(only))
        guessed: list[int] = []
        chance, score = 1.0, 0.0
        while len(after) and len(guessed) < after.shape[1]:
            column = after[:, len(guessed)]
            values, counts = np.unique(column[column != APART], return_counts=True)
            if not len(values):
                break
            top = int(counts.argmax())
            chance *= float(counts[top]) / len(after)
            if chance < self.least_chance:
                break
            score += chance
            after = after[column == values[top]]
            guessed.append(int(values[top]))
        return np.array(guessed, np.int32), score


def _repeated(text: Ints, places: RowIndex, count: int) -> Ints:
    """The tokens after each place of a text, which goes on at its end as it repeats itself from there."""
    period = (len(text) - 1 - places)[:, None]
    tokens: Ints = text[places[:, None] + 1 + np.arange(count) % np.maximum(period, 1)]
    return tokens


def _heads(before: Ints, after: Ints) -> RowIndex:
    """A number below HEADS for each pair of tokens."""
    mixed = before.astype(np.int64) * 0x9E3779B1 + after.astype(np.int64) * 0x85EBCA77
    heads: RowIndex = (mixed >> 13) & (HEADS - 1)
    return heads
