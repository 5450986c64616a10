"""`expound train …-data` and `reader-figures`: what the shipped models were made of, and how good a reader is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from expound.cli import screen
from expound.cli.train_options import Out, Seed
from expound.train.training_settings import READER

if TYPE_CHECKING:
    from expound.recipes.findings import WithInterval

Passages = Annotated[Path, typer.Option("--passages", help="JSON Lines of id, title, text, source.")]
Squad = Annotated[Path, typer.Option("--squad", help="SQuAD 2.0; its last articles are held out.")]
AsqaTrain = Annotated[Path, typer.Option("--asqa-train")]
AmbigNqTrain = Annotated[Path, typer.Option("--ambignq-train")]
NqOpenTrain = Annotated[Path, typer.Option("--nq-open-train")]
NqGold = Annotated[Path, typer.Option("--nq-gold", help="JSON Lines of question, answers, gold_title, gold_text.")]
AsqaDev = Annotated[Path, typer.Option("--asqa-dev", help="Read to keep its questions out, as the next two.")]
AmbigNqDev = Annotated[list[Path], typer.Option("--ambignq-dev")]
ClapNq = Annotated[list[Path] | None, typer.Option("--clapnq")]
KeepOut = Annotated[
    list[Path] | None, typer.Option("--keep-out", help="JSON Lines whose `question` is not trained on.")
]


def data_commands() -> list[tuple[str, Callable[..., None]]]:
    """The commands of this module by their names."""
    return [
        ("reader-data", _shipped_data_command("reader", "Make the files of the shipped reader")),
        ("ranker-data", _shipped_data_command("ranker", "Make the groups of the shipped ranker")),
        ("document-data", make_document_data),
        ("rewriter-data", make_rewriter_data),
        ("writer-data", make_writer_data),
        ("pair-data", make_pair_data),
        ("choice-rows", make_choice_rows),
        ("reader-figures", print_reader_figures),
        ("writer-figures", print_writer_figures),
        ("writer-attention", print_writer_attention),
    ]


def _shipped_data_command(kind: str, text: str) -> Callable[..., None]:
    def command(
        out: Out,
        passages: Passages,
        squad: Squad,
        asqa_train: AsqaTrain,
        ambignq_train: AmbigNqTrain,
        nq_open_train: NqOpenTrain,
        nq_gold: NqGold,
        asqa_dev: AsqaDev,
        ambignq_dev: AmbigNqDev,
        clapnq: ClapNq = None,
        keep_out: KeepOut = None,
        seed: Seed = READER.seed,
    ) -> None:
        from expound.train.data import DataFiles, write_shipped_data

        files = DataFiles(
            passages=passages,
            ambignq_train=ambignq_train,
            asqa_train=asqa_train,
            nq_open_train=nq_open_train,
            nq_gold_paragraphs=nq_gold,
            squad=squad,
            asqa_dev=asqa_dev,
            ambignq_dev=tuple(ambignq_dev),
            clapnq=tuple(clapnq or ()),
        )
        with screen.progress("building") as meter:
            contents = write_shipped_data(kind, files, out, seed=seed, keep_out=keep_out or (), report=meter.report)
        _show_contents(contents)

    command.__doc__ = f"{text} out of SQuAD, ASQA, AmbigNQ and NQ-open, without any dev question."
    return command


def make_rewriter_data(
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write.")],
    train: Annotated[str, typer.Option("--train", metavar="ambignq:PATH", help="Questions with rewritten ones.")],
    corpus: Annotated[list[str], typer.Option("--corpus", "-c", metavar="NAME|PATH", help="Where their evidence is.")],
    part: Annotated[str, typer.Option("--part", help="`learn` is nine tenths of the questions, `dev` the last.")] = "",
    keep_out: Annotated[
        list[str] | None, typer.Option("--keep-out", metavar="LAYOUT:PATH", help="Questions not to train on.")
    ] = None,
    rows: Annotated[
        bool, typer.Option("--rows", help="All rewritten questions of a question in a row, for `expound train writer`.")
    ] = False,
) -> None:
    """Find the evidence of AmbigNQ's rewritten questions by BM25, for `expound train rewriter`."""
    from expound.train.data import write_rewriter_data

    with screen.progress("searching") as meter:
        contents = write_rewriter_data(
            train, corpus, out, part=part, keep_out=keep_out or (), as_rows=rows, report=meter.report
        )
    _show_contents(contents)


def make_document_data(
    out: Out,
    sets: Annotated[Path, typer.Option("--sets", help="Folder of NAME.jsonl.gz and NAME_documents.jsonl.gz.")],
    manuals: Annotated[Path | None, typer.Option("--manuals", help="Folder of `tools/fetch_manuals.py`.")] = None,
    seed: Seed = READER.seed,
) -> None:
    """Make groups of questions to manuals, FAQ pages, policies, papers and tables: train, choose and decide."""
    from expound.train.data import write_document_data

    with screen.progress("reading") as meter:
        contents = write_document_data(sets, out, manuals=manuals, seed=seed, report=meter.report)
    _show_contents(contents)


