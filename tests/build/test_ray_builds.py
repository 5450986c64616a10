"""Builds on a real Ray cluster of two workers: the files of one process, whoever is killed on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from build.dump_program import FREE, closed_gate, command, files, until_shards, write_program
from build.ray_cluster import RayCluster, ray_cluster

pytest.importorskip("ray")
pytest.importorskip("grpc")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayCluster]:
    with ray_cluster() as running:
        yield running


@pytest.fixture
def program(tmp_path: Path) -> Path:
    return write_program(tmp_path)


@pytest.fixture
def whole(program: Path) -> dict[str, bytes]:
    """What one process writes."""
    subprocess.run(command(program, "whole"), check=True)
    return files(program.parent / "whole")


def start(cluster: RayCluster, program: Path, out: str, engine: str = "ray") -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(program, out, engine),
        env=cluster.environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def end(running: subprocess.Popen[str]) -> None:
    printed, complaint = running.communicate()
    assert running.returncode == 0, complaint
    # Nothing was set aside.
    assert printed.split(" ", 1)[1].strip() == "{}", printed


@pytest.mark.parametrize("engine", ["ray", "ray://"])
def test_a_cluster_writes_what_one_process_writes(
    engine: str, cluster: RayCluster, program: Path, whole: dict[str, bytes]
) -> None:
    end(start(cluster, program, "there", "ray" if engine == "ray" else cluster.client_address))
    assert files(program.parent / "there") == whole


def test_a_worker_that_is_killed_costs_nothing_but_time(
    cluster: RayCluster, program: Path, whole: dict[str, bytes]
) -> None:
    with closed_gate(program):
        running = start(cluster, program, "there")
        until_shards(program.parent / "there", FREE, running)
        os.kill(a_worker(cluster, running), signal.SIGKILL)
    end(running)
    assert files(program.parent / "there") == whole


def a_worker(cluster: RayCluster, running: subprocess.Popen[str]) -> int:
    """One that stands at the gate, with a shard begun."""
    while not (workers := cluster.workers()):
        assert running.poll() is None, running.communicate()
        time.sleep(0.01)
    return workers[0]


def test_a_driver_that_is_killed_goes_on_where_it_was(
    cluster: RayCluster, program: Path, whole: dict[str, bytes]
) -> None:
    with closed_gate(program):
        running = start(cluster, program, "there")
        until_shards(program.parent / "there", FREE, running)
        running.kill()
        running.communicate()
    assert len(files(program.parent / "there")) < len(whole)
    end(start(cluster, program, "there"))
    assert files(program.parent / "there") == whole


def test_when_the_head_is_killed_a_new_cluster_goes_on(program: Path, whole: dict[str, bytes]) -> None:
    with closed_gate(program):
        with ray_cluster() as first:
            running = start(first, program, "there")
            until_shards(program.parent / "there", FREE, running)
            workers = first.workers()
            first.kill_head()
            running.communicate()
            assert running.returncode != 0
        until_gone(workers)
    assert {name for name in whole if name.endswith(("/00000.parquet", "/00001.parquet"))} == set(
        files(program.parent / "there")
    )
    with ray_cluster() as second:
        end(start(second, program, "there"))
    assert files(program.parent / "there") == whole


def until_gone(processes: list[int]) -> None:
    """Wait until nobody of a lost cluster is left who could still finish a shard."""
    while any(Path(f"/proc/{number}").exists() for number in processes):
        time.sleep(0.05)
