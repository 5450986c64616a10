"""Table 8 of Krishna et al. 2021: what larger batches do for a contrastive retriever, beside words and MiniLM.

A question's own passages are those that it comes with; of one that only names its pages, as ASQA's (by their titles)
and KILT's (by their ids) do, all passages of these pages.
"""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from expound import plugins
from expound.build.contexts import plain_title, viewed_titles
from expound.corpus.kept_models import open_embedder
from expound.corpus.library import open_corpora, open_named
from expound.errors import UserError
from expound.models.shipped import default_static
from expound.protocols import Retriever
from expound.recipes.corpora import recipe_corpus
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import mean_figure
from expound.recipes.shape import Ingredients, Recipe
from expound.recipes.systems import read_questions
from expound.records import passage_record, read_json, write_records
from expound.resource_table import EMBEDDER
from expound.text.titled import context_of, shown_text
from expound.train.bases import MINILM
from expound.train.data.write_data import write_pair_data
from expound.train.description import TrainingFiles
from expound.train.loop import FIGURES
from expound.train.request import TrainingRequest, fulfil
from expound.train.training_settings import RETRIEVER
from expound.types import Evidence, Passage, Question

# One step of the largest batch that has a row; two minutes of one core for each. All see the same pairs, once.
PAIRS = 1024
# One in twenty is held out. Exactly so many are left to learn from: a rest would be a small batch of its own.
ASKED = PAIRS + math.ceil(PAIRS / 19)
MOST_TOKENS = 48  # of a text: some 35 words, which is what two minutes for each row allow
FOUND = 5  # recall@5, as in the paper
# The paper stops early, by held-out pairs: measured so often on the way, a run ends where these gain no more.
MEASURED, PATIENCE = 8, 2
_SEED = 13  # of the passages that are drawn from a large corpus


@dataclass(frozen=True)
class Search:
    """A retriever's spec, and how many pairs a batch of its embedder had; 0 is MiniLM as it is."""

    retrieve: str
    batch: int = 0


@dataclass(frozen=True)
class Own:
    """What a question asks for: pages and, where it comes with them, passages by their ids."""

    pages: frozenset[str]
    passages: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Pool:
    """Questions with what answers them, among the passages of all questions."""

    questions: Sequence[Question]
    own: Sequence[Own]
    passages: Path
    pages: Mapping[str, str]
    """The page of every passage, by the passage's id."""
    given: Ingredients
    measured: dict[Search, dict[str, list[float]]] = field(default_factory=dict, repr=False, compare=False)
    """Every question's figures by the ways of searching that were tried."""


def gather_pool(given: Ingredients) -> Pool:
    """Every passage of the dataset and of the corpora once; questions without an answer are not asked."""
    if not given.train:
        raise UserError("the recipe hurdles-table8 needs questions with answers to learn from: --train LAYOUT:PATH")
    questions = read_questions(given)
    kept = _gather_passages(questions, given)
    pages = {one.passage.id: one.page for one in kept.values()}
    owners = [(question, _own(question, kept, set(pages.values()))) for question in questions if question.references]
    asked = [(question, own) for question, own in owners if own.pages]
    if not asked:
        raise UserError(
            f"{given.dataset} has no question that comes with both an answer and its passages, "
            "or with an answer and pages that --corpus has"
        )
    file = given.folder / "passages.jsonl"
    write_records(file, (passage_record(one.passage) for one in kept.values()), spec={"dataset": given.dataset})
    return Pool(
        questions=[question for question, _ in asked],
        own=[own for _, own in asked],
        passages=file,
        pages=pages,
        given=given,
    )


@dataclass(frozen=True)
class Placed:
    """A passage as it is searched, and what its page is known by."""

    passage: Passage
    page: str


