"""Speed and memory, each as a ratio to a named peer measured in the same run: the machine is noisy, the ratio less so.

    python benchmarks/run.py [--passages FILE.jsonl.gz] [--questions FILE] [--size 500000]
                             [--only NAME] [--million] [--lucene PYTHON]

Without a passage file the sampler's sentences are recombined. Every measurement runs in a process of its own, so that
its peak memory is its own. `--million` lets the growth benchmark go on to a million passages (minutes more).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

SEED = 20
WARM_UP = 3


def main() -> None:
    arguments = parse_arguments()
    if arguments.child:
        print(json.dumps(CHILDREN[arguments.child](arguments)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        arguments.scratch = scratch
        print(f"cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f} at the start\n")
        for name in arguments.only or ("help", "build", "growth", "ask"):
            PARENTS[name](arguments)
            print(f"(load {os.getloadavg()[0]:.1f})\n")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=Path, help="ready passages, JSON Lines, gzipped or not")
    parser.add_argument("--questions", type=Path, help="an ASQA file; by default questions of the sampler's tests")
    parser.add_argument("--size", type=int, default=500_000, help="passages of the build benchmark")
    parser.add_argument("--asked", type=int, default=60, help="questions of the ask benchmark")
    parser.add_argument("--only", action="append", choices=["help", "build", "growth", "ask"])
    parser.add_argument("--million", action="store_true", help="growth up to a million passages")
    parser.add_argument("--lucene", metavar="PYTHON", help="an interpreter with pyserini: compare with Lucene as well")
    parser.add_argument("--child", choices=list(CHILDREN), help=argparse.SUPPRESS)
    parser.add_argument("--scratch", default="", help=argparse.SUPPRESS)
    return parser.parse_args()


# -- what is measured


def report_help(arguments: argparse.Namespace) -> None:
    """`expound --help`, against a bare interpreter."""
    ours = best_of(
        5, lambda: subprocess.run([sys.executable, "-m", "expound", "--help"], capture_output=True, check=True)
    )
    bare = best_of(5, lambda: subprocess.run([sys.executable, "-c", ""], check=True))
    print(f"--help                 {ours:.2f} s   bare interpreter {bare:.2f} s   ratio {ours / bare:.1f}")


def report_build(arguments: argparse.Namespace) -> None:
    """Index build from stored passages, against plain tantivy on the same texts."""
    write_recombined(arguments)
    stored = run_child("store", arguments)
    ours, plain = run_child("build", arguments), run_child("plain", arguments)
    rows = {"corpus add, to the store": stored, "index build, expound": ours, "index build, plain tantivy": plain}
    peers = {"tantivy": plain}
    if arguments.lucene:
        peers["Lucene"] = run_lucene(arguments, Path(arguments.scratch) / "recombined.jsonl", "lucene-build")
        rows["index build, Lucene"] = peers["Lucene"]
    for name, result in rows.items():
        rate = result["count"] / result["seconds"]
        print(f"{name:27} {rate:9,.0f} passages/s   {result['memory']:.0f} MB")
    for name, peer in peers.items():
        wall, cpu = peer["seconds"] / ours["seconds"], peer["cpu"] / ours["cpu"]
        print(f"rate, expound / {name:11} {wall:.2f} by the clock, {cpu:.2f} by CPU time")


def report_growth(arguments: argparse.Namespace) -> None:
    """A whole `corpus add` of ready passages at growing sizes, against plain tantivy on the same file."""
    for size in (100_000, 300_000, *([1_000_000] if arguments.million else [])):
        arguments.size = size
        run_child("shuffle", arguments)  # not here: the memory of a process is never less than its parent's was
        ours, plain = run_child("add", arguments), run_child("plain", arguments)
        shutil.rmtree(Path(arguments.scratch) / "plain")
        print(
            f"corpus add, {size:9,} passages  {size / ours['cpu']:6,.0f} a CPU-second   {ours['memory']:.0f} MB   "
            f"CPU time {ours['cpu'] / plain['cpu']:.1f} x plain tantivy ({plain['memory']:.0f} MB)"
        )


def report_ask(arguments: argparse.Namespace) -> None:
    """Whole answers over real passages, first without and then with stored vectors, against a bare tantivy search."""
    cold, warm, plain = (run_child(name, arguments) for name in ("cold", "warm", "search"))
    for name, result in (("no vector stored", cold), ("vectors stored", warm)):
        print(f"ask, {name:18} p50 {result['p50']:.3f} s   p95 {result['p95']:.3f} s   {result['memory']:.0f} MB")
    print(f"plain tantivy search    p50 {plain['p50']:.4f} s   ratio of a warm ask {warm['p50'] / plain['p50']:.0f}")
    first, again = ask_in_new_processes(arguments)
    print(f"ask in a new process    {first:.2f} CPU-seconds the first time, {again:.2f} when asked again")
    if arguments.lucene:
        asked = Path(arguments.scratch) / "questions.txt"
        asked.write_text("\n".join(questions(arguments)), encoding="utf-8")
        source = arguments.passages or Path(arguments.scratch) / "recombined.jsonl"
        lucene = run_lucene(arguments, source, "lucene-search", "--questions", str(asked))
        print(
            f"Lucene search           p50 {lucene['p50']:.4f} s   ratio of a warm ask {warm['p50'] / lucene['p50']:.0f}"
        )


# -- children: one measurement a process


def child_store(arguments: argparse.Namespace) -> dict[str, float]:
    from expound.corpus.ingest import ingest
    from expound.corpus.store import Store

    store = Store(Path(arguments.scratch) / "passages.sqlite")
    return measured(lambda: ingest(store, [Path(arguments.scratch) / "recombined.jsonl"]).passages)


def child_build(arguments: argparse.Namespace) -> dict[str, float]:
    from expound.corpus.store import Store
    from expound.index.lexical import LexicalIndex

    store = Store(Path(arguments.scratch) / "passages.sqlite")
    index = LexicalIndex(Path(arguments.scratch) / "lexical")
    return measured(lambda: index.update(store.iter_texts(), []))


def child_plain(arguments: argparse.Namespace) -> dict[str, float]:
    """The least that indexing takes: read the lines, add title and text, commit once; tantivy's own analyser."""
    import tantivy

    def build() -> int:
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("number", stored=True, indexed=True)
        builder.add_text_field("text", stored=False, tokenizer_name="en_stem", index_option="freq")
        folder = Path(arguments.scratch) / "plain"
        folder.mkdir()
        index = tantivy.Index(builder.build(), path=str(folder))
        writer = index.writer(100_000_000, 2)
        count = 0
        with (Path(arguments.scratch) / "recombined.jsonl").open(encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                count += 1
                writer.add_document(tantivy.Document(number=count, text=f"{row['title']} {row['text']}"))
        writer.commit()
        writer.wait_merging_threads()
        return count

    return measured(build)


def child_shuffle(arguments: argparse.Namespace) -> dict[str, float]:
    """Passages of a hundred real words each, in random order: no two alike, however many there are."""
    rng = random.Random(SEED)
    words = [word for text in real_texts(arguments) for word in text.split()]

    def write() -> int:
        with (Path(arguments.scratch) / "recombined.jsonl").open("w", encoding="utf-8") as out:
            for number in range(arguments.size):
                start = rng.randrange(len(words) - 200)
                text = " ".join(rng.sample(words[start : start + 200], 100))
                out.write(json.dumps({"id": str(number), "title": f"Title {number}", "text": text}) + "\n")
        return int(arguments.size)

    return measured(write)


def child_add(arguments: argparse.Namespace) -> dict[str, float]:
    from expound.corpus import library

    os.environ["EXPOUND_HOME"] = str(Path(arguments.scratch) / "growth")
    shutil.rmtree(os.environ["EXPOUND_HOME"], ignore_errors=True)
    file = Path(arguments.scratch) / "recombined.jsonl"
    return measured(lambda: library.add([file], name="growth")[1].passages)


def child_cold(arguments: argparse.Namespace) -> dict[str, float]:
    return ask_all(arguments, prepare=True)


def child_warm(arguments: argparse.Namespace) -> dict[str, float]:
    return ask_all(arguments, prepare=False)


def child_search(arguments: argparse.Namespace) -> dict[str, float]:
    from expound.corpus import library

    os.environ["EXPOUND_HOME"] = str(Path(arguments.scratch) / "home")
    corpus = library.open_corpus("bench")
    return timed_calls([partial(corpus.lexical.search, q, k=20) for q in questions(arguments)])


def ask_all(arguments: argparse.Namespace, *, prepare: bool) -> dict[str, float]:
    from expound.corpus import library
    from expound.system import open_system

    use_scratch_home(arguments)
    if prepare:
        source = arguments.passages or write_recombined(arguments, size=20_000)
        library.add([source], name="bench")
    system = open_system(["bench"])
    system.ask("Which question warms the weights up?")
    return timed_calls([partial(system.ask, q) for q in questions(arguments)])


def use_scratch_home(arguments: argparse.Namespace) -> None:
    """A home of the run's own, with the model files of the user's."""
    from expound import resources

    installed = {name: resources.path(name) for name in ("minilm", "minilm-tokenizer")}
    os.environ["EXPOUND_HOME"] = str(Path(arguments.scratch) / "home")
    for name, path in installed.items():
        os.environ[resources.override_variable(name)] = str(path)


def ask_in_new_processes(arguments: argparse.Namespace) -> tuple[float, float]:
    """CPU-seconds of `expound ask` from start to end, median of ten questions that nobody asked before, and again."""
    use_scratch_home(arguments)
    asked, arguments.asked = arguments.asked, 10**6
    fresh = questions(arguments)[asked : asked + 10]
    arguments.asked = asked
    times = [[cpu_of_ask(question) for _ in range(2)] for question in fresh]
    return statistics.median(row[0] for row in times), statistics.median(row[1] for row in times)


def cpu_of_ask(question: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "expound", "ask", question, "--corpus", "bench", "--quiet"]
    subprocess.run(command, capture_output=True, check=False)  # a refusal has an exit status of its own
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


CHILDREN: dict[str, Callable[[argparse.Namespace], dict[str, float]]] = {
    "store": child_store, "build": child_build, "plain": child_plain, "cold": child_cold, "warm": child_warm,
    "search": child_search, "shuffle": child_shuffle, "add": child_add,
}  # fmt: skip
PARENTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "help": report_help,
    "build": report_build,
    "growth": report_growth,
    "ask": report_ask,
}


