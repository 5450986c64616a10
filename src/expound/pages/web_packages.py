"""Whether what pages are served with is installed."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from expound.errors import UserError

SERVER = ("fastapi", "uvicorn", "jinja2", "python_multipart", "itsdangerous")
"""What every server of ours needs."""


def need_packages(packages: Sequence[str], *, who: str, extra: str) -> None:
    """One clear line, if something is missing."""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise UserError(
            f"{who} need packages that are not installed ({', '.join(missing)}): pip install 'expound[{extra}]', "
            f"or in a checkout EXPOUND_EXTRAS={extra} ./expound {extra} …"
        )
