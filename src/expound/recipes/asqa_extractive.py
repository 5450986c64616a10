"""ASQA dev over the Wikipedia passages: how good is the answer that needs no language model?

Rows: the top-1 passage, TF-IDF sentences, our extractive answer at two lengths and without the trained sentence ranker,
and the oracle that knows the references, all over the same passages. Two conditions: without ASQA's own gold contexts
in the corpus, and with them. Weights were chosen on one half of the questions; the other half is the one to quote.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from expound.answer.composed import Composed
from expound.answer.extractive import Extractive
from expound.answer.quoting import places_of, quote_sentence
from expound.answer.sentence_scores import SignScorer, is_whole
from expound.answer.tfidf_sentences import without_repetitions
from expound.answer.top_passages import TopPassages, fill_words
from expound.bounds.oracle import Oracle
from expound.clarify.evidence_only import EvidenceOnly
from expound.datasets.asqa import Asqa
from expound.protocols import Answerer, Clarifier
from expound.recipes.corpora import recipe_corpus
from expound.recipes.findings import Finding, Row, Values
from expound.recipes.halves import half_of
from expound.recipes.intervals import mean_figure
from expound.recipes.printing import Column, cell_of, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.records import prediction_record, write_records
from expound.resource_table import PUNKT
from expound.score.length import Length
from expound.score.rouge import Rouge
from expound.score.scoring import score
from expound.score.str_em import StrEm
from expound.system import RETRIEVED, System, open_system
from expound.text.normal import contains_answer
from expound.text.words import content_stems
from expound.types import Answer, Evidence, Prediction, Question

GOLD_SOURCES = ("wikipedia_asqa_annotator_knowledge", "wikipedia_asqa_qa_pair_context")
CONDITIONS: Mapping[str, tuple[str, ...]] = {
    "without gold contexts": tuple(f"meta.source != {source}" for source in GOLD_SOURCES),
    "with gold contexts": (),
}
"""Which of the passages each corpus has."""
_RECALLS = {"recall@5": 5, f"recall@{RETRIEVED}": RETRIEVED}
"""Over what a reader would look at, and over all that an answerer sees."""

Answers: TypeAlias = Callable[[Question, Sequence[Evidence]], Answer]
"""A way of answering from retrieved passages."""


@dataclass(frozen=True)
class Setting:
    """A way of answering in one condition, on one half of the questions."""

    condition: str
    way: str
    half: str


@dataclass(frozen=True)
class WaysAnswered:
    """What every way answers in one condition, and how much of the short answers the passages hold."""

    predictions: Mapping[str, Sequence[Prediction]]
    recalls: Mapping[str, Sequence[float]]


class Conditions:
    """The questions, and each condition's answers, which are made when they are first asked for."""

    def __init__(self, given: Ingredients) -> None:
        self._given = given
        self.questions = list(Asqa(given.files[1]))[: given.limit or None]
        self._answered: dict[str, WaysAnswered] = {}

    def answers_of(self, condition: str) -> WaysAnswered:
        """Every way's answers; they are kept as records."""
        # Made once a condition: the rows of every way and half ask for them.
        if condition not in self._answered:
            name = f"asqa-{condition.split()[0]}-gold"
            self._answered[condition] = self._answer(condition, self._open(name, CONDITIONS[condition]))
            for way, found in self._answered[condition].predictions.items():
                file = self._given.folder / name / f"{way.replace(' ', '-')}.jsonl"
                write_records(file, map(prediction_record, found), spec={"system": way, "condition": condition})
        return self._answered[condition]

    def _open(self, name: str, where: Sequence[str]) -> System:
        given = self._given
        passages = given.files[0]
        # A corpus for each condition: passages that were filtered at the search would still weigh words in the index.
        corpus = recipe_corpus(name, passages, where=where, vectors=given.vectors, report=given.report)
        # No text model, also where one is installed: the rows are ways of answering that do without.
        return open_system([corpus], model="none")

    def _answer(self, condition: str, system: System) -> WaysAnswered:
        """Retrieve once a question; every way of answering sees the same evidence."""
        ways = ways_of(system)
        predictions: dict[str, list[Prediction]] = {name: [] for name in ways}
        recalls: dict[str, list[float]] = {name: [] for name in _RECALLS}
        for number, question in enumerate(self.questions, start=1):
            evidence = system.retriever.retrieve(question.text, k=RETRIEVED)
            for name, k in _RECALLS.items():
                recalls[name].append(_recall(question, evidence[:k]))
            for name, answers in ways.items():
                answer = answers(question, evidence)
                predictions[name].append(
                    Prediction(
                        id=question.id, question=question.text, system=name, answer=answer, abstained=not answer.text
                    )
                )
            self._given.say(f"answering {condition}", number, len(self.questions))
        return WaysAnswered(predictions, recalls)


def run_setting(conditions: Conditions, row: Row) -> Values:
    """The scores of a way of answering on the questions of a half."""
    setting: Setting = row.how
    found = conditions.answers_of(setting.condition)
    picked = [place for place, item in enumerate(conditions.questions) if half_of(item.id) == setting.half]
    results = score(
        [found.predictions[setting.way][place] for place in picked],
        [conditions.questions[place] for place in picked],
        [Length(), Rouge(profile="asqa"), StrEm()],
    )
    recalls = {name: mean_figure(values[place] for place in picked) for name, values in found.recalls.items()}
    return {
        "corpus": setting.condition,
        "half": setting.half,
        **{r.metric: r for r in results},
        **recalls,
        "n": len(picked),
    }


