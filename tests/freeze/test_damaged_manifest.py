"""A foreign, truncated or altered manifest does not stop a freeze and is not trusted."""

from collections.abc import Callable
from pathlib import Path

import pytest

from site_mirror.snapshot import manifest
from site_mirror.snapshot.errors import ManifestDamaged
from site_mirror.snapshot.layout import MANIFEST
from site_mirror.snapshot.report import Outcome
from site_mirror.snapshot.verify import find_discrepancies, find_files_to_verify
from tests.freeze import sites, target_files


def damage_member(name: bytes) -> Callable[[bytes], bytes]:
    return lambda text: text.replace(b'"%s"' % name, b'"%s"' % name.swapcase())


FOREIGN: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda text: b"",
    "no text": lambda text: b"\xff\xfe\x00",
    "another value": lambda text: b"[]",
    "no last line": lambda text: b"\n".join(text.splitlines()[:-1]),
    "a cut line": lambda text: text[:-100],
    "another format": lambda text: text.replace(b'"format":2', b'"format":1'),
    "other contents": damage_member(b"contents"),
}


@pytest.mark.parametrize("damage", FOREIGN)
def test_a_manifest_that_is_not_whole_counts_as_missing(damage: str, small_site: Path) -> None:
    rewrite_manifest(small_site, FOREIGN[damage])

    assert manifest.read_manifest(small_site / "current" / MANIFEST) is None


DAMAGES = [FOREIGN["a cut line"], *map(damage_member, (b"ETag", b"document", b"size"))]


@pytest.mark.exhaustive("freezes a site over each damaged manifest")
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_freeze_over_a_damaged_manifest_writes_a_whole_one(
    damage: Callable[[bytes], bytes], small_site: Path
) -> None:
    before = target_files.read_published(small_site)[1]
    rewrite_manifest(small_site, damage)

    report = sites.freeze_into(small_site, sites.LATER)

    assert report.outcome is Outcome.PUBLISHED
    assert target_files.read_published(small_site)[1].keys() == before.keys()
    assert [*find_discrepancies(find_files_to_verify(small_site))] == []


def rewrite_manifest(folder: Path, change: Callable[[bytes], bytes]) -> None:
    """Change the manifest of the current release in place."""
    path = folder / "current" / MANIFEST
    path.write_bytes(change(path.read_bytes()))


def test_an_invalid_line_of_a_manifest_is_an_error_when_it_is_read(small_site: Path) -> None:
    rewrite_manifest(
        small_site, lambda text: text.replace(b'{"document":"/blog/older"', b'{"document"')
    )

    with pytest.raises(ManifestDamaged, match="is not as it was written"):
        list(target_files.read_manifest(small_site).documents)
