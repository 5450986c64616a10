"""A stranger's form: a package that is installed beside ours adds one, and it can do what ours can."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from expound.cli import execute
from expound.errors import UserError
from expound.study import Study, find_form, form_names, open_study
from study.study_helpers import Browse, action_of, enter_as_admin, fill, join, judge_all, write_inputs

PACKAGE = """
import json
from pathlib import Path

from expound.study import Field, Form, FormExport, Item, Option, Problem, sides


def make_form(*, tie="Neither"):
    fields = (
        Field("kinder", "Which one is kinder?", "side", sides(tie=tie)),
        Field("signs", "What shows it?", "rows", required=False, columns=(Option("words", "Words"),), judged=count),
    )
    return Form(
        name="kindness", title="Kindness", makes="pairs", layout=Path(__file__).with_name("kindness.html"),
        instructions="Read both.", fields=lambda view: fields, check=check,
        exports=(FormExport("kind.json", "application/json", kind_file),),
    )


def count(rows):
    return len(rows)


def check(view, answers):
    return [] if answers.get("kinder") != "tie" else [Problem("kinder", "Look again.", is_warning=True)]


def kind_file(collected):
    return json.dumps([[one.placed.item.id, one.rater, one.answers["kinder"]] for one in collected]) + "\\n"


def make_second():
    return Form(
        name="kindness-again", title="Again", makes="study", layout="question", instructions="Read it.",
        fields=lambda view: (Field("agree", "Do you agree?", "choice", (Option("yes", "Yes"), Option("no", "No"))),),
        continues="kindness", derive=second_items,
    )


def second_items(before):
    for one in before.collected:
        item = one.placed.item
        yield Item(id=f"{item.id}-{one.rater}", question_id=item.question_id, question=one.answers["kinder"])


def not_a_form():
    return "a form"
"""
TEMPLATE = """{% extends "pair.html" %}
{% block content %}<p>Mind the <em>tone</em>.</p>{{ super() }}{% endblock %}
"""
POINTS = """[expound.form]
kindness = toy_kindness:make_form
kindness-again = toy_kindness:make_second
misnamed = toy_kindness:make_form
not-a-form = toy_kindness:not_a_form
missing = toy_kindness:nothing_here
coding = toy_kindness:make_form
"""


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What `pip install toy-kindness` would leave behind."""
    site = tmp_path / "site"
    about = site / "toy_kindness-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-kindness\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    (site / "toy_kindness.py").write_text(PACKAGE, encoding="utf-8")
    (site / "kindness.html").write_text(TEMPLATE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.chdir(tmp_path)
    yield
    sys.modules.pop("toy_kindness", None)


def make_by_command(*more: str) -> Study:
    dataset, _ = write_inputs(Path.cwd())
    given = ["--form", "kindness", "-p", "zebra.json", "quokka.json", "-d", dataset, "--overlap", "1", *more]
    assert execute(["study", "new", "study.toml", *given]) == 0
    return open_study(Path("study.toml"))


def test_a_form_of_an_installed_package_is_played_to_the_end(
    browse: Browse, capsys: pytest.CaptureFixture[str]
) -> None:
    study = make_by_command()
    browser, admin = browse(study), browse(study)
    page = join(browser, study)
    assert "Mind the <em>tone</em>." in page
    assert "Answer text number" in page
    warned = browser.post(action_of(page), data=fill(page, kinder="tie"))
    assert warned.status_code == 422
    assert "Look again." in warned.text
    assert "All 3 answers are saved" in judge_all(browser, page, kinder="left", **{"signs.words": ["please", "thanks"]})
    assert "kind.json" in enter_as_admin(admin, study)
    assert len(admin.get("/admin/export/kind.json").json()) == 3

    assert execute(["study", "export", "study.toml", "--out", "kind.json"]) == 0
    assert json.loads(Path("kind.json").read_text(encoding="utf-8"))[0] == ["q1", "r01", "left"]
    assert execute(["study", "export", "study.toml", "--out", "judgments.jsonl"]) == 0
    lines = [json.loads(line) for line in Path("judgments.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {line["form"] for line in lines} == {"kindness"}
    assert {line["value"] for line in lines if line["criterion"] == "signs"} == {2}
    capsys.readouterr()
    assert execute(["study", "analyze", "study.toml", "--samples", "20", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {one["criterion"] for one in found["overall"]["choices"]} == {"kinder"}


def test_a_second_pass_of_a_stranger_goes_on_from_the_first(browse: Browse) -> None:
    study = make_by_command()
    browser = browse(study)
    judge_all(browser, join(browser, study), kinder="right")
    second = ["study", "new", "again.toml", "--form", "kindness-again"]
    assert execute([*second, "--from", "study.toml", "--overlap", "1"]) == 0
    again = open_study(Path("again.toml"))
    assert [placed.item.id for placed in again.items.values()] == ["q1-r01", "q2-r01", "q3-r01"]


def test_a_study_of_another_form_cannot_be_continued(capsys: pytest.CaptureFixture[str]) -> None:
    make_by_command()
    assert execute(["study", "new", "x.toml", "--form", "ambig-validate", "--from", "study.toml"]) == 2
    assert "study.toml is a study of kindness; this form continues one of ambig-generate" in capsys.readouterr().err


def test_the_options_of_a_form_are_the_arguments_of_its_function() -> None:
    form = find_form("kindness", {"tie": "Both"})
    fields = form.fields(None)  # type: ignore[arg-type]  # this form looks at no item
    assert fields[0].options[2].label == "Both"
    with pytest.raises(UserError, match="has no option 'ties'; it has: tie"):
        find_form("kindness", {"ties": "Both"})


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("misnamed", "the form plug-in misnamed must give a Form with the name 'misnamed'"),
        ("not-a-form", "the form plug-in not-a-form must give a Form"),
        ("missing", "missing cannot be loaded"),
    ],
)
def test_a_plug_in_that_is_no_form_is_named(name: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        find_form(name)


def test_our_own_form_stays_when_another_takes_its_name() -> None:
    assert find_form("coding").title == "What is wrong with this answer?"
    assert form_names().count("coding") == 1
