"""What POST /v1/chat/completions and /v1/completions take: OpenAI's fields and vLLM's further ones.

Types are strict, and a wrong one names its field. Bounds and meanings come from `SamplingParams`, where they
are declared. Unknown fields are ignored, as OpenAI-compatible servers do; known ones whose meaning Quire
cannot give are refused with the reason, never silently dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Required

import msgspec
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, WithJsonSchema
from typing_extensions import TypedDict  # pydantic reads typing's own from Python 3.12 on

from quire.declared import parameters
from quire.errors import BadParameter
from quire.params import SamplingParams, StructuredOutputsParams
from quire.server.limits import Entries, Items
from quire.server.state import Server

_DECLARED = {p.name: p for p in parameters(SamplingParams)}
_MOST = 2**31 - 1
_NAME = r"^[A-Za-z0-9_.:/-]{1,128}$"
_ROLE = r"^[A-Za-z0-9_.-]{1,64}$"


def _declared(name: str, default: Any = None) -> Any:
    """A field with the meaning and the bounds of the sampling parameter of this name."""
    p = _DECLARED[name]
    high = _MOST if p.kind is int and p.high is None else p.high
    low, above = (None, p.low) if p.above else (p.low, None)
    return Field(default, description=p.help, ge=low, gt=above, le=high)


def _several(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _prompts(value: Any) -> Any:
    """One text, several, token ids of one prompt, or of several. Which ids exist is the engine's question."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list) or not value:
        raise ValueError("must be text, a list of texts, token ids or a list of lists of token ids")
    kinds = set(map(type, value))
    if kinds == {int}:
        return [value]
    if kinds != {str} and (kinds != {list} or any(set(map(type, ids)) - {int} for ids in value)):
        raise ValueError("must be all texts, or all token ids, or all lists of token ids")
    return value


