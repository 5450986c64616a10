"""Inputs and outputs by address: a build from an object store into another, and no secret in what it writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from build.test_passages_of_a_dump import EXAMPLE
from commands import Capture, as_json, fail
from expound.build import OutPlace, build_passages

pytestmark = pytest.mark.slow
SECRET = "very-secret-words"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket of a server of this machine that speaks as S3 does."""
    server_module = pytest.importorskip("moto.server")
    s3fs = pytest.importorskip("s3fs")
    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {
        "AWS_ACCESS_KEY_ID": "someone",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_DEFAULT_REGION": "us-east-1",
        "FSSPEC_S3_ENDPOINT_URL": f"http://{host}:{port}",
    }.items():
        monkeypatch.setenv(name, value)
    store = s3fs.S3FileSystem(endpoint_url=f"http://{host}:{port}", skip_instance_cache=True)
    store.makedirs("builds", exist_ok=True)
    store.put_file(str(EXAMPLE), "builds/dumps/wiki.xml")
    yield "s3://builds"
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


def test_a_build_from_a_store_into_a_store_writes_the_bytes_of_a_local_one(
    bucket: str, tmp_path: Path, capsys: Capture
) -> None:
    there = f"{bucket}/wiki"
    first = as_json(capsys, "build", "passages", f"{bucket}/dumps", "--out", there)
    build_passages([str(EXAMPLE)], str(tmp_path), corpus="")
    receipts = [OutPlace(place).read_json(".shards/passages/00000.json") for place in (there, str(tmp_path))]
    assert receipts[0] == receipts[1]
    again = as_json(capsys, "build", "passages", f"{bucket}/dumps", "--out", there)
    assert (first["reused"], again["reused"], again["counts"]) == (0, 1, first["counts"])


def test_no_secret_is_written_anywhere(bucket: str, capsys: Capture) -> None:
    import s3fs

    as_json(capsys, "build", "passages", f"{bucket}/dumps/wiki.xml", "--out", f"{bucket}/secret")
    store = s3fs.S3FileSystem()
    files = store.find("builds/secret", withdirs=False)
    assert len(files) > 5
    assert not [name for name in files if SECRET.encode() in store.cat_file(name) or SECRET in name]
    assert SECRET not in fail(capsys, "build", "passages", f"{bucket}/none.xml", "--out", f"{bucket}/other")
