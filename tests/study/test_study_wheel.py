"""A study from a built wheel: its templates, static files, migrations and forms came along."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from study.study_helpers import write_inputs

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]

PLAY = """
from pathlib import Path
import re
import expound
from fastapi.testclient import TestClient
from expound.study import ItemSources, form_names, make_study, open_study
from expound.study.web.app import build_app

assert Path(expound.__file__).is_relative_to(Path("site").resolve()), expound.__file__
assert "asqa-pairwise" in form_names()
systems = {name: Path(f"{name}.json") for name in ("zebra", "quokka")}
make_study(Path("study.toml"), "asqa-pairwise", ItemSources("qa:questions.jsonl", systems), overlap=1, seed=1)
study = open_study(Path("study.toml"))
browser = TestClient(build_app(study))
link = f"/join/{study.secret('join_token')}"
token = lambda page: re.findall(r'name="token" value="([^"]*)"', page.text)[0]
browser.post(link, data={"token": token(browser.get(link))})
sent = {"token": token(browser.get("/")), "agreed": "on"}
browser.post("/consent", data=sent)
assert "Part 2: compare" in browser.post("/instructions", data=sent).text
for name in ("study.css", "study.js", "htmx.min.js", "icon.svg"):
    assert browser.get(f"/static/{name}").status_code == 200, name
"""


def test_a_built_wheel_serves_a_study(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "-q", str(ROOT), "--no-deps", "-w", str(tmp_path)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no wheel without a package index: {done.stderr.strip()[-200:]}")
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "site")
    write_inputs(tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    command = [sys.executable, "-P", "-c", PLAY]
    played = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert played.returncode == 0, played.stderr[-2000:]
