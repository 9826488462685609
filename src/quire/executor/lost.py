"""Tells a device that is lost from a step that failed.

Some errors of a GPU stay: after a wrong address or a failed memory cell every later call fails as well, until
another process begins anew. Others, such as memory that ran out, are the step's alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import torch

from quire.errors import EngineDead, QuireError

log = logging.getLogger("quire")
STAYING = (  # what CUDA says of errors that do not go away
    "illegal memory access",
    "device-side assert",
    "unspecified launch failure",
    "uncorrectable",  # of memory, or of NVLink
    "misaligned address",
    "illegal instruction",
    "invalid program counter",
    "hardware stack error",
    "address space",
    "launch timed out",
    "context is destroyed",
    "peer gpu memory over nvlink",
)


def lost_with(error: Exception) -> EngineDead | None:
    """What the engine ends with if the device is gone with this error; None if it still computes."""
    if isinstance(error, QuireError) or (not _stays(error) and _answers()):
        return None
    log.error("the device is lost", exc_info=error)
    said = (str(error) or type(error).__name__).splitlines()[0]
    return EngineDead(f"the device is lost: {said}")


class SpareTime:
    """Work for idle moments, given up where it fails: steps go on with what is there.

    Another program may have taken the memory for it. A device that is lost ends the engine all the same.
    """

    def __init__(self, prepare: Callable[[], bool]):
        self._prepare = prepare
        self._failed = False

    def __call__(self) -> bool:
        """Does some of it; False if nothing is left to do."""
        if self._failed:
            return False
        try:
            return self._prepare()
        except Exception as e:
            dead = lost_with(e)
            if dead is not None:
                raise dead from e
            self._failed = True
            log.warning(
                "idle moments are no longer used to prepare later steps, which may be slower: %s: %s",
                type(e).__name__,
                e,
                exc_info=e,
            )
            return False


def _stays(error: Exception) -> bool:
    """By what it says. Triton and libraries raise a RuntimeError, torch a kind of it."""
    said = str(error).lower()
    of_device = isinstance(error, torch.AcceleratorError) or (
        isinstance(error, RuntimeError) and "cuda" in said
    )
    return of_device and any(words in said for words in STAYING)


def _answers() -> bool:
    """Whether the device does anything: an error that stays is raised again by whoever asks."""
    if not torch.cuda.is_initialized():
        return True
    try:
        torch.cuda.synchronize()
    except RuntimeError:
        return False
    return True
