"""`expound datasets`: benchmarks by layout and by name, what is in them, and the numbers the papers give of them."""

from __future__ import annotations

from pathlib import Path

import typer

from expound.cli import screen
from expound.cli.screen import TableFormat

app = typer.Typer(help="Benchmarks: list, look into, import, count, sample.")

EPILOG = screen.examples(
    "expound datasets import asqa:ASQA.json --name asqa-dev",
    "expound datasets stats asqa-dev --plot asqa.png",
    "expound datasets sample ambignq:dev_light.json -n 3",
    "expound datasets import asqa:hub://din0s/asqa@dev",
)
_SPEC = typer.Argument(..., metavar="SPEC", help="LAYOUT:PATH, LAYOUT:hub://OWNER/NAME, or an imported dataset's name.")
_JSON = typer.Option(False, "--json", help="Print as JSON.")


@app.command("list")
def list_(json: bool = _JSON) -> None:
    """The layouts that can be read, and the imported datasets."""
    from expound.cli.datasets_screen import print_list
    from expound.datasets import describe_layouts, imported_datasets

    print_list(describe_layouts(), imported_datasets(), as_json=json)


@app.command()
def info(spec: str = _SPEC, json: bool = _JSON) -> None:
    """What a dataset holds: how many questions, with which fields, and one of them."""
    from expound.cli.datasets_screen import print_description
    from expound.datasets import describe_dataset

    description = describe_dataset(spec)
    screen.print_result(description, lambda: print_description(description), as_json=json)


@app.command("import")
def import_(
    spec: str = typer.Argument(..., metavar="LAYOUT:PATH", help="The file to keep a copy of."),
    name: str = typer.Option("", "--name", "-n", help="Its name from now on; by default that of the file."),
    evidence: Path | None = typer.Option(None, "--evidence", help="WebGPT's documents, to go with webgpt questions."),
    json: bool = _JSON,
) -> None:
    """Keep a copy of a dataset, so that its name is enough afterwards."""
    from expound.cli.datasets_screen import print_imported
    from expound.datasets import import_dataset
    from expound.recipes import import_with_evidence

    found, is_new = import_with_evidence(spec, evidence, name=name) if evidence else import_dataset(spec, name=name)
    print_imported(found, is_new=is_new, as_json=json)


@app.command()
def stats(
    spec: str = _SPEC,
    plot: Path | None = typer.Option(None, "--plot", help="Also draw the shares into this .png or .svg file."),
    json: bool = _JSON,
    format: TableFormat = typer.Option(TableFormat.text, "--format", "-f", help="How to print the table."),
) -> None:
    """What the papers tabulate: lengths, first words, readings, edits, agreement, support."""
    from expound.cli.datasets_screen import print_statistics
    from expound.files import check_file_place
    from expound.recipes import measure_dataset, plot_statistics

    screen.check_format(json, format)
    if plot is not None:
        check_file_place(plot)
    statistics = measure_dataset(spec)
    if plot is not None:
        plot_statistics(statistics, plot, title=spec)
    screen.print_result(statistics, lambda: print_statistics(statistics, format), as_json=json)
    if plot is not None:
        screen.say(f"drawn: {plot}")


@app.command()
def sample(
    spec: str = _SPEC,
    number: int = typer.Option(5, "-n", "--number", min=1, help="How many."),
    seed: int = typer.Option(0, "--seed", help="Another seed, another sample."),
    json: bool = _JSON,
) -> None:
    """Some records of a dataset, drawn at random, to read."""
    from expound.cli.datasets_screen import print_records
    from expound.datasets import dataset_record, sample_dataset

    drawn = sample_dataset(spec, number, seed=seed)
    screen.print_result(lambda: list(map(dataset_record, drawn)), lambda: print_records(drawn), as_json=json)
