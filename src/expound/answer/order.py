"""Put the passages in the order in which they are worth quoting."""

from __future__ import annotations

from collections.abc import Sequence

from expound.protocols import Ranker
from expound.text.titled import titled_passage
from expound.types import Evidence

RANKED = 12
"""How many passages the ranker reads; further ones hardly ever answer (recipes/LOG.md)."""
_WEIGHT = 0.05
"""What a logit of the ranker is worth beside a cosine."""


def ordered(question: str, evidence: Sequence[Evidence], ranker: Ranker | None) -> list[Evidence]:
    """The evidence, best first; as it was found where there is no ranker for documents."""
    if ranker is None or not evidence:
        return list(evidence)
    head, tail = evidence[:RANKED], evidence[RANKED:]
    logits = ranker.rank(question, [titled_passage(item.passage) for item in head])
    worth = {item.number: item.score + _WEIGHT * logit for item, logit in zip(head, logits, strict=True)}
    return [*sorted(head, key=lambda item: (-worth[item.number], item.number)), *tail]
