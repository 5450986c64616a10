"""Anyone's answers to predictions: the official layouts as they are, told apart by what they look like.

A JSON file is `{id: answer}` (ASQA, SQuAD), `{id: [short answer, …]}` or `{id: [{"question", "answer"}, …]}` (AmbigQA),
or a list of records. JSON Lines hold our own records, KILT's, or plain ones: an id, or the question, and an answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from expound.datasets.fields import WRONG, fields, identifier, items, reason, text
from expound.datasets.kilt import page_ids
from expound.errors import BadInput, BadRecord
from expound.records import is_lines, prediction_from, question_id, read_json, read_lines
from expound.types import Answer, Evidence, Interpretation, Passage, Prediction

PREDICTIONS = "predictions.jsonl"
"""The answers in the folder of a run."""
_ANSWER_NAMES = ("answer", "output", "prediction")


def read_predictions(path: Path) -> Iterator[Prediction]:
    """The predictions of a file, gzip or not, or of a run's folder; one at a time where the file has one a line."""
    path = answers_file(path)
    if is_lines(path):
        return _from_records(path, read_lines(path), "line")
    content = read_json(path)
    if isinstance(content, list):
        return _from_records(path, enumerate(content, start=1), "record")
    # One record by itself: an answer, and no question whose id is "answer".
    if isinstance(content, dict) and any(name in content for name in _ANSWER_NAMES):
        return _from_records(path, [(1, content)], "record")
    if isinstance(content, dict) and content:
        return predictions_from(content, str(path), system=path.name.partition(".")[0])
    raise BadInput(f"{path} holds no predictions: expected {{id: answer}} or one record a line")


def answers_file(path: Path) -> Path:
    """The file with the answers: the path itself, or the one in it where it is the folder of a run."""
    return path / PREDICTIONS if (path / PREDICTIONS).is_file() else path


def predictions_from(answers: Mapping[str, object], where: str, *, system: str = "") -> Iterator[Prediction]:
    """The predictions of `{id: answer}`; `where` is named when an answer is not one."""
    for id, value in answers.items():
        try:
            yield _prediction(identifier(id), value, system)
        except WRONG as error:
            raise BadInput(f"{where}: the answer to {id!r} cannot be read ({reason(error)})") from error


def with_meta(
    predictions: Iterable[Prediction], name: str, values: Mapping[str, object], *, where: str = ""
) -> Iterator[Prediction]:
    """The predictions, each with its entry of a side file under that name in `meta`.

    Where the side file has none, the prediction stays as it is, or is an error if `where` names the file.
    """
    for prediction in predictions:
        if prediction.id in values:
            yield replace(prediction, meta={**prediction.meta, name: values[prediction.id]})
        elif where:
            raise BadInput(f"{where} has no entry for {prediction.id!r}")
        else:
            yield prediction


def _from_records(path: Path, records: Iterable[tuple[int, Any]], what: str) -> Iterator[Prediction]:
    found = False
    for number, record in records:
        try:
            yield _from_record(fields(record))
        except WRONG as error:
            raise BadRecord(f"{path}, {what} {number}: not a prediction ({reason(error)})") from error
        found = True
    if not found:
        raise BadInput(f"{path} holds no predictions")


def _from_record(record: Mapping[str, Any]) -> Prediction:
    if isinstance(record.get("answer"), dict):
        # Checked before it is read: `null` there would become the word "None" in the answer.
        text(record["answer"]["text"])
        return prediction_from(record)
    id = identifier(record["id"]) if "id" in record else question_id(text(record["question"]))
    system = text(record.get("system", ""))
    value = next((record[name] for name in _ANSWER_NAMES if name in record), None)
    return _kilt(id, value, system) if _is_kilt(value) else _prediction(id, value, system)


