"""Whether what a study is served with is installed."""

from __future__ import annotations

from importlib.util import find_spec

from expound.errors import UserError

_NEEDED = ("fastapi", "uvicorn", "jinja2", "python_multipart", "sqlalchemy", "alembic", "itsdangerous")


def need_packages() -> None:
    """One clear line, if something is missing."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise UserError(
            f"studies need packages that are not installed ({', '.join(missing)}): pip install 'expound[study]', "
            "or in a checkout EXPOUND_EXTRAS=study ./expound study …"
        )