# -- tools


def run_child(name: str, arguments: argparse.Namespace) -> dict[str, float]:
    command = [sys.executable, __file__, "--child", name, "--scratch", arguments.scratch]
    command += ["--size", str(arguments.size), "--asked", str(arguments.asked)]
    for option in ("passages", "questions"):
        if getattr(arguments, option):
            command += [f"--{option}", str(getattr(arguments, option))]
    result: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return result


def run_lucene(arguments: argparse.Namespace, passages: Path, folder: str, *options: str) -> dict[str, float]:
    script, index = Path(__file__).with_name("lucene.py"), Path(arguments.scratch) / folder
    command = [arguments.lucene, str(script), str(passages), str(index), *options]
    # Java greets on standard output, too: what was measured is the last line.
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    result: dict[str, float] = json.loads(said.splitlines()[-1])
    return result


def measured(work: Callable[[], int]) -> dict[str, float]:
    started, cpu = time.perf_counter(), time.process_time()
    count = work()
    return {
        "count": count,
        "seconds": time.perf_counter() - started,
        "cpu": time.process_time() - cpu,
        "memory": peak(),
    }


def timed_calls(calls: list[Callable[[], Any]]) -> dict[str, float]:
    seconds = []
    for call in calls:
        started = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - started)
    ordered = sorted(seconds)
    return {"p50": statistics.median(ordered), "p95": ordered[int(0.95 * (len(ordered) - 1))], "memory": peak()}


