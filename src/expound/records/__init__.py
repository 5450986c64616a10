"""Records as JSON Lines, in and out, with the manifests that say how they were made."""

from __future__ import annotations

from expound.records.as_dictionaries import (
    answer_from,
    answer_record,
    evidence_from,
    evidence_record,
    interpretation_from,
    interpretation_record,
    judgment_from,
    judgment_record,
    passage_from,
    passage_record,
    placed_record,
    prediction_from,
    prediction_record,
    question_from,
    question_id,
    read_judgments,
)
from expound.records.json_files import (
    is_lines,
    parse_json,
    read_json,
    read_lines,
    read_toml,
    read_whole,
    readable,
    without_surrogates,
)
from expound.records.record_files import (
    VOLATILE,
    manifest_path,
    write_manifest,
    write_records,
)

__all__ = [
    "VOLATILE",
    "answer_from",
    "answer_record",
    "evidence_from",
    "evidence_record",
    "interpretation_from",
    "interpretation_record",
    "is_lines",
    "judgment_from",
    "judgment_record",
    "manifest_path",
    "parse_json",
    "passage_from",
    "passage_record",
    "placed_record",
    "prediction_from",
    "prediction_record",
    "question_from",
    "question_id",
    "read_json",
    "read_judgments",
    "read_lines",
    "read_toml",
    "read_whole",
    "readable",
    "without_surrogates",
    "write_manifest",
    "write_records",
]
