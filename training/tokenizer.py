"""The tokenizer: byte-level BPE whose pieces do not depend on the space before a word.

A plain byte-level BPE spells `Katowice` and ` Katowice` with different pieces, so a small model that should
copy a name it has never seen has to spell it anew. Here the merges are learnt on words without their space;
then, with the lowest priority, the space is merged into the most frequent whole words. Digits stay single.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from training.chat import END, END_OF_TEXT, SPECIAL_TOKENS, TEMPLATE

VOCAB = 4096
SPACED = 1400  # words that have a token with their space
SPACE = "\u0120"  # how byte-level BPE writes a space
_APART = r"\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s"
_TOGETHER = r" ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s"


def train(texts: Iterable[str]) -> Tokenizer:
    """Learns the vocabulary from texts that hold no special tokens."""
    texts = list(texts)
    learner = Tokenizer(models.BPE())
    learner.pre_tokenizer = _split(_APART)
    learner.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=VOCAB - SPACED - len(SPECIAL_TOKENS),
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            max_token_length=16,
            show_progress=False,
        ),
    )
    model = json.loads(learner.to_str())["model"]
    vocab: dict[str, int] = model["vocab"]
    merges = [tuple(m) for m in model["merges"]]
    for word in _frequent_words(texts, vocab):
        if len(vocab) == VOCAB - len(SPECIAL_TOKENS):
            break
        if SPACE + word not in vocab:
            vocab[SPACE + word] = len(vocab)
            merges.append((SPACE, word))
    tokenizer = Tokenizer(models.BPE(vocab, merges))
    tokenizer.pre_tokenizer = _split(_TOGETHER)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(t, special=True, normalized=False) for t in SPECIAL_TOKENS[:3]])
    tokenizer.add_tokens([AddedToken(t, special=False, normalized=False) for t in SPECIAL_TOKENS[3:]])
    return tokenizer


def save(tokenizer: Tokenizer, folder: Path) -> None:
    """Writes tokenizer.json and tokenizer_config.json, the chat template in it."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": 2048,
        "eos_token": END,
        "pad_token": END_OF_TEXT,
        "bos_token": None,
        "unk_token": None,
        "add_bos_token": False,
        "clean_up_tokenization_spaces": False,
        "chat_template": TEMPLATE.read_text(),
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n")


def _split(pattern: str) -> pre_tokenizers.PreTokenizer:
    return pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pattern), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )


def _frequent_words(texts: list[str], vocab: dict[str, int]) -> list[str]:
    """Whole words that are one token and follow a space, the most frequent first."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(w for w in text.split(" ")[1:] if w.isalpha())
        counts.update(w.rstrip(".,:;?!") for w in text.split(" ")[1:] if w and not w.isalpha())
    return [w for w, _ in sorted(counts.items(), key=lambda c: (-c[1], c[0])) if w.isascii() and w in vocab]