_TEXT = {"type": "string"}
_IDS = {"type": "array", "items": {"type": "integer", "minimum": 0}}
Texts = Annotated[
    Items[str],
    BeforeValidator(_several),
    WithJsonSchema({"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]}),
]
Prompts = Annotated[
    list[Any],
    PlainValidator(_prompts),
    WithJsonSchema({"anyOf": [_TEXT, _IDS, *({"type": "array", "items": i} for i in (_TEXT, _IDS))]}),
]


class Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", allow_inf_nan=False)


# -- messages and tools ----------------------------------------------------------------------------------


class CalledFunction(TypedDict, total=False):
    __pydantic_config__ = ConfigDict(strict=True, extra="allow")  # type: ignore[misc]
    name: Required[Annotated[str, Field(pattern=_NAME)]]
    arguments: Annotated[Any, Field(description="JSON text, or an object.")]


class ToolCall(TypedDict, total=False):
    __pydantic_config__ = ConfigDict(strict=True, extra="allow")  # type: ignore[misc]
    id: str | None
    type: Literal["function"]
    function: Required[CalledFunction]


class Message(TypedDict, total=False):
    """Further fields, such as `reasoning_content`, are passed on to the chat template."""

    __pydantic_config__ = ConfigDict(strict=True, extra="allow")  # type: ignore[misc]
    role: Required[Annotated[str, Field(pattern=_ROLE)]]
    content: Annotated[
        Any,
        WithJsonSchema(
            {
                "anyOf": [_TEXT, {"type": "array", "items": {"type": "object"}}, {"type": "null"}],
                "description": "Text, or a list of parts such as {'type': 'text', 'text': …}.",
            }
        ),
    ]
    name: str | None
    tool_calls: Items[ToolCall] | None
    tool_call_id: str | None


class Function(TypedDict, total=False):
    __pydantic_config__ = ConfigDict(strict=True, extra="allow")  # type: ignore[misc]
    name: Required[Annotated[str, Field(pattern=_NAME)]]
    description: str | None
    parameters: dict[str, Any] | None
    strict: bool | None


class Tool(TypedDict, total=False):
    __pydantic_config__ = ConfigDict(strict=True, extra="allow")  # type: ignore[misc]
    type: Required[Literal["function"]]
    function: Required[Function]


class JsonSchema(Model):
    name: str = ""
    description: str | None = None
    schema_: dict[str, Any] | bool = Field(alias="schema")
    strict: bool | None = None


class ResponseFormat(Model):
    type: Literal["text", "json_object", "json_schema", "structural_tag"]
    json_schema: JsonSchema | None = None
    structures: Items[dict[str, Any]] | None = None
    triggers: Items[str] | None = None
    format: dict[str, Any] | None = None


class StreamOptions(Model):
    include_usage: bool | None = None
    continuous_usage_stats: bool | None = None
    include_obfuscation: bool | None = None


class StructuredOutputs(Model):
    """Exactly one of the first six."""

    json_: dict[str, Any] | str | None = Field(None, alias="json")
    regex: str | None = None
    choice: Items[str] | None = None
    grammar: str | None = None
    json_object: bool | None = None
    structural_tag: dict[str, Any] | str | None = None
    disable_any_whitespace: bool = False
    disable_additional_properties: bool = False
    whitespace_pattern: str | None = None
    disable_fallback: bool = False


# -- what both routes take -------------------------------------------------------------------------------


class Generation(Model):
    """Fields of chats and completions alike."""

    model: str | None = Field(None, description="As /v1/models names it. Default: what is served.")
    n: int | None = _declared("n")
    temperature: float | None = _declared("temperature")
    top_p: float | None = _declared("top_p")
    top_k: int | None = _declared("top_k")
    min_p: float | None = _declared("min_p")
    presence_penalty: float | None = _declared("presence_penalty")
    frequency_penalty: float | None = _declared("frequency_penalty")
    repetition_penalty: float | None = _declared("repetition_penalty")
    seed: int | None = _declared("seed")
    stop: Texts | None = _declared("stop")
    stop_token_ids: Items[int] | None = _declared("stop_token_ids")
    bad_words: Items[str] | None = _declared("bad_words")
    allowed_token_ids: Items[int] | None = _declared("allowed_token_ids")
    logit_bias: Entries[float] | None = _declared("logit_bias")
    max_tokens: int | None = Field(None, ge=0, le=2**63 - 1, description="Most tokens of the answer.")
    min_tokens: int | None = _declared("min_tokens")
    ignore_eos: bool | None = _declared("ignore_eos")
    skip_special_tokens: bool | None = _declared("skip_special_tokens")
    spaces_between_special_tokens: bool | None = _declared("spaces_between_special_tokens")
    include_stop_str_in_output: bool | None = _declared("include_stop_str_in_output")
    truncate_prompt_tokens: int | None = Field(
        None,
        ge=-1,
        le=_MOST,
        description="Keep only the last so many tokens of the prompt. -1: as many as fit.",
    )
    prompt_logprobs: int | None = _declared("prompt_logprobs")
    priority: int | None = _declared("priority")
    cache_salt: str | None = Field(None, min_length=1, description=_DECLARED["cache_salt"].help)
    best_of: int | None = _declared("best_of")

    stream: bool | None = None
    stream_options: StreamOptions | None = None
    return_token_ids: bool | None = Field(None, description="Show the ids of prompt and answer.")
    return_tokens_as_token_ids: bool | None = Field(
        None, description="Name tokens token_id:… among log-probabilities: their texts may be the same."
    )
    echo: bool | None = Field(None, description="Begin the answer with the prompt, or the message continued.")
    add_special_tokens: bool | None = None

    response_format: ResponseFormat | None = None
    structured_outputs: StructuredOutputs | None = None
    guided_json: dict[str, Any] | str | None = None
    guided_regex: str | None = None
    guided_choice: Items[str] | None = None
    guided_grammar: str | None = None
    guided_whitespace_pattern: str | None = None

    user: str | None = None
    use_beam_search: bool | None = None
    logits_processors: Items[Any] | None = None
    kv_transfer_params: dict[str, Any] | None = None


class ChatRequest(Generation):
    messages: Items[Message] = Field(min_length=1)
    max_completion_tokens: int | None = Field(
        None, ge=1, le=2**63 - 1, description="The newer name of max_tokens."
    )
    logprobs: bool | None = None
    top_logprobs: int | None = Field(None, ge=0, le=1024)
    tools: Items[Tool] | None = None
    tool_choice: Any = Field(
        None, description="auto, none, required, or {'type': 'function', 'function': {'name': …}}."
    )
    parallel_tool_calls: bool | None = None
    reasoning_effort: str | None = Field(None, max_length=32)
    include_reasoning: bool | None = Field(None, description="Off: leave reasoning out of the reply.")

    chat_template: str | None = Field(
        None,
        description="The name of a template of the model's; with --trust-request-chat-template a template.",
    )
    chat_template_kwargs: dict[str, Any] | None = Field(None, description="Variables for the template.")
    add_generation_prompt: bool | None = None
    continue_final_message: bool | None = None
    documents: Items[dict[str, Any]] | None = None

    metadata: Entries[str] | None = None
    store: bool | None = None
    service_tier: str | None = None
    modalities: Items[str] | None = None
    verbosity: str | None = Field(None, max_length=32)
    prediction: dict[str, Any] | None = None
    moderation: dict[str, Any] | None = None
    audio: dict[str, Any] | None = None
    web_search_options: dict[str, Any] | None = None
    functions: Items[dict[str, Any]] | None = None
    function_call: Any = None
    safety_identifier: str | None = None
    prompt_cache_key: str | None = None


class CompletionRequest(Generation):
    prompt: Prompts
    logprobs: int | None = _declared("logprobs")
    suffix: str | None = None
    prompt_embeds: Any = None


# -- from a request to parameters ------------------------------------------------------------------------

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
