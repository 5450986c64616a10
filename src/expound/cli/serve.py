"""`expound serve`: the web pages on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from expound.cli import model_options, question_options, screen
from expound.errors import UserError

if TYPE_CHECKING:
    from expound.serve.mounted import Mounted

EPILOG = screen.examples(
    "expound serve",
    "expound serve --corpus papers --model none",
    "expound serve --runs runs --study survey.toml",
    "expound serve --host 0.0.0.0 --public --password-file password.txt --base-url https://ask.example.org",
)


def command(
    corpus: list[str] = question_options.CORPUS,
    model: str = model_options.NAME,
    embedder: str = question_options.EMBEDDER,
    host: str = typer.Option("127.0.0.1", "--host", help="The address to listen on."),
    port: int = typer.Option(8420, "--port", min=0, max=65535, help="The port to listen on."),
    public: bool = typer.Option(False, "--public", help="Let other machines in, by a password."),
    password_file: Path | None = typer.Option(
        None, "--password-file", help="Its first line is the password; else EXPOUND_PASSWORD is."
    ),
    study: list[Path] = typer.Option([], "--study", metavar="FILE", help="Also serve this study; repeatable."),
    runs: list[Path] = typer.Option([], "--runs", metavar="FOLDER", help="Show the runs below it; repeatable."),
    private: bool = typer.Option(
        False, "--private", help="Also fetch pages from addresses of this machine and of its own network."
    ),
    base_url: str = typer.Option("", "--base-url", help="What visitors see, if a proxy stands in front."),
) -> None:
    """Serve the web pages until Ctrl-C; prints the address to open, which holds its token."""
    from expound.cli.setup import prepare
    from expound.serve import (
        ServeSettings,
        address,
        check_openness,
        check_runs,
        entrance,
        open_server,
        read_password,
        serve,
    )

    password = read_password(password_file) if password_file else os.environ.get("EXPOUND_PASSWORD", "")
    if password_file and not public:
        # Left unsaid, whoever gave one would believe that it is asked for.
        raise UserError(f"{password_file}: a password is for --public; on this machine the address holds a token")
    check_openness(host, is_public=public, password=password, private=private)
    _check(study)
    prepare(by_meaning=True)
    settings = ServeSettings(
        corpora=tuple(corpus),
        model=model,
        embedder=embedder,
        password=password if public else "",
        base_url=base_url,
        private=private,
        runs=tuple(check_runs(folder) for folder in runs),
    )
    desk, listening = open_server(settings, host, port)
    if public:
        screen.say("open to other machines: whoever has the password can ask, and read every corpus that is offered")
    screen.line(f"open   {entrance(desk, listening)}")
    screen.line(f"token  {desk.token}")
    mounted = _studies(study, address(desk, listening)) if study else []
    for name, link in (pair for part in mounted for pair in part.links.items()):
        screen.line(f"{name}  {link}")
    serve(desk, listening, mounted)


def _check(plans: list[Path]) -> None:
    """Refuse a bad plan before anything is written or listened for."""
    if plans:
        from expound.study import open_study

        for plan in plans:
            open_study(plan)


def _studies(plans: list[Path], address: str) -> list[Mounted]:
    from expound.study import mount_studies

    return [mount_studies(plans, address)]
