"""Whether what a study is served with is installed."""

from __future__ import annotations

from expound.pages.web_packages import SERVER, need_packages


def need_study_packages() -> None:
    """One clear line, if something is missing."""
    need_packages((*SERVER, "sqlalchemy", "alembic"), who="studies", extra="study")
