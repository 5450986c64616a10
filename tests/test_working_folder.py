"""Nothing is imported from the folder that the user happens to be in, whatever the files there are called."""

from __future__ import annotations

import gzip
import importlib.metadata
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from expound.errors import FetchFailed
from expound.wheels import pip_download

ROOT = Path(__file__).resolve().parent.parent
SCORING = ROOT / "examples" / "scoring"
ASQA = f"asqa:{SCORING / 'dev.json'}"
EXPOUND = Path(sys.executable).with_name("expound")
SPRUNG = "sprung"
TRAP = "import os\nos.close(os.open({at!r}, os.O_CREAT))\nos.write(2, __file__.encode()); os._exit(99)\n"


@pytest.fixture
def traps(tmp_path: Path) -> Path:
    """A folder with a file named like every module of Python and of the installed packages."""
    folder = tmp_path / "traps"
    folder.mkdir()
    names = {*sys.stdlib_module_names, *importlib.metadata.packages_distributions(), "sitecustomize", "usercustomize"}
    code = TRAP.format(at=str(folder / SPRUNG))
    for name in names:
        if name.isidentifier() and name not in ("os", "sys"):  # the trap itself needs these; they are loaded already
            (folder / f"{name}.py").write_text(code)
    (folder / "documents").mkdir()
    (folder / "documents" / "letter.txt").write_text("The lighthouse at Holm was built in 1843 by nine masons.")
    (folder / "documents" / "packed.txt.gz").write_bytes(gzip.compress(b"The lamp of Holm was lit in May."))
    return folder


def run(folder: Path, *command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONSAFEPATH", "PYTHONPATH")}
    return subprocess.run(command, cwd=folder, env={**environment, **variables}, capture_output=True, text=True)


def test_a_trap_springs_where_python_is_asked_to_look(traps: Path) -> None:
    assert run(traps, sys.executable, "-c", "import difflib").returncode == 99
    assert (traps / SPRUNG).exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["corpus", "add", "documents"],
        ["search", "lighthouse", "--corpus", "documents"],
        ["score", SCORING / "mine.json", "--dataset", ASQA, "--splitter", "rules", "--jobs", "2"],
        ["models", "list"],
        ["datasets", "list"],
        ["recipe", "--help"],
        ["study", "--help"],
    ],
    ids=lambda arguments: " ".join(map(str, arguments[:2])),
)  # fmt: skip
def test_no_command_imports_from_the_working_folder(traps: Path, arguments: list[str]) -> None:
    done = run(traps, EXPOUND, *arguments)
    assert (done.returncode, (traps / SPRUNG).exists()) == (0, False), done.stderr


def test_nor_does_the_download_of_a_wheel(traps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(traps)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(FetchFailed):
        pip_download("expound-no-such-package==1", tmp_path, lambda _count: None)
    assert not (traps / SPRUNG).exists()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_program_of_the_users_keeps_its_own_folder(traps: Path, jobs: str) -> None:
    shutil.rmtree(traps)
    traps.mkdir()
    (traps / "helper.py").write_text("ANSWER = 'Nine masons built it.'\n")
    (traps / "system.py").write_text(
        "import helper, json, sys\nfor line in sys.stdin: print(json.dumps({'answer': helper.ANSWER}), flush=True)\n"
    )
    (traps / "questions.jsonl").write_text('{"id": "1", "question": "Who built it?", "references": ["Masons."]}\n')
    answer = f"answer = \"Command('{sys.executable} system.py')\""
    (traps / "plan.toml").write_text(
        f'dataset = "qa:questions.jsonl"\nretrieve = "Nothing()"\nscore = ["citations"]\n{answer}\n'
    )
    done = run(traps, EXPOUND, "run", "plan.toml", "--out", "out", "--jobs", jobs)
    assert (done.returncode, "Nine masons" in (traps / "out/predictions.jsonl").read_text()) == (0, True), done.stderr


def test_the_launcher_sets_itself_up_in_a_folder_of_traps(traps: Path, tmp_path: Path) -> None:
    checkout, fakes = tmp_path / "checkout", tmp_path / "fakes"
    (checkout / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "expound", checkout)
    shutil.copy(ROOT / "tools/set_up.py", checkout / "tools")
    (checkout / "pyproject.toml").write_text("[project]\n")
    place = "import os, sys\nfrom pathlib import Path\nfolder = Path(sys.argv[-1], 'bin'); folder.mkdir(parents=True)\n"
    link = "(folder / 'python').symlink_to(os.path.realpath(sys.executable))\n"
    start = "import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', 'import difflib']).returncode)\n"
    for name, body in {"venv": place + link, "pip": start, "expound": "print('ran')\n"}.items():
        (fakes / name).mkdir(parents=True)
        (fakes / name / "__init__.py").touch()
        (fakes / name / "__main__.py").write_text(body)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python3").symlink_to(sys.executable)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = run(traps, checkout / "expound", PYTHONPATH=str(fakes), PATH=path)
    assert (done.returncode, done.stdout, (traps / SPRUNG).exists()) == (0, "ran\n", False), done.stderr


@pytest.mark.slow
def test_a_fresh_checkout_is_set_up_from_a_folder_of_traps(traps: Path, tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "runs")
    shutil.copytree(ROOT, tmp_path / "fresh", ignore=ignored)
    done = run(traps, tmp_path / "fresh" / "expound", "--version")
    assert (done.returncode, (traps / SPRUNG).exists()) == (0, False), done.stderr
