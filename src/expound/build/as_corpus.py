"""The passages of a build as a corpus that can be searched and asked."""

from __future__ import annotations

import os
from pathlib import Path

from expound.build.building import Report
from expound.build.places import is_address
from expound.corpus.library import add, is_corpus, open_named
from expound.corpus.named import NAME, SAMPLER, name_for
from expound.errors import UserError


def corpus_name(out: str, wanted: str | None, table: str) -> str:
    """The name of the corpus to be made of a table: the one that is wanted, else the output's; empty for none.

    One that is made of other documents is refused, before any work is done.
    """
    if is_address(out):
        if wanted:
            raise UserError(
                "a corpus is made of shards on this machine; copy them here, then `expound corpus add` them"
            )
        return ""
    name = name_for(Path(out)) if wanted is None else wanted
    if name and (not NAME.fullmatch(name) or name == SAMPLER):
        raise UserError(f"{name!r} cannot be the name of a corpus; use up to 64 letters, digits, '.', '_' and '-'")
    if name and is_corpus(name) and open_named(name).store.roots() != [_root(out, table)]:
        raise UserError(f"the corpus {name!r} is made of other documents; name another with --corpus")
    return name


def make_corpus(out: str, name: str, table: str, *, report: Report) -> int:
    """Bring the corpus up to date with the shards of a table; how many passages it has then."""
    corpus, _ = add([Path(_root(out, table))], name=name, report=report)
    return corpus.store.count()


def _root(out: str, table: str) -> str:
    return os.path.abspath(Path(out) / table)
