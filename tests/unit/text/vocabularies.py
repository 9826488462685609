"""Small tokenizers of the kinds real models have, built on the spot and written as model folders."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import tokenizers
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers, processors, trainers

from quire.text.folder import TokenizerFiles
from quire.text.tokenizer import Tokenizer

CORPUS = [
    "The quick brown fox jumps over the lazy dog, and the dog doesn't mind.",
    "Hello there, hello world! What is the weather like today?",
    "def main():\n    return [x for x in range(10)]\n",
    "naïve café Straße 中文 日本語 한국어 🙂🙂",
] * 4

LLAMA3_WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def byte_level(special: tuple[str, ...] = ("<|begin|>", "<|end|>", "<|im_start|>", "<|im_end|>")) -> Any:
    """GPT-2's alphabet with Llama 3's words, a BOS in front, and an added token that is not special."""
    t = tokenizers.Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(tokenizers.Regex(LLAMA3_WORDS), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    t.decoder = decoders.ByteLevel()
    t.train_from_iterator(
        CORPUS,
        trainers.BpeTrainer(
            vocab_size=400,
            special_tokens=list(special),
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    t.add_tokens([AddedToken("<tool_call>", special=False, normalized=False)])
    t.post_processor = processors.TemplateProcessing(
        single=f"{special[0]} $A", special_tokens=[(special[0], t.token_to_id(special[0]))]
    )
    return t


def sentence_piece(strip: bool = True) -> Any:
    """Llama 2's kind: ▁ for spaces, one put in front, and byte tokens for what is not in the vocabulary."""
    words = trainers.BpeTrainer(vocab_size=200, show_progress=False)
    learner = tokenizers.Tokenizer(models.BPE())
    learner.pre_tokenizer = pre_tokenizers.Metaspace()
    learner.train_from_iterator([text for text in CORPUS if text.isascii()], words)
    learned = json.loads(learner.to_str())["model"]
    first = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    vocab = {token: i for i, token in enumerate([*first, *learned["vocab"]])}
    merges = [tuple(m) if isinstance(m, list) else tuple(m.split(" ")) for m in learned["merges"]]
    t = tokenizers.Tokenizer(models.BPE(vocab, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    t.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    t.decoder = decoders.Sequence([*steps, decoders.Strip(" ", 1, 0)] if strip else steps)
    t.add_special_tokens(["<unk>", "<s>", "</s>"])
    t.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return t


def word_piece() -> Any:
    """BERT's kind, where a token's text begins with a space unless it continues a word."""
    t = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer()
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.decoder = decoders.WordPiece(cleanup=False)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    t.train_from_iterator(
        CORPUS, trainers.WordPieceTrainer(vocab_size=300, special_tokens=special, show_progress=False)
    )
    t.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return t


def unigram() -> Any:
    """T5's kind: Metaspace with no byte fallback."""
    t = tokenizers.Tokenizer(models.Unigram())
    t.pre_tokenizer = pre_tokenizers.Metaspace()
    t.decoder = decoders.Metaspace()
    special = ["<pad>", "</s>", "<unk>"]
    t.train_from_iterator(
        CORPUS,
        trainers.UnigramTrainer(
            vocab_size=200, special_tokens=special, unk_token="<unk>", show_progress=False
        ),
    )
    return t


KINDS = {
    "byte level": byte_level,
    "sentence piece": sentence_piece,
    "sentence piece, unstripped": lambda: sentence_piece(strip=False),
    "word piece": word_piece,
    "unigram": unigram,
}


@cache
def backend(kind: str) -> Any:
    return KINDS[kind]()


@cache
def tokenizer(kind: str, cleans_up: bool = False) -> Tokenizer:
    return Tokenizer(TokenizerFiles(backend(kind), cleans_up=cleans_up))


def write_folder(folder: Path, kind: str = "byte level", settings: dict | None = None, **files: Any) -> Path:
    """Writes tokenizer.json, tokenizer_config.json and further JSON files, named without their ending."""
    backend(kind).save(str(folder / "tokenizer.json"))
    default = {"tokenizer_class": "PreTrainedTokenizerFast"}
    (folder / "tokenizer_config.json").write_text(
        json.dumps({**default, **(settings or {})}), encoding="utf-8"
    )
    for name, value in files.items():
        (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    return folder
