"""Turns a request of /v1/responses into an `Ask`: items become messages, fields become parameters.

Consecutive items of the model (reasoning, text, calls) are one turn. Earlier turns come from the store
with their replies; instructions hold for one reply only, as OpenAI has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from quire.errors import BadParameter, TextTooLong
from quire.params import SamplingParams, StructuredOutputsParams
from quire.server.answer import count, sampling
from quire.server.asked import check_text
from quire.server.contract import Ask
from quire.server.documents import Source
from quire.server.protocol_responses import (
    ContentPart,
    FunctionCallItem,
    FunctionCallOutputItem,
    InputItem,
    MessageItem,
    ReasoningItem,
    ResponseRequest,
    ResponseTool,
    ToolChoiceObject,
)
from quire.server.response_store import Record
from quire.server.state import Server, check_count

_TEXT = ("input_text", "output_text", "text", "summary_text", "reasoning_text")
_SAME_NAME = (
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "seed",
    "stop",
    "presence_penalty",
    "frequency_penalty",
    "repetition_penalty",
    "logit_bias",
    "ignore_eos",
    "min_tokens",
    "priority",
    "cache_salt",
)
_MOST_CHARS = 32  # of a token, on average: more is no text
_REFUSED = {
    "conversation": "conversations are not kept under a name of their own; use previous_response_id",
    "prompt": "stored prompts are a service of OpenAI's; send input and instructions",
    "moderation": "this server does not moderate; leave it out",
    "context_management": "contexts are not compacted; use truncation: auto",
}


def ask_of(server: Server, body: ResponseRequest, earlier: Sequence[Record]) -> Ask:
    """What the engine is asked. Raises BadParameter for what this server cannot do."""
    check_count("input", None if isinstance(body.input, str) else body.input, *_most(server, "messages"))
    check_count("tools", body.tools, *_most(server, "tools"))
    for name in ("structured_outputs", "chat_template_kwargs"):
        check_text(getattr(body, name), name)
    for name, reason in _REFUSED.items():
        if getattr(body, name):
            raise BadParameter(f"{name} is not supported: {reason}", param=name)
    thread = Thread()
    if body.instructions is not None:
        thread.messages.append({"role": "system", "content": body.instructions})
    for number, record in enumerate(earlier):
        for item in (*record.input, *record.response["output"]):
            thread.add_stored(item, f"previous_response_id ({number + 1} of {len(earlier)})")
    for number, item in enumerate(own_items(body)):
        thread.add(item, f"input[{number}]")
    if not thread.messages:
        raise BadParameter("input is empty; give text or at least one item", param="input")
    tools, choice = _tools(body.tools or (), body.tool_choice)
    return Ask(
        messages=thread.messages,
        params=_params(server, body),
        tools=tools,
        tool_choice=choice,
        parallel_tool_calls=body.parallel_tool_calls is not False,
        template=_template(body),
        form_field="structured_outputs" if body.structured_outputs is not None else "text.format",
        shorten="shorten its last turn" if body.truncation == "auto" else "set truncation to auto",
    )


def _most(server: Server, what: str) -> tuple[int, str]:
    return getattr(server.options, f"max_{what}"), f"--max-{what}"


def own_items(body: ResponseRequest) -> list[InputItem]:
    """The items of this request's own input; text is a user's message."""
    if isinstance(body.input, str):
        return [MessageItem(role="user", content=body.input)]
    return list(body.input)


def documents_in(body: ResponseRequest) -> Iterator[tuple[list[Any], int, Source]]:
    """The parts of type `input_file`, and where they are."""
    for i, item in enumerate(() if isinstance(body.input, str) else body.input):
        if isinstance(item, MessageItem):
            name, parts = "content", item.content
        elif isinstance(item, FunctionCallOutputItem):
            name, parts = "output", item.output
        else:
            continue
        for at, part in enumerate(() if isinstance(parts, str) else parts):
            if part.type == "input_file":
                where = f"input[{i}].{name}[{at}]"
                source = Source(
                    where, part.filename, data=part.file_data, file_id=part.file_id, url=part.file_url
                )
                yield parts, at, source  # type: ignore[misc]


def wants_logprobs(body: ResponseRequest) -> bool:
    return body.top_logprobs is not None or "message.output_text.logprobs" in (body.include or ())


class Thread:
    """Messages in chat form, grown item by item."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self._calls: dict[str, str] = {}  # call id → name of the function
        self._turn: dict[str, Any] | None = None  # the model's turn that is still growing

    def add_stored(self, item: Mapping[str, Any], where: str) -> None:
        """Takes an item as a reply or a stored input holds it."""
        kinds: dict[str, type[Any]] = {
            "message": MessageItem,
            "function_call": FunctionCallItem,
            "function_call_output": FunctionCallOutputItem,
            "reasoning": ReasoningItem,
        }
        self.add(kinds[item["type"]].model_validate(item), where)

    def add(self, item: InputItem, where: str) -> None:
        match item:
            case MessageItem(role="assistant"):
                if self._turn is not None and (
                    self._turn["content"] is not None or "tool_calls" in self._turn
                ):
                    self._turn = None  # a second message is a second turn
                self._model()["content"] = text_of(item.content, f"{where}.content")
            case MessageItem():
                self._turn = None
                self.messages.append(
                    {"role": item.role, "content": text_of(item.content, f"{where}.content")}
                )
            case FunctionCallItem():
                call = {"name": item.name, "arguments": item.arguments}
                calls = self._model().setdefault("tool_calls", [])
                calls.append({"id": item.call_id, "type": "function", "function": call})
                self._calls[item.call_id] = item.name
            case FunctionCallOutputItem():
                self._add_output(item, where)
            case ReasoningItem():
                turn = self._model()
                thought = "".join(part.text or "" for part in item.content or item.summary)
                turn["reasoning_content"] = turn.get("reasoning_content", "") + thought
            case _:
                raise BadParameter(
                    f"{where} is a {item.type[:40]!r} item and this server takes message, function_call, "
                    f"function_call_output and reasoning items",
                    param=where,
                )

    def _add_output(self, item: FunctionCallOutputItem, where: str) -> None:
        if item.call_id not in self._calls:
            raise BadParameter(
                f"{where} answers the call {item.call_id[:80]!r} and no function_call before it has this id; "
                f"send the call, too, or give previous_response_id",
                param=where,
            )
        self._turn = None
        self.messages.append(
            {
                "role": "tool",
                "tool_call_id": item.call_id,
                "name": self._calls[item.call_id],
                "content": text_of(item.output, f"{where}.output"),
            }
        )

    def _model(self) -> dict[str, Any]:
        if self._turn is None:
            self._turn = {"role": "assistant", "content": None}
            self.messages.append(self._turn)
        return self._turn


