"""A document has the same bytes whether it is written as a whole or in parts."""

import random
from pathlib import Path

import pytest

from site_mirror.documents import encodings
from site_mirror.documents.encodings import BROTLI, GZIP, HUGE_BODY_BYTES, Encoding
from site_mirror.snapshot.target import Target
from tests.freeze import sites

WORDS = [f"word-{number} " for number in range(5000)]
TEXT = "".join(random.Random(1).choices(WORDS, k=HUGE_BODY_BYTES // 8)).encode()  # noqa: S311


@pytest.mark.parametrize("encoding", [BROTLI, GZIP], ids=lambda encoding: encoding.name)
def test_a_file_compressed_in_blocks_has_the_bytes_of_one_block(
    encoding: Encoding, tmp_path: Path
) -> None:
    body = TEXT
    path = tmp_path / "long.txt"
    path.write_bytes(body)

    assert len(body) > HUGE_BODY_BYTES
    assert b"".join(encodings.compress_file(path, encoding)) == encoding.compress(body)


def test_a_document_has_the_same_bytes_in_parts_and_as_a_whole(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sites.make_site()
    sites.freeze_into(tmp_path / "whole")
    monkeypatch.setattr(encodings, "HUGE_BODY_BYTES", 0)
    sites.freeze_into(tmp_path / "parts")

    assert read_files(tmp_path / "parts") == read_files(tmp_path / "whole")
    assert read_lines(tmp_path / "parts") == read_lines(tmp_path / "whole")


def read_files(site: Path) -> dict[str, bytes]:
    """Return the public files except compressed ones: their bytes depend on known lengths."""
    public = site / "current" / "public"
    found = (path for path in public.rglob("*") if path.is_file())
    coded = {BROTLI.suffix, GZIP.suffix}
    return {
        str(path.relative_to(public)): path.read_bytes()
        for path in found
        if path.suffix not in coded
    }


def read_lines(site: Path) -> list[tuple[str, str, int, dict[str, str]]]:
    """Return the members of every document in the manifest except its compressed variants."""
    manifest = Target(site).manifest()
    assert manifest
    return [
        (each.address, each.sha256, each.size, dict(each.headers)) for each in manifest.documents
    ]
