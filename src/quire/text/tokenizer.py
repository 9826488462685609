"""Text to token ids and back, on the `tokenizers` library alone.

`load_tokenizer` reads a model folder and gives the ids transformers would give for it. What the files say is
folder.py's business, how a chat becomes text template.py's, text that arrives token by token detokenize.py's.
Whether the vocabulary fits the model is for the caller to check (`highest_id`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import tokenizers

from quire.errors import BadParameter, BadTemplate
from quire.text.folder import TokenizerFiles, read_folder
from quire.text.template import compile_template

# What transformers' clean_up_tokenization does, in its order.
_CLEAN_UP = (
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
)
LONG_TEXT = 2000  # characters: about a millisecond


def load_tokenizer(folder: Path | str) -> Tokenizer:
    """Returns the tokenizer of a model folder; raises CheckpointError saying what was found instead."""
    return Tokenizer(read_folder(Path(folder)))


class Tokenizer:
    """A vocabulary, its special tokens and its chat templates. Nothing it says changes after loading."""

    def __init__(self, files: TokenizerFiles):
        self.backend: tokenizers.Tokenizer = files.backend
        self.named_tokens = dict(files.named)  # bos_token, eos_token … → text; templates see these names
        self.chat_templates = dict(files.templates)
        self.cleans_up = files.cleans_up
        self._texts: dict[int, str] = {}

    @property
    def bos_token(self) -> str | None:
        return self.named_tokens.get("bos_token")

    @property
    def eos_token(self) -> str | None:
        return self.named_tokens.get("eos_token")

    @property
    def pad_token(self) -> str | None:
        return self.named_tokens.get("pad_token")

    @property
    def bos_token_id(self) -> int | None:
        return self._named_id("bos_token")

    @property
    def eos_token_id(self) -> int | None:
        return self._named_id("eos_token")

    @property
    def pad_token_id(self) -> int | None:
        return self._named_id("pad_token")

    def _named_id(self, name: str) -> int | None:
        token = self.named_tokens.get(name)
        return None if token is None else self.token_to_id(token)

    @property
    def vocab_size(self) -> int:
        """The vocabulary without the tokens added to it; `len` counts those too."""
        return self.backend.get_vocab_size(with_added_tokens=False)

    def __len__(self) -> int:
        return self.backend.get_vocab_size(with_added_tokens=True)

    @cached_property
    def highest_id(self) -> int:
        """The largest id; a vocabulary with gaps has fewer tokens than this says."""
        return max(self.backend.get_vocab(with_added_tokens=True).values(), default=-1)

    @cached_property
    def longest(self) -> int:
        """No token stands for more characters; vocabularies of bytes count those."""
        return max(map(len, self.backend.get_vocab(with_added_tokens=True)), default=1)

    @cached_property
    def special_ids(self) -> frozenset[int]:
        """The ids that `decode` leaves out when it skips special tokens."""
        return frozenset(i for i, token in self.backend.get_added_tokens_decoder().items() if token.special)

    @cached_property
    def added_ids(self) -> frozenset[int]:
        return frozenset(self.backend.get_added_tokens_decoder())

    def get_vocab(self) -> dict[str, int]:
        return dict(self.backend.get_vocab(with_added_tokens=True))

    def token_to_id(self, token: str) -> int | None:
        return self.backend.token_to_id(token)

    def id_to_token(self, token_id: int) -> str | None:
        """The token's own spelling (`Ġthe`, `▁the`), or None where there is no such id."""
        return self.backend.id_to_token(int(token_id)) if 0 <= token_id < 2**32 else None

    def convert_ids_to_tokens(
        self, ids: Iterable[int], skip_special_tokens: bool = False
    ) -> list[str | None]:
        skipped = self.special_ids if skip_special_tokens else frozenset()
        return [self.id_to_token(i) for i in ids if i not in skipped]

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        """Returns the ids of `text`; with special tokens, what the model expects around it (a BOS, say)."""
        return list(self._encoding(text, add_special_tokens).ids)

    def _encoding(self, text: str, add_special_tokens: bool) -> tokenizers.Encoding:
        if not isinstance(text, str):
            raise BadParameter(f"the text to encode must be a string, got {type(text).__name__}")
        try:
            if len(text) > LONG_TEXT:  # the same ids, and other threads run meanwhile
                return self.backend.encode_batch([text], add_special_tokens=add_special_tokens)[0]
            return self.backend.encode(text, add_special_tokens=add_special_tokens)
        except (UnicodeEncodeError, TypeError):
            where = next((i for i, c in enumerate(text) if "\ud800" <= c <= "\udfff"), None)
            if where is None:
                raise
            raise BadParameter(
                f"the text has a lone surrogate ({text[where]!r}, half a character) at {where:,}; remove it"
            ) from None

    @cached_property
    def has_pair_template(self) -> bool:
        """Whether it marks where the first of two texts ends: otherwise they would just run together."""
        plain, marked = (self.backend.encode("a", "b", add_special_tokens=s).ids for s in (False, True))
        return bool(plain != marked)

    def encode_pair(self, first: str, second: str, most: int | None = None) -> list[int]:
        """Returns the ids of two texts as the model expects a pair; at most `most`, the longer cut first."""
        one, two = self._encoding(first, False), self._encoding(second, False)
        if most is not None:
            room = most - int(self.backend.num_special_tokens_to_add(True))
            if room < 2:
                raise BadParameter(
                    f"a pair needs {most - room + 2} tokens at least and may have {most}; "
                    f"raise truncate_prompt_tokens"
                )
            shorter, longer = (two, one) if len(one) > len(two) else (one, two)
            shorter.truncate(room // 2)
            longer.truncate(room - len(shorter))
        return list(self.backend.post_process(one, two, add_special_tokens=True).ids)

    def decode(self, ids: Sequence[int] | int, skip_special_tokens: bool = True) -> str:
        """Returns the text of `ids`; ids outside the vocabulary give nothing."""
        ids = [ids] if isinstance(ids, int) else [int(i) for i in ids if 0 <= i < 2**32]
        text = self.backend.decode(ids, skip_special_tokens=skip_special_tokens)
        return clean_up(text) if self.cleans_up else text

    def text_of(self, token_id: int) -> str:
        """What one token decodes to, special ones included; found once for each."""
        text = self._texts.get(token_id)
        if text is None:
            text = self._texts[token_id] = self.decode([token_id], skip_special_tokens=False)
        return text

    def apply_chat_template(
        self,
        /,
        messages: Sequence[Any],
        tools: Sequence[Any] | None = None,
        add_generation_prompt: bool = True,
        continue_final_message: bool = False,
        chat_template: str | None = None,
        tokenize: bool = True,
        **kwargs: Any,
    ) -> list[int] | str:
        """Returns the ids (or the text) of a chat. `kwargs` become template variables.

        `chat_template` is a template or the name of one of the model's. No special tokens are added to those
        that the template itself writes.
        """
        template = compile_template(self.chat_template(chat_template, tools))
        text = template.render(
            messages,
            tools=tools,
            add_generation_prompt=add_generation_prompt,
            continue_final_message=continue_final_message,
            **{**self.named_tokens, **kwargs},
        )
        return self.encode(text, add_special_tokens=False) if tokenize else text

    def chat_template(self, given: str | None = None, tools: Sequence[Any] | None = None) -> str:
        """Chooses the template: the one given, by text or name, else the model's (`tool_use` with tools)."""
        if given is not None:
            return self.chat_templates.get(given, given)
        names = (["tool_use"] if tools is not None else []) + ["default"]
        for name in names:
            if name in self.chat_templates:
                return self.chat_templates[name]
        if self.chat_templates:
            raise BadTemplate(
                f"this model has no default chat template; name one of {sorted(self.chat_templates)}"
            )
        raise BadTemplate(
            "this model has no chat template; pass chat_template, or prompts instead of messages"
        )


def clean_up(text: str) -> str:
    """Takes out the spaces that word-piece vocabularies leave before punctuation and English contractions."""
    for old, new in _CLEAN_UP:
        text = text.replace(old, new)
    return text
