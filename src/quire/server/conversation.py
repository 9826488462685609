"""From messages to the prompt: what clients send is put in the form chat templates expect, then rendered.

A message's text may be parts; anything but text is refused. What documents say is text by now.
What is long is rendered and tokenized in a thread (strangers.py), and so is a template of the caller's own.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from quire.engine.intake import Intake
from quire.errors import BadOption, BadParameter, NeedsTokenizer
from quire.server.state import Server
from quire.server.strangers import LONG_CHARS, Lane, aside
from quire.text.template import MAX_TEMPLATE_CHARS
from quire.text.tokenizer import Tokenizer

_TEXT = ("text", "input_text", "output_text")
_WANTS_NINE = "|length != 9"
_OURS = ("messages", "tools", "chat_template", "tokenize", "add_generation_prompt", "continue_final_message")


async def render(
    server: Server,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]] | None = None,
    template: Mapping[str, Any] | None = None,
    answers: bool = True,
) -> tuple[str, list[int]]:
    """The prompt as text and as tokens; where no answer is wanted, any model's template will do.

    `template` may hold chat_template, add_generation_prompt, continue_final_message, add_special_tokens and
    chat_template_kwargs, a mapping of variables; other names are variables, too.
    """
    tokenizer = tokenizer_of(server)
    if answers:
        server.engine.intake.need_language_head()
    chosen = dict(template or {})
    given = chosen.pop("chat_template", None)
    call = functools.partial(
        _render,
        server.engine.intake,
        tokenizer,
        read_messages(messages),
        list(tools) if tools else None,
        _template(server, given),
        chosen,
    )
    if given is not None and given not in tokenizer.chat_templates:
        return await server.strangers.templates.run(call)
    return await aside(server.strangers.texts, call, chars_in((messages, tools, chosen)))


async def tokens_of(
    lane: Lane, tokenizer: Tokenizer, text: str, add_special_tokens: bool = True
) -> list[int]:
    return await aside(lane, functools.partial(tokenizer.encode, text, add_special_tokens), len(text))


def tokenizer_of(server: Server) -> Tokenizer:
    if server.engine.tokenizer is None:
        raise NeedsTokenizer(
            "this needs a tokenizer and skip_tokenizer_init is on; send token ids to /v1/completions"
        )
    return server.engine.tokenizer


def template_source(server: Server, tools: bool = False, given: str | None = None) -> str:
    """The chat template a request is rendered with, as text."""
    return tokenizer_of(server).chat_template(_template(server, given), [] if tools else None)


def _template(server: Server, given: str | None) -> str | None:
    """The template to render with, or its name: the request's, if it may bring one, or the server's."""
    if given is None:
        return configured_template(server)
    if given not in tokenizer_of(server).chat_templates:
        if not server.options.trust_request_chat_template:
            raise BadParameter(
                "chat_template: this server renders with its model's own templates only; leave it out, or "
                "start the server with --trust-request-chat-template",
                param="chat_template",
            )
        if len(given) > MAX_TEMPLATE_CHARS:
            raise BadParameter(
                f"chat_template has {len(given):,} characters and may have {MAX_TEMPLATE_CHARS:,}",
                param="chat_template",
            )
    return given


def configured_template(server: Server) -> str | None:
    return None if server.options.chat_template is None else read_template(server.options.chat_template)


@functools.lru_cache(maxsize=8)
def read_template(option: str) -> str:
    if "{" in option or "\n" in option:
        return option
    try:
        return Path(option).read_text()
    except (OSError, UnicodeDecodeError) as e:
        raise BadOption(f"chat_template is {option!r}: neither a template nor a file that can be read") from e


def _render(
    intake: Intake,
    tokenizer: Tokenizer,
    messages: list[dict[str, Any]],
    tools: list[Mapping[str, Any]] | None,
    chat_template: str | None,
    chosen: dict[str, Any],
) -> tuple[str, list[int]]:
    add_special_tokens = bool(chosen.pop("add_special_tokens", False))
    go_on = bool(chosen.pop("continue_final_message", False))
    begin = bool(chosen.pop("add_generation_prompt", not go_on))
    variables = {**chosen.pop("chat_template_kwargs", {}), **chosen}
    for name in _OURS:
        if name in variables:
            raise BadParameter(
                f"chat_template_kwargs may not set {name!r}; it is a field of the request or not the "
                f"caller's to choose",
                param="chat_template_kwargs",
            )
    source = tokenizer.chat_template(chat_template, tools)
    if _WANTS_NINE in source:
        _shorten_ids(messages)
    if "developer" not in source:  # most templates know the role by its older name, and drop other roles
        for message in messages:
            if message.get("role") == "developer":
                message["role"] = "system"
    text = tokenizer.apply_chat_template(
        messages,
        tools=tools,
        add_generation_prompt=begin,
        continue_final_message=go_on,
        chat_template=chat_template,
        tokenize=False,
        **variables,
    )
    assert isinstance(text, str)
    return text, intake.encode(text, add_special_tokens)


def chars_in(value: Any, enough: int = LONG_CHARS) -> int:
    """About how many characters a value has, counted until there are `enough`."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return 4
    total = 0
    for part in value:
        total += 8 + chars_in(part, enough - total)
        if total >= enough:
            break
    return total