def make_writer_data(
    out: Out,
    train: Annotated[list[str], typer.Option("--train", metavar="LAYOUT:PATH", help="Questions with long answers.")],
    keep_out: Annotated[
        list[str] | None, typer.Option("--keep-out", metavar="LAYOUT:PATH", help="Questions that are not taken.")
    ] = None,
    corpus: Annotated[
        list[str] | None, typer.Option("--corpus", "-c", metavar="NAME|PATH", help="Where documents are looked for.")
    ] = None,
    documents: Annotated[
        str, typer.Option("--documents", help="passages, support (ELI5's document), or random: another question's.")
    ] = "passages",
    k: Annotated[int, typer.Option("--k", min=1, help="Passages of a row at most.")] = 5,
    most: Annotated[int, typer.Option("--most", min=1, help="Rows of each dataset at most.")] = 2000,
    least_words: Annotated[int, typer.Option("--least-words", min=1, help="Shorter answers are not taken.")] = 1,
    most_words: Annotated[int, typer.Option("--most-words", min=1, help="Longer answers are not taken.")] = 400,
    held_out: Annotated[int, typer.Option("--held-out", min=0, help="Rows that go to dev.jsonl.")] = 100,
    seed: Seed = READER.seed,
) -> None:
    """Make the rows of a writer out of datasets: questions, documents found for them, and the best answer."""
    from expound.train.data import WriterSources, write_writer_data

    sources = WriterSources(
        train=tuple(train),
        keep_out=tuple(keep_out or ()),
        corpora=tuple(corpus or ()),
        documents=documents,
        k=k,
        most=most,
        words=(least_words, most_words),
        held_out=held_out,
    )
    with screen.progress("reading") as meter:
        counts = write_writer_data(sources, out, seed=seed, report=meter.report)
    screen.table(("file", "rows"), list(counts.items()))


def make_pair_data(
    out: Out,
    train: Annotated[list[str], typer.Argument(metavar="LAYOUT:PATH...", help="Datasets with long answers.")],
    keep_out: Annotated[
        list[str] | None, typer.Option("--keep-out", metavar="LAYOUT:PATH", help="Questions not to train on.")
    ] = None,
    most: Annotated[int, typer.Option("--most", min=0, help="Only the first so many questions of each; 0: all.")] = 0,
) -> None:
    """Make groups of questions with their long answers for a retriever; one in twenty is held out."""
    from expound.train.data import write_pair_data

    with screen.progress("reading"):
        contents = write_pair_data(train, out, keep_out=keep_out or (), most=most)
    _show_contents(contents)


def print_reader_figures(
    files: list[Path] = typer.Argument(..., help="Questions in the SQuAD 2.0 layout."),
    model: Path | None = typer.Option(None, "--model", help="An exported reader; without it the shipped one."),
) -> None:
    """Exact match and F1 of a reader on files: of all questions, of those with an answer and of those without."""
    from expound.cli.setup import prepare
    from expound.resource_table import TOKENIZER
    from expound.train import measure_reader

    prepare([TOKENIZER])
    screen.print_json(measure_reader(files, model))


def make_choice_rows(
    people: Annotated[list[str], typer.Option("--people", metavar="LAYOUT:PATH", help="Judgments to learn from.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file of rows, for `expound train writer`.")],
) -> None:
    """Write what people prefer as rows for a writer, which then can be a judge: TwoShot(examples=0)."""
    from expound.meta import write_choice_rows

    screen.print_json({"rows": write_choice_rows(people, out)})


def print_writer_figures(
    files: list[Path] = typer.Argument(..., help="Rows of `question`, `documents` and `answer`."),
    model: Path = typer.Option(..., "--model", help="The folder of a trained writer, such as RUN/model."),
    written: int = typer.Option(0, "--written", min=0, help="Rows that are also answered and completed, for ROUGE."),
    beams: int = typer.Option(5, "--beams", min=1, help="Of the search for what is written."),
    answer_words: int = typer.Option(100, "--answer-words", min=1, help="Longer answers are cut."),
    lengths_by: list[Path] = typer.Option(
        [], "--lengths-by", help="Other rows, by which the least and the most tokens of an answer are chosen first."
    ),
) -> None:
    """Perplexity over words, FILL-1 by spaCy, ROUGE-20% and ROUGE of a trained writer, with intervals."""
    from expound.models import Decoding
    from expound.train import WriterMeasure, choose_lengths, measure_writer

    measure = WriterMeasure(written, Decoding(beams=beams), answer_words)
    with screen.progress("reading") as meter:
        if lengths_by:
            measure = replace(measure, decoding=choose_lengths(lengths_by, model, measure, report=meter.report))
            lengths = f"{measure.decoding.least_tokens} to {measure.decoding.most_tokens} tokens"
            screen.say(f"answers of {lengths} do best on {', '.join(map(str, lengths_by))}")
        found = measure_writer(files, model, measure, report=meter.report)
    _show_figures(found)


def print_writer_attention(
    files: list[Path] = typer.Argument(..., help="Rows of `question` and `documents`."),
    model: Path = typer.Option(..., "--model", help="The folder of a trained writer, such as RUN/model."),
) -> None:
    """Where a writer looks before its first word: how much of it at the question and not at the documents."""
    from expound.train import measure_attention

    with screen.progress("reading") as meter:
        found = measure_attention(files, model, report=meter.report)
    _show_figures(found)


def _show_figures(found: Mapping[str, WithInterval]) -> None:
    rows = [(name, f"{one.value:.2f}", f"{one.low:.2f}", f"{one.high:.2f}", one.n) for name, one in found.items()]
    screen.table(("figure", "value", "low", "high", "n"), rows)


def _show_contents(contents: Mapping[str, Sequence[bool]]) -> None:
    rows = [(name, len(answered), answered.count(False)) for name, answered in contents.items()]
    screen.table(("file", "questions", "without an answer"), rows)
