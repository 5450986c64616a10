"""The answers of a report for the page's browser: what lists need of every question, and the rest in chunks.

Chunks are gzip in base64, unpacked by the browser when a question of theirs is looked at: a page of 20,000 questions
opens as fast as one of 20.
"""

from __future__ import annotations

import gzip
import json
import math
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from expound.report.answer_concerns import Concerns
from expound.report.reported import Reported, ReportedSystem, domain_of
from expound.score.citations import THRESHOLD, CitedSentence, cited_sentences
from expound.shown.answer_pieces import place_of
from expound.shown.stretches_marked import stretches
from expound.text.support import LexicalSupport
from expound.text.titled import add_title
from expound.types import Evidence, Interpretation, Prediction, Question

ANSWERS_IN_CHUNK = 200
"""Questions whose answers are unpacked together: a search unpacks them all, so they are few and large."""
PASSAGES_IN_CHUNK = 25
"""Questions whose passages are unpacked together: looking at one question should unpack little more than it needs."""


def chunks(reported: Reported) -> dict[str, str]:
    """Every chunk by its name, packed: `index`, `answers-0` and so on, `passages-0` and so on."""
    concerns = Concerns(reported.questions, seed=reported.seed)
    rows = [QuestionRow(question, reported, concerns) for question in reported.questions]
    parts: dict[str, Any] = {"index": _index(reported, rows)}
    for kind, size in (("answers", ANSWERS_IN_CHUNK), ("passages", PASSAGES_IN_CHUNK)):
        for start in range(0, len(rows), size):
            parts[f"{kind}-{start // size}"] = [getattr(row, kind) for row in rows[start : start + size]]
    return {name: pack(content) for name, content in parts.items()}


def pack(content: Any) -> str:
    """JSON, compressed, as text that can stand in a page."""
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    # Without a time: the same report is the same file.
    return b64encode(gzip.compress(text.encode("ascii"), compresslevel=6, mtime=0)).decode("ascii")


class QuestionRow:
    """A question with all its answers, as the page wants them; made once, since passages are shared by systems."""

    def __init__(self, question: Question, reported: Reported, concerns: Concerns) -> None:
        self.question, self._concerns = question, concerns
        self.passages: list[list[str]] = []
        self._places: dict[tuple[str, str], int] = {}
        self.unsupported: list[int | None] = []
        self.checks: list[int] = []
        said = [self._answer(system.predictions.get(question.id), system) for system in reported.systems]
        self.votes = _votes(question.id, reported)
        self.answers = {
            "references": list(question.references),
            "readings": _readings(question.interpretations),
            "answers": said,
            "votes": self.votes,
        }

    def _answer(self, prediction: Prediction | None, system: ReportedSystem) -> dict[str, Any] | None:
        if prediction is None:
            self.unsupported.append(None)
            self.checks.append(0)
            return None
        evidence = {item.number: item for item in prediction.evidence}
        sentences = [(one, is_supported(one, evidence)) for one in cited_sentences(prediction)]
        judged = [is_supported for _, is_supported in sentences if is_supported is not None]
        self.unsupported.append(len(judged) - sum(judged) if judged else None)
        checks = self._concerns.about(self.question, prediction)
        self.checks.append(len(checks))
        return {
            "sentences": [[one.text, list(one.numbers), is_supported] for one, is_supported in sentences],
            "direct": prediction.answer.direct.text if prediction.answer.direct else "",
            "readings": _readings(prediction.interpretations),
            "evidence": [[item.number, self._place(item)] for item in prediction.evidence],
            "marks": _marks(prediction, evidence),
            "checks": checks,
            "error": str(system.errors.get(prediction.id, "")),
            "seconds": round(prediction.seconds, 2),
        }

    def _place(self, item: Evidence) -> int:
        """Where a passage stands among those of the question; each is kept once."""
        # With the text: systems over different corpora may call different passages by the same id.
        key = (item.passage.id, item.passage.text)
        if key not in self._places:
            self._places[key] = len(self.passages)
            self.passages.append([place_of(item), item.passage.text])
        return self._places[key]


