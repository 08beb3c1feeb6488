"""A manifest that is foreign, cut or altered never stops a freeze, and is never believed."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from site_mirror.snapshot import manifest
from site_mirror.snapshot.engine import Outcome
from site_mirror.snapshot.errors import ManifestDamaged
from site_mirror.snapshot.layout import MANIFEST
from tests.freeze import makers

HEAD = b'{"format":2,"siteRoot":"","apiVersion":""}\n'
FOREIGN: list[bytes] = [
    b"",
    b"\n",
    b"{",
    b"\xff\xfe\x00",
    b"[]",
    b"null",
    b"5",
    b'"manifest"',
    b"{}",
    b'{"format": 1}',
    b'{"format": 1, "siteRoot": "", "documents": [], "redirects": [], "errors": []}',
    HEAD,
    HEAD + b'{"contents":{}}\n',
    HEAD + b'{"contents":{"documents":5},"files":0,"bytes":0,"profiles":{}}\n',
    HEAD.replace(b"2", b"1") + b'{"contents":{}}\n',
]


@pytest.mark.parametrize("foreign", FOREIGN)
def test_an_unreadable_or_foreign_manifest_counts_as_none(foreign: bytes, tmp_path: Path) -> None:
    path = tmp_path / MANIFEST
    path.write_bytes(foreign)

    assert manifest.read(path) is None


def test_no_manifest_counts_as_none(tmp_path: Path) -> None:
    assert manifest.read(tmp_path / MANIFEST) is None


@pytest.mark.parametrize("moment", [makers.MOMENT, makers.LATER], ids=["same", "later"])
@pytest.mark.parametrize("foreign", [b"{", b"[]", b'{"format": 2}'])
def test_a_freeze_over_a_foreign_manifest_publishes_afresh(
    foreign: bytes, moment: datetime, small_site: Path
) -> None:
    before = makers.published(small_site)[1]
    (small_site / "current" / MANIFEST).write_bytes(foreign)

    report = makers.freeze_into(small_site, moment)

    assert (report.outcome, report.kept) == (Outcome.PUBLISHED, 0)
    assert makers.published(small_site)[1].keys() == before.keys()


def rewritten(folder: Path, change: Callable[[bytes], bytes]) -> None:
    """Change the manifest of the current release in place."""
    path = folder / "current" / MANIFEST
    path.write_bytes(change(path.read_bytes()))


@pytest.mark.parametrize("cut", [1, 100, 2000])
def test_a_manifest_that_was_cut_off_counts_as_none(cut: int, small_site: Path) -> None:
    path = small_site / "current" / MANIFEST
    path.write_bytes(path.read_bytes()[:-cut])

    assert manifest.read(path) is None or cut == 1


def test_a_line_that_is_none_is_named_when_it_is_read(small_site: Path) -> None:
    rewritten(small_site, lambda text: text.replace(b'{"document":"/blog/older"', b'{"document"'))

    with pytest.raises(ManifestDamaged, match="is not as it was written"):
        list(makers.frozen_manifest(small_site).documents)


def test_lines_that_are_missing_are_noticed_when_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / MANIFEST
    sections = '"documents":{"start":9999,"count":7},"redirects":{"start":0,"count":0}'
    contents = f'{{"contents":{{{sections},"errors":{{"start":0,"count":0}}}},'
    path.write_bytes(HEAD + contents.encode() + b'"files":0,"bytes":0,"profiles":{}}\n')
    found = manifest.read(path)

    assert found is not None
    with pytest.raises(ManifestDamaged, match="it has 0 of 7 lines"):
        list(found.documents)


@pytest.mark.parametrize(
    "damage",
    [
        (b'"ETag"', b'"etag"'),
        (b'"Last-Modified"', b'"Last-Moved"'),
        (b'"document":"/blog', b'"document":/blog'),
        (b'"size":', b'"seize":'),
    ],
    ids=["no-etag", "no-moment", "no-json", "no-size"],
)
def test_a_damaged_line_is_made_afresh(damage: tuple[bytes, bytes], small_site: Path) -> None:
    whole = makers.frozen_manifest(small_site)
    addresses = [entry.address for entry in whole.documents]
    rewritten(small_site, lambda text: text.replace(*damage))

    report = makers.freeze_into(small_site, makers.LATER)

    now = makers.frozen_manifest(small_site)
    assert (report.outcome, [entry.address for entry in now.documents]) == (
        Outcome.PUBLISHED,
        addresses,
    )
    assert all({"ETag", "Last-Modified"} <= entry.headers.keys() for entry in now.documents)
