"""A legal line for every command: what the rows of the table put something odd into.

Files are those of `fuzz_world`; `OUT` is a place where nothing is yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

QUESTION = "Which countries does the Danube flow through?"
OUT = "out"


class Line(NamedTuple):
    """What stands behind a command: its arguments in their order, and the options that it should have."""

    arguments: tuple[str, ...] = ()
    options: str = ""


_PAIR = ("a.jsonl", "b.jsonl")
_DRY = "--base base --dry-run --out out"
_TABLE = "--dataset {}:{} --out out"
_FILES = "--format markdown"
_SHIPPED = (
    "--out out --passages passages.jsonl --squad squad2.json --asqa-train asqa_train.json --ambignq-train ambignq.json "
    "--nq-open-train nq-open.jsonl --nq-gold nq_gold.jsonl --asqa-dev asqa.json --ambignq-dev ambignq.json"
)

LINES: Mapping[str, Line] = {
    "ask": Line((QUESTION,), "--corpus toys --model none"),
    "search": Line((QUESTION,), "--corpus toys"),
    "show": Line(("1",), "--corpus toys"),
    "clarify": Line((QUESTION,), "--corpus toys --model none"),
    "corpus add": Line(("letter.txt",), "--name letters"),
    "corpus list": Line(),
    "corpus show": Line(("toys",)),
    "corpus remove": Line(("toys",)),
    "index info": Line(("toys",)),
    "index build": Line(("toys",)),
    "datasets list": Line(),
    "datasets info": Line(("qa:qa.jsonl",)),
    "datasets import": Line(("qa:qa.jsonl",), "--name mine"),
    "datasets stats": Line(("qa:qa.jsonl",)),
    "datasets sample": Line(("qa:qa.jsonl",)),
    "build web": Line(("crawl.warc",), "--out out"),
    "build passages": Line(("dump.xml",), "--out out"),
    "build eli5": Line((), "--submissions posts.jsonl --comments comments.jsonl --parts 2 --out out"),
    "build contexts": Line((), "--dataset asqa:viewed.json --corpus toys --out out"),
    "build split": Line((), "--dataset qa:qa.jsonl --train qa:qa.jsonl --no-vectors --out out"),
    "score": Line(("a.jsonl",), "--dataset qa:qa.jsonl --metric str_em"),
    "compare": Line(_PAIR, "--dataset qa:qa.jsonl --metric str_em --samples 20"),
    "run": Line(("plan.toml",), "--out out"),
    "runs list": Line(("runs",)),
    "runs compare": Line(("runs/a", "runs/b"), "--profile nq-open --samples 20"),
    "audit predictions": Line(("a.jsonl",), "--dataset qa:qa.jsonl --metric str_em --out out"),
    "audit split": Line(("qa:qa.jsonl",), "--no-vectors --share 0.5 --out out"),
    "report": Line(_PAIR, "--dataset qa:qa.jsonl --metric str_em --samples 20 --out out.html"),
    "judge": Line(_PAIR, "--dataset qa:qa.jsonl --model smollm2-135m --out out.jsonl"),
    "meta": Line((), "--people xu2023:xu2023.jsonl --metric Length()"),
    "models list": Line(),
    "models get": Line(("minilm",)),
    "models info": Line(("minilm",)),
    "models remove": Line(("minilm",)),
    "models cache": Line(),
    "study new": Line(("new.toml",), "--form asqa-pairwise -p a.jsonl -p b.jsonl --dataset qa:qa.jsonl"),
    "study serve": Line(("study.toml",), "--port 0"),
    "study status": Line(("study.toml",)),
    "study export": Line(("study.toml",), "--out out.jsonl"),
    "study import": Line(("study.toml", "sheet.csv")),
    "study analyze": Line(("judgments.jsonl",), "--out out.html --samples 20"),
    "study check": Line(("study.toml",)),
    "study published": Line(("new.toml", "xu2023:xu2023.jsonl")),
    "study masked": Line(("study.toml",), "--model smollm2-135m"),
    "study power": Line(),
    "study backup": Line(("study.toml",), "--out out.db"),
    "serve": Line((), "--corpus toys --model none --port 0"),
    "train reader": Line((), f"--train squad2.json --dev squad2.json {_DRY}"),
    "train ranker": Line((), f"--train groups.jsonl --dev groups.jsonl {_DRY}"),
    "train retriever": Line((), f"--train groups.jsonl --dev groups.jsonl {_DRY}"),
    "train tagger": Line((), f"--train tags.jsonl --dev tags.jsonl {_DRY}"),
    "train rewriter": Line((), f"--train rewrites.jsonl --dev rewrites.jsonl {_DRY}"),
    "train nli": Line((), f"--train nli.jsonl --dev nli.jsonl {_DRY}"),
    "train sentences": Line((), f"--train qa:qa.jsonl --corpus toys {_DRY}"),
    "train preference": Line((), f"--people xu2023:xu2023.jsonl {_DRY}"),
    "train answers": Line((), f"--full answers.jsonl --partial known.jsonl {_DRY}"),
    "train writer": Line((), f"--train rows.jsonl --dev rows.jsonl --k 1 {_DRY}"),
    "train reader-data": Line((), _SHIPPED),
    "train ranker-data": Line((), _SHIPPED),
    "train document-data": Line((), "--sets sets --out out"),
    "train answer-data": Line(
        (), "--full ambignq:ambignq.json --partial nq-open:nq-open.jsonl --corpus toys --out out"
    ),
    "train writer-data": Line((), "--train qa:qa.jsonl --corpus toys --held-out 0 --out out"),
    "train rewriter-data": Line((), "--train ambignq:ambignq.json --corpus toys --out rewrites-out.jsonl"),
    "train pair-data": Line(("qa:qa.jsonl",), "--keep-out kilt:kilt.jsonl --out out"),
    "train choice-rows": Line((), "--people xu2023:xu2023.jsonl --out rows-out.jsonl"),
    "train writer-figures": Line(("rows.jsonl",), "--model writer"),
    "train writer-attention": Line(("rows.jsonl",), "--model writer"),
    "train reader-figures": Line(("squad2.json",)),
    "recipe all": Line((), "--data data --out out"),
    "recipe asqa-extractive": Line(("passages.jsonl", "asqa.json"), "--out out"),
    "recipe clapnq-abstention": Line(("clapnq.jsonl", "clapnq.jsonl"), "--out out"),
    "recipe documents-qa": Line((), "--set docfaq --data sets"),
    "recipe real-documents": Line((), "--data documents --suite suite"),
    "recipe asqa-tables-1-2": Line((), "--dataset asqa:asqa.json"),
    "recipe ambigqa-table2": Line((), "--dataset ambignq:ambignq.json"),
    "recipe asqa-table3": Line((), _TABLE.format("asqa", "asqa.json")),
    "recipe asqa-figure3": Line((), _TABLE.format("asqa", "asqa.json")),
    "recipe eli5-table3": Line((), _TABLE.format("eli5", "eli5.json")),
    "recipe hurdles-table7": Line((), _TABLE.format("kilt", "kilt.jsonl") + " --train kilt:kilt.jsonl"),
    "recipe ambigqa-table4": Line((), _TABLE.format("ambignq", "ambignq.json")),
    "recipe ambignq-readings": Line((), "--dataset ambignq:ambignq.json --corpus toys"),
    "recipe asqa-table4": Line(),
    "recipe asqa-table5": Line(),
    "recipe critical-table4": Line(("xu2023.jsonl", "qa-feedback.jsonl"), _FILES),
    "recipe critical-table11": Line(("xu2023.jsonl",), _FILES),
    "recipe preference-left-out": Line(
        ("qa-feedback.jsonl", "haluquestqa.jsonl", "ragchecker.jsonl", "alce.jsonl", "wikieval.jsonl"),
        _FILES + " --out out",
    ),
    "recipe nli-accuracy": Line(("nli.jsonl",) * 5, _FILES + " --out out"),
    "recipe critical-figure3": Line(("xu2023.jsonl", "qa-feedback.jsonl"), _FILES),
    "recipe ambigqa-table3": Line(("answers.jsonl", "known.jsonl"), _TABLE.format("ambignq", "ambignq.json")),
    "recipe ambigqa-table8": Line((), _TABLE.format("nq-open", "nq-open.jsonl")),
    "recipe clarify-models": Line((), _TABLE.format("ambignq", "ambignq.json")),
    "recipe written-models": Line((), _TABLE.format("asqa", "asqa.json")),
    "recipe eli5-table3-web": Line((), _TABLE.format("eli5", "eli5.json")),
    "recipe eli5-writers": Line(("rows.jsonl", "rows.jsonl"), _FILES + " --out out"),
    "recipe eli5-writer-control": Line(("rows.jsonl", "rows.jsonl"), _FILES + " --out out"),
    "recipe eli5-figure7-data": Line(("rows.jsonl", "rows.jsonl"), _FILES + " --row 25% --out out"),
    "recipe asqa-writers": Line(("rows.jsonl",), _TABLE.format("asqa", "asqa.json")),
    "recipe eli5-figure7": Line((), _TABLE.format("eli5", "eli5.json")),
    "recipe eli5-figure8": Line((), _TABLE.format("eli5", "eli5.json")),
    "recipe ambigqa-table6": Line(("ambignq.json", "readings.json"), _FILES),
    "recipe reader-calibration": Line(("asqa.json", "outputs.jsonl"), _FILES),
    "recipe support-checks": Line(("labels.jsonl", "documents.json", "altered.jsonl", "asqa-train.json"), _FILES),
    "recipe hurdles-tables-2-4": Line(("answers.json", "documents.json"), _FILES),
    "recipe hurdles-table4": Line(("answers.json", "documents.json"), _FILES),
    "recipe hurdles-random-documents": Line(("answers.json", "documents.json"), _FILES),
    "recipe hurdles-tables": Line((), _TABLE.format("qa", "qa.jsonl") + " --train qa:qa.jsonl"),
    "recipe hurdles-table8": Line((), _TABLE.format("qa", "qa.jsonl") + " --train qa:qa.jsonl"),
    "recipe hurdles-table5": Line(("eli5-category.jsonl", "eli5-category.jsonl"), _FILES),
    "recipe eli5-table1": Line(("posts.jsonl", "forum-category.jsonl", "forum-category.jsonl"), _FILES),
    "recipe eli5-support-curve": Line((), "--dataset eli5:eli5.json"),
    "recipe asqa-contexts": Line((), "--dataset asqa:viewed.json --corpus toys"),
    "recipe hurdles-table11": Line(("outputs-of-people.jsonl",), _FILES),
    "recipe hurdles-paraphrase": Line(
        ("mrpc.jsonl", "mrpc.jsonl", "eli5-category.jsonl", "eli5-category.jsonl"), _FILES
    ),
}

USUAL_FILES: Mapping[str, str] = {
    "--short-answers": "short.json",
    "--no-answer-probabilities": "chances.json",
    "--log-probabilities": "logs.json",
    "--fills": "fills.json",
    "--retrievals": "retrievals.jsonl",
    "--random": "a.jsonl",
    "--against": "b.jsonl",
    "--plan": "plan.toml",
    "--items": "study.items.jsonl",
    "--from": "study.toml",
    "--training": "study.items.jsonl",
    "--exam": "study.items.jsonl",
    "--gold": "study.items.jsonl",
    "--attention": "study.items.jsonl",
    "--clapnq": "clapnq.jsonl",
    "--evidence": "retrievals.jsonl",
}
"""What options that a legal line can do without would be given."""
