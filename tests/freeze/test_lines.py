"""Lines of the manifest are found by address without loading the manifest."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from site_mirror.snapshot import manifest
from site_mirror.snapshot.entries import EncodedFile, Entry
from site_mirror.snapshot.layout import MANIFEST
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.published_lines import published_lines
from site_mirror.snapshot.release_writer import writing_release
from site_mirror.snapshot.results import BatchResult, sum_up
from site_mirror.snapshot.workspace import Workspace
from site_mirror.snapshot.write import EncodedDocument

MOMENT = "2026-01-01T00:00:00Z"


def make_entry(address: str) -> Entry:
    variant = EncodedFile("br", f"{address[1:]}.br", 5, "1" * 64, {"ETag": '"b"'})
    return Entry(
        address=address,
        aliases=(),
        file=f"{address[1:]}.html",
        family="page",
        status=200,
        media_type="text/html",
        headers={"ETag": f'"{address}"', "Cache-Control": "max-age=1"},
        size=9,
        sha256="0" * 64,
        content_sha256="0" * 64,
        generated_at=MOMENT,
        encodings=(variant,),
    )


def make_result(each: Entry) -> BatchResult:
    return sum_up([EncodedDocument(each)], "")


def write_manifest(folder: Path, entries: Iterator[Entry]) -> Manifest:
    write_release(folder, entries)
    return manifest.read_written_manifest(folder / MANIFEST)


def write_release(folder: Path, entries: Iterable[Entry]) -> None:
    folder.mkdir(exist_ok=True)
    with writing_release(Workspace(folder), "https://studio.example") as release:
        for each in entries:
            release.add(make_result(each))
        release.add_redirects([])
        release.add_errors([])


def make_entries(count: int) -> Iterator[Entry]:
    return (make_entry(f"/blog/post-{number}") for number in range(count))


def test_each_published_line_is_found_by_its_address(tmp_path: Path) -> None:
    found = write_manifest(tmp_path, make_entries(500))

    lines = published_lines(found.path.parent)
    by_address = [lines.line(f"/blog/post-{number}") for number in range(500)]

    assert by_address == list(found.documents.raw_lines())


@pytest.mark.parametrize(
    "address",
    ["", "/", "/blog", "/blog/post", "/blog/post-", "/blog/post-500", "/BLOG/post-1", '"'],
)
def test_an_unknown_address_has_no_published_line(address: str, tmp_path: Path) -> None:
    lines = published_lines(write_manifest(tmp_path, make_entries(500)).path.parent)
    assert lines.line(address) is None


@pytest.mark.parametrize("address", ['/a"b', "/a\\b", "/đà", "/a,b", "/\u2028", "/a\nb"])
def test_an_address_with_special_characters_is_found(address: str, tmp_path: Path) -> None:
    odd = [make_entry("/a"), make_entry(address), make_entry(f"{address}x")]

    lines = published_lines(write_manifest(tmp_path, iter(odd)).path.parent)
    found = [lines.line(each.address) for each in odd]

    assert [b"" if line is None else line for line in found] == [
        make_result(each).lines for each in odd
    ]
