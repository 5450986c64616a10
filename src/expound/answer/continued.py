"""Go on where a list goes on: in the next passage of its section, or as the sections below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from expound.answer.entries import Entry, entries_of
from expound.answer.extracts import Extract, Lengths, bind_entries, introduces
from expound.answer.kinds import QuestionKind
from expound.plugins import spec_text
from expound.text.titled import section_below
from expound.types import Evidence, Part, Passage

CONTINUED: frozenset[QuestionKind] = frozenset(("list", "how-to"))
"""Kinds that ask for several things or steps: half of them is no answer."""
_ENUMERATING = frozenset(("item", "definition", "table"))
# Between two passages of a document stands the line break that their offsets count.
_NEXT = 2


@dataclass(frozen=True, repr=False)
class Continuation:
    """How far an answer goes on (recipes/LOG.md, "Lists that go on")."""

    fewest_below: int = 2
    """Sections below another that enumerate something: one alone is merely the next."""
    longest_opening: int = 40
    """Words of a section's first sentence that are worth quoting beside its heading."""
    longest_code: int = 60
    """Words of an example, with its lead-in, that ends what is to be done (recipes/LOG.md, "Fourteen collections")."""
    enumerated: int = 2
    """Extracts whose sections below are named: a third one is there for the case that both are wrong."""

    __repr__ = spec_text


CONTINUATION = Continuation()


def continue_extracts(
    extracts: Sequence[Extract],
    evidence: Sequence[Evidence],
    kind: QuestionKind,
    lengths: Lengths,
    rules: Continuation = CONTINUATION,
) -> list[Extract]:
    """The extracts, each with what it goes on with, as long as there is room; what nothing follows stays as it is."""
    if kind not in CONTINUED:
        return list(extracts)
    quoted = {extract.number for extract in extracts}
    room = lengths.total * lengths.beyond - sum(extract.words for extract in extracts)
    continued: list[Extract] = []
    for place, extract in enumerate(extracts):
        item = next(item for item in evidence if item.number == extract.number)
        more = _rest_of(extract, item.passage, evidence, kind)
        if not more and kind == "list" and place < rules.enumerated:
            more = list(_list_sections(extract, item.passage, evidence, rules))
        more = [found for found in more if found.number not in quoted]
        words = sum(found.words for found in more)
        continued.append(extract)
        # All or nothing: half of what a list goes on with is as bad as none of it.
        if more and words <= room:
            continued += more
            quoted |= {found.number for found in more}
            room -= words
    closed = _close_gaps(continued, evidence, room)
    return _add_code(closed, evidence, lengths, rules) if kind == "how-to" else closed


def _add_code(
    extracts: Sequence[Extract], evidence: Sequence[Evidence], lengths: Lengths, rules: Continuation
) -> list[Extract]:
    """The extracts, those that end right before an example with it: what to type is what was asked for."""
    passages = {item.number: item.passage for item in evidence}
    room = lengths.total * lengths.beyond - sum(extract.words for extract in extracts)
    added: list[Extract] = []
    for extract in extracts:
        code = _code_behind(extract, passages[extract.number])
        words = sum(entry.words for entry in code)
        is_worth = words <= min(room, rules.longest_code) and all(entry.kind != "code" for entry in extract.entries)
        added.append(replace(extract, entries=(*extract.entries, *code)) if is_worth else extract)
        room -= words if is_worth else 0
    return added


def _code_behind(extract: Extract, passage: Passage) -> list[Entry]:
    """The code that follows an extract in its passage, with what introduces it; nothing if something else follows."""
    entries = entries_of(passage)
    texts = [entry.text for entry in entries]
    last = extract.entries[-1].text
    start = texts.index(last) + 1 if last in texts else len(entries)
    end = next((end for begin, end in bind_entries(entries) if begin == start), start)
    return entries[start:end] if entries[start:end] and entries[end - 1].kind == "code" else []


def _close_gaps(extracts: Sequence[Extract], evidence: Sequence[Evidence], room: float) -> list[Extract]:
    """The extracts with the passage between two of them, where a list or steps run through all three: no step 3 or 4
    between step 2 and step 5 is worse than a long answer."""
    passages = {item.number: item.passage for item in evidence}
    closed, quoted = list(extracts), {extract.number for extract in extracts}
    for extract in extracts:
        between = _next_of(passages[extract.number], evidence)
        if between is None or between.number in quoted:
            continue
        behind = _next_of(between.passage, evidence)
        gap = Extract(between.number, tuple(entries_of(between.passage)), extract.worth)
        runs_on = behind is not None and behind.number in quoted and _begins_with_item(behind.passage)
        if runs_on and _begins_with_item(between.passage) and gap.words <= room:
            closed.insert(closed.index(extract) + 1, gap)
            quoted.add(gap.number)
            room -= gap.words
    return closed


