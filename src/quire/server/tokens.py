"""/tokenize and /detokenize: text to token ids and back, as the model's own prompts are made."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, model_validator

from quire.errors import BadParameter, TokenOutOfRange
from quire.server.conversation import render, template_source, tokenizer_of, tokens_of
from quire.server.limits import Items, one_of
from quire.server.sse import json_reply, unless_gone
from quire.server.state import Server, check_count, check_model, server_of
from quire.server.strangers import aside
from quire.text.tokenizer import Tokenizer

router = APIRouter(tags=["tokens"])

MOST = 262_144  # characters or tokens of one request, unless the model reads more


class TokenizeBody(BaseModel):
    """A prompt, or messages (and tools) that the chat template makes one of."""

    model_config = ConfigDict(json_schema_extra=one_of("prompt", "messages"))

    model: str | None = Field(None, description="A name the model is served under.")
    prompt: StrictStr | None = None
    messages: Items[dict[str, Any]] | None = Field(None, min_length=1)
    tools: Items[dict[str, Any]] | None = None
    add_special_tokens: bool | None = Field(
        None, description="Default: on for a prompt, off for messages, whose template writes its own."
    )
    return_token_strs: bool = Field(False, description="Also the tokens' spellings.")
    add_generation_prompt: bool | None = Field(
        None, description="Begin the answer. Default: on, unless the last message is continued."
    )
    continue_final_message: bool = False
    chat_template: str | None = None
    chat_template_kwargs: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> TokenizeBody:
        if (self.prompt is None) == (self.messages is None):
            raise ValueError("give either prompt or messages")
        return self

    @property
    def template(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "add_special_tokens": bool(self.add_special_tokens),
            "continue_final_message": self.continue_final_message,
            "chat_template_kwargs": self.chat_template_kwargs or {},
        }
        for name in ("add_generation_prompt", "chat_template"):
            if getattr(self, name) is not None:
                told[name] = getattr(self, name)
        return told


class DetokenizeBody(BaseModel):
    model: str | None = Field(None, description="A name the model is served under.")
    tokens: Items[StrictInt]


@router.post("/tokenize")
@router.post("/v1/tokenize", include_in_schema=False)
async def tokenize(body: TokenizeBody, request: Request) -> Response:
    """The token ids of a prompt or of a conversation, and how many there are."""
    return await unless_gone(request, _tokenized(server_of(request), body))


@router.post("/detokenize")
@router.post("/v1/detokenize", include_in_schema=False)
async def detokenize(body: DetokenizeBody, request: Request) -> Response:
    """The text of token ids, special tokens included."""
    server = server_of(request)
    check_model(server, body.model)
    tokenizer = tokenizer_of(server)
    vocab = max(server.engine.intake.limits.vocab, tokenizer.highest_id + 1)
    _check_size("tokens", len(body.tokens), "tokens", max(MOST, server.engine.intake.limits.max_len))
    work = partial(_text, tokenizer, vocab, body.tokens)
    return json_reply({"prompt": await aside(server.strangers.texts, work, 2 * len(body.tokens))})


@router.get("/tokenizer_info")
async def tokenizer_info(request: Request) -> Response:
    """The size of the vocabulary, the special tokens and the chat template."""
    server = server_of(request)
    tokenizer = tokenizer_of(server)
    return json_reply(
        {
            "vocab_size": tokenizer.vocab_size,
            "tokens": len(tokenizer),
            "model_max_length": server.engine.intake.limits.max_len,
            **tokenizer.named_tokens,
            "chat_template": template_source(server) if tokenizer.chat_templates else None,
        }
    )


async def _tokenized(server: Server, body: TokenizeBody) -> Response:
    check_model(server, body.model)
    tokenizer = tokenizer_of(server)
    check_count("messages", body.messages, server.options.max_messages, "--max-messages")
    check_count("tools", body.tools, server.options.max_tools, "--max-tools")
    if body.messages is not None:
        _, ids = await render(server, body.messages, body.tools, body.template, answers=False)
    else:
        assert body.prompt is not None
        if len(body.prompt) > MOST:
            _check_size("prompt", len(body.prompt), "characters", max(MOST, server.engine.intake.most_chars))
        special = body.add_special_tokens is not False
        ids = await tokens_of(server.strangers.texts, tokenizer, body.prompt, special)
    spelled = None
    if body.return_token_strs:
        spelled = await aside(server.strangers.texts, partial(_spelled, tokenizer, ids), 2 * len(ids))
    limit = server.engine.intake.limits.max_len
    return json_reply({"count": len(ids), "max_model_len": limit, "tokens": ids, "token_strs": spelled})


def _check_size(name: str, size: int, what: str, most: int) -> None:
    if size > most:
        raise BadParameter(
            f"{name} has {size:,} {what} and at most {most:,} are read at once; send it in parts", name
        )


def _spelled(tokenizer: Tokenizer, ids: list[int]) -> list[str]:
    return [token or "" for token in tokenizer.convert_ids_to_tokens(ids)]


def _text(tokenizer: Tokenizer, vocab: int, ids: list[int]) -> str:
    for token in ids:
        if not 0 <= token < vocab:
            raise TokenOutOfRange(token, vocab)
    return tokenizer.decode(ids, skip_special_tokens=False)
