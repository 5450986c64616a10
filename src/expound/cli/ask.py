"""`expound ask`: a long, cited answer on the terminal."""

from __future__ import annotations

from enum import StrEnum

import typer

from expound.cli import model_options as _model
from expound.cli import screen

EPILOG = screen.examples(
    'expound ask "Who was the ruler of France in 1830?"',
    'expound ask "What did the survey find?" --corpus ~/reports --words 120',
    'expound ask "Why are boats white?" --json',
    'expound ask "Who played Simba?" --model qwen2.5-coder-1.5b',
)


class Style(StrEnum):
    asqa = "asqa"
    eli5 = "eli5"
    brief = "brief"


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
    model: str = _model.NAME,
    style: Style = typer.Option(Style.asqa, "--style", help="How a text model's answer is written."),
    threads: int = _model.THREADS,
    temperature: float = _model.TEMPERATURE,
    top_p: float = _model.TOP_P,
    seed: int = _model.SEED,
    dry_run: bool = _model.DRY_RUN,
    system: str = typer.Option(
        "", "--system", help="The answerer, as a spec such as 'Extractive(words=60)'. Default: what fits the model."
    ),
    clarify: str = typer.Option("", "--clarify", help="The clarifier, as a spec. Default: what fits the model."),
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
    opened = open_system(
        corpus,
        model=model,
        sampling=_model.sampling(temperature, top_p, seed),
        threads=threads,
        words=words,
        style=style.value,
        system=system,
        clarify=clarify,
        on_sentence=_model.FirstSentence(),
        say=screen.say,
    )
    if dry_run:
        return _model.print_forecast(opened, 1, as_json=json)
    with screen.progress("searching"):
        prediction = opened.ask(text)
    if json or format is Format.json:
        screen.print_json(prediction_record(prediction))
    elif format is Format.markdown:
        print_markdown(prediction)
    else:
        print_answer(prediction)
    return _model.say_ledger(opened)
