"""The longest common subsequence by its definition, for tests of faster ways."""

from __future__ import annotations

from collections.abc import Sequence


def lcs_table(one: Sequence[str], other: Sequence[str]) -> list[list[int]]:
    """How long the longest common subsequence is of each two beginnings, cell by cell."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for row, token in enumerate(one, start=1):
        for column, rival in enumerate(other, start=1):
            best = max(table[row - 1][column], table[row][column - 1])
            table[row][column] = table[row - 1][column - 1] + 1 if token == rival else best
    return table
