"""ASQA's reading metrics: can the short answers be read off the long one? And DR, which joins them to ROUGE.

A reader, or a file, gives a short answer to each reading's question: `prediction.meta["short_answers"]` maps the index
of the reading to one or more of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from expound.errors import BadInput, UserError
from expound.score.rouge import Rouge
from expound.score.short_answers import best_token_f1, exact
from expound.types import Prediction, Question

if TYPE_CHECKING:
    from expound.protocols import Numbers

KINDS = ("em", "f1", "hit")


@dataclass(frozen=True)
class QaAnswer:
    """Short answers read off the long answer, against the gold ones (Stelmakh et al. 2022). 0 to 100.

    `em` and `f1` (Disambig-F1) are means over the question's readings of the best exact match and token F1 with any
    alias; `hit` is 100 when every reading is an exact match. Not a number without short answers or readings.

    >>> from expound.types import Answer, Interpretation
    >>> readings = Interpretation("In 1964?", ("Simon & Garfunkel",)), Interpretation("In 2016?", ("Dami Im",))
    >>> question = Question("1", "Who sang The Sound of Silence?", interpretations=readings)
    >>> said = {0: ("Paul Simon",), 1: ("Dami Im",)}
    >>> QaAnswer(kind="em").count(question, Prediction("1", "", "demo", Answer(), meta={"short_answers": said}))
    50.0
    """

    kind: str = "f1"
    # In the metric and not only in the file: a signature has to tell it.
    reader: str = ""
    """Whose short answers these are: numbers of different readers are not the same metric."""
    looks_at = ("text", "reader")

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UserError(f"no QA metric named {self.kind!r}; there are: {', '.join(KINDS)}")

    @property
    def name(self) -> str:
        """`qa_em`, `qa_f1`, `qa_hit`."""
        return f"qa_{self.kind}"

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return {"reader": self.reader} if self.reader else {}

    def read_by(self, name: str) -> QaAnswer:
        """The metric that tells whose answers it looks at."""
        return replace(self, reader=name)

    def count(self, question: Question, prediction: Prediction) -> float:
        """The question's value in percent."""
        # Without a reader the metric cannot be counted, which is something else than 0.
        if "short_answers" not in prediction.meta or not question.interpretations:
            return math.nan
        values = [
            max(self._value(said, reading.answers) for said in _short_answers(prediction, index))
            for index, reading in enumerate(question.interpretations)
        ]
        return 100 * (math.fsum(values) / len(values) if self.kind != "hit" else float(all(values)))

    def _value(self, said: str, golds: tuple[str, ...]) -> float:
        return best_token_f1(said, golds) if self.kind == "f1" else float(exact(said, golds))


@dataclass(frozen=True)
class Dr:
    """DR: the square root of Disambig-F1 times ROUGE-Lsum, both over all questions (Stelmakh et al. 2022). 0 to 100."""

    rouge: Rouge = field(default_factory=lambda: Rouge(profile="asqa"), repr=False)
    reader: str = ""

    name = "dr"
    looks_at = ("text", "reader")

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return self.rouge.options | ({"reader": self.reader} if self.reader else {})

    @property
    def resources(self) -> tuple[str, ...]:
        """The fetched files that it cannot do without."""
        return self.rouge.resources

    def read_by(self, name: str) -> Dr:
        """The metric that tells whose answers it looks at."""
        return replace(self, reader=name)

    def count(self, question: Question, prediction: Prediction) -> tuple[float, ...]:
        """The question's Disambig-F1 and ROUGE."""
        # A question without short answers is left out of both means: they must be over the same questions.
        f1 = QaAnswer(kind="f1").count(question, prediction)
        return f1, math.nan if math.isnan(f1) else self.rouge.count(question, prediction)

    def pool(self, counts: Numbers, weights: Numbers) -> Numbers:
        """The geometric mean of both means."""
        import numpy as np

        # Means first and the root last, as the paper has it; the mean of roots is another number.
        f1, rouge = (weights @ counts / weights.sum(axis=1, keepdims=True)).T
        root: Numbers = np.sqrt(f1 * rouge)
        return root

    def each(self, counts: Numbers) -> Numbers:
        """The geometric mean for every question by itself."""
        import numpy as np

        root: Numbers = np.sqrt(counts[:, 0] * counts[:, 1])
        return root


def _short_answers(prediction: Prediction, index: int) -> tuple[str, ...]:
    given = prediction.meta["short_answers"]
    # From a JSON record the indexes come back as texts.
    said = given.get(index, given.get(str(index)))
    if said is None or said == []:
        raise BadInput(f"no short answer to reading {index} of question {prediction.id}: '{prediction.id}_{index}'")
    return (said,) if isinstance(said, str) else tuple(said)
