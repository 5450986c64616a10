"""Records as JSON Lines: what is read is checked once, here, and a bad line is named with its file."""

from __future__ import annotations

import gzip
import json
import platform
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from expound.errors import BadInput, BadRecord
from expound.files import sha256_of, written_whole
from expound.types import Answer, Evidence, Interpretation, Passage, Prediction, Question, Sentence, Source
from expound.version import __version__

# Fields that may differ between two runs that are otherwise the same.
VOLATILE = ("seconds", "started", "finished", "python", "platform")


def question_id(question: str) -> str:
    """The id of a question that has none: the first 12 hex digits of its sha256."""
    return sha256(question.encode()).hexdigest()[:12]


# -- records to and from plain dictionaries


def passage_record(passage: Passage) -> dict[str, Any]:
    record: dict[str, Any] = {"id": passage.id, "title": passage.title, "text": passage.text}
    if passage.meta:
        record["meta"] = dict(passage.meta)
    return record


def evidence_record(evidence: Evidence) -> dict[str, Any]:
    source = evidence.passage.source
    where = {"file": source.file, "page": source.page, "heading": source.heading, "url": source.url}
    return {
        "number": evidence.number,
        "score": round(evidence.score, 6),
        **passage_record(evidence.passage),
        "source": {**{name: value for name, value in where.items() if value}, "start": source.start, "end": source.end},
    }


def prediction_record(prediction: Prediction) -> dict[str, Any]:
    """What `ask --json` prints and prediction files hold."""
    return {
        "id": prediction.id,
        "question": prediction.question,
        "system": prediction.system,
        "answer": {
            "text": prediction.answer.text,
            "sentences": [
                {"text": item.text, "source_text": item.source_text, "citations": list(item.citations)}
                for item in prediction.answer.sentences
            ],
        },
        "interpretations": [
            {"question": item.question, "answers": list(item.answers), "citations": list(item.citations)}
            for item in prediction.interpretations
        ],
        "evidence": [evidence_record(item) for item in prediction.evidence],
        "abstained": prediction.abstained,
        "seconds": round(prediction.seconds, 3),
        "meta": dict(prediction.meta),
    }


def prediction_from(record: Mapping[str, Any]) -> Prediction:
    """A prediction from its record; a missing or ill-typed field is a KeyError, TypeError or ValueError."""
    answer = record["answer"]
    return Prediction(
        id=str(record["id"]),
        question=str(record.get("question", "")),
        system=str(record.get("system", "")),
        answer=Answer(str(answer["text"]), tuple(_sentence_from(item) for item in answer.get("sentences", ()))),
        interpretations=tuple(interpretation_from(item) for item in record.get("interpretations", ())),
        evidence=tuple(evidence_from(item) for item in record.get("evidence", ())),
        abstained=bool(record.get("abstained", False)),
        seconds=float(record.get("seconds", 0.0)),
        meta=dict(record.get("meta", {})),
    )


def _sentence_from(record: Mapping[str, Any]) -> Sentence:
    return Sentence(
        str(record["text"]), str(record.get("source_text", "")), tuple(map(int, record.get("citations", ())))
    )


def interpretation_from(record: Mapping[str, Any]) -> Interpretation:
    answers = tuple(str(answer) for answer in record["answers"])
    return Interpretation(str(record["question"]), answers, tuple(map(int, record.get("citations", ()))))


def evidence_from(record: Mapping[str, Any]) -> Evidence:
    return Evidence(passage_from(record), int(record["number"]), float(record.get("score", 0.0)))


def passage_from(record: Mapping[str, Any]) -> Passage:
    source = Source(**record.get("source", {}))
    return Passage(str(record["id"]), str(record["text"]), str(record.get("title", "")), source, record.get("meta", {}))


def question_from(record: Mapping[str, Any]) -> Question:
    """A question line of the layout `qa`."""
    text = str(record["question"])
    return Question(
        id=str(record.get("id") or question_id(text)),
        text=text,
        references=tuple(str(reference) for reference in record.get("references", ())),
        interpretations=tuple(interpretation_from(item) for item in record.get("interpretations", ())),
        evidence=tuple(passage_from(item) for item in record.get("evidence", ())),
        meta=dict(record.get("meta", {})),
    )


# -- files


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines file (gzipped or not) with their line numbers."""
    try:
        with open_text(path) as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, _object(line, path, number)
    except (UnicodeDecodeError, EOFError, gzip.BadGzipFile) as error:
        raise BadInput(f"{path}: not a readable text file ({error})") from error
    except FileNotFoundError as error:
        raise BadInput(f"no such file: {path}") from error


def read_predictions(path: Path) -> Iterator[Prediction]:
    """The predictions of a record file."""
    for number, record in read_lines(path):
        try:
            yield prediction_from(record)
        except (KeyError, TypeError, ValueError) as error:
            raise BadRecord(f"{path}, line {number}: not a prediction record ({_reason(error)})") from error


def write_records(path: Path, records: Iterable[Mapping[str, Any]], *, spec: Mapping[str, Any], seed: int = 0,
                  inputs: Sequence[Path] = ()) -> int:  # fmt: skip
    """Write records, then their manifest: its presence means that the file is finished. Returns how many."""
    started = time.time()
    count = 0
    with written_whole(path) as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            count += 1
    write_manifest(path, spec=spec, seed=seed, inputs=inputs, count=count, started=started)
    return count


def write_manifest(path: Path, *, spec: Mapping[str, Any], seed: int, inputs: Sequence[Path], count: int,
                   started: float) -> None:  # fmt: skip
    """What made a record file: spec, seed, input hashes, versions, counts, times."""
    manifest = {
        "file": path.name,
        "sha256": sha256_of(path),
        "count": count,
        "spec": dict(spec),
        "seed": seed,
        "inputs": {str(item): sha256_of(item) for item in inputs},
        "expound": __version__,
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "started": round(started, 3),
        "finished": round(time.time(), 3),
    }
    with written_whole(manifest_path(path)) as file:
        json.dump(manifest, file, ensure_ascii=False, indent=1)
        file.write("\n")


def manifest_path(path: Path) -> Path:
    return path.with_name(path.name + ".manifest.json")


def open_text(path: Path) -> IO[str]:
    """A text file, unpacked on the way if its name ends in `.gz`."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig")
    return path.open(encoding="utf-8-sig")


def _object(line: str, path: Path, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise BadRecord(f"{path}, line {number}: not JSON ({error})") from error
    if not isinstance(value, dict):
        raise BadRecord(f"{path}, line {number}: a JSON object is needed, not {type(value).__name__}")
    return value


def _reason(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)
