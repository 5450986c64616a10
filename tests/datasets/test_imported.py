"""An imported dataset is a copy that its name alone finds again; the same content is one dataset."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from expound.datasets.imported import imported_datasets, name_for
from expound.datasets.spec import import_dataset, open_dataset, split_spec
from expound.errors import BadInput, UnknownName, UserError

LINES = '{"question": "who won", "answer": ["Ann"]}\n{"question": "who lost", "answer": ["Bo"]}\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "nq dev.v1.jsonl"
    path.write_text(LINES, encoding="utf-8")
    return path


def other(file: Path, answer: str = "Cy") -> Path:
    path = file.with_name("other.jsonl")
    path.write_text(json.dumps({"question": "who", "answer": [answer]}), encoding="utf-8")
    return path


def test_the_name_of_an_import_is_a_spec(file: Path, expound_home: Path) -> None:
    found, is_new = import_dataset(f"nq-open:{file}", name="mine")
    assert (found.name, found.layout, found.records, is_new) == ("mine", "nq-open", 2, True)
    file.unlink()
    assert [question.text for question in open_dataset("mine")] == ["who won", "who lost"]
    assert split_spec("mine") == ("nq-open", str(expound_home / "datasets" / "mine" / "nq dev.v1.jsonl"))


def test_the_only_import_of_a_layout_is_found_by_the_layout(file: Path) -> None:
    import_dataset(f"nq-open:{file}")
    assert len(list(open_dataset("nq-open"))) == 2
    import_dataset(f"nq-open:{other(file)}")
    with pytest.raises(UserError, match="name one of them: nq-dev, other"):
        open_dataset("nq-open")


def test_an_import_named_like_its_layout_is_the_default_one(file: Path) -> None:
    import_dataset(f"nq-open:{file}", name="nq-open")
    import_dataset(f"nq-open:{other(file)}")
    assert len(list(open_dataset("nq-open"))) == 2
    with pytest.raises(UserError, match="'asqa' is the name of a layout"):
        import_dataset(f"nq-open:{other(file, 'Di')}", name="asqa")


def test_the_same_content_is_one_dataset_however_packed(file: Path) -> None:
    first, _ = import_dataset(f"nq-open:{file}", name="mine")
    packed = file.with_name("again.jsonl.gz")
    packed.write_bytes(gzip.compress(LINES.encode()))
    assert import_dataset(f"nq-open:{packed}", name="yours") == (first, False)
    assert [item.name for item in imported_datasets()] == ["mine"]


def test_a_name_is_not_taken_over_by_other_content(file: Path) -> None:
    import_dataset(f"nq-open:{file}", name="mine")
    with pytest.raises(UserError, match="'mine' with other content"):
        import_dataset(f"nq-open:{other(file)}", name="mine")
    assert len(list(open_dataset("mine"))) == 2


@pytest.mark.parametrize("name", ["../up", ".hidden", "a b", "x" * 65])
def test_a_name_that_is_no_folder_is_refused(name: str, file: Path, expound_home: Path) -> None:
    with pytest.raises(UserError, match="cannot be a dataset name"):
        import_dataset(f"nq-open:{file}", name=name)
    assert not imported_datasets()


def test_a_file_of_another_layout_is_not_kept(file: Path, expound_home: Path) -> None:
    with pytest.raises(BadInput, match="line 1: not in the layout kilt"):
        import_dataset(f"kilt:{file}")
    with pytest.raises(BadInput, match="no such file"):
        import_dataset(f"kilt:{file}x")
    assert not imported_datasets()


def test_a_copy_that_fails_leaves_nothing(file: Path, expound_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(5, "broken")

    with monkeypatch.context() as patch:
        patch.setattr("shutil.copyfile", fail)
        with pytest.raises(OSError, match="broken"):
            import_dataset(f"nq-open:{file}", name="mine")
    assert [path.name for path in (expound_home / "datasets").iterdir()] == [".lock"]
    assert import_dataset(f"nq-open:{file}", name="mine")[1]


def test_a_broken_card_is_named(file: Path, expound_home: Path) -> None:
    import_dataset(f"nq-open:{file}", name="mine")
    (expound_home / "datasets" / "mine" / "dataset.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BadInput, match="import it again"):
        open_dataset("mine")


def test_an_unknown_name_suggests_the_nearest(file: Path) -> None:
    with pytest.raises(UnknownName, match="imported: none"):
        open_dataset("mine")
    import_dataset(f"nq-open:{file}", name="mine")
    with pytest.raises(UnknownName, match="did you mean 'mine'"):
        open_dataset("mime")


@pytest.mark.parametrize(
    ("file_name", "name"), [("dev.json.gz", "dev"), ("ASQA (1).json", "ASQA-1"), ("…", "dataset"), (".gz", "dataset")]
)
def test_a_name_is_made_from_the_file(file_name: str, name: str) -> None:
    assert name_for(Path(file_name)) == name