def is_supported(sentence: CitedSentence, evidence: Mapping[int, Evidence]) -> bool | None:
    """Whether what a sentence cites supports it, or any passage where it cites none; None without passages."""
    if not evidence:
        return None
    numbers = sentence.numbers or tuple(evidence)
    texts = [
        add_title(evidence[number].passage.title, evidence[number].passage.text)
        for number in numbers
        if number in evidence
    ]
    judge = LexicalSupport()
    # What a sentence cites must support it together; where it cites nothing, any one passage may.
    if sentence.numbers:
        return bool(texts) and judge("\n".join(texts), sentence.text) >= THRESHOLD
    return any(judge(text, sentence.text) >= THRESHOLD for text in texts)


def _marks(prediction: Prediction, evidence: Mapping[int, Evidence]) -> dict[int, list[list[int]]]:
    """By the number of a passage, the stretches of it that the answer's sentences stand on."""
    quoted = {one.text: one.source_text for one in prediction.answer.sentences}
    found: dict[int, set[tuple[int, int]]] = {}
    for sentence in cited_sentences(prediction):
        for number in sentence.numbers:
            if number in evidence:
                text = evidence[number].passage.text
                spans = stretches(text, quoted.get(sentence.text, ""), sentence.text)
                found.setdefault(number, set()).update(spans)
    return {
        number: [[_units(evidence[number].passage.text, place) for place in span] for span in sorted(spans)]
        for number, spans in found.items()
    }


def _units(text: str, place: int) -> int:
    """A place as JavaScript counts: characters beyond the first 65,536 are two there."""
    return place if text.isascii() else len(text[:place].encode("utf-16-le", "surrogatepass")) // 2


def _readings(readings: Sequence[Interpretation]) -> list[list[Any]]:
    return [[reading.question, list(reading.answers)] for reading in readings]


def _votes(question: str, reported: Reported) -> list[list[Any]]:
    judgments = reported.people.by_question.get(question, ()) if reported.people else ()
    return [[one.rater, one.criterion, one.a, one.b, one.choice, one.value, one.comment] for one in judgments]


def _index(reported: Reported, rows: Sequence[QuestionRow]) -> dict[str, Any]:
    """What lists, sorting and places in a distribution need of every question."""
    ids = [row.question.id for row in rows]
    return {
        "ids": ids,
        "questions": [row.question.text for row in rows],
        "metrics": reported.metrics,
        "systems": [
            {**_system(system, ids, reported.metrics), "checks": [row.checks[place] for row in rows]}
            for place, system in enumerate(reported.systems)
        ],
        "unsupported": [[row.unsupported[place] for row in rows] for place in range(len(reported.systems))],
        "answersInChunk": ANSWERS_IN_CHUNK,
        "passagesInChunk": PASSAGES_IN_CHUNK,
        "domains": _domains([row.question for row in rows], reported),
        "votes": [len(row.votes) for row in rows] if reported.people else [],
        "choices": [_choices(row.question.id, reported) for row in rows] if reported.people else [],
    }


def _domains(questions: Sequence[Question], reported: Reported) -> list[str]:
    """What every question is about, where dataset or judgments tell; nothing where all are the same."""
    found = [domain_of(question, reported) for question in questions]
    return found if len(set(found)) > 1 else []


def _choices(question: str, reported: Reported) -> list[list[int]]:
    """What people preferred of a question's answers, as places of systems: the preferred one, and the other."""
    place = {system.name: number for number, system in enumerate(reported.systems)}
    judgments = reported.people.by_question.get(question, ()) if reported.people else ()
    sides = [((one.a, one.b) if one.choice == "a" else (one.b, one.a)) for one in judgments if one.choice in ("a", "b")]
    return [[place[name] for name in pair] for pair in sides]


def _system(system: ReportedSystem, ids: Sequence[str], metrics: Sequence[str]) -> dict[str, Any]:
    values = [system.results[name].per_question if name in system.results else {} for name in metrics]
    return {
        "name": system.name,
        "letter": system.letter,
        "words": list(_words(system, ids)),
        "scores": [[_round_score(found.get(id)) for id in ids] for found in values],
    }


def _words(system: ReportedSystem, ids: Sequence[str]) -> Iterator[int | None]:
    for id in ids:
        prediction = system.predictions.get(id)
        yield None if prediction is None else len(prediction.answer.text.split())


def _round_score(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else round(value, 2)
