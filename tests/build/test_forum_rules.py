"""Which posts and comments are kept, and why the others are not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build.forum_world import LONG, comment, post
from expound.build.forum_rules import Dropped, ForumRules, KeptPost, join_thread, keep_comment, keep_post
from expound.build.forum_text import Names

RULES = ForumRules()


def kept_post(**more: Any) -> KeptPost:
    found = keep_post(post("p", "ELI5: Why is the sea salt?", **more), RULES)
    assert not isinstance(found, Dropped)
    return found


def kept_comment(id: str, **more: Any) -> KeptPost:
    found = keep_comment(comment(id, "p", **more), RULES)
    assert not isinstance(found, Dropped)
    return found


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"score": 1}, "score too low"),
        ({"score": None}, "score too low"),
        ({"subreddit": "askscience"}, "another forum"),
        ({"num_comments": 0}, "no comments"),
        ({"title": "[deleted]"}, "title removed or deleted"),
        ({"title": "ELI5:"}, "title removed or deleted"),
        ({"title": 3}, "not a post"),
        ({"score": 1e400}, "not a post"),
    ],
)
def test_a_post_that_is_no_liked_question_is_dropped(change: dict[str, Any], reason: str) -> None:
    assert keep_post({**post("p", "Why?"), **change}, RULES) == Dropped(reason)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"score": 1}, "score too low"),
        ({"parent_id": "t1_other"}, "a reply to a comment"),
        ({"body": "[removed]"}, "removed or deleted"),
        ({"body": "Too short to answer."}, "too short"),
        ({"author": "AutoModerator"}, "a notice of the forum"),
        ({"stickied": True}, "a notice of the forum"),
        ({"body": f"Your submission has been removed. {LONG}"}, "a notice of the forum"),
        ({"subreddit": "askscience"}, "another forum"),
        ({"body": None}, "not a comment"),
    ],
)
def test_a_comment_that_is_no_liked_answer_is_dropped(change: dict[str, Any], reason: str) -> None:
    assert keep_comment({**comment("c", "p"), **change}, RULES) == Dropped(reason)


def test_a_question_whose_text_was_removed_still_asks_by_its_title() -> None:
    assert kept_post(selftext="[removed]")["text"] == ""
    assert kept_post(selftext="I mean the Baltic.")["text"] == "I mean the Baltic."


def test_the_best_liked_answer_comes_first_and_the_others_stay() -> None:
    answers = [kept_comment("a", score=3), kept_comment("b", score=9), kept_comment("c", score=3, body=LONG + " So.")]
    question = join_thread([kept_post(selftext="I mean the Baltic.")], answers, RULES)
    assert not isinstance(question, Dropped)
    assert question["question"] == "Why is the sea salt? I mean the Baltic."
    # Of equal scores the longer answer first.
    assert question["references"] == [LONG, LONG + " So.", LONG]
    assert question["meta"]["scores"] == [9, 3, 3]


def test_a_question_without_a_liked_answer_is_dropped() -> None:
    assert join_thread([kept_post()], [], RULES) == Dropped("no answer that people liked")


def test_of_what_was_read_twice_the_last_version_counts() -> None:
    old, new = kept_post(selftext="Old.", retrieved_on=1), kept_post(selftext="New.", retrieved_on=2)
    answers = [kept_comment("a", body=LONG + " New.", retrieved_on=5), kept_comment("a", body=LONG, retrieved_on=4)]
    question = join_thread([new, old], answers, RULES)
    assert not isinstance(question, Dropped)
    assert (question["meta"]["text"], question["references"]) == ("New.", [LONG + " New."])


def test_nobody_is_named_and_no_id_leads_to_anybody() -> None:
    question = join_thread([kept_post()], [kept_comment("c")], RULES)
    assert not isinstance(question, Dropped)
    assert "asker" not in str(question)
    assert "writer" not in str(question)
    assert question["id"] != "p"
    assert question["meta"]["month"] == "2017-10"


def test_with_a_salt_the_same_person_has_the_same_hash() -> None:
    rules = ForumRules(names=Names.salted("pepper"))
    asked = keep_post(post("p", "Why?", author="Both"), rules)
    answered = keep_comment(comment("c", "p", author="both"), rules)
    assert not isinstance(asked, Dropped)
    assert not isinstance(answered, Dropped)
    assert asked["author"] == answered["author"] != "both"


def test_ids_of_the_forum_are_kept_only_on_request() -> None:
    question = join_thread([kept_post()], [kept_comment("c")], ForumRules(keep_ids=True))
    assert not isinstance(question, Dropped)
    assert question["id"] == "p"


ANYTHING = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers())


@given(st.dictionaries(st.sampled_from([*post("p", "t"), *comment("c", "p")]), ANYTHING))
def test_no_record_breaks_the_rules(record: dict[str, Any]) -> None:
    for keep, whole in ((keep_post, post("p", "Why?")), (keep_comment, comment("c", "p"))):
        assert isinstance(keep({**whole, **record}, RULES), Dropped | dict)
