"""What is too long to be held has the bytes that it would have if it were held."""

import random
from pathlib import Path

import pytest

from site_mirror import encodings
from site_mirror.encodings import BLOCK, BROTLI, GZIP, HUGE, Encoding
from site_mirror.snapshot.streaming import blocks, compress, told, write_parts
from site_mirror.snapshot.target import Target
from tests.freeze import makers

WORDS = [f"word-{number} " for number in range(5000)]
TEXT = "".join(random.Random(1).choices(WORDS, k=HUGE // 8)).encode()  # noqa: S311


@pytest.mark.parametrize("encoding", [BROTLI, GZIP], ids=lambda encoding: encoding.name)
def test_a_file_is_compressed_in_blocks_as_its_body_is_as_a_whole(
    encoding: Encoding, tmp_path: Path
) -> None:
    body = TEXT
    path = tmp_path / "long.txt"
    path.write_bytes(body)

    size, sha256 = compress(str(path), encoding)

    whole = encoding.compress(body)
    assert len(body) > HUGE
    assert path.with_name(f"long.txt{encoding.suffix}").read_bytes() == whole
    assert (size, sha256) == (len(whole), encodings.digest(whole))


def test_a_file_is_read_in_blocks_of_one_length(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_bytes(b"x" * (2 * BLOCK + 1))

    assert [len(block) for block in blocks(str(path))] == [BLOCK, BLOCK, 1]


def test_parts_are_written_and_told_as_a_whole(tmp_path: Path) -> None:
    parts = [b"one ", b"", b"two"]
    path = tmp_path / "parts.txt"

    assert write_parts(str(path), parts) == told(parts) == (7, encodings.digest(b"one two"))
    assert path.read_bytes() == b"one two"


def test_a_document_that_is_written_in_parts_is_the_one_that_is_written_as_a_whole(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers.make_site()
    makers.freeze_into(tmp_path / "whole")
    monkeypatch.setattr(encodings, "HUGE", 0)
    makers.freeze_into(tmp_path / "parts")

    assert files(tmp_path / "parts") == files(tmp_path / "whole")
    assert lines(tmp_path / "parts") == lines(tmp_path / "whole")


def files(site: Path) -> dict[str, bytes]:
    """All public files but the compressed ones, which know how long their documents are."""
    public = site / "current" / "public"
    found = (path for path in public.rglob("*") if path.is_file())
    coded = {BROTLI.suffix, GZIP.suffix}
    return {
        str(path.relative_to(public)): path.read_bytes()
        for path in found
        if path.suffix not in coded
    }


def lines(site: Path) -> list[tuple[str, str, int, dict[str, str]]]:
    """What the manifest tells of every document, but for its compressed variants."""
    manifest = Target(site).manifest()
    assert manifest
    return [
        (each.address, each.sha256, each.size, dict(each.headers)) for each in manifest.documents
    ]