def peak() -> float:
    """The most memory this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def best_of(times: int, call: Callable[[], Any]) -> float:
    def once() -> float:
        started = time.perf_counter()
        call()
        return time.perf_counter() - started

    return min(once() for _ in range(times))


def questions(arguments: argparse.Namespace) -> list[str]:
    if arguments.questions:
        from expound.datasets.asqa import Asqa

        found = [question.text for question in Asqa(arguments.questions)]
    else:
        files = sorted((Path(__file__).parent.parent / "tests" / "ask" / "questions").glob("*.json"))
        found = [item["question"] for file in files for item in json.loads(file.read_text())["answerable"]]
    random.Random(SEED).shuffle(found)
    return found[: arguments.asked]


def write_recombined(arguments: argparse.Namespace, *, size: int = 0) -> Path:
    """Passages of five sentences each, drawn at random from real ones."""
    from expound.text.sentences import split_sentences

    rng = random.Random(SEED)
    pool = [sentence for text in real_texts(arguments) for sentence in split_sentences(text)]
    file = Path(arguments.scratch) / "recombined.jsonl"
    with file.open("w", encoding="utf-8") as out:
        for number in range(size or arguments.size):
            text = " ".join(rng.choices(pool, k=5))
            out.write(json.dumps({"id": str(number), "title": f"Title {number}", "text": text}) + "\n")
    return file


def real_texts(arguments: argparse.Namespace) -> Iterator[str]:
    if arguments.passages:
        opener = gzip.open if arguments.passages.suffix == ".gz" else open
        with opener(arguments.passages, "rt", encoding="utf-8") as file:
            yield from (json.loads(line)["text"] for line in file)
    else:
        import expound

        yield from (file.read_text() for file in (Path(expound.__file__).parent / "corpus" / "sampler").glob("*.md"))


if __name__ == "__main__":
    main()
