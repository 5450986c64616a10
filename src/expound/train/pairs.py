"""Build (question, sentence) training groups for the sentence ranker by distant supervision."""

from __future__ import annotations

import gzip
import json
import math
import random
import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import tantivy

# ASQA dev annotators wrote or picked these passages: training on them would leak the test set.
ANNOTATOR_SOURCES = frozenset({"wikipedia_asqa_annotator_knowledge", "wikipedia_asqa_qa_pair_context"})
# CLAPNQ is an evaluation set, so its passages stay unseen as well.
EVALUATION_SOURCES = frozenset({"wikipedia_nq_clapnq"})

# Words of a question that say nothing about its subject.
QUESTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        "who what when where which why how whose whom did does do is are was were has have had the a an of in on "
        "at to for from by with and or many much long first last name it its this that be been can s",
    )
)


@dataclass(frozen=True)
class Example:
    """A question with every short answer that counts as right."""

    question: str
    answers: tuple[str, ...]
    origin: str
    long_answer: str = ""


@dataclass(frozen=True)
class Sentence:
    """One sentence of a passage, with the text the ranker reads and its word stems."""

    text: str
    passage_id: str
    words: frozenset[str]
    normalised: str
    normalised_with_title: str


@dataclass(frozen=True)
class Group:
    """A question with right and wrong sentences, as the ranker reads them."""

    question: str
    positives: tuple[str, ...]
    negatives: tuple[str, ...]
    origin: str


@dataclass(frozen=True)
class Pool:
    """Every candidate sentence of a question with two labels: holds an answer, and is also about the question."""

    question: str
    texts: tuple[str, ...]
    passage_texts: tuple[str, ...]
    holds_answer: tuple[bool, ...]
    is_positive: tuple[bool, ...]
    coverage: tuple[float, ...]
    origin: str


@dataclass(frozen=True)
class Passage:
    """A titled piece of text with its split sentences."""

    id: str
    title: str
    text: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True)
class DataFiles:
    """Where the dataset files are; the names follow the data's README."""

    passages: Path
    ambignq_train: Path
    asqa_train: Path
    nq_open_train: Path
    nq_gold_paragraphs: Path
    squad: Path
    asqa_dev: Path
    ambignq_dev: tuple[Path, ...]
    clapnq: tuple[Path, ...]


@dataclass(frozen=True)
class Labelling:
    """What makes a sentence count as an answer, and how many sentences to keep."""

    passages: int = 15
    coverage: float = 0.55
    coverage_for_common_answers: float = 0.75
    long_answer_overlap: float = 0.45
    negatives: int = 12
    hard_negatives: int = 7
    neighbours: int = 2
    near_misses: int = 3
    positives: int = 4


@dataclass(frozen=True)
class TrainingData:
    """Groups to train on and the candidate pools of held-out questions."""

    groups: list[Group]
    dev: list[Pool]


def build_training_data(
    files: DataFiles, rules: Labelling, *, seed: int, dev_per_origin: int = 200, dev_articles: int = 2
) -> TrainingData:
    """Build everything from the dataset files, without any evaluation question."""
    rng = random.Random(seed)
    guard = LeakGuard(evaluation_questions(files))
    index = PassageIndex(iter_jsonl(files.passages), skip_sources=ANNOTATOR_SOURCES | EVALUATION_SOURCES)
    # ASQA first: a question found in several files keeps its richest annotation.
    readers = (iter_asqa(files.asqa_train), iter_ambignq(files.ambignq_train), iter_nq_open(files.nq_open_train))
    examples = list(without_leaks(chain(*readers), guard))
    dev = hold_out(examples, index, rules, rng=rng, wanted={"ambignq": dev_per_origin, "nq_open": dev_per_origin})
    for pool in dev:
        guard.add(pool.question)
    articles = read_json(files.squad)["data"][:-dev_articles]
    groups = [
        *iter_distant_groups(without_leaks(examples, guard), index, rules, rng=rng),
        *iter_gold_paragraph_groups(files.nq_gold_paragraphs, index, guard, rules, seed=seed),
        *iter_squad_groups(articles, index, rules),
    ]
    return TrainingData(groups, dev)


def thin(groups: Iterable[Group], share: Mapping[str, float], *, seed: int) -> list[Group]:
    """Keep only a share of the groups of some origins."""
    rng = random.Random(seed)
    return [group for group in groups if rng.random() < share.get(group.origin, 1.0)]


