"""`import quire` is quick and light."""

from __future__ import annotations

import subprocess
import sys

SERVER = ("fastapi", "uvicorn", "starlette", "zmq", "prometheus_client", "msgspec", "openai")


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_importing_quire_takes_less_than_a_fifth_of_a_second():
    code = "import time; t = time.perf_counter(); import quire; print(time.perf_counter() - t)"
    assert min(float(python(code)) for _ in range(5)) < 0.2


def test_importing_quire_loads_nothing_heavy():
    heavy = (
        "torch",
        "numpy",
        "tokenizers",
        "safetensors",
        "transformers",
        "huggingface_hub",
        "jinja2",
        "click",
    )
    assert python(f"import quire, sys; print([m for m in {heavy} if m in sys.modules])") == "[]"


def test_sampling_params_and_config_need_neither_torch_nor_numpy():
    code = "import sys; from quire import SamplingParams, EngineConfig; SamplingParams(); EngineConfig.of(); "
    assert python(code + "print([m for m in ('torch', 'numpy') if m in sys.modules])") == "[]"


def test_the_offline_engine_needs_no_server_packages():
    code = f"""
import sys
for name in {SERVER}:
    sys.modules[name] = None  # importing it fails, as if it were not installed
from quire import LLM
print(LLM.__name__)
"""
    assert python(code) == "LLM"


def test_the_offline_engine_does_not_load_transformers():
    code = "import sys; from quire import LLM; print('transformers' in sys.modules)"
    assert python(code) == "False"


def test_a_name_quire_does_not_have_is_an_attribute_error():
    code = "import quire\ntry:\n    quire.Llama\nexcept AttributeError as e:\n    print(e)"
    assert python(code) == "module 'quire' has no attribute 'Llama'"
