"""The fetched files and the models of local servers, each as a row: what it is, and whether it is here."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from expound import resources
from expound.models.endpoint import capability_of
from expound.models.local_servers import LocalServer, local_servers


def list_models(servers: Sequence[LocalServer] | None = None) -> list[dict[str, Any]]:
    """Every file that can be fetched, and the models of servers that run on this machine."""
    running = local_servers() if servers is None else servers
    files = [describe_model(name) for name in resources.RESOURCES]
    return [*files, *(entry for server in running for entry in _list_served(server))]


def describe_model(name: str, *, verify: bool = False) -> dict[str, Any]:
    """A resource's row of the table, its state and where it is; if wanted, whether the file is what was fetched."""
    resource, own, is_there = resources.find(name), resources.override(name), resources.is_installed(name)
    whole = "damaged" if resources.is_damaged(name) else "installed"
    state = "local file" if own else whole if is_there else "not fetched"
    path = str(resources.where(name)) if is_there else None
    row = {**dataclasses.asdict(resource), "parts": [dataclasses.asdict(part) for part in resource.parts]}
    entry = {"name": name, "state": state, "path": path, **row, "download_bytes": resource.download_bytes}
    return entry | ({"is_verified": resources.verify(name) if path else None} if verify else {})


def _list_served(server: LocalServer) -> Iterator[dict[str, Any]]:
    """The models of a server on this machine, as rows of the list."""
    for model in server.models:
        known = {"path": None, "size_bytes": 0, "memory_bytes": 0, "licence": "", "capability": capability_of(model)}
        note = f"text model of {server.maker} on this machine"
        yield {"name": f"{server.url}#{model}", "state": "running", **known, "note": note}