# --- text -----------------------------------------------------------------------------------------


def normalise(text: str) -> str:
    """Lower case without punctuation, articles and extra spaces (the SQuAD rule)."""
    text = "".join(" " if c in "-–—/" else c for c in text.lower())
    text = "".join(c for c in text if c not in string.punctuation and c not in "“”‘’")
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def clean_question(question: str) -> str:
    """Write a question as in Natural Questions: lower case, no question mark."""
    return " ".join(question.lower().replace("?", " ").split())


def pair_text(title: str, sentence: str) -> str:
    """Put the title before a sentence unless the sentence already starts with it."""
    if not title or sentence.lower().startswith(title.lower()):
        return sentence
    return f"{title}. {sentence}"


_BOUNDARY = re.compile(r"(?<=[.!?])[\"”')\]]{0,2}\s+(?=[\"“'(\[]{0,2}[A-Z0-9])")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"])(?:[A-Z]|[A-Z]\.[A-Z]|Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof|Gen|Col|Sgt|Lt|Capt|Rev|Hon|Gov|Sen|Rep|No|Vol|vs|v"
    r"|c|ca|Inc|Ltd|Co|Corp|Bros|Mt|Ft|feat|pp|ed|U\.S|U\.K|a\.m|p\.m|Jan|Feb|Mar|Apr|Aug|Sept|Oct|Nov|Dec)\.$"
)


def split_sentences(text: str) -> list[str]:
    """Split at end punctuation before a capital or digit, except after common abbreviations and initials."""
    text = re.sub(r"\[\d+\]|={2,}[^=]{1,80}={2,}", " ", text)
    sentences, start = [], 0
    for match in _BOUNDARY.finditer(text):
        if not _ABBREVIATION.search(text[max(start, match.start() - 12) : match.start()]):
            sentences.append(" ".join(text[start : match.end()].split()))
            start = match.end()
    return [*sentences, " ".join(text[start:].split())]


def is_fragment(sentence: str) -> bool:
    """Whether a sentence is cut off, too short or too long to stand in an answer."""
    words = sentence.split()
    starts_low = sentence[:1].islower() or sentence[:1] in ",;:)#*|"
    ends_open = not re.search(r"[.!?][\"”')\]]*$|[.!?] ?''$", sentence)
    return starts_low or ends_open or not 4 <= len(words) <= 70


def contains_answer(normalised: str, answers: Iterable[str]) -> bool:
    """Whether a normalised answer occurs in normalised text at word boundaries."""
    padded = f" {normalised} "
    return any(f" {answer} " in padded for answer in answers)


# --- leak guard -----------------------------------------------------------------------------------


class LeakGuard:
    """Remembers evaluation questions and recognises them whatever their case, punctuation or word order."""

    def __init__(self, questions: Iterable[str] = ()) -> None:
        self._keys: set[str] = set()
        for question in questions:
            self.add(question)

    def add(self, question: str) -> None:
        """Block a question from now on."""
        self._keys.update(self._forms(question))

    def blocks(self, question: str) -> bool:
        """Whether the question, or one with the same words, is blocked."""
        return not self._keys.isdisjoint(self._forms(question))

    @staticmethod
    def _forms(question: str) -> tuple[str, str]:
        key = normalise(question)
        return key, "bag " + " ".join(sorted(key.split()))


def without_leaks(examples: Iterable[Example], guard: LeakGuard) -> Iterator[Example]:
    """Yield the examples the guard lets pass, each question once."""
    seen = LeakGuard()
    for example in examples:
        if not guard.blocks(example.question) and not seen.blocks(example.question):
            seen.add(example.question)
            yield example


# --- reading the dataset files --------------------------------------------------------------------


def read_json(path: Path) -> Any:
    """Read a gzipped JSON document."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def iter_jsonl(path: Path) -> Iterator[dict[str, Any]]:
    """Read a gzipped file of one JSON object a line."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def iter_ambignq(path: Path) -> Iterator[Example]:
    """AmbigNQ: every answer of every annotation."""
    for record in read_json(path):
        answers: list[str] = []
        for note in record["annotations"]:
            answers += note.get("answer", [])
            answers += [a for pair in note.get("qaPairs", []) for a in pair["answer"]]
        yield Example(clean_question(record["question"]), tuple(answers), "ambignq")