def _gather_passages(questions: Sequence[Question], given: Ingredients) -> dict[str, Placed]:
    """Those of the questions and those of the corpora."""
    # By their words: two questions may come with the same passage, and a corpus has it with its spaces set right.
    kept: dict[str, Placed] = {}
    for passage in (item for question in questions for item in question.evidence):
        kept.setdefault(_words(passage), Placed(passage, plain_title(passage.title)))
    viewed = {page for question in questions for page in _viewed_pages(question)}
    is_kilt = any("provenance" in question.meta for question in questions)
    for one in draw_others(_iter_corpora(given, _kilt_page if is_kilt else _titled_page), viewed, most=given.others):
        kept.setdefault(_words(one.passage), one)
    return kept


def _own(question: Question, kept: Mapping[str, Placed], known: set[str]) -> Own:
    own = [kept[_words(item)] for item in question.evidence]
    pages = {one.page for one in own} or known & _viewed_pages(question)
    return Own(frozenset(pages), frozenset(one.passage.id for one in own))


def _viewed_pages(question: Question) -> set[str]:
    """The pages that hold the answer, where a question names these and has no passages."""
    if question.evidence:
        return set()
    provenance = question.meta.get("provenance", ())
    return {page for some in provenance for page in some if page} | set(viewed_titles(question))


def _kilt_page(passage: Passage) -> str:
    return str(passage.meta.get("wikipedia_id", ""))


def _titled_page(passage: Passage) -> str:
    return plain_title(passage.title)


def _words(passage: Passage) -> str:
    return re.sub(r"\W+", " ", passage.text.lower()).strip()


def _iter_corpora(given: Ingredients, page_of: Callable[[Passage], str]) -> Iterator[Placed]:
    """What is there to be mistaken for the right passage; few passages are found by any retriever."""
    for corpus in open_corpora(given.corpus) if given.corpus else ():
        for number, passage in corpus.store.iter_passages():
            title = context_of(passage.title, passage.source.heading)
            yield Placed(Passage(f"{corpus.name}-{number}", shown_text(passage), title), page_of(passage))


def draw_others(passages: Iterable[Placed], pages: set[str], *, most: int) -> list[Placed]:
    """The passages of these pages, and so many others, or all of them where none is said."""
    by_side = defaultdict[bool, list[Placed]](list)
    for one in passages:
        by_side[one.page in pages].append(one)
    others = by_side[False]
    drawn = random.Random(_SEED).sample(others, most) if 0 < most < len(others) else others
    return [*by_side[True], *drawn]


def search_by(pool: Pool, row: Row) -> Values:
    """R-precision and recall at 5 of pages, and recall at 5 of passages where these are known, in percent."""
    way: Search = row.how
    trained = train_embedder(pool.given, way.batch) if way.batch else None
    found = [_ids(evidence) for evidence in _retrieve(pool, way.retrieve, str(trained or ""))]
    pairs = list(zip(pool.own, found, strict=True))
    figures = pool.measured[way] = {
        "r_precision": [100 * _page_share(own, ids, pool.pages, first=len(own.pages)) for own, ids in pairs],
        f"recall@{FOUND}": [100 * _page_share(own, ids, pool.pages, first=FOUND) for own, ids in pairs],
    }
    if all(own.passages for own in pool.own):
        shares = [100 * len(own.passages & set(ids[:FOUND])) / len(own.passages) for own, ids in pairs]
        figures[f"passage recall@{FOUND}"] = shares
    return {
        **{name: mean_figure(values) for name, values in figures.items()},
        **_over_untrained(pool, way),
        "passages": len(pool.pages),
        **({"CPU-seconds": read_json(trained / FIGURES)["cpu_seconds"]} if trained else {}),
    }


def _over_untrained(pool: Pool, way: Search) -> Values:
    """What training gained, question by question: the questions' own spread is far larger than that."""
    before = pool.measured.get(replace(way, batch=0))
    if not way.batch or before is None:
        return {}
    return {
        f"{name} over MiniLM's": mean_figure(ours - theirs for ours, theirs in zip(after, before[name], strict=True))
        for name, after in pool.measured[way].items()
    }


