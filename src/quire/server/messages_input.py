"""Turns a request of /v1/messages into an `Ask`: blocks become messages in chat form.

A user's tool results are turns of the tool; the model's thinking, text and calls are one turn. Turns of one
role that follow each other are one, as Anthropic has it, and a last turn of the model is continued.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from quire.errors import BadParameter
from quire.params import SamplingParams, StructuredOutputsParams
from quire.server.answer import sampling
from quire.server.asked import check_text
from quire.server.contract import Ask
from quire.server.conversation import said_in
from quire.server.documents import Source
from quire.server.protocol_messages import Block, CountTokensRequest, MessagesRequest, MessageTool
from quire.server.state import Server, check_count

_SAME_NAME = ("max_tokens", "temperature", "top_p", "top_k", "min_p", "seed", "priority", "cache_salt")
_SOURCES = {  # type of a document's source → the field that holds it, and what that is to a `Source`
    "text": ("data", "text"),
    "base64": ("data", "data"),
    "url": ("url", "url"),
    "file": ("file_id", "file_id"),
    "content": ("content", "text"),
}
_CHOICES = {"auto": "auto", "any": "required", "none": "none"}


def ask_of(server: Server, body: CountTokensRequest) -> Ask:
    """What the engine is asked. Raises BadParameter for what this server cannot do."""
    for name in ("container", "mcp_servers"):
        if getattr(body, name, None):
            raise BadParameter(f"{name} is not supported: this server runs no tools itself", param=name)
    check_count("messages", body.messages, server.options.max_messages, "--max-messages")
    check_count("tools", body.tools, server.options.max_tools, "--max-tools")
    check_text(body.model_dump(by_alias=True), "the request")
    messages = _messages(body)
    if not messages:
        raise BadParameter("messages say nothing: all of their content is empty", param="messages")
    choice, parallel = _choice(body)
    return Ask(
        messages=messages,
        params=_params(server, body),
        tools=[_tool(tool, f"tools.{i}") for i, tool in enumerate(body.tools or ())],
        tool_choice=choice,
        parallel_tool_calls=parallel,
        template=_template(body, messages),
        form_field="output_config",
        shorten="leave out its oldest turns",
    )


# -- messages --------------------------------------------------------------------------------------------


def _messages(body: CountTokensRequest) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    if body.system:
        messages.append({"role": "system", "content": _text(body.system, "system")})
    calls: dict[str, str] = {}
    for i, turn in enumerate(body.messages):
        where = f"messages.{i}.content"
        if turn.role == "assistant":
            _merge(messages, _model_turn(turn.content, where, calls))
        elif turn.role == "system":
            _merge(messages, {"role": "system", "content": _text(turn.content, where)})
        else:
            for message in _user_turns(turn.content, where, calls):
                _merge(messages, message)
    return messages


def _user_turns(content: str | Sequence[Block], where: str, calls: dict[str, str]) -> list[dict[str, Any]]:
    """Tool results and what else the user says, in order."""
    if isinstance(content, str):
        return [{"role": "user", "content": content}]
    turns: list[dict[str, Any]] = []
    for i, block in enumerate(content):
        if block.type != "tool_result":
            said = {"role": "user", "content": _text([block], f"{where}.{i}")}
            _merge(turns, said)
            continue
        name = calls.get(block.tool_use_id or "")
        if name is None:
            raise BadParameter(
                f"{where}.{i} is the result of {str(block.tool_use_id)[:80]!r} and there is no tool_use with "
                f"this id before it",
                param=f"{where}.{i}.tool_use_id",
            )
        told = _text(block.content or "", f"{where}.{i}.content")
        if block.is_error:
            told = f"Error: {told}" if isinstance(told, str) else [*_parts("Error: "), *told]
        turns.append({"role": "tool", "tool_call_id": block.tool_use_id, "name": name, "content": told})
    return turns


def _model_turn(content: str | Sequence[Block], where: str, calls: dict[str, str]) -> dict[str, Any]:
    turn: dict[str, Any] = {"role": "assistant", "content": None}
    if isinstance(content, str):
        return {**turn, "content": content}
    texts: list[Block] = []
    for i, block in enumerate(content):
        if block.type == "thinking":
            turn["reasoning_content"] = turn.get("reasoning_content", "") + (block.thinking or "")
        elif block.type == "tool_use":
            if not block.id or not block.name:
                raise BadParameter(f"{where}.{i} needs an id and a name", param=f"{where}.{i}")
            calls[block.id] = block.name
            arguments = msgspec.json.encode(block.input or {}).decode()
            call = {"name": block.name, "arguments": arguments}
            turn.setdefault("tool_calls", []).append({"id": block.id, "type": "function", "function": call})
        elif block.type != "redacted_thinking":  # which only its own service can read
            texts.append(block)
    if texts:
        turn["content"] = _text(texts, where)
    return turn


def _text(content: str | Sequence[Block], where: str) -> Any:
    """Text as it is; several blocks become parts, for the chat template to join."""
    if isinstance(content, str):
        return content
    for block in content:
        if block.type != "text":
            raise BadParameter(
                f"{where} has a block of type {block.type[:40]!r} and this model reads text only", param=where
            )
        if block.text is None:
            raise BadParameter(f"{where} has a text block without text", param=where)
    if len(content) == 1:
        return content[0].text
    return [{"type": "text", "text": block.text} for block in content]


def _merge(messages: list[dict[str, Any]], message: dict[str, Any]) -> None:
    """Appends a message, to the last one where both are of the same role and say nothing but text."""
    last = messages[-1] if messages else {}
    plain = ("role", "content")
    if message["role"] == "tool" or message["role"] != last.get("role") or {*last, *message} != {*plain}:
        messages.append(message)
    else:
        last["content"] = [*_parts(last["content"]), *_parts(message["content"])]


def _parts(content: Any) -> list[dict[str, Any]]:
    if content is None:
        return []
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


# -- documents -------------------------------------------------------------------------------------------


def documents_in(body: CountTokensRequest) -> Iterator[tuple[list[Any], int, Source]]:
    """The blocks that are documents, and where they are."""
    for i, turn in enumerate(body.messages):
        yield from _documents(turn.content, f"messages.{i}.content")


def _documents(content: str | list[Block], where: str) -> Iterator[tuple[list[Any], int, Source]]:
    for at, block in enumerate(() if isinstance(content, str) else content):
        if block.type == "tool_result":
            yield from _documents(block.content or "", f"{where}.{at}.content")
        elif block.type in ("document", "search_result"):
            yield content, at, _source(block, f"{where}.{at}")  # type: ignore[misc]


def _source(block: Block, where: str) -> Source:
    if isinstance(block.citations, dict) and block.citations.get("enabled"):
        raise BadParameter(f"{where} asks for citations, which are not written here; leave them out", where)
    if block.type == "search_result":
        from_where = block.source if isinstance(block.source, str) else None
        said = said_in(_text(block.content or "", f"{where}.content"))
        return Source(where, block.title, from_where, text=said)
    given = block.source if isinstance(block.source, dict) else {}
    kind = str(given.get("type"))
    name, field = _SOURCES.get(kind, ("", ""))
    value = given.get(name)
    if kind == "content" and isinstance(value, list):
        kinds = {part.get("type") if isinstance(part, dict) else None for part in value}
        value = said_in(value) if kinds <= {"text"} else None
    if not isinstance(value, str):
        raise BadParameter(
            f"{where}.source is of type {kind[:40]!r}; a document is text, base64 of text, url, file or "
            f"content of text blocks, with its data, url, file_id or content",
            param=f"{where}.source",
        )
    media_type = str(given.get("media_type") or "")
    return Source(where, block.title, block.context, media_type=media_type, **{field: value})


# -- tools and parameters --------------------------------------------------------------------------------


def _tool(tool: MessageTool, where: str) -> dict[str, Any]:
    if tool.type not in (None, "custom"):
        raise BadParameter(
            f"{where} is of type {tool.type[:40]!r} and this server runs no tools itself; "
            f"it takes tools with an input_schema, which the caller runs",
            param=where,
        )
    if tool.input_schema is None:
        raise BadParameter(f"{where} has no input_schema", param=where)
    function: dict[str, Any] = {"name": tool.name, "parameters": tool.input_schema}
    if tool.description is not None:
        function["description"] = tool.description
    if tool.strict is not None:
        function["strict"] = tool.strict
    return {"type": "function", "function": function}


def _choice(body: CountTokensRequest) -> tuple[str, bool]:
    """The choice in chat words, and whether several calls may be made."""
    choice = body.tool_choice
    if choice is None:
        return "auto", True
    if choice.type == "tool" and not choice.name:
        raise BadParameter("tool_choice is of type 'tool' and has no name", param="tool_choice.name")
    return _CHOICES.get(choice.type) or choice.name or "", not choice.disable_parallel_tool_use


def _params(server: Server, body: CountTokensRequest) -> SamplingParams:
    given: dict[str, Any] = {}
    if isinstance(body, MessagesRequest):
        given = {name: getattr(body, name) for name in _SAME_NAME}
        given["stop"] = body.stop_sequences
    form = (body.output_config.format if body.output_config else None) or body.output_format
    if form is not None:
        given["structured_outputs"] = StructuredOutputsParams(json=form.schema_)
    return sampling(server, given)


def _template(body: CountTokensRequest, messages: Sequence[dict[str, Any]]) -> dict[str, Any]:
    kwargs = dict(getattr(body, "chat_template_kwargs", None) or {})
    if body.thinking is not None:
        kwargs.setdefault("enable_thinking", body.thinking.type != "disabled")
    if body.output_config is not None and body.output_config.effort is not None:
        kwargs.setdefault("reasoning_effort", body.output_config.effort)
    template: dict[str, Any] = {"chat_template_kwargs": kwargs} if kwargs else {}
    last = messages[-1]
    if last["role"] == "assistant":
        if "tool_calls" in last or not last["content"]:
            raise BadParameter(
                "the last message is the model's and ends with tool_use or without text; send the "
                "tool_result blocks, or text that it is to continue",
                param="messages",
            )
        template["continue_final_message"] = True
    return template
