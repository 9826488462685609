"""Writes the steps of an answer as the events of /v1/messages.

The message grows with the events, block by block: a caller that does not stream gets what the streamed
pieces add up to.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic_core import from_json

from quire.server.contract import CallArguments, CallStart, Piece, Reasoning, Step, Text, Usage
from quire.server.state import new_id

Event = dict[str, Any]


class Events:
    """One message in the making. `message` is the message so far; it is complete when `done`."""

    def __init__(self, model: str, max_tokens: int | None, thinking: bool = True):
        """`thinking`: the reasoning is told, too."""
        self.message: dict[str, Any] = {
            "id": new_id("msg").replace("-", "_"),
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage_body(Usage()),
        }
        self.done = False
        self._max_tokens, self._thinking = max_tokens, thinking
        self._content: list[dict[str, Any]] = self.message["content"]
        self._parts: list[str] | None = None  # text of the open block; None: no block is open
        self._calls = 0

    def begin(self, usage: Usage) -> Iterator[Event]:
        self.message["usage"] = usage_body(usage) | {"output_tokens": 0}
        yield {"type": "message_start", "message": dict(self.message, content=[])}
        yield {"type": "ping"}

    def step(self, step: Step) -> Iterator[Event]:
        for piece in step.pieces:
            yield from self._piece(piece)
        if step.finish is not None:
            yield from self._finish(step)

    def _piece(self, piece: Piece) -> Iterator[Event]:
        match piece:
            case Text(text=""):
                pass
            case Text():
                yield from self._grow("text", piece.text, {"text": ""})
            case Reasoning():
                if self._thinking and piece.text:
                    yield from self._grow("thinking", piece.text, {"thinking": "", "signature": ""})
            case CallStart():
                self._calls += 1
                yield from self._start(
                    "tool_use", id=new_id("toolu").replace("-", "_"), name=piece.name, input={}
                )
            case CallArguments():
                if piece.text:
                    yield self._delta("input_json_delta", "partial_json", piece.text)

    def _grow(self, kind: str, text: str, empty: dict[str, Any]) -> Iterator[Event]:
        if self._parts is None or self._content[-1]["type"] != kind:
            yield from self._start(kind, **empty)
        yield self._delta(f"{kind}_delta", kind, text)

    def _start(self, kind: str, **fields: Any) -> Iterator[Event]:
        yield from self._close()
        self._content.append({"type": kind, **fields})
        self._parts = []
        block = dict(self._content[-1])
        yield {"type": "content_block_start", "index": len(self._content) - 1, "content_block": block}

    def _delta(self, kind: str, field: str, text: str) -> Event:
        assert self._parts is not None
        self._parts.append(text)
        index = len(self._content) - 1
        return {"type": "content_block_delta", "index": index, "delta": {"type": kind, field: text}}

    def _close(self) -> Iterator[Event]:
        if self._parts is None:
            return
        block, text = self._content[-1], "".join(self._parts)
        if block["type"] == "tool_use":
            block["input"] = arguments(text)
        else:
            block[block["type"]] = text
        self._parts = None
        yield {"type": "content_block_stop", "index": len(self._content) - 1}

    def _finish(self, step: Step) -> Iterator[Event]:
        yield from self._close()
        reason, stopped_by = self._reason(step)
        usage = usage_body(step.usage)
        self.message |= {"stop_reason": reason, "stop_sequence": stopped_by, "usage": usage}
        self.done = True
        yield {
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": stopped_by},
            "usage": usage,
        }
        yield {"type": "message_stop"}

    def _reason(self, step: Step) -> tuple[str, str | None]:
        if step.finish == "length":
            full = self._max_tokens is not None and step.usage.completion < self._max_tokens
            return ("model_context_window_exceeded" if full else "max_tokens"), None
        if isinstance(step.stop_reason, str):
            return "stop_sequence", step.stop_reason
        return ("tool_use" if self._calls else "end_turn"), None


def arguments(text: str) -> dict[str, Any]:
    """A call's arguments; of a call that was cut off, as much as is whole, as clients read it."""
    try:
        read = from_json(text, allow_partial=True) if text.strip() else {}
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}


def usage_body(usage: Usage) -> dict[str, Any]:
    """Anthropic counts what came from the cache apart."""
    return {
        "input_tokens": usage.prompt - usage.cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": usage.cached,
        "output_tokens": usage.completion,
    }
