"""What to audit: answers in files, or a plan whose system is run, and run again with random passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

from expound import resources
from expound.audit.inputs import fitting_profile, quality_profile
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.experiment import open_plan
from expound.runs.plan import Plan, read_plan
from expound.score.choice import choose_profile
from expound.score.profile import Profile
from expound.types import Question

_LOOKED_AT = 100
"""So many questions tell which profile fits a dataset."""


@dataclass(frozen=True, kw_only=True)
class AuditRequest:
    """Answers or a plan, the questions, and what else is known; what is not given makes some controls not run."""

    predictions: Path | None = None
    dataset: str = ""
    train: str = ""
    """The training questions, for overlap and bounds."""
    retrievals: Path | None = None
    """Passages per question, if the answers have none."""
    random: Path | None = None
    """The system's answers with random passages."""
    plan: Path | None = None
    """A plan of `expound run`: its system makes the answers, and those with random passages."""
    against: Path | None = None
    """Another system's answers, compared at equal length."""
    profile: str = ""
    metrics: tuple[str, ...] = ()
    content: str = "auto"
    """Nouns and names by `spacy`, by `rules`, or `auto`."""
    by_meaning: bool = True
    """Whether training questions are found by vectors too."""
    allow_missing: bool = False
    limit: int = 0
    seed: int = 0
    jobs: int = 1

    @cached_property
    def opened_plan(self) -> Plan | None:
        """The plan, read; a request that names neither answers nor a plan is refused, and one that names too much."""
        if self.plan is None:
            if self.predictions is None:
                raise UserError("which predictions? Name a file, or a plan to run with --plan")
            return None
        if self.random:
            raise UserError("--random or --plan, not both: a plan makes the answers with random passages itself")
        # A limit of the command's own wins; without one the plan's holds.
        return read_plan(self.plan, **({"limit": self.limit} if self.limit else {}))

    @property
    def dataset_spec(self) -> str:
        """The questions: as named, else the plan's."""
        plan = self.opened_plan
        dataset = self.dataset or (plan.dataset if plan else "")
        if not dataset:
            raise UserError("which questions? Write --dataset LAYOUT:PATH, or --plan with a plan that names one")
        return dataset

    @property
    def wants_embedder(self) -> bool:
        """Whether something is searched by meaning, where that can be done."""
        return bool(self.opened_plan or (self.train and self.by_meaning))

    def profile_for(self, questions: Sequence[Question]) -> Profile:
        """The metrics of the answers' texts: those that were named, else the first profile that fits the questions."""
        fitting = fitting_profile(questions)
        if self.profile or self.metrics:
            fitting = choose_profile(self.profile or fitting.name, self.dataset_spec, self.metrics)
        return quality_profile(fitting)

    def scoring_resources(self) -> list[str]:
        """The fetched files that scoring cannot do without."""
        first = list(islice(open_dataset(self.dataset_spec), _LOOKED_AT))
        return resources.list_needed(self.profile_for(first).metrics)

    def answering_resources(self) -> list[str]:
        """The fetched files that the plan's system cannot do without, if there is a plan."""
        return open_plan(self.opened_plan).resources if self.opened_plan else []
