"""An engine process that is ready, says that it has work, and never gets on with it."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict

import zmq

from quire import wire
from quire.config import EngineConfig
from quire.embedded import DEFAULT, embedded_folder
from quire.engine.control import Line
from quire.engine.intake import Limits
from quire.executor.line import end_with_parent

line = Line(int(sys.argv[1]))
end_with_parent()
start = line.receive()
assert isinstance(start, wire.StartEngine)
line.follow(lambda message: None)
socket = zmq.Context.instance().socket(zmq.ROUTER)
socket.bind(start.address)
line.send(wire.Loaded(0.0))
began = time.monotonic()
while True:
    line.send(wire.Beat(1, True, time.monotonic() - began, {"running": 1}))
    if socket.poll(100):
        front, _ = socket.recv_multipart()
        limits = {**asdict(Limits(4096, 2048, 20, frozenset())), "eos_ids": []}
        folder, config = str(embedded_folder(DEFAULT)), wire.plain_config(EngineConfig.of())
        socket.send_multipart([front, wire.pack(wire.Ready(folder, limits, {}, config, []))])
