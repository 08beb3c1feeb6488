"""A foreign, truncated or altered manifest does not stop a freeze and is not trusted."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from site_mirror.snapshot import manifest
from site_mirror.snapshot.errors import ManifestDamaged
from site_mirror.snapshot.layout import MANIFEST
from site_mirror.snapshot.report import Outcome
from tests.freeze import sites, target_files

ALL_DAMAGES = pytest.mark.exhaustive("freezes a site over each damaged manifest")
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
def test_an_unreadable_or_foreign_manifest_is_treated_as_missing(
    foreign: bytes, tmp_path: Path
) -> None:
    path = tmp_path / MANIFEST
    path.write_bytes(foreign)

    assert manifest.read_manifest(path) is None


def test_a_missing_manifest_is_read_as_none(tmp_path: Path) -> None:
    assert manifest.read_manifest(tmp_path / MANIFEST) is None


@pytest.mark.parametrize(
    ("foreign", "moment"),
    [
        (b"{", sites.MOMENT),
        (b'{"format": 2}', sites.LATER),
        pytest.param(b"{", sites.LATER, marks=ALL_DAMAGES),
        pytest.param(b"[]", sites.MOMENT, marks=ALL_DAMAGES),
        pytest.param(b"[]", sites.LATER, marks=ALL_DAMAGES),
        pytest.param(b'{"format": 2}', sites.MOMENT, marks=ALL_DAMAGES),
    ],
)
def test_a_freeze_over_a_foreign_manifest_reuses_nothing(
    foreign: bytes, moment: datetime, small_site: Path
) -> None:
    before = target_files.read_published(small_site)[1]
    (small_site / "current" / MANIFEST).write_bytes(foreign)

    report = sites.freeze_into(small_site, moment)

    assert (report.outcome, report.kept) == (Outcome.PUBLISHED, 0)
    assert target_files.read_published(small_site)[1].keys() == before.keys()


def rewrite_manifest(folder: Path, change: Callable[[bytes], bytes]) -> None:
    """Change the manifest of the current release in place."""
    path = folder / "current" / MANIFEST
    path.write_bytes(change(path.read_bytes()))


@pytest.mark.parametrize("cut", [1, 100, 2000])
def test_a_truncated_manifest_is_treated_as_missing(cut: int, small_site: Path) -> None:
    path = small_site / "current" / MANIFEST
    path.write_bytes(path.read_bytes()[:-cut])

    assert (manifest.read_manifest(path) is None) == (cut > 1)


def test_an_invalid_line_of_a_manifest_is_an_error_when_it_is_read(small_site: Path) -> None:
    rewrite_manifest(
        small_site, lambda text: text.replace(b'{"document":"/blog/older"', b'{"document"')
    )

    with pytest.raises(ManifestDamaged, match="is not as it was written"):
        list(target_files.read_manifest(small_site).documents)


def test_missing_lines_of_a_manifest_are_an_error_when_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / MANIFEST
    sections = '"documents":{"start":9999,"count":7},"redirects":{"start":0,"count":0}'
    contents = f'{{"contents":{{{sections},"errors":{{"start":0,"count":0}}}},'
    path.write_bytes(HEAD + contents.encode() + b'"files":0,"bytes":0,"profiles":{}}\n')
    found = manifest.read_manifest(path)

    assert found is not None
    with pytest.raises(ManifestDamaged, match="it has 0 of 7 lines"):
        list(found.documents)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param((b'"ETag"', b'"etag"'), id="no-etag"),
        pytest.param((b'"document":"/blog', b'"document":/blog'), id="no-json"),
        pytest.param((b'"Last-Modified"', b'"Last-Moved"'), id="no-moment", marks=ALL_DAMAGES),
        pytest.param((b'"size":', b'"seize":'), id="no-size", marks=ALL_DAMAGES),
    ],
)
def test_a_damaged_line_of_a_manifest_is_rebuilt(
    damage: tuple[bytes, bytes], small_site: Path
) -> None:
    whole = target_files.read_manifest(small_site)
    addresses = [entry.address for entry in whole.documents]
    rewrite_manifest(small_site, lambda text: text.replace(*damage))

    report = sites.freeze_into(small_site, sites.LATER)

    now = target_files.read_manifest(small_site)
    assert (report.outcome, [entry.address for entry in now.documents]) == (
        Outcome.PUBLISHED,
        addresses,
    )
    assert all({"ETag", "Last-Modified"} <= entry.headers.keys() for entry in now.documents)
