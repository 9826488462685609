"""Training data: a mix of all tasks, packed into rows of tokens.

A shard is the data of one training step. Its content depends on the seed and its number alone, so any number
of processes make the same data.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.chat import segments
from training.content.systems_train import SYSTEMS
from training.conversation import Conversation, system, user
from training.tasks import (
    arithmetic,
    conversions,
    copying,
    engine,
    extraction,
    lists,
    sentiment,
    talk,
    tools,
    unknown,
)

ROW = 2048
FILL = 0.99  # of a shard: the rest lets every document find a row
PROMPT, ANSWER = 1, 2  # what a token is: read by the model, or written by it

MIX = (
    (arithmetic, 12.0),
    (conversions, 14.0),
    (lists, 25.0),
    (extraction, 20.0),
    (tools, 23.0),
    (engine, 26.0),
    (talk, 13.0),
    (unknown, 9.0),
    (sentiment, 9.0),
    (copying, 6.0),
)
MODULES, WEIGHTS = [m for m, _ in MIX], [w for _, w in MIX]
RAW = 0.02  # share of plain text without turns
SEVERAL = 0.22  # share of conversations that are several ones in a row
WITH_SYSTEM = 0.25

# tokens, documents and kinds of tokens, all [rows, ROW]
Shard = tuple[NDArray[np.uint16], NDArray[np.int16], NDArray[np.uint8]]


def conversation(rng: Random) -> Conversation:
    """One training conversation of the mix."""
    if rng.random() < RAW:
        return _raw(rng)
    first = _one(rng)
    if first.tools is not None or first.messages[0]["role"] == "system":
        return first
    messages = list(first.messages)
    if rng.random() < SEVERAL:
        for _ in range(rng.choice((1, 1, 2, 3, 5))):
            following = _one(rng)
            starts = following.messages[0]["role"] == "system" or following.kind in talk.FIRST_ONLY
            if following.tools is None and not starts:
                messages += following.messages
    if rng.random() < WITH_SYSTEM:
        messages.insert(0, system(rng.choice(SYSTEMS)))
    return Conversation(first.kind, messages)


def _one(rng: Random) -> Conversation:
    return rng.choices(MODULES, WEIGHTS)[0].conversation(rng, "train")


def _raw(rng: Random) -> Conversation:
    family = rng.choice(engine.families())
    asked = rng.choice(family.train)
    text = rng.choice(
        (
            f"{family.answer} {family.more}".strip(),
            f"Question: {asked}\nAnswer: {family.answer}",
            f"Q: {asked}\nA: {family.answer}",
            f"{asked}\n{family.answer}",
        )
    )
    return Conversation("raw", [user(text)])


def plain_text(c: Conversation) -> str:
    """A conversation without its turns, for the tokenizer."""
    return "\n".join(t for t, _ in segments(c)).replace("<|im_start|>", "").replace("<|im_end|>", "")


class Packer:
    """Makes shards of `rows` full rows."""

    def __init__(self, tokenizer: Tokenizer, seed: int, rows: int):
        self.tokenizer, self.seed, self.rows = tokenizer, seed, rows

    def shard(self, number: int) -> Shard:
        rng = Random(f"{self.seed}/{number}")
        documents = self._documents(rng, int(self.rows * ROW * FILL))
        documents.sort(key=lambda d: -len(d[0]))
        tokens = np.zeros((self.rows, ROW), np.uint16)
        owner = np.full((self.rows, ROW), -1, np.int16)  # the rest of a row belongs to nobody
        kinds = np.zeros((self.rows, ROW), np.uint8)
        left = [ROW] * self.rows
        for n, (ids, kind) in enumerate(documents):
            row = max(range(self.rows), key=left.__getitem__)
            if left[row] < len(ids):
                continue
            at = slice(ROW - left[row], ROW - left[row] + len(ids))
            tokens[row, at], owner[row, at], kinds[row, at] = ids, n, kind
            left[row] -= len(ids)
        return tokens, owner, kinds

    def _documents(self, rng: Random, wanted: int) -> list[tuple[NDArray[np.uint16], NDArray[np.uint8]]]:
        documents, total = [], 0
        while total < wanted - ROW // 2:
            batch = [segments(conversation(rng)) for _ in range(256)]
            texts = [t for pieces in batch for t, _ in pieces]
            encoded = iter(self.tokenizer.encode_batch_fast(texts, add_special_tokens=False))
            for pieces in batch:
                ids: list[int] = []
                kinds: list[int] = []
                for _, spoken in pieces:
                    piece = next(encoded).ids
                    ids += piece
                    kinds += [ANSWER if spoken else PROMPT] * len(piece)
                if len(ids) <= ROW and total + len(ids) <= wanted:
                    documents.append((np.array(ids, np.uint16), np.array(kinds, np.uint8)))
                    total += len(ids)
        return documents


def shards(tokenizer_file: Path, seed: int, rows: int, count: int, processes: int) -> Iterator[Shard]:
    """All shards in order, made ahead by other processes."""
    if processes < 2:
        packer = Packer(Tokenizer.from_file(str(tokenizer_file)), seed, rows)
        yield from map(packer.shard, range(count))
        return
    start = (str(tokenizer_file), seed, rows)
    with ProcessPoolExecutor(processes, get_context("spawn"), _start_worker, start) as pool:
        yield from pool.map(_work, range(count))


_packer: Packer | None = None


def _start_worker(tokenizer_file: str, seed: int, rows: int) -> None:
    global _packer
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    _packer = Packer(Tokenizer.from_file(tokenizer_file), seed, rows)


def _work(number: int) -> Shard:
    assert _packer is not None
    return _packer.shard(number)
