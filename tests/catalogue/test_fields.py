import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core import serializers
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from catalogue.fields import Line, Lines, Prose, normalize_text
from catalogue.models import App, Studio, Tag
from tests.factories import list_tables, make_app, make_studio, make_tag

DECOMPOSED = unicodedata.normalize("NFD", "Điện thoại\r\nmột\rhai")
STORED = "Điện thoại\nmột\nhai"


def read_columns(app: App) -> tuple[str, str, str]:
    """Read columns by SQL, without the fields of Django."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT description_en, name, stack FROM catalogue_app WHERE id = %s", [app.pk]
        )
        found: tuple[str, str, str] = cursor.fetchone()
        return found


TYPED_VALUES = {
    "description_en": DECOMPOSED,
    "name": unicodedata.normalize("NFD", "Máy đo"),
    "stack": [unicodedata.normalize("NFD", "Cảm biến"), "Kotlin"],
}


def assign_values() -> App:
    app = make_app()
    for name, value in TYPED_VALUES.items():
        setattr(app, name, value)
    return app


def write_by_save() -> App:
    app = assign_values()
    app.save()
    return app


def write_by_create() -> App:
    return make_app(**TYPED_VALUES)


def write_by_update() -> App:
    app = make_app()
    App.objects.filter(pk=app.pk).update(**TYPED_VALUES)
    return app


def write_by_bulk_update() -> App:
    app = assign_values()
    App.objects.bulk_update([app], list(TYPED_VALUES))
    return app


def write_by_bulk_create() -> App:
    app = assign_values()
    App.objects.all().delete()
    app.pk = None
    return App.objects.bulk_create([app])[0]


@pytest.mark.parametrize(
    "write",
    [write_by_save, write_by_create, write_by_update, write_by_bulk_update, write_by_bulk_create],
)
@pytest.mark.django_db
def test_every_way_of_writing_stores_composed_texts_with_unix_line_ends(
    write: Callable[[], App],
) -> None:
    assert read_columns(write()) == (STORED, "Máy đo", "Cảm biến\nKotlin")


@pytest.mark.django_db
def test_a_fixture_is_stored_composed_with_unix_line_ends(tmp_path: Path) -> None:
    (row,) = yaml.safe_load(serializers.serialize("yaml", [make_app()]))
    row["fields"] |= TYPED_VALUES
    App.objects.all().delete()
    file = tmp_path / "apps.yaml"
    file.write_text(yaml.safe_dump([row], allow_unicode=True))
    call_command("loaddata", str(file), verbosity=0)

    assert read_columns(App.objects.get()) == (STORED, "Máy đo", "Cảm biến\nKotlin")


@pytest.mark.django_db
def test_a_decomposed_text_is_found_by_its_composed_form() -> None:
    make_tag(name_en=unicodedata.normalize("NFD", "Điện"))

    assert Tag.objects.filter(name_en=unicodedata.normalize("NFD", "Điện")).exists()
    assert Tag.objects.filter(name_en="Điện").exists()


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(TEXTS)
def test_composing_a_composed_text_changes_nothing(text: str) -> None:
    once = normalize_text(text)

    assert normalize_text(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert "\r" not in once


@given(st.lists(TEXTS))
def test_a_stored_list_of_lines_is_read_unchanged(lines: list[str]) -> None:
    field = Lines()
    stored = field.get_prep_value(lines)

    assert field.get_prep_value(field.from_db_value(stored)) == stored
    assert all(line == line.strip() != "" for line in field.to_python(stored))


def list_text_columns() -> list[Any]:
    return [
        pytest.param(model, field, id=f"{model.__name__}.{field.name}")
        for model in list_tables()
        for field in model._meta.concrete_fields
        if isinstance(field, Line | Prose | Lines)
    ]


@pytest.mark.parametrize(("model", "field"), list_text_columns())
@pytest.mark.parametrize(
    "character",
    [
        "\x00",
        "\x07",
        "\x08",
        "\x0b",
        "\x0c",
        "\x1b",
        "\x1f",
        "\x7f",
        "\x85",
        "\x9f",
        "\ufffe",
        "\ufdd0",
    ],
)
def test_every_text_column_refuses_control_characters(
    model: type[Any], field: Any, character: str
) -> None:
    text = f"a{character}b"
    with pytest.raises(ValidationError) as refused:
        field.run_validators([text] if isinstance(field, Lines) else text)

    assert (
        f"The text contains the control character U+{ord(character):04X}; remove it."
        in refused.value.messages
    )


@pytest.mark.parametrize("line_end", ["\n", "\r", "\r\n", "\u2028", "\u2029"])
def test_a_text_of_one_line_refuses_a_line_break(line_end: str) -> None:
    with pytest.raises(ValidationError):
        Line(max_length=40).run_validators(f"one{line_end}two")


@pytest.mark.parametrize("text", ["Điện thoại", "a\tb", "👩‍🔬 ← Ω", "“quoted” – and more…"])
@pytest.mark.parametrize("field", [Line(max_length=40), Prose()])
def test_texts_without_control_characters_are_allowed(field: Any, text: str) -> None:
    field.run_validators(text)

    assert field.get_prep_value(text) == text


def test_prose_may_have_lines() -> None:
    Prose().run_validators("one\n\ntwo")


def test_a_lone_surrogate_is_refused_by_validation() -> None:
    with pytest.raises(ValidationError):
        Prose().run_validators("a\ud800b")


@pytest.mark.parametrize("name", ["description_en", "icon_svg"])
def test_line_ends_of_a_browser_are_accepted_by_the_form(name: str) -> None:
    field = App._meta.get_field(name).formfield()

    assert field.clean("<svg>\r\n</svg>\r\n") == "<svg>\n</svg>"


@pytest.mark.django_db
def test_lines_are_a_list_after_a_save_and_a_refresh() -> None:
    app = make_app(stack=["Swift", "SQLite full-text search"])
    app.refresh_from_db()

    assert app.stack == ["Swift", "SQLite full-text search"]
    assert App.objects.values_list("stack", flat=True).get() == app.stack


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ([], []),
        ("", []),
        ("en\nvi", ["en", "vi"]),
        ("en\r\nvi\r\n", ["en", "vi"]),
        ([" en ", "", "vi"], ["en", "vi"]),
        (["en\nvi"], ["en", "vi"]),
    ],
)
@pytest.mark.django_db
def test_empty_lines_of_a_list_are_not_stored(given: Any, read: list[str]) -> None:
    make_studio(languages=given)

    assert Studio.objects.get().languages == read


@pytest.mark.django_db
def test_lines_are_a_list_after_validation() -> None:
    studio = make_studio()
    studio.languages = "en\r\nvi"
    studio.full_clean()

    assert studio.languages == ["en", "vi"]


@pytest.mark.parametrize("lines", [[], ["Swift"], ["Swift", "Dữ liệu: tệp", "- đo", "#4", "yes"]])
@pytest.mark.django_db
def test_lines_are_dumped_to_a_fixture_and_loaded_unchanged(
    lines: list[str], tmp_path: Path
) -> None:
    make_app(stack=lines)
    file = tmp_path / "apps.yaml"
    call_command("dumpdata", "catalogue.app", natural_primary=True, output=str(file), verbosity=0)
    App.objects.all().delete()
    call_command("loaddata", str(file), verbosity=0)

    assert App.objects.get().stack == lines


@pytest.mark.django_db
def test_a_fixture_may_give_lines_as_a_list(tmp_path: Path) -> None:
    (row,) = yaml.safe_load(serializers.serialize("yaml", [make_studio()]))
    row["fields"]["languages"] = ["en", "vi"]
    file = tmp_path / "studio.yaml"
    file.write_text(yaml.safe_dump([row]))
    call_command("loaddata", str(file), verbosity=0)

    assert Studio.objects.get().languages == ["en", "vi"]
