"""ELI5's extractive reader: a ranker of sentences, learnt from the spans of documents that are most like an answer."""

from __future__ import annotations

from pathlib import Path

from expound.errors import UserError
from expound.train.data.span_groups import SpanFiles, find_span_groups
from expound.train.description import Report
from expound.train.kinds.ranker_kind import RankerKind
from expound.train.training_settings import RankerSettings

# One question in so many is held out.
_EACH_HELD_OUT = 20
# What the figures were called before rankers had figures of their own.
_ALSO_CALLED = {"groups": "train", "held_out": "dev", "span_first": "r1"}


def describe_sentences(
    files: SpanFiles, base: Path, settings: RankerSettings, *, seed: int, report: Report | None = None
) -> RankerKind:
    """The ranker of the best spans of all questions; one in twenty of them is measured on."""
    if not files.train:
        raise UserError("name questions with long answers: --train LAYOUT:PATH")
    groups = find_span_groups(files, seed=seed, report=report)
    held_out, learned = groups[::_EACH_HELD_OUT], [g for n, g in enumerate(groups) if n % _EACH_HELD_OUT]
    if not learned:
        raise UserError("too few questions have both a reference and evidence; name a corpus to search: --corpus NAME")
    return RankerKind(
        groups=learned, dev=held_out, base=base, settings=settings, name="sentences", also_called=_ALSO_CALLED
    )
