"""A page by its address: what is fetched, from whom, how much of it, and what is recorded of it."""

from __future__ import annotations

import itertools
import json
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from commands import Capture, as_json, fail, succeed
from expound.cli import execute
from expound.corpus import corpus_names, fetch_address, fetching, open_named, pinned
from expound.errors import AddressRefused, FetchFailed

PAGE = b"""<!doctype html><html><head><title>The tide mill</title>
<link rel="canonical" href="https://elsewhere.example/claims.html"><script src="/never.js"></script></head>
<body><main><h1>The tide mill</h1><p>The tide mill of Olhos grinds wheat twice a day, when the water runs out.</p>
<img src="/never.png"><p>Its six stones were cut in 1790 by masons from the next valley.</p></main></body></html>"""


@dataclass
class Site:
    """A server of this machine: its pages, and what was asked of it."""

    port: int = 0
    pages: dict[str, tuple[int, Mapping[str, str], bytes]] = field(default_factory=dict)
    asked: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def put(self, path: str, data: bytes, kind: str = "text/html", **headers: str) -> str:
        self.pages[path] = (200, {"Content-Type": kind, **headers}, data)
        return self.address(path)

    def redirect(self, path: str, target: str) -> str:
        self.pages[path] = (302, {"Location": target}, b"")
        return self.address(path)


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.asked.append((self.path, dict(self.headers)))
            status, headers, data = made.pages.get(self.path, (404, {}, b"nothing"))
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield made
    server.shutdown()
    server.server_close()


def test_a_page_is_fetched_once_and_cited_by_its_address(site: Site, capsys: Capture) -> None:
    address = site.put("/mill.html", PAGE)
    assert execute(["corpus", "add", address, "--private", "--name", "mill"]) == 0
    printed = capsys.readouterr()
    assert f"fetching {address}, once" in printed.err
    assert "1 new" in printed.out
    # Neither the script nor the picture, and nothing when it is asked about.
    assert [path for path, _ in site.asked] == ["/mill.html"]
    shown = succeed(capsys, "ask", "How many stones has the tide mill?", "--corpus", "mill", "--model", "none")
    assert f"({address}" in shown
    [found, *_] = as_json(capsys, "search", "six stones", "--corpus", "mill")
    assert found["source"]["url"] == found["source"]["file"] == address
    assert len(site.asked) == 1


def test_the_request_says_nothing_of_the_user(site: Site) -> None:
    fetch_address(site.put("/a?b=c", PAGE) + "#part", private=True)
    [(path, headers)] = site.asked
    assert path == "/a?b=c"
    assert set(headers) == {"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"}
    assert headers["User-Agent"].startswith("expound/")


def test_a_fetched_page_is_opened_by_its_address(site: Site, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Mock(return_value=True)
    monkeypatch.setattr("webbrowser.open", browser)
    address = site.put("/mill.html", PAGE)
    succeed(capsys, "corpus", "add", address, "--private", "--name", "mill")
    assert address in succeed(capsys, "show", f"{address}#1", "--open")
    browser.assert_called_once_with(address)


def test_adding_it_again_brings_the_page_up_to_date(site: Site, capsys: Capture) -> None:
    address = site.put("/mill.html", PAGE)
    arguments = ("corpus", "add", address, "--private", "--name", "mill")
    assert "1 new" in succeed(capsys, *arguments)
    assert "1 unchanged" in succeed(capsys, *arguments)
    site.put("/mill.html", PAGE.replace(b"six stones", b"seven stones"))
    assert "1 changed" in succeed(capsys, *arguments)
    # What was a page is now a text: one document of that address, not two.
    site.put("/mill.html", b"The mill has burnt down, and all its stones with it.", "text/markdown")
    assert "1 new" in succeed(capsys, *arguments)
    texts = [passage.text for _, passage in open_named("mill").store.iter_passages()]
    assert texts == ["The mill has burnt down, and all its stones with it."]


def test_files_and_addresses_stand_in_one_command(site: Site, tmp_path: Path, capsys: Capture) -> None:
    note = tmp_path / "note.txt"
    note.write_text("The miller sold flour to the ships in the harbour.", encoding="utf-8")
    site.put("/mill.html", PAGE)
    change = as_json(capsys, "corpus", "add", str(note), site.address("/mill.html"), "--private")["change"]
    assert (change["added"], corpus_names()) == (2, ["note"])


@pytest.mark.parametrize(
    ("path", "kind", "data", "suffix"),
    [
        ("/page", "text/html; charset=utf-8", PAGE, ".html"),
        ("/page.php", "text/plain", b"Words.", ".txt"),
        ("/notes.md", "text/plain; charset=utf-8", b"# Words", ".md"),
        ("/paper", "application/pdf", b"%PDF-1.4", ".pdf"),
        ("/paper", "application/octet-stream", b"%PDF-1.4", ".pdf"),
        ("/page", "", PAGE, ".html"),
        ("/rows", "TEXT/CSV", b"a,b", ".csv"),
    ],
)
def test_the_content_type_says_how_it_is_read(site: Site, path: str, kind: str, data: bytes, suffix: str) -> None:
    assert fetch_address(site.put(path, data, kind), private=True).suffix == suffix


def test_the_encoding_that_the_server_names_counts(site: Site) -> None:
    address = site.put("/a.txt", "Größe".encode("cp1250"), "text/plain; charset=windows-1250")
    assert fetch_address(address, private=True).data.decode("utf-8-sig") == "Größe"


def test_a_pdf_is_read_as_one(site: Site, capsys: Capture) -> None:
    data = _pdf()
    succeed(capsys, "corpus", "add", site.put("/report", data, "application/pdf"), "--private", "--name", "report")
    [(_, passage)] = open_named("report").store.iter_passages()
    assert ("lighthouse" in passage.text, passage.source.page) == (True, 1)
    assert passage.source.url == site.address("/report")


def _pdf() -> bytes:
    """One page with one line, as small as a PDF can be."""
    line = b"BT /F1 12 Tf 72 700 Td (The lighthouse of Skagen was lit in 1858 and stands to this day.) Tj ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >> stream\n%s\nendstream" % (len(line), line),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    return (
        b"%PDF-1.4\n"
        + b"".join(b"%d 0 obj %s endobj\n" % pair for pair in enumerate(objects, 1))
        + (b"trailer << /Root 1 0 R /Size 6 >>\n%%EOF")
    )


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://0.0.0.0/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[64:ff9b::a00:1]/",
        "http://[2002:a00:1::]/",
        "http://169.254.169.254/latest/meta-data",
        "http://192.168.1.1/admin",
        "http://100.64.0.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://017700000001/",
        "http://１２７.0.0.1/",
        "http://[::127.0.0.1]/",
        "http://[::ffff:0:127.0.0.1]/",
        "http://[64:ff9b:1::7f00:1]/",
        "http://[5f00::1]/",
        "http://192.0.0.8/",
    ],
)
def test_an_address_of_the_own_network_is_refused_unless_told(address: str) -> None:
    with pytest.raises(AddressRefused, match="of its own network; with --private"):
        fetch_address(address)


