"""A Ray Serve application that keeps one `quire serve` on the head of a cluster, for KubeRay's RayService.

    import_path: quire.deploy.ray_serve:app
    args: {port: 9000, arguments: [MODEL, --distributed-executor-backend, ray]}

Clients talk to Quire's own port: nothing passes through Ray Serve, which starts the server, asks for its
health and starts another one if it is beyond help. The application is RUNNING once the model is loaded, and a
RayService changes over to a new cluster only then.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from quire.deploy.kept import KeptServer
from quire.errors import EngineDead, UnknownOption

HEAD = {"node:__internal_head__": 0.001}  # a resource that Ray's head node has and no other
GRACE_S = 15.0  # to end, beyond the time for what runs
SILENT_S = 60.0  # a server that does not answer for so long hangs


class Replica:
    """The only replica. Ray Serve calls `check_health` again and again and replaces it when that raises."""

    def __init__(self, arguments: list[str], port: int, patience_s: float, drain_s: float):
        self._patience_s = patience_s
        self._drain_s = drain_s
        arguments = [*arguments, "--shutdown-timeout", f"{drain_s:g}"]
        self._server = KeptServer(arguments, port, leave_s=drain_s + GRACE_S)
        self._server.wait_until_ready()
        self._ready_at = time.monotonic()

    def check_health(self) -> None:
        """Raises when the server has ended, or has not been ready for longer than its patience.

        Quire replaces a dead engine itself, and to end the server meanwhile would only begin anew.
        """
        state = self._server.state()
        if state == "ready":
            self._ready_at = time.monotonic()
        for_s = time.monotonic() - self._ready_at
        if beyond_help(state, for_s, self._patience_s):
            raise EngineDead(f"quire serve has been {state} for {for_s:.0f} seconds; another one is started")

    def __call__(self, request: Any) -> dict[str, Any]:
        """What Ray Serve's own port answers: how the server is, and on which port of the head."""
        return {"state": self._server.state(), "port": self._server.port}

    def __del__(self) -> None:
        if hasattr(self, "_server"):
            self._server.stop(self._drain_s + GRACE_S)


def beyond_help(state: str, for_s: float, patience_s: float) -> bool:
    """Whether a server that was last ready so long ago is to be replaced."""
    return for_s > (min(SILENT_S, patience_s) if state == "silent" else patience_s)


def app(args: Mapping[str, Any]) -> Any:
    """The application: what Ray Serve calls with the `args` of its configuration.

    `arguments` are those of `quire serve`; `port` (9000) is its port; `patience_s` (900) is how long it may
    be away, loading a model again say; `drain_s` (30) is what running requests get when it stops.
    """
    known: dict[str, Any] = {"arguments": [], "port": 9000, "patience_s": 900.0, "drain_s": 30.0}
    for name in args:
        if name not in known:
            raise UnknownOption(name, known)
    given = {**known, **args}

    from ray import serve

    declared = serve.deployment(
        name="quire",
        num_replicas=1,
        ray_actor_options={"num_cpus": 0, "resources": HEAD},
        health_check_period_s=5,
        health_check_timeout_s=30,
        graceful_shutdown_timeout_s=float(given["drain_s"]) + 2 * GRACE_S,
    )
    return declared(Replica).bind(
        [str(a) for a in given["arguments"]],
        int(given["port"]),
        float(given["patience_s"]),
        float(given["drain_s"]),
    )
