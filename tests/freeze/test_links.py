"""Files of the published release are hard-linked, or copied where the file system refuses links."""

import os
import shutil
from pathlib import Path

import pytest

from site_mirror.snapshot.report import Outcome
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.verify import find_discrepancies, find_files_to_verify
from tests.freeze import sites, target_files


def refuse_links(*names: object, **folders: object) -> None:
    raise PermissionError("The file system makes no hard links.")


def test_a_release_on_a_file_system_without_hard_links_is_the_same(
    small_site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = Path(shutil.copytree(small_site, tmp_path / "copy", symlinks=True))
    sites.edit_post("older", title_en="Another title", body_en="Short.")
    linked = sites.freeze_into(copy, sites.LATER)
    monkeypatch.setattr(os, "link", refuse_links)

    copied = sites.freeze_into(small_site, sites.LATER)

    same = {"written", "kept", "removed", "documents", "healed"}
    assert {name: copied.members()[name] for name in same} == {
        name: linked.members()[name] for name in same
    }
    assert target_files.read_tree(Target(small_site).public) == target_files.read_tree(
        Target(copy).public
    )
    assert list(find_discrepancies(find_files_to_verify(small_site))) == []
    assert sites.freeze_into(small_site, sites.LATER).outcome is Outcome.UNCHANGED