@pytest.mark.parametrize(
    "address",
    ["https://", "http://host:0/", "http://host:99999/", "ftp://host/x", "https://" + "x" * 3000, "http://ho\x00st/"],
)
def test_what_is_no_address_is_one_clear_line(address: str) -> None:
    with pytest.raises(AddressRefused, match="is not an address"):
        fetch_address(address)


def test_a_password_is_kept_out_of_citations() -> None:
    with pytest.raises(AddressRefused, match="no name or password") as caught:
        fetch_address("https://me:open-sesame@example.org/")
    assert "sesame" not in str(caught.value)


def test_a_name_is_looked_up_once_and_what_was_checked_is_connected_to(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [["127.0.0.1"], ["127.0.0.2"]]
    real = socket.getaddrinfo

    def rebound(host: str, port: int, *rest: Any, **options: Any) -> Any:
        # Only names: a numeric address is looked at by the connection too, and asks nobody.
        if host != "rebound.test":
            return real(host, port, *rest, **options)
        return real(answers.pop(0)[0], port, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", rebound)
    site.put("/", PAGE)
    assert fetch_address(f"http://rebound.test:{site.port}/", private=True).data == PAGE
    assert answers == [["127.0.0.2"]]


def test_one_private_address_among_public_ones_is_enough_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(0, 0, 0, "", (address, 80)) for address in ("93.184.216.34", "10.0.0.7")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(AddressRefused, match=r"10\.0\.0\.7"):
        fetch_address("http://both.test/")


def test_a_redirect_within_the_host_is_followed(site: Site) -> None:
    site.put("/new", PAGE)
    fetched = fetch_address(site.redirect("/old", "/new"), private=True)
    # Recorded is what the user named.
    assert (fetched.data, fetched.address) == (PAGE, site.address("/old"))


@pytest.mark.parametrize("target", ["http://localhost:{port}/new", "http://127.0.0.1:1/new", "file:///etc/passwd", ""])
def test_a_redirect_to_another_host_is_told_and_not_followed(site: Site, target: str) -> None:
    site.put("/new", PAGE)
    address = site.redirect("/old", target.format(port=site.port))
    with pytest.raises(AddressRefused, match=r"redirects to|is not an address|without end"):
        fetch_address(address, private=True)
    assert "/new" not in [path for path, _ in site.asked]


def test_a_redirect_without_end_ends(site: Site) -> None:
    with pytest.raises(AddressRefused, match="without end"):
        fetch_address(site.redirect("/a", "/a"), private=True)
    assert len(site.asked) == 5


def test_redirects_share_one_bound_on_time(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    # A clock on which every request takes two minutes.
    monkeypatch.setattr(fetching, "monotonic", itertools.count(0.0, 120.0).__next__)
    with pytest.raises(FetchFailed, match="more than 300 seconds"):
        fetch_address(site.redirect("/a", "/a"), private=True)
    assert len(site.asked) == 2


def test_of_a_host_with_many_silent_addresses_only_a_few_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def refuse(address: tuple[str, int], **_: object) -> None:
        tried.append(address[0])
        raise TimeoutError("silent")

    monkeypatch.setattr(socket, "create_connection", refuse)
    with pytest.raises(FetchFailed, match="cannot be reached"):
        pinned.connect("http", "many.example", 80, [f"192.0.2.{number}" for number in range(100)])
    assert len(tried) < 10


def test_no_more_than_the_bound_is_read(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "MOST_BYTES", 1_000_000)
    told = site.put("/told", b"", **{"Content-Length": "1000001"})
    untold = site.put("/untold", b"x" * 1_000_001, **{"Content-Length": ""})
    for address in (told, untold):
        with pytest.raises(AddressRefused, match="larger than 1 MB; save it"):
            fetch_address(address, private=True)


def test_a_server_that_drips_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "MOST_SECONDS", 0.2)
    with _Dripping() as port, pytest.raises(FetchFailed, match="broke off"):
        fetch_address(f"http://127.0.0.1:{port}/", private=True)


class _Dripping:
    """A server that says one more header every moment, for as long as somebody listens."""

    def __enter__(self) -> int:
        self._is_over = threading.Event()
        self._listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._drip, daemon=True).start()
        return int(self._listening.getsockname()[1])

    def _drip(self) -> None:
        connection, _ = self._listening.accept()
        with connection:
            try:
                connection.sendall(b"HTTP/1.1 200 OK\r\nX-Drip: ")
                while not self._is_over.wait(0.01):
                    connection.sendall(b"x")
            except OSError:
                return

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._listening.close()


def test_a_page_that_is_cut_short_is_not_taken(site: Site) -> None:
    address = site.put("/cut", b"Half of", "text/plain", **{"Content-Length": "100"})
    site.pages["/cut"][1].update({"Connection": "close"})  # type: ignore[attr-defined]  # a dictionary in this test
    with pytest.raises(FetchFailed, match="broke off after 7 of 100 bytes"):
        fetch_address(address, private=True)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda site: site.address("/none"), "the server answers 404"),
        (lambda site: site.put("/x", b"\x89PNG\r\n", "image/png"), "image/png, which is not read"),
        (lambda site: site.put("/x", b"\x00\x01\x02" * 50, "application/octet-stream"), "which is not read"),
        (lambda site: site.put("/x", b"zipped", **{"Content-Encoding": "gzip"}), "compressed"),
    ],
)
def test_what_cannot_be_taken_is_one_clear_line_and_leaves_nothing(
    site: Site, capsys: Capture, change: Callable[[Site], str], says: str
) -> None:
    assert says in fail(capsys, "corpus", "add", change(site), "--private", "--name", "web")
    assert corpus_names() == []


