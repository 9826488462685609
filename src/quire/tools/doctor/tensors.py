"""Whether weights are those that config.json asks for: run as a process of its own by the doctor.

The model is built without memory (torch's "meta" device) and the loader compares names and shapes with the
files' headers, as it does at an engine's start. Prints JSON: what the loader would refuse, or nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def refusal(folder: Path, overrides: Mapping[str, Any] | None = None) -> str:
    """What an engine would say at its start; empty if the files are those of the config."""
    import torch

    from quire.errors import TensorMismatch
    from quire.models.registry import build
    from quire.weights.folder import read_config
    from quire.weights.loader import matched

    model = build(read_config(folder, overrides), torch.bfloat16, "meta")
    try:
        matched(model, folder)
    except TensorMismatch as error:
        return str(error)
    return ""


if __name__ == "__main__":
    json.dump({"refusal": refusal(Path(sys.argv[1]), json.loads(sys.argv[2]))}, sys.stdout)
