"""Score predictions: the one call that does all that `expound score` does."""

from __future__ import annotations

from expound.errors import UserError
from expound.models.readers import open_reader
from expound.protocols import Reader
from expound.score.beside import NO_SIDE_FILES, SideFiles, with_side_files
from expound.score.counts import Report
from expound.score.results import SAMPLES, Metrics, Predictions, Questions, Scorer, Scores


def score(
    predictions: Predictions | None,
    dataset: Questions,
    metrics: Metrics = "asqa",
    *,
    side_files: SideFiles = NO_SIDE_FILES,
    reader: Reader | str | None = None,
    protocol: str = "standard",
    allow_missing: bool = False,
    seed: int = 0,
    samples: int = SAMPLES,
    jobs: int = 1,
    per_question: bool = True,
    report: Report | None = None,
) -> Scores:
    """Score predictions against a dataset.

    Predictions are a file in an official layout, a mapping of ids to answers, or records, and None for the protocol
    `human`, which scores the references against each other; the dataset is a spec such as `asqa:dev.json`, or
    questions; metrics are a profile (`choose_profile` finds the dataset's own), its name, or metrics and their specs. A
    reader can be named as for `--reader`. Both sides must have the same ids unless `allow_missing`. With `jobs` above 1
    (0: all cores) the calling script needs a `__main__` guard.
    """
    answers = with_side_files(_check(predictions, protocol), side_files, allow_missing=allow_missing)
    scorer = Scorer(
        metrics,
        seed=seed,
        samples=samples,
        allow_missing=allow_missing,
        protocol=protocol,
        jobs=jobs,
        per_question=per_question,
        report=report,
        reader=open_reader(reader) if isinstance(reader, str) else reader,
    )
    return scorer.score(answers, dataset)


def _check(predictions: Predictions | None, protocol: str) -> Predictions:
    """The predictions; none are needed, nor wanted, where people are scored."""
    if protocol == "human":
        if predictions is not None:
            raise UserError("the protocol human scores the references themselves: leave the predictions out")
        return []
    if predictions is None:
        raise UserError("which predictions? Name a file, or score people with --protocol human")
    return predictions
