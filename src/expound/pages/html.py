"""Text to HTML without danger, and the frame of a page: one file, light and dark, wide and narrow screens."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NewType

from expound.pages.policy import IN_ONE_FILE, one_file_with

Html = NewType("Html", str)
"""Text that is HTML already; everything else is escaped."""
KEYS = Path(__file__).parent / "static" / "keys.js"
"""The script of the box `#keys`, which every page with keys of one letter has: it switches them off."""

# Characters that no page may hold, and those that turn the direction of what follows.
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")

_STYLE = """
:root { color-scheme: light dark; --ground: #fdfdfc; --text: #1d2024; --faint: #5f6670; --line: #d9dce1; --box: #f3f4f6;
  --link: #0b57b0; --good: #17703b; --bad: #b3261e; --open: #8a5a00; --none: #5f6670; --mark: #ffe9a8;
  --mark-text: #1d2024; --one: #1f6fb4; --two: #c4560c; --three: #2f8f4e; --four: #8450a6; }
@media (prefers-color-scheme: dark) { :root { --ground: #15171a; --text: #e6e7e9; --faint: #a0a7b1; --line: #363b43;
  --box: #1f2329; --link: #8ab8ff; --good: #62c98a; --bad: #ff8a80; --open: #f0bf5c; --none: #a0a7b1; --mark: #5a4a12;
  --mark-text: #fff3cf; --one: #6cb2f0; --two: #f29a5b; --three: #6fcf8e; --four: #c39be0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1100px; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1rem 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; border-top: 1px solid var(--line); padding-top: 1.25rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
p { margin: .4rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
.faint { color: var(--faint); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--faint); font-weight: 600; vertical-align: bottom; }
.number { text-align: right; white-space: nowrap; }
th.number { white-space: normal; }
figure { margin: 1rem 0; max-width: 640px; }
figure.wide { max-width: none; }
figcaption { color: var(--faint); font-size: .9rem; }
svg { display: block; width: 100%; height: auto; }
details { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .8rem; margin: .5rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
mark { background: var(--mark); color: var(--mark-text); border-radius: 2px; }
.verdicts { list-style: none; margin: 1rem 0; padding: 0; }
.verdicts li { display: grid; grid-template-columns: 6.5rem 6rem 1fr; gap: .75rem; padding: .5rem 0;
  border-bottom: 1px solid var(--line); }
.badge { font-weight: 700; font-size: .85rem; padding-top: .1rem; }
.about { color: var(--faint); font-size: .9rem; }
.pass { color: var(--good); } .fail { color: var(--bad); } .cannot-tell { color: var(--open); }
.not-run { color: var(--none); }
.plain-link { color: inherit; text-decoration-color: var(--line); }
.part { background: var(--box); border-radius: 4px; padding: .4rem .6rem; margin: .4rem 0; overflow-wrap: anywhere; }
.label { display: block; color: var(--faint); font-size: .8rem; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; }
@media (max-width: 640px) { .sides { grid-template-columns: 1fr; }
  main { padding: .5rem .8rem 3rem; } h1 { font-size: 1.35rem; }
  .verdicts li { grid-template-columns: auto 1fr; gap: .1rem .75rem; }
  .verdicts li > :last-child { grid-column: 1 / -1; } }
"""


def escape(text: object) -> Html:
    """Any text as it is meant to be read: nothing in it is taken for HTML, nothing in it is hidden."""
    # Quotation marks too: the same function fills attributes.
    return Html(html.escape(_UNSEEN.sub("\ufffd", str(text)), quote=True))


def tag(name: str, *content: Html, **attributes: str) -> Html:
    """An element; attributes are escaped, and `class_` stands for `class`."""
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{written}>{''.join(content)}</{name}>")


def join_html(parts: Iterable[Html]) -> Html:
    """Several pieces of HTML as one."""
    return Html("\n".join(parts))


def anchor(text: str) -> str:
    """A name that a link can point to."""
    # An empty name would make a link to the top of the page.
    return _NOT_IN_NAMES.sub("-", text.lower()).strip("-") or "x"


def page(title: str, body: Sequence[Html], *, style: str = "", script: str = "", may_load: bool = False) -> str:
    """A whole page in one file: it loads nothing, and runs nothing but the script of ours that it was given."""
    policy = one_file_with(script, may_load=may_load) if script else IN_ONE_FILE
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}{style}</style>\n</head>\n<body>\n<main>\n"
        f"{join_html(body)}\n</main>\n{f'<script>{script}</script>' if script else ''}</body>\n</html>\n"
    )
