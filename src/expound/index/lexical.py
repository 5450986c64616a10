"""Search by words: a tantivy index on disk that follows a store of passages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from expound.errors import CorpusBusy, Damaged, StorageFull, WrongVersion
from expound.files import is_writable

FORMAT = "1"

# tantivy writes a segment when this is full: large enough for few merges, small beside the rest of the process.
_HEAP_BYTES = 100_000_000
# Any machine has two cores; documents come from Python one by one, so that more threads would wait.
_THREADS = 2
# About 20 seconds of work ("Speed" in recipes/LOG.md), which is what a kill can lose; each commit waits for the disk.
_COMMIT_EVERY = 100_000
# Only a word that tens of thousands of equally long passages have once each ties more often.
_MOST_TIES = 50_000

# Words that carry a question's form, not its topic; tantivy's own list lacks them.
QUESTION_WORDS = frozenset(
    "who whom whose what which when where why how did does do was were been has had have can could".split()
)


class LexicalIndex:
    """BM25 over title and text together. Opening is cheap; a searcher sees the last commit."""

    def __init__(self, folder: Path) -> None:
        import tantivy

        self.folder = folder
        self._tantivy = tantivy
        _check_format(folder)
        # A corpus on a disk that cannot be written can still be asked.
        self._mirror = None if is_writable(folder) else _mirror_of(folder)
        folder.mkdir(parents=True, exist_ok=True)
        with tantivy_errors(folder):
            place = self._mirror.name if self._mirror else str(folder)
            self._index: Any = tantivy.Index(_schema(tantivy), path=place)
        self._analyzer = _analyzer(tantivy)
        self._index.register_tokenizer("expound", self._analyzer)

    def __len__(self) -> int:
        # Another process may have committed since.
        self._index.reload()
        return int(self._index.searcher().num_docs)

    def search(self, question: str, *, k: int) -> list[tuple[int, float]]:
        """The k best passage numbers with their BM25 scores, best first; ties keep corpus order."""
        terms = self.terms(question)
        # tantivy panics on a limit of 0.
        if not terms or k < 1:
            return []
        with tantivy_errors(self.folder):
            searcher = self._index.searcher()
            hits = _with_ties(searcher, self._query(terms), k)
            # From a column in memory; reading stored documents would take a seek for each hit.
            numbers = searcher.fast_field_values("number", [address for _, address in hits])
        found = [(int(number), float(score)) for number, (score, _) in zip(numbers, hits, strict=True)]
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:k]

    def share_of(self, word: str) -> float:
        """The share of the passages that say a word, or the rarest term of one that is several; 0 for no word."""
        terms = self._analyzer.analyze(word)
        searcher = self._index.searcher()
        if not terms or not searcher.num_docs:
            return 0.0
        return float(min(searcher.doc_freq("text", term) for term in terms) / searcher.num_docs)

    def terms(self, text: str) -> list[str]:
        """The distinct search terms of a text, in order."""
        topic = " ".join(word for word in text.split() if word.strip("?,.!'\"").lower() not in QUESTION_WORDS)
        # A question of question words alone ("Who was who?") is searched with all of them.
        return list(dict.fromkeys(self._analyzer.analyze(topic) or self._analyzer.analyze(text)))

    def _query(self, terms: list[str]) -> Any:
        # Terms are looked up one by one: a question is never handed to the query parser, whose syntax it would break.
        query, schema, occur = self._tantivy.Query, self._index.schema, self._tantivy.Occur.Should
        return query.boolean_query([(occur, query.term_query(schema, "text", term)) for term in terms])

    def update(
        self,
        texts: Iterable[tuple[int, str, str]],
        removed: Iterable[int],
        *,
        committed: Callable[[int, int], None] | None = None,
    ) -> int:
        """Take removed numbers out and add passages (number, title, text); returns how many were added.

        Commits as it goes and says so (how many, up to which number). Adding a number that is there already
        replaces it, so a run that was cut off can be repeated.
        """
        with tantivy_errors(self.folder):
            writer = self._index.writer(_HEAP_BYTES, _THREADS)
            # A new index need not look for what it replaces.
            fresh = len(self) == 0
            for number in removed:
                writer.delete_documents_by_term("number", number)
            count = self._add(writer, texts, fresh, committed)
            writer.commit()
            writer.wait_merging_threads()
        self._index.reload()
        return count

    def _add(
        self,
        writer: Any,
        texts: Iterable[tuple[int, str, str]],
        fresh: bool,
        committed: Callable[[int, int], None] | None,
    ) -> int:
        count = 0
        for number, title, text in texts:
            if not fresh:
                # A run that was cut off between two commits adds again what it had added.
                writer.delete_documents_by_term("number", number)
            writer.add_document(self._document(number, title, text))
            count += 1
            if count % _COMMIT_EVERY == 0:
                writer.commit()
                if committed:
                    committed(count, number)
        return count

    def _document(self, number: int, title: str, text: str) -> Any:
        document = self._tantivy.Document()
        document.add_integer("number", number)
        # One field for both: on ASQA it finds 2 % more answers in 30 passages than a field each (recipes/LOG.md).
        document.add_text("text", f"{title} {text}")
        return document


def _with_ties(searcher: Any, query: Any, k: int) -> list[Any]:
    """The k best hits and all that tie with the last of them.

    The index gives equal scores in the order in which its threads happened to write: cut at k, another build of the
    same passages would keep others of them.
    """
    # Twice k mostly reaches the end of the ties at once.
    limit = 2 * k
    while True:
        hits: list[Any] = searcher.search(query, limit=limit, count=False).hits
        if len(hits) < limit or hits[-1][0] < hits[k - 1][0] or limit >= _MOST_TIES:
            # Enough were found, or the last one is worse than the k-th: every tie is in.
            return hits
        limit *= 8


def _mirror_of(folder: Path) -> TemporaryDirectory[str]:
    """A folder with links to the index's files: tantivy makes a lock file even to read, and a disk may not let it."""
    mirror = TemporaryDirectory(prefix="expound-index-")
    for file in folder.iterdir():
        if not file.name.endswith(".lock"):
            Path(mirror.name, file.name).symlink_to(file.absolute())
    return mirror


