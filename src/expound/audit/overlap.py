"""Overlap: which evaluation questions were asked in the training set already? (Krishna et al. 2021, section 3.2)"""

from __future__ import annotations

import math
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path

from expound.audit.inputs import Inputs
from expound.audit.ngrams import overlap as ngram_overlap
from expound.audit.numbers import mean_of, share_of
from expound.audit.section import Section, ShownExample, ShownTable, cell
from expound.audit.verdict import judge, not_run
from expound.datasets.spec import open_dataset
from expound.retrieve.neighbours import Hits, Neighbour, candidates, choose_questions, index_questions, score_neighbours
from expound.score.provenance import Recall, RPrecision
from expound.text.paraphrase import ask_for_short_answers, load_scorer

TITLE = "Overlap: were the questions asked in training already?"
# Five words in a row are seldom the same by chance: an answer is a copy when more than half of its runs are.
COPIED_GRAMS, MOSTLY = 5, 50.0
# Nearly the same wording, much the same, and about the same things: rows of the table only, no verdict hangs on them.
TFIDF_LEVELS = (0.9, 0.7, 0.5)
# As many neighbours as the paper's bound of the best top-7 train answer looks at (Table 7).
_LOOKED_AT_FOR_COPIES = 7
_EXAMPLES = 12  # a screen or two, from the nearest pair to the farthest
_MISSES = (
    "The paraphrase score misses many: in the paper a classifier found 43.6 % of ELI5's validation questions to have a "
    "paraphrase in the training set where people found 81 %. Read the share as a lower bound, and label pairs.jsonl."
)
_MISTAKES = (
    "Most questions ask for a short answer. Such questions are alike without asking the same, so the score has to be "
    "higher here than for others, and half of what it finds is still wrong: read the pairs, and label pairs.jsonl."
)
_NOTES = (
    "TF-IDF similarity is what ELI5's authors used to keep the splits apart; it stands beside the score to show what "
    "it misses.",
)


@dataclass(frozen=True)
class Copies:
    """The nearest training questions of every question, and how much of every answer is copied from them."""

    neighbours: list[list[Neighbour]]
    copied: list[float]
    threshold: float
    topical: float

    @property
    def paraphrased(self) -> list[bool]:
        """Whether a training question asks the same."""
        return [any(item.paraphrase >= self.threshold for item in row) for row in self.neighbours]

    @property
    def similar(self) -> list[bool]:
        """Whether a training question is on the same topic, or asks the same."""
        return [any(item.paraphrase >= self.topical for item in row) for row in self.neighbours]


def overlap(inputs: Inputs) -> tuple[Section, Copies | None]:
    """The control's findings, and what was found, to be exported as pairs to label."""
    if not inputs.train:
        return Section("overlap", TITLE, (not_run("train-paraphrases"), not_run("copied-training-answers"))), None
    found = find(inputs)
    verdicts = (
        judge("train-paraphrases", share_of(found.paraphrased)),
        judge("copied-training-answers", share_of([share > MOSTLY for share in found.copied])),
    )
    tables = (_shares(found), *_by_overlap(inputs, found.paraphrased))
    by = "words, then by meaning" if inputs.embedder else "words alone, without vectors"
    is_short = ask_for_short_answers([question.text for question in inputs.questions])
    notes = (_MISTAKES if is_short else _MISSES, *_NOTES, f"Neighbours were found by {by}.")
    return Section(
        name="overlap", title=TITLE, verdicts=verdicts, tables=tables, examples=_examples(inputs, found), notes=notes
    ), found


def find(inputs: Inputs) -> Copies:
    """Look for every question in the training set."""
    # An index on disk: the training set may be larger than the memory. When reading fails, it is still being written
    # to: what is left of it must not hide why.
    with tempfile.TemporaryDirectory(prefix="expound-audit-", ignore_cleanup_errors=True) as folder:
        index, frequencies = index_questions(open_dataset(inputs.train), Path(folder), inputs.report)
        hits = candidates(index, inputs.questions, report=inputs.report)
    texts, copied = _read(inputs, hits)
    neighbours = score_neighbours(
        inputs.questions, hits, texts, frequencies, embedder=inputs.embedder, report=inputs.report
    )
    scorer = load_scorer(with_cosine=inputs.embedder is not None)
    # By what most questions ask for: short answers follow patterns, and look alike without asking the same.
    threshold = scorer.threshold_for([question.text for question in inputs.questions])
    return Copies(neighbours, copied, threshold, scorer.topical)


