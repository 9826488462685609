"""Events of /v1/responses and /v1/messages: whatever comes in steps, they add up to the reply."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.server import messages_events, responses_events
from quire.server.contract import CallArguments, CallStart, Piece, Reasoning, Step, Text, Usage

CALL = [CallStart(0, "get_weather"), CallArguments(0, '{"city":'), CallArguments(0, ' "Oslo"}')]
REPLIES: dict[str, list[Piece]] = {
    "nothing": [],
    "text": [Text("Good "), Text("morning"), Text(".")],
    "reasoning, then text": [Reasoning("They greet"), Reasoning(" me."), Text("Hello!")],
    "a call": [*CALL],
    "text, then calls": [
        Text("I look."),
        *CALL,
        CallStart(1, "get_time"),
        CallArguments(1, "{}"),
    ],
    "reasoning, a call, text": [Reasoning("Hm."), *CALL, Text("Done.")],
    "a call without arguments": [CallStart(0, "ping")],
}
every_reply = pytest.mark.parametrize("pieces", REPLIES.values(), ids=REPLIES)
every_finish = pytest.mark.parametrize("finish", ["stop", "length", "tool_calls"])


def steps(pieces: Iterable[Piece], finish: Any = "stop", stop_reason: Any = None) -> list[Step]:
    """A piece in each step, and an end without news."""
    usage = Usage(prompt=7, completion=5, cached=4, reasoning=2)
    news = [Step(0, [piece], [1], None, None, None, usage) for piece in pieces]
    return [*news, Step(0, [], [2], None, finish, stop_reason, usage)]


def at_once(pieces: Iterable[Piece], finish: Any = "stop", stop_reason: Any = None) -> list[Step]:
    usage = Usage(prompt=7, completion=5, cached=4, reasoning=2)
    return [Step(0, list(pieces), [1, 2], None, finish, stop_reason, usage)]


# -- responses -------------------------------------------------------------------------------------------


def respond(news: list[Step], **options: Any) -> list[dict[str, Any]]:
    """Events as a client gets them: through JSON, so that later changes do not reach back."""
    reply = responses_events.Events(responses_events.skeleton({"status": "in_progress"}), **options)
    found = [json.loads(json.dumps(event)) for event in reply.begin()]
    for step in news:
        found += [json.loads(json.dumps(event)) for event in reply.step(step)]
    assert reply.done
    return found


def rebuilt(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The output from what was added and the deltas alone."""
    output: list[dict[str, Any]] = []
    for event in events:
        kind = event["type"].removeprefix("response.")
        item = (
            output[event["output_index"]] if "output_index" in event and kind != "output_item.added" else {}
        )
        match kind:
            case "output_item.added":
                assert event["output_index"] == len(output)
                output.append(event["item"])
            case "content_part.added":
                item["content"] = [*(item["content"] or []), event["part"]]
            case "reasoning_summary_part.added":
                item["summary"].append(event["part"])
            case "output_text.delta":
                item["content"][event["content_index"]]["text"] += event["delta"]
                item["content"][event["content_index"]]["logprobs"] += event["logprobs"]
            case "reasoning_text.delta":
                item["content"][event["content_index"]]["text"] += event["delta"]
            case "reasoning_summary_text.delta":
                item["summary"][event["summary_index"]]["text"] += event["delta"]
            case "function_call_arguments.delta":
                item["arguments"] += event["delta"]
            case "output_item.done":
                item["status"] = event["item"]["status"]
                assert item == event["item"]
    return output


def without_ids(output: Any) -> Any:
    return [{k: v for k, v in item.items() if k not in ("id", "call_id")} for item in output]


@every_reply
@every_finish
def test_the_deltas_of_a_response_add_up_to_its_last_event(pieces: list[Piece], finish: str) -> None:
    for summary in (False, True):
        events = respond(steps(pieces, finish), summary=summary)
        assert rebuilt(events) == events[-1]["response"]["output"]
        whole = respond(at_once(pieces, finish), summary=summary)[-1]["response"]
        assert without_ids(whole["output"]) == without_ids(events[-1]["response"]["output"])


@every_reply
def test_a_response_is_numbered_begins_and_ends(pieces: list[Piece]) -> None:
    events = respond(steps(pieces))
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    kinds = [event["type"] for event in events]
    assert kinds[:2] == ["response.created", "response.in_progress"] and kinds[-1] == "response.completed"
    assert kinds.count("response.output_item.added") == kinds.count("response.output_item.done")
    assert len({event["response"]["id"] for event in events if "response" in event}) == 1


def test_a_response_that_was_cut_off_says_where_and_why() -> None:
    *_, end = respond(steps([Text("Once upon")], "length"))
    assert end["type"] == "response.incomplete"
    assert end["response"]["incomplete_details"] == {"reason": "max_output_tokens"}
    assert end["response"]["output"][0]["status"] == "incomplete"


def test_a_response_that_breaks_keeps_what_it_said() -> None:
    reply = responses_events.Events(responses_events.skeleton({}))
    list(reply.begin())
    list(reply.step(steps([Text("Once")])[0]))
    *_, end = reply.fail("the engine died", 503)
    assert end["type"] == "response.failed" and end["response"]["status"] == "failed"
    assert end["response"]["error"] == {"code": "server_error", "message": "the engine died"}
    assert end["response"]["output"][0]["content"][0]["text"] == "Once"