def iter_asqa(path: Path) -> Iterator[Example]:
    """ASQA: the short answers of all question pairs, and the human long answer."""
    for record in read_json(path):
        answers = tuple(a for pair in record["qa_pairs"] for a in pair["short_answers"])
        long_answer = " ".join(note["long_answer"] for note in record["annotations"])
        yield Example(clean_question(record["ambiguous_question"]), answers, "asqa", long_answer)


def iter_nq_open(path: Path) -> Iterator[Example]:
    """NQ-open: one question and its answers a line."""
    for record in iter_jsonl(path):
        yield Example(clean_question(record["question"]), tuple(record["answer"]), "nq_open")


def evaluation_questions(files: DataFiles) -> Iterator[str]:
    """Every question that must not be trained on, disambiguated ones included."""
    for record in read_json(files.asqa_dev)["dev"].values():
        yield record["ambiguous_question"]
        yield from (pair["question"] for pair in record["qa_pairs"])
    for record in chain.from_iterable(map(read_json, files.ambignq_dev)):
        yield record["question"]
        yield from (pair["question"] for note in record["annotations"] for pair in note.get("qaPairs", []))
    for record in chain.from_iterable(map(iter_jsonl, files.clapnq)):
        yield record["input"]


# --- the passage index ----------------------------------------------------------------------------


def analyzer() -> tantivy.TextAnalyzer:
    """Lower-cased English stems without stop words."""
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in (
        tantivy.Filter.remove_long(40),
        tantivy.Filter.lowercase(),
        tantivy.Filter.stopword("english"),
        tantivy.Filter.stemmer("english"),
    ):
        builder = builder.filter(step)
    return builder.build()


class PassageIndex:
    """Passages in memory under BM25, with the sentence rarity of every word."""

    def __init__(self, passages: Iterable[dict[str, Any]], *, skip_sources: frozenset[str]) -> None:
        self._analyzer = analyzer()
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("key", stored=True, tokenizer_name="raw")
        builder.add_text_field("text", tokenizer_name="stems")
        self._schema = builder.build()
        self._index = tantivy.Index(self._schema)
        self._index.register_tokenizer("stems", self._analyzer)
        self.passages = [self._prepare(p) for p in passages if p["source"] not in skip_sources]
        self._fill()
        self._idf = self._count_words()

    def words(self, text: str) -> frozenset[str]:
        """Distinct stems of a text."""
        return frozenset(self._analyzer.analyze(text))

    def search(self, question: str, k: int) -> list[Passage]:
        """The k best passages under BM25."""
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "text", stem))
            for stem in self._analyzer.analyze(question)
        ]
        searcher = self._index.searcher()
        hits = searcher.search(tantivy.Query.boolean_query(terms), limit=k).hits
        return [self.passages[int(str(searcher.doc(address).get_first("key")))] for _, address in hits]

    def coverage(self, question: str, words: frozenset[str]) -> float:
        """Share of the question's word rarity that the given words cover. 0 to 1."""
        wanted = self.words(question) - QUESTION_WORDS
        # fsum: the order of a set changes between runs, and with it the last digit of a plain sum.
        total = math.fsum(map(self.rarity, wanted))
        return math.fsum(map(self.rarity, wanted & words)) / total if total else 0.0

    def rarity(self, word: str) -> float:
        """Inverse document frequency of a stem over all sentences."""
        return self._idf.get(word, self._unseen)

    def sentences(self, passage_id: str, title: str, text: str) -> tuple[Sentence, ...]:
        """Whole sentences of a passage, as the ranker reads them."""
        return tuple(
            Sentence(
                pair_text(title, s), passage_id, self.words(f"{title} {s}"), normalise(s), normalise(f"{title} {s}")
            )
            for s in split_sentences(text)
            if not is_fragment(s)
        )

    def _prepare(self, record: dict[str, Any]) -> Passage:
        title = record["title"].removesuffix(" -").strip()
        return Passage(record["id"], title, record["text"], self.sentences(record["id"], title, record["text"]))

    def _fill(self) -> None:
        writer = self._index.writer(heap_size=100_000_000, num_threads=1)
        for key, passage in enumerate(self.passages):
            writer.add_document(tantivy.Document(key=str(key), text=f"{passage.title} {passage.text}"))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def _count_words(self) -> dict[str, float]:
        counts = Counter(word for p in self.passages for s in p.sentences for word in s.words)
        total = sum(len(p.sentences) for p in self.passages)
        self._unseen = math.log(total + 1)
        return {word: math.log((total + 1) / (count + 0.5)) for word, count in counts.items()}


