"""A question that two kings answer, and passages that say so."""

from __future__ import annotations

from expound.testing import evidence_of

QUESTION = "Who was the ruler of France in 1830?"
CHARLES = "Charles X was the ruler of France until 2 August 1830."
LOUIS = "Louis Philippe I was the ruler of France from 9 August 1830."
EVIDENCE = evidence_of(
    f"{CHARLES} He died in exile in 1836.",
    f"{LOUIS} He was called the Citizen King.",
    "The Danube flows through ten countries. It ends in the Black Sea.",
    titles=["Charles X", "Louis Philippe I", "Danube"],
)
