"""Wakes the GPU while torch is being imported: making its context takes a third of a second of nobody's time.

The driver is asked directly, in a thread. What goes wrong here goes wrong again where torch asks, and is
reported there.
"""

from __future__ import annotations

import ctypes
import sys
import threading

FIRST = 0  # of those that this process may see, as torch counts them


def wake_gpu(device: str) -> threading.Thread | None:
    """Begins to make the first GPU's context, which torch then finds; not where it is not to be used.

    Nothing is begun once torch is there: whatever would wait for the context has begun to.
    """
    if device == "cpu" or "torch" in sys.modules:
        return None
    thread = threading.Thread(target=_make_context, name="quire-wake", daemon=True)
    thread.start()
    return thread


def _make_context() -> None:
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        context, number = ctypes.c_void_p(), ctypes.c_int()
        if driver.cuInit(0) == 0 and driver.cuDeviceGet(ctypes.byref(number), FIRST) == 0:
            driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), number)
    except (OSError, AttributeError):  # no driver
        return