# --- distant supervision --------------------------------------------------------------------------


@dataclass
class Judged:
    """The candidate sentences of one question, sorted into right, wrong and doubtful."""

    positives: list[tuple[float, Sentence]] = field(default_factory=list)
    doubtful: list[tuple[float, Sentence]] = field(default_factory=list)
    in_title: list[tuple[float, Sentence]] = field(default_factory=list)
    negatives: list[tuple[float, Sentence]] = field(default_factory=list)


def judge(example: Example, sentences: Iterable[Sentence], index: PassageIndex, rules: Labelling) -> Judged:
    """Sort candidate sentences by whether they hold an answer and are about the question."""
    judged = Judged()
    answers = usable_answers(example)
    rare = [a for a in answers if is_rare(a, index)]
    for sentence in unique(sentences):
        scored = (index.coverage(example.question, sentence.words), sentence)
        # An answer in the title alone is neither a fair positive nor a fair negative.
        if not contains_answer(sentence.normalised_with_title, answers):
            judged.negatives.append(scored)
        elif not contains_answer(sentence.normalised, answers):
            judged.in_title.append(scored)
        elif is_about(example, sentence, index, rules, strict=not contains_answer(sentence.normalised, rare)):
            judged.positives.append(scored)
        else:
            judged.doubtful.append(scored)
    return judged


