"""The program that documents are made of: every file of it but those that no document needs."""

from pathlib import Path

import pytest

from site_mirror import inputs

MADE_OF = ("code.py", "pages/page.html", "locale/vi/messages.mo")
NOT_MADE_OF = (
    "__pycache__/code.cpython-311.pyc",
    "code.pyc",
    "admin/code.py",
    "migrations/0001_initial.py",
    "pages/static/site.css",
    "README",
)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (*MADE_OF, *NOT_MADE_OF):
        file = tmp_path / "package" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    monkeypatch.setattr(inputs, "ROOT", tmp_path)
    monkeypatch.setattr(inputs, "PACKAGES", ("package",))
    return tmp_path / "package"


def test_it_is_the_files_that_documents_are_made_of(package: Path) -> None:
    assert inputs.sources() == sorted(package / name for name in MADE_OF)


def test_a_link_that_leads_nowhere_is_none_of_them(package: Path) -> None:
    (package / ".#code.py").symlink_to(package / "nowhere.py")

    assert inputs.sources() == sorted(package / name for name in MADE_OF)


@pytest.mark.parametrize("name", MADE_OF)
def test_another_text_of_one_is_another_program(name: str, package: Path) -> None:
    before = inputs.program.__wrapped__()
    (package / name).write_text("another")

    assert inputs.program.__wrapped__() != before


@pytest.mark.parametrize("name", NOT_MADE_OF)
def test_another_text_of_any_other_file_is_the_same_program(name: str, package: Path) -> None:
    before = inputs.program.__wrapped__()
    (package / name).write_text("another")

    assert inputs.program.__wrapped__() == before
