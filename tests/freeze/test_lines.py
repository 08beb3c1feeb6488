"""Lines that any process can make, and that are found again without being held."""

import pickle
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from site_mirror.snapshot import held as holding
from site_mirror.snapshot import manifest
from site_mirror.snapshot.collecting import collecting, refuse_two_on_one_file
from site_mirror.snapshot.entries import EncodedFile, Entry
from site_mirror.snapshot.errors import TwoOnOneFile
from site_mirror.snapshot.files import by_folder
from site_mirror.snapshot.folding import Folding
from site_mirror.snapshot.held import lines_of
from site_mirror.snapshot.layout import CHECKSUMS, MANIFEST
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.marks import mark
from site_mirror.snapshot.places import Place, link_all
from site_mirror.snapshot.portions import Portion
from site_mirror.snapshot.removed import unanswered
from site_mirror.snapshot.staging import Draft, Staged, stage
from site_mirror.snapshot.target import Target
from tests.freeze import plain

STAMP = "2026-01-01T00:00:00Z"


def entry(address: str) -> Entry:
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
        generated_at=STAMP,
        encodings=(variant,),
    )


def folded(each: Entry) -> Portion:
    folding = Folding()
    folding.add(Staged(each, written=0))
    return folding.portion("")


def written(folder: Path, entries: Iterator[Entry]) -> Manifest:
    folder.mkdir(exist_ok=True)
    with collecting(folder, "https://studio.example") as collector:
        collector.begin("documents")
        for each in entries:
            collector.portion(folded(each))
        collector.begin("redirects")
        collector.begin("errors")
    found = manifest.read(folder / MANIFEST)
    if found is None:
        raise AssertionError("The manifest is not whole.")
    return found


def addresses(count: int) -> Iterator[Entry]:
    return (entry(f"/blog/post-{number}") for number in range(count))


def test_each_line_is_found_by_its_address(tmp_path: Path) -> None:
    found = written(tmp_path, addresses(500))

    lines = lines_of(found.path.parent)
    by_address = [lines.line(f"/blog/post-{number}") for number in range(500)]

    assert by_address == list(found.documents.raw())


@pytest.mark.parametrize(
    "address",
    ["", "/", "/blog", "/blog/post", "/blog/post-", "/blog/post-500", "/BLOG/post-1", '"'],
)
def test_an_address_that_is_not_there_has_no_line(address: str, tmp_path: Path) -> None:
    lines = lines_of(written(tmp_path, addresses(500)).path.parent)
    assert lines.line(address) is None


@pytest.mark.parametrize("address", ['/a"b', "/a\\b", "/đà", "/a,b", "/\u2028", "/a\nb"])
def test_an_odd_address_is_found_too(address: str, tmp_path: Path) -> None:
    odd = [entry("/a"), entry(address), entry(f"{address}x")]

    lines = lines_of(written(tmp_path, iter(odd)).path.parent)
    found = [lines.line(each.address) for each in odd]

    assert [b"" if line is None else line for line in found] == [folded(each).lines for each in odd]


def test_lines_are_told_apart_where_their_hashes_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holding, "hashed", lambda line: 7)
    found = written(tmp_path, addresses(50))

    lines = lines_of(found.path.parent)
    assert lines.line("/blog/post-49") == list(found.documents.raw())[49]
    assert lines.line("/blog/post-50") is None


def test_a_long_line_is_found_whole(tmp_path: Path) -> None:
    long = replace(entry("/long"), headers={"Link": "x" * 20_000})

    lines = lines_of(written(tmp_path, iter([entry("/a"), long, entry("/b")])).path.parent)
    found = lines.line("/long")

    assert found == folded(long).lines


def test_what_is_no_longer_answered_is_found_in_its_order(tmp_path: Path) -> None:
    found = written(tmp_path, addresses(100))
    answered = [mark(f"/blog/post-{number}".encode()) for number in range(0, 100, 2)]

    left = list(unanswered(found, answered))

    assert left == list(found.documents.raw())[1::2]


