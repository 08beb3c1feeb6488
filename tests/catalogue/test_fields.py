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

from catalogue.models import App
from catalogue.texts.fields import Line, Lines, Prose, normalize_text
from tests.factories import list_tables, make_app

TYPED_VALUES = {
    "description_en": unicodedata.normalize("NFD", "\n    Điện thoại\r\nmột\rhai\n "),
    "name": unicodedata.normalize("NFD", "Máy đo"),
    "stack": [unicodedata.normalize("NFD", "Cảm biến"), "Kotlin"],
}
STORED = ("    Điện thoại\nmột\nhai", "Máy đo", "Cảm biến\nKotlin")


def read_columns() -> tuple[str, str, str]:
    """Read columns of the only app by SQL, without the fields of Django."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT description_en, name, stack FROM catalogue_app")
        found: tuple[str, str, str] = cursor.fetchone()
        return found


def assign_values() -> App:
    app = make_app()
    for name, value in TYPED_VALUES.items():
        setattr(app, name, value)
    return app


def write_by_save(folder: Path) -> None:
    assign_values().save()


def write_by_update(folder: Path) -> None:
    make_app()
    App.objects.update(**TYPED_VALUES)


def write_by_fixture(folder: Path) -> None:
    load_changed(make_app(), TYPED_VALUES, folder)


def load_changed(row: Any, values: dict[str, Any], folder: Path) -> None:
    """Replace a row by one of a fixture with other values."""
    (content,) = yaml.safe_load(serializers.serialize("yaml", [row]))
    content["fields"] |= values
    row.delete()
    file = folder / "row.yaml"
    file.write_text(yaml.safe_dump([content], allow_unicode=True))
    call_command("loaddata", str(file), verbosity=0)


@pytest.mark.parametrize(
    "write",
    [write_by_save, write_by_update, write_by_fixture],
)
@pytest.mark.django_db
def test_every_way_of_writing_stores_composed_texts_with_unix_line_ends(
    write: Callable[[Path], None], tmp_path: Path
) -> None:
    write(tmp_path)

    assert read_columns() == STORED


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(TEXTS))
def test_storing_a_stored_text_changes_nothing(lines: list[str]) -> None:
    once = normalize_text("\n".join(lines))
    field = Lines()
    stored = field.get_prep_value(lines)

    assert normalize_text(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert "\r" not in once
    assert field.get_prep_value(field.from_db_value(stored)) == stored
    assert all(line == line.strip() != "" for line in field.to_python(stored))


def list_text_columns() -> list[Any]:
    return [
        pytest.param(field, id=f"{model.__name__}.{field.name}")
        for model in list_tables()
        for field in model._meta.concrete_fields
        if isinstance(field, Line | Prose | Lines)
    ]


CONTROLS = "\x00\x07\x08\x0b\x0c\x1b\x1f\x7f\x85\x9f\ufffe\ufdd0\u202e\u2066"


@pytest.mark.parametrize("field", list_text_columns())
def test_every_text_column_refuses_control_characters(field: Any) -> None:
    for character in CONTROLS:
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


def test_prose_may_have_lines_but_no_lone_surrogate() -> None:
    Prose().run_validators("one\n\ntwo")
    with pytest.raises(ValidationError):
        Prose().run_validators("a\ud800b")