def unique(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Drop repeated sentences: the corpus holds some paragraphs twice."""
    seen: set[str] = set()
    for sentence in sentences:
        if sentence.normalised not in seen:
            seen.add(sentence.normalised)
            yield sentence


def usable_answers(example: Example) -> list[str]:
    """Normalised answers that are not words of the question, yes or no."""
    question = normalise(example.question)
    answers = {normalise(answer) for answer in example.answers} - {"", "yes", "no", "none"}
    return sorted(a for a in answers if not contains_answer(question, [a]))


def is_rare(answer: str, index: PassageIndex) -> bool:
    """Whether an answer is too specific to turn up in a sentence by chance."""
    words = index.words(answer)
    return math.fsum(map(index.rarity, words)) >= 9.0


def is_about(example: Example, sentence: Sentence, index: PassageIndex, rules: Labelling, *, strict: bool) -> bool:
    """Whether a sentence shares enough with the question, or with the human long answer, to be an answer."""
    needed = rules.coverage_for_common_answers if strict else rules.coverage
    if index.coverage(example.question, sentence.words) >= needed:
        return True
    if not example.long_answer:
        return False
    return index.coverage(sentence.text, index.words(example.long_answer)) >= rules.long_answer_overlap


def build_group(example: Example, judged: Judged, rules: Labelling, *, rng: random.Random) -> Group | None:
    """Choose positives and hard negatives of one question, or nothing when no sentence answers it."""
    if not judged.positives or len(judged.negatives) < 3:
        return None
    best = sorted(judged.positives, key=lambda scored: -scored[0])[: rules.positives]
    negatives = choose_negatives(best[0][1], judged.negatives, rules, rng=rng)
    return Group(example.question, tuple(s.text for _, s in best), tuple(negatives), example.origin)


def choose_negatives(
    positive: Sentence, negatives: Sequence[tuple[float, Sentence]], rules: Labelling, *, rng: random.Random
) -> list[str]:
    """Sentences that share many words with the question, some from the answer's passage, the rest at random."""
    ranked = [s.text for _, s in sorted(negatives, key=lambda scored: -scored[0])]
    near = [s.text for _, s in negatives if s.passage_id == positive.passage_id]
    hard = ranked[: rules.hard_negatives * 3 // 2]
    chosen = rng.sample(near, min(rules.neighbours, len(near))) + rng.sample(hard, min(rules.hard_negatives, len(hard)))
    rest = [text for text in ranked if text not in chosen]
    rng.shuffle(rest)
    return list(dict.fromkeys(chosen + rest))[: rules.negatives]


def retrieved_sentences(example: Example, index: PassageIndex, rules: Labelling) -> list[Sentence]:
    """Sentences of the question's best passages."""
    return [s for p in index.search(example.question, rules.passages) for s in p.sentences]


def build_pool(example: Example, index: PassageIndex, rules: Labelling) -> Pool | None:
    """All candidate sentences of a held-out question, or nothing when none answers it."""
    passages = index.search(example.question, rules.passages)
    text_of = {p.id: f"{p.title}. {p.text}" for p in passages}
    judged = judge(example, (s for p in passages for s in p.sentences), index, rules)
    if not judged.positives:
        return None
    right = {s.normalised for _, s in judged.positives}
    holding = right | {s.normalised for _, s in judged.doubtful}
    # Reading order, not label order: a sort by score must not find the right sentences first on ties.
    sentences = list(unique(s for p in passages for s in p.sentences))
    return Pool(
        example.question,
        tuple(s.text for s in sentences),
        tuple(text_of[s.passage_id] for s in sentences),
        tuple(s.normalised in holding for s in sentences),
        tuple(s.normalised in right for s in sentences),
        tuple(index.coverage(example.question, s.words) for s in sentences),
        example.origin,
    )


def hold_out(
    examples: Sequence[Example], index: PassageIndex, rules: Labelling, *, rng: random.Random, wanted: dict[str, int]
) -> list[Pool]:
    """Candidate pools of random questions that have an answer among their candidates."""
    left, pools, shuffled = Counter(wanted), [], list(examples)
    rng.shuffle(shuffled)
    for example in shuffled:
        pool = build_pool(example, index, rules) if left[example.origin] > 0 else None
        if pool:
            pools.append(pool)
            left[example.origin] -= 1
    return pools


def iter_distant_groups(
    examples: Iterable[Example], index: PassageIndex, rules: Labelling, *, rng: random.Random
) -> Iterator[Group]:
    """Groups of questions whose retrieved sentences hold an answer."""
    for example in examples:
        judged = judge(example, retrieved_sentences(example, index, rules), index, rules)
        group = build_group(example, judged, rules, rng=rng)
        if group:
            yield group


def iter_gold_paragraph_groups(
    path: Path, index: PassageIndex, guard: LeakGuard, rules: Labelling, *, seed: int
) -> Iterator[Group]:
    """NQ gold paragraphs: the sentence with the answer against its neighbours and BM25 neighbours."""
    rng = random.Random(seed)
    records = {clean_question(record["question"]): record for record in iter_jsonl(path)}
    read = (Example(question, tuple(record["answers"]), "nq_gold") for question, record in records.items())
    for example in without_leaks(read, guard):
        record = records[example.question]
        gold = index.sentences("gold", record["gold_title"], record["gold_text"])
        answers = usable_answers(example)
        positives = [(1.0, s) for s in gold if contains_answer(s.normalised, answers)][:2]
        others = judge(example, (*gold, *retrieved_sentences(example, index, rules)), index, rules)
        group = build_group(example, Judged(positives=positives, negatives=others.negatives), rules, rng=rng)
        if group:
            yield group


def iter_squad_groups(articles: Iterable[dict[str, Any]], index: PassageIndex, rules: Labelling) -> Iterator[Group]:
    """SQuAD 2.0: the answer's sentence against its paragraph; unanswerable questions give negatives only."""
    for article in articles:
        title = article["title"].replace("_", " ")
        for paragraph in article["paragraphs"]:
            sentences = index.sentences("paragraph", title, paragraph["context"])
            for qa in paragraph["qas"]:
                group = squad_group(qa, sentences, index, rules)
                if group:
                    yield group


def squad_group(
    qa: dict[str, Any], sentences: Sequence[Sentence], index: PassageIndex, rules: Labelling
) -> Group | None:
    """One SQuAD question over the sentences of its paragraph."""
    question = clean_question(qa["question"])
    scored = [(index.coverage(question, s.words), s) for s in sentences]
    ranked = [s for _, s in sorted(scored, key=lambda pair: -pair[0])]
    answers = sorted({normalise(a["text"]) for a in qa["answers"]} - {""})
    if not answers:
        texts = tuple(s.text for s in ranked[: rules.near_misses])
        return Group(question, (), texts, "squad_unanswerable") if texts else None
    positives = [s.text for s in ranked if contains_answer(s.normalised, answers)][:1]
    negatives = [s.text for s in ranked if not contains_answer(s.normalised, answers)][: rules.negatives]
    return Group(question, tuple(positives), tuple(negatives), "squad") if positives and negatives else None
