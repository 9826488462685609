"""What POST /v1/messages and /v1/messages/count_tokens take, as Anthropic's clients send it. Turning it into
a conversation is messages_input.py's business.

Cache marks, tiers and user ids are accepted and have no effect: prefixes are cached by themselves. Types are
strict; unknown fields are ignored, as on the other routes.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from quire.server.limits import Items
from quire.server.text_or import TextOr

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:/-]{1,128}$")]


class _Plain(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", allow_inf_nan=False)


class _Open(BaseModel):
    model_config = ConfigDict(strict=True, extra="allow", allow_inf_nan=False)


class Block(_Open):
    """`text`, `document`, `search_result`, `tool_use`, `tool_result`, `thinking` or `redacted_thinking`.

    Others are refused by name.
    """

    type: str
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: Name | None = None
    input: dict[str, Any] | None = None
    tool_use_id: str | None = None
    content: TextOr[Block] | None = None
    is_error: bool | None = None
    source: dict[str, Any] | str | None = Field(
        default=None, description="Of a document: text, base64, url, file."
    )
    title: str | None = None
    context: str | None = None
    citations: dict[str, Any] | Items[Any] | None = None


class MessageTurn(_Plain):
    role: Literal["user", "assistant", "system"]
    content: TextOr[Block]


class MessageTool(_Open):
    """A tool of the caller's. Server tools (web search, bash …) are refused."""

    type: str | None = None
    name: Name
    description: str | None = None
    input_schema: dict[str, Any] | None = None
    strict: bool | None = None


class MessageToolChoice(_Plain):
    type: Literal["auto", "any", "tool", "none"]
    name: str | None = None
    disable_parallel_tool_use: bool | None = None


class Thinking(_Open):
    type: Literal["enabled", "disabled", "adaptive", "between_tools"]
    budget_tokens: int | None = Field(None, description="No effect: thinking counts towards max_tokens only.")
    display: Literal["summarized", "omitted"] | None = Field(
        None, description="omitted: no thinking blocks. Otherwise they come whole."
    )


class OutputFormat(_Open):
    type: Literal["json_schema"]
    schema_: dict[str, Any] = Field(alias="schema")


class OutputConfig(_Plain):
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = Field(
        None, description="Given to the chat template as `reasoning_effort`."
    )
    format: OutputFormat | None = None


class CountTokensRequest(_Plain):
    """A conversation whose tokens are counted as POST /v1/messages would read it."""

    model: str
    messages: Items[MessageTurn] = Field(min_length=1)
    system: TextOr[Block] | None = None
    tools: Items[MessageTool] | None = None
    tool_choice: MessageToolChoice | None = None
    thinking: Thinking | None = None
    output_config: OutputConfig | None = None
    output_format: OutputFormat | None = Field(None, description="The older name of output_config.format.")

    # Accepted without effect
    cache_control: dict[str, Any] | None = None
    speed: str | None = None
    context_management: dict[str, Any] | None = None

    # Refused when set
    mcp_servers: Items[dict[str, Any]] | None = None


class MessagesRequest(CountTokensRequest):
    """The next message of a conversation."""

    max_tokens: int
    stop_sequences: Items[str] | None = None
    stream: bool | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None

    # Beyond Anthropic's: the engine's own parameters
    min_p: float | None = None
    seed: int | None = None
    priority: int | None = None
    cache_salt: str | None = None
    chat_template_kwargs: dict[str, Any] | None = None

    # Accepted without effect
    metadata: dict[str, Any] | None = None
    service_tier: str | None = None
    inference_geo: str | None = None
    diagnostics: dict[str, Any] | None = None

    # Refused when set
    container: str | dict[str, Any] | None = None