def test_the_logprobs_of_calls_and_reasoning_are_not_those_of_text() -> None:
    news = steps([Reasoning("Hm."), Text("I look."), *CALL, Text("Done.")])
    for number, step in enumerate(news):
        step.logprobs = [{number: None}]  # type: ignore[dict-item]
    events = respond(news, logprobs=lambda step: [{"token": str(next(iter(step.logprobs[0])))}])
    texts = [item for item in events[-1]["response"]["output"] if item["type"] == "message"]
    assert [t["content"][0]["logprobs"] for t in texts] == [[{"token": "1"}], [{"token": "5"}]]


def test_usage_is_told_in_the_words_of_responses() -> None:
    usage = respond(steps([Text("Hi")]))[-1]["response"]["usage"]
    assert usage["input_tokens"] == 7 and usage["output_tokens"] == 5 and usage["total_tokens"] == 12
    assert usage["input_tokens_details"]["cached_tokens"] == 4
    assert usage["output_tokens_details"]["reasoning_tokens"] == 2


# -- messages --------------------------------------------------------------------------------------------


def message(news: list[Step], max_tokens: int = 5, thinking: bool = True) -> tuple[list[Any], dict[str, Any]]:
    reply = messages_events.Events("quire-tiny", max_tokens, thinking)
    found = [json.loads(json.dumps(event)) for event in reply.begin(news[0].usage)]
    for step in news:
        found += [json.loads(json.dumps(event)) for event in reply.step(step)]
    assert reply.done
    return found, reply.message


def gathered(events: list[dict[str, Any]]) -> dict[str, Any]:
    """The message from its events alone."""
    whole: dict[str, Any] = events[0]["message"]
    pieces: dict[int, str] = {}
    for event in events[1:]:
        match event["type"]:
            case "content_block_start":
                assert event["index"] == len(whole["content"])
                whole["content"].append(event["content_block"])
            case "content_block_delta":
                delta = event["delta"]
                (field,) = set(delta) - {"type"}
                pieces[event["index"]] = pieces.get(event["index"], "") + delta[field]
            case "message_delta":
                whole |= {**event["delta"], "usage": event["usage"]}
    for index, text in pieces.items():
        block = whole["content"][index]
        if block["type"] == "tool_use":
            block["input"] = messages_events.arguments(text)
        else:
            block[block["type"]] = text
    return whole


@every_reply
@every_finish
def test_the_events_of_a_message_add_up_to_it(pieces: list[Piece], finish: str) -> None:
    events, whole = message(steps(pieces, finish))
    assert gathered(events) == whole
    kinds = [event["type"] for event in events]
    assert kinds[:2] == ["message_start", "ping"] and kinds[-2:] == ["message_delta", "message_stop"]
    assert kinds.count("content_block_start") == kinds.count("content_block_stop") == len(whole["content"])
    _, once = message(at_once(pieces, finish))
    strip = [{k: v for k, v in block.items() if k != "id"} for block in once["content"]]
    assert strip == [{k: v for k, v in block.items() if k != "id"} for block in whole["content"]]


@pytest.mark.parametrize(
    ("pieces", "finish", "stop_reason", "told"),
    [
        ([Text("a")], "stop", None, ("end_turn", None)),
        ([Text("a")], "stop", 2, ("end_turn", None)),
        ([Text("a")], "stop", "END", ("stop_sequence", "END")),
        ([Text("a")], "length", None, ("max_tokens", None)),
        (CALL, "tool_calls", None, ("tool_use", None)),
        (CALL, "stop", None, ("tool_use", None)),  # a named tool
    ],
)
def test_why_a_message_ended_is_told_in_anthropics_words(
    pieces: list[Piece], finish: str, stop_reason: Any, told: tuple[str, str | None]
) -> None:
    _, whole = message(steps(pieces, finish, stop_reason))
    assert (whole["stop_reason"], whole["stop_sequence"]) == told


def test_a_message_that_filled_the_context_says_so() -> None:
    _, whole = message(steps([Text("a")], "length"), max_tokens=100)
    assert whole["stop_reason"] == "model_context_window_exceeded"


def test_thinking_is_left_out_when_it_is_disabled() -> None:
    _, whole = message(steps([Reasoning("Hm."), Text("Hi")]), thinking=False)
    assert [block["type"] for block in whole["content"]] == ["text"]


def test_what_came_from_the_cache_is_counted_apart() -> None:
    usage = message(steps([Text("Hi")]))[1]["usage"]
    assert usage["input_tokens"] == 3 and usage["cache_read_input_tokens"] == 4


@given(
    st.dictionaries(st.text(), st.one_of(st.text(), st.integers(-(2**53), 2**53), st.booleans())), st.data()
)
def test_arguments_that_were_cut_off_are_still_an_object(
    arguments: dict[str, Any], data: st.DataObject
) -> None:
    text = json.dumps(arguments)
    assert messages_events.arguments(text) == arguments
    cut = data.draw(st.integers(0, len(text)))
    assert isinstance(messages_events.arguments(text[:cut]), dict)


def test_a_response_that_is_called_off_keeps_what_it_said_and_one_that_is_ended_says_so() -> None:
    for finish, status in (("stop", "cancelled"), ("abort", "failed")):
        reply = responses_events.Events(responses_events.skeleton({}))
        list(reply.begin())
        (step,) = at_once([Text("Once upon")], finish)
        *_, end = reply.call_off(step) if finish == "stop" else reply.step(step)
        assert end["response"]["status"] == status
        assert end["response"]["output"][0]["content"][0]["text"] == "Once upon"
