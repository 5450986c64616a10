"""Looking further than an answer: the passages that a question finds, and a passage in its surroundings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expound import plugins
from expound.errors import UnknownName, UserError
from expound.protocols import Retriever
from expound.records import placed_record
from expound.remembered import Remembered, recall
from expound.system import check_question
from expound.types import Evidence, Passage

if TYPE_CHECKING:
    from expound.corpus.library import Corpus

FOUND = 10  # a screen of passages


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A passage with its neighbours in the same document, the corpus it is in, and the file it comes from."""

    corpus: str
    path: str
    passage: Passage
    before: tuple[Passage, ...] = ()
    after: tuple[Passage, ...] = ()
    number: int | None = None
    """The number by which the passage was asked for: its place in the latest answer or search."""
    is_outdated: bool = False
    """Whether the corpus has changed since: the passage is then as it was, without neighbours."""


def search(
    question: str, *, corpus: str | Path | Sequence[str | Path] = (), k: int = FOUND, embedder: str = ""
) -> list[Evidence]:
    """The k passages that a question finds, best first, without an answer; corpora and embedder as `ask` takes them."""
    from expound.corpus.library import open_corpora  # here: `import expound` needs none of it

    specs = [corpus] if isinstance(corpus, str | Path) else list(corpus)
    return search_in(open_corpora([str(spec) for spec in specs]), question, k=k, embedder=embedder)


def search_in(corpora: Sequence[Corpus], question: str, *, k: int = FOUND, embedder: str = "") -> list[Evidence]:
    """The same in opened corpora."""
    from expound.corpus.library import default_passage_ranker, open_embedder
    from expound.models.shipped import default_static

    if k < 1:
        raise UserError("-k must be at least 1")
    # An answer wants several documents in view; who searches wants what is nearest, be it all from one manual.
    retriever: Retriever = plugins.build(
        "retrieve",
        "Hybrid",
        corpora=corpora,
        embedder=open_embedder(embedder),
        static=default_static(),
        ranker=default_passage_ranker(),
        per_title=k,
    )
    return retriever.retrieve(check_question(question), k=k)


def show(which: str, *, corpus: Sequence[str] = (), around: int = 1) -> Surroundings:
    """A passage with its neighbours, by its number in the latest answer or search on this machine, or by its id.

    What `ask` and `search` found is remembered by the commands alone. With corpora it is always an id.
    """
    from expound.corpus.library import open_corpora

    last = recall()
    is_number = which.isdecimal() and not corpus
    numbered = {item.number: item.passage for item in last.evidence} if last else {}
    # A number of the latest answer first, for which only its corpora are opened: another may just be in the making.
    if last and is_number and int(which) in numbered:
        found = _as_remembered(numbered[int(which)], last.corpora, around)
        return replace(found, number=int(which))
    corpora = open_corpora(corpus or _known_corpora(last))
    # Only then may it be the id of a passage that happens to be a number.
    if is_number and not any(item.store.number_of(which) for item in corpora):
        raise UserError(_no_such_number(which, len(numbered)))
    return find_passage(which, corpora, reach=around)


def find_passage(identifier: str, corpora: Sequence[Corpus], *, reach: int = 1) -> Surroundings:
    """The passage of this id with as many neighbours on either side; an id of two corpora is a user's mistake."""
    found = [corpus for corpus in corpora if corpus.store.number_of(identifier) is not None]
    names = ", ".join(corpus.name for corpus in found or corpora)
    if not found:
        raise UnknownName(f"no passage has the id {identifier!r} in {names}; `expound search` finds passages by words")
    if len(found) > 1:
        raise UserError(f"the id {identifier!r} is in several corpora ({names}): choose one with --corpus")
    return surroundings(found[0], identifier, reach=reach)


def surroundings(corpus: Corpus, identifier: str, *, reach: int = 1) -> Surroundings:
    """A passage of a corpus with its neighbours."""
    store = corpus.store
    number = store.number_of(identifier)
    if number is None:
        raise UnknownName(f"the corpus {corpus.name} has no passage of the id {identifier!r}")
    # From the farthest on, so that the passages stand as they do in the document.
    before = [store.neighbour(number, -step) for step in range(reach, 0, -1)]
    after = [store.neighbour(number, step) for step in range(1, reach + 1)]
    return Surroundings(
        corpus=corpus.name,
        path=store.path_of(number),
        passage=store.passages([number])[number],
        before=tuple(passage for passage in before if passage),
        after=tuple(passage for passage in after if passage),
    )


def surroundings_record(found: Surroundings) -> dict[str, Any]:
    """A passage and its neighbours as JSON values."""
    return {
        "corpus": found.corpus,
        "path": found.path,
        "passage": placed_record(found.passage),
        "before": [placed_record(passage) for passage in found.before],
        "after": [placed_record(passage) for passage in found.after],
    }


def _known_corpora(last: Remembered | None) -> list[str]:
    """All of the user's corpora, and those of the latest answer that are still there."""
    from expound.corpus.library import SAMPLER, corpus_names

    names = corpus_names()
    return [*names, SAMPLER] if not names or (last and SAMPLER in last.corpora) else names


def _as_remembered(passage: Passage, names: tuple[str, ...], around: int) -> Surroundings:
    """The passage where it stands now; if it is no longer there, as it was, without neighbours."""
    from expound.corpus.library import SAMPLER, corpus_names, open_corpora

    there = [name for name in names if name in (*corpus_names(), SAMPLER)]
    for corpus in open_corpora(there) if there else ():
        number = corpus.store.number_of(passage.id)
        # The same id may stand for other words after the document was changed: then it is not what was shown.
        if number and corpus.store.passages([number])[number].text == passage.text:
            return surroundings(corpus, passage.id, reach=around)
    return Surroundings(corpus=", ".join(names), path="", passage=passage, is_outdated=True)


def _no_such_number(which: str, count: int) -> str:
    if not count:
        return "nothing to show yet: ask or search first, or give the id of a passage"
    return f"the latest answer or search has no passage {which}: its passages are numbered up to {count}"
