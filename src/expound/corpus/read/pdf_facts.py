"""What holds for a whole PDF: the size of its body, the usual distances of its lines, its words, what its code is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from expound.corpus.read.pdf_lines import Line
from expound.corpus.read.pdf_text import all_words

# Lines further apart than this many times the usual distance belong to two paragraphs.
_LOOSE = 1.25
# Where this share of the text is typewriter type, that is the author's taste and not code.
_ALL_MONO = 0.6


@dataclass(frozen=True, slots=True)
class Facts:
    """What holds for the whole document: usual size, usual distances, its words, whether typewriter type is code."""

    body: float
    leadings: Mapping[float, float]
    words: Collection[str]
    has_code: bool

    def is_near(self, above: Line, line: Line, share: float = _LOOSE) -> bool:
        """Whether a line follows another in its region at no more than the usual distance."""
        if (above.page, above.region) != (line.page, line.region):
            return False
        return 0 < above.base - line.base <= share * self.leading(line)

    def leading(self, line: Line) -> float:
        return self.leadings.get(line.size, 1.25 * line.size)


def facts_of(lines: Sequence[Line]) -> Facts:
    """The facts that all lines of a document tell, of which there is one at least."""
    return Facts(_body_size(lines), _leadings(lines), all_words(lines), _has_code(lines))


def _body_size(lines: Sequence[Line]) -> float:
    # A manual full of listings would otherwise have their size.
    prose = [line for line in lines if not line.is_mono] or lines
    sizes = Counter[float]()
    for line in prose:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0]


def _leadings(lines: Sequence[Line]) -> dict[float, float]:
    """The usual distance between lines of each size."""
    gaps: dict[float, list[float]] = defaultdict(list)
    for above, line in pairwise(lines):
        gap = above.base - line.base
        if (
            above.size == line.size
            and (above.page, above.region) == (line.page, line.region)
            and 0 < gap < 3 * line.size
        ):
            gaps[line.size].append(gap)
    # Most lines are inside paragraphs, so that a low quantile is robust against short ones.
    # At least a line's own height: raised marks stand closer than any line.
    return {size: max(sorted(found)[len(found) // 3], 0.9 * size) for size, found in gaps.items()}


def _has_code(lines: Sequence[Line]) -> bool:
    mono = sum(len(line.text) for line in lines if line.is_mono)
    return mono < _ALL_MONO * sum(len(line.text) for line in lines)
