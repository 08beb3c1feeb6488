"""Lines of the manifest are found by address without loading the manifest."""

import pickle
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from site_mirror.snapshot import manifest
from site_mirror.snapshot import published_lines as published
from site_mirror.snapshot.entries import EncodedFile, Entry
from site_mirror.snapshot.layout import CHECKSUMS, MANIFEST
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.published_lines import published_lines
from site_mirror.snapshot.release_writer import writing_release
from site_mirror.snapshot.results import BatchResult, sum_up
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.workspace import Workspace
from site_mirror.snapshot.write import EncodedDocument, write_documents
from tests.freeze import engine

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


def test_lines_with_equal_hashes_are_distinguished_by_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published, "address_hash_in", lambda line: 7)
    found = write_manifest(tmp_path, make_entries(50))

    lines = published_lines(found.path.parent)
    assert lines.line("/blog/post-49") == list(found.documents.raw_lines())[49]
    assert lines.line("/blog/post-50") is None


def test_a_long_line_is_read_completely(tmp_path: Path) -> None:
    long = replace(make_entry("/long"), headers={"Link": "x" * 20_000})

    lines = published_lines(
        write_manifest(tmp_path, iter([make_entry("/a"), long, make_entry("/b")])).path.parent
    )
    found = lines.line("/long")

    assert found == make_result(long).lines


def test_a_missing_manifest_has_no_lines() -> None:
    lines = published_lines(None)
    assert lines.line("/") is None


@pytest.mark.exhaustive("measures memory")
def test_memory_does_not_grow_with_the_manifest(tmp_path: Path) -> None:
    few, many = (measure_peak(tmp_path / str(count), count) for count in (1_000, 10_000))

    a_document = (many - few) / 9_000
    assert a_document < 100


def measure_peak(folder: Path, count: int) -> int:
    """Return the peak memory of writing, reading and looking up lines."""
    tracemalloc.start()
    found = write_manifest(folder, make_entries(count))
    asked = sum(1 for _ in found.documents)
    lines = published_lines(found.path.parent)
    asked -= sum(lines.line(f"/blog/post-{number}") is not None for number in range(count))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    if asked:
        raise AssertionError("Some lines were not found.")
    return most


def test_the_arguments_and_results_of_a_worker_can_be_pickled(tmp_path: Path) -> None:
    here, there = Workspace(tmp_path / "here"), Workspace(tmp_path / "there")
    documents = [engine.make_document("/page", engine.LONG_BODY)]
    travelled = pickle.loads(pickle.dumps((there, documents, [""], [None], MOMENT)))  # noqa: S301

    [first] = write_documents(here, documents, [""], [None], MOMENT)
    [second] = write_documents(*travelled)

    assert pickle.loads(pickle.dumps(first)) == first == second  # noqa: S301
    assert (tmp_path / "here/public/page.html").read_bytes() == engine.LONG_BODY
    assert first.written == len(first.entry.files) == 3


def test_a_line_that_did_not_change_is_the_same_bytes(tmp_path: Path) -> None:
    engine.publish(tmp_path, *engine.FIRST)
    workspace = Workspace(tmp_path / "next", Target(tmp_path).release)
    lines = published_lines(workspace.published)

    before = [lines.entry(document.address) for document in engine.FIRST]
    again = write_documents(workspace, engine.FIRST, [""] * 4, before, "2027-01-01T00:00:00Z")

    assert [make_result(each.entry).lines for each in again] == [
        lines.line(document.address) for document in engine.FIRST
    ]
    assert sum(each.written for each in again) == 0
    assert {path.stat().st_nlink for path in (tmp_path / "next").rglob("*.*")} == {2}


def test_hard_links_do_not_replace_written_files(tmp_path: Path) -> None:
    engine.publish(tmp_path, *engine.FIRST)
    workspace = Workspace(tmp_path / "next", Target(tmp_path).release)
    files = ["index.html", "index.html.br", "kept.html"]
    (tmp_path / "next/public").mkdir(parents=True)
    (tmp_path / "next/public/kept.html").write_bytes(b"written")

    for file in files:
        assert workspace.link_files([file])

    assert (tmp_path / "next/public/kept.html").read_bytes() == b"written"
    assert [(tmp_path / "next/public" / file).stat().st_nlink for file in files] == [2, 2, 1]


def test_the_checksums_are_those_of_the_manifest(tmp_path: Path) -> None:
    write_manifest(tmp_path, make_entries(3))

    listed = (tmp_path / CHECKSUMS).read_text().splitlines()

    assert listed[0] == f"{'0' * 64}  public/blog/post-0.html"
    assert listed[1] == f"{'1' * 64}  public/blog/post-0.br"
    assert listed[-1].endswith("  manifest.jsonl")
    assert len(listed) == 7
