"""The options of comparisons that name what is known beside the answers: a file a system, in the systems' order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from expound.errors import UserError

if TYPE_CHECKING:
    from expound.score import SideFiles

_ORDER = "Once a system, in their order."
_OPTION = {
    "short_answers": "--short-answers",
    "no_answer_probabilities": "--no-answer-probabilities",
    "log_probabilities": "--log-probabilities",
    "fills": "--fills",
}
SHORT_ANSWERS: list[Path] = typer.Option(
    [], "--short-answers", help=f"A reader's answers {{<id>_<index>: answer}} (asqa). {_ORDER}"
)
NO_ANSWER_PROBABILITIES: list[Path] = typer.Option(
    [], "--no-answer-probabilities", help=f"{{id: probability}} that there is no answer (squad2). {_ORDER}"
)
NO_ANSWER_THRESHOLD: float = typer.Option(1.0, "--no-answer-threshold", help="Above it a question counts as left open.")
LOG_PROBABILITIES: list[Path] = typer.Option(
    [], "--log-probabilities", help=f"{{id: \\[log p, …]}} for perplexity (eli5). {_ORDER}"
)
FILLS: list[Path] = typer.Option([], "--fills", help=f"{{id: \\[{{gold, predicted}}, …]}} for FILL-1 (eli5). {_ORDER}")


def by_system(
    systems: int,
    *,
    short_answers: Sequence[Path],
    no_answer_probabilities: Sequence[Path],
    log_probabilities: Sequence[Path],
    fills: Sequence[Path],
) -> list[SideFiles]:
    """The side files of every system; each kind is given for all systems or for none."""
    from expound.score import SideFiles

    kinds = (short_answers, no_answer_probabilities, log_probabilities, fills)
    given = dict(zip(_OPTION, kinds, strict=True))
    for name, files in given.items():
        # For all or for none: with one too few nobody could say which system lacks it.
        if files and len(files) != systems:
            raise UserError(f"{systems} systems, and {_OPTION[name]} for {len(files)}: give it once a system, in order")
    held = {name: files for name, files in given.items() if files}
    return [SideFiles(**{name: files[place] for name, files in held.items()}) for place in range(systems)]
