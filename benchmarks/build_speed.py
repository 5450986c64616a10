"""Pages a CPU-second of `build web` beside warcio, trafilatura and py3langid, and of `build passages`; memory by size.

    python benchmarks/build_speed.py --archives FOLDER [--dump FILE]

The peers are installed for the measurement alone: pip install warcio trafilatura lxml_html_clean py3langid
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from expound.build import ShardWriter, build_passages
from expound.build.shards import Shard
from expound.build.warc_records import iter_records
from expound.build.web import ExtractPages
from expound.build.web_text import CAREFUL, FAST, extract

ARCHIVES = Path(__file__).resolve().parents[2] / "shared" / "data" / "web_archive"
# English Wikipedia has 7 million articles and one month of Common Crawl 2.5 billion pages; a machine here has 16 cores.
ARTICLES, CRAWLED, CORES = 7_000_000, 2_500_000_000, 16
SIZES = (1, 4, 16)  # copies of the dump, for the curve of memory


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--archives", type=Path, default=ARCHIVES)
    parser.add_argument("--dump", type=Path)
    options = parser.parse_args()
    if not options.archives.is_dir():
        sys.exit(f"needs web archives in {options.archives}; name another folder with --archives")
    archives = sorted(options.archives.glob("*.warc.gz"))
    ours, theirs = _ours(archives), _theirs(archives)
    print(f"build web: {ours:,.0f} HTML pages a CPU-second")
    print(f"warcio + trafilatura + py3langid: {theirs:,.1f}; build web is {ours / theirs:.1f} times as fast")
    print(f"token F1 of {FAST} beside {CAREFUL}: {_agreement(archives):.3f}")
    if options.dump:
        rate = _passages(options.dump)
        print(f"build passages: {rate:,.1f} articles a CPU-second")
        print("memory, MB: " + ", ".join(f"{size}x {_memory(options.dump, size):,.0f}" for size in SIZES))
        _print_costs({"all of English Wikipedia": ARTICLES / rate, "a month of Common Crawl": CRAWLED / ours})


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


def _passages(dump: Path) -> float:
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        result = build_passages([str(dump)], folder, corpus="")
        return result.counts["article"] / (time.process_time() - started)


def _memory(dump: Path, size: int) -> float:
    """The most memory that a process takes for a dump of so many copies, in MB."""
    with tempfile.TemporaryDirectory() as folder:
        many = Path(folder) / f"many{dump.suffix}"
        many.write_bytes(dump.read_bytes() * size)
        code = (
            "import sys, resource; from expound.build import build_passages; "
            "build_passages(sys.argv[1:2], sys.argv[2], corpus='')\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        command = [sys.executable, "-c", code, str(many), str(Path(folder) / "out")]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) / 1024


def _print_costs(seconds: dict[str, float]) -> None:
    print(f"reckoned from these rates, on machines of {CORES} cores:")
    for name, work in seconds.items():
        hours = ", ".join(f"{count} machines {work / CORES / count / 3600:,.1f} h" for count in (1, 4, 32))
        print(f"  {name}: {work / 3600:,.0f} CPU-hours; {hours}")


if __name__ == "__main__":
    main()
