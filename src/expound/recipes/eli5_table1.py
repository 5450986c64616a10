"""ELI5's Table 1 (Fan et al. 2019): what comes of a forum's dumps by the paper's rules, counted as the paper counts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from expound.build.building import StageResult
from expound.build.forum import ForumRequest, build_eli5
from expound.build.splits import ASIDE, TEST, TRAIN, VALID
from expound.datasets.spec import open_dataset
from expound.files import write_whole
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import mean_figure
from expound.recipes.printing import measured_column, name_column, published_column, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.types import Question

# Few parts: a year of one forum is a few dozen megabytes.
_PARTS = 8
_ASKING = ("why", "how", "what", "when", "where", "who", "which")
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class Made:
    """What the stages counted, and the questions that came of them."""

    stages: Mapping[str, StageResult]
    questions: Sequence[Question]


def make_dataset(given: Ingredients) -> Made:
    """Build the dataset of the submissions, with the answers of ELI5-Category turned back into comments."""
    submissions, *answers = given.files
    with TemporaryDirectory(prefix="expound-eli5-") as folder:
        comments = Path(folder) / "comments.jsonl"
        with write_whole(comments) as file:
            file.writelines(json.dumps(record) + "\n" for path in answers for record in as_comments(path))
        out = Path(folder) / "eli5"
        request = ForumRequest([str(submissions)], [str(comments)], parts=_PARTS)
        stages = build_eli5(request, str(out), report=given.report).stages
        # All parts together, those set aside too: the table counts the dataset before it was split.
        sides = (out / f"{side}.jsonl" for side in (TRAIN, VALID, TEST, ASIDE))
        return Made(stages, [item for side in sides if side.exists() for item in open_dataset(f"qa:{side}")])


def as_comments(path: Path) -> Iterator[dict[str, object]]:
    """The answers of ELI5-Category as comments of a dump: which of them join is for the dumps to say."""
    for question in open_dataset(f"eli5-category:{path}"):
        thread = f"t3_{question.id}"
        for number, (body, score) in enumerate(zip(question.references, question.meta["scores"], strict=True)):
            yield {
                "id": f"{question.id}-{number}",
                "link_id": thread,
                # A reply to the post itself: replies to comments are no answers, and the rules would drop them.
                "parent_id": thread,
                "body": body,
                "score": score,
            }


def run_statistic(made: Made, row: Row) -> Values:
    """A count of a stage, or the mean of something over all questions."""
    if isinstance(row.how, tuple):
        stage, counted = row.how
        return {"mean": made.stages[stage].counts.get(counted, 0)}
    value_of: Callable[[Question], float] = row.how
    figure = mean_figure(map(value_of, made.questions))
    return {"mean": figure, "n": figure.n}


def asking_word(asked: str) -> str:
    """The first word of a question that asks; `other` without one.

    >>> asking_word("If ice floats, why do stones sink?")
    'why'
    """
    # The first that asks, wherever it stands: "If ice floats, why …" asks why.
    return next((word for word in _WORD.findall(asked.lower()) if word in _ASKING), "other")


def _title(question: Question) -> str:
    return str(question.meta["title"])


def _asks(word: str) -> Callable[[Question], float]:
    return lambda question: 100.0 * (asking_word(_title(question)) == word)


_PUBLISHED = (44.8, 27.1, 18.3, 11.3, 2.0, 1.8, 0.8, 6.1)  # of ELI5, in the order of the asking words
RECIPE = Recipe(
    name="eli5-table1",
    title="ELI5, Table 1: questions and answers made of a forum's dumps",
    files=("submissions in Pushshift's layout", "ELI5-Category answers", "more ELI5-Category answers"),
    rows=(
        Row("submissions read", how=("posts", "posts read")),
        Row("submissions kept", how=("posts", "posts kept")),
        Row("comments kept", how=("comments", "comments kept")),
        Row("questions", {"mean": 272_000.0}, ("questions", "questions")),
        Row("answers", how=("questions", "answers")),
        Row("with a second answer, %", {"mean": 63.0}, lambda question: 100.0 * (len(question.references) > 1)),
        Row("words in a question", {"mean": 42.2}, lambda question: len(question.text.split())),
        Row("words in the best answer", {"mean": 130.6}, lambda question: len(question.references[0].split())),
        *(
            Row(f"asks {word}, %", {"mean": published}, _asks(word))
            for word, published in zip((*_ASKING, "other"), _PUBLISHED, strict=True)
        ),
    ),
    prepare=make_dataset,
    run_row=run_statistic,
    tables=table_of(
        name_column("row"),
        published_column("published", "mean"),
        measured_column("measured", "mean", digits=1),
        measured_column("n"),
    ),
    why="Published over all of the forum up to July 2018, tokenised by spaCy, which counts punctuation as words. The "
    "asking words of the paper add up to 112 %, so some questions count twice; here each counts once, by its first.",
)
