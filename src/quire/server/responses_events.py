"""Writes the steps of an answer as the typed events of /v1/responses.

The reply grows with the events, item by item, and the last event carries it whole: a caller that does not
stream gets what the streamed pieces add up to.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from quire.server.contract import CallArguments, CallStart, Piece, Reasoning, Step, Text, Usage
from quire.server.state import new_id

Event = dict[str, Any]
ENDED = "the server ended the reply before it was done; ask again"
_FAILED = {429: "rate_limit_exceeded", 503: "server_error"}


class Events:
    """One reply in the making. `response` is the reply so far; it is complete when `done`."""

    def __init__(self, skeleton: dict[str, Any], logprobs: Any = None, summary: bool = False):
        """`skeleton`: the reply's fields that the request decides. `logprobs`: writes those of a step, if the
        caller wants them. `summary`: reasoning goes out as summary text."""
        self.response = skeleton
        self.done = False
        self._number = 0
        self._output: list[dict[str, Any]] = skeleton["output"]
        self._open: dict[str, Any] | None = None  # the item that still grows
        self._parts: list[str] = []  # its text so far
        self._call = -1  # the number of the call that is open
        self._logprobs, self._pending = logprobs, []  # type: tuple[Any, list[Any]]
        self._summary = summary

    def queue(self) -> Iterator[Event]:
        """Of a reply in the background: it has been taken in and waits."""
        yield self._event("response.created", response=dict(self.response))
        yield self._event("response.queued", response=dict(self.response))

    def begin(self) -> Iterator[Event]:
        if self.response["status"] != "queued":
            yield self._event("response.created", response=dict(self.response, output=[]))
        self.response["status"] = "in_progress"
        yield self._event("response.in_progress", response=dict(self.response, output=[]))

    def step(self, step: Step) -> Iterator[Event]:
        if self._logprobs is not None and step.logprobs:
            self._pending += self._logprobs(step)
        for piece in step.pieces:
            yield from self._piece(piece)
        if step.finish is not None:
            yield from self._finish(step)

    def fail(self, message: str, status: int, usage: Usage | None = None) -> Iterator[Event]:
        """Ends the reply after an error; what was said so far stays."""
        yield from self._close("incomplete")
        code = _FAILED.get(status, "server_error" if status >= 500 else "invalid_prompt")
        self.response["error"] = {"code": code, "message": message}
        yield from self._end("failed", "response.failed", usage)

    def call_off(self, step: Step) -> Iterator[Event]:
        """Ends a reply that nobody wants any more, with what this step still brings."""
        for piece in step.pieces:
            yield from self._piece(piece)
        yield from self._close("incomplete")
        yield from self._end("cancelled", "response.incomplete", step.usage)

    # -- pieces ------------------------------------------------------------------------------------------

    def _piece(self, piece: Piece) -> Iterator[Event]:
        match piece:
            case Text():
                yield from self._text(piece.text)
            case Reasoning():
                self._pending.clear()
                yield from self._reasoning(piece.text)
            case CallStart():
                self._pending.clear()
                yield from self._start_call(piece)
            case CallArguments():
                self._pending.clear()
                yield from self._arguments(piece)

    def _text(self, text: str) -> Iterator[Event]:
        if not self._growing("message"):
            part: dict[str, Any] = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
            yield from self._start("message", "msg", role="assistant", content=[])
            yield self._at("response.content_part.added", content_index=0, part=part)
            assert self._open is not None
            self._open["content"].append(dict(part, logprobs=[]))
        if not text:
            return
        assert self._open is not None
        self._parts.append(text)
        told, self._pending = self._pending, []
        self._open["content"][0]["logprobs"] += told
        yield self._at("response.output_text.delta", content_index=0, delta=text, logprobs=told)

    def _reasoning(self, text: str) -> Iterator[Event]:
        if not self._growing("reasoning"):
            yield from self._start("reasoning", "rs", summary=[], content=None, encrypted_content=None)
            assert self._open is not None
            if self._summary:
                part = {"type": "summary_text", "text": ""}
                yield self._at("response.reasoning_summary_part.added", summary_index=0, part=part)
                self._open["summary"] = [dict(part)]
            else:
                part = {"type": "reasoning_text", "text": ""}
                yield self._at("response.content_part.added", content_index=0, part=part)
                self._open["content"] = [dict(part)]
        self._parts.append(text)
        if self._summary:
            yield self._at("response.reasoning_summary_text.delta", summary_index=0, delta=text)
        else:
            yield self._at("response.reasoning_text.delta", content_index=0, delta=text)

    def _start_call(self, piece: CallStart) -> Iterator[Event]:
        self._call = piece.number
        yield from self._start("function_call", "fc", call_id=new_id("call"), name=piece.name, arguments="")

    def _arguments(self, piece: CallArguments) -> Iterator[Event]:
        assert self._growing("function_call") and self._call == piece.number, "a call is told in one go"
        if piece.text:
            self._parts.append(piece.text)
            yield self._at("response.function_call_arguments.delta", delta=piece.text)

    # -- items -------------------------------------------------------------------------------------------

    def _growing(self, kind: str) -> bool:
        return self._open is not None and self._open["type"] == kind

    def _start(self, kind: str, prefix: str, **fields: Any) -> Iterator[Event]:
        yield from self._close("completed")
        item = {"type": kind, "id": new_id(prefix).replace("-", "_"), "status": "in_progress", **fields}
        self._output.append(item)
        self._open = item
        told = {name: list(value) if isinstance(value, list) else value for name, value in item.items()}
        yield self._event("response.output_item.added", output_index=len(self._output) - 1, item=told)

    def _close(self, status: str) -> Iterator[Event]:
        """Tells the whole of the open item, if there is one."""
        if self._open is None:
            return
        item, text = self._open, "".join(self._parts)
        item["status"] = status
        match item["type"]:
            case "message":
                part = item["content"][0]
                part["text"] = text
                yield self._at(
                    "response.output_text.done", content_index=0, text=text, logprobs=part["logprobs"]
                )
                yield self._at("response.content_part.done", content_index=0, part=part)
            case "reasoning" if self._summary:
                item["summary"][0]["text"] = text
                yield self._at("response.reasoning_summary_text.done", summary_index=0, text=text)
                part = item["summary"][0]
                yield self._at("response.reasoning_summary_part.done", summary_index=0, part=part)
            case "reasoning":
                item["content"][0]["text"] = text
                yield self._at("response.reasoning_text.done", content_index=0, text=text)
                yield self._at("response.content_part.done", content_index=0, part=item["content"][0])
            case _:
                item["arguments"] = text
                yield self._at("response.function_call_arguments.done", name=item["name"], arguments=text)
        yield self._event("response.output_item.done", output_index=len(self._output) - 1, item=item)
        self._open, self._parts = None, []

    # -- the end -----------------------------------------------------------------------------------------

    def _finish(self, step: Step) -> Iterator[Event]:
        if step.finish == "abort":
            yield from self.fail(ENDED, 503, step.usage)
            return
        if not self._output:
            yield from self._text("")  # a turn in which nothing was said is still a turn
        if step.finish == "length":
            yield from self._close("incomplete")
            self.response["incomplete_details"] = {"reason": "max_output_tokens"}
            yield from self._end("incomplete", "response.incomplete", step.usage)
        else:
            yield from self._close("completed")
            yield from self._end("completed", "response.completed", step.usage)

    def _end(self, status: str, name: str, usage: Usage | None) -> Iterator[Event]:
        self.response["status"] = status
        if status == "completed":
            self.response["completed_at"] = int(time.time())
        if usage is not None:
            self.response["usage"] = usage_body(usage)
        self.done = True
        yield self._event(name, response=self.response)

    def _at(self, kind: str, **fields: Any) -> Event:
        """An event about the open item."""
        assert self._open is not None
        return self._event(kind, item_id=self._open["id"], output_index=len(self._output) - 1, **fields)

    def _event(self, kind: str, **fields: Any) -> Event:
        self._number += 1
        return {"type": kind, "sequence_number": self._number - 1, **fields}


def usage_body(usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": usage.prompt,
        "input_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": 0},
        "output_tokens": usage.completion,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.total,
    }


def skeleton(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A reply to which nothing has been said yet."""
    return {
        "id": new_id("resp").replace("-", "_"),
        "object": "response",
        "created_at": int(time.time()),
        "completed_at": None,
        "status": "queued",
        "error": None,
        "incomplete_details": None,
        "output": [],
        "usage": None,
        **fields,
    }
