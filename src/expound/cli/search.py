"""`expound search`: the passages that a question finds, without an answer."""

from __future__ import annotations

import time

import typer

from expound.cli import question_options, screen

EPILOG = screen.examples(
    'expound search "opening hours of the harbour"',
    'expound search "How do I restore a backup?" --corpus handbook -k 3',
    'expound search "default port" --json',
)


def command(
    question: str = typer.Argument(..., help="A question or a few words, in quotation marks."),
    corpus: list[str] = question_options.CORPUS,
    k: int = typer.Option(10, "-k", min=1, max=100, help="How many passages."),
    embedder: str = question_options.EMBEDDER,
    json: bool = typer.Option(False, "--json", help="Print the passages as records."),
) -> None:
    """Find passages and show where they stand; `expound show N` has the surroundings of one."""
    from expound.cli.language_remark import say_language
    from expound.cli.search_screen import print_found
    from expound.cli.setup import has_embedder, prepare, say_which_corpus
    from expound.corpus.library import open_corpora
    from expound.look import search_in
    from expound.records import evidence_record
    from expound.remembered import remember
    from expound.system import check_question

    text = check_question(question)
    prepare(by_meaning=True)
    say_which_corpus(corpus)
    started = time.perf_counter()
    with screen.progress("searching"):
        corpora = open_corpora(corpus)
        say_language(text, corpora)
        found = search_in(corpora, text, k=k, embedder=embedder)
    names = [item.name for item in corpora]
    remember(text, names, found)
    seconds, by_meaning = time.perf_counter() - started, bool(embedder) or has_embedder()
    screen.print_result(
        lambda: list(map(evidence_record, found)),
        lambda: print_found(found, names, by_meaning=by_meaning, seconds=seconds),
        as_json=json,
    )
