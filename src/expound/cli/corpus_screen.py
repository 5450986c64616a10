"""Corpora in words and numbers, for people and for programs."""

from __future__ import annotations

from typing import Any

from expound.cli import screen
from expound.corpus.ingest import Summary
from expound.library import Corpus

_LISTED = 5
_SUFFIXES_LISTED = 10


def describe(corpus: Corpus) -> dict[str, Any]:
    """Counts, languages and rejects of a corpus."""
    store = corpus.store
    return {
        "name": corpus.name,
        "documents": store.count("documents"),
        "passages": store.count(),
        "aliases": store.count("aliases"),
        "rejects": store.count("rejects"),
        "vectors": "all" if corpus.dense is not None else "as needed",
        "state": "complete" if not store.unfinished() else "unfinished: add the same paths again",
        "languages": store.languages(),
        "rejected_files": dict(store.rejects()),
        "folder": str(corpus.folder),
    }


def print_description(description: dict[str, Any]) -> None:
    """One corpus, a line a fact."""
    rejected = description.pop("rejected_files")
    languages = description.pop("languages")
    description["languages"] = ", ".join(f"{name or 'unknown'} {count}" for name, count in languages.items())
    screen.table(("", ""), list(description.items()))
    for reason in rejected.values():
        screen.line(f"  {reason}")


def print_summary(corpus: Corpus, summary: Summary, *, as_json: bool) -> None:
    """What an `add` did."""
    if as_json:
        screen.print_json({"corpus": describe(corpus), "change": summary})
        return
    screen.line(
        f"{corpus.name}: {summary.added} new, {summary.changed} changed, {summary.unchanged} unchanged, "
        f"{summary.gone} gone; {summary.passages:,} new passages, {summary.aliases:,} duplicates"
        + (f", {summary.filtered:,} left out by --where" if summary.filtered else "")
        + f"; {corpus.store.count():,} passages in all"
    )
    if summary.twins:
        twins = "1 generated twin" if summary.twins == 1 else f"{summary.twins:,} generated twins"
        screen.line(f"  {twins} left out (sources that stand beside their pages)")
    if summary.not_read:
        _print_not_read(summary)
    for path, language in summary.other_languages.items():
        screen.line(f"  not English ({language}): {path}")
    if summary.rejected:
        screen.line(f"  {len(summary.rejected)} not readable, listed in {corpus.folder / 'rejects.jsonl'}:")
        for reason in list(summary.rejected.values())[:_LISTED]:
            screen.line(f"    {reason}")
        if len(summary.rejected) > _LISTED:
            screen.line(f"    and {len(summary.rejected) - _LISTED} more")


def _print_not_read(summary: Summary) -> None:
    """The suffixes that were not read, and how they can be."""
    entries = list(summary.not_read.items())
    files = sum(entry.files for _, entry in entries)
    screen.line(f"  {files:,} of other formats, not read:")
    for suffix, entry in entries[:_SUFFIXES_LISTED]:
        screen.line(f"    {entry.files:,} {suffix}: {entry.how_to_read}")
    if len(entries) > _SUFFIXES_LISTED:
        screen.line(f"    and {len(entries) - _SUFFIXES_LISTED} more suffixes; --json lists them all")
