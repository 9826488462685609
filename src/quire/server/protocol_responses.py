"""What POST /v1/responses takes, as OpenAI's clients send it. Turning it into a conversation is
responses_input.py's business.

Fields that only steer OpenAI's own service (tiers, safety ids, cache keys) are accepted and have no effect;
fields whose meaning Quire cannot give are refused with the reason. Types are strict; unknown fields are
ignored, as on the other routes.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from quire.server.limits import Entries, Items
from quire.server.text_or import TextOr

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:/-]{1,128}$")]
Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
Include = Literal[
    "message.output_text.logprobs",
    "reasoning.encrypted_content",
    "web_search_call.action.sources",
    "web_search_call.results",
    "code_interpreter_call.outputs",
    "computer_call_output.output.image_url",
    "file_search_call.results",
    "message.input_image.image_url",
]


class _Plain(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", allow_inf_nan=False)


class _Open(BaseModel):
    """An item as earlier replies hold it: what Quire does not read is kept."""

    model_config = ConfigDict(strict=True, extra="allow", allow_inf_nan=False)


class ContentPart(_Open):
    """`input_text`, `input_file`, `output_text`, `text` or `refusal`; others are refused with the reason."""

    type: str
    text: str | None = None
    refusal: str | None = None
    filename: str | None = None
    file_data: str | None = Field(default=None, description="A text in base64, or a data: URL with one.")
    file_id: str | None = Field(default=None, description="Of a file uploaded to /v1/files.")
    file_url: str | None = Field(default=None, description="Fetched if --allow-url-domains names its host.")


class MessageItem(_Open):
    type: Literal["message"] = "message"
    role: Literal["user", "assistant", "system", "developer"]
    content: TextOr[ContentPart]


class FunctionCallItem(_Open):
    type: Literal["function_call"]
    call_id: str
    name: Name
    arguments: str


class FunctionCallOutputItem(_Open):
    type: Literal["function_call_output"]
    call_id: str
    output: TextOr[ContentPart]


class ReasoningItem(_Open):
    type: Literal["reasoning"]
    summary: Items[ContentPart] = []
    content: Items[ContentPart] | None = None


class OtherItem(_Open):
    """Any other kind of item: refused, with its name."""

    type: str


def _kind(item: Any) -> str:
    kind = item.get("type") if isinstance(item, dict) else getattr(item, "type", None)
    if kind is None:
        return "message"  # the short form: role and content
    return kind if kind in ("message", "function_call", "function_call_output", "reasoning") else "other"


InputItem = Annotated[
    Annotated[MessageItem, Tag("message")]
    | Annotated[FunctionCallItem, Tag("function_call")]
    | Annotated[FunctionCallOutputItem, Tag("function_call_output")]
    | Annotated[ReasoningItem, Tag("reasoning")]
    | Annotated[OtherItem, Tag("other")],
    Discriminator(_kind),
]


class ResponseTool(_Open):
    """A function, in the flat form. Hosted tools (web search, MCP …) are refused."""

    type: str
    name: Name | None = None
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class ToolChoiceObject(_Open):
    """{"type": "function", "name": …} or {"type": "allowed_tools", "mode": …, "tools": […]}."""

    type: str
    name: str | None = None
    mode: Literal["auto", "required"] | None = None
    tools: Items[dict[str, Any]] | None = None


ToolChoice = Annotated[
    Annotated[Literal["auto", "none", "required"], Tag("word")] | Annotated[ToolChoiceObject, Tag("object")],
    Discriminator(lambda value: "word" if isinstance(value, str) else "object"),
]


class TextFormat(_Open):
    type: Literal["text", "json_object", "json_schema"]
    name: str | None = None
    description: str | None = None
    schema_: dict[str, Any] | None = Field(None, alias="schema")
    strict: bool | None = None


class TextConfig(_Plain):
    format: TextFormat | None = None
    verbosity: Literal["low", "medium", "high"] | None = None


class ReasoningConfig(_Open):
    effort: Effort | None = Field(None, description="Given to the chat template as `reasoning_effort`.")
    summary: Literal["auto", "concise", "detailed"] | None = Field(
        None, description="Set: the reasoning comes as summary text rather than content. It is not shortened."
    )
    generate_summary: Literal["auto", "concise", "detailed"] | None = None


class ResponseStreamOptions(_Plain):
    include_obfuscation: bool | None = None


class ResponseRequest(_Plain):
    """A reply to one input, or the next turn of a stored conversation."""

    model: str | None = None
    input: TextOr[InputItem]
    instructions: str | None = None
    previous_response_id: str | None = None
    store: bool | None = Field(None, description="Keep the reply for previous_response_id. Default: yes.")
    stream: bool | None = None
    stream_options: ResponseStreamOptions | None = None
    background: bool | None = Field(None, description="Answer at once; the reply is fetched by its id.")
    include: Items[Include] | None = None
    metadata: dict[Annotated[str, Field(max_length=64)], Annotated[str, Field(max_length=512)]] | None = (
        Field(None, max_length=16)
    )

    tools: Items[ResponseTool] | None = None
    tool_choice: ToolChoice | None = None
    parallel_tool_calls: bool | None = None
    max_tool_calls: int | None = None
    text: TextConfig | None = None
    reasoning: ReasoningConfig | None = None
    truncation: Literal["auto", "disabled"] | None = None

    max_output_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_logprobs: int | None = None

    # Beyond OpenAI's: the engine's own parameters
    top_k: int | None = None
    min_p: float | None = None
    seed: int | None = None
    stop: TextOr[str] | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    repetition_penalty: float | None = None
    logit_bias: Entries[float] | None = None
    ignore_eos: bool | None = None
    min_tokens: int | None = None
    priority: int | None = None
    cache_salt: str | None = None
    structured_outputs: dict[str, Any] | None = None
    chat_template_kwargs: dict[str, Any] | None = None

    # Accepted without effect
    user: str | None = None
    safety_identifier: str | None = None
    prompt_cache_key: str | None = None
    prompt_cache_retention: str | None = None
    prompt_cache_options: dict[str, Any] | None = None
    service_tier: str | None = None

    # Refused when set
    conversation: str | dict[str, Any] | None = None
    prompt: dict[str, Any] | None = None
    moderation: dict[str, Any] | None = None
    context_management: Items[dict[str, Any]] | None = None
