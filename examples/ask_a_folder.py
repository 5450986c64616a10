"""Answer questions from a folder of notes, offline and without a language model.

.venv/bin/python examples/ask_a_folder.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import expound
from expound.corpus import add, remove

NAME = "example-notes"
NOTES = {
    "bees.md": "# Honey bee\n\nA honey bee colony has one queen. The queen lays up to 2,000 eggs a day in June.",
    "wasps.md": "# Paper wasp\n\nA paper wasp nest is built from chewed wood. Its queen lays few eggs.",
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in NOTES.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        add([Path(folder)], name=NAME)
    prediction = expound.ask("How many eggs does the queen lay?", corpus=NAME, words=40)
    for sentence in prediction.answer.sentences:
        print(sentence.text, *(f"[{number}]" for number in sentence.citations))
    for item in prediction.evidence:
        print(f"[{item.number}] {item.passage.title} ({item.passage.source.file})")
    remove(NAME)  # otherwise it would stay among the corpora of whoever runs this


if __name__ == "__main__":
    main()