def _prediction(id: str, value: object, system: str) -> Prediction:
    if isinstance(value, list):
        return Prediction(
            id=id,
            question="",
            system=system,
            answer=Answer(),
            interpretations=tuple(_make_reading(item) for item in value),
        )
    return Prediction(id=id, question="", system=system, answer=Answer(text(value)))


def _make_reading(item: object) -> Interpretation:
    if isinstance(item, dict):
        return Interpretation(text(item["question"]), (text(item["answer"]),))
    return Interpretation("", (text(item),))


def _is_kilt(value: object) -> bool:
    # AmbigQA's lists of pairs have questions, KILT's outputs have none: nothing else tells them apart.
    return isinstance(value, list) and any(isinstance(item, dict) and "question" not in item for item in value)


def _kilt(id: str, outputs: object, system: str) -> Prediction:
    """The one output of a KILT guess: an answer and the pages behind it, best first; either may be missing."""
    # KILT's scorer looks at the first output only, and refuses guesses that have more of them.
    output = fields(items(outputs)[0])
    pages = page_ids(output.get("provenance", []))
    evidence = tuple(
        # The official file has no scores: a falling one keeps its order.
        Evidence(Passage(page or "", "", meta={} if page is None else {"wikipedia_id": page}), number, -float(number))
        for number, page in enumerate(pages, start=1)
    )
    return Prediction(
        id=id, question="", system=system, answer=Answer(text(output.get("answer", ""))), evidence=evidence
    )


def read_short_answers(path: Path) -> dict[str, dict[int, tuple[str, ...]]]:
    """ASQA's short answers, `{"<id>_<index>": answer or answers}`, by question and index of the reading."""
    found: dict[str, dict[int, tuple[str, ...]]] = {}
    for key, value in _entries(path):
        # From the right: ids of ASQA hold no underscore, those of other datasets may.
        id, _, index = key.rpartition("_")
        try:
            answers = tuple(text(item) for item in value) if isinstance(value, list) else (text(value),)
            found.setdefault(identifier(id), {})[int(index)] = answers
        except WRONG as error:
            raise BadInput(f"{path}: {key!r} is not <id>_<index> with a short answer ({reason(error)})") from error
    return found


def read_probabilities(path: Path) -> dict[str, float]:
    """How sure a system is that a question has no answer, `{id: probability}`."""
    return {id: _number(path, id, value) for id, value in _entries(path)}


def read_log_probabilities(path: Path) -> dict[str, list[float]]:
    """A language model's natural-log probability of every token of the reference, `{id: [number, …]}`."""
    found = {id: [_number(path, id, item) for item in _items_of(path, id, value)] for id, value in _entries(path)}
    for id, values in found.items():
        # Mostly base-2 logarithms with the sign lost, or probabilities: perplexity would come out as a plausible
        # number.
        if any(value > 0 for value in values):
            raise BadInput(f"{path}: the logarithm of a probability is not above 0, but one of {id!r} is")
    return found


def read_fills(path: Path) -> dict[str, list[dict[str, str]]]:
    """Words that a model put into gaps, `{id: [{"gold", "predicted"}, …]}`."""
    return {id: [_fill(path, id, item) for item in _items_of(path, id, value)] for id, value in _entries(path)}


def _entries(path: Path) -> Iterable[tuple[str, object]]:
    content = read_json(path)
    if not isinstance(content, dict):
        raise BadInput(f"{path} must be a JSON object with an entry for each id")
    return content.items()


def _items_of(path: Path, id: str, value: object) -> list[Any]:
    if not isinstance(value, list):
        raise BadInput(f"{path}: the entry of {id!r} must be a list")
    return value


def _number(path: Path, id: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadInput(f"{path}: the entry of {id!r} must be a number, found {value!r:.40}")
    return float(value)


def _fill(path: Path, id: str, item: object) -> dict[str, str]:
    try:
        return {name: text(fields(item)[name]) for name in ("gold", "predicted")}
    except WRONG as error:
        raise BadInput(f"{path}: a gap of {id!r} cannot be read ({reason(error)})") from error
