"""What a judge is to judge: files of predictions, or the pairs that people judged; and with which model."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from expound import plugins
from expound.errors import UserError
from expound.judge.judge_items import JudgeItem, items_of_people, items_of_predictions, read_preferences, with_votes
from expound.judge.judge_shape import AnyJudge
from expound.judge.own_examples import own_examples
from expound.score.beside import name_systems
from expound.types import Preference

OVERALL = "overall"


@dataclass(frozen=True, kw_only=True)
class JudgeRequest:
    """The judge by its spec, what it judges, and how it is audited.

    With `agreed`, only pairs that two or more people judged, all alike. `probes` pairs are changed in what should not
    matter, to see whether it does.
    """

    judge: str
    predictions: tuple[Path, ...] = ()
    dataset: str = ""
    people: str = ""
    agreed: bool = False
    limit: int = 0
    probes: int = 20
    seed: int = 0

    @cached_property
    def part(self) -> AnyJudge:
        """The judge itself."""
        found: AnyJudge = plugins.build("judge", self.judge)
        return found

    @cached_property
    def items(self) -> list[JudgeItem]:
        """What is judged: all that was asked for but the examples, and other answers to their questions."""
        # By question and not by pair: another pair of the same question shows the judge half of the answer.
        examples = {item.question.id for item in self.pool}
        items = [item for item in self._all if item.question.id not in examples]
        if not items:
            raise UserError(f"nothing is left to judge beside the {len(self.pool)} examples; take more pairs")
        # Cut last: the limit is of what is judged, and who the examples are does not change with it.
        return items[: self.limit or None]

    @cached_property
    def pool(self) -> tuple[JudgeItem, ...]:
        """The examples that the judge wants: drawn from what people chose, so many of each domain; else our own."""
        wanted, own = self.part.examples, own_examples()
        if not self.people and wanted > len(own):
            raise UserError(f"{self.part!r} wants more than our {len(own)} examples: name others with --people")
        if not self.people or not wanted:
            return own[:wanted]
        known = self._all if not self.predictions else items_of_people(self._people)
        # A tie teaches nothing: the layout of the examples has only two ways to end.
        chosen = [item for item in known if item.preferred(OVERALL)]
        return tuple(_draw_items(chosen, wanted, self.seed))

    def spec(self) -> dict[str, Any]:
        """What the manifest says of the request: not the paths, whose hashes it has."""
        return {"judge": repr(self.part), "agreed": self.agreed, "limit": self.limit, "probes": self.probes}

    @cached_property
    def _people(self) -> list[Preference]:
        return read_preferences(self.people) if self.people else []

    @cached_property
    def _all(self) -> list[JudgeItem]:
        items = self._gather_items()
        if not self.agreed:
            return items
        agreed = [item for item in items if item.is_agreed(OVERALL)]
        if not agreed:
            raise UserError("no pair was judged by several people who all agree; leave out --agreed")
        return agreed

    def _gather_items(self) -> list[JudgeItem]:
        if self.predictions:
            return with_votes(items_of_predictions(name_systems(self.predictions), self.dataset), self._people)
        if not self.people:
            raise UserError("what is to be judged? Give two files of predictions, or --people LAYOUT:PATH")
        return items_of_people(self._people)


def _draw_items(items: Sequence[JudgeItem], count: int, seed: int) -> list[JudgeItem]:
    """So many of each domain, or of all where a domain has too few."""
    domains: dict[str, list[JudgeItem]] = defaultdict(list)
    for item in items:
        domains[item.domain].append(item)
    # A domain gives examples only if something of it is left to judge.
    rich = {name: group for name, group in domains.items() if len(group) > count} or {"": list(items)}
    if any(len(group) < count for group in rich.values()):
        raise UserError(f"{count} examples are wanted, and people chose in {len(items)} pairs only")
    # Dice for each domain: what is drawn of one stays when a file with another is added.
    return [item for name, group in rich.items() for item in random.Random(f"{seed} {name}").sample(group, count)]
