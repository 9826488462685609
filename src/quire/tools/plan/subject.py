"""The model that is planned for: its sizes, from a folder, a well-known name, or a hub's config.json."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire.config import EngineConfig
from quire.embedded import DEFAULT, MODELS, embedded_folder
from quire.errors import CheckpointError, nearest
from quire.models.keys import checkpoint_dtype
from quire.models.shapes import FAMILIES, DecoderShape, architecture_of, shape_of
from quire.tools.plan.known import KNOWN, known_name
from quire.tools.plan.latent import LATENT, latent_shape
from quire.weights.folder import model_here, read_config, read_pooling


@dataclass(frozen=True, slots=True)
class Subject:
    name: str
    shape: DecoderShape
    dtype: str  # the checkpoint's
    pooling: str | None = None  # what its sentence-transformers files say
    runs: bool = True  # False: it can be planned for, not run
    source: str = ""  # where the sizes come from

    @property
    def parameters(self) -> int:
        return self.shape.parameter_count()


def find_subject(config: EngineConfig) -> Subject:
    """What `config.model.model` names; nothing but a config.json is ever fetched."""
    name, changes = config.model.model, config.model.hf_overrides or {}
    with_changes = ", with --hf-overrides" if changes else ""
    given = bool(name) and os.path.isdir(os.path.expanduser(name))
    here = model_here(name, config.load.download_dir, config.model.revision)
    if here is not None and (given or (here / "config.json").is_file()):  # of the very model
        called, complete = here.name if given else name or DEFAULT, given or embedded_folder(name or DEFAULT)
        source = f"{here / 'config.json'}{with_changes}"
        return _subject(config, called, read_config(here, changes), source, here if complete else None)
    known, revision = known_name(name), config.model.revision
    if known is not None and revision is None:
        found = {**KNOWN[known], **changes}
        return _subject(config, name, found, f"known to Quire as {known}{with_changes}")
    if known == name.lower():
        raise CheckpointError(
            f"--revision is {revision}, and which one the known sizes of {name} are of is not kept; leave it "
            f"out, or give the hub's name"
        )
    if name.count("/") != 1 or name.startswith((".", "/", "~")):
        hint = nearest(name.lower(), [*KNOWN, *(m.name for m in MODELS)])
        hint = hint or "; `quire plan --list` names them"
        raise CheckpointError(f"there is no folder {name}, and no well-known model of that name{hint}")
    return _subject(config, name, {**_fetched(config), **changes}, f"the hub's config.json{with_changes}")


def _subject(
    config: EngineConfig, name: str, found: Mapping[str, Any], source: str, folder: Path | None = None
) -> Subject:
    architecture, dtype = architecture_of(found), checkpoint_dtype(found)
    if architecture in LATENT and architecture not in FAMILIES:
        return Subject(name, latent_shape(found), dtype, None, False, source)
    shape = shape_of(found)
    if config.speculation.speculative_config is not None:  # what drafts for it takes room as well
        from quire.executor.assemble import shapes_of

        shape, _ = shapes_of(config, folder or Path(name), dict(found))
    return Subject(name, shape, dtype, None if folder is None else read_pooling(folder), True, source)


def _fetched(config: EngineConfig) -> dict[str, Any]:
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    name = config.model.model
    version = "" if config.model.revision is None else f" and revision {config.model.revision}"
    try:
        path = hf_hub_download(
            name, "config.json", revision=config.model.revision, cache_dir=config.load.download_dir
        )
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise CheckpointError(
            f"there is no folder {name}, no well-known model of that name{version}, and the hub did not give "
            f"its config.json ({type(error).__name__}); give a folder with one, or a name of --list"
        ) from None
    return read_config(Path(path).parent)
