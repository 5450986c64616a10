"""What a report is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from expound.audit.audit_request import AuditRequest
from expound.report.sources import Found, common_dataset, find_sources
from expound.score.choice import choose_profile, scoring_resources
from expound.score.comparison import SAMPLES
from expound.score.profile import Profile


@dataclass(frozen=True, kw_only=True)
class ReportRequest:
    """Folders of runs or files of predictions, and what else is known of them."""

    sources: Sequence[Path]
    names: Sequence[str] = ()
    """What they are called, in the same order; else runs have the names of their plans."""
    dataset: str = ""
    """The questions; runs know their own."""
    profile: str = ""
    metrics: tuple[str, ...] = ()
    reader: str = "none"
    audit: bool = False
    """Whether to audit what has no audit record yet."""
    people: Sequence[Path] = ()
    """Files with judgments of studies or of model judges, a line each."""
    allow_missing: bool = False
    seed: int = 0
    samples: int = SAMPLES
    """Resamples and permutations of a comparison."""
    jobs: int = 1

    @cached_property
    def found(self) -> list[Found]:
        """The folders and files, opened."""
        return find_sources(self.sources, self.names)

    @cached_property
    def asked(self) -> tuple[str, int]:
        """The dataset, and how many of its questions were asked; 0 for all."""
        return common_dataset(self.found, self.dataset)

    @cached_property
    def chosen_profile(self) -> Profile:
        """The metrics that were asked for, else those of the dataset's paper."""
        return choose_profile(self.profile, self.asked[0], self.metrics)

    def scoring_resources(self) -> list[str]:
        """The fetched files that scoring and auditing cannot do without."""
        audited = self.audit_request(self.found[0]).scoring_resources() if self.audit else []
        return [*scoring_resources(self.chosen_profile, self.reader), *audited]

    def audit_request(self, found: Found, *, allow_missing: bool = False) -> AuditRequest:
        """The audit of one of them, by the same metrics."""
        dataset, limit = self.asked
        return AuditRequest(
            predictions=found.predictions,
            dataset=dataset,
            profile=self.profile,
            metrics=self.metrics,
            allow_missing=self.allow_missing or allow_missing,
            limit=limit,
            seed=self.seed,
            jobs=self.jobs,
        )
