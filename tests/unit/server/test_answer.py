"""Replies that come as one long text."""

from __future__ import annotations

import asyncio

from tests.unit.parse.replies import tool

from quire.embedded import DEFAULT, embedded_folder
from quire.outputs import CompletionOutput
from quire.params import SamplingParams
from quire.server.answer import AT_ONCE_CHARS, _Choice
from quire.server.contract import Ask, CallArguments, Usage
from quire.server.forms import Reader
from quire.server.parse import open_dialect
from quire.text.tokenizer import load_tokenizer


def test_others_have_their_turn_while_a_long_reply_is_parsed():
    ask = Ask([], SamplingParams(), tools=[tool("f")])
    reader = Reader(ask, load_tokenizer(embedded_folder(DEFAULT)), open_dialect("pythonic"), None)
    text = "[f(a=[" + "1, " * 50_000 + "1])]"
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def story() -> str:
        choice, watching = _Choice(0, reader, reader.parser("")), asyncio.create_task(others())
        step = await choice.take(CompletionOutput(0, text, [1], finish_reason="stop"), Usage())
        watching.cancel()
        assert step.finish == "tool_calls"
        return "".join(piece.text for piece in step.pieces if isinstance(piece, CallArguments))

    assert asyncio.run(story()) == '{"a": [' + "1, " * 50_000 + "1]}"
    assert turns >= len(text) // AT_ONCE_CHARS
