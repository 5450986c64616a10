"""The public face: what `import expound` and each package give, no name that is two things, and a call a command."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

import expound
from expound.cli import COMMANDS, build_app

FACES = {
    "expound": (
        "Answer Comparison Evidence Interpretation Judgment MetricResult Passage Prediction Question Sentence "
        "System __version__ ask compare open_system run search"
    ),
    "expound.agreement": (
        "Agreement Analysis Settings agreement analysis_record analyze answers_f1 bradley_terry choice_labels "
        "collect_ratings flip judgments_from length_bias lengths_of majority pairs points reliabilities side_bias "
        "value_labels"
    ),
    "expound.answer": (
        "Choice ClosedBook Command Composed Extractive Http Lengths ListAnswers NearestAnswer OpenBook OracleBook "
        "RandomAnswer ReaderSentences RepeatQuestion Rules SentenceWeights SignScorer SupportDocument "
        "TfidfSentences TopPassages TrainedWriter Written"
    ),
    "expound.audit": (
        "Audit AuditRequest CONTROLS Inputs PAGE Split Verdict Wanted audit audit_record run_controls split "
        "write_audit write_split"
    ),
    "expound.bounds": "BestGold BestOfTopK LongestGold LongestOfTopK Oracle OracleSentences",
    "expound.build": (
        "Building ContextRequest ContextRules ExtractPages FindSupport ForumRequest ForumResult ForumRules Names "
        "OutPlace Shard ShardEngine ShardWriter SplitRequest SplitRules Stage StageResult build_contexts build_eli5 "
        "build_passages build_split build_web choose_engine list_inputs open_build read_table"
    ),
    "expound.clarify": (
        "AnswersFirst AsAsked Editing Ensemble EvidenceOnly Founding GoldAnswers GoldAnswersPromptQuestion "
        "PromptQuestion QuestionFirst Reach Thresholded WrittenAnswers follow_prediction "
        "follow_up"
    ),
    "expound.cli": "COMMANDS build_app execute main",
    "expound.corpus": (
        "Corpus Fetched SAMPLER Summary add corpus_names default_embedder default_passage_ranker "
        "default_ranker describe_corpus "
        "describe_index fetch_address host_of is_address list_corpora list_indexes name_for needed_files "
        "open_corpora open_corpus open_named other_language rebuild remove vector_store"
    ),
    "expound.corpus.read": "Block Document can_read iter_visible_files read_file",
    "expound.datasets": (
        "Imported dataset_record describe_dataset describe_layouts import_dataset imported_datasets layouts "
        "open_dataset open_judged open_preferences read_dataset read_predictions sample_dataset without_leaks"
    ),
    "expound.index": "CachedEmbedder CachedRanker DenseIndex LexicalIndex VectorStore build_dense",
    "expound.judge": (
        "JudgeCheck JudgeItem JudgeReport JudgeRequest JudgeSide Pairwise Rubric TwoShot audit_judge audit_table "
        "forecast_judge hold_court judge rows_table write_judge_page"
    ),
    "expound.meta": (
        "Meta MetaRow People PreferenceRequest base_files facts_of learn_preference meta metric_resources people_from "
        "rehearse_preference summary_table write_choice_rows write_page"
    ),
    "expound.models": (
        "Cleared CrossEncoder Decoding MiniLM Prices ReplyCache Sampling SpanReader StaticEmbedder choose_model "
        "clear_replies default_passage_ranker default_ranker default_reader default_static describe_model list_models "
        "open_gguf open_reader open_text_model"
    ),
    "expound.pages": (
        "AddHeaders CachedFiles HEADERS Html IN_ONE_FILE IN_ONE_FILE_SERVED LimitBody Limiter OF_TEMPLATES Signer "
        "UnderBase anchor escape fold heading join_html marked_text open_templates page paragraph plot put_label "
        "stacked_bars table tag template_at verdict_list"
    ),
    "expound.prompts": "check_model prompt quote quote_lines version",
    "expound.recipes": (
        "Attempt Ingredients LISTED Measurement Recipe check check_surroundings find_all find_recipe "
        "import_with_evidence measure measure_all measure_dataset plot_statistics resources_of_all"
    ),
    "expound.report": "FORMATS ReportRequest Reported ReportedSystem check_place report report_text write_report",
    "expound.retrieve": "Dense Given Hybrid Lexical Neighbour Nothing near_each_other",
    "expound.runs": "Plan Run RunState compare_runs dataset_of find_runs read_plan read_run runs_table",
    "expound.score": (
        "AlwaysHuman BartScore BertScore Bleurt CitationPrecision CitationRecall Debris DistinctN Dr Eli5Rouge "
        "ExactMatch F1Answer F1Bleu F1EditF1 Factuality Fill1 FleschEase FleschKincaid JudgedBy KiltAnswer Length "
        "MiniLmBertScore ModelPerplexity Nli NliSupport Options Perplexity Precision Preference Profile QaAnswer "
        "QaFactEval QuestionLikelihood RPrecision Random RankGen ReaderSupport Recall Released Repetition Rouge "
        "Rouge20 Scorer Scores SelfBleu Sentences SideFiles Similarity SquadAnswer SquadAveragePrecision SquadBest "
        "StrEm Success choose_profile compare find_profile name_systems score scoring_resources with_official_aggregate"
    ),
    "expound.shown": (
        "cells_of explanation first_words footer list_cited nearest paragraphs place_of prediction_markdown quotes"
    ),
    "expound.serve": (
        "Desk Limits ServeSettings address build_front check_openness check_runs entrance open_desk open_server "
        "read_password serve"
    ),
    "expound.stats": (
        "Figure PairedDifference Strengths binomial_test cohen fleiss interval intervals items_for_mean "
        "items_for_preference kendall_b kendall_c mean mean_power paired_difference pearson pooled_figure "
        "preference_power randolph ratio share sign_test spearman strengths wilson"
    ),
    "expound.records": (
        "VOLATILE answer_from answer_record evidence_from evidence_record interpretation_from interpretation_record "
        "is_lines judgment_from judgment_record manifest_path parse_json passage_from passage_record placed_record "
        "prediction_from prediction_record question_from question_id question_record read_json read_judgments "
        "read_lines read_toml read_whole readable without_nan without_surrogates write_manifest write_records"
    ),
    "expound.study": (
        "Collected Earlier Field ForeignAnswer Form FormExport Item ItemSources Option Problem Study SystemAnswer "
        "View YES_NO analyze_source analyze_study back_up check_blinding export_file export_text find_form form_names "
        "import_answers judgments_of links listen listen_for_all look_at make_published make_study masked_test "
        "mount_studies open_study read_annotations read_earlier read_sheet scale serve_studies serve_study "
        "sides status_of take_in write_analysis"
    ),
    "expound.study.design": (
        "Collected Earlier Field Form FormExport Item ItemSources Option Problem SystemAnswer View YES_NO "
        "check_blinding find_form form_names make_study scale sides"
    ),
    "expound.study.engine": "ForeignAnswer Study back_up open_study read_earlier take_in",
    "expound.study.out": (
        "analyze_source analyze_study export_file export_text import_answers judgments_of look_at make_published "
        "masked_test read_annotations read_sheet status_of write_analysis"
    ),
    "expound.study.web": "links listen listen_for_all mount_studies serve_studies serve_study",
    "expound.testing": "FixedScorer TOY_ARTICLES WordEmbedder WordRanker evidence_of write_jsonl write_toy_folder",
    "expound.text": (
        "LexicalSupport ParaphraseScorer as_csv as_latex as_markdown contains_answer content_stems coverage "
        "expected_type find_splitter is_time_dependent load_scorer normalize_answer sentence_spans split_sentences "
        "treebank_words"
    ),
    "expound.train": (
        "CotrainRequest Description Loss NLI RANKER READER RETRIEVER SENTENCES TAGGER TrainingFiles TrainingRequest "
        "TrainingSettings WRITER WriterMeasure WriterRequest WriterSettings choose_lengths cotrain fulfil "
        "measure_attention measure_reader measure_writer needed_files rehearse rehearse_cotrain "
        "rehearse_writer train train_writer"
    ),
    "expound.train.data": (
        "AnswerSources DataFiles Group SpanExample SpanFiles WriterRow WriterSources read_squad read_writer_rows "
        "write_answer_data write_document_data write_groups "
        "write_pair_data write_rewriter_data write_shipped_data write_squad write_writer_data write_writer_rows"
    ),
    # Found by alembic, by their entry points and by the name of the kind: nobody imports them.
    "expound.study.engine.migrations": "",
    "expound.study.engine.migrations.versions": "",
    "expound.study.forms": "",
    "expound.train.kinds": "",
}
"""Whoever changes what a package gives changes it here too, and in the changelog."""


class Call(NamedTuple):
    """What does from Python what a command does, as `module:name`; and what the command itself calls, if not that."""

    python: str
    called: str = ""


CALLS = {
    "ask": Call("expound:ask", "expound.system:open_system"),
    "search": Call("expound:search", "expound.look:search_in"),
    "show": Call("expound.look:show"),
    "clarify": Call("expound:open_system", "expound.system:open_system"),
    "corpus add": Call("expound.corpus:add"),
    "corpus list": Call("expound.corpus:list_corpora"),
    "corpus show": Call("expound.corpus:describe_corpus"),
    "corpus remove": Call("expound.corpus:remove"),
    "index info": Call("expound.corpus:list_indexes"),
    "index build": Call("expound.corpus:rebuild"),
    "datasets list": Call("expound.datasets:describe_layouts"),
    "datasets info": Call("expound.datasets:describe_dataset"),
    "datasets import": Call("expound.datasets:import_dataset"),
    "datasets stats": Call("expound.recipes:measure_dataset"),
    "datasets sample": Call("expound.datasets:sample_dataset"),
    "build passages": Call("expound.build:build_passages"),
    "build web": Call("expound.build:build_web"),
    "build eli5": Call("expound.build:build_eli5"),
    "build contexts": Call("expound.build:build_contexts"),
    "build split": Call("expound.build:build_split"),
    "score": Call("expound.score:score"),
    "compare": Call("expound:compare", "expound.score:compare"),
    "run": Call("expound:run", "expound.experiment:run"),
    "runs list": Call("expound.runs:runs_table"),
    "runs compare": Call("expound.runs:compare_runs"),
    "report": Call("expound.report:report"),
    "audit predictions": Call("expound.audit:audit"),
    "audit split": Call("expound.audit:split"),
    "judge": Call("expound.judge:judge"),
    "meta": Call("expound.meta:meta"),
    "models list": Call("expound.models:list_models"),
    "models get": Call("expound.resources:get"),
    "models info": Call("expound.models:describe_model"),
    "models remove": Call("expound.resources:remove"),
    "models cache": Call("expound.models:clear_replies"),
    "recipe": Call("expound.recipes:measure"),
    "recipe all": Call("expound.recipes:measure_all"),
    "train": Call("expound.train:fulfil"),
    "train preference": Call("expound.meta:learn_preference"),
    "train writer": Call("expound.train:train_writer"),
    "train answers": Call("expound.train:cotrain"),
    "train reader-data": Call("expound.train.data:write_shipped_data"),
    "train ranker-data": Call("expound.train.data:write_shipped_data"),
    "train document-data": Call("expound.train.data:write_document_data"),
    "train answer-data": Call("expound.train.data:write_answer_data"),
    "train writer-data": Call("expound.train.data:write_writer_data"),
    "train pair-data": Call("expound.train.data:write_pair_data"),
    "train rewriter-data": Call("expound.train.data:write_rewriter_data"),
    "train choice-rows": Call("expound.meta:write_choice_rows"),
    "train writer-figures": Call("expound.train:measure_writer"),
    "train writer-attention": Call("expound.train:measure_attention"),
    "train reader-figures": Call("expound.train:measure_reader"),
    "study new": Call("expound.study:make_study"),
    "study check": Call("expound.study:check_blinding"),
    "study serve": Call("expound.study:serve_study"),
    "study status": Call("expound.study:look_at"),
    "study export": Call("expound.study:export_file"),
    "study published": Call("expound.study:make_published"),
    "study masked": Call("expound.study:masked_test"),
    "study import": Call("expound.study:import_answers"),
    "study analyze": Call("expound.study:analyze_source"),
    "study power": Call("expound.stats:items_for_preference"),
    "study backup": Call("expound.study:back_up"),
    "serve": Call("expound.serve:serve"),
}
"""By command; a group of commands that all do the same for another model or table has one call."""

FOUND = list(pkgutil.walk_packages(expound.__path__, "expound."))
MODULES = sorted(module.name for module in FOUND)
PACKAGES = ["expound", *sorted(module.name for module in FOUND if module.ispkg)]


@pytest.mark.parametrize("package", sorted(FACES))
def test_a_package_gives_what_is_written_down(package: str) -> None:
    given = importlib.import_module(package)
    assert sorted(given.__all__) == FACES[package].split()
    assert all(hasattr(given, name) for name in given.__all__)
    assert set(given.__all__) <= set(dir(given))  # what a prompt completes


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_has_a_face(package: str) -> None:
    assert hasattr(importlib.import_module(package), "__all__")
    assert package in FACES


@pytest.mark.parametrize("package", sorted(FACES))
def test_what_type_checkers_see_is_what_is_given(package: str) -> None:
    given = importlib.import_module(package)
    seen = dict(type_checked(inspect.getsource(given)))
    assert {name: getattr(given, name) for name in seen} == {
        name: getattr(importlib.import_module(module), name) for name, module in seen.items()
    }


@pytest.mark.parametrize("kind", ["answer", "clarify", "judge", "retrieve", "score"])
def test_a_package_of_parts_gives_its_parts(kind: str) -> None:
    points = [point for point in entry_points(group=f"expound.{kind}") if point.value.startswith(f"expound.{kind}.")]
    assert len(points) > 2
    assert {point.name for point in points} <= set(FACES[f"expound.{kind}"].split())


def test_no_name_is_both_a_module_and_what_its_package_gives() -> None:
    given = [f"{package}.{name}" for package, names in FACES.items() for name in names.split()]
    assert not set(given) & set(MODULES)


def test_every_module_can_be_imported_by_its_own_name() -> None:
    light = [name for name in MODULES if not name.startswith(("expound.serve.", "expound.study.", "expound.testing"))]
    code = "import sys\n" + "".join(f"import {name}\n" for name in light if not name.endswith("__main__"))
    code += "\n".join(f"assert {name} is sys.modules[{name!r}], {name!r}" for name in light if "__main__" not in name)
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr[-2000:]


def test_a_name_that_no_face_gives_is_told_as_python_does() -> None:
    with pytest.raises(AttributeError, match=r"module 'expound\.score' has no attribute 'scroe'"):
        importlib.import_module("expound.score").scroe  # noqa: B018 (asking is the test)


def test_importing_a_face_imports_nothing_behind_it() -> None:
    code = f"import sys, {', '.join(name for name in FACES if 'study' not in name)}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"expound.experiment", "expound.score.results", "expound.corpus.library"} & set(loaded)


def test_every_command_has_a_call_from_python() -> None:
    names = [call_name(path) for path, _ in commands()]
    assert set(names) == set(CALLS)
    assert {name.split()[0] for name in CALLS} == set(COMMANDS)


@pytest.mark.parametrize("name", sorted(CALLS))
def test_one_import_gives_the_call_and_the_command_uses_it(name: str) -> None:
    call = CALLS[name]
    package, _, wanted = call.python.partition(":")
    assert callable(getattr(importlib.import_module(package), wanted))
    assert package not in FACES or wanted in FACES[package].split()
    for path, callback in commands():
        if call_name(path) == name:
            assert (call.called or call.python) in imported(callback.__module__)


def test_the_docs_name_the_call_of_every_command() -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "python.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `expound ([^`]+)` \| `([^`]+)` \|$", page, re.MULTILINE))
    assert rows == {name: call.python for name, call in CALLS.items()}


def commands() -> Iterator[tuple[str, Any]]:
    """Every command with the function behind it."""
    group: Any = typer.main.get_command(build_app())
    for name, command in group.commands.items():
        for part, inner in getattr(command, "commands", {"": command}).items():
            yield f"{name} {part}".strip(), inspect.unwrap(inner.callback)


def call_name(path: str) -> str:
    """The row of a command in the table: its own, else that of its group."""
    return path if path in CALLS else path.split()[0]


def imported(module: str) -> set[str]:
    """What a module imports from others, or uses of modules that it imports, as `module:name`."""
    nodes = list(ast.walk(ast.parse(inspect.getsource(importlib.import_module(module)))))
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    names = {f"{node.module}:{alias.name}" for node in froms for alias in node.names}
    uses = [node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    return names | {f"expound.{node.value.id}:{node.attr}" for node in uses if isinstance(node.value, ast.Name)}


def type_checked(source: str) -> Iterator[tuple[str, str]]:
    """The names that a package imports for type checkers alone, with the modules that they come from."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and node.orelse:
            for line in node.body:
                assert isinstance(line, ast.ImportFrom)
                yield from ((alias.name, str(line.module)) for alias in line.names)
