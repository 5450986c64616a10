"""From the logits of a context's windows to one answer: the post-processing of the official SQuAD 2.0 evaluation.

As in Devlin et al. 2019, section 4.3, and the question-answering script of the transformers library: of each window the
20 likeliest starts and ends are paired, a pair within 30 tokens is a candidate, the candidates of all windows compete,
and the lowest null score of any window is what the best has to reach.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from expound.models.reader_windows import Window
from expound.types import Span

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Logits: TypeAlias = npt.NDArray[np.floating[Any]]

Run: TypeAlias = "Callable[[Sequence[Window]], tuple[Logits, Logits]]"
"""From a few windows to a row of start and a row of end logits each, padded as it likes."""

N_BEST = 20  # as in the official script
MOST_ANSWER_TOKENS = 30  # as in the official script: an answer is a few words
# Windows of 384 tokens: memory grows with them, and a processor is no faster with more at once.
_BATCH = 8


class Cutter(Protocol):
    """Questions and contexts to their windows."""

    def windows(self, pairs: Sequence[tuple[str, str]]) -> list[list[Window]]: ...


@dataclass(frozen=True, slots=True)
class Read:
    """A window and the logits of its tokens, `[CLS]` first."""

    window: Window
    starts: Logits
    ends: Logits


@dataclass(frozen=True, slots=True)
class CloseRead:
    """A context with the logits of its windows: every span of it has a score, not only the best."""

    context: str
    reads: tuple[Read, ...]

    @property
    def null_score(self) -> float:
        """How likely it is, as a logit, that the context holds no answer: the lowest of any window, as in reading."""
        return min(float(read.starts[0] + read.ends[0]) for read in self.reads)

    def best(self, most: int) -> list[Span]:
        """The likeliest spans, best first; many of them overlap."""
        null = self.null_score
        found = n_best(self.reads)[:most]
        return [
            Span(text=self.context[start:end], start=start, end=end, score=score, null_score=null)
            for score, start, end in found
        ]

    def score(self, start: int, end: int) -> float:
        """The score of the span between two characters; minus infinity where no token begins or ends there."""
        return max(_span_score(read, start, end) for read in self.reads)


def pack_reads(reads: Sequence[Read]) -> bytes:
    """Windows and logits as bytes, for keeping: a line that says what there is, then all logits in a row."""
    import numpy as np

    about = [[read.window.ids, read.window.context_start, read.window.offsets] for read in reads]
    # The order of bytes is fixed: a cache may be copied to another machine.
    logits = [np.asarray(row, dtype="<f4").tobytes() for read in reads for row in (read.starts, read.ends)]
    return zlib.compress(b"\n".join((json.dumps(about).encode(), b"".join(logits))))


def unpack_reads(packed: bytes) -> tuple[Read, ...]:
    """What was packed; a `ValueError` if it was not."""
    import numpy as np

    try:
        line, _, logits = zlib.decompress(packed).partition(b"\n")
    except zlib.error as error:
        raise ValueError(str(error)) from error
    rest = np.frombuffer(logits, dtype="<f4")
    reads = []
    for ids, start, offsets in json.loads(line):
        window = Window(tuple(ids), start, tuple((first, last) for first, last in offsets))
        starts, ends, rest = rest[: len(ids)], rest[len(ids) : 2 * len(ids)], rest[2 * len(ids) :]
        reads.append(Read(window, starts, ends))
    return tuple(reads)


def _span_score(read: Read, start: int, end: int) -> float:
    first, offsets = read.window.context_start, read.window.offsets
    begins = next((place for place, offset in enumerate(offsets) if offset[0] == start), None)
    ends = next((place for place, offset in enumerate(offsets) if offset[1] == end), None)
    if begins is None or ends is None:
        return float("-inf")
    return float(read.starts[first + begins] + read.ends[first + ends])


def read_closely(pairs: Sequence[tuple[str, str]], cutter: Cutter, run: Run) -> list[CloseRead]:
    """Each (question, context) pair with all that the reader makes of it, in their order."""
    cut = cutter.windows(pairs)
    reads = iter(run_windows([window for windows in cut for window in windows], run))
    return [
        CloseRead(context, tuple(next(reads) for _ in windows))
        for (_, context), windows in zip(pairs, cut, strict=True)
    ]


def read_spans(pairs: Sequence[tuple[str, str]], cutter: Cutter, run: Run, *, threshold: float = 0.0) -> list[Span]:
    """The answer to each (question, context) pair, in their order."""
    cut = cutter.windows(pairs)
    reads = iter(run_windows([window for windows in cut for window in windows], run))
    return [
        best_span(context, [next(reads) for _ in windows], threshold=threshold)
        for (_, context), windows in zip(pairs, cut, strict=True)
    ]


def run_windows(windows: Sequence[Window], run: Run) -> list[Read]:
    """Every window with its logits, computed in batches of like length: less padding, and memory stays small."""
    order = sorted(range(len(windows)), key=lambda place: len(windows[place].ids))
    reads: dict[int, Read] = {}
    for start in range(0, len(order), _BATCH):
        places = order[start : start + _BATCH]
        for place, starts, ends in zip(places, *run([windows[place] for place in places]), strict=True):
            length = len(windows[place].ids)
            # Copies: a view would keep the padded batch alive.
            reads[place] = Read(windows[place], starts[:length].copy(), ends[:length].copy())
    return [reads[place] for place in range(len(windows))]


def best_span(context: str, reads: Sequence[Read], *, threshold: float = 0.0) -> Span:
    """The best span of the context, or no text if not answering scores higher by more than the threshold."""
    # As the official script: the window that is least sure of "no answer" decides.
    null = min(float(read.starts[0] + read.ends[0]) for read in reads)
    best = next(iter(n_best(reads)), None)
    # A context without tokens has no candidate.
    if best is None or null - best[0] > threshold:
        return Span(text="", start=0, end=0, score=best[0] if best else float("-inf"), null_score=null)
    score, start, end = best
    return Span(text=context[start:end], start=start, end=end, score=score, null_score=null)


def n_best(reads: Sequence[Read]) -> list[tuple[float, int, int]]:
    """The best candidates of all windows as score, start and end character, best first; ties keep reading order."""
    found = [candidate for read in reads for candidate in candidates(read)]
    return nlargest(N_BEST, found, key=lambda candidate: candidate[0])


def candidates(read: Read) -> Iterator[tuple[float, int, int]]:
    """Spans of context tokens between one of the likeliest starts and one of the likeliest ends."""
    first, offsets = read.window.context_start, read.window.offsets
    starts, ends = (_context_places(likeliest(logits), read.window) for logits in (read.starts, read.ends))
    for start in starts:
        for end in ends:
            # `start <= end`: starts and ends are likely each by itself, and may be the wrong way round.
            if start <= end < start + MOST_ANSWER_TOKENS:
                score = float(read.starts[start] + read.ends[end])
                yield score, offsets[start - first][0], offsets[end - first][1]


def likeliest(logits: Logits) -> list[int]:
    """The places of the 20 highest logits, highest first; ties keep reading order."""
    import numpy as np

    return [int(place) for place in np.argsort(-logits, kind="stable")[:N_BEST]]


def _context_places(places: Sequence[int], window: Window) -> list[int]:
    last = window.context_start + len(window.offsets)
    return [place for place in places if window.context_start <= place < last]
