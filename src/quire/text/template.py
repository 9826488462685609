"""Chat templates: a list of messages becomes the text of a prompt.

Templates are Jinja and may come with a request, so they run in sandbox.py's environment within meter.py's
limits and whatever goes wrong in one is a BadTemplate. Results are those of transformers.
Turning the text into tokens, and choosing among a tokenizer's templates, is tokenizer.py's business.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jinja2 import Template, nodes

from quire.errors import BadParameter, BadTemplate
from quire.text import meter
from quire.text.sandbox import GuardedEnvironment, compile_guarded

MAX_TEMPLATE_CHARS = 256 * 1024
MAX_TEMPLATE_TOKENS = 10_000  # compiling costs up to 100 µs for each
CACHED_TEMPLATES = 64
_MAX_REASON = 500
_CONTINUE_HERE = "<|quire continues here|> "  # the space at the end shows whether the template trims
_REASONING = ("reasoning_content", "thinking", "reasoning")
_TEXT_TYPES = ("text", "input_text", "output_text")


class ChatTemplate:
    """A compiled template. `wants_parts` says that it walks through a message's content part by part."""

    def __init__(self, source: str, template: Template, tree_facts: tuple[bool, bool]):
        self.source = source
        self.wants_parts, self.takes_strings = tree_facts
        self._template = template

    def render(
        self,
        /,
        messages: Sequence[Any],
        *,
        tools: Sequence[Any] | None = None,
        add_generation_prompt: bool = False,
        continue_final_message: bool = False,
        **variables: Any,
    ) -> str:
        """Returns the prompt's text. The messages are copied: a template sees plain JSON values only.

        `continue_final_message` leaves the last message open, cut right after its content, so that the model
        goes on with it; it excludes `add_generation_prompt`.
        """
        if continue_final_message and add_generation_prompt:
            raise BadParameter(
                "continue_final_message goes on with the last message and add_generation_prompt begins a new "
                "one; set add_generation_prompt=False"
            )
        if not messages:
            raise BadParameter("messages is empty; give at least one message")
        try:
            chat = [self._message(i, plain(message)) for i, message in enumerate(messages)]
            given = {"documents": None, **plain(variables), "tools": plain(tools)}
        except RecursionError:
            raise BadParameter("messages, tools or template variables nest too deep; flatten them") from None
        opened = _open_final(chat) if continue_final_message else None
        text = self._run({**given, "messages": chat, "add_generation_prompt": add_generation_prompt})
        return text if opened is None else _cut_final(text, opened)

    def _run(self, variables: dict[str, Any]) -> str:
        token = meter.enter(meter.Meter(variables))
        try:
            return self._template.render(variables)
        except meter.LimitReached as e:
            raise BadTemplate(f"the chat template was stopped: {e}") from None
        except Exception as e:
            raise BadTemplate(f"the chat template failed: {_reason(e)}") from None
        finally:
            meter.leave(token)

    def _message(self, index: int, message: Any) -> dict[str, Any]:
        if not isinstance(message, dict):
            raise BadParameter(
                f"messages[{index}] must be an object with role and content, got {type(message).__name__}"
            )
        content = message.get("content")
        if isinstance(content, list) and not self.wants_parts:
            message["content"] = _flat(index, content)
        elif isinstance(content, str) and self.wants_parts and not self.takes_strings:
            message["content"] = [{"type": "text", "text": content}]
        reasoning = next((message[name] for name in _REASONING if message.get(name) is not None), None)
        if reasoning is not None:  # one thing with three names: templates read any of the first two
            return {"thinking": reasoning, **message, "reasoning_content": reasoning}
        return dict(message)


@functools.cache
def _environment() -> GuardedEnvironment:
    return GuardedEnvironment()


