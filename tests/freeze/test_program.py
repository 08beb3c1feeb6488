"""The program digest covers every file of the program that can change a document."""

from pathlib import Path

import pytest

from site_mirror.documents import digests

HASHED_FILES = ("code.py", "pages/page.html", "locale/vi/messages.mo")
IGNORED_FILES = (
    "__pycache__/code.cpython-311.pyc",
    "code.pyc",
    "admin/code.py",
    "migrations/0001_initial.py",
    "pages/static/site.css",
    "README",
)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (*HASHED_FILES, *IGNORED_FILES):
        file = tmp_path / "package" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    monkeypatch.setattr(digests, "ROOT", tmp_path)
    monkeypatch.setattr(digests, "HASHED_PACKAGES", ("package",))
    return tmp_path / "package"


def test_the_program_digest_covers_the_source_files_alone(package: Path) -> None:
    (package / ".#code.py").symlink_to(package / "nowhere.py")
    assert digests.source_files() == sorted(package / name for name in HASHED_FILES)

    for name in (*HASHED_FILES, *IGNORED_FILES):
        before = digests.program_digest.__wrapped__()
        (package / name).write_text("another")
        assert (digests.program_digest.__wrapped__() != before) == (name in HASHED_FILES), name
