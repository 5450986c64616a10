"""Corpora in words and numbers, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from expound.cli import screen
from expound.corpus.corpus_facts import describe_corpus
from expound.corpus.ingest import Summary
from expound.corpus.library import Corpus
from expound.pages.parts import say_count

# A folder can hold thousands that cannot be read: the first tell why, and a file or --json has the others.
_LISTED, _SUFFIXES_LISTED = 5, 10


def print_description(description: dict[str, Any]) -> None:
    """One corpus, a line a fact."""
    languages = ", ".join(f"{name or 'unknown'} {count}" for name, count in description["languages"].items())
    plain = {name: value for name, value in description.items() if name not in ("rejected_files", "languages")}
    screen.print_facts(plain | {"languages": languages})
    for reason in description["rejected_files"].values():
        screen.line(f"  {reason}")


def print_summary(corpus: Corpus, summary: Summary, *, as_json: bool) -> None:
    """What an `add` did."""
    if as_json:
        screen.print_json({"corpus": describe_corpus(corpus), "change": summary})
        return
    screen.line(
        f"{corpus.name}: {summary.added} new, {summary.changed} changed, {summary.unchanged} unchanged, "
        f"{summary.gone} gone; {say_count(summary.passages, 'new passage')}, {say_count(summary.aliases, 'duplicate')}"
        + (f", {summary.filtered:,} left out by --where" if summary.filtered else "")
        + f"; {say_count(corpus.store.count(), 'passage')} in all"
    )
    if summary.twins:
        twins = "1 generated twin" if summary.twins == 1 else f"{summary.twins:,} generated twins"
        screen.line(f"  {twins} left out (sources that stand beside their pages)")
    if summary.not_read:
        _print_not_read(summary)
    for path, language in summary.other_languages.items():
        screen.line(f"  not English ({language}): {path}")
    if summary.remarks:
        screen.line("  not all of what was read has text:")
        _print_first(summary.remarks, _LISTED, "more; --json lists them all")
    if summary.rejected:
        screen.line(f"  {len(summary.rejected)} not readable, listed in {corpus.folder / 'rejects.jsonl'}:")
        _print_first(list(summary.rejected.values()), _LISTED, "more")


def _print_not_read(summary: Summary) -> None:
    """The suffixes that were not read, and how they can be."""
    entries = list(summary.not_read.items())
    files = sum(entry.files for _, entry in entries)
    screen.line(f"  {files:,} of other formats, not read:")
    lines = [f"{entry.files:,} {suffix}: {entry.how_to_read}" for suffix, entry in entries]
    _print_first(lines, _SUFFIXES_LISTED, "more suffixes; --json lists them all")


def _print_first(lines: Sequence[str], most: int, more: str) -> None:
    """The first lines, and how many there are beyond them."""
    for line in lines[:most]:
        screen.line(f"    {line}")
    if len(lines) > most:
        screen.line(f"    and {len(lines) - most} {more}")