# -- messages --------------------------------------------------------------------------------------------


def read_messages(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Copies of the messages as templates expect them: nothing that is None but a content, and the arguments
    of tool calls as objects."""
    return [_message(i, message) for i, message in enumerate(messages)]


def _message(number: int, message: Mapping[str, Any]) -> dict[str, Any]:
    said = {name: value for name, value in message.items() if value is not None}
    content = said.setdefault("content", None)
    if isinstance(content, (list, tuple)):
        for i, part in enumerate(content):
            _need_text(part, f"messages.{number}.content.{i}")
    elif content is not None and not isinstance(content, str):
        raise BadParameter(
            f"the content of messages[{number}] must be text or a list of parts, "
            f"got {type(content).__name__}",
            param=f"messages.{number}.content",
        )
    if said.get("function_call") or said.get("role") == "function":
        raise BadParameter(
            "function_call and the role 'function' are the old form; give tool_calls and the role 'tool'",
            param=f"messages.{number}",
        )
    calls = said.get("tool_calls")
    if calls:
        where = f"messages.{number}.tool_calls"
        said["tool_calls"] = [_call(call, f"{where}.{i}") for i, call in enumerate(calls)]
    else:
        said.pop("tool_calls", None)
    return said


def _need_text(part: Any, where: str) -> None:
    if isinstance(part, str):
        return
    kind = part.get("type", "text") if isinstance(part, Mapping) else type(part).__name__
    if kind in _TEXT and isinstance(part.get("text"), str):
        return
    if kind == "refusal" and isinstance(part.get("refusal"), str):
        return
    if kind in _TEXT or kind == "refusal":
        raise BadParameter(f"a part of type {kind!r} needs its text under {_field(kind)!r}", param=where)
    raise BadParameter(
        f"a message has a part of type {kind!r:.80} and this route reads text only; send its text",
        param=where,
    )


def said_in(content: Any) -> str:
    """The text of a message's content, parts one after the other."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    told = (p.get("text") or p.get("refusal") if isinstance(p, Mapping) else p for p in content)
    return "".join(text for text in told if isinstance(text, str))


def _field(kind: str) -> str:
    return "refusal" if kind == "refusal" else "text"


def _call(call: Any, where: str) -> dict[str, Any]:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        raise BadParameter("a tool call needs a function with a name and arguments", param=where)
    return {**call, "function": {**function, "arguments": _arguments(function.get("arguments"))}}


def _shorten_ids(messages: list[dict[str, Any]]) -> None:
    """Mistral's templates take ids of calls with nine letters and digits only; ours are longer."""
    for message in messages:
        if isinstance(message.get("tool_call_id"), str):
            message["tool_call_id"] = _nine(message["tool_call_id"])
        for call in message.get("tool_calls", ()):
            if isinstance(call.get("id"), str):
                call["id"] = _nine(call["id"])


def _nine(call_id: str) -> str:
    if len(call_id) == 9 and call_id.isalnum():
        return call_id
    return hashlib.sha256(call_id.encode(errors="surrogatepass")).hexdigest()[:9]


def _arguments(given: Any) -> Any:
    """JSON text becomes the object it says; what is not a JSON object stays as it is."""
    if not isinstance(given, str):
        return given if given is not None else {}
    if not given.strip():
        return {}
    try:
        read = msgspec.json.decode(given)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return given
    return read if isinstance(read, dict) else given
