"""The face of the package: one import for whatever `expound study` does, and one clear line without the extra."""

from __future__ import annotations

import subprocess
import sys

import pytest

import expound.study as face
from expound.errors import UserError
from expound.study.packages import need_packages

FORM_AUTHORS = ["YES_NO", "Collected", "Earlier", "Field", "Form", "FormExport", "Item", "Option", "Problem",
                "SystemAnswer", "View", "scale", "sides"]  # fmt: skip
STUDIES = ["ForeignAnswer", "ItemSources", "Study", "analyze_source", "analyze_study", "back_up", "export_file",
           "export_text", "find_form", "form_names", "judgments_of", "links", "listen", "make_study", "open_study",
           "read_annotations", "read_earlier", "read_sheet", "serve_study", "status_of", "take_in",
           "write_analysis"]  # fmt: skip


def test_the_face_is_what_is_written_down() -> None:
    assert sorted(face.__all__) == sorted([*FORM_AUTHORS, *STUDIES])
    assert all(hasattr(face, name) for name in face.__all__)


def test_what_is_not_installed_is_named_with_the_way_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expound.study.packages.find_spec", lambda name: None if name == "alembic" else object())
    with pytest.raises(UserError, match=r"not installed \(alembic\): pip install 'expound\[study\]'"):
        need_packages()


def test_without_the_extra_the_face_says_so_before_anything_is_imported() -> None:
    code = "import sys; sys.modules['sqlalchemy'] = None; import expound.study"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "UserError: studies need packages that are not installed" in done.stderr


def test_a_look_at_a_study_loads_no_web_framework() -> None:
    code = "import sys, expound.study; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"fastapi", "starlette", "uvicorn", "alembic", "tantivy"} & set(loaded)
