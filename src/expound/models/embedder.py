"""all-MiniLM-L6-v2 on onnxruntime, or what was trained in its place: texts to unit vectors."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expound import resources
from expound.errors import BadInput, Damaged
from expound.models.loaded import load_once
from expound.models.whole_products import with_whole_products

if TYPE_CHECKING:
    from expound.protocols import Vectors

# What all-MiniLM-L6-v2 was made for; the file says 128, which would cut nearly half of passages of 100 words.
MOST_TOKENS = 256
# Measured on passages of a hundred words: 24 a CPU-second in twos, 22 in fours, 19 in eights. Vectors are the same.
_BATCH = 2


class MiniLM:
    """The stock sentence embedder; weights are loaded at the first call.

    With `whole_products` it multiplies the whole numbers that the file stores and takes half the time. Its vectors are
    then others by a little (cosine .996), so it has another name.
    """

    def __init__(self, model: Path, tokenizer: Path, *, threads: int = 0, whole_products: bool = False) -> None:
        self._model, self._tokenizer_file = model, tokenizer
        self._threads = threads or usable_cores()
        self._whole_products = whole_products
        self.name = "all-MiniLM-L6-v2-w8a8" if whole_products else "all-MiniLM-L6-v2-int8"
        # Whole numbers are rounded by the range of all that is read together: a vector must not depend on that.
        self._batch = 1 if whole_products else _BATCH

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text. Batches hold texts of like length: less padding, and memory stays small."""
        import numpy as np

        if not texts:
            return np.zeros((0, self._session.get_outputs()[0].shape[-1]), dtype=np.float32)
        encodings = self._tokenizer.encode_batch(list(texts))
        # Sorted by length, and put back in their places below.
        order = sorted(range(len(texts)), key=lambda position: sum(encodings[position].attention_mask))
        parts = [order[start : start + self._batch] for start in range(0, len(order), self._batch)]
        found = np.concatenate([self._run([encodings[position] for position in part]) for part in parts])
        vectors = np.empty_like(found)
        vectors[order] = found
        return vectors

    def _run(self, encodings: Sequence[Any]) -> Vectors:
        import numpy as np

        width = max(sum(encoding.attention_mask) for encoding in encodings)
        ids = np.array([encoding.ids[:width] for encoding in encodings], dtype=np.int64)
        mask = np.array([encoding.attention_mask[:width] for encoding in encodings], dtype=np.int64)
        # A single text has one segment; the model was exported with the input all the same.
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, inputs)[0]
        # The mean over real tokens: padding counts for nothing.
        pooled = (hidden * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        unit: Vectors = (pooled / np.linalg.norm(pooled, axis=1, keepdims=True)).astype(np.float32)
        return unit

    @cached_property
    def _session(self) -> Any:
        if self._whole_products:
            return load_once(self._model, ("whole", self._threads), self._load_whole)
        return open_session(self._model, self._threads)

    def _load_whole(self) -> Any:
        with loading(self._model):
            return make_session(with_whole_products(self._model.read_bytes()), self._threads)

    @cached_property
    def _tokenizer(self) -> Any:
        return open_tokenizer(self._tokenizer_file, MOST_TOKENS)


def usable_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def open_session(model: Path, threads: int) -> Any:
    """An onnxruntime session on the CPU; several threads may run it, and two who open the same file share one."""
    return load_once(model, ("session", threads), lambda: _load_session(model, threads))


def _load_session(model: Path, threads: int) -> Any:
    with loading(model):
        return make_session(str(model), threads)


def make_session(model: str | bytes, threads: int) -> Any:
    """A session of a file, or of a model's bytes, with the options that all of ours have."""
    # onnxruntime reports its use to its maker unless told otherwise before it is imported.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # Plans for every new input shape would be kept: 546 MB against 416 MB after 160 passages.
    options.enable_mem_pattern = False
    options.intra_op_num_threads = threads
    # Threads that spin while they wait for each other take a third more CPU time, and gain nothing on a busy machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def open_tokenizer(file: Path, most_tokens: int = 0, *, pads: bool = True, cut: str = "longest_first") -> Any:
    """The model's tokenizer, shared by all who want the same of it; 0 tokens are as many as a text has.

    `cut` says which text of a pair is cut: the longer one, or `only_second`.
    """
    return load_once(file, ("tokenizer", most_tokens, pads, cut), lambda: _load_tokenizer(file, most_tokens, pads, cut))


def _load_tokenizer(file: Path, most_tokens: int, pads: bool, cut: str) -> Any:
    from tokenizers import Tokenizer

    with loading(file):
        tokenizer = Tokenizer.from_file(str(file))
    # The stock file has a cap of 128 and fixed padding baked in: both have to be set anew.
    if most_tokens:
        tokenizer.enable_truncation(most_tokens, strategy=cut)
    else:
        tokenizer.no_truncation()
    if pads:
        tokenizer.enable_padding()
    else:
        tokenizer.no_padding()
    return tokenizer


@contextmanager
def loading(file: Path) -> Iterator[None]:
    """Whatever a library says of a file that it cannot load: say which one it is, and how to get another."""
    try:
        yield
    # A missing library and a full memory are no damage of the file.
    except (ImportError, MemoryError):
        raise
    except Exception as error:  # each library has a class of its own for every way a file can be wrong
        wrong = f"{file} cannot be loaded: it is damaged, or no model of this kind"
        renew = resources.how_to_renew(file)
        raise (Damaged(f"{wrong}; {renew}") if renew else BadInput(f"{wrong}; give another file")) from error
