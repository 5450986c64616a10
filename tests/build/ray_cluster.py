"""A real Ray cluster of this machine: a head that does no work and two workers of one core, until the block ends."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

_STORE = 80 << 20  # bytes for results, which are names: the least that Ray takes
_UNTIL_LOST = 5  # seconds without the head after which a driver gives up; Ray itself waits a minute


@dataclass(frozen=True)
class RayCluster:
    """Its addresses, and the processes that can be killed."""

    nodes: Any
    port: int

    @property
    def environment(self) -> dict[str, str]:
        """What a command needs to find it under the name `ray`."""
        return {**os.environ, "RAY_ADDRESS": str(self.nodes.address)}

    @property
    def client_address(self) -> str:
        return f"ray://127.0.0.1:{self.port}"

    def workers(self) -> list[int]:
        """The processes that work on a shard now."""
        raylets = [_process(node, "raylet") for node in self.nodes.list_all_nodes()]
        return [number for raylet in raylets for number in _descendants(raylet) if _command(number) == "ray::_do"]

    def kill_head(self) -> None:
        """kill -9 of what makes it a cluster."""
        for kind in ("gcs_server", "raylet"):
            os.kill(_process(self.nodes.head_node, kind), signal.SIGKILL)


@contextmanager
def ray_cluster() -> Iterator[RayCluster]:
    """A cluster that nobody else uses, and that is gone afterwards."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray._private.utils import get_ray_address_file
    from ray.cluster_utils import Cluster

    # Ray notes there which cluster runs, and does not make the folder where none ever ran.
    Path(get_ray_address_file(None)).parent.mkdir(parents=True, exist_ok=True)
    # Not below pytest's own folder: the path of a socket is short.
    with TemporaryDirectory(prefix="ray") as folder:
        port = _free_port()
        head = {
            "num_cpus": 0, "object_store_memory": _STORE, "include_dashboard": False, "temp_dir": folder,
            "ray_client_server_port": port, "_system_config": {"gcs_rpc_server_reconnect_timeout_s": _UNTIL_LOST},
        }  # fmt: skip
        nodes = Cluster(initialize_head=True, head_node_args=head)
        try:
            for _ in range(2):
                nodes.add_node(num_cpus=1, object_store_memory=_STORE)
            nodes.wait_for_nodes()
            yield RayCluster(nodes, port)
        finally:
            with suppress(Exception):  # a head that was killed cannot be asked to end
                nodes.shutdown()


def _process(node: Any, kind: str) -> int:
    return int(node.all_processes[kind][0].process.pid)


def _descendants(number: int) -> Iterator[int]:
    with suppress(OSError):  # it may have ended since
        for task in Path(f"/proc/{number}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                yield child
                yield from _descendants(child)


def _command(number: int) -> str:
    try:
        return Path(f"/proc/{number}/cmdline").read_text().strip("\0 ")
    except OSError:
        return ""


def _free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
