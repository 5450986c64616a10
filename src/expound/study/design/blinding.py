"""Blinding before a study: the same surface for every system, and which marks still give a system away."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from expound.stats.holm import holm
from expound.study.design.items import Item, read_items
from expound.study.design.study_plan import read_plan

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    import numpy as np
    import numpy.typing as npt

# The bounds of the p-value then rest on 50 of them at the usual level.
_PERMUTATIONS = 1000
# The usual level: a warning before a study costs little, a mark that gives systems away spoils it.
_LEVEL = 0.05
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'"})


def same_surface(text: str) -> str:
    """The text without what only its writer's program put there: outer blanks, kinds of line ends and of quotes."""
    # Quotes of word tokenizers too: they betray answers that went through one.
    lines = [line.rstrip() for line in text.replace("``", '"').replace("''", '"').translate(_QUOTES).splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


@dataclass(frozen=True)
class Giveaway:
    """How often a mark alone names the system, how often it would by chance, and how probable that is by chance.

    The guess is the system that has most texts with the same mark. The p-value is of a permutation test that exchanges
    the systems within each question, corrected for all marks by Holm's method.
    """

    mark: str
    right: float
    chance: float
    p_value: float

    @property
    def is_one(self) -> bool:
        return self.p_value < _LEVEL


def check_blinding(path: Path) -> list[Giveaway]:
    """The marks of the answers in the study of a plan."""
    plan = read_plan(path)
    items = [item for item in read_items(plan.items_path) if item.kind == "main"]
    return find_giveaways(items, seed=plan.seed)


def find_giveaways(items: Sequence[Item], *, seed: int, samples: int = _PERMUTATIONS) -> list[Giveaway]:
    """Every mark with how well it tells systems apart, the best first; nothing where there is one system."""
    # By question and system: an answer that meets several others is one text, and must not count as several.
    texts = {(item.question_id, one.system): one.text for item in items for one in item.candidates}
    if len({system for _, system in texts}) < 2:
        return []
    found = [_giveaway(name, mark, texts, seed=seed, samples=samples) for name, mark in MARKS.items()]
    corrected = holm([one.p_value for one in found])
    checked = (
        Giveaway(one.mark, one.right, one.chance, p_value) for one, p_value in zip(found, corrected, strict=True)
    )
    return sorted(checked, key=lambda one: (one.p_value, one.chance - one.right))


def _giveaway(
    name: str, mark: Callable[[str], object], texts: Mapping[tuple[str, str], str], *, seed: int, samples: int
) -> Giveaway:
    import numpy as np

    systems = np.unique([system for _, system in texts], return_inverse=True)[1]
    questions = np.unique([question for question, _ in texts], return_inverse=True)[1]
    values = np.unique([str(mark(text)) for text in texts.values()], return_inverse=True)[1]
    draw, right = np.random.default_rng(seed), _count_guessed(values, systems)
    drawn = np.array([_count_guessed(values, _exchange_systems(systems, questions, draw)) for _ in range(samples)])
    # The order as it is counts as one of the draws: a permutation test never says that something is impossible.
    p_value = (1 + np.count_nonzero(drawn >= right)) / (1 + samples)
    return Giveaway(name, right / len(texts), float(drawn.mean()) / len(texts), float(p_value))


def _count_guessed(values: npt.NDArray[np.intp], systems: npt.NDArray[np.intp]) -> float:
    """How many texts the best guess by their mark gets right."""
    import numpy as np

    width = int(systems.max()) + 1
    # One number for each mark and system: counting in Python would take minutes for a thousand permutations.
    table = np.bincount(values * width + systems, minlength=(int(values.max()) + 1) * width)
    return float(table.reshape(-1, width).max(axis=1).sum())


def _exchange_systems(
    systems: npt.NDArray[np.intp], questions: npt.NDArray[np.intp], draw: np.random.Generator
) -> npt.NDArray[np.intp]:
    """The systems in another order within each question."""
    import numpy as np

    made = np.empty_like(systems)
    # Both sort by question; the second one in a random order within it.
    made[np.argsort(questions, kind="stable")] = systems[np.lexsort((draw.random(len(systems)), questions))]
    return made


def _length(text: str) -> int:
    """Bands that double: 1, 2-3, 4-7, … words."""
    # Bands and not words: with a value for nearly every text, any mark would name its system.
    return len(text.split()).bit_length()


def _quotes(text: str) -> str:
    return "typographic" if re.search("[“”„«»]", text) else "straight" if '"' in text else "none"


def _citations(text: str) -> str:
    kinds = {"numbers": r"\[\d+\]", "addresses": r"https?://", "names": r"\([A-Z][^()]*\d{4}[a-z]?\)"}
    return " ".join(name for name, pattern in kinds.items() if re.search(pattern, text))


def _holds(pattern: str) -> Callable[[str], object]:
    return lambda text: bool(re.search(pattern, text))


MARKS: Mapping[str, Callable[[str], object]] = {
    "length": _length,
    "outer blanks": lambda text: (text[:1].isspace(), text[-1:].isspace()),
    "bullets or numbers": _holds(r"(?m)^\s*([-*•–]|\d+[.)])\s"),
    "paragraphs": lambda text: min(len(re.split(r"\n+", text.strip())), 4),
    "citations": _citations,
    "markup": _holds(r"\*\*|__|`|(?m:^#)|</?\w+>"),
    "quotation marks": _quotes,
    "blanks before punctuation": _holds(r"\s[.,;:?!]"),
    "no full stop at the end": lambda text: not text.rstrip("\"'”’)] \n").endswith((".", "!", "?")),
    "small first letter": lambda text: text.lstrip()[:1].islower(),
}
