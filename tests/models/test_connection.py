"""Documents go to the server that the user named and to no other; certificates are checked, and told about."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from expound.errors import EndpointFailed, EndpointRefused, NotAnEndpoint, UserError
from expound.models.endpoint import Endpoint, open_endpoint
from expound.models.engine import Sampling
from expound.models.server import Patience
from expound.testing.fake_endpoint import Behaviour, FakeEndpoint
from expound.types import Prompt

SECRET = "sk-very-secret-0123456789"
ASKED = Prompt("what stands in the documents")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate that nobody signed, with its key, made for this run."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs openssl to make a certificate")
    file, key = (tmp_path_factory.mktemp("tls") / name for name in ("certificate.pem", "key.pem"))
    about = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    made = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", str(key), "-out", str(file)]
    subprocess.run([openssl, "req", *made, *about], check=True, capture_output=True)
    file.write_text(key.read_text() + file.read_text())
    return file


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_API_KEY", SECRET)


def complete(address: str) -> str:
    return Endpoint(address, "m", Patience(tries=3, first_wait_seconds=0.001)).complete(ASKED, Sampling()).text


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nothing_goes_to_another_server_that_a_redirect_names(status: int) -> None:
    with FakeEndpoint() as other, FakeEndpoint() as server:
        there = f"{other.url}/v1/chat/completions"
        server.script.append(Behaviour("redirect", status, f"{there}?secret={SECRET}"))
        with pytest.raises(NotAnEndpoint) as caught:
            complete(server.url)
        told = f"redirects to {there} ({status}), and nothing was sent there; if you trust it, name that address"
        assert str(caught.value) == f"{server.url}/v1 {told}"
        assert other.requests == []
        assert len(server.requests) == 1


@pytest.mark.parametrize("status", [307, 308])
def test_a_redirect_within_the_server_is_followed(status: int) -> None:
    with FakeEndpoint(Behaviour("redirect", status, "/elsewhere/v1/chat/completions")) as server:
        assert complete(server.url) == ASKED.text.upper()
        assert [request.path for request in server.chats] == ["/v1/chat/completions", "/elsewhere/v1/chat/completions"]
        assert server.chats[1].headers["Authorization"] == f"Bearer {SECRET}"


@pytest.mark.parametrize("status", [301, 302, 303])
def test_a_redirect_that_would_lose_the_request_is_told_as_one(status: int) -> None:
    with FakeEndpoint(Behaviour("redirect", status, "/login")) as server:
        with pytest.raises(NotAnEndpoint, match=rf"redirects to {server.url}/login \({status}\)"):
            complete(server.url)
        assert len(server.requests) == 1


def test_redirects_in_a_circle_end() -> None:
    with (
        FakeEndpoint(*[Behaviour("redirect", text="/v1/chat/completions")] * 9) as server,
        pytest.raises(NotAnEndpoint, match="redirects without end"),
    ):
        complete(server.url)


def test_a_redirect_to_nowhere_is_told() -> None:
    with (
        FakeEndpoint(*[Behaviour("redirect", text="http://host:port/")] * 3) as server,
        pytest.raises(EndpointFailed, match="Invalid URL in location header"),
    ):
        complete(server.url)


def test_a_certificate_that_nobody_knows_is_told_and_not_tried_again(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    with FakeEndpoint(certificate=certificate) as server:
        with pytest.raises(EndpointRefused) as caught:
            complete(server.url)
        assert server.requests == []
    assert "is not trusted (self-signed certificate)" in str(caught.value)
    assert "set SSL_CERT_FILE to a file with its certificate" in str(caught.value)
    assert waits == []


def test_with_its_certificate_in_ssl_cert_file_the_server_is_asked(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with FakeEndpoint(certificate=certificate) as server:
        assert complete(server.url) == ASKED.text.upper()


def test_a_file_of_certificates_that_is_none_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in (tmp_path / "missing.pem", Path(__file__)):
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        with pytest.raises(UserError, match="SSL_CERT_FILE is"):
            complete("https://127.0.0.1:9")


def test_a_server_without_tls_is_told() -> None:
    with FakeEndpoint() as server, pytest.raises(NotAnEndpoint, match="does not speak TLS"):
        complete(server.url.replace("http:", "https:"))


def test_a_server_on_this_machine_is_not_asked_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with FakeEndpoint() as proxy, FakeEndpoint() as server:
        for name in ("HTTP_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        assert open_endpoint(server.url).complete(ASKED, Sampling()).text == ASKED.text.upper()
        assert proxy.requests == []