@functools.lru_cache(maxsize=CACHED_TEMPLATES)
def compile_template(source: str) -> ChatTemplate:
    """Compiles a template, once for each text; raises BadTemplate where its syntax or its size is wrong."""
    if len(source) > MAX_TEMPLATE_CHARS:
        raise BadTemplate(
            f"the chat template has {len(source):,} characters and may have {MAX_TEMPLATE_CHARS:,}"
        )
    environment = _environment()
    try:
        tokens = sum(kind not in ("data", "whitespace") for _, kind, _ in environment.lex(source))
        if tokens > MAX_TEMPLATE_TOKENS:
            raise BadTemplate(f"the chat template has {tokens:,} tokens and may have {MAX_TEMPLATE_TOKENS:,}")
        tree = environment.parse(source)
        facts = _walks_parts(tree), _tests_strings(tree)
        return ChatTemplate(source, compile_guarded(environment, tree), facts)
    except BadTemplate:
        raise
    except Exception as e:  # syntax errors, and Python's own limits on nesting
        line = getattr(e, "lineno", None)
        raise BadTemplate(
            f"the chat template does not compile{f', line {line}' if line else ''}: {_reason(e)}"
        ) from None


def plain(value: Any) -> Any:
    """Returns a copy made of JSON types only; anything else becomes a harmless `<TypeName>`."""
    if value is None or type(value) in (str, int, float, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Mapping):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if callable(getattr(value, "model_dump", None)):
        return plain(value.model_dump())
    return f"<{type(value).__name__}>"


def _reason(error: Exception) -> str:
    text = getattr(error, "message", None) or str(error) or type(error).__name__
    return re.sub(r" at 0x[0-9a-fA-F]+", "", str(text))[:_MAX_REASON]


def _flat(index: int, parts: Iterable[Any]) -> str:
    """The text of a content list, joined by line breaks, for templates that take strings only."""
    texts = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif (
            isinstance(part, dict)
            and part.get("type", "text") in _TEXT_TYPES
            and isinstance(part.get("text"), str)
        ):
            texts.append(part["text"])
        elif isinstance(part, dict) and part.get("type") == "refusal":
            texts.append(str(part.get("refusal")))
        else:
            kind = part.get("type") if isinstance(part, dict) else type(part).__name__
            raise BadTemplate(
                f"messages[{index}] has a part of type {kind!r} and this chat template takes text only"
            )
    return "\n".join(texts)


def _open_final(chat: list[dict[str, Any]]) -> str:
    """Marks the end of the last message; returns the text that stands before the mark."""
    content = chat[-1].get("content")
    if isinstance(content, str):
        chat[-1]["content"] = content + _CONTINUE_HERE
        return content
    for part in reversed(content or []):
        if isinstance(part, dict) and isinstance(part.get("text"), str):
            text: str = part["text"]
            part["text"] = text + _CONTINUE_HERE
            return text
    raise BadTemplate("continue_final_message is set and the last message has no text to continue")


def _cut_final(text: str, opened: str) -> str:
    mark = text.rfind(_CONTINUE_HERE.strip())
    if mark < 0 or opened.strip() not in text:
        raise BadTemplate(
            "continue_final_message is set and the chat template leaves out or changes the last message"
        )
    kept = text[:mark]
    return kept if text.startswith(_CONTINUE_HERE, mark) else kept.rstrip()


def _walks_parts(tree: nodes.Template) -> bool:
    """Whether the template loops, or maps, over a message's `content` rather than printing it."""
    aliases = {"content"}  # macros and `set` pass it on, mostly under this name
    for assign in tree.find_all(nodes.Assign):
        if isinstance(assign.target, nodes.Name) and _is_content(assign.node, aliases):
            aliases.add(assign.target.name)
    loops = (loop.iter for loop in tree.find_all(nodes.For))
    picks = (f.node for f in tree.find_all(nodes.Filter) if f.name in ("map", "selectattr", "rejectattr"))
    return any(_is_content(node, aliases) for node in (*loops, *picks))


def _is_content(node: nodes.Node | None, aliases: set[str]) -> bool:
    while isinstance(node, nodes.Filter):
        node = node.node
    if isinstance(node, nodes.Name):
        return node.name in aliases
    if isinstance(node, nodes.Getattr):
        return node.attr == "content"
    return (
        isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const) and node.arg.value == "content"
    )


def _tests_strings(tree: nodes.Template) -> bool:
    kinds = ("string", "iterable", "sequence", "mapping")
    return any(test.name in kinds for test in tree.find_all(nodes.Test))
