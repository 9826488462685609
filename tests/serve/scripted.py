"""A server in a process of its own whose answers come at times that are known beforehand.

    python scripted.py FIRST_S GAP_S [CERTIFICATE]

After FIRST_S seconds the first token, then one every GAP_S, as many as were asked for. It prints its port.
It speaks just enough HTTP for a client of OpenAI's completions.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import sys

FIRST_S, GAP_S = float(sys.argv[1]), float(sys.argv[2])


def event(told: object) -> bytes:
    data = b"data: " + (told if isinstance(told, bytes) else json.dumps(told).encode()) + b"\n\n"
    return b"%x\r\n%s\r\n" % (len(data), data)


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            lengths = [line for line in head.lower().split("\r\n") if line.startswith("content-length:")]
            body = await reader.readexactly(int(lengths[0].partition(":")[2])) if lengths else b""
            if head.startswith("GET"):
                told = json.dumps({"data": [{"id": "scripted"}]}).encode()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(told), told))
                continue
            asked = json.loads(body)
            if asked["model"] != "scripted":
                told = b'{"error": {"message": "no such model"}}'
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: %d\r\n\r\n%s" % (len(told), told))
                continue
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            loop = asyncio.get_running_loop()
            due = loop.time() + FIRST_S
            for number in range(asked["max_tokens"]):
                await asyncio.sleep(max(0.0, due - loop.time()))
                due += GAP_S
                writer.write(event({"choices": [{"text": f" {number}", "finish_reason": None}]}))
            usage = {"prompt_tokens": len(asked["prompt"]), "completion_tokens": asked["max_tokens"]}
            writer.write(event({"choices": [], "usage": usage}) + event(b"[DONE]") + b"0\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def serve() -> None:
    context = None
    if len(sys.argv) > 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[3])
    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=2048, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve())
