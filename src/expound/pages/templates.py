"""Templates to pages: everything is escaped, and a name that is not there is an error instead of a gap."""

from __future__ import annotations

import secrets
from functools import cache, partial
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from expound.pages.parts import say_count

SHARED = Path(__file__).parent
"""What all pages share: `frames` has the frame of a page, `static` the files that it loads."""


@cache
def open_templates(folder: Path) -> Environment:
    """The templates of a folder, which may extend the frames that all pages share."""
    made = Environment(
        loader=FileSystemLoader([folder, SHARED / "frames"]),
        autoescape=True,
        # A misspelt name in a template fails in its test, not in front of a rater.
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # For ids of what a page sends: new with every page.
    made.globals["new_id"] = lambda: secrets.token_hex(16)
    made.globals["say_count"] = say_count
    made.globals["static"] = partial(_static_path, folder.parent / "static")
    return made


@cache
def _static_path(own: Path, name: str) -> str:
    """The path of a file that pages load, with a stamp of its content: browsers keep files, but not those of before."""
    file = next(place / name for place in (own, SHARED / "static") if (place / name).exists())
    return f"/static/{name}?{sha256(file.read_bytes()).hexdigest()[:8]}"


@cache
def template_at(folder: Path, path: Path) -> Template:
    """A template that stands elsewhere, such as in someone's package; it may extend those of the folder."""
    return open_templates(folder).from_string(path.read_text(encoding="utf-8"))
