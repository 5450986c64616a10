"""`expound score`: every number of the papers on anyone's answers."""

from __future__ import annotations

from pathlib import Path

import typer

from expound.cli import screen
from expound.cli.model_options import READER
from expound.cli.screen import TableFormat

EPILOG = screen.examples(
    "expound score predictions.json --dataset asqa:dev.json --profile asqa",
    "expound score predictions.jsonl --dataset kilt:eli5-dev.jsonl --profile kilt --json",
    "expound score predictions.json --dataset asqa:dev.json --reader auto",
    "expound score --dataset asqa:dev.json --protocol human",
)


def command(
    predictions: Path | None = typer.Argument(
        None, help="The answers, in an official layout or as our own records, or the folder of a run."
    ),
    dataset: str = typer.Option(
        ..., "--dataset", "-d", metavar="LAYOUT:PATH", help="The questions, such as asqa:dev.json."
    ),
    profile: str = typer.Option(
        "",
        "--profile",
        "-p",
        help="asqa, ambigqa, kilt, eli5, rouge-20, squad2, nq-open, answer-only, lfqa or citations. "
        "Default: by the dataset.",
    ),
    metric: list[str] = typer.Option(
        [], "--metric", "-m", help="Only these metrics: a name of the profile, or a spec."
    ),
    protocol: str = typer.Option(
        "standard", "--protocol", help="standard, human (references against each other), oracle or others."
    ),
    reader: str = READER,
    short_answers: Path | None = typer.Option(
        None, "--short-answers", help="A reader's answers {<id>_<index>: answer} (asqa)."
    ),
    no_answer_probabilities: Path | None = typer.Option(
        None, "--no-answer-probabilities", help="{id: probability} that there is no answer (squad2)."
    ),
    no_answer_threshold: float = typer.Option(
        1.0, "--no-answer-threshold", help="Above it a question counts as left open."
    ),
    log_probabilities: Path | None = typer.Option(
        None, "--log-probabilities", help="{id: \\[log p, …]} for perplexity (eli5)."
    ),
    fills: Path | None = typer.Option(None, "--fills", help="{id: \\[{gold, predicted}, …]} for FILL-1 (eli5)."),
    rouge_package: str = typer.Option(
        "1.0.1", "--rouge-package", help="Version of the rouge package: 1.0.1, 1.0.0 or 0.3.2 (kilt, eli5)."
    ),
    splitter: str = typer.Option(
        "punkt", "--splitter", help="Sentences by punkt, as the official scorers, or by rules (asqa, answer-only)."
    ),
    k: list[int] = typer.Option(
        [], "--k", min=1, help="Places for recall@k and so on (kilt); repeatable. Default: 1 5 10 20."
    ),
    official_aggregate: int | None = typer.Option(
        None,
        "--official-aggregate",
        metavar="SEED",
        min=0,
        max=2**32 - 1,
        help="ROUGE as ASQA's script prints it: a bootstrap median (asqa).",
    ),
    allow_missing: bool = typer.Option(
        False, "--allow-missing", help="Score what both files have, and say what is missing."
    ),
    seed: int = typer.Option(0, "--seed", min=0, max=2**32 - 1, help="Of the bootstrap."),
    samples: int = typer.Option(1000, "--samples", min=1, help="Bootstrap resamples."),
    jobs: int = typer.Option(1, "--jobs", "-j", min=0, help="Processes; 0 takes all cores."),
    json: bool = typer.Option(False, "--json", help="Print JSON, with the value of every question."),
    no_per_question: bool = typer.Option(
        False, "--no-per-question", help="Leave every question's value out of the JSON."
    ),
    format: TableFormat = typer.Option(TableFormat.text, "--format", "-f", help="How to print the table."),
) -> None:
    """Score answers: the official scorers' numbers, each with its interval and signature."""
    from expound.cli.score_screen import print_json, print_scores
    from expound.cli.setup import prepare
    from expound.score import Options, SideFiles, choose_profile, score, scoring_resources, with_official_aggregate

    screen.check_format(json, format)
    options = Options(rouge_package, splitter, no_answer_threshold, tuple(k) or Options().places)
    chosen = choose_profile(profile, dataset, metric, options)
    side_files = SideFiles(
        short_answers=short_answers,
        no_answer_probabilities=no_answer_probabilities,
        log_probabilities=log_probabilities,
        fills=fills,
    )
    prepare(scoring_resources(chosen, reader))
    with screen.progress("scoring") as meter:
        scores = score(
            predictions,
            dataset,
            chosen,
            side_files=side_files,
            reader=reader,
            protocol=protocol,
            allow_missing=allow_missing,
            seed=seed,
            samples=samples,
            jobs=jobs,
            per_question=(json and not no_per_question) or official_aggregate is not None,
            report=meter.report,
        )
    if official_aggregate is not None:
        scores = with_official_aggregate(scores, official_aggregate, alone=not metric)
    if json:
        print_json(scores, per_question=not no_per_question)
    else:
        print_scores(scores, format)
