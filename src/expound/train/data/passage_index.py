"""Find the sentences that might answer a question: passages under BM25, split, with the rarity of their words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import tantivy

from expound.train.data.label_texts import is_fragment, normalise, pair_text, split_sentences

# Words of a question that say nothing about its subject.
QUESTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        "who what when where which why how whose whom did does do is are was were has have had the a an of in on "
        "at to for from by with and or many much long first last name it its this that be been can s",
    )
)


@dataclass(frozen=True)
class CandidateSentence:
    """One sentence of a passage, with the text the ranker reads and its word stems."""

    text: str
    passage_id: str
    words: frozenset[str]
    normalised: str
    normalised_with_title: str


@dataclass(frozen=True)
class CandidatePassage:
    """A titled piece of text with its split sentences."""

    id: str
    title: str
    text: str
    sentences: tuple[CandidateSentence, ...]


class PassageIndex:
    """Passages in memory under BM25, with the sentence rarity of every word."""

    def __init__(self, passages: Iterable[dict[str, Any]], *, skip_sources: frozenset[str]) -> None:
        self._analyzer = new_analyzer()
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("key", stored=True, tokenizer_name="raw")
        builder.add_text_field("text", tokenizer_name="stems")
        self._schema = builder.build()
        self._index = tantivy.Index(self._schema)
        self._index.register_tokenizer("stems", self._analyzer)
        # By number in this list: tantivy would store every text a second time.
        self.passages = [self._prepare(p) for p in passages if p["source"] not in skip_sources]
        self._fill()
        self._idf = self._count_words()

    def words(self, text: str) -> frozenset[str]:
        """Distinct stems of a text."""
        return frozenset(self._analyzer.analyze(text))

    def search(self, question: str, k: int) -> list[CandidatePassage]:
        """The k best passages under BM25."""
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "text", stem))
            for stem in self._analyzer.analyze(question)
        ]
        searcher = self._index.searcher()
        # Of terms and never parsed: an apostrophe or a colon in a question is an error to tantivy's parser.
        hits = searcher.search(tantivy.Query.boolean_query(terms), limit=k).hits
        return [self.passages[int(str(searcher.doc(address).get_first("key")))] for _, address in hits]

    def retrieved_sentences(self, question: str, k: int) -> list[CandidateSentence]:
        """Sentences of the k best passages."""
        return [sentence for passage in self.search(question, k) for sentence in passage.sentences]

    def coverage(self, question: str, words: frozenset[str]) -> float:
        """Share of the question's word rarity that the given words cover. 0 to 1."""
        wanted = self.words(question) - QUESTION_WORDS
        # fsum: the order of a set changes between runs, and with it the last digit of a plain sum.
        total = math.fsum(map(self.rarity, wanted))
        return math.fsum(map(self.rarity, wanted & words)) / total if total else 0.0

    def rarity(self, word: str) -> float:
        """Inverse document frequency of a stem over all sentences."""
        return self._idf.get(word, self._unseen)

    def sentences(self, passage_id: str, title: str, text: str) -> tuple[CandidateSentence, ...]:
        """Whole sentences of a passage, as the ranker reads them."""
        return tuple(
            CandidateSentence(
                text=pair_text(title, sentence),
                passage_id=passage_id,
                words=self.words(f"{title} {sentence}"),
                normalised=normalise(sentence),
                normalised_with_title=normalise(f"{title} {sentence}"),
            )
            for sentence in split_sentences(text)
            if not is_fragment(sentence)
        )

    def _prepare(self, record: dict[str, Any]) -> CandidatePassage:
        # What is left of an empty section name in ready passages.
        title = record["title"].removesuffix(" -").strip()
        sentences = self.sentences(record["id"], title, record["text"])
        return CandidatePassage(record["id"], title, record["text"], sentences)

    def _fill(self) -> None:
        # One thread: several would put passages with the same score in another order on every run.
        writer = self._index.writer(heap_size=100_000_000, num_threads=1)
        for key, passage in enumerate(self.passages):
            writer.add_document(tantivy.Document(key=str(key), text=f"{passage.title} {passage.text}"))
        writer.commit()
        writer.wait_merging_threads()
        # A searcher of this process sees the commit only after this.
        self._index.reload()

    def _count_words(self) -> dict[str, float]:
        counts = Counter(word for p in self.passages for s in p.sentences for word in s.words)
        total = sum(len(p.sentences) for p in self.passages)
        # A word that no sentence has is rarer than all that some have.
        self._unseen = math.log(total + 1)
        return {word: math.log((total + 1) / (count + 0.5)) for word, count in counts.items()}


def new_analyzer() -> tantivy.TextAnalyzer:
    """Lower-cased English stems without stop words; the labels were made without the accent folding of `index`."""
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in (
        tantivy.Filter.remove_long(40),
        tantivy.Filter.lowercase(),
        tantivy.Filter.stopword("english"),
        tantivy.Filter.stemmer("english"),
    ):
        builder = builder.filter(step)
    return builder.build()
