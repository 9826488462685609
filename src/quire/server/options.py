"""The server's own settings, declared like those of the engine; `quire serve` takes both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quire.config import Option, option, options_in
from quire.errors import UnknownOption


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """The HTTP server."""

    host: str = option("127.0.0.1", "Address to listen on; 0.0.0.0 for all networks.")
    port: int = option(8000, "Port to listen on; 0 takes a free one.", low=0, high=65535)
    uds: str | None = option(None, "Listen on this Unix socket instead of a port.")
    api_server_count: int = option(1, "Front-end processes that share the port.", low=1, high=64)
    engine_stall_timeout: float = option(
        60.0,
        "Seconds without progress, though there is work, after which the engine is killed and started again.",
        low=0.5,
        high=86400,
    )
    shutdown_timeout: float = option(
        30.0, "Seconds that running requests get to end when the server is told to stop.", low=0, high=86400
    )
    served_model_name: str | None = option(
        None, "The model's name in requests and replies; several with commas. Default: its folder's name."
    )
    chat_template: str | None = option(None, "A file with a chat template, or the template itself.")
    trust_request_chat_template: bool = option(
        False, "Render with the chat_template of a request, sandboxed. Off: only the model's own templates."
    )
    tool_call_parser: str = option("auto", "How the model writes tool calls. auto: by its chat template.")
    reasoning_parser: str = option("auto", "How the model marks reasoning. auto: by its chat template.")
    enable_auto_tool_choice: bool = option(
        True, "Look for tool calls when a request lets the model choose. On unless turned off."
    )
    sse_keep_alive: float = option(
        15.0, "Seconds of silence after which a stream sends a comment.", low=0.05, high=3600
    )
    response_store_size: int = option(
        10_000, "Most replies of /v1/responses kept for previous_response_id. 0: none.", low=0, high=2**24
    )
    response_store_bytes: int = option(
        256 * 2**20, "Most bytes of such replies, with their input.", low=0, high=2**40
    )
    response_store_ttl: float = option(
        86_400.0, "Seconds after its last use for which such a reply is kept.", low=0
    )
    max_background_responses: int = option(
        256, "Most replies of /v1/responses at work in the background of one process.", low=0, high=65536
    )

    # who may ask, and how much
    api_key: str | None = option(
        None,
        "Keys of which a request must show one; several with commas. Also QUIRE_API_KEY or VLLM_API_KEY. "
        "Only /health, /ping and /metrics answer without.",
    )
    api_key_file: str | None = option(
        None,
        "A file with a line `name key [weight]` for each key; the weight is its share of a fair schedule.",
    )
    metrics_need_key: bool = option(False, "Ask for a key on /metrics, too.")
    share_prefixes: bool = option(
        False,
        "Let requests with different keys share cached prefixes. How fast an answer begins then tells what "
        "others have asked.",
    )
    allowed_origins: str | None = option(
        None,
        "Web pages of these origins may call the server (CORS); with commas, * for all. Default: its own.",
    )
    allowed_methods: str = option("*", "Methods such pages may use, with commas.")
    allowed_headers: str = option("*", "Headers such pages may send, with commas.")
    allow_credentials: bool = option(False, "Such pages may send cookies.")
    allowed_hosts: str | None = option(
        None,
        "Public names under which a server on localhost without keys may be called, by a proxy say; with "
        "commas, * for all. Default: none.",
    )
    allow_url_domains: str | None = option(
        None,
        "Hosts from which documents of requests may be fetched, with commas; *.example.com for those below "
        "a domain, example.com:8080 for a port, 10.0.0.7 for a private address. Default: nothing is fetched.",
    )
    url_timeout: float = option(
        10.0, "Seconds that fetching the documents of a request may take.", low=0.1, high=600
    )
    max_document_bytes: int = option(
        4 * 2**20, "Most bytes of all documents in one request: files, base64, URLs.", low=1024, high=2**30
    )
    max_header_bytes: int = option(65536, "Most bytes of a request's headers.", low=1024, high=2**20)
    max_headers: int = option(128, "Most headers of a request.", low=16, high=10_000)
    max_body_bytes: int = option(8 * 2**20, "Most bytes of a request's body.", low=1024, high=2**40)
    max_file_bytes: int = option(512 * 2**20, "Most bytes of a file that is uploaded.", low=1024, high=2**40)
    max_json_depth: int = option(64, "Most levels of nesting in a JSON body.", low=8, high=500)
    max_prompts_per_request: int = option(
        2048, "Most prompts, texts or documents in one request.", low=1, high=2**20
    )
    max_n: int = option(128, "Most answers (n or best_of) to one prompt.", low=1, high=1024)
    max_messages: int = option(4096, "Most messages of a chat.", low=1, high=16384)
    max_tools: int = option(256, "Most tools of a request.", low=1, high=16384)
    max_waiting_requests: int = option(
        2048,
        "Most sequences that wait for the engine, for each front end; more are refused with 429.",
        low=1,
        high=2**20,
    )
    max_queue_seconds: float | None = option(
        None, "Refuse with 429 what would probably wait longer than this.", low=0
    )
    max_requests_per_key: int | None = option(
        None, "Most sequences that one key may have waiting and running, for each front end.", low=1
    )
    request_timeout: float | None = option(
        None, "Seconds after which a request is ended; it may ask for less itself.", low=0
    )

    # what it tells of itself
    disable_access_log: bool = option(False, "Write no line for each request that has ended.")
    access_log_format: str = option(
        "json", "How those lines look. They never hold prompts, keys or queries.", choices=("json", "text")
    )
    health_stall_seconds: float = option(
        15.0,
        "/health answers 503 when the engine has work and its loop has not advanced for so long.",
        low=0.1,
        high=3600,
    )
    debug_requests: int = option(
        1024,
        "How many of the last requests /debug/requests remembers: times, never text.",
        low=16,
        high=2**16,
    )
    otlp_traces_endpoint: str | None = option(
        None, "Send an OpenTelemetry span for each request to this URL; needs the extra quire[otel]."
    )

    # files and batches
    storage_dir: str | None = option(
        None, "Folder of files and batches. Default: a folder for the model's name in ~/.local/state/quire."
    )
    max_files: int = option(1000, "Most files that one key may keep.", low=1, high=2**20)
    max_stored_bytes: int = option(
        4 * 2**30, "Most bytes of all the files that one key may keep.", low=1024, high=2**50
    )
    max_batches: int = option(100, "Most unfinished batches of one key.", low=1, high=2**20)
    max_ended_batches: int = option(
        1000,
        "Most batches of one key that are remembered after their end; the oldest go first.",
        low=1,
        high=2**20,
    )
    ended_batch_ttl: float = option(
        2_592_000.0,
        "Seconds for which a batch is remembered after its end. Its files are kept as long as they are.",
        low=0,
    )
    max_batch_lines: int = option(50_000, "Most requests in one batch.", low=1, high=2**24)
    batch_concurrency: int = option(
        16, "Most lines of batches that run at once; fewer while there are other requests.", low=1, high=4096
    )


SERVER_GROUPS: dict[str, type] = {"server": ServerConfig}


def server_options() -> list[Option]:
    return list(options_in(SERVER_GROUPS))


def server_config(values: Mapping[str, Any]) -> ServerConfig:
    known = {o.name: o for o in server_options()}
    for name in values:
        if name not in known:
            raise UnknownOption(name, known)
    return ServerConfig(**{name: known[name].check(value) for name, value in values.items()})