def pair_records(inputs: Inputs, found: Copies) -> list[dict[str, object]]:
    """Pairs for people to label: 0 no paraphrase, 1 same topic, another question, 2 approximately the same question."""
    return [
        {
            "id": question.id, "question": question.text, "train_id": item.id, "train_question": item.text,
            # Rounded: people label by eye, and a diff of two files should show labels.
            "paraphrase": round(item.paraphrase, 4), "tfidf": round(item.tfidf, 4), "label": None,
        }
        for question, row in zip(inputs.questions, found.neighbours, strict=True)
        for item in row
    ]  # fmt: skip


def _read(inputs: Inputs, hits: Sequence[Hits]) -> tuple[Mapping[int, tuple[str, str]], list[float]]:
    """The candidates' ids and texts, and for every answer the most that is copied from an answer to one of them."""
    # By training question: the file is gone through once, however many answers look at the same one.
    near = defaultdict(list)
    for place, row in enumerate(hits):
        for number, _ in row[:_LOOKED_AT_FOR_COPIES]:
            near[number].append(place)
    texts, copied, answers = {}, [0.0] * len(hits), inputs.answers()
    for number, question in choose_questions(open_dataset(inputs.train), (number for row in hits for number, _ in row)):
        texts[number] = (question.id, question.text)
        for place in near.get(number, ()):
            shares = (ngram_overlap(answers[place], [reference], COPIED_GRAMS) for reference in question.references)
            # An answer of fewer than five words has no 5-grams to be copied.
            copied[place] = max([copied[place], *(share for share in shares if not math.isnan(share))])
    return texts, copied


def _shares(found: Copies) -> ShownTable:
    rows: list[tuple[object, ...]] = [
        ("a paraphrase, by the score", cell(share_of(found.paraphrased))),
        ("a paraphrase or a topically similar question, by the score", cell(share_of(found.similar))),
    ]
    for level in TFIDF_LEVELS:
        near = [any(item.tfidf >= level for item in row) for row in found.neighbours]
        rows.append((f"a question with TF-IDF similarity of {level:g} or more", cell(share_of(near))))
    columns = ("of the evaluation questions have in the training set", "%")
    return ShownTable("Overlap with the training questions", columns, tuple(rows))


def _by_overlap(inputs: Inputs, paraphrased: Sequence[bool]) -> tuple[ShownTable, ...]:
    """Table 6: the metrics of questions with and without a paraphrase."""
    if not inputs.has_references:
        return ()
    values = {**_retrieval(inputs), **{name: inputs.of_each(result) for name, result in inputs.quality.items()}}
    rows = []
    for name, wanted in (("overlap", True), ("no overlap", False)):
        kept = [is_one == wanted for is_one in paraphrased]
        share = f"{100 * sum(kept) / len(kept):.1f} %"
        means = (mean_of(list(compress(column, kept)), seed=inputs.seed) for column in values.values())
        rows.append((name, share, sum(kept), *map(cell, means)))
    return (ShownTable("Metrics by overlap", ("questions with", "share", "n", *values), tuple(rows)),)


def _retrieval(inputs: Inputs) -> dict[str, list[float]]:
    """KILT's retrieval metrics by question, where gold pages are known."""
    found = {
        metric.name: [metric.count(question, inputs.predictions[question.id]) for question in inputs.questions]
        for metric in (RPrecision(), Recall(k=5))
    }
    return {name: values for name, values in found.items() if not all(map(math.isnan, values))}


def _examples(inputs: Inputs, found: Copies) -> tuple[ShownExample, ...]:
    """The nearest pair of some questions, from the surest paraphrase down to the least sure."""
    best = [(max(row, key=lambda item: item.paraphrase), place) for place, row in enumerate(found.neighbours) if row]
    ranked = sorted(best, key=lambda pair: -pair[0].paraphrase)
    steps = min(_EXAMPLES, len(ranked))
    picked = [ranked[step * (len(ranked) - 1) // max(1, steps - 1)] for step in range(steps)]
    return tuple(_example(inputs.questions[place].text, item) for item, place in picked)


def _example(question: str, nearest: Neighbour) -> ShownExample:
    scores = f"paraphrase score {nearest.paraphrase:.2f}, TF-IDF {nearest.tfidf:.2f}"
    return ShownExample(question, ((f"nearest training question, {scores}", ((nearest.text, False),)),))
