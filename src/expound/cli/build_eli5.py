"""`expound build eli5`: the dumps of a forum as questions, answers, support documents and splits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from expound.cli import screen
from expound.cli.build_options import Engine, Jobs, Json, Out, print_stages

_FILES = ("--submissions", "--comments")


class SeveralFiles(TyperCommand):
    """A command whose options take all files that a shell makes of a pattern: `--submissions RS*.zst`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_name_each(args)))


def _name_each(arguments: Sequence[str]) -> Iterator[str]:
    """The arguments with the option before each of its files."""
    option, is_value = "", False
    for argument in arguments:
        if argument.startswith("-"):
            option, is_value = argument, True
        elif is_value:
            is_value = False
        elif option in _FILES:
            yield option
        yield argument


def command(
    submissions: Annotated[
        list[str], typer.Option("--submissions", metavar="FILE", help="Dumps of posts; repeatable, patterns too.")
    ],
    comments: Annotated[
        list[str], typer.Option("--comments", metavar="FILE", help="Dumps of comments; repeatable, patterns too.")
    ],
    out: Out,
    pages: Annotated[
        str, typer.Option("--pages", metavar="FOLDER", help="Pages of `build web` to make support documents of.")
    ] = "",
    forum: Annotated[str, typer.Option("--forum", help="The subreddit.")] = "explainlikeimfive",
    score: Annotated[int, typer.Option("--score", help="The least score of a question.")] = 2,
    answer_score: Annotated[int, typer.Option("--answer-score", help="The least score of an answer.")] = 2,
    drop_edits: Annotated[bool, typer.Option("--drop-edits", help="Leave out notes such as “Edit: spelling”.")] = False,
    salt: Annotated[
        str, typer.Option("--salt", envvar="EXPOUND_SALT", help="Hash names with it; without one, names are dropped.")
    ] = "",
    keep_ids: Annotated[
        bool, typer.Option("--keep-ids", help="Keep the forum's ids, by which everybody can look up who wrote.")
    ] = False,
    sources: Annotated[int, typer.Option("--sources", min=1, help="Pages a question.")] = 100,
    passages: Annotated[int, typer.Option("--passages", min=1, help="Passages of a support document.")] = 15,
    context: Annotated[int, typer.Option("--context", min=0, help="Sentences around each.")] = 1,
    valid: Annotated[float, typer.Option("--valid", min=0.0, max=1.0, help="The share that validates.")] = 0.037,
    test: Annotated[float, typer.Option("--test", min=0.0, max=1.0, help="The share that tests.")] = 0.092,
    threshold: Annotated[float, typer.Option("--threshold", help="From which TF-IDF cosine on two are close.")] = 0.5,
    layout: Annotated[str, typer.Option("--layout", help="What to write: qa, or eli5 as the official files.")] = "qa",
    parts: Annotated[int, typer.Option("--parts", min=1, max=1024, help="Parts that are joined one by one.")] = 64,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**32 - 1, help="Of the split.")] = 0,
    engine: Engine = "here",
    jobs: Jobs = 1,
    json: Json = False,
) -> None:
    """Make a dataset of a forum's dumps (Pushshift's layout). The same command goes on where it was stopped."""
    from expound.build import FindSupport, ForumRequest, ForumRules, Names, SplitRules, build_eli5, choose_engine

    rules = ForumRules(
        forum=forum,
        least_score=score,
        least_answer_score=answer_score,
        keep_edits=not drop_edits,
        keep_ids=keep_ids,
        names=Names.salted(salt),
    )
    request = ForumRequest(
        submissions=submissions,
        comments=comments,
        pages=pages,
        rules=rules,
        support=FindSupport(sources=sources, passages=passages, context=context),
        split=SplitRules(threshold=threshold, valid=valid, test=test, seed=seed),
        parts=parts,
        layout=layout,
    )
    chosen = choose_engine(engine, jobs=jobs)
    with screen.progress("eli5") as meter:
        result = build_eli5(request, out, engine=chosen, report=meter.report)
    print_stages(result.stages, result.sides, as_json=json)
