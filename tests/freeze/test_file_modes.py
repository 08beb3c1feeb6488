"""Public files of a release are 644 in folders 755, whatever the umask; the rest is private."""

import os
import stat
from pathlib import Path

import pytest

from tests.freeze import engine

PUBLIC = ("public", "errors")


def find_expected_mode(name: str, mode: str) -> str:
    """Return the mode that a path in a target must have."""
    parts = Path(name).parts
    if len(parts) < 3:
        return "drwx--x--x" if mode[0] == "d" else "-rw-------"
    if parts[2] in PUBLIC:
        return "drwxr-xr-x" if mode[0] == "d" else "-rw-r--r--"
    return "drwx------" if mode[0] == "d" else "-rw-------"


def find_wrong_modes(target: Path) -> dict[str, str]:
    """Return each path in a target, except symbolic links, that has another mode."""
    modes = {
        str(path.relative_to(target)): stat.filemode(path.lstat().st_mode)
        for path in (target, *target.rglob("*"))
        if not path.is_symlink()
    }
    return {name: mode for name, mode in modes.items() if find_expected_mode(name, mode) != mode}


@pytest.mark.parametrize("umask", [0o077, 0o022, 0o000], ids=oct)
def test_modes_do_not_depend_on_the_umask(umask: int, tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    before = os.umask(umask)
    try:
        for folder in (tmp_path, tmp_path / "site"):
            engine.publish_two_releases(folder, with_digests=True)
            engine.publish(folder, *engine.FIRST, with_digests=True)
    finally:
        os.umask(before)

    assert find_wrong_modes(tmp_path / "site") == {}
    # A folder that exists keeps its mode.
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o750