def train_embedder(given: Ingredients, batch: int) -> Path:
    """The folder of MiniLM after one pass over the pairs in batches of this size; one that is there is taken."""
    out = given.folder / f"batch-{batch}"
    # Figures are written last: where they are, training came to its end.
    if (out / FIGURES).is_file():
        return out
    data = given.folder / "pairs"
    write_pair_data([given.train], data, keep_out=[given.dataset], most=ASKED)
    steps = max(1, PAIRS // batch)
    # By the root of the batch, as is usual with Adam: else one large step would hardly move what 16 small ones do.
    rate = RETRIEVER.learning_rate * math.sqrt(batch / RETRIEVER.batch)
    settings = replace(RETRIEVER, steps=steps, batch=batch, learning_rate=rate, threads=1)
    settings = replace(settings, measure_every=max(1, steps // MEASURED), patience=PATIENCE)
    files = TrainingFiles((data / "train.jsonl",), (data / "dev.jsonl",))
    request = TrainingRequest(kind="retriever", files=files, base=MINILM, settings=settings, most_tokens=MOST_TOKENS)
    fulfil(request, out, report=given.report)
    return out


def _retrieve(pool: Pool, spec: str, embedder: str) -> list[list[Evidence]]:
    has_vectors = spec != "Lexical"
    report = pool.given.report
    # Indexed anew for each embedder: vectors of one say nothing to another.
    name = recipe_corpus("table8", pool.passages, vectors=has_vectors, embedder=embedder, report=report)
    settings = {"embedder": open_embedder(embedder), "static": default_static()}
    retriever: Retriever = plugins.build("retrieve", spec, corpora=[open_named(name)], **settings)
    # More than five passages: several of them may be of one page.
    return [retriever.retrieve(question.text, k=4 * FOUND) for question in pool.questions]


def _ids(evidence: Sequence[Evidence]) -> list[str]:
    return [item.passage.id for item in evidence]


def _page_share(own: Own, found: Sequence[str], pages: Mapping[str, str], *, first: int) -> float:
    """The share of the own pages among the first so many pages that were found."""
    # A page counts at its best passage, as KILT ranks pages.
    ranked = list(dict.fromkeys(pages[identifier] for identifier in found))
    return len(own.pages & set(ranked[:first])) / len(own.pages)


def _name_published(r_precision: float, recall: float) -> dict[str, float]:
    return {"r_precision": r_precision, f"recall@{FOUND}": recall}


RECIPE = Recipe(
    name="hurdles-table8",
    title="Hurdles, Table 8: batches of a contrastive retriever",
    rows=(
        Row("BM25", how=Search("Lexical")),
        Row(
            "MiniLM as it is",
            how=Search("Dense"),
            why="published: REALM as it is",
            published=_name_published(6.6, 14.9),
        ),
        Row("MiniLM, hybrid", how=Search("Hybrid")),
        Row("batches of 64", how=Search("Dense", 64)),
        Row("batches of 256", _name_published(6.2, 11.0), Search("Dense", 256)),
        Row("batches of 512", _name_published(6.8, 12.6), why="Jernite 2020"),
        Row("batches of 1,024", _name_published(11.5, 21.0), Search("Dense", 1024)),
        Row("batches of 12,288", _name_published(13.3, 21.2), why="expound train retriever --preset hurdles"),
        Row("batches of 64, hybrid", how=Search("Hybrid", 64)),
    ),
    prepare=gather_pool,
    run_row=search_by,
    searches=True,
    resources=(MINILM, *EMBEDDER),
    doing="searching",
    why=f"Published: KILT-ELI5 dev over all of Wikipedia, 272,000 training questions. Ours: the passages of the "
    f"dataset and of --corpus, {PAIRS:,} pairs seen once, cut to {MOST_TOKENS} tokens, from MiniLM, which was itself "
    "trained on pairs of questions and answers, ELI5's among them, in batches of 1,024.",
)
