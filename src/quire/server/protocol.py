"""What POST /v1/chat/completions and /v1/completions take: OpenAI's fields and vLLM's further ones.

Types are strict, and a wrong one names its field. Bounds and meanings come from `SamplingParams`, where they
are declared. Unknown fields are ignored, as OpenAI-compatible servers do. What fields mean, and which of them
are refused, is in `asked`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, WithJsonSchema
from typing_extensions import TypedDict  # pydantic reads typing's own from Python 3.12 on

from quire.declared import parameters
from quire.params import SamplingParams
from quire.server.limits import Entries, Items

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
