"""Makes one automaton of outlines-core and writes it to its output: outlines.py's process, with limits."""

from __future__ import annotations

import json
import resource
import sys

REFUSED = 3


def main() -> int:
    most = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    order = json.loads(sys.stdin.buffer.read())
    seconds = int(order["seconds"]) + 5
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))  # even if nobody is left to end it
    from outlines_core import Index, Vocabulary  # type: ignore[import-untyped]

    ids: dict[bytes, list[int]] = {}
    for i, word in enumerate(order["words"]):
        if word:
            ids.setdefault(word.encode("latin-1"), []).append(i)
    try:
        index = Index(order["regex"], Vocabulary(order["eos"], ids))
    except ValueError as e:
        sys.stderr.write(str(e))
        return REFUSED
    sys.stdout.buffer.write(index.__reduce__()[1][0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
