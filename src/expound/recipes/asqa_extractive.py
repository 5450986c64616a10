"""ASQA dev over the Wikipedia passages: how good is the answer that needs no language model?

Rows: the top-1 passage, TF-IDF sentences, our extractive answer at two lengths and without the trained sentence ranker,
and the oracle that knows the references, all over the same passages. Two conditions: without ASQA's own gold contexts
in the corpus, and with them. Weights were chosen on one half of the questions; the other half is the one to quote.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from expound.answer.sentence_scores import SignScorer, is_whole
from expound.datasets.asqa import Asqa
from expound.protocols import Answerer, SentenceScorer
from expound.recipes.corpora import recipe_corpus
from expound.records import prediction_record, write_records
from expound.score.length import Length
from expound.score.results import score
from expound.score.rouge import Rouge
from expound.score.str_em import StrEm
from expound.system import RETRIEVED, System, open_system
from expound.text.normal import contains_answer
from expound.text.sentences import split_sentences
from expound.text.words import content_stems
from expound.types import Answer, Evidence, Prediction, Question, Sentence

GOLD_SOURCES = ("wikipedia_asqa_annotator_knowledge", "wikipedia_asqa_qa_pair_context")
PUBLISHED = (
    ("DPR@1", 99.9, 33.8, 30.1),
    ("JPR@1", 196.8, 30.5, 45.0),
    ("T5-large, 5 passages", 71.6, 43.0, 41.0),
    ("people without context", 73.5, 45.8, 51.8),
    ("people with context", 64.8, 49.4, 98.4),
)
"""System, length, ROUGE-L, STR-EM: Table 3 of Stelmakh et al. 2022, all 948 questions over all of Wikipedia."""

Report = Callable[[str, int, int], None]
Answers = Callable[[Question, Sequence[Evidence]], Answer]


def run(
    passages: Path,
    dataset: Path,
    out: Path,
    *,
    limit: int = 0,
    vectors: bool = False,
    report: Report | None = None,
) -> list[dict[str, Any]]:
    """All rows of both conditions and both halves; prediction files and the table go to `out`."""
    questions = list(Asqa(dataset))[: limit or None]
    rows: list[dict[str, Any]] = []
    for condition, where in (
        ("without gold contexts", [f"meta.source != {source}" for source in GOLD_SOURCES]),
        ("with gold contexts", []),
    ):
        name = f"asqa-{condition.split()[0]}-gold"
        corpus = recipe_corpus(name, passages, where=where, vectors=vectors, report=report)
        rows += _condition(condition, open_system([corpus]), questions, out / name, report)
    (out / "table.md").write_text(markdown(rows), encoding="utf-8")
    return rows


def _condition(
    condition: str, system: System, questions: Sequence[Question], out: Path, report: Report | None
) -> Iterator[dict[str, Any]]:
    """Retrieve once a question; every way of answering sees the same evidence."""
    ways = _ways(system)
    predictions: dict[str, list[Prediction]] = {name: [] for name in ways}
    recalls: dict[int, list[float]] = {5: [], 20: []}
    for number, question in enumerate(questions, start=1):
        evidence = system.retriever.retrieve(question.text, k=RETRIEVED)
        for k, values in recalls.items():
            values.append(_recall(question, evidence[:k]))
        for name, answers in ways.items():
            answer = answers(question, evidence)
            predictions[name].append(Prediction(question.id, question.text, name, answer, abstained=not answer.text))
        if report:
            report(f"answering {condition}", number, len(questions))
    for name, found in predictions.items():
        file = out / f"{name.replace(' ', '-')}.jsonl"
        write_records(file, map(prediction_record, found), spec={"system": name, "condition": condition})
        yield from _scores(condition, name, questions, found, recalls)


def _ways(system: System) -> dict[str, Answers]:
    """The rows of the table. The extractive answerer does not abstain here: every ASQA question has an answer."""
    from expound.answer.composed import Composed
    from expound.answer.extractive import Extractive
    from expound.clarify.evidence_only import EvidenceOnly

    assert isinstance(system.answerer, Composed)
    scorer = system.answerer.scorer
    assert isinstance(scorer, SignScorer)

    def answered(answerer: Answerer, scorer: SentenceScorer) -> Answers:
        clarifier = EvidenceOnly(scorer)
        return lambda question, evidence: answerer.answer(
            question.text, evidence, clarifier.clarify(question.text, evidence)
        )

    def extractive(words: int, scorer: SentenceScorer) -> Answers:
        return answered(Extractive(scorer, words=words, abstains=False), scorer)

    return {
        "top-1 passage": lambda question, evidence: _quoted(
            [(text, 1) for text in split_sentences(_text(evidence[:1]))]
        ),
        "tfidf 80": lambda question, evidence: tfidf_answer(question, evidence, words=80),
        "composed, the default": answered(Composed(scorer, abstains=False), scorer),
        "extractive 80": extractive(80, scorer),
        "extractive 100": extractive(100, scorer),
        "extractive 80 without the ranker": extractive(80, SignScorer(scorer.embedder)),
        "oracle 80": lambda question, evidence: oracle_answer(question, evidence, words=80),
    }


def tfidf_answer(question: Question, evidence: Sequence[Evidence], *, words: int) -> Answer:
    """The sentences nearest to the question by TF-IDF, up to a number of words: ELI5's extractive baseline."""
    sentences = _sentences(evidence)
    stems = [content_stems(text) for text, _ in sentences]
    seen = Counter(stem for row in stems for stem in set(row))
    weight = {stem: math.log(1 + len(stems) / count) for stem, count in seen.items()}
    wanted = set(content_stems(question.text))

    def cosine(row: list[str]) -> float:
        norm = math.sqrt(sum(weight[stem] ** 2 for stem in row))
        return sum(weight[stem] ** 2 for stem in row if stem in wanted) / norm if norm else 0.0

    order = sorted(range(len(sentences)), key=lambda position: -cosine(stems[position]))
    return _fill([sentences[position] for position in order], words)


