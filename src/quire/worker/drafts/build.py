"""Builds the proposers that are models: loads their weights and joins them to the model they draft for."""

from __future__ import annotations

from pathlib import Path

import torch

from quire.config import EngineConfig
from quire.layers.embedding import Embedding
from quire.layers.linear import Packer
from quire.models.beside import Beside, Table, Words, needs_table
from quire.models.decoder import Decoder
from quire.models.draft_shapes import EAGLE, FeatureShape, MedusaShape
from quire.models.eagle import Eagle
from quire.models.medusa import Medusa
from quire.models.mtp import MTP
from quire.models.registry import build as build_model
from quire.ops.gemm import gpu_packers
from quire.ops.gemm.cpu import packer
from quire.parallel.mesh import ALONE, Mesh
from quire.types import CacheShape
from quire.weights.loader import load
from quire.worker.drafts.checkpoint import DraftCheckpoint
from quire.worker.drafts.contract import Proposer
from quire.worker.drafts.eagle import FeatureDrafts
from quire.worker.drafts.medusa import MedusaDrafts
from quire.worker.drafts.model import DraftModel
from quire.worker.drafts.places import Places


def build_proposer(
    draft: DraftCheckpoint,
    target: Decoder,
    folder: Path,
    cache: CacheShape,
    config: EngineConfig,
    *,
    mesh: Mesh = ALONE,
    device: torch.device,
) -> Proposer:
    """Whoever drafts for `target`, the model of `folder`, whose end is here; its weights are whole.

    With tensor parallelism every rank of the last stage calls this, and all propose the same.
    """
    rows, longest = config.scheduler.max_num_seqs, config.model.max_model_len
    assert rows is not None and longest is not None
    dtype, shape, most = target.dtype, draft.shape, draft.asked.most
    places = Places(cache.block_tokens, device, cache.windows)
    pack = _packer(config, dtype, device)
    # On a GPU each answer would be waited for. Ranks that share a head must not differ by a rounding error.
    tells = device.type == "cpu" and mesh.tp.size == 1
    model: Beside | Decoder
    if isinstance(shape, MedusaShape):
        model = Medusa(shape, target.head, dtype, device)
        proposer: Proposer = MedusaDrafts(model, tells=tells)
    elif isinstance(shape, FeatureShape):
        words = Words(target, _table(target, folder, config, mesh, device))
        model = (Eagle if shape.kind == EAGLE else MTP)(shape, words, dtype, device, longest)
        proposer = FeatureDrafts(model, places, most, tells=tells)
    else:
        model = build_model(draft.hf, dtype, device, ALONE, max_model_len=longest)
        proposer = DraftModel(model, places, rows, most, tells=tells)
    load(model, draft.folder, config.load.load_format, config.model.seed, config.device.cpu_threads or 1)
    if pack is not None:
        model.pack(pack)
    return proposer


def _table(
    target: Decoder, folder: Path, config: EngineConfig, mesh: Mesh, device: torch.device
) -> Embedding | None:
    """The target's table, where this stage of it has none."""
    if not needs_table(target):
        return None
    table = Table(target, mesh, device)
    load(table, folder, config.load.load_format, config.model.seed)
    return table.embedding


def _packer(config: EngineConfig, dtype: torch.dtype, device: torch.device) -> Packer | None:
    if device.type == "cuda":
        return gpu_packers(None)[0]
    return packer(dtype, copy=bool(config.device.cpu_pack_weights))
