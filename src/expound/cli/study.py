"""`expound study`: ask people, blind, in the browser."""

from __future__ import annotations

import shlex
from pathlib import Path

import typer

from expound.cli import screen
from expound.cli.model_options import THREADS
from expound.pages.parts import say_count
from expound.stats.p_values import shown_p

app = typer.Typer(help="Human studies in the browser: make, serve, watch, export, analyze.")

EPILOG = screen.examples(
    "expound study new study.toml --form asqa-pairwise --predictions a.json b.json --dataset asqa:dev.json",
    "expound study serve study.toml",
    "expound study status study.toml",
    "expound study export study.toml --out judgments.jsonl",
    "expound study analyze study.toml --out analysis.html",
    "expound study power --share 0.6 --ties 0.2",
)
_STUDY = typer.Argument(..., help="The plan of the study, a TOML file.")
_JSON = typer.Option(False, "--json", help="Print JSON.")


@app.command()
def new(
    study: list[Path] = typer.Argument(..., metavar="STUDY", help="Where to write the plan, such as study.toml."),
    form: str = typer.Option(..., "--form", help="What raters are asked; a name, or a TOML file of your own."),
    predictions: list[Path] = typer.Option(
        [], "--predictions", "-p", metavar="FILE…", help="The answers to judge, one file for each system."
    ),
    dataset: str = typer.Option("", "--dataset", "-d", metavar="LAYOUT:PATH", help="The questions."),
    references: bool = typer.Option(False, "--references", help="The dataset's own answers compete too."),
    pairs: str = typer.Option("random", "--pairs", help="Which answers meet: random, all, or upvotes."),
    items: Path | None = typer.Option(None, "--items", help="Items of your own, one a line."),
    study_before: Path | None = typer.Option(None, "--from", help="The study that this one continues."),
    corpus: str = typer.Option("", "--corpus", help="What raters can search (ambig-generate, ambig-validate)."),
    training: Path | None = typer.Option(None, "--training", help="Items with feedback, before all others."),
    exam: Path | None = typer.Option(None, "--exam", help="Items that raters must get right to go on."),
    gold: Path | None = typer.Option(None, "--gold", help="Items with known answers, put in between."),
    attention: Path | None = typer.Option(None, "--attention", help="Items that say what to choose, put in between."),
    overlap: int = typer.Option(3, "--overlap", "-k", min=1, help="How many raters judge each item."),
    limit: int = typer.Option(0, "--limit", min=0, help="Only so many questions, drawn at random."),
    seed: int = typer.Option(0, "--seed", help="Of all that is drawn."),
    database: str = typer.Option("", "--database", help="A path, or postgresql://USER:PASSWORD@HOST/NAME."),
) -> None:
    """Make a study: its plan, and its items in a file beside it."""
    from expound.score import name_systems
    from expound.study import ItemSources, check_blinding, make_study, read_earlier

    # Files behind `--predictions` may stand there without a flag each, as a shell's pattern writes them.
    path, *more = study
    systems = name_systems([*predictions, *more])
    checks = {"training": training, "exam": exam, "gold": gold, "attention": attention}
    given = {kind: file for kind, file in checks.items() if file}
    sources = ItemSources(
        dataset=dataset,
        systems=systems,
        references=references,
        pairing=pairs,
        items=items,
        before=read_earlier(study_before) if study_before else None,
        checks=given,
        limit=limit,
    )
    made = make_study(path, form, sources, overlap=overlap, seed=seed, database=database, corpus=corpus)
    if made.questions < limit:
        screen.say(f"{dataset} has {made.questions} questions for this form, not {limit}: all of them are in the study")
    names = [one.mark for one in check_blinding(path) if one.is_one]
    if names:
        screen.say(f"raters may recognise systems by: {', '.join(names)}; expound study check {path} says how well")
    made_of, judged_by = _tell_count(made.items, "item"), _tell_count(overlap, "rater")
    screen.say(f"{path}: {made_of} for {form}, each for {judged_by}; now: expound study serve {shlex.quote(str(path))}")


