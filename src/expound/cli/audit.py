"""`expound audit`: are the numbers believable? Controls on anyone's predictions, and a cleaner split."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from expound.cli import screen
from expound.cli.screen import TableFormat
from expound.errors import UserError

EPILOG = screen.examples(
    "expound audit predictions.jsonl --dataset kilt:eli5-dev.jsonl --train kilt:eli5-train.jsonl --out audit",
    "expound audit answers.jsonl --dataset qa:dev.jsonl --retrievals retrieved.jsonl --random random.jsonl --out audit",
    "expound audit --plan experiment.toml --out audit",
    "expound audit split eli5-category:questions.jsonl --by paraphrases --out split",
)


class _Predictions(TyperGroup):
    """What is no command is a prediction file: `expound audit FILE` is `expound audit predictions FILE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "-h", "--help"):
            args = ["predictions", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(cls=_Predictions, help="Are the numbers believable? Controls on predictions, and cleaner splits.")


@app.command("predictions")
def audit_predictions(
    predictions: Path | None = typer.Argument(
        None, help="The answers, in an official layout or as our own records, or the folder of a run."
    ),
    dataset: str = typer.Option("", "--dataset", "-d", metavar="LAYOUT:PATH", help="The questions with references."),
    out: Path = typer.Option(..., "--out", "-o", help="The folder for audit.html, audit.json and pairs.jsonl."),
    train: str = typer.Option(
        "", "--train", metavar="LAYOUT:PATH", help="The training questions, for overlap and bounds."
    ),
    retrievals: Path | None = typer.Option(
        None, "--retrievals", help="Passages per question, if the answers have none."
    ),
    random: Path | None = typer.Option(None, "--random", help="The system's answers with random passages."),
    plan: Path | None = typer.Option(
        None, "--plan", help="A plan of expound run: its system is run, and run again with random passages."
    ),
    against: Path | None = typer.Option(None, "--against", help="Another system's answers, compared at equal length."),
    profile: str = typer.Option("", "--profile", "-p", help="Which scorer's numbers. Default: the first that fits."),
    metric: list[str] = typer.Option(
        [], "--metric", "-m", help="Only these metrics: a name of the profile, or a spec."
    ),
    content: str = typer.Option("auto", "--content", help="Nouns and names by spacy, by rules, or auto."),
    no_vectors: bool = typer.Option(False, "--no-vectors", help="Find training questions by words alone."),
    skip: list[str] = typer.Option([], "--skip", help="Leave out a control; repeatable."),
    allow_missing: bool = typer.Option(False, "--allow-missing", help="Audit what all files have."),
    limit: int = typer.Option(0, "--limit", min=0, help="Only the first so many questions."),
    seed: int = typer.Option(0, "--seed", min=0, max=2**32 - 1, help="Of every random choice."),
    jobs: int = typer.Option(1, "--jobs", "-j", min=0, help="Processes that score and answer; 0 takes all cores."),
    json: bool = typer.Option(False, "--json", help="Print JSON: the whole of audit.json."),
    format: TableFormat = typer.Option(TableFormat.text, "--format", "-f", help="How to print the verdicts."),
) -> None:
    """Run every control on the answers: verdicts here, the evidence in a page. The word predictions may be left out."""
    from expound.audit import PAGE, AuditRequest, audit, audit_record
    from expound.cli.setup import prepare
    from expound.files import check_folder

    screen.check_format(json, format)
    if out.suffix == ".html":
        folder = out.with_suffix("")
        raise UserError(f"{out} looks like a page, and --out is the folder for {PAGE} and its data: --out {folder}")
    check_folder(out)
    request = AuditRequest(
        predictions=predictions,
        dataset=dataset,
        train=train,
        retrievals=retrievals,
        random=random,
        plan=plan,
        against=against,
        profile=profile,
        metrics=tuple(metric),
        content=content,
        by_meaning=not no_vectors,
        allow_missing=allow_missing,
        limit=limit,
        seed=seed,
        jobs=jobs,
    )
    prepare(request.scoring_resources(), by_meaning=request.wants_embedder)
    # Second, since a plan's own needs are known only when its system can be opened, and that takes the first files.
    prepare(request.answering_resources())
    with screen.progress("auditing") as meter:
        result = audit(request, out, skip=skip, report=meter.report)
    if json:
        screen.print_json(audit_record(result))
    else:
        rows = [[verdict.outcome, verdict.check, verdict.sentence] for verdict in result.verdicts]
        screen.print_table(["verdict", "check", "what was found"], rows, format)
    screen.say(f"{out / PAGE} has the evidence")


@app.command("split")
def split_dataset(
    datasets: list[str] = typer.Argument(..., metavar="LAYOUT:PATH…", help="All questions, in one or several files."),
    by: str = typer.Option(
        "paraphrases", "--by", help="paraphrases (clusters stay together) or topics (whole ones go)."
    ),
    share: float = typer.Option(0.1, "--share", min=0.0, max=1.0, help="The part to hold out."),
    field: str = typer.Option(
        "category", "--field", help="Where meta has the topic; without it, topics are made of vectors."
    ),
    topics: int = typer.Option(20, "--topics", min=2, help="How many topics to make where the data has none."),
    no_vectors: bool = typer.Option(False, "--no-vectors", help="Compare questions by words alone."),
    out: Path = typer.Option(..., "--out", "-o", help="The folder for train.jsonl and held-out.jsonl (layout qa)."),
    seed: int = typer.Option(0, "--seed", min=0, max=2**32 - 1, help="Of every random choice."),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Split questions anew so that what is held out is not asked in training, and say how far that went."""
    from expound.audit import Wanted, split, write_split
    from expound.cli.setup import prepare
    from expound.corpus import default_embedder
    from expound.files import check_folder

    check_folder(out)
    prepare(by_meaning=not no_vectors)
    with screen.progress("splitting") as meter:
        wanted = Wanted(by=by, share=share, field=field, topics=topics, seed=seed)
        result = split(datasets, wanted, embedder=None if no_vectors else default_embedder(), report=meter.report)
        write_split(result, datasets, wanted, out)
    if json:
        screen.print_json(result.summary)
    else:
        screen.table(["", "value"], [[name, value] for name, value in result.summary.items()])
