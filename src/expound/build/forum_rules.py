"""Which posts of a forum make a dataset (Fan et al. 2019, section 3.1): liked questions with liked answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeAlias

from expound.build.forum_text import Names, clean_text, clean_title, is_gone
from expound.datasets.fields import WRONG, identifier, text

# Posts and comments of a dump name each other with a prefix for their kind.
_COMMENT, _POST = "t1_", "t3_"
_NOTICES = ("your submission has been removed", "your post has been removed", "your comment has been removed")
_MACHINES = frozenset({"automoderator"})
KeptPost: TypeAlias = dict[str, Any]
"""A post or a comment as it is kept between reading and joining: a plain record, so that it can lie on disk."""


class Dropped(NamedTuple):
    """Why a record is not used."""

    reason: str


@dataclass(frozen=True, slots=True)
class ForumRules:
    """What a question and an answer must be. Scores are the paper's; words and notices are those of its code."""

    forum: str = "explainlikeimfive"
    least_score: int = 2
    least_answer_score: int = 2
    least_words: int = 8
    """Of an answer: shorter ones are remarks."""
    keep_edits: bool = True
    """Whether notes such as "Edit: spelling" stay in a text, as they do in the paper's data."""
    keep_ids: bool = False
    """Whether questions keep the forum's own ids, by which everybody can look up who wrote them."""
    names: Names = field(default_factory=Names)


def keep_post(record: Mapping[str, Any], rules: ForumRules) -> KeptPost | Dropped:
    """A submission as a question, if it is one that people liked and somebody answered."""
    try:
        return _post(record, rules)
    except (*WRONG, OverflowError):
        return Dropped("not a post")


def keep_comment(record: Mapping[str, Any], rules: ForumRules) -> KeptPost | Dropped:
    """A comment as an answer, if it answers the question itself, people liked it and it says something."""
    try:
        return _comment(record, rules)
    except (*WRONG, OverflowError):
        return Dropped("not a comment")


def join_thread(versions: Sequence[KeptPost], comments: Iterable[KeptPost], rules: ForumRules) -> KeptPost | Dropped:
    """A question in the layout `qa` with its answers, best first.

    A dump has a post again when it was edited or read anew: the last version counts.
    """
    post = max(versions, key=lambda version: version["at"])
    latest: dict[str, KeptPost] = {}
    for comment in comments:
        if comment["at"] >= latest.get(comment["id"], comment)["at"]:
            latest[comment["id"]] = comment
    # As in the paper's code: of equal scores the longer answer first, and then any order that is always the same.
    answers = sorted(latest.values(), key=lambda item: (item["score"], item["words"], item["id"]), reverse=True)
    return _question(post, answers, rules) if answers else Dropped("no answer that people liked")


def _post(record: Mapping[str, Any], rules: ForumRules) -> KeptPost | Dropped:
    if text(record.get("subreddit", "")).lower() != rules.forum.lower():
        return Dropped("another forum")
    if _score(record) < rules.least_score:
        return Dropped("score too low")
    if not record.get("num_comments", 1):
        return Dropped("no comments")
    author = text(record.get("author") or "")
    title = clean_title(text(record["title"]), rules.names, author=author)
    if is_gone(text(record["title"])) or not title:
        return Dropped("title removed or deleted")
    kept = {
        "id": identifier(record["id"]).removeprefix(_POST),
        "title": title,
        # Of a post whose text is gone the title still asks, as in the paper's data.
        "text": clean_text(text(record.get("selftext") or ""), rules.names, author=author, keep_edits=rules.keep_edits),
        "score": _score(record),
        "category": text(record.get("link_flair_text") or ""),
        "at": _read_at(record),
        "month": _month(record),
    }
    return {**kept, **_author(record, rules)}


def _comment(record: Mapping[str, Any], rules: ForumRules) -> KeptPost | Dropped:
    parent, thread = text(record["parent_id"]), text(record["link_id"])
    body = text(record["body"])
    if text(record.get("subreddit", rules.forum)).lower() != rules.forum.lower():
        return Dropped("another forum")
    if parent != thread or parent.startswith(_COMMENT):
        return Dropped("a reply to a comment")
    if is_gone(body):
        return Dropped("removed or deleted")
    if _is_notice(record, body):
        return Dropped("a notice of the forum")
    if _score(record) < rules.least_answer_score:
        return Dropped("score too low")
    author = text(record.get("author") or "")
    answer = clean_text(body, rules.names, author=author, keep_edits=rules.keep_edits)
    words = len(answer.split())
    if words < rules.least_words:
        return Dropped("too short")
    kept = {"id": identifier(record["id"]), "post": thread.removeprefix(_POST), "text": answer}
    return {**kept, "score": _score(record), "words": words, "at": _read_at(record), **_author(record, rules)}


def _is_notice(record: Mapping[str, Any], body: str) -> bool:
    author = text(record.get("author") or "").lower()
    return author in _MACHINES or bool(record.get("stickied")) or body.lstrip().lower().startswith(_NOTICES)


def _question(post: KeptPost, answers: Sequence[KeptPost], rules: ForumRules) -> KeptPost:
    id = post["id"] if rules.keep_ids else rules.names.hash(f"{post['title']}\n{post['text']}")
    meta: dict[str, Any] = {
        name: post[name] for name in ("title", "text", "score", "category", "month", "author") if name in post
    }
    meta["scores"] = [answer["score"] for answer in answers]
    if rules.names.salt:
        meta["authors"] = [answer.get("author", "") for answer in answers]
    asked = f"{post['title']} {post['text']}".strip()
    return {"id": id, "question": asked, "references": [answer["text"] for answer in answers], "meta": meta}


def _score(record: Mapping[str, Any]) -> int:
    # Some years write numbers as text, and nothing where a score was hidden.
    return int(record.get("score") or 0)


def _read_at(record: Mapping[str, Any]) -> int:
    """When this version was read: by it the latest is known."""
    return int(float(record.get("retrieved_on") or record.get("retrieved_utc") or 0))


def _month(record: Mapping[str, Any]) -> str:
    # Not the second, by which a post could be looked up.
    seconds = int(float(record.get("created_utc") or 0))
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m") if 0 < seconds < 1 << 34 else ""


def _author(record: Mapping[str, Any], rules: ForumRules) -> dict[str, str]:
    """Only with a salt, and only as a hash: who writes often can then be kept on one side of a split."""
    name = text(record.get("author") or "")
    return {"author": rules.names.hash(name)} if rules.names.salt and not is_gone(name) else {}
