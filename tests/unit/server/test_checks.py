"""Settings that could only fail later are refused at the start, with the way out."""

from __future__ import annotations

import resource
import subprocess
import sys
from typing import Any

import pytest

from quire.errors import BadOption, BadParameter
from quire.server.checks import check_settings
from quire.server.forms import check_tools
from quire.server.options import server_config


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"reasoning_parser": "deepsek_r1"}, "did you mean 'deepseek_r1'"),
        ({"tool_call_parser": "hermess"}, "did you mean 'hermes'"),
        ({"chat_template": "/nonexistent.jinja"}, "neither a template nor a file"),
        ({"api_key_file": "/nonexistent"}, "cannot be read"),
        ({"otlp_traces_endpoint": "ftp://x"}, "must be an http URL"),
    ],
    ids=["reasoning", "tools", "template", "keys", "traces"],
)
def test_what_cannot_work_is_refused_before_anything_starts(given: dict[str, Any], said: str):
    with pytest.raises(BadOption, match=said):
        check_settings(server_config(given), {})


@pytest.mark.parametrize("name", ["auto", "none", "hermes"])
def test_what_works_is_not(name: str):
    check_settings(server_config({"tool_call_parser": name, "chat_template": "{{ messages }}"}), {})


def test_a_front_end_may_have_as_many_sockets_as_the_system_allows():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, %d));"
        "from quire.server.listen import allow_many_sockets; allow_many_sockets();"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    done = subprocess.run([sys.executable, "-c", code % hard], capture_output=True, text=True, check=True)
    assert int(done.stdout) == hard


@pytest.mark.parametrize("kind", ["array", "string", ["array", "null"]], ids=str)
@pytest.mark.parametrize("choice", ["auto", "required", "a"])
def test_a_tool_whose_arguments_are_no_object_is_refused(kind: Any, choice: str):
    tool = {"type": "function", "function": {"name": "a", "parameters": {"type": kind}}}
    with pytest.raises(BadParameter, match="must be an object"):
        check_tools([tool], choice)
