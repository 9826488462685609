"""What a model folder says about its tokenizer, read as transformers 5 reads it.

tokenizer.json is the truth about ids: its post-processor alone decides about BOS and EOS (`add_bos_token` in
tokenizer_config.json counts only where there is no tokenizer.json). The config adds names for special tokens,
flags of added tokens and chat templates; the files of transformers 4 (special_tokens_map.json,
added_tokens.json) and of 5 are both read.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tokenizers
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers, processors

from quire.errors import CheckpointError

_STANDARD_NAMES = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
_END_OF_TEXT = "<|endoftext|>"

# What transformers' classes assume where the config does not say; a null in the config is kept.
_CLASS_NAMES: dict[str, dict[str, str]] = {
    "GPT2Tokenizer": {"bos_token": _END_OF_TEXT, "eos_token": _END_OF_TEXT, "unk_token": _END_OF_TEXT},
    "Qwen2Tokenizer": {"eos_token": _END_OF_TEXT, "unk_token": _END_OF_TEXT, "pad_token": _END_OF_TEXT},
    "LlamaTokenizer": {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"},
}

# transformers 5 reads `LlamaTokenizer` as its own idea of it (see _as_llama), except for these model types.
_READ_AS_IS = {
    *("granite", "internlm2", "jamba", "llava", "llava_next", "minicpm3", "ministral", "mistral", "mixtral"),
    *("nemotron", "phi3", "phi3_v", "phimoe", "stablelm"),
}

# How Qwen 2 and later cut a text into words before byte-pair encoding.
_QWEN_WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


@dataclass(frozen=True)
class TokenizerFiles:
    backend: tokenizers.Tokenizer
    named: dict[str, str] = field(default_factory=dict)  # bos_token → "<s>" …, names of the model's own too
    templates: dict[str, str] = field(default_factory=dict)  # "default" is the one used
    cleans_up: bool = False


def read_folder(folder: Path) -> TokenizerFiles:
    if not folder.is_dir():
        raise CheckpointError(f"{folder} is not a folder; give the folder that holds tokenizer.json")
    config = _read_json(folder / "tokenizer_config.json")
    kind = str(config.get("tokenizer_class") or "").removesuffix("Fast")
    whole = (folder / "tokenizer.json").is_file()
    if whole:
        backend = _read_tokenizer_json(folder / "tokenizer.json")
    elif (folder / "vocab.json").is_file() and (folder / "merges.txt").is_file() and kind in ("", *_BUILDERS):
        kind = kind or "GPT2Tokenizer"
        backend = _BUILDERS[kind](folder, bool(config.get("add_prefix_space", False)))
    else:
        backend, names = _ask_transformers(folder)
        config, kind, whole = {**config, **names}, "", True  # converted: nothing is left to guess
    if backend.padding and "pad_token" not in config:
        config["pad_token"] = backend.padding["pad_token"]
    backend.no_truncation()
    backend.no_padding()
    if kind == "LlamaTokenizer" and whole:
        pieces = type(backend.model).__name__ == "BPE" and type(backend.decoder).__name__ != "ByteLevel"
        if pieces and _read_json(folder / "config.json").get("model_type") not in _READ_AS_IS:
            _as_llama(backend, config)
        kind = kind if pieces else ""
    config = {**_CLASS_NAMES.get(kind, {}), **config}
    named = _add_tokens(backend, folder, config)
    if not whole:
        _add_ends(backend, named, bool(config.get("add_bos_token")), bool(config.get("add_eos_token")))
    backend.encode_special_tokens = bool(config.get("split_special_tokens", False))
    forced = config.get("clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output", False)
    cleans_up = bool(config.get("clean_up_tokenization_spaces")) and (
        bool(forced) or type(backend.model).__name__ != "BPE"
    )
    return TokenizerFiles(backend, named, _read_templates(folder, config), cleans_up)


def _read_json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as e:
        raise CheckpointError(f"{path.name} cannot be read: {_instead(path) or e}") from e
    if not isinstance(value, dict):
        raise CheckpointError(f"{path.name} holds a {type(value).__name__} and must hold a JSON object")
    return value


def _read_tokenizer_json(path: Path) -> tokenizers.Tokenizer:
    try:
        return tokenizers.Tokenizer.from_file(str(path))
    except Exception as e:  # the library raises plain Exception
        raise CheckpointError(f"{path.name} cannot be read: {_instead(path) or e}") from e


def _instead(path: Path) -> str:
    """Names the usual things that lie where a file should."""
    with path.open("rb") as file:
        head = file.read(200).lstrip().lower()
    if head.startswith(b"version https://git-lfs"):
        return "it is a Git-LFS pointer, not the file; run `git lfs pull` in the folder"
    if head.startswith((b"<!doctype", b"<html")):
        return "it is an HTML page, not the file; download it again"
    return "it is empty" if not head else ""


def _as_llama(backend: tokenizers.Tokenizer, config: dict[str, Any]) -> None:
    """Puts a ▁ before the first word only, whatever tokenizer.json says, as transformers 5 does."""
    prefix = config.get("add_prefix_space") in (None, True)
    scheme = "never" if not prefix else "always" if config.get("legacy") else "first"
    backend.normalizer = None
    backend.pre_tokenizer = pre_tokenizers.Metaspace("▁", prepend_scheme=scheme, split=False)
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    backend.decoder = decoders.Sequence([*steps, decoders.Strip(" ", 1, 0)] if prefix else steps)


def _build_gpt2(folder: Path, prefix_space: bool) -> tokenizers.Tokenizer:
    backend = tokenizers.Tokenizer(_read_bpe(folder))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space)
    backend.decoder = decoders.ByteLevel()
    return backend


def _build_qwen(folder: Path, prefix_space: bool) -> tokenizers.Tokenizer:
    backend = _build_gpt2(folder, prefix_space)
    backend.normalizer = normalizers.NFC()
    words = pre_tokenizers.Split(tokenizers.Regex(_QWEN_WORDS), "isolated")
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [words, pre_tokenizers.ByteLevel(add_prefix_space=prefix_space, use_regex=False)]
    )
    return backend


_BUILDERS = {"GPT2Tokenizer": _build_gpt2, "Qwen2Tokenizer": _build_qwen}


def _read_bpe(folder: Path) -> models.BPE:
    try:
        return models.BPE.from_file(str(folder / "vocab.json"), str(folder / "merges.txt"))
    except Exception as e:  # the library raises plain Exception
        raise CheckpointError(f"vocab.json and merges.txt cannot be read: {e}") from e


def _ask_transformers(folder: Path) -> tuple[tokenizers.Tokenizer, dict[str, str]]:
    """For the exotic ones: what transformers, if installed, makes of the files, and its special tokens."""
    known = ("tokenizer", "vocab", "merges", "spiece", "sentencepiece", "tekken", "tiktoken")
    found = sorted(p.name for p in folder.iterdir() if p.name.startswith(known)) or [
        "no tokenizer file at all"
    ]
    missing = f"there is no tokenizer.json in {folder.name} ({', '.join(found)})"
    if found == ["no tokenizer file at all"] or found == ["tokenizer_config.json"]:
        raise CheckpointError(f"{missing}; copy the tokenizer's files there or set skip_tokenizer_init=True")
    if importlib.util.find_spec("transformers") is None:
        raise CheckpointError(
            f"{missing}; `pip install transformers` to convert it, or set skip_tokenizer_init=True"
        )
    try:
        loaded = importlib.import_module("transformers").AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False
        )
    except Exception as e:
        raise CheckpointError(f"{missing} and transformers could not convert it: {str(e)[:300]}") from e
    backend = getattr(loaded, "backend_tokenizer", None)
    if not isinstance(backend, tokenizers.Tokenizer):
        raise CheckpointError(
            f"{missing} and {type(loaded).__name__} has no fast form; set skip_tokenizer_init=True"
        )
    return backend, dict(loaded.special_tokens_map)


def _add_tokens(backend: tokenizers.Tokenizer, folder: Path, config: dict[str, Any]) -> dict[str, str]:
    """Adds what the config says of added and special tokens to `backend`; returns the named ones."""
    listed: dict[int, AddedToken] = {}
    if "added_tokens_decoder" in config:
        listed = {int(i): _token(t) for i, t in config["added_tokens_decoder"].items()}
        values = config
    else:
        values = {**config, **_read_json(folder / "special_tokens_map.json")}
        names = {_text(values[n]) for n in _STANDARD_NAMES if values.get(n)}
        for text, i in _read_json(folder / "added_tokens.json").items():
            listed[i] = AddedToken(text, normalized=text not in names, special=text in names)
    extra = values.get("extra_special_tokens") or values.get("additional_special_tokens") or []
    own = {
        n: v
        for n, v in values.items()
        if n.endswith("_token") and n not in _STANDARD_NAMES and isinstance(v, str)
    }
    if isinstance(extra, dict):
        own, extra = {**own, **extra}, []
    named = {n: values[n] for n in _STANDARD_NAMES if values.get(n)} | own

    backend.add_tokens([listed[i] for i in sorted(listed)])
    present = {token.content for token in backend.get_added_tokens_decoder().values()}
    for value in (*named.values(), *extra):
        if _text(value) not in present:
            present.add(_text(value))
            backend.add_tokens([_token(value, special=True)])
    return {name: _text(value) for name, value in named.items()}


def _text(value: Any) -> str:
    return str(value["content"]) if isinstance(value, dict) else str(value)


def _token(value: Any, special: bool = False) -> AddedToken:
    if not isinstance(value, dict):
        return AddedToken(str(value), special=True)
    flags = {
        name: bool(value[name]) for name in ("single_word", "lstrip", "rstrip", "normalized") if name in value
    }
    return AddedToken(_text(value), special=special or bool(value.get("special", False)), **flags)


def _add_ends(backend: tokenizers.Tokenizer, named: dict[str, str], bos: bool, eos: bool) -> None:
    first = [named["bos_token"]] if bos and "bos_token" in named else []
    last = [named["eos_token"]] if eos and "eos_token" in named else []
    if first or last:
        backend.post_processor = processors.TemplateProcessing(
            single=[*first, "$A", *last],
            special_tokens=[(token, backend.token_to_id(token)) for token in dict.fromkeys([*first, *last])],
        )


def _read_templates(folder: Path, config: dict[str, Any]) -> dict[str, str]:
    """Files of their own come first, then the config, then chat_template.json (which processors wrote)."""
    separate = {path.stem: path for path in sorted((folder / "additional_chat_templates").glob("*.jinja"))}
    if (folder / "chat_template.jinja").is_file():
        separate["default"] = folder / "chat_template.jinja"
    if separate:
        return {name: path.read_text(encoding="utf-8") for name, path in separate.items()}
    for value in (
        config.get("chat_template"),
        _read_json(folder / "chat_template.json").get("chat_template"),
    ):
        if isinstance(value, str):
            return {"default": value}
        if isinstance(value, dict) and value:
            return {str(name): str(text) for name, text in value.items()}
        if isinstance(value, list) and value:
            return {str(entry["name"]): str(entry["template"]) for entry in value}
    return {}
