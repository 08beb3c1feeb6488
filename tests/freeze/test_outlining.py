"""The OpenAPI document without content is made once for a program and its settings."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.test import override_settings

from api import outline
from site_mirror import inputs, outlining
from site_mirror.snapshot.crews import Crew
from site_mirror.snapshot.layout import OUTLINE
from site_mirror.snapshot.target import Target
from tests import rows
from tests.freeze import makers, processes

LIBRARY = "drf_spectacular.generators"


def release_of(site: Path) -> Path:
    return Target(site).current.resolve()


def test_a_release_has_the_outline_that_is_generated(small_site: Path) -> None:
    assert outlining.remembered(release_of(small_site)) == outline.generated()


def test_an_edit_is_published_without_generating_it_again(
    small_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    description = (Target(small_site).public / "openapi.json").read_bytes()
    monkeypatch.setattr(outline, "generated", lambda: 1 / 0)
    makers.edit("older", title_en="Another title")

    assert makers.freeze_into(small_site, makers.LATER).outcome == "published"
    assert (Target(small_site).public / "openapi.json").read_bytes() == description
    assert outlining.remembered(release_of(small_site))


def test_content_has_no_part_in_it(db: None) -> None:
    empty = outline.generated()
    makers.make_retired_site()

    assert outline.generated() == empty


def test_another_program_makes_its_own(small_site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "program", lambda: "another")

    assert outlining.remembered(release_of(small_site)) is None


def test_other_settings_make_their_own(small_site: Path) -> None:
    with override_settings(SPECTACULAR_SETTINGS={"TITLE": "Another"}):
        assert outlining.remembered(release_of(small_site)) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"of": 1}', "\N{NULL}"])
def test_one_that_cannot_be_read_is_made_again(small_site: Path, text: str) -> None:
    (release_of(small_site) / OUTLINE).write_text(text)
    rows.make_post(slug="a-third")

    assert outlining.begun(release_of(small_site))() == outline.generated()
    assert makers.freeze_into(small_site, makers.LATER).outcome == "published"


def test_one_that_somebody_changed_is_made_again(small_site: Path) -> None:
    kept = release_of(small_site) / OUTLINE
    kept.write_text(kept.read_text().replace("Studio Catalogue API", "Another API"))

    assert outlining.begun(release_of(small_site))() == outline.generated()


def test_one_of_a_crew_makes_it_where_there_is_a_crew() -> None:
    with ThreadPoolExecutor(1) as executor:
        outlined = outlining.begun(None, Crew(executor, 1))

    assert outlined() == outline.generated()


def test_who_has_a_crew_does_not_import_the_library(shipped_database: Path, tmp_path: Path) -> None:
    program = (
        "import sys, django; django.setup(); from django.core.management import call_command;"
        f"call_command('freeze', {str(tmp_path / 'site')!r}, '--jobs', '2', '--check');"
        f"print([name for name in sys.modules if name == {LIBRARY!r}])"
    )
    done = processes.run("-c", program, database=shipped_database)

    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_what_freezes_imports_no_view(tmp_path: Path) -> None:
    program = (
        "import sys, django; django.setup(); import site_mirror.freezing;"
        "print([name for name in sys.modules if name in sys.argv[1:]])"
    )
    names = (LIBRARY, "rest_framework.views", "site_mirror.urls")
    done = processes.run("-c", program, *names, database=tmp_path / "no.sqlite3")

    assert done.stdout == "[]\n"


def test_who_makes_it_imports_no_admin(tmp_path: Path) -> None:
    program = (
        "import sys, django; django.setup(); from api import schema; schema.fresh();"
        "print([name for name in sys.modules if name in sys.argv[1:]])"
    )
    names = (LIBRARY, "catalogue.admin", "unfold.admin", "site_mirror.urls")
    done = processes.run("-c", program, *names, database=tmp_path / "no.sqlite3")

    assert done.stdout == f"[{LIBRARY!r}]\n"
