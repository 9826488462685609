"""An engine's GPU is woken while torch is being imported, and left alone where it is not to be used."""

from __future__ import annotations

import subprocess
import sys
import textwrap


def python(code: str) -> str:
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_the_offline_engine_can_be_named_without_torch():
    assert python("import sys; from quire import LLM; print('torch' in sys.modules)") == "False"


def test_the_driver_is_asked_only_for_devices_that_may_be_gpus():
    said = """
        import ctypes
        asked = []
        class Driver:
            def __getattr__(self, name):
                return lambda *args: asked.append(name) or 0
        ctypes.CDLL = lambda name: Driver()
        from quire.engine.early import wake_gpu
        print(wake_gpu("cpu"), asked)
        wake_gpu("auto").join()
        print(asked)
    """
    cpu, auto = python(said).splitlines()
    assert cpu == "None []"
    assert auto == "['cuInit', 'cuDeviceGet', 'cuDevicePrimaryCtxRetain']"


def test_without_a_driver_nothing_happens():
    said = """
        import ctypes
        def missing(name):
            raise OSError(name)
        ctypes.CDLL = missing
        from quire.engine.early import wake_gpu
        thread = wake_gpu("cuda")
        thread.join()
        print("fine")
    """
    assert python(said) == "fine"
