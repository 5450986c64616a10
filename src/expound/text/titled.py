"""A text with its title before it: the form in which passages and sentences are embedded and ranked."""

from __future__ import annotations


def titled(title: str, text: str) -> str:
    """A sentence alone often does not say what it is about; its title does."""
    return f"{title}. {text}" if title and not text.startswith(title) else text
