"""`expound clarify`: the readings of a question, each with its answer."""

from __future__ import annotations

from typing import Any

import typer

from expound.cli import model_options as _model
from expound.cli import question_options, screen

EPILOG = screen.examples(
    'expound clarify "Who was the ruler of France in 1830?"',
    'expound clarify "When does the new season start?" --model qwen2.5-coder-1.5b --explain',
    "expound clarify \"Who played Simba?\" --strategy 'Ensemble(votes=2)' --json",
)


def command(
    question: str = typer.Argument(..., help="The question, in plain English."),
    corpus: list[str] = question_options.CORPUS,
    strategy: str = typer.Option(
        "",
        "--strategy",
        help="AnswersFirst, QuestionFirst, Thresholded, EvidenceOnly or Ensemble. Default: what fits the model.",
    ),
    embedder: str = question_options.EMBEDDER,
    model: str = _model.NAME,
    threads: int = _model.THREADS,
    temperature: float = _model.TEMPERATURE,
    top_p: float = _model.TOP_P,
    seed: int = _model.SEED,
    dry_run: bool = _model.DRY_RUN,
    explain: bool = typer.Option(False, "--explain", help="Show what is behind each reading, and what was weighed."),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Show the readings of a question: rewritten so that only one answer is right, with that answer."""
    from expound.cli.clarify_screen import print_readings, readings_record
    from expound.cli.setup import prepare, say_which_corpus
    from expound.records import question_id
    from expound.system import check_question, open_system
    from expound.types import Question

    text = check_question(question)
    prepare(by_meaning=True)
    say_which_corpus(corpus)
    settings: dict[str, Any] = {"sampling": _model.sampling(temperature, top_p, seed), "threads": threads}
    settings |= {"clarify": strategy, "embedder": embedder}
    system = open_system(corpus, model=model, on_sentence=_model.FirstSentence(), say=screen.say, **settings)
    system.check_asks_alone()
    if dry_run:
        return _model.print_forecast(system, 1, as_json=json)
    asked = Question(question_id(text), text)
    with screen.progress("reading"):
        evidence = system.evidence(asked)
        readings = system.shown_readings(asked, evidence)
        weighed = system.weighed(asked, evidence) if explain else {}
        why_none = system.why_no_readings(asked, evidence) if not readings else ""
    screen.print_result(
        lambda: readings_record(text, readings, evidence, weighed=weighed),
        lambda: print_readings(text, readings, evidence, explain=explain, weighed=weighed, why_none=why_none),
        as_json=json,
    )
    return _model.say_ledger(system)
