"""Answers are composed for the question: extracts of manuals, a mosaic of articles, nothing where nothing answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from expound.answer.answerable import ANSWERABLE, answerability, is_answerable
from expound.answer.composed import Composed
from expound.answer.entries import Entry, entries_of, join_entries
from expound.answer.extracts import (
    FEW_NOTES,
    LENGTHS,
    Extract,
    Lengths,
    Unit,
    bind_entries,
    choose_extracts,
    in_reading_order,
)
from expound.answer.order import order_sentences
from expound.answer.sentence_scores import SignScorer
from expound.corpus.read.document import Block, Document
from expound.corpus.split import split
from expound.plugins import build
from expound.testing import WordEmbedder, WordRanker
from expound.text.genre import are_articles
from expound.types import Evidence, Part, Passage, Source, Span

MANUAL = Document(
    "4.2. Backups",
    (
        Block("A backup is a copy of all files.", path=("Concepts",)),
        Block("To restore a backup, stop the server. Then run:", path=("Restoring",)),
        Block("server stop\nrestore --from items[0]", "code", ("Restoring",), "sh"),
        Block("Do these in order:", path=("Restoring",)),
        Block("Stop the server.", "item", ("Restoring",), "1."),
        Block("Copy the file back.", "item", ("Restoring",), "2."),
        Block("Setting | Default\nkeep_days | 14\nkeep_weeks | 4", "table", ("Settings",), "header"),
        Block("max_size (default: 10240)\nThe largest size of a backup file.", "definition", ("Settings",)),
    ),
)
EVIDENCE = [Evidence(passage, n, 0.9 - n / 10) for n, passage in enumerate(split(MANUAL, file="manual.html"), start=1)]


def composed(**options: Any) -> Composed:
    return Composed(SignScorer(WordEmbedder(), WordRanker()), **options)


def test_its_lengths_can_be_written_in_a_spec_and_are_told() -> None:
    made = build("answer", "Composed(lengths=Lengths(total=60))", scorer=SignScorer(WordEmbedder(), WordRanker()))
    assert made.lengths.total == 60
    assert repr(made) == "Composed(lengths=Lengths(total=60))"
    assert repr(composed()) == "Composed()"
    assert repr(composed(words=40)) == "Composed(words=40)"


def test_a_how_to_question_gets_its_steps_and_code_as_they_stand() -> None:
    answer = composed().answer("How do I restore a backup?", EVIDENCE)
    assert [entry.kind for entry in answer.sentences[:4]] == ["sentence", "sentence", "code", "sentence"]
    assert "server stop\nrestore --from items[0]" in answer.text
    assert "1. Stop the server.\n2. Copy the file back." in answer.text


def test_every_entry_is_quoted_from_the_passage_that_it_cites() -> None:
    answer = composed().answer("How do I restore a backup?", EVIDENCE)
    texts = {item.number: item.passage.text for item in EVIDENCE}
    for entry in answer.sentences:
        assert all(line in texts[entry.citations[0]] for line in entry.source_text.split("\n"))


def test_no_title_becomes_a_subject_in_brackets() -> None:
    answer = composed().answer("Why is a backup made?", EVIDENCE)
    assert "[" not in answer.text.replace("items[0]", "")


def test_where_nothing_answers_nothing_is_said() -> None:
    answer = composed().answer("Who won the Tour de France in 1998?", EVIDENCE)
    assert (answer.text, answer.sentences) == ("", ())


def test_no_evidence_is_no_answer() -> None:
    assert composed().answer("How do I restore a backup?", []).text == ""
    assert answerability("How?", []) == 0.0


def test_another_product_counts_against_an_answer_and_the_names_of_an_error_message_do_not() -> None:
    plain, product, message = (
        answerability(f"The restore of a backup fails{ending}", EVIDENCE)
        for ending in ("", " on Windows", ": SIGKILL by OperationalError in RESTORE_JOB")
    )
    assert product < message < plain
    lower_case = "The restore of a backup fails: sigkill by operationalerror in restore_job"
    assert message == answerability(lower_case, EVIDENCE)


def test_who_asks_a_manual_for_a_number_is_refused_where_the_best_passage_has_none() -> None:
    question = "Every how many minutes does a restore begin?"
    texts = ("A copy is restored every so many minutes.", "A copy is restored every 10 minutes.")
    without, of_ten = ([Evidence(Passage("1", text, "Saving"), 1, 1.0, 1.0)] for text in texts)
    assert not is_answerable(question, without)
    assert is_answerable(question, of_ten)
    assert answerability("How does a restore begin?", without) > answerability(question, without)


def test_a_name_is_mentioned_where_something_is_called_after_it() -> None:
    passage = Passage("1", "The settings are stored in Library on macOS.", "Kettle")
    found = [Evidence(passage, 1, 0.5, relevance=1.0)]
    on_a_mac = answerability("Where are settings stored on a Mac?", found, 500)
    assert on_a_mac > answerability("Where are settings stored on an Amiga?", found, 500)
    # Two letters may begin anything.
    assert answerability("Where are Li stored?", found, 500) < answerability("Where are Library stored?", found, 500)


def test_a_name_that_every_passage_says_tells_nothing_of_another_that_none_does() -> None:
    page = [Evidence(Passage("1", "Sphinx reads the sources of your documents.", "Sphinx"), 1, 0.6, 1.0)]
    known, unknown = (answerability(f"Can Sphinx read {name} documents?", page) for name in ("sources", "Word"))
    # Both names would be half of the names; without Sphinx, Word is all of them.
    assert unknown < 0.2 < known


def test_a_passage_that_says_every_word_of_a_question_answers_it() -> None:
    far = [Evidence(Passage("1", "An option “usepeerdns” makes pppd write a file.", "Setup"), 1, 0.0)]
    assert answerability("What does usepeerdns do?", far) < ANSWERABLE
    assert is_answerable("What does usepeerdns do?", far)
    assert not is_answerable("What does usepeerdns print?", far)


def test_a_few_notes_may_be_asked_in_other_words_than_a_manual() -> None:
    note = [Evidence(Passage("1", "To be reimbursed, send the form T-7 to expenses.", "Policy"), 1, 0.3, -2.0)]
    question = "How do I get my money back after a trip?"
    assert is_answerable(question, note, passages=20)
    assert not is_answerable(question, note, passages=2000)
    # The best of many passages is nearer by chance than the best of a few.
    assert answerability(question, note, 10**6) < answerability(question, note, 100)
    assert not is_answerable(question, [replace(note[0], score=-0.3)], passages=20)
    # What no ranker has read is judged as a manual, however few passages there are.
    unread = [replace(note[0], relevance=None)]
    assert answerability(question, unread, 20) == answerability(question, unread, 2000)


def test_a_passage_that_stands_out_is_trusted_more() -> None:
    def found(others: float) -> list[Evidence]:
        texts = [f"A copy is restored by name, number {n}." for n in range(5)]
        return [Evidence(Passage(str(n), text, "Saving"), n, 0.3, -n * others) for n, text in enumerate(texts)]

    question = "How do I get back what I lost?"
    assert answerability(question, found(2.0)) > answerability(question, found(0.1))


def test_found_by_words_alone_even_a_few_notes_must_say_the_words() -> None:
    question = "How do I restore a moon with an atmosphere?"
    few, many = (
        Composed(SignScorer(None, None), passages=passages, abstains=False).answer(question, EVIDENCE)
        for passages in (3, 3000)
    )
    assert few.notes["answerable"] == many.notes["answerable"]


def test_what_is_far_behind_the_best_passage_is_not_quoted_beside_it() -> None:
    texts = ("The next meeting is on 14 October at half past seven.", "The hive swarmed on 21 May, as every year.")
    evidence = [Evidence(Passage(str(n), text, "Notes"), n, 1.2 - 0.6 * n) for n, text in enumerate(texts, start=1)]
    assert [extract.number for extract in choose_extracts(evidence, near("meeting"), Lengths())] == [1]
    assert len(choose_extracts(evidence, near("meeting"), Lengths(far_behind=0.7))) == 2


def test_a_few_notes_are_quoted_from_more_places_than_a_manual() -> None:
    texts = [f"The {place} opens at nine every day but for Sundays." for place in ("bakery", "old mill", "café")]
    evidence = [Evidence(Passage(str(n), text, "Notes"), n, 0.5 - n / 50) for n, text in enumerate(texts, start=1)]
    assert len(choose_extracts(evidence, near("opens"), LENGTHS)) == 2
    assert len(choose_extracts(evidence, near("opens"), FEW_NOTES)) == 3


def test_what_something_is_compared_with_must_be_mentioned() -> None:
    known, unknown, ordinary = (
        answerability(f"How does a backup differ from {other}?", EVIDENCE)
        for other in ("a copy", "a snapshot", "the ordinary file")
    )
    assert known > unknown
    assert ordinary > unknown  # of a file the documents speak


def test_who_asks_what_something_is_gets_the_passage_that_says_so_first() -> None:
    texts = ("Ply and ply again: a ply costs time.", "Think ahead. A ply is one move.")
    evidence = [Evidence(Passage(str(n), text, "Guide"), n, 0.5) for n, text in enumerate(texts, start=1)]
    assert [item.number for item in order_sentences("What is a ply?", evidence)] == [2, 1]
    assert [item.number for item in order_sentences("Why play a ply?", evidence)] == [1, 2]


def test_an_item_that_only_announces_something_ends_no_extract() -> None:
    blocks = (Block("Much has changed since then."), Block("Upgrading from 1.8:", "item", mark="•"))
    [passage] = split(Document("Guide", blocks), file="g.md")
    [extract] = choose_extracts([Evidence(passage, 1, 0.9)], near("Upgrading"), Lengths())
    assert [entry.text for entry in extract.entries] == ["Much has changed since then."]


def test_the_words_asked_for_are_about_the_words_given() -> None:
    long = Document("Manual", tuple(Block(f"The backup of day {day} holds {day} files." * 3) for day in range(40)))
    evidence = [Evidence(passage, n, 0.9) for n, passage in enumerate(split(long, file="m.txt"), start=1)]
    for words in (40, 120):
        length = len(composed(words=words).answer("How do I make a backup of files?", evidence).text.split())
        assert 0 < length <= words * 1.2


def test_an_extract_does_not_end_with_a_question_that_it_leaves_unanswered() -> None:
    texts = ("A backup is made at night. It takes an hour.", "Can a backup be stopped?", "Yes, by the button. " * 30)
    evidence = [Evidence(Passage("1", "\n".join(texts), "Guide"), 1, 0.9)]
    [extract] = choose_extracts(evidence, near("backup"), Lengths(total=15))
    assert not extract.entries[-1].text.endswith("?")


def near(word: str) -> Callable[[Sequence[str]], list[float]]:
    """Texts with the word are near the question, all others are far from it."""
    return lambda texts: [1.0 if word in text else 0.0 for text in texts]


def test_words_go_where_several_passages_may_be_meant() -> None:
    texts = [
        f"The backup is {done}. " + " ".join(f"It can be {done} at {hour} by whoever is there." for hour in range(5))
        for done in ("made", "read")
    ]
    close, apart = (
        [
            Evidence(Passage(str(n), text, "Guide"), n, score)
            for n, text, score in zip((1, 2), texts, scores, strict=True)
        ]
        for scores in ((0.9, 0.89), (0.9, 0.3))
    )
    assert [extract.number for extract in choose_extracts(close, near("backup"), Lengths())] == [1, 2]
    assert [extract.number for extract in choose_extracts(apart, near("backup"), Lengths())] == [1]


def test_a_sentence_that_two_passages_have_is_quoted_once() -> None:
    texts = (
        "Backups are kept here. They go after 14 days.",
        "Backups are kept here. A disk holds them all, and no more.",
    )
    evidence = [Evidence(Passage(text, text, "Guide"), n, 0.9) for n, text in enumerate(texts, 1)]
    found = choose_extracts(evidence, near("them"), Lengths())
    quoted = [entry.text for extract in found for entry in extract.entries]
    assert quoted.count("Backups are kept here.") == 1
    assert len(found) == 2


def test_what_introduces_a_list_goes_with_the_list_that_is_said_already() -> None:
    words = ("colour", "paint")
    blocks = [
        (Block(f"The {word} can be one of:"), Block("red", "item", mark="-"), Block(f"The {word} shines."))
        for word in words
    ]
    passages = [next(iter(split(Document(word, found), file=word))) for word, found in zip(words, blocks, strict=True)]
    found = [Evidence(passage, n, 0.9) for n, passage in enumerate(passages, start=1)]
    lengths = replace(LENGTHS, fewest=1, price=0.0)
    first, second = choose_extracts(found, lambda texts: [1.0] * len(texts), lengths)
    assert [entry.text for entry in first.entries] == ["The colour can be one of:", "- red", "The colour shines."]
    assert [entry.text for entry in second.entries] == ["The paint shines."]


def test_what_is_one_bracket_or_one_sentence_is_quoted_together() -> None:
    lines = (
        "It is fast.",
        "Options (see below:",
        "- one",
        "- two) are read.",
        "Use a tool, e. g.",
        "this one.",
        "It ends.",
    )
    entries = [Entry("sentence", text, text, opens=not text.startswith("this")) for text in lines]
    assert list(bind_entries(entries)) == [(0, 1), (1, 4), (4, 6), (6, 7)]


def test_an_item_that_is_a_name_is_quoted_with_what_is_set_in_below_it() -> None:
    blocks = [
        Block("--version", "item", mark="•"),
        Block("Prints the version.", level=1),
        Block("--user NAME", "item", mark="•"),
        Block("Runs as that user.", level=1),
        Block("That is all."),
    ]
    [passage] = split(Document("Guide", tuple(blocks)), file="g.md")
    entries = entries_of(passage)
    assert list(bind_entries(entries)) == [(0, 2), (2, 4), (4, 5)]
    second = Unit.of(entries, [0.0] * len(entries), 2, 4)
    assert second.may_open  # the sentence before it belongs to the other name


def test_an_extract_does_not_begin_with_the_rest_of_a_sentence() -> None:
    passage = Passage("1", "where the port is free. The default port is 7001.", "Guide")
    [extract] = choose_extracts([Evidence(passage, 1, 0.9)], near("port"), Lengths())
    assert [entry.text for entry in extract.entries] == ["The default port is 7001."]
    alone = Passage("2", "where the port is free.", "Guide")
    assert choose_extracts([Evidence(alone, 1, 0.9)], near("port"), Lengths())[0].words == 5


def test_what_a_mail_says_in_lower_case_behind_its_greeting_is_no_rest_of_a_sentence() -> None:
    blocks = (Block("Hi all,"), Block("we move the server on Saturday. The new address is 192.0.2.44."))
    [passage] = split(Document("Server move", blocks), file="mail.eml")
    [extract] = choose_extracts([Evidence(passage, 1, 0.9)], near("server"), Lengths())
    assert extract.entries[0].text == "we move the server on Saturday."


def test_the_name_of_an_option_above_what_it_does_is_quoted_and_a_mere_label_is_not() -> None:
    for label, is_quoted in (("-autorot", True), ("max_size", True), ("Note", False)):
        told = Evidence(Passage("1", f"{label}\nTurns pictures the right way up."), 1, 1.0)
        (extract,) = choose_extracts([told], near("Turns"), Lengths())
        assert (extract.entries[0].text == label) is is_quoted


def test_a_value_in_a_line_of_its_own_is_quoted_at_both_ends() -> None:
    told = Evidence(Passage("1", "Default: 30\nWaits for so many seconds.\nRange: 0 to\nUnit: seconds"), 1, 1.0)
    (extract,) = choose_extracts([told], near("Waits"), Lengths())
    assert (extract.entries[0].text, extract.entries[-1].text) == ("Default: 30", "Unit: seconds")


def test_two_settings_may_have_the_same_default() -> None:
    texts = ("Default: no\nWhether the pump waits for water.", "Default: no\nWhether the lamp waits for the night.")
    told = [Evidence(Passage(str(n), text), n, 1.0) for n, text in enumerate(texts, start=1)]
    extracts = choose_extracts(told, near("waits"), Lengths())
    assert [extract.entries[0].text for extract in extracts] == ["Default: no", "Default: no"]


def test_a_default_stays_with_its_own_setting() -> None:
    lines = ("wait", "Waits for so many seconds.", "Default: 30", "retries", "How often it begins anew.", "Default: 3")
    entries = entries_of(Passage("1", "\n".join(lines)))
    assert list(bind_entries(entries)) == [(0, 3), (3, 6)]
    above = entries_of(Passage("1", "wait\nDefault: 30\nWaits for so many seconds.\nretries\nDefault: 3\nBegins anew."))
    assert list(bind_entries(above)) == [(0, 3), (3, 6)]


def test_what_a_version_brought_is_told_as_such_and_a_version_alone_is_not() -> None:
    blocks = (
        Block("The colour is read once."),
        Block("1.4 Read at every start before.", mark="versionchanged"),
        Block("1.2", mark="versionadded"),
        Block("2 colours are too many.", mark="note"),
    )
    [passage] = split(Document("Colours", blocks), file="c.rst")
    texts = [(entry.text, entry.source_text) for entry in entries_of(passage)]
    assert texts == [
        ("The colour is read once.", "The colour is read once."),
        ("Changed in version 1.4: Read at every start before.", "1.4 Read at every start before."),
        ("2 colours are too many.", "2 colours are too many."),
    ]


def test_a_row_by_itself_is_quoted_with_the_text_below_it() -> None:
    blocks = (
        Block("Options are read once."),
        Block("max_size | Type: integer | Default: 30", "table"),
        Block("Longer texts are cut."),
    )
    [passage] = split(Document("Options", blocks), file="o.html")
    assert list(bind_entries(entries_of(passage))) == [(0, 1), (1, 3)]


def test_an_extract_opens_with_the_term_that_its_words_explain() -> None:
    blocks = (
        Block("--speed FACTOR\nChanges how fast the machine runs. Twice is loud.", "definition"),
        Block("The default is 1.", level=1),
        Block("Paragraphs open as well. Their second sentence does not."),
    )
    [passage] = split(Document("Guide", blocks), file="g.md")
    entries = entries_of(passage)
    units = [Unit.of(entries, [0.0] * len(entries), place, place + 1) for place in range(len(entries))]
    assert [unit.may_open for unit in units] == [True, False, False, True, False]


def test_extracts_of_one_section_stand_in_its_order() -> None:
    here, there = Source("a.md", heading="Here"), Source("b.md", heading="There")
    sources = [replace(here, start=90), there, replace(here, start=10)]
    evidence = [Evidence(Passage(str(n), "Text.", source=source), n, 0.5) for n, source in enumerate(sources, start=1)]
    extracts = [Extract(number, ()) for number in (1, 2, 3)]
    assert [extract.number for extract in in_reading_order(extracts, evidence)] == [3, 1, 2]


def test_a_passage_without_words_is_no_extract() -> None:
    [blank] = split(Document("Guide", (Block("\n \n", "code"),)), file="g.md") or [Passage("2", "\n", "Guide")]
    evidence = [Evidence(Passage("1", "Backups are kept here.", "Guide"), 1, 0.9), Evidence(blank, 2, 0.9)]
    assert [extract.number for extract in choose_extracts(evidence, near("Backups"), Lengths())] == [1]


def test_a_lead_in_is_quoted_with_its_list() -> None:
    first = Passage("1", "A backup is a copy of what you have on the disk of your machine.", "Guide")
    blocks = (
        Block("The disk is large."),
        Block("Restore a backup like this:"),
        *(Block(f"step {n}", "item") for n in "12"),
    )
    [second] = split(Document("Guide", blocks), file="g.md")
    found = choose_extracts([Evidence(first, 1, 0.9), Evidence(second, 2, 0.9)], near("Restore"), Lengths())
    assert found[0].number == 2
    assert [entry.kind for entry in found[0].entries][-2:] == ["sentence", "steps"]


class NumberReader:
    """Finds the first number of a context, and is sure of it."""

    name = "numbers"

    def read(self, pairs: list[tuple[str, str]]) -> list[Span]:
        return [self._span(context) for _, context in pairs]

    def _span(self, context: str) -> Span:
        number = next((word for word in context.split() if word.isdigit()), "")
        start = context.find(number) if number else 0
        return Span(number, start, start + len(number), 9.0 if number else 0.0, 0.0 if number else 9.0)


def test_a_value_is_given_first_where_reader_form_and_passage_agree() -> None:
    evidence = [Evidence(Passage("1", "Backups are kept. They are kept for 14 days. Then they go.", "Guide"), 1, 0.9)]
    answer = composed(reader=NumberReader()).answer("For how many days are backups kept?", evidence)
    assert answer.direct is not None
    assert (answer.direct.text, answer.direct.citations) == ("14", (1,))
    assert answer.text.startswith("They are kept for 14 days.")


def test_a_passage_that_the_ranker_is_sure_of_may_use_other_words() -> None:
    passage = Passage("1", "A session key has to be proved anew after 120 minutes.", "Log server")
    unread = [Evidence(passage, 1, 0.9)]
    question = "For how many minutes is a login good?"
    system = composed(reader=NumberReader(), abstains=False)
    assert system.answer(question, unread).direct is None
    answer = system.answer(question, [replace(item, relevance=5.0) for item in unread])
    assert answer.direct is not None
    assert answer.direct.text == "120"
    assert system.answer(question, [replace(item, relevance=1.0) for item in unread]).direct is None


class RowReader:
    """Takes all that stands behind "keep_days" for the answer, the bar of the table too."""

    name = "rows"

    def read(self, pairs: list[tuple[str, str]]) -> list[Span]:
        return [Span("14 days | 2 GB" if "14 days | 2 GB" in context else "", 0, 0, 9.0, 0.0) for _, context in pairs]


def test_a_direct_answer_stays_in_one_cell() -> None:
    table = Document("Settings", (Block("Setting | Kept for | Size\nbackup | 14 days | 2 GB", "table", (), "header"),))
    evidence = [Evidence(passage, n, 0.9) for n, passage in enumerate(split(table, file="m.html"), start=1)]
    answer = composed(reader=RowReader()).answer("How many days is a backup kept?", evidence)
    assert answer.direct is not None
    assert answer.direct.text == "14 days"


class DigitReader:
    """Takes the digits of "272K" and leaves the letter, as readers of pieces of words do."""

    name = "digits"

    def read(self, pairs: list[tuple[str, str]]) -> list[Span]:
        return [Span("272", context.find("272"), context.find("272") + 3, 9.0, 0.0) for _, context in pairs]


def test_a_direct_answer_is_no_piece_of_a_number() -> None:
    evidence = [Evidence(Passage("1", "Lines are kept. The log keeps 272K lines. Then they go.", "Guide"), 1, 0.9)]
    answer = composed(reader=DigitReader()).answer("How many lines are kept?", evidence)
    assert answer.direct is not None
    assert answer.direct.text == "272K"


def test_the_cell_whose_row_and_column_are_named_is_a_direct_answer() -> None:
    rows = "Setting | Default | Meaning\nretry_limit | 5 | tries\ngrace_time | 30 s | wait\ndefault | 1 | none"
    table = Document("Settings", (Block(rows, "table", (), "header"),))
    evidence = [Evidence(passage, n, 0.9) for n, passage in enumerate(split(table, file="m.html"), start=1)]

    def direct(question: str) -> str | None:
        # Its name stands nowhere: what is found is found in the table.
        found = composed(reader=WinnerReader(), abstains=False).answer(question, evidence).direct
        return found.text if found else None

    assert direct("What is the default of grace_time?") == "30 s"
    assert direct("What is the default of sleep_time?") is None
    assert direct("What is the default of grace_time on the ships of the northern fleet?") is None


@pytest.mark.parametrize("name", ["idle_timeout", "idle-timeout", "idleTimeout", "idle timeout"])
def test_a_cell_is_not_that_of_a_shorter_name(name: str) -> None:
    rows = f"Setting | Default | Meaning\ntimeout | 30 | wait\n{name} | 600 | rest"
    table = Document("Server settings", (Block(rows, "table", (), "header"),))
    evidence = [Evidence(passage, n, 0.9) for n, passage in enumerate(split(table, file="m.html"), start=1)]
    answerer = composed(reader=WinnerReader(), abstains=False)
    found = answerer.answer("What is the default idle timeout of the server?", evidence).direct
    assert found is not None
    assert found.text == "600"


def test_a_stated_default_is_a_direct_answer() -> None:
    answer = composed(reader=NumberReader()).answer("What is the default of max_size?", EVIDENCE)
    assert answer.direct is not None
    assert answer.direct.text == "10240"


def test_a_hedge_before_a_stated_default_is_no_value() -> None:
    evidence = [Evidence(Passage("1", "The default of sleep_time is currently 30 seconds.", "Settings"), 1, 1.0)]
    found = composed(reader=NumberReader()).answer("What is the default of sleep_time?", evidence).direct
    assert found is not None
    assert found.text == "30"


def test_an_action_or_a_description_is_no_stated_default() -> None:
    for said in (
        "The default of sleep_time is to pause.",
        "The default is the sleep_time of the server.",
        "The default of sleep_time is determined by the server.",
    ):
        evidence = [Evidence(Passage("1", said, "sleep_time"), 1, 0.9)]
        assert composed(reader=NumberReader()).answer("What is the default of sleep_time?", evidence).direct is None


def test_two_questions_in_one_have_no_direct_answer() -> None:
    evidence = [Evidence(Passage("1", "Backups are kept. They are kept for 14 days. Then they go.", "Guide"), 1, 0.9)]
    answer = composed(reader=NumberReader()).answer("For how many days are backups kept, and how many?", evidence)
    assert (bool(answer.text), answer.direct) == (True, None)


class WinnerReader:
    """Finds Ann Lee, and is sure of her."""

    name = "winner"

    def read(self, pairs: list[tuple[str, str]]) -> list[Span]:
        starts = [context.find("Ann Lee") for _, context in pairs]
        return [Span("Ann Lee", start, start + 7, 9.0, 0.0) for start in starts]


def test_one_of_two_that_are_asked_for_is_no_direct_answer() -> None:
    passage = Passage("1", "Ann Lee was the winner of the vote and Bo Ray the runner-up.", "Votes", Source("votes.md"))
    asked = ("Who was the winner of the vote?", "Who were the winner and the runner-up of the vote?")
    one, both = (composed(reader=WinnerReader()).answer(q, [Evidence(passage, 1, 0.9)]) for q in asked)
    assert one.direct is not None
    assert one.direct.text == "Ann Lee"
    assert (bool(both.text), both.direct) == (True, None)


def test_a_why_question_has_no_direct_answer() -> None:
    assert composed(reader=NumberReader()).answer("Why is a backup made?", EVIDENCE).direct is None


def test_passages_that_say_the_telling_words_come_first() -> None:
    vague = Passage("1", "Many things can be set, for many reasons, in the program.", "Guide")
    telling = Passage("2", "Set keep_days to change how long backups stay.", "Guide")
    best = order_sentences("What does keep_days set?", [Evidence(vague, 1, 0.5), Evidence(telling, 2, 0.45)])
    assert [item.number for item in best] == [2, 1]


def test_an_extract_begins_with_what_introduces_its_code_and_ends_with_no_loose_lead_in() -> None:
    document = Document("T", (Block("First run this:"), Block("make all", "code"), Block("Other things follow here:")))
    evidence = [Evidence(passage, 1, 1.0) for passage in split(document, file="t.md")]
    [extract] = choose_extracts(evidence, lambda texts: [1.0] * len(texts), Lengths())
    assert [entry.text for entry in extract.entries] == ["First run this:", "make all"]


def test_a_passage_that_only_repeats_is_not_quoted() -> None:
    twice = [Evidence(Passage(str(n), "The port is 8080 by default.", "Guide"), n, 1.0) for n in (1, 2)]
    assert len(choose_extracts(twice, lambda texts: [1.0] * len(texts), Lengths())) == 1


def test_the_page_number_of_a_summary_is_not_quoted_while_a_number_of_a_text_file_is() -> None:
    text = "Harmony sets a voice.\n119\nInvert turns a chord."
    of_pdf, of_text = (entries_of(Passage(id="p", text=text, source=Source(file))) for file in ("a.pdf", "a.txt"))
    assert [entry.text for entry in of_pdf] == ["Harmony sets a voice.", "Invert turns a chord."]
    assert "119" in [entry.text for entry in of_text]


def test_a_bracket_that_spans_sentences_is_quoted_whole_or_not_at_all() -> None:
    text = "It is fast. Some games (for example Asteroids. Or others.)  differ. Never closed (so. It goes on."
    entries = entries_of(Passage(id="p", text=text, source=Source("a.txt")))
    assert [entry.source_text for entry in entries] == [
        "It is fast.",
        "Some games (for example Asteroids. Or others.)  differ.",
        "Never closed (so.",
        "It goes on.",
    ]


def test_the_text_keeps_paragraphs_and_lines() -> None:
    passage = Passage("1", "One here. Two here.\nA new paragraph.", "Guide")
    assert join_entries(entries_of(passage)) == "One here. Two here.\nA new paragraph."


def test_the_paragraphs_of_a_meaning_are_kept_apart() -> None:
    text = "deny\nDenies them. All of them.\nDefault: empty\nIt is an option. Use it."
    passage = Passage("1", text, parts=(Part("definition", 0, len(text)),))
    lines = ["deny: Denies them. All of them.", "Default: empty", "It is an option. Use it."]
    assert join_entries(entries_of(passage)) == "\n".join(lines)


def test_markup_is_shown_as_meant_and_quoted_as_written() -> None:
    source = Source("guide.md")
    [entry] = entries_of(Passage("1", "See [the **docs**](http://x) for `items[0]`.", "Guide", source))
    assert entry.text == "See the docs for `items[0]`."
    assert entry.source_text == "See [the **docs**](http://x) for `items[0]`."


def test_articles_are_told_from_manuals() -> None:
    names = ("Charles X", "Louis Philippe I", "July Revolution")
    articles = [Evidence(Passage(name, f"{name} was known in 1830.", name), n, 1.0) for n, name in enumerate(names)]
    assert are_articles(articles)
    assert not are_articles(EVIDENCE)
    assert not are_articles([])
    # Pages that name their title and speak to whoever reads them.
    helped = [
        replace(item, passage=replace(item.passage, text=f"{item.passage.text} You see it.")) for item in articles
    ]
    assert are_articles(helped)
    helped = [
        replace(item, passage=replace(item.passage, text=f"{item.passage.text} As you see.")) for item in articles
    ]
    assert not are_articles(helped)
    # A page of a file that was found alone may be anything.
    page = Evidence(Passage("1", "The setup of dnsmasq is done here.", "Dnsmasq setup", Source("setup.html")), 1, 1.0)
    assert not are_articles([page])


def test_rows_of_a_table_are_no_articles_though_each_names_its_subject() -> None:
    rows = [
        Evidence(Passage(name, f"Name: {name}, frequency: 156.8, mode: FM.", name, Source("marine.csv")), n, 1.0)
        for n, name in enumerate(("Channel 16", "Channel 70", "Channel 9"))
    ]
    assert not are_articles(rows)