def text_of(content: str | Sequence[ContentPart], where: str) -> Any:
    """Text as it is; several parts stay parts, for the chat template to join."""
    if isinstance(content, str):
        return content
    texts: list[str] = []
    for number, part in enumerate(content):
        text = part.refusal if part.type == "refusal" else part.text
        if part.type not in (*_TEXT, "refusal"):
            raise BadParameter(
                f"{where}[{number}] is of type {part.type[:40]!r} and this model reads text only", param=where
            )
        if text is None:
            raise BadParameter(f"{where}[{number}] has no text", param=where)
        texts.append(text)
    if len(texts) == 1:
        return texts[0]
    return [{"type": "text", "text": text} for text in texts]


# -- tools -----------------------------------------------------------------------------------------------


def _tools(
    given: Sequence[ResponseTool], choice: str | ToolChoiceObject | None
) -> tuple[list[dict[str, Any]], str]:
    """The tools in chat form, and auto, none, required or a tool's name."""
    tools = [_tool(tool, f"tools[{i}]") for i, tool in enumerate(given)]
    if choice is None or isinstance(choice, str):
        return tools, choice or "auto"
    if choice.type == "function" and choice.name is not None:
        return tools, choice.name
    if choice.type == "allowed_tools" and choice.tools:
        allowed = [str(tool.get("name")) for tool in choice.tools]
        kept = [t for t in tools if t["function"]["name"] in allowed]
        if len(kept) < len(set(allowed)):
            raise BadParameter(
                "tool_choice.tools names a tool that is not among the tools", param="tool_choice"
            )
        return kept, choice.mode or "auto"
    raise BadParameter(
        "tool_choice is auto, none, required, "
        '{"type": "function", "name": …} or {"type": "allowed_tools", "mode": …, "tools": […]}',
        param="tool_choice",
    )


