"""The real engine process, told that it shares experts, with a model that has none: idle steps are said."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from quire.config import EngineConfig, ParallelConfig
from quire.engine import build as building
from quire.engine import process
from quire.engine.build import Parts, build
from quire.executor.inproc import InProcess


def build_alone(config: EngineConfig, **options: Any) -> Parts:
    assert config.parallel.data_parallel_size == 2
    return build(replace(config, parallel=ParallelConfig()), **options)


def idle(self: InProcess) -> None:
    print("an idle step", file=sys.stderr, flush=True)


InProcess.idle = idle  # type: ignore[attr-defined]
building.build = build_alone
process.run()
