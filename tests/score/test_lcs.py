"""The bit-parallel LCS gives what the plain table gives."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from expound.score.lcs import lcs_length, share
from score.plain_lcs import lcs_table

lines = st.lists(st.lists(st.sampled_from("abcde"), max_size=9), max_size=4)


def test_the_length_of_a_known_pair() -> None:
    assert lcs_length("human", "chimpanzee") == 4


def test_lines_do_not_run_into_each_other() -> None:
    assert share([["a", "b"], ["c"]], [["b", "c"]]).in_order() == 2
    assert share([["a", "b"]], [["b"], ["a"]]).in_order() == 2
    assert share([["a", "b"]], [["b", "a"]]).in_order() == 1


def test_a_token_counts_no_more_often_than_the_answer_has_it() -> None:
    assert share([["a"], ["a"], ["a"]], [["a", "x"]]).in_order() == 1


def test_an_answer_without_common_tokens_has_no_hits() -> None:
    assert share([["a"], ["b"]], [["c"], []]).in_order() == 0
    assert share([], [["c"]]).in_order() == share([["a"]], []).in_order() == 0


@given(lines, lines)
def test_the_hits_are_those_of_the_plain_table(reference: list[list[str]], answer: list[list[str]]) -> None:
    assert share(reference, answer).in_order() == plain_hits(reference, answer)


@given(lines, lines)
def test_in_any_order_each_token_counts_as_often_as_both_sides_have_it(
    reference: list[list[str]], answer: list[list[str]]
) -> None:
    sides = [Counter(token for line in side for token in line) for side in (reference, answer)]
    assert share(reference, answer).in_any_order() == (sides[0] & sides[1]).total()


@given(lines)
def test_a_summary_has_all_of_itself(reference: list[list[str]]) -> None:
    assert share(reference, reference).in_order() == sum(map(len, reference))


def plain_hits(reference: list[list[str]], answer: list[list[str]]) -> int:
    """The definition, cell by cell."""
    united: Counter[str] = Counter()
    for line in reference:
        places = {place for other in answer for place in plain_trace(line, other)}
        united.update(line[place] for place in places)
    available = Counter(token for line in answer for token in line)
    return sum((united & available).values())


def plain_trace(one: list[str], other: list[str]) -> list[int]:
    """Places of `one` in an LCS: from the ends take a match, else go back in `other` if that cell is larger."""
    table = lcs_table(one, other)
    places, row, column = [], len(one), len(other)
    while row and column:
        if one[row - 1] == other[column - 1]:
            row, column = row - 1, column - 1
            places.append(row)
        elif table[row][column - 1] > table[row - 1][column]:
            column -= 1
        else:
            row -= 1
    return places
