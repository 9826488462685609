"""What a request of `protocol` asks for: sampling parameters, the form of the answer, the tools it may call.

Fields whose meaning Quire cannot give are refused with the reason, never silently dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from quire.errors import BadParameter
from quire.params import StructuredOutputsParams
from quire.server.protocol import Generation, ResponseFormat
from quire.server.state import Server

_SAME_NAME = (
    "n", "temperature", "top_p", "top_k", "min_p", "presence_penalty", "frequency_penalty",
    "repetition_penalty", "seed", "stop", "stop_token_ids", "bad_words", "allowed_token_ids", "logit_bias",
    "min_tokens", "ignore_eos", "skip_special_tokens", "spaces_between_special_tokens",
    "include_stop_str_in_output", "prompt_logprobs", "priority", "cache_salt", "best_of",
)  # fmt: skip
_FORMS = ("structured_outputs", "guided_json", "guided_regex", "guided_choice", "guided_grammar")
_REFUSED = {
    "use_beam_search": "beams are searched by LLM.beam_search, not by the server; use n or best_of",
    "logits_processors": "a server runs no code of its callers; use logit_bias or structured_outputs",
    "kv_transfer_params": "this server takes no part in KV transfer; leave it out",
    "functions": "that is the old form; give tools",
    "function_call": "that is the old form; give tool_choice",
    "audio": "this server writes text only",
    "moderation": "this server does not moderate; leave it out",
    "web_search_options": "this server does not search the web; give it a tool that does",
    "suffix": "the model does not fill in between texts; put what follows into the prompt",
    "prompt_embeds": "prompts are text or token ids",
}


def refuse_unsupported(body: Generation) -> None:
    """Raises BadParameter for fields that ask for what this server does not do."""
    for name, reason in _REFUSED.items():
        if getattr(body, name, None):
            raise BadParameter(f"{name} is not supported: {reason}", param=name)


def sampling_fields(server: Server, body: Generation) -> dict[str, Any]:
    """The request's own sampling parameters, by the names of `SamplingParams`."""
    fields = {name: getattr(body, name) for name in _SAME_NAME}
    keep = body.truncate_prompt_tokens
    if keep is not None:
        fields["truncate_prompt_tokens"] = server.engine.intake.limits.max_len - 1 if keep == -1 else keep
    fields["structured_outputs"] = form_of(body)
    return {name: value for name, value in fields.items() if value is not None}


def form_of(body: Generation) -> StructuredOutputsParams | None:
    """The form the answer must have, by whichever name it was asked for."""
    asked: dict[str, dict[str, Any]] = {}
    if body.response_format is not None and body.response_format.type != "text":
        asked["response_format"] = _response_format(body.response_format)
    if body.structured_outputs is not None:
        asked["structured_outputs"] = body.structured_outputs.model_dump(by_alias=True)
    for name in ("json", "regex", "choice", "grammar"):
        value = getattr(body, f"guided_{name}")
        if value is not None:
            asked[f"guided_{name}"] = {name: value}
    spaces = body.guided_whitespace_pattern
    if spaces is not None:
        schemas = [fields for name, fields in asked.items() if fields.get("json") is not None]
        if not schemas or "structured_outputs" in asked:
            raise BadParameter(
                "guided_whitespace_pattern needs guided_json or a response_format with a schema",
                param="guided_whitespace_pattern",
            )
        schemas[0]["whitespace_pattern"] = spaces
    if not asked:
        return None
    if len(asked) > 1:
        names = " and ".join(asked)
        raise BadParameter(f"{names}: each says what the answer looks like; give one", next(iter(asked)))
    ((name, fields),) = asked.items()
    check_text(fields, name)
    try:
        return StructuredOutputsParams.of(fields, name)
    except BadParameter as e:
        raise BadParameter(f"{name}: {e}", param=name) from None


def form_field(body: Generation) -> str:
    """Which of its names the form was asked for with."""
    found = (name for name in _FORMS if getattr(body, name) is not None)
    return next(found, "response_format")


def _response_format(given: ResponseFormat) -> dict[str, Any]:
    if given.type == "json_object":
        return {"json_object": True}
    if given.type == "json_schema":
        if given.json_schema is None:
            raise BadParameter(
                "response_format of type json_schema needs json_schema with a schema in it",
                param="response_format.json_schema",
            )
        schema = given.json_schema.schema_
        return {"json": schema if isinstance(schema, dict) else ("{}" if schema else '{"not": {}}')}
    if given.format is not None:
        return {"structural_tag": {"type": "structural_tag", "format": given.format}}
    if not given.structures or not given.triggers:
        raise BadParameter(
            "response_format of type structural_tag needs structures and triggers", param="response_format"
        )
    return {"structural_tag": {"structures": given.structures, "triggers": given.triggers}}


def check_text(value: Any, name: str) -> None:
    """Refuses what cannot be written as JSON again, such as half a surrogate pair."""
    try:
        msgspec.json.encode(value)
    except (UnicodeEncodeError, RecursionError, OverflowError, TypeError):
        raise BadParameter(f"{name} holds what is no text or number of JSON", param=name) from None


def choice_of(given: Any, tools: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """OpenAI's tool_choice: auto, none, required or a tool's name, and the tools it leaves."""
    if given is None:
        return ("auto" if tools else "none"), tools
    if given in ("auto", "none", "required"):
        return given, tools
    kind = given.get("type") if isinstance(given, Mapping) else None
    if kind == "function":
        name = _name_in(given)
        if name is not None:
            return name, tools
    if kind == "allowed_tools":
        inner = given.get("allowed_tools", given)
        mode = inner.get("mode", "auto") if isinstance(inner, Mapping) else None
        listed = inner.get("tools") if isinstance(inner, Mapping) else None
        if mode in ("auto", "required") and isinstance(listed, list):
            names = {_name_in(tool) for tool in listed if isinstance(tool, Mapping)}
            known = {tool["function"]["name"] for tool in tools}
            if names and names <= known:
                return mode, [tool for tool in tools if tool["function"]["name"] in names]
            raise BadParameter("tool_choice allows tools that are not among the tools", param="tool_choice")
    raise BadParameter(
        "tool_choice must be auto, none, required, {'type': 'function', 'function': {'name': …}} or "
        "{'type': 'allowed_tools', …}",
        param="tool_choice",
    )


def _name_in(given: Mapping[str, Any]) -> str | None:
    function = given.get("function", given)
    name = function.get("name") if isinstance(function, Mapping) else None
    return name if isinstance(name, str) else None
