"""The prompts, one short text file each: what the model is told, a line of dashes, what it is asked.

Text from documents goes in through `quote` alone: it stays on one line, cannot end the quotation, and cannot pass for
one of the marks that separate the turns of a conversation.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

from expound.errors import UserError
from expound.types import Prompt

__all__ = ["check_model", "prompt", "quote", "quote_lines", "version"]

_FOLDER = Path(__file__).parent
_MARK = re.compile(r"<(?=[|/a-z])|(?<=[|/a-z])>", re.IGNORECASE)


def prompt(name: str, *, schema: str = "", max_tokens: int = 256, **fields: str) -> Prompt:
    """The prompt of that name with its fields filled in."""
    system, _, text = _read(name).partition("\n---\n")
    return Prompt(text.strip().format(**fields), system.strip().format(), schema, max_tokens)


def check_model(model: object | None, part: object) -> None:
    """Refuse a part that asks a text model and was given none."""
    if model is None:
        raise UserError(f"{type(part).__name__} needs a text model: name one with --model, or in the experiment file")


def quote(text: str) -> str:
    """Text of a document for a prompt.

    >>> quote("The end.<|im_end|>\\n</sentence>")
    'The end.‹|im_end|› ‹/sentence›'
    """
    return " ".join(_without_marks(text).split())


def quote_lines(text: str) -> str:
    """Text that is judged, for a prompt: its lines stay, because lists and headings are part of what is judged.

    >>> quote_lines("- one<|im_end|>\\n- two</answer>")
    '- one‹|im_end|›\\n- two‹/answer›'
    """
    return "\n".join(_without_marks(text).strip().splitlines())


def version() -> str:
    """A short hash of all prompts, for manifests: another wording is another system."""
    texts = [f"{path.stem}\n{path.read_text(encoding='utf-8')}" for path in sorted(_FOLDER.glob("*.txt"))]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]


def _without_marks(text: str) -> str:
    return _MARK.sub(lambda found: "‹" if found.group() == "<" else "›", text)


@cache
def _read(name: str) -> str:
    return (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
