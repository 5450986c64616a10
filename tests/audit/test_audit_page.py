"""The page of an audit: verdicts first, failures never hidden, and readable in a browser."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from audit import worlds
from expound.audit.controls import PAGE, run_controls, write_audit
from expound.audit.section import Section
from expound.audit.verdict import FAIL, PASS, Verdict
from expound.audit.verdict_page import audit_page, headline

SIZES = {"wide": (1200, 900), "phone": (500, 900)}


def verdict(outcome: str, sentence: str) -> Verdict:
    return Verdict("check", "system", outcome, sentence)


def test_every_failure_is_on_the_first_screen_and_links_to_its_evidence() -> None:
    section = Section(
        "length", "Length", (verdict(PASS, "Fine."), verdict(FAIL, "Bad <one>."), verdict(FAIL, "Bad two."))
    )
    page = audit_page({"questions": 3}, [section])
    first = page[: page.index("<h2")]
    assert "Bad &lt;one&gt;." in first
    assert "Bad two." in first
    assert "Fine." not in first
    assert first.count('href="#length"') == 2
    assert "3 checks: 2 fail, 1 pass." in first


def test_failures_come_first_on_the_page_and_in_their_section() -> None:
    fine = Section("bounds", "Bounds", (verdict(PASS, "All fine."),))
    bad = Section("length", "Length", (verdict(PASS, "Fine."), verdict(FAIL, "Bad.")))
    page = audit_page({"questions": 3}, [fine, bad])
    first, _, section = page.partition('id="length"')
    assert first.index("Bad.") < first.index("All fine.")
    assert section.index("Bad.") < section.index("Fine.")


def test_a_control_without_failures_has_one_line() -> None:
    section = Section("length", "Length", (verdict(PASS, "Fine."), verdict(PASS, "Also fine.")))
    assert headline(section) == [section.verdicts[0]]
    assert "Fine. 1 more: pass." in audit_page({"questions": 3}, [section])


def test_all_links_lead_somewhere(tmp_path: Path) -> None:
    page = _written(tmp_path).read_text()
    names = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= names


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_browser_shows_the_page_without_sideways_scrolling(size: str, dark: bool, tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        pytest.skip("needs chromium (Debian: apt-get install chromium)")
    page, picture = _written(tmp_path), tmp_path / "page.png"
    width, height = SIZES[size]
    words = [
        browser,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--user-data-dir={tmp_path / 'profile'}",
    ]
    if dark:
        words.append("--blink-settings=preferredColorScheme=0")
    subprocess.run(
        [*words, f"--window-size={width},{height}", f"--screenshot={picture}", page.as_uri()],
        check=True, capture_output=True, timeout=600,
    )  # fmt: skip
    found_width, found_height, rows = _pixels(picture)
    assert (found_width, found_height) == (width, height)
    background = rows[2][2]
    assert (sum(background) < 150) == dark
    # Text on the ground, and the rightmost pixels still empty: nothing is cut off.
    assert len({pixel for row in rows[::7] for pixel in row}) > 20
    assert all(row[-3] == background for row in rows)


def _written(folder: Path) -> Path:
    inputs = worlds.audited(worlds.world(folder, n=15), worlds.pads)
    write_audit(run_controls(inputs), inputs, folder / "audit")
    return folder / "audit" / PAGE


def _pixels(path: Path) -> tuple[int, int, list[list[tuple[int, ...]]]]:
    """The pixels of an 8-bit PNG without interlacing."""
    content = path.read_bytes()
    width, height, depth, kind = struct.unpack(">IIBB", content[16:26])
    assert depth == 8
    step = {2: 3, 6: 4}[kind]
    data, at = b"", 8
    while at < len(content):
        size, name = struct.unpack(">I4s", content[at : at + 8])
        data += content[at + 8 : at + 8 + size] if name == b"IDAT" else b""
        at += size + 12
    raw, rows, last = zlib.decompress(data), [], bytes(width * step)
    for row in range(height):
        start = row * (width * step + 1)
        last = _unfiltered(raw[start], raw[start + 1 : start + 1 + width * step], last, step)
        rows.append([tuple(last[place : place + 3]) for place in range(0, len(last), step)])
    return width, height, rows


def _unfiltered(kind: int, line: bytes, above: bytes, step: int) -> bytes:
    found = bytearray(line)
    for place in range(len(found)):
        left = found[place - step] if place >= step else 0
        corner = above[place - step] if place >= step else 0
        guess = (0, left, above[place], (left + above[place]) // 2, _paeth(left, above[place], corner))[kind]
        found[place] = (found[place] + guess) & 255
    return bytes(found)


def _paeth(left: int, up: int, corner: int) -> int:
    near = left + up - corner
    return min((left, up, corner), key=lambda value: abs(near - value))
