"""llama.cpp in this process: requests in, chunks of the reply out, and Ctrl-C at any moment."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import socket
import sys
import tempfile
import threading
import weakref
from collections.abc import Generator, Mapping
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

from expound.errors import ModelFailed, UserError

Chunk: TypeAlias = Mapping[str, Any]

# Prompt tokens computed at once: a quarter of them costs 8 % more CPU.
_BATCH = 512
_SOCKET = "llama.sock"  # llama.cpp takes a host that ends in .sock for a socket
# A socket's path has 108 bytes on Linux and 104 on macOS, with the end mark.
_LONGEST_SOCKET_PATH = 90
_INTERRUPTED = 130  # what a shell reports for Ctrl-C
# Reading the longest prompt takes a few minutes on one slow core; a call without a word for longer never ends.
_STALLED_SECONDS = 900.0


class LlamaServer:
    """A loaded model. llama.cpp wants to listen somewhere: here at a socket that only this user can reach."""

    def __init__(
        self, file: Path, *, context: int, threads: int, gives_vectors: bool = False, adapter: Path | None = None
    ) -> None:
        # A folder of mkdtemp's is the user's alone, and so is the socket in it.
        self._folder = Path(tempfile.mkdtemp(prefix="expound-", dir=_short_temporary_folder()))
        self._busy = threading.Lock()
        # Before the server is started: a model that cannot be loaded leaves nothing behind.
        weakref.finalize(self, _leave, self._busy, self._folder)
        params = _params(file, context, threads, self._folder / _SOCKET)
        if adapter:
            params.lora_adapters = [_adapter(adapter)]
        self._server = _start(_for_vectors(params) if gives_vectors else params)

    def stream(self, request: Chunk) -> Generator[Chunk]:
        """The chunks of a chat reply as they come. Closing the iterator ends the call, and so does Ctrl-C."""
        chunks: SimpleQueue[Chunk | Exception | None] = SimpleQueue()
        stop = threading.Event()
        # A call that waits inside llama.cpp does not hear Ctrl-C; one that waits for a queue does.
        threading.Thread(target=self._run, args=(dict(request), chunks, stop), daemon=True).start()
        try:
            while (chunk := chunks.get(timeout=_STALLED_SECONDS)) is not None:
                if isinstance(chunk, Exception):
                    raise ModelFailed(f"the text model failed: {chunk}") from chunk
                yield chunk
        except Empty:
            raise ModelFailed(
                f"the text model said nothing for {_STALLED_SECONDS:.0f} s; run the command again"
            ) from None
        finally:
            stop.set()

    def post(self, path: str, body: Chunk) -> Any:
        """What llama.cpp's server replies at one of its other addresses."""
        connection = _SocketConnection(self._folder / _SOCKET)
        try:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()

    def _run(
        self, request: dict[str, Any], chunks: SimpleQueue[Chunk | Exception | None], stop: threading.Event
    ) -> None:
        def on_chunk(chunk: Chunk) -> bool:
            chunks.put(chunk)
            # llama.cpp ends the reply when the callback says True.
            return stop.is_set()

        try:
            # One call at a time: the server has one slot, and its cache is that of the last prompt.
            with self._busy:
                if not stop.is_set():
                    self._server.handle_chat_completions(request, on_chunk)
        except Exception as error:
            chunks.put(error)
        finally:
            chunks.put(None)


class _SocketConnection(http.client.HTTPConnection):
    """HTTP over a socket file."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost")
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self._path))


def _params(file: Path, context: int, threads: int, listen_at: Path) -> Any:
    xllamacpp = _library()
    params = xllamacpp.CommonParams()
    params.verbosity = -1
    params.model.path = str(file)
    # One slot of the whole context; several would share it.
    params.n_ctx, params.n_parallel = context, 1
    params.n_batch = params.n_ubatch = _BATCH
    # Writing waits for memory, and threads that wait for each other burn CPU: half of them write.
    params.cpuparams.n_threads, params.cpuparams_batch.n_threads = max(1, threads // 2), threads
    # Repacked weights and flash attention round differently for every length of what is new in a prompt: with them the
    # same prompt gets other replies after other prompts.
    params.no_extra_bufts = True
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.cache_ram_mib = 0  # by default it keeps up to 8 GiB of earlier prompts; the last one is kept anyway
    # The first call does the warming up.
    params.warmup = False
    params.hostnames, params.n_threads_http = [str(listen_at)], 2
    return params


def _for_vectors(params: Any) -> Any:
    """The settings with which the server gives a vector for every token in place of a reply."""
    params.embedding = True
    params.pooling_type = _library().llama_pooling_type.LLAMA_POOLING_TYPE_NONE
    # Vectors are only given for what was computed at once.
    params.n_batch = params.n_ubatch = params.n_ctx
    return params


def _adapter(file: Path) -> Any:
    found = _library().CommonAdapterLoraInfo()
    found.path, found.scale = str(file), 1.0
    return found


def _start(params: Any) -> Any:
    try:
        return _library().Server(params)
    except RuntimeError as error:
        file = params.model.path
        raise ModelFailed(f"{file} cannot be loaded: is it whole, and a model that llama.cpp knows?") from error


def _library() -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise UserError("local text models need xllamacpp; install it with: pip install 'expound[llm]'") from error
    return xllamacpp


def _short_temporary_folder() -> str | None:
    """The path of a socket may not be long."""
    return "/tmp" if len(tempfile.gettempdir()) > _LONGEST_SOCKET_PATH - 30 else None


def _leave(busy: threading.Lock, folder: Path) -> None:
    """At the end of the model or of the process: remove the folder, and do not wait for an interrupted call."""
    shutil.rmtree(folder, ignore_errors=True)
    if busy.acquire(timeout=0.3):
        return
    # llama.cpp cannot be stopped within a batch, which takes seconds, and ending normally while it computes crashes.
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(_INTERRUPTED)
