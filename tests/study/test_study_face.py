"""The face of the package: one import for whatever `expound study` does, and one clear line without the extra."""

from __future__ import annotations

import subprocess
import sys

import pytest

from expound.errors import UserError
from expound.study.packages import need_study_packages


def test_what_is_not_installed_is_named_with_the_way_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expound.pages.web_packages.find_spec", lambda name: None if name == "alembic" else object())
    with pytest.raises(UserError, match=r"not installed \(alembic\): pip install 'expound\[study\]'"):
        need_study_packages()


def test_without_the_extra_the_face_says_so_before_anything_is_imported() -> None:
    code = "import sys; sys.modules['sqlalchemy'] = None; import expound.study"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "UserError: studies need packages that are not installed" in done.stderr


def test_a_look_at_a_study_loads_no_web_framework() -> None:
    code = "import sys, expound.study; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"fastapi", "starlette", "uvicorn", "alembic", "tantivy"} & set(loaded)