def test_without_a_manifest_there_is_no_line() -> None:
    lines = lines_of(None)
    assert lines.line("/") is None


def test_two_documents_on_one_file_are_found_however_far_apart(tmp_path: Path) -> None:
    many = [entry(f"/{number}") for number in range(3000)]
    clash = replace(entry("/clash"), file="7.html")

    with pytest.raises(TwoOnOneFile, match=r"^/7 and /clash would both be written to 7\.html\.$"):
        clashing(tmp_path, [*many, clash])


def clashing(folder: Path, entries: list[Entry]) -> None:
    with collecting(folder, "https://studio.example") as collector:
        collector.begin("documents")
        for each in entries:
            collector.portion(folded(each))
        collector.begin("redirects")
        collector.begin("errors")
    refuse_two_on_one_file(folder, collector)


def test_a_manifest_of_many_documents_is_never_held(tmp_path: Path) -> None:
    few, many = (peak(tmp_path / str(count), count) for count in (1_000, 10_000))

    a_document = (many - few) / 9_000
    assert a_document < 100


def peak(folder: Path, count: int) -> int:
    """Bytes of memory that writing, reading and looking up take at most."""
    tracemalloc.start()
    found = written(folder, addresses(count))
    asked = sum(1 for _ in found.documents)
    lines = lines_of(found.path.parent)
    asked -= sum(lines.line(f"/blog/post-{number}") is not None for number in range(count))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    if asked:
        raise AssertionError("Some lines were not found.")
    return most


def test_a_document_is_staged_by_what_travels_to_a_process_and_back(tmp_path: Path) -> None:
    place = Place(tmp_path / "here", None)
    page = plain.document("/page", plain.LONG)
    travelled = pickle.loads(pickle.dumps(([Draft(page)], STAMP)))  # noqa: S301

    [here] = stage(place, [Draft(page)], STAMP)
    [there] = stage(replace(place, folder=tmp_path / "there"), *travelled)

    assert pickle.loads(pickle.dumps(here)) == here == there  # noqa: S301
    assert (tmp_path / "here/public/page.html").read_bytes() == plain.LONG
    assert here.written == len(here.told.files) == 3


def test_a_line_that_did_not_change_is_the_same_bytes(tmp_path: Path) -> None:
    plain.published(tmp_path, *plain.FIRST)
    place = Place(tmp_path / "next", Target(tmp_path).release)
    found = Target(tmp_path).manifest()

    lines = lines_of(found.path.parent)
    previous = [lines.line(document.address) for document in plain.FIRST]
    drafts = [Draft(*found) for found in zip(plain.FIRST, previous, strict=True)]
    again = stage(place, drafts, "2027-01-01T00:00:00Z")

    assert [folded(each.told).lines for each in again] == previous
    assert sum(each.written for each in again) == 0
    assert {path.stat().st_nlink for path in (tmp_path / "next").rglob("*.*")} == {2}


def test_parts_of_the_rest_can_be_linked_by_themselves(tmp_path: Path) -> None:
    plain.published(tmp_path, *plain.FIRST)
    release = Target(tmp_path).release
    if release is None:
        raise AssertionError("Nothing was published.")
    files = ["index.html", "index.html.br", "kept.html"]
    place = Place(tmp_path / "next", release)
    (tmp_path / "next/public").mkdir(parents=True)
    (tmp_path / "next/public/kept.html").write_bytes(b"written")

    for file in files:
        link_all(place, by_folder([file]))

    assert (tmp_path / "next/public/kept.html").read_bytes() == b"written"
    assert [(tmp_path / "next/public" / file).stat().st_nlink for file in files] == [2, 2, 1]


def test_the_checksums_are_those_of_the_manifest(tmp_path: Path) -> None:
    written(tmp_path, addresses(3))

    listed = (tmp_path / CHECKSUMS).read_text().splitlines()

    assert listed[0] == f"{'0' * 64}  public/blog/post-0.html"
    assert listed[1] == f"{'1' * 64}  public/blog/post-0.br"
    assert listed[-1].endswith("  manifest.jsonl")
    assert len(listed) == 7
