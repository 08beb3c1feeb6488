"""Lines of the manifest are found by address without parsing the manifest."""

from pathlib import Path

import pytest

from site_mirror.snapshot.published_lines import published_lines
from tests.freeze import engine, target_files

ODD = ("/a", '/a"b', '/a"bc', "/a\\b", "/đà", "/a,b", '/a","aliases":', "/\u2028", "/a\nb")


def test_each_published_line_is_found_by_its_address(tmp_path: Path) -> None:
    addresses = [*ODD, *(f"/{number}" for number in range(200))]
    engine.publish(tmp_path, *map(engine.make_document, addresses))

    lines = published_lines((tmp_path / "current").resolve())

    assert [lines.line(address) for address in addresses] == [
        *target_files.read_manifest(tmp_path).documents.raw_lines()
    ]


@pytest.mark.parametrize("address", ["", "/", "/20", "/2000", "/A", '"', "/a\\"])
def test_an_unknown_address_has_no_published_line(address: str, tmp_path: Path) -> None:
    engine.publish(tmp_path, *map(engine.make_document, ("/200", "/a")))

    assert published_lines((tmp_path / "current").resolve()).line(address) is None
    assert published_lines(None).line(address) is None