def _tell_count(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


@app.command()
def check(study: Path = _STUDY, json: bool = _JSON) -> None:
    """Before a study: which marks on the surface of answers tell systems apart better than chance."""
    from expound.study import check_blinding

    found = check_blinding(study)
    if json:
        screen.print_json(found)
        return
    if not found:
        screen.line("there are no two systems to tell apart")
        return
    rows = [[one.mark, f"{one.right:.0%}", f"{one.chance:.0%}", shown_p(one.p_value)] for one in found]
    screen.table(("mark", "names the system", "by chance", "p (Holm)"), rows)


@app.command()
def serve(
    study: list[Path] = typer.Argument(..., metavar="STUDY…", help="The plan of a study, or of several, TOML files."),
    host: str = typer.Option("127.0.0.1", "--host", help="The address to listen on."),
    port: int = typer.Option(8421, "--port", min=0, max=65535, help="The port to listen on."),
    base_url: str = typer.Option("", "--base-url", help="What raters see, if a proxy stands in front."),
) -> None:
    """Serve the study until Ctrl-C; prints the admin link, the join link and the token for programs."""
    from expound.study import links, listen, listen_for_all, serve_studies, serve_study

    if len(study) == 1:
        opened, listening = listen(study[0], host, port, base_url)
        for name, link in links(opened, listening).items():
            screen.line(f"{name:6} {link}")
        serve_study(opened, listening)
        return
    several, listening, base = listen_for_all(study, host, port, base_url)
    screen.line(f"all    {base}/admin/enter/{several[0].secret('admin_secret')}")
    for one in several:
        for name, link in links(one, listening).items():
            screen.line(f"{one.plan.name} {name:6} {link}")
    serve_studies(several, listening, base)


@app.command()
def status(study: Path = _STUDY, json: bool = _JSON) -> None:
    """How far the study is: progress, raters, checks, pay."""
    from expound.study import look_at, open_study

    found = look_at(open_study(study))
    if json:
        screen.print_json(found)
        return
    screen.line(f"{found.name}: {found.judgments} of {say_count(found.wanted, 'judgment')}, "
                f"{found.complete_items} of {say_count(found.items, 'item')} complete")  # fmt: skip
    columns = ["rater", "worker", "stage", "judged", "parked", "seconds", "hours", "pay", "checks", "failed"]
    rows = [[r.name, r.worker, r.stage, r.judged, r.parked, r.seconds, r.hours, r.pay, r.checks, r.checks_failed]
            for r in found.raters]  # fmt: skip
    if not found.has_workers:
        columns, rows = columns[:1] + columns[2:], [row[:1] + row[2:] for row in rows]
    screen.table(columns, rows)


@app.command()
def export(
    study: Path = _STUDY,
    out: Path = typer.Option(..., "--out", "-o", help="judgments.jsonl, judgments.csv, answers.jsonl: by its ending."),
    what: str = typer.Option("", "--what", help="Which export, if the name of the file does not say it."),
) -> None:
    """Write the judgments to a file; raters are numbers."""
    from expound.study import export_file, open_study

    count = export_file(open_study(study), out, what)
    screen.say(f"{out}: {count:,} records")


@app.command()
def published(
    study: Path = typer.Argument(..., metavar="STUDY", help="Where to write the plan, such as spans.toml."),
    source: str = typer.Argument(..., metavar="LAYOUT:FILE", help="haluquestqa:FILE, xu2022:FILE or xu2023:FILE."),
) -> None:
    """Make a study of answers that others have published, to look at, to analyze, or to go on with."""
    from expound.study import make_published

    made = make_published(study, source)
    lost = f" ({made.lost} quotations stand in no answer)" if made.lost else ""
    screen.say(f"{study}: {made.answers:,} published answers{lost}")


@app.command()
def masked(
    study: Path = _STUDY,
    model: str = typer.Option(..., "--model", help="The text model that fills the masks: a name, a file or a URL."),
    limit: int = typer.Option(0, "--limit", min=0, help="Only so many justifications, drawn at random."),
    seed: int = typer.Option(0, "--seed", help="Of what is drawn."),
    minutes: float = typer.Option(
        0, "--minutes", min=0, help="Stop after so long; the same command goes on. 0: never."
    ),
    threads: int = THREADS,
    json: bool = _JSON,
) -> None:
    """Whether a text model understands justifications: which answer does each masked mention mean?"""
    from expound.models import open_text_model
    from expound.study import masked_test, open_study

    opened, asked = open_study(study), open_text_model(model, threads=threads)
    with screen.progress("filling masks") as meter:
        found = masked_test(opened, asked, limit=limit, seed=seed, seconds=60 * minutes, report=meter.report)
    if found.too_long:
        screen.say(f"{found.too_long} justifications have no room in the context of {found.model}")
    if found.is_cut:
        screen.say(f"the time is up: these are {found.comments} of {found.of} justifications, drawn at random; "
                   "what was said is kept, and the same command goes on")  # fmt: skip
    if json:
        screen.print_json(found)
        return
    screen.table(found.columns, found.rows)


@app.command("import")
def take_in_answers(
    study: Path = _STUDY,
    answers: Path = typer.Argument(..., help="A filled-in sheet (.csv), or an export of Label Studio (.json)."),
) -> None:
    """Take in answers that were given elsewhere to the items of this study."""
    from expound.study import import_answers, open_study

    screen.say(f"{answers}: {import_answers(open_study(study), answers):,} new answers")


@app.command()
def analyze(
    source: str = typer.Argument(..., metavar="STUDY", help="The plan, a file of judgments, or xu2023:FILE."),
    out: Path = typer.Option(Path("analysis.html"), "--out", "-o", help="The page; its figures go beside it as JSON."),
    seed: int = typer.Option(0, "--seed", min=0, help="Of the bootstrap."),
    samples: int = typer.Option(1000, "--samples", min=1, help="Resamples of the bootstrap."),
    system: list[str] = typer.Option(
        [],
        "--system",
        metavar="NAME",
        help="Which system comes first, repeatable: shares are those of the first.",
    ),
    json: bool = _JSON,
) -> None:
    """Preferences, agreement, bias and time, with intervals and tests: a page and JSON."""
    from expound.agreement import analysis_record
    from expound.files import check_file_place
    from expound.study import analyze_source, write_analysis

    check_file_place(out)
    analysis = analyze_source(source, systems=system, seed=seed, samples=samples)
    page, figures = write_analysis(analysis, out)
    if json:
        screen.print_json(analysis_record(analysis))
    screen.say(f"{page} and {figures}: {analysis.overall.judgments:,} judgments")


@app.command()
def power(
    share: float = typer.Option(0.6, "--share", help="The share of the better answer that should be seen."),
    ties: float = typer.Option(0.0, "--ties", help="The share of ties that is expected."),
    power: float = typer.Option(0.8, "--power", help="How sure one wants to be to see it."),
    level: float = typer.Option(0.05, "--level", help="The level of the two-tailed sign test."),
) -> None:
    """Before a study: how many items it takes to see a preference."""
    from expound.stats import items_for_preference

    count = items_for_preference(share, ties=ties, power=power, level=level)
    screen.line(f"{count} items: a share of {share:g} ({ties:.0%} ties) is seen with a power of {power:g} at {level:g}")


@app.command()
def backup(
    study: Path = _STUDY, out: Path = typer.Option(..., "--out", "-o", help="The copy, an SQLite file.")
) -> None:
    """Copy the whole database, also while it is being served."""
    from expound.study import back_up, open_study

    screen.say(f"{out}: {back_up(open_study(study), out):,} rows")
