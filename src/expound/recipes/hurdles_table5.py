"""Tables 5 and 6 of Krishna et al. 2021 on ELI5-Category: which questions of one file are asked in the other?"""

from __future__ import annotations

from collections.abc import Callable

from expound.audit.inputs import Inputs
from expound.audit.numbers import share_of
from expound.audit.overlap import TFIDF_LEVELS, Copies, find
from expound.corpus.library import default_embedder
from expound.datasets.eli5_category import Eli5Category
from expound.recipes.findings import Row, Values
from expound.recipes.printing import measured_column, name_column, published_column, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.score.results import Scorer
from expound.types import Answer, Prediction


def find_neighbours(given: Ingredients) -> Copies:
    """The nearest questions of the second file to every one of the first."""
    questions = tuple(Eli5Category(given.files[0]))
    nothing = {
        question.id: Prediction(id=question.id, question=question.text, system="", answer=Answer())
        for question in questions
    }
    train = f"eli5-category:{given.files[1]}"
    return find(
        # The control of the audit looks at questions alone; empty answers stand in for a system's.
        Inputs(questions, nothing, Scorer("eli5"), train=train, embedder=default_embedder(), report=given.report)
    )


def run_share(found: Copies, row: Row) -> Values:
    """The share of the questions that have such a neighbour."""
    have: Callable[[Copies], list[bool]] = row.how
    share = share_of(have(found))
    return {"share": share, "n": share.n}


def _near(level: float) -> Row:
    def have(found: Copies) -> list[bool]:
        return [any(item.tfidf >= level for item in row) for row in found.neighbours]

    return Row(f"a question with TF-IDF similarity of {level:g}", how=have)


RECIPE = Recipe(
    name="hurdles-table5",
    title="Hurdles, Table 5: questions that are asked in the other file",
    files=("ELI5-Category questions to look for", "ELI5-Category questions to look among"),
    rows=(
        Row("a paraphrase", {"share": "81 by people, 43.6 by a classifier"}, lambda found: found.paraphrased),
        Row("a topically similar question", {"share": "100 by people"}, lambda found: found.similar),
        *map(_near, TFIDF_LEVELS),
    ),
    prepare=find_neighbours,
    run_row=run_share,
    tables=table_of(
        name_column("questions with"),
        published_column("published, %", "share"),
        measured_column("measured, %", "share"),
        measured_column("n"),
    ),
    why="Published for KILT's ELI5 validation questions against 272,634 training questions.",
)
