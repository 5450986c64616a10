"""`expound build`: from a dump, a crawl or a forum to a dataset, on this machine or on a cluster."""

from __future__ import annotations

import typer

from expound.cli import build_contexts, build_eli5, build_passages, build_split, build_web, screen

app = typer.Typer(help="Make datasets from dumps, crawls and forums; needs the `build` extra.")

EPILOG = screen.examples(
    "expound build passages enwiki-pages-articles.xml.bz2 --out wiki --words 100",
    "expound build web crawl-*.warc.gz --out pages",
    "expound build eli5 --submissions RS*.zst --comments RC*.zst --pages pages --out eli5",
    "expound build contexts --dataset ambignq:train.json --corpus wiki --out contexts",
    "expound build split --dataset qa:mine.jsonl --train a.jsonl --out clean",
)

# A module a command, as this folder has a module a command: each is long enough by itself.
app.command("passages")(build_passages.command)
app.command("web")(build_web.command)
app.command("eli5", cls=build_eli5.SeveralFiles)(build_eli5.command)
app.command("split")(build_split.command)
app.command("contexts")(build_contexts.command)