# -- the ways of answering


WAYS = (
    "top-1 passage",
    "tfidf 80",
    "composed, the default",
    "extractive 80",
    "extractive 100",
    "extractive 80 without the ranker",
    "oracle 80",
)


def ways_of(system: System) -> dict[str, Answers]:
    """The rows of the table. The extractive answerer does not abstain here: every ASQA question has an answer."""
    assert isinstance(system.answerer, Composed)
    assert isinstance(system.clarifier, EvidenceOnly)
    scorer = system.answerer.scorer
    assert isinstance(scorer, SignScorer)
    # The product's own, with the span reader: without it readings are guessed by form, and answers tell those.
    clarifier = system.clarifier
    # Without static vectors as well: the row shows what the embedder does by itself.
    without_ranker = SignScorer(scorer.embedder)
    ways: tuple[Answers, ...] = (
        lambda question, evidence: TopPassages(k=1).answer(question.text, evidence),
        lambda question, evidence: tfidf_answer(question, evidence, words=80),
        _clarify_all(Composed(scorer, abstains=False), clarifier),
        _clarify_all(Extractive(scorer, words=80, abstains=False), clarifier),
        _clarify_all(Extractive(scorer, words=100, abstains=False), clarifier),
        _clarify_all(Extractive(without_ranker, words=80, abstains=False), EvidenceOnly(without_ranker)),
        Oracle(words=80).answer_to,
    )
    return dict(zip(WAYS, ways, strict=True))


def _clarify_all(answerer: Answerer, clarifier: Clarifier) -> Answers:
    return lambda question, evidence: answerer.answer(
        question.text, evidence, clarifier.clarify(question.text, evidence)
    )


def tfidf_answer(question: Question, evidence: Sequence[Evidence], *, words: int) -> Answer:
    """The sentences nearest to the question by TF-IDF, up to a number of words: ELI5's extractive baseline.

    Stems are weighed by the evidence alone, and the best sentence comes first, unlike with `TfidfSentences`.
    """
    # The same sentences as the extractive answerer may use.
    places = without_repetitions([place for place in places_of(evidence) if is_whole(place.text)])
    stems = [content_stems(place.text) for place in places]
    seen = Counter(stem for row in stems for stem in set(row))
    weight = {stem: math.log(1 + len(stems) / count) for stem, count in seen.items()}
    wanted = set(content_stems(question.text))

    def cosine(row: list[str]) -> float:
        norm = math.sqrt(sum(weight[stem] ** 2 for stem in row))
        return sum(weight[stem] ** 2 for stem in row if stem in wanted) / norm if norm else 0.0

    # Without the question's own norm, which is the same for all sentences and changes no order.
    order = sorted(range(len(places)), key=lambda position: -cosine(stems[position]))
    return quote_sentence(fill_words([places[position] for position in order], words))


def _recall(question: Question, evidence: Sequence[Evidence]) -> float:
    """Share of the short answers that stand in the passages, in percent."""
    text = "\n".join(item.passage.text for item in evidence)
    # By the rule of STR-EM, so that recall is the ceiling of what an answer from these passages can score.
    found = [contains_answer(text, reading.answers) for reading in question.interpretations]
    return 100 * sum(found) / len(found) if found else math.nan


# -- the table


def _make_published(name: str, length: float, rouge: float, exact: float) -> Row:
    """A row of Table 3 of Stelmakh et al. 2022: all 948 questions over all of Wikipedia."""
    values = {"length": length, "rouge_lsum": rouge, "str_em": exact}
    return Row(name, {"corpus": "all of Wikipedia", "half": "published", **values, "n": 948}, why="published")


def _column(heading: str, name: str = "") -> Column:
    """What is measured, or in published rows what is published."""

    def cell(finding: Finding) -> object:
        # Rows of the paper have nothing measured.
        value = (finding.values or finding.row.published).get(name or heading, "")
        return f"{value:.1f}" if isinstance(value, float) else cell_of(value)

    return Column(heading, cell)


RECIPE = Recipe(
    resources=(PUNKT,),
    searches=True,
    name="asqa-extractive",
    title="ASQA dev without a language model",
    files=("passages", "ASQA in its official layout"),
    rows=(
        *(
            Row(way, how=Setting(condition, way, half))
            for condition in CONDITIONS
            for way in WAYS
            for half in ("report", "choose")
        ),
        _make_published("DPR@1", 99.9, 33.8, 30.1),
        _make_published("JPR@1", 196.8, 30.5, 45.0),
        _make_published("T5-large, 5 passages", 71.6, 43.0, 41.0),
        _make_published("people without context", 73.5, 45.8, 51.8),
        _make_published("people with context", 64.8, 49.4, 98.4),
    ),
    prepare=Conditions,
    run_row=run_setting,
    tables=table_of(
        _column("corpus"),
        _column("half"),
        Column("system", lambda finding: finding.row.name),
        _column("words", "length"),
        _column("ROUGE-Lsum", "rouge_lsum"),
        _column("STR-EM", "str_em"),
        *map(_column, (*_RECALLS, "n")),
    ),
)
