"""`expound ask`: a long, cited answer on the terminal."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import typer

from expound.cli import model_options as _model
from expound.cli import question_options, screen
from expound.cli.question_options import ShownSources
from expound.errors import UserError

if TYPE_CHECKING:
    from expound.types import Prediction

STDIN = "-"
EPILOG = screen.examples(
    'expound ask "Who was the ruler of France in 1830?"',
    'expound ask "What did the survey find?" --corpus ~/reports --words 120',
    'expound ask "Why are boats white?" --json',
    'expound ask "Who played Simba?" --model qwen2.5-coder-1.5b',
    "expound ask - < questions.txt > answers.jsonl",
    "expound ask --corpus notes",
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
    question: str = typer.Argument(
        "",
        show_default=False,
        help="The question, in quotation marks; - reads questions from stdin, one a line, and prints JSON Lines. "
        "Without one, on a terminal, a dialogue begins.",
    ),
    corpus: list[str] = question_options.CORPUS,
    words: int | None = typer.Option(
        None,
        "--words",
        "-w",
        min=1,
        max=2000,
        help="About how long the answer should be; the question decides by default.",
    ),
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
    retrieve: str = typer.Option(
        "Hybrid", "--retrieve", help="The retriever, as a spec such as 'Lexical()' or 'Hybrid(candidates=80)'."
    ),
    clarify: str = typer.Option("", "--clarify", help="The clarifier, as a spec. Default: what fits the model."),
    embedder: str = question_options.EMBEDDER,
    sources: ShownSources = typer.Option(
        ShownSources.short, "--sources", help="Show where the sources stand, with their sentences too (full), or none."
    ),
    explain: bool = typer.Option(
        False, "--explain", help="Also say what kind of question it is and how it was answered."
    ),
    format: Format = typer.Option(Format.text, "--format", "-f", help="How to print the answer."),
    json: bool = typer.Option(False, "--json", help="Print the prediction record; the same as --format json."),
) -> None:
    """Answer a question from your documents, every sentence with its source."""
    from expound.cli.dialogue import Dialogue, is_possible
    from expound.cli.language_remark import say_language
    from expound.cli.many_questions import answer_all, read_questions
    from expound.cli.setup import prepare, say_which_corpus
    from expound.remembered import remember_prediction
    from expound.system import check_question, open_system

    is_many, is_dialogue = question == STDIN, not question
    if is_dialogue and not is_possible():
        raise UserError("which question? Put it in quotation marks; - reads questions from stdin")
    if is_many and format is Format.markdown:
        raise UserError("questions from stdin are answered as JSON Lines; leave --format out")
    if not is_many and not is_dialogue:
        check_question(question)
    prepare(by_meaning=True)
    say_which_corpus(corpus)
    found = _model.FirstSentence()
    opened = open_system(
        corpus,
        model=model,
        sampling=_model.sampling(temperature, top_p, seed),
        threads=threads,
        words=words or 0,
        style=style.value,
        system=system,
        retrieve=retrieve,
        clarify=clarify,
        embedder=embedder,
        on_sentence=None if is_many else found,
        say=screen.say,
    )
    if dry_run:
        count = sum(1 for _ in read_questions()) if is_many else 1
        return _model.print_forecast(opened, count, as_json=json)
    if is_many:
        return answer_all(opened)

    def answer(typed: str) -> Prediction:
        text = check_question(typed)
        found.wait_again()
        say_language(text, getattr(opened.retriever, "corpora", ()))
        with screen.progress("searching"):
            prediction = opened.ask(text, explain=explain)
        remember_prediction(prediction)
        _print(prediction, Format.json if json else format, sources=sources, explain=explain)
        return prediction

    if is_dialogue:
        Dialogue(answer).hold()
    else:
        answer(question)
    return _model.say_ledger(opened)


def _print(prediction: Prediction, format: Format, *, sources: ShownSources, explain: bool) -> None:
    from expound.cli.answer_screen import print_answer
    from expound.records import prediction_record
    from expound.shown import prediction_markdown

    if format is Format.json:
        screen.print_json(prediction_record(prediction))
    elif format is Format.markdown:
        print(prediction_markdown(prediction, sources=sources.value, explain=explain))
    else:
        print_answer(prediction, sources=sources, explain=explain)