def write_format(folder: Path) -> None:
    """Mark the folder with the versions that wrote it; done last, when the index is whole."""
    (folder / "expound.format").write_text(index_version() + "\n", encoding="utf-8")


def index_version() -> str:
    """Our format and tantivy's: an index can be read only by the same two."""
    import tantivy

    # "tantivy v0.27.0, index_format v7": the second number decides.
    return f"{FORMAT} {str(vars(tantivy)['__version__']).rpartition(' ')[2]}"


def _check_format(folder: Path) -> None:
    marker = folder / "expound.format"
    # No marker: the index is being written, or is of this version's making and was cut off.
    found = marker.read_text(encoding="utf-8").strip() if marker.exists() else index_version()
    if found != index_version():
        raise WrongVersion(f"the index in {folder} is of another version ({found}, this one is {index_version()})")


def _schema(tantivy: Any) -> Any:
    builder = tantivy.SchemaBuilder()
    # Stored for reading back, indexed for removal, fast for looking up hits.
    builder.add_integer_field("number", stored=True, indexed=True, fast=True)
    # Frequencies without positions: no query asks for phrases.
    builder.add_text_field("text", stored=False, tokenizer_name="expound", index_option="freq")
    return builder.build()


def _analyzer(tantivy: Any) -> Any:
    filters = tantivy.Filter
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in (
        # Longer words are addresses and encoded data.
        filters.remove_long(40), filters.lowercase(), filters.ascii_fold(), filters.stopword("english"),
        filters.stemmer("english"),
    ):  # fmt: skip
        builder = builder.filter(step)
    return builder.build()


@contextmanager
def tantivy_errors(folder: Path) -> Iterator[None]:
    """tantivy raises ValueError for everything; the text tells the cases apart."""
    try:
        yield
    except BaseException as error:
        # A panic of tantivy's is no Exception, so that nobody passes over it; on a damaged file that is what it does.
        if not isinstance(error, ValueError | OSError) and type(error).__name__ != "PanicException":
            raise
        text = str(error)
        if "LockBusy" in text:
            raise CorpusBusy("another process is writing this index; try again when it is done") from error
        if "No space left" in text or "StorageFull" in text:
            raise StorageFull(f"the disk is full: the index in {folder} is at its last commit") from error
        if "Incompatible" in text:
            raise WrongVersion(f"the index in {folder} is of another version") from error
        raise Damaged(f"the index in {folder} is damaged ({' '.join(text.split())[:_LONGEST_REASON]})") from error


_LONGEST_REASON = 120  # tantivy's messages name segment files and stack frames
