"""`expound ask`: a long, cited answer on the terminal."""

from __future__ import annotations

from enum import StrEnum

import typer

from expound.cli import screen

EPILOG = screen.examples(
    'expound ask "Who was the ruler of France in 1830?"',
    'expound ask "What did the survey find?" --corpus ~/reports --words 120',
    'expound ask "Why are boats white?" --json',
)


class Format(StrEnum):
    text = "text"
    markdown = "markdown"
    json = "json"


def command(
    question: str = typer.Argument(..., help="The question, in plain English."),
    corpus: list[str] = typer.Option(
        [],
        "--corpus",
        "-c",
        metavar="NAME|PATH",
        help="Where to look; repeatable. Default: your only corpus, else the bundled sampler.",
    ),
    words: int = typer.Option(80, "--words", "-w", min=1, max=2000, help="About how long the answer should be."),
    model: str = typer.Option("auto", "--model", help="Text model: auto or none (sentences from the sources)."),
    system: str = typer.Option(
        "Extractive", "--system", help="The answerer, as a spec such as 'Extractive(words=60)'."
    ),
    format: Format = typer.Option(Format.text, "--format", "-f", help="How to print the answer."),
    json: bool = typer.Option(False, "--json", help="Print the prediction record; the same as --format json."),
) -> None:
    """Answer a question from your documents, every sentence with its source."""
    from expound.ask import checked, open_system
    from expound.cli.answer_screen import print_answer, print_markdown
    from expound.cli.setup import prepare_embedder, say_which_corpus
    from expound.records import prediction_record

    text = checked(question)
    prepare_embedder()
    say_which_corpus(corpus)
    with screen.progress("searching"):
        prediction = open_system(corpus, model=model, words=words, system=system).ask(text)
    if json or format is Format.json:
        screen.print_json(prediction_record(prediction))
    elif format is Format.markdown:
        print_markdown(prediction)
    else:
        print_answer(prediction)
