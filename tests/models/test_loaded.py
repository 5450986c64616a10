"""Weights and tokenizers are loaded once a process, whoever uses them, and freed when nobody does."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

from expound.models.embedder import open_session
from expound.models.loaded import load_once
from expound.models.shipped import RANKER_FILE


class Weights:
    """Something that is large to load."""


def test_two_who_want_the_same_file_at_the_same_moment_load_it_once(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    file.write_bytes(b"1")
    together, loads = Barrier(2), []

    def load() -> Weights:
        loads.append(file.read_bytes())
        return Weights()

    def want(_: int) -> Any:
        together.wait(60)
        return load_once(file, "session", load)

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(want, range(2))
    assert first is second
    assert loads == [b"1"]


def test_other_options_and_a_file_that_was_written_anew_are_loaded_for_themselves(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    file.write_bytes(b"1")
    first = load_once(file, ("session", 1), Weights)
    assert load_once(file, ("session", 2), Weights) is not first
    file.write_bytes(b"22")
    assert load_once(file, ("session", 1), Weights) is not first


def test_what_nobody_uses_is_freed(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    file.write_bytes(b"1")
    loads: list[int] = []

    def load() -> Weights:
        loads.append(1)
        return Weights()

    for _ in range(2):
        load_once(file, "session", load)
        gc.collect()
    assert len(loads) == 2


def test_threads_that_run_one_session_side_by_side_find_what_each_finds_alone() -> None:
    import numpy as np

    session = open_session(RANKER_FILE, 1)
    assert open_session(RANKER_FILE, 1) is session
    rows = [np.arange(1000 + start, 1000 + start + length).reshape(1, -1) for start, length in ((0, 9), (50, 40))] * 4

    def run(ids: Any) -> float:
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        return float(session.run(None, inputs)[0].reshape(-1)[0])

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run, rows)) == [run(row) for row in rows]
