"""Conversations as tokens: what chat_template.jinja renders, fast enough to make training data.

`segments` cuts a conversation into pieces and says which of them the assistant wrote; joined they are the
template's text, which a test checks. Pieces are tokenised apart, as they are when the model answers: the
prompt ends with the header of the assistant's turn.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from training.conversation import Conversation, Message

TEMPLATE = Path(__file__).with_name("chat_template.jinja")
END_OF_TEXT, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
SPECIAL_TOKENS = (END_OF_TEXT, START, END, "<tool_call>", "</tool_call>")


def segments(conversation: Conversation) -> list[tuple[str, bool]]:
    """(text, written by the assistant) in order. Raw text (kind "raw") has no turns."""
    messages = conversation.messages
    if conversation.kind == "raw":
        return [(messages[0]["content"] + END_OF_TEXT, True)]
    pieces: list[tuple[str, bool]] = []
    opening = ""
    if messages[0]["role"] == "system":
        opening, messages = messages[0]["content"], messages[1:]
    if opening or conversation.tools:
        pieces.append((_system(opening, conversation.tools), False))
    for message in messages:
        header = f"{START}{message['role']}\n"
        if message["role"] == "assistant":
            pieces += [(header, False), (spoken(message) + END, True), ("\n", False)]
        else:
            pieces.append((f"{header}{spoken(message)}{END}\n", False))
    return pieces


def spoken(message: Message) -> str:
    """A message's text as the model sees or writes it, tool calls included."""
    parts = [message["content"]] if message.get("content") else []
    for call in message.get("tool_calls", ()):
        f = call["function"]
        arguments = _json(f["arguments"])
        parts.append(f'<tool_call>\n{{"name": "{f["name"]}", "arguments": {arguments}}}\n</tool_call>')
    return "\n".join(parts)


def _system(opening: str, tools: Sequence[dict[str, Any]] | None) -> str:
    lines = [opening] if opening else []
    if tools:
        if opening:
            lines.append("")
        lines.append("# Tools")
        for tool in tools:
            lines += _described(tool["function"])
    return f"{START}system\n" + "\n".join(lines) + f"{END}\n"


def _described(function: dict[str, Any]) -> list[str]:
    description = function.get("description")
    lines = [function["name"] + (f": {description}" if description else "")]
    schema = function.get("parameters") or {}
    required = schema.get("required") or ()
    for name, p in (schema.get("properties") or {}).items():
        line = f"- {name} ({_kind(p)}{', required' if name in required else ''})"
        lines.append(line + (f": {p['description']}" if p.get("description") else ""))
    if schema.get("properties"):
        lines += [
            f"{shared}: {_json(schema[shared])}" for shared in ("$defs", "definitions") if schema.get(shared)
        ]
    return lines


def _kind(p: dict[str, Any]) -> str:
    if any(p.get(k) for k in ("properties", "anyOf", "oneOf", "allOf", "$ref", "prefixItems")):
        return _json(p)
    if p.get("enum") or "const" in p:
        return "|".join(v if isinstance(v, str) else _json(v) for v in p.get("enum") or [p["const"]])
    kind = p.get("type")
    if isinstance(kind, str):
        items = p.get("items") if kind == "array" else None
        return f"{kind} of {_kind(items)}" if isinstance(items, dict) and items else kind
    return "|".join(kind) if kind else "any"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
