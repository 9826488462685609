"""Five launches a layer give what the decoder gives: on the GPU where there is one, else interpreted."""

from __future__ import annotations

import os
from typing import Any

import pytest
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
if DEVICE == "cpu":
    os.environ["TRITON_INTERPRET"] = "1"  # read when the kernels are defined
pytest.importorskip("triton", reason="Triton is not installed: it comes with torch for CUDA")

import quire.ops.backend as backend  # noqa: E402
from quire.models.decoder import Decoder  # noqa: E402
from quire.models.shapes import shape_of  # noqa: E402
from quire.models.small_batch import SmallBatch, qualifies  # noqa: E402
from quire.ops.attention import ForwardContext, KVLayer, PagedBatch  # noqa: E402
from quire.ops.gemm.choice import Few  # noqa: E402

BLOCK = 16
CONFIG: dict[str, Any] = {
    "vocab_size": 131,
    "hidden_size": 48,
    "intermediate_size": 88,
    "num_hidden_layers": 2,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "max_position_embeddings": 256,
    "hidden_act": "silu",
    "rms_norm_eps": 1e-5,
    "rope_theta": 10000.0,
}
QWEN = {**CONFIG, "architectures": ["Qwen3ForCausalLM"], "tie_word_embeddings": True}
LLAMA = {**CONFIG, "architectures": ["LlamaForCausalLM"]}


def tiny(config: dict[str, Any]) -> Decoder:
    decoder = Decoder(shape_of(config), torch.float32, torch.device(DEVICE))
    torch.manual_seed(0)
    with torch.no_grad():
        for name, p in decoder.named_parameters():
            p.normal_(0.8 if p.dim() == 1 else 0.0, 0.3 if "norm" in name or p.dim() == 1 else 0.15)
    decoder.ready()
    size = (32, BLOCK, 2, 16)
    decoder.bind_kv(
        [
            KVLayer(0, torch.randn(size, device=DEVICE), torch.randn(size, device=DEVICE))
            for _ in range(CONFIG["num_hidden_layers"])
        ]
    )
    return decoder


def decoding(lengths: list[int]) -> tuple[torch.Tensor, torch.Tensor, ForwardContext]:
    """A step in which sequences of these lengths each add a token."""
    rows = len(lengths)
    tables = 1 + torch.randperm(31, generator=torch.Generator().manual_seed(1))[: rows * 3].view(rows, 3)
    at = torch.tensor(lengths) - 1
    slots = tables[torch.arange(rows), at // BLOCK] * BLOCK + at % BLOCK

    def there(t: torch.Tensor, dtype: torch.dtype = torch.int32) -> torch.Tensor:
        return t.to(DEVICE, dtype)

    batch = PagedBatch(
        query_start=there(torch.arange(rows + 1)),
        seq_lens=there(torch.tensor(lengths)),
        block_tables=there(tables),
        slots=there(slots, torch.int64),
        host_query_start=list(range(rows + 1)),
        host_seq_lens=lengths,
        block_size=BLOCK,
        decodes=rows,
    )
    ids = torch.tensor([(37 * n + 5) % 131 for n in lengths])
    return there(ids, torch.int64), there(at, torch.int64), ForwardContext([batch])


def same(config: dict[str, Any], lengths: list[int], monkeypatch: pytest.MonkeyPatch, whole: bool) -> None:
    decoder = tiny(config)
    ids, positions, context = decoding(lengths)
    with torch.inference_mode():
        hidden = decoder(ids, positions, context)
        logits = decoder.logits(hidden)
        monkeypatch.setattr(backend, "interpret", DEVICE == "cpu")
        small = SmallBatch(decoder)
        small.cuts = wide(small)
        torch.testing.assert_close(small.step(ids, positions, context), logits, atol=1e-3, rtol=0)
        if whole:
            got = small(ids, positions, context)
            torch.testing.assert_close(got, hidden, atol=1e-3, rtol=0)
            torch.testing.assert_close(small.logits(got), logits, atol=1e-3, rtol=0)


def wide(small: SmallBatch) -> dict[tuple[int, int, bool], Few]:
    """Few programs: the interpreter runs one after the other."""
    layer, hidden, inner = (
        next(iter(small.parts.values())),
        CONFIG["hidden_size"],
        CONFIG["intermediate_size"],
    )
    return {
        (*layer.qkv.weight.shape, False): Few(64, 64),
        (hidden, 96, False): Few(64, 128),
        (2 * inner, hidden, True): Few(64, 64),
        (hidden, inner, False): Few(64, 64, 2),
        (CONFIG["vocab_size"], hidden, False): Few(128, 64),
    }


@pytest.mark.parametrize("config", [QWEN, LLAMA], ids=["qwen3", "llama"])
@pytest.mark.parametrize("lengths", [[7], [1, 33, 16], [40, 2, 17, 16, 1]], ids=len)
def test_a_small_batch_gives_the_decoders_logits(config, lengths, monkeypatch):
    same(config, lengths, monkeypatch, whole=len(lengths) == 3)


def test_families_that_need_more_do_not_qualify(monkeypatch):
    monkeypatch.setattr(backend, "interpret", DEVICE == "cpu")
    assert qualifies(tiny(QWEN)) and qualifies(tiny(LLAMA))
    assert not qualifies(tiny({**CONFIG, "architectures": ["Qwen2ForCausalLM"]}))
    assert not qualifies(tiny({**LLAMA, "hidden_act": "gelu"}))
    experts = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 24}
    assert not qualifies(tiny({**CONFIG, **experts, "architectures": ["Qwen3MoeForCausalLM"]}))
