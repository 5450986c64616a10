"""Which documents of `documents_qa` train, which choose and which decide: one rule for training and for measuring."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal, TypeAlias

Part: TypeAlias = Literal["train", "choose", "decide"]

TRAINED_ON = frozenset(
    "docfaq emanual awsdocs_qa tatqa fetaqa covidqa pubmedqa medquad_subset policyqa conditionalqa_dev".split()
)
"""Sets whose licence lets shipped weights be trained on them; the other sets have no part `train`."""

# Whole projects decide, so that no page of a project that decides was trained on.
_CHOOSE_PROJECTS = frozenset("borgbackup/borg apache/airflow prometheus/docs pingcap/docs qmk/qmk_firmware".split())
_DECIDE_PROJECTS = frozenset(
    "MicrosoftDocs/azure-devops-docs django/django ansible/ansible-documentation syncthing/docs "
    "ClickHouse/clickhouse-docs cockroachdb/docs".split()
)
# The manual has few chapters, and the hash puts all of them on one side.
_CHAPTERS: dict[str, Part] = {"emanual/TV/section_97": "choose", "emanual/TV/section_233": "decide"}


def part_of(set_name: str, document: str) -> Part:
    """Where a document goes: FAQ pages by their project, others by the hash of their id."""
    if set_name == "docfaq":
        return project_part(project_of(document))
    if set_name in TRAINED_ON:
        return part_by_id(document)
    return "choose" if _share(document) < 50 else "decide"


def part_by_id(document: str) -> Part:
    """Where a document goes that may be trained on: 70 / 15 / 15 in a hundred."""
    if document in _CHAPTERS:
        return _CHAPTERS[document]
    share = _share(document)
    return "train" if share < 70 else "choose" if share < 85 else "decide"


def project_of(document: str) -> str:
    """The owner and repository that a document's id begins with."""
    return "/".join(document.split("/")[:2])


def project_part(project: str) -> Part:
    """Where the FAQ pages of a software project go."""
    if project in _CHOOSE_PROJECTS:
        return "choose"
    return "decide" if project in _DECIDE_PROJECTS else "train"


def _share(document: str) -> int:
    """By hash: a document goes to the same side whatever else is in the file."""
    # The head of the hash: its last digit says which half of a set was published, and is even in all that was.
    return int(sha256(document.encode()).hexdigest()[:8], 16) % 100
