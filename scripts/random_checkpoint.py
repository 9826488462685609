#!/usr/bin/env python3
"""Writes a small Llama checkpoint with random weights, in Hugging Face layout.

Everything a real checkpoint folder has is there: config, weights, a byte-level BPE tokenizer
trained on this repository's own pages, a chat template. Its words are noise; its shapes, files and
speed are real. The same arguments write the same files.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
END_OF_TEXT, _, END_OF_TURN = range(len(SPECIAL))
CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def train_tokenizer(vocab: int) -> Any:
    """A byte-level BPE tokenizer with at most `vocab` tokens; special tokens have the first ids."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab,
        special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    pages = [p for p in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if p.exists()]
    tokenizer.train_from_iterator([p.read_text(encoding="utf-8") for p in pages], trainer)
    return tokenizer


def llama_config(args: argparse.Namespace, vocab: int) -> dict[str, Any]:
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": args.hidden,
        "intermediate_size": args.intermediate or args.hidden * 5 // 2,
        "num_hidden_layers": args.layers,
        "num_attention_heads": args.heads,
        "num_key_value_heads": args.kv_heads,
        "head_dim": args.hidden // args.heads,
        "vocab_size": vocab,
        "max_position_embeddings": args.context,
        "hidden_act": "silu",
        "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0,
        "attention_bias": False,
        "mlp_bias": False,
        "tie_word_embeddings": args.tie,
        "bos_token_id": END_OF_TEXT,
        "eos_token_id": END_OF_TURN,
        "torch_dtype": args.dtype,
    }


def random_weights(config: dict[str, Any], seed: int) -> dict[str, Any]:
    import torch

    random = torch.Generator().manual_seed(seed)
    dtype = getattr(torch, config["torch_dtype"])
    hidden, inner, head = config["hidden_size"], config["intermediate_size"], config["head_dim"]
    heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]

    def matrix(rows: int, columns: int) -> Any:
        return (torch.randn(rows, columns, generator=random) * columns**-0.5).to(dtype)

    weights = {
        "model.embed_tokens.weight": matrix(config["vocab_size"], hidden),
        "model.norm.weight": torch.ones(hidden, dtype=dtype),
    }
    if not config["tie_word_embeddings"]:
        weights["lm_head.weight"] = matrix(config["vocab_size"], hidden)
    for layer in range(config["num_hidden_layers"]):
        at = f"model.layers.{layer}."
        weights |= {
            at + "input_layernorm.weight": torch.ones(hidden, dtype=dtype),
            at + "post_attention_layernorm.weight": torch.ones(hidden, dtype=dtype),
            at + "self_attn.q_proj.weight": matrix(heads * head, hidden),
            at + "self_attn.k_proj.weight": matrix(kv_heads * head, hidden),
            at + "self_attn.v_proj.weight": matrix(kv_heads * head, hidden),
            at + "self_attn.o_proj.weight": matrix(hidden, heads * head),
            at + "mlp.gate_proj.weight": matrix(inner, hidden),
            at + "mlp.up_proj.weight": matrix(inner, hidden),
            at + "mlp.down_proj.weight": matrix(hidden, inner),
        }
    return weights


def write(args: argparse.Namespace) -> int:
    """Writes the folder; returns the number of parameters."""
    from safetensors.torch import save_file

    folder: Path = args.folder
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = train_tokenizer(args.vocab)
    config = llama_config(args, tokenizer.get_vocab_size())
    weights = random_weights(config, args.seed)
    tokenizer.save(str(folder / "tokenizer.json"))
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    tokenizer_config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": SPECIAL[END_OF_TEXT],
        "eos_token": SPECIAL[END_OF_TURN],
        "pad_token": SPECIAL[END_OF_TEXT],
        "add_bos_token": False,
        "clean_up_tokenization_spaces": False,
        "model_max_length": args.context,
        "chat_template": CHAT_TEMPLATE,
    }
    generation = {"bos_token_id": END_OF_TEXT, "eos_token_id": [END_OF_TURN, END_OF_TEXT]}
    for name, value in [
        ("tokenizer_config.json", tokenizer_config),
        ("generation_config.json", generation),
        ("config.json", config),  # last: whoever sees it finds the rest
    ]:
        (folder / name).write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
    return sum(w.numel() for w in weights.values())


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--intermediate", type=int, help="default: 2.5 times --hidden")
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--kv-heads", type=int, default=4)
    parser.add_argument("--vocab", type=int, default=2048, help="most tokens of the tokenizer (at least 259)")
    parser.add_argument("--context", type=int, default=2048, help="most tokens of prompt and answer")
    parser.add_argument("--dtype", choices=("float32", "bfloat16", "float16"), default="float32")
    parser.add_argument("--tie", action="store_true", help="share input and output embeddings")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if min(args.layers, args.hidden, args.heads, args.kv_heads, args.context) < 1:
        parser.error("sizes are at least 1")
    if args.hidden % args.heads or args.heads % args.kv_heads or args.hidden // args.heads % 2:
        parser.error("--heads must divide --hidden into even parts, and --kv-heads must divide --heads")
    if args.vocab < 256 + len(SPECIAL):
        parser.error(f"--vocab must be at least {256 + len(SPECIAL)}: every byte and the special tokens")
    return args


if __name__ == "__main__":
    args = arguments()
    print(f"{args.folder}: a random Llama of {write(args):,} parameters; its words are noise")