def _tool(tool: ResponseTool, where: str) -> dict[str, Any]:
    if tool.type != "function":
        raise BadParameter(
            f"{where} is of type {tool.type[:40]!r} and this server runs no tools itself; "
            f"it takes functions, which the caller runs",
            param=where,
        )
    if not tool.name:
        raise BadParameter(f"{where} has no name", param=where)
    function: dict[str, Any] = {"name": tool.name}
    for name in ("description", "parameters", "strict"):
        if getattr(tool, name) is not None:
            function[name] = getattr(tool, name)
    return {"type": "function", "function": function}


# -- parameters ------------------------------------------------------------------------------------------


def _params(server: Server, body: ResponseRequest) -> SamplingParams:
    given = {name: getattr(body, name) for name in _SAME_NAME}
    if body.max_output_tokens is not None and body.max_output_tokens < 1:
        raise BadParameter(
            f"max_output_tokens is {body.max_output_tokens:,} and must be at least 1",
            param="max_output_tokens",
        )
    given["max_tokens"] = body.max_output_tokens
    if wants_logprobs(body):
        given["logprobs"] = _top(body.top_logprobs or 0)
    given["structured_outputs"] = _structure(body)
    return sampling(server, given)


def _top(top: int) -> int:
    if not 0 <= top <= 20:
        raise BadParameter(f"top_logprobs is {top:,} and must be at least 0 and at most 20")
    return top


def _structure(body: ResponseRequest) -> StructuredOutputsParams | None:
    form = body.text.format if body.text else None
    if form is None or form.type == "text":
        asked = body.structured_outputs
        return StructuredOutputsParams.of(asked) if asked is not None else None
    if body.structured_outputs is not None:
        raise BadParameter("give text.format or structured_outputs, not both", param="structured_outputs")
    if form.type == "json_object":
        return StructuredOutputsParams(json_object=True)
    if form.schema_ is None:
        raise BadParameter("text.format is a json_schema without a schema", param="text.format")
    return StructuredOutputsParams(json=form.schema_)


def _template(body: ResponseRequest) -> dict[str, Any]:
    kwargs = dict(body.chat_template_kwargs or {})
    effort = body.reasoning.effort if body.reasoning else None
    if effort is not None:
        kwargs.setdefault("reasoning_effort", effort)
        kwargs.setdefault("enable_thinking", effort != "none")
    if body.text is not None and body.text.verbosity is not None:
        kwargs.setdefault("verbosity", body.text.verbosity)
    return {"chat_template_kwargs": kwargs} if kwargs else {}


# -- truncation ------------------------------------------------------------------------------------------


async def fit(server: Server, ask: Ask) -> Ask:
    """Drops turns from the beginning until the rest leaves room for a reply; instructions stay.

    A conversation is cut before what a user says, so that no result is left without its call. The last such
    part always stays: if it is too long by itself, it is refused as without truncation.
    """
    first = next((i for i, m in enumerate(ask.messages) if m["role"] not in ("system", "developer")), 0)
    head, rest = ask.messages[:first], ask.messages[first:]
    cuts = [0, *(i for i, m in enumerate(rest) if i and m["role"] == "user")]
    window = server.engine.intake.limits.max_len
    room = min(ask.params.max_tokens or window // 8, window // 2)

    async def too_long(cut: int) -> bool:
        try:
            return await count(server, replace(ask, messages=[*head, *rest[cut:]])) > window - room
        except TextTooLong:
            return True

    low, high = 0, len(cuts) - 1
    chars = 0
    for number in range(high, -1, -1):  # what is much too long is not even rendered
        chars += sum(_length(m) for m in rest[cuts[number] : [*cuts, len(rest)][number + 1]])
        if chars > window * _MOST_CHARS:
            low = min(number + 1, high)
            break
    while low < high:
        middle = (low + high) // 2
        if await too_long(cuts[middle]):
            low = middle + 1
        else:
            high = middle
    return replace(ask, messages=[*head, *rest[cuts[low] :]]) if rest else ask


def _length(message: Mapping[str, Any]) -> int:
    content = message.get("content")
    said = content if isinstance(content, str) else "".join(part["text"] for part in content or ())
    calls = (call["function"]["arguments"] for call in message.get("tool_calls", ()))
    return len(said) + sum(map(len, calls))