def _begins_with_item(passage: Passage) -> bool:
    return bool(passage.parts) and passage.parts[0].kind in _ENUMERATING


def _rest_of(extract: Extract, passage: Passage, evidence: Sequence[Evidence], kind: QuestionKind) -> list[Extract]:
    """What the next passage adds to a list or to some steps, if the extract goes to the end of its own."""
    behind = _next_of(passage, evidence)
    if behind is None or not _is_quoted_to_end(extract, passage):
        return []
    rest = _rest_of_list(passage, extract.entries[-1], behind.passage, kind)
    return [Extract(behind.number, tuple(rest), extract.worth)] if rest else []


def _is_quoted_to_end(extract: Extract, passage: Passage) -> bool:
    entries = entries_of(passage)
    return bool(entries) and extract.entries[-1].text == entries[-1].text


def _next_of(passage: Passage, evidence: Sequence[Evidence]) -> Evidence | None:
    """The evidence that stands right behind a passage, under the same headings."""
    source = passage.source
    places = ((item.passage.source, item) for item in evidence)
    return next(
        (
            item
            for place, item in places
            if (place.file, place.heading) == (source.file, source.heading) and 0 <= place.start - source.end <= _NEXT
        ),
        None,
    )


def _rest_of_list(passage: Passage, last: Entry, behind: Passage, kind: QuestionKind) -> list[Entry]:
    """What the passage behind adds to a list or to what asks for one; nothing if it begins something else."""
    # Rows that follow rows are what a list goes on with; they are no further steps.
    going_on = _ENUMERATING if kind == "list" else _ENUMERATING - {"table"}
    ends_in_list = passage.parts[-1:] and passage.parts[-1].kind in going_on
    begins = behind.parts[0].kind if behind.parts else "paragraph"
    if introduces(last) or (ends_in_list and begins in going_on):
        return _entries_to_end_of_list(behind)
    # "Which ones are there?": the text has come to the point where the list begins.
    has_own = any(part.kind in _ENUMERATING for part in passage.parts)
    if kind == "list" and not has_own and any(part.kind in _ENUMERATING for part in behind.parts[:2]):
        return _entries_to_end_of_list(behind)
    return []


def _entries_to_end_of_list(passage: Passage) -> list[Entry]:
    """The entries of a passage as far as its first list goes, with what is set in below its items."""
    end = len(passage.parts)
    started: Part | None = None
    for place, part in enumerate(passage.parts):
        if part.kind in _ENUMERATING or part.kind == "code":
            started = started or part
        elif started and part.level <= started.level:
            end = place
            break
    return entries_of(replace(passage, parts=passage.parts[:end]))


def _list_sections(
    extract: Extract, passage: Passage, evidence: Sequence[Evidence], rules: Continuation
) -> Iterator[Extract]:
    """The sections below the one that an extract opens: each by its heading and how it begins."""
    if any(part.kind in _ENUMERATING for part in passage.parts) or not _is_quoted_to_end(extract, passage):
        return
    below: dict[str, Evidence] = {}
    for item in sorted(evidence, key=lambda item: item.passage.source.start):
        source = item.passage.source
        name = section_below(passage.source.heading, source.heading) if source.file == passage.source.file else ""
        if name and source.heading != passage.source.heading and source.start >= passage.source.end:
            below.setdefault(name, item)
    if len(below) < rules.fewest_below:
        return
    for name, item in below.items():
        yield Extract(item.number, (_section_entry(name, item.passage, rules),), extract.worth)


def _section_entry(name: str, passage: Passage, rules: Continuation) -> Entry:
    """ "• Quick tests: These speed up …": a section as an item of a list."""
    opening = next((entry for entry in entries_of(passage) if entry.kind == "sentence"), None)
    if opening is None or opening.words > rules.longest_opening or introduces(opening):
        return Entry("steps", f"• {name}", name)
    return Entry("steps", f"• {name}: {opening.text}", f"{name}\n{opening.source_text}")