def test_a_broken_file_from_an_address_leaves_no_corpus(site: Site, capsys: Capture, expound_home: Path) -> None:
    fail(capsys, "corpus", "add", site.put("/x", b"%PDF-1.4 broken", "application/pdf"), "--private", "--name", "web")
    assert corpus_names() == []
    assert not (expound_home / "corpora" / "web").exists()


def test_a_server_that_is_not_there_is_no_mistake_of_ours(capsys: Capture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    assert execute(["--quiet", "corpus", "add", f"http://127.0.0.1:{port}/", "--private"]) == 1
    assert "cannot be reached" in capsys.readouterr().err


def test_a_certificate_that_nobody_knows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs openssl to make a certificate")
    file, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    made = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", str(key), "-out", str(file)]
    about = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([openssl, "req", *made, *about], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(PAGE)))
            self.end_headers()
            self.wfile.write(PAGE)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        address = f"https://127.0.0.1:{server.server_port}/"
        with pytest.raises(AddressRefused, match="is not trusted"):
            fetch_address(address, private=True)
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        assert fetch_address(address, private=True).data == PAGE
    finally:
        server.shutdown()
        server.server_close()


def test_the_own_words_of_a_fetched_file_of_records_keep_their_ids(site: Site, capsys: Capture) -> None:
    lines = b"\n".join(json.dumps({"id": f"p{n}", "text": f"Passage {n} of the harbour book."}).encode() for n in "12")
    succeed(capsys, "corpus", "add", site.put("/p.jsonl", lines, "text/plain"), "--private", "--name", "records")
    assert [passage.id for _, passage in open_named("records").store.iter_passages()] == ["p1", "p2"]


def test_public_addresses_are_public() -> None:
    assert all(map(pinned.is_public, ("93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8")))
    assert not any(map(pinned.is_public, ("224.0.0.1", "ff02::1", "fec0::1", "fe80::1%1", "240.0.0.1")))
