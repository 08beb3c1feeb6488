"""The OpenAPI document without content is generated once for a program and its settings."""

from pathlib import Path

import pytest
from django.test import override_settings

from api import schema_outline
from api.schema import read_outline
from site_mirror.documents import digests
from site_mirror.freeze import up_to_date
from site_mirror.snapshot.layout import STATE
from site_mirror.snapshot.target import Target
from tests import factories
from tests.freeze import processes, sites

ALL_TEXTS = pytest.mark.exhaustive("freezes a site for each unreadable state")
LIBRARY = "drf_spectacular.generators"


def read_published_outline(site: Path) -> bytes:
    """Return the outline of the published release, if it is of this program and these settings."""
    return up_to_date.published_outline(Target(site).release)


def test_a_release_has_the_outline_that_is_generated(small_site: Path) -> None:
    assert read_published_outline(small_site) == read_outline()


def test_an_edit_is_published_without_generating_it_again(
    small_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    description = (Target(small_site).public / "openapi.json").read_bytes()
    monkeypatch.setattr("site_mirror.freeze.site.read_outline", lambda: 1 / 0)
    sites.edit_post("older", title_en="Another title")

    assert sites.freeze_into(small_site, sites.LATER).outcome == "published"
    assert (Target(small_site).public / "openapi.json").read_bytes() == description
    assert read_published_outline(small_site)


def test_the_openapi_outline_does_not_depend_on_content(db: None) -> None:
    schema_outline.generate_outline.cache_clear()
    empty = read_outline()
    sites.make_retired_site()
    schema_outline.generate_outline.cache_clear()

    assert read_outline() == empty


def test_a_process_generates_the_openapi_outline_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read_outline()
    monkeypatch.setattr(schema_outline, "SchemaGenerator", lambda **options: 1 / 0)

    assert read_outline()


def test_the_openapi_outline_of_another_program_is_not_reused(
    small_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digests, "program_digest", lambda: "another")

    assert read_published_outline(small_site) == b""


def test_the_openapi_outline_of_other_settings_is_not_reused(small_site: Path) -> None:
    with override_settings(SPECTACULAR_SETTINGS={"TITLE": "Another"}):
        assert read_published_outline(small_site) == b""


@pytest.mark.parametrize(
    "text",
    [
        "",
        '{"inputs": 1}',
        *(pytest.param(text, marks=ALL_TEXTS) for text in ("[]", "{}", "\N{NULL}")),
    ],
)
def test_an_unreadable_openapi_outline_is_generated_again(small_site: Path, text: str) -> None:
    (Target(small_site).current / STATE).write_text(text)
    factories.make_post(slug="a-third")

    assert read_published_outline(small_site) == b""
    assert sites.freeze_into(small_site, sites.LATER).outcome == "published"


def test_a_changed_openapi_outline_is_generated_again(small_site: Path) -> None:
    state = Target(small_site).current / STATE
    state.write_text(state.read_text().replace("Studio Catalogue API", "Another API"))

    assert read_published_outline(small_site) == b""


def test_the_freeze_of_the_site_imports_no_view(tmp_path: Path) -> None:
    program = (
        "import sys, django; django.setup(); import site_mirror.freeze.site;"
        "print([name for name in sys.modules if name in sys.argv[1:]])"
    )
    names = (LIBRARY, "rest_framework.views", "site_mirror.urls")
    done = processes.run("-c", program, *names, database=tmp_path / "no.sqlite3")

    assert done.stdout == "[]\n"


def test_generating_the_openapi_outline_imports_no_admin(tmp_path: Path) -> None:
    program = (
        "import sys, django; django.setup(); from api import schema; schema.read_outline();"
        "print([name for name in sys.modules if name in sys.argv[1:]])"
    )
    names = (LIBRARY, "catalogue.admin", "unfold.admin", "site_mirror.urls")
    done = processes.run("-c", program, *names, database=tmp_path / "no.sqlite3")

    assert done.stdout == f"[{LIBRARY!r}]\n"