def oracle_answer(question: Question, evidence: Sequence[Evidence], *, words: int) -> Answer:
    """Greedy choice of the sentences that raise sqrt(ROUGE x STR-EM) most, by looking at the references: a bound."""
    rouge, exact = Rouge(profile="asqa"), StrEm()
    chosen: list[tuple[str, int]] = []
    best = 0.0
    pool = _sentences(evidence)

    def quality(sentences: list[tuple[str, int]]) -> float:
        prediction = Prediction(question.id, question.text, "oracle", _quoted(sentences))
        # A little of each alone lets the search start before both are above zero.
        overlap, found = rouge.count(question, prediction), exact.count(question, prediction)
        return math.sqrt(overlap * found) + 0.1 * overlap

    while pool:
        room = words - sum(len(text.split()) for text, _ in chosen)
        options = [(quality([*chosen, option]), option) for option in pool if len(option[0].split()) <= room]
        if not options or max(options)[0] <= best:
            break
        best, option = max(options)
        chosen.append(option)
        pool.remove(option)
    return _quoted(chosen)


def _scores(
    condition: str,
    name: str,
    questions: Sequence[Question],
    predictions: Sequence[Prediction],
    recalls: dict[int, list[float]],
) -> Iterator[dict[str, Any]]:
    for half in ("report", "choose"):
        picked = [position for position, question in enumerate(questions) if half_of(question.id) == half]
        results = score(
            [predictions[position] for position in picked],
            [questions[position] for position in picked],
            [Length(), Rouge(profile="asqa"), StrEm()],
        )
        row: dict[str, Any] = {"condition": condition, "half": half, "system": name, "n": len(picked)}
        row |= {result.metric: (result.value, result.low, result.high) for result in results}
        row |= {f"recall@{k}": sum(values[p] for p in picked) / max(1, len(picked)) for k, values in recalls.items()}
        yield row


def half_of(identifier: str) -> str:
    """The half of the questions that an id belongs to: one to choose with, one to report on."""
    return "choose" if int(sha256(identifier.encode()).hexdigest(), 16) % 2 == 0 else "report"


def markdown(rows: Sequence[dict[str, Any]]) -> str:
    """The table, published numbers last."""
    lines = ["| corpus | half | system | words | ROUGE-Lsum | STR-EM | recall@5 | recall@20 | n |", "|" + "---|" * 9]
    for row in rows:
        rouge, exact = row["rouge_lsum"], row["str_em"]
        lines.append(
            f"| {row['condition']} | {row['half']} | {row['system']} | {row['length'][0]:.1f} "
            f"| {rouge[0]:.1f} ({rouge[1]:.1f}–{rouge[2]:.1f}) | {exact[0]:.1f} ({exact[1]:.1f}–{exact[2]:.1f}) "
            f"| {row['recall@5']:.1f} | {row['recall@20']:.1f} | {row['n']} |"
        )
    for name, words, rouge_l, exact_match in PUBLISHED:
        lines.append(f"| all of Wikipedia | published | {name} | {words} | {rouge_l} | {exact_match} | | | 948 |")
    return "\n".join(lines) + "\n"


def _recall(question: Question, evidence: Sequence[Evidence]) -> float:
    """Share of the short answers that stand in the passages, in percent."""
    text = _text(evidence)
    found = [contains_answer(text, reading.answers) for reading in question.interpretations]
    return 100 * sum(found) / len(found) if found else math.nan


def _text(evidence: Sequence[Evidence]) -> str:
    return "\n".join(item.passage.text for item in evidence)


def _sentences(evidence: Sequence[Evidence]) -> list[tuple[str, int]]:
    found = [(text, item.number) for item in evidence for text in split_sentences(item.passage.text) if is_whole(text)]
    return list({text: (text, number) for text, number in reversed(found)}.values())[::-1]


def _fill(ranked: Sequence[tuple[str, int]], words: int) -> Answer:
    chosen: list[tuple[str, int]] = []
    length = 0
    for text, number in ranked:
        if length + len(text.split()) / 2 <= words:
            chosen.append((text, number))
            length += len(text.split())
    return _quoted(chosen)


def _quoted(sentences: Sequence[tuple[str, int]]) -> Answer:
    parts = tuple(Sentence(text, text, (number,)) for text, number in sentences)
    return Answer(" ".join(part.text for part in parts), parts)
