"""The nouns as plain dictionaries and back: what record files hold, and what `--json` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from expound.errors import BadRecord
from expound.records.json_files import read_lines
from expound.types import (
    Answer,
    Direct,
    Evidence,
    Interpretation,
    Judgment,
    Part,
    Passage,
    Prediction,
    Question,
    Sentence,
    Source,
)

_JUDGMENT = tuple(field.name for field in fields(Judgment))
# What a judgment cannot do without; `_FREE` may be null.
_NAMED = ("study", "form", "item", "question_id", "rater", "criterion")
_FREE = ("choice", "value", "seconds")


def question_id(question: str) -> str:
    """The id of a question that has none: the first 12 hex digits of its sha256."""
    return sha256(question.encode()).hexdigest()[:12]


def passage_record(passage: Passage) -> dict[str, Any]:
    record: dict[str, Any] = {"id": passage.id, "title": passage.title, "text": passage.text}
    if passage.meta:
        record["meta"] = dict(passage.meta)
    if passage.parts:
        record["parts"] = [asdict(part) for part in passage.parts]
    return record


def evidence_record(evidence: Evidence) -> dict[str, Any]:
    # Rounded, so that the last digits of another machine's sums do not make another record.
    read = {} if evidence.relevance is None else {"relevance": round(evidence.relevance, 3)}
    return {"number": evidence.number, "score": round(evidence.score, 6), **read, **placed_record(evidence.passage)}


def placed_record(passage: Passage) -> dict[str, Any]:
    """A passage with the place it stands at."""
    source = passage.source
    where = {"file": source.file, "page": source.page, "heading": source.heading, "url": source.url}
    # Only what is known: a web page has no page number, a file no address.
    found = {name: value for name, value in where.items() if value}
    return {**passage_record(passage), "source": {**found, "start": source.start, "end": source.end}}


def interpretation_record(reading: Interpretation) -> dict[str, Any]:
    record = {"question": reading.question, "answers": list(reading.answers), "citations": list(reading.citations)}
    known = {"type": reading.type or None, "confidence": reading.confidence}
    return record | {name: value for name, value in known.items() if value is not None}


def prediction_record(prediction: Prediction) -> dict[str, Any]:
    """What `ask --json` prints and prediction files hold; `nearest` and `question_kind` only where there are any."""
    record: dict[str, Any] = {
        "id": prediction.id,
        "question": prediction.question,
        "system": prediction.system,
        "answer": answer_record(prediction.answer),
        "interpretations": [interpretation_record(item) for item in prediction.interpretations],
        "evidence": [evidence_record(item) for item in prediction.evidence],
        "abstained": prediction.abstained,
    }
    if prediction.nearest:
        record["nearest"] = [evidence_record(item) for item in prediction.nearest]
    if prediction.question_kind:
        record["question_kind"] = prediction.question_kind
    # Rounded: more digits of a time say nothing.
    return {**record, "seconds": round(prediction.seconds, 3), "meta": dict(prediction.meta)}


def answer_record(answer: Answer) -> dict[str, Any]:
    record: dict[str, Any] = {
        "text": answer.text,
        "sentences": [
            {"text": item.text, "source_text": item.source_text, "citations": list(item.citations), "kind": item.kind}
            for item in answer.sentences
        ],
    }
    if answer.direct:
        record["direct"] = {**asdict(answer.direct), "citations": list(answer.direct.citations)}
    if answer.notes:
        record["notes"] = dict(answer.notes)
    return record


def prediction_from(record: Mapping[str, Any]) -> Prediction:
    """A prediction from its record; a missing or ill-typed field is a KeyError, TypeError or ValueError."""
    return Prediction(
        id=str(record["id"]),
        question=str(record.get("question", "")),
        system=str(record.get("system", "")),
        answer=answer_from(record["answer"]),
        interpretations=tuple(interpretation_from(item) for item in record.get("interpretations", ())),
        evidence=tuple(evidence_from(item) for item in record.get("evidence", ())),
        abstained=bool(record.get("abstained", False)),
        nearest=tuple(evidence_from(item) for item in record.get("nearest", ())),
        question_kind=str(record.get("question_kind", "")),
        seconds=float(record.get("seconds", 0.0)),
        meta=dict(record.get("meta", {})),
    )


def answer_from(record: Mapping[str, Any]) -> Answer:
    return Answer(
        text=str(record["text"]),
        sentences=tuple(_sentence_from(item) for item in record.get("sentences", ())),
        direct=_direct_from(record["direct"]) if record.get("direct") else None,
        notes={str(name): str(note) for name, note in record.get("notes", {}).items()},
    )


def _direct_from(record: Mapping[str, Any]) -> Direct:
    return Direct(str(record["text"]), _numbers(record), float(record.get("confidence", 0.0)))


def _sentence_from(record: Mapping[str, Any]) -> Sentence:
    source_text, kind = str(record.get("source_text", "")), str(record.get("kind", "sentence"))
    # An entry of an earlier version has no kind, and was a sentence.
    return Sentence(str(record["text"]), source_text, _numbers(record), kind)


def _numbers(record: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(map(int, record.get("citations", ())))


def interpretation_from(record: Mapping[str, Any]) -> Interpretation:
    answers = tuple(str(answer) for answer in record["answers"])
    return Interpretation(
        str(record["question"]),
        answers,
        tuple(map(int, record.get("citations", ()))),
        type=str(record.get("type", "")),
        confidence=None if record.get("confidence") is None else float(record["confidence"]),
    )


def evidence_from(record: Mapping[str, Any]) -> Evidence:
    relevance = record.get("relevance")
    read = None if relevance is None else float(relevance)
    return Evidence(passage_from(record), int(record["number"]), float(record.get("score", 0.0)), read)


def passage_from(record: Mapping[str, Any]) -> Passage:
    return Passage(
        id=str(record["id"]),
        text=str(record["text"]),
        title=str(record.get("title", "")),
        source=Source(**record.get("source", {})),
        meta=record.get("meta", {}),
        parts=tuple(Part(**part) for part in record.get("parts", ())),
    )


def question_from(record: Mapping[str, Any]) -> Question:
    """A question line of the layout `qa`."""
    text = str(record["question"])
    return Question(
        # An id that is empty is none.
        id=str(record.get("id") or question_id(text)),
        text=text,
        references=tuple(str(reference) for reference in record.get("references", ())),
        interpretations=tuple(interpretation_from(item) for item in record.get("interpretations", ())),
        evidence=tuple(passage_from(item) for item in record.get("evidence", ())),
        meta=dict(record.get("meta", {})),
    )


def question_record(question: Question) -> dict[str, Any]:
    """A question as a line of the layout `qa`."""
    record: dict[str, Any] = {"id": question.id, "question": question.text, "references": list(question.references)}
    if question.interpretations:
        record["interpretations"] = [interpretation_record(item) for item in question.interpretations]
    if question.evidence:
        record["evidence"] = [passage_record(item) for item in question.evidence]
    return {**record, "meta": dict(question.meta)}


def judgment_record(judgment: Judgment) -> dict[str, Any]:
    """A judgment line: every field by its name."""
    return asdict(judgment)


def judgment_from(record: Mapping[str, Any]) -> Judgment:
    """A judgment from its line; a missing, unknown or ill-typed field is a KeyError, TypeError or ValueError."""
    # A misspelt field would be dropped without a word, and a judgment without its choice counts as left open.
    if unknown := sorted(set(record) - set(_JUDGMENT)):
        raise ValueError(f"unknown field {unknown[0]!r}")
    if missing := [name for name in _NAMED if not isinstance(record.get(name), str) or not record[name]]:
        raise ValueError(f"{missing[0]!r} must be a text and not empty")
    judgment = Judgment(**record)
    if wrong := [name for name in _JUDGMENT if name not in _FREE and not isinstance(getattr(judgment, name), str)]:
        raise ValueError(f"{wrong[0]!r} must be a text")
    _check_judgment(judgment)
    return judgment


def _check_judgment(judgment: Judgment) -> None:
    if judgment.choice not in (None, "a", "b", "tie"):
        raise ValueError(f"'choice' must be a, b, tie or null, not {judgment.choice!r:.40}")
    if judgment.choice is not None and judgment.value is not None:
        raise ValueError("'choice' and 'value' exclude each other")
    if judgment.choice is not None and (not judgment.a or judgment.a == judgment.b or not judgment.b):
        raise ValueError("a choice needs two different systems as 'a' and 'b'")
    if judgment.shown not in ("ab", "ba"):
        raise ValueError(f"'shown' must be ab or ba, not {judgment.shown!r:.40}")
    seconds = judgment.seconds
    # True is an int to Python
    if isinstance(seconds, bool) or not (seconds is None or (isinstance(seconds, int | float) and seconds >= 0)):
        raise ValueError(f"'seconds' must be a number from 0 on or null, not {seconds!r:.40}")


def read_judgments(path: Path) -> Iterator[Judgment]:
    """The judgments of a JSON Lines file."""
    for number, record in read_lines(path):
        try:
            yield judgment_from(record)
        except (TypeError, ValueError) as error:
            raise BadRecord(f"{path}, line {number}: not a judgment ({error})") from error
