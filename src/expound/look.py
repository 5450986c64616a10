"""Looking further than an answer: the passages that a question finds, and a passage in its surroundings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from expound import plugins
from expound.errors import UnknownName, UserError
from expound.system import checked
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


def search(question: str, *, corpus: str | Path | Sequence[str | Path] = (), k: int = FOUND) -> list[Evidence]:
    """The k passages that a question finds, best first, without an answer; corpora as `ask` takes them."""
    from expound.corpus.library import open_corpora  # here: `import expound` needs none of it

    specs = [corpus] if isinstance(corpus, str | Path) else list(corpus)
    return search_in(open_corpora([str(spec) for spec in specs]), question, k=k)


def search_in(corpora: Sequence[Corpus], question: str, *, k: int = FOUND) -> list[Evidence]:
    """The same in opened corpora."""
    from expound.corpus.library import default_embedder

    if k < 1:
        raise UserError("-k must be at least 1")
    # An answer wants several documents in view; who searches wants what is nearest, be it all from one manual.
    settings = {"corpora": corpora, "embedder": default_embedder(), "per_title": k}
    found: list[Evidence] = plugins.build("retrieve", "Hybrid", **settings).retrieve(checked(question), k=k)
    return found


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
    before = [store.neighbour(number, -step) for step in range(reach, 0, -1)]
    after = [store.neighbour(number, step) for step in range(1, reach + 1)]
    return Surroundings(
        corpus=corpus.name,
        path=store.path_of(number),
        passage=store.passages([number])[number],
        before=tuple(passage for passage in before if passage),
        after=tuple(passage for passage in after if passage),
    )
