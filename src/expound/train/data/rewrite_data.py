"""AmbigNQ's pairs of a vague and a precise question, each with the sentence of a corpus that gives its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path

from expound.clarify.candidates import Candidate
from expound.clarify.contrast import said_of_others
from expound.clarify.gold_answers import candidate_for
from expound.corpus.library import open_corpus
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.models.answer_lister import join_list
from expound.models.question_rewriter import GivenAnswer, documents_of, parts_of
from expound.retrieve.single import Lexical
from expound.text.normal import normalize_answer
from expound.train.data.rewrite_files import RewrittenPair, write_rewritten
from expound.train.data.writer_files import WriterRow, write_writer_rows
from expound.train.description import Report
from expound.types import Evidence, Interpretation, Question

PARTS = ("learn", "dev")
_TENTHS = 10  # one question in so many is kept to choose by
# As many as an answer has in view.
_PASSAGES = 20


def write_rewriter_data(
    dataset: str,
    corpora: Sequence[str],
    out: Path,
    *,
    part: str = "",
    keep_out: Sequence[str] = (),
    as_rows: bool = False,
    report: Report | None = None,
) -> dict[str, list[bool]]:
    """Write the pairs of a dataset, or of nine tenths or the last tenth of its questions; which have evidence.

    The questions of the datasets `keep_out` are left out, in any order of their words. `as_rows` writes what
    `expound train writer` learns, all rewritten questions of a question together, in place of pairs.
    """
    if part and part not in PARTS:
        raise UserError(f"--part {part}: there are {' and '.join(PARTS)}")
    search = Lexical([open_corpus(name) for name in corpora])
    blocked = {_key(question.text) for spec in keep_out for question in open_dataset(spec)}
    questions = [
        question
        for question in open_dataset(dataset)
        if (not part or part_of(question.text) == part) and _key(question.text) not in blocked
    ]
    groups = []
    for number, found in enumerate(iter_rewritten(questions, lambda text: search.retrieve(text, k=_PASSAGES)), start=1):
        groups.append(found)
        if report:
            report("searching", number, len(questions))
    if as_rows:
        write_writer_rows(out, chain.from_iterable(map(rows_of, groups)))
    else:
        write_rewritten(out, chain.from_iterable(chain.from_iterable(groups)))
    return {out.name: [bool(pair.sentence) for found in groups for pairs in found for pair in pairs]}


def _key(question: str) -> tuple[str, ...]:
    return tuple(sorted(normalize_answer(question).split()))


def part_of(question: str) -> str:
    """To which part a question belongs, whatever file it stands in."""
    return PARTS[int(sha256(question.encode()).hexdigest(), 16) % _TENTHS == 0]


def iter_rewritten(
    questions: Sequence[Question], find: Callable[[str], Sequence[Evidence]]
) -> Iterator[list[list[RewrittenPair]]]:
    """For every question the pairs of each annotator who found several answers; `find` gives its passages."""
    for question in questions:
        several = [readings for readings in question.annotations if len(readings) > 1]
        evidence = find(question.text) if several else ()
        yield [list(_pair_readings(question.text, readings, evidence)) for readings in several]


def rows_of(annotations: Sequence[Sequence[RewrittenPair]]) -> Iterator[WriterRow]:
    """Rows for a writer: a question with its answers and their evidence, and all that people made of it.

    An annotation without any evidence makes none: there would be nothing to copy from, and guessing to learn.
    """
    for pairs in annotations:
        if not any(pair.sentence for pair in pairs):
            continue
        rewritten = iter([pair.rewritten for pair in pairs])
        for part in parts_of([GivenAnswer(pair.answer, pair.title, pair.sentence) for pair in pairs]):
            written = join_list(next(rewritten) for _ in part)
            yield WriterRow(pairs[0].question, written, documents_of(part))


def _pair_readings(
    question: str, readings: Sequence[Interpretation], evidence: Sequence[Evidence]
) -> Iterator[RewrittenPair]:
    found = [candidate_for(question, reading, evidence) for reading in readings]
    for reading, candidate in zip(readings, found, strict=True):
        yield RewrittenPair(
            question=question,
            rewritten=reading.question,
            answer=candidate.answer,
            title=candidate.passage.title,
            sentence=candidate.sentence.text,
            elsewhere=_words_elsewhere(candidate, found),
        )


def _words_elsewhere(candidate: Candidate, found: Sequence[Candidate]) -> tuple[str, ...]:
    others = [other for other in found if other is not candidate]
    # Sorted: the file is the same every time.
    return tuple(sorted(said_of_others(candidate, others)))
