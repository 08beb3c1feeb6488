from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import Model, UniqueConstraint

from catalogue.models import ApiVersion, Symbol
from tests.catalogue.constraints import ANNOUNCED, BREACHES, RETIREMENT, constraints
from tests.factories import make_post, make_statistic, make_symbol, make_topic, make_version

NAMES = pytest.mark.parametrize("name", BREACHES)


def set_values(row: Model, values: dict[str, Any]) -> None:
    for field, value in values.items():
        setattr(row, field, value)


def find_expected_name(name: str) -> str:
    """Return the name in an error: SQLite names a unique constraint by its columns."""
    model, constraint = constraints()[name]
    if connection.vendor != "sqlite" or not isinstance(constraint, UniqueConstraint):
        return name
    columns = (model._meta.get_field(field).column for field in constraint.fields)
    return ", ".join(f"{model._meta.db_table}.{column}" for column in columns)


def read_refusal(error: IntegrityError) -> str:
    if connection.vendor == "sqlite":
        return str(error).rpartition("failed: ")[2]
    return str(error.__cause__.diag.constraint_name)  # type: ignore[union-attr]


def test_every_constraint_has_a_breach_and_every_breach_its_constraint() -> None:
    assert BREACHES.keys() == constraints().keys()


@NAMES
@pytest.mark.django_db
@pytest.mark.postgresql
def test_the_database_refuses_a_breach_and_names_the_constraint(name: str) -> None:
    """An update is refused, and so is a row made in bulk, which no form has seen."""
    row = BREACHES[name].make()
    rows = type(row)._default_manager
    with pytest.raises(IntegrityError) as updated, transaction.atomic():
        rows.filter(pk=row.pk).update(**BREACHES[name].values)
    assert read_refusal(updated.value) == find_expected_name(name)
    if name == "revision_is_one_row":
        return  # Triggers write it.

    rows.filter(pk=row.pk).delete()
    row.pk = row._meta.pk.get_default()
    set_values(row, BREACHES[name].values)
    with pytest.raises(IntegrityError) as created, transaction.atomic():
        rows.bulk_create([row])
    assert read_refusal(created.value) == find_expected_name(name)


@NAMES
@pytest.mark.django_db
def test_an_editor_reads_a_sentence_at_the_field_to_correct(name: str) -> None:
    row = BREACHES[name].make()
    row.full_clean()
    set_values(row, BREACHES[name].values)
    if name.endswith(
        ("_published_has_a_moment", "image_has_a_size", "image_format_is_one_of_its_values")
    ):
        return  # No form breaks these: it sets the moment, and takes size and format of the file.
    with pytest.raises(ValidationError) as refused:
        row.full_clean()
    messages = refused.value.message_dict

    assert messages.keys() == {BREACHES[name].field}
    assert all(text.endswith(".") for texts in messages.values() for text in texts), messages
    assert all(not text[0].islower() for texts in messages.values() for text in texts), messages


@pytest.mark.parametrize(
    "missing", [("deprecation",), ("sunset",), ("deprecation", "sunset")], ids=" ".join
)
@pytest.mark.parametrize("status", ["deprecated", "sunset"])
@pytest.mark.django_db
@pytest.mark.postgresql
def test_a_retirement_without_one_of_its_two_moments_is_refused(
    missing: tuple[str, ...], status: str
) -> None:
    values = RETIREMENT | {"status": status, "sunset": ANNOUNCED + timedelta(days=400)}
    version = ApiVersion(version="v1", api_version="1.0.0", released="2025-02-10", **values)
    set_values(version, dict.fromkeys(missing))
    with pytest.raises(ValidationError, match="has both moments") as validation:
        version.full_clean()
    with pytest.raises(IntegrityError) as database, transaction.atomic():
        version.save()

    assert validation.value.message_dict.keys() == {"status"}
    assert read_refusal(database.value) == "apiversion_current_has_no_announcement"


def check_both(row: Model, fields: tuple[str, ...], *values: Any, allowed: bool) -> None:
    """Check that validation and the database give the same answer on values of a row."""
    changes = dict(zip(fields, values, strict=True))
    set_values(row, changes)

    assert is_valid(row) == is_writable(row, changes) == allowed, changes


def is_valid(row: Model) -> bool:
    try:
        row.full_clean()
    except ValidationError:
        return False
    return True


def is_writable(row: Model, values: dict[str, Any]) -> bool:
    try:
        with transaction.atomic():
            type(row)._default_manager.filter(pk=row.pk).update(**values)
    except IntegrityError:
        return False
    return True


@pytest.mark.django_db
@pytest.mark.postgresql
def test_a_statistic_is_either_typed_or_counted() -> None:
    fields = ("value", "display")
    typed = make_statistic()
    for value, display, allowed in [
        (24, "24", True),
        (0, "0", True),
        (-1, "-1", False),
        (None, "24", False),
        (24, "", False),
    ]:
        check_both(typed, fields, value, display, allowed=allowed)
    counted = make_statistic(slug="shipped-apps", value=None, display="")
    for value, display, allowed in [(None, "", True), (4, "", False), (None, "4", False)]:
        check_both(counted, fields, value, display, allowed=allowed)


@pytest.mark.django_db
@pytest.mark.postgresql
def test_a_post_is_translated_completely_or_not_at_all() -> None:
    post = make_post()
    for title, excerpt, body, allowed in [
        ("", "", "", True),
        ("Bài", "Tóm tắt.", "Thân bài.", True),
        ("Bài", "", "", False),
        ("", "Tóm tắt.", "", False),
        ("", "", "Thân bài.", False),
        ("Bài", "Tóm tắt.", "", False),
        ("", "Tóm tắt.", "Thân bài.", False),
    ]:
        fields = ("title_vi", "excerpt_vi", "body_vi")
        check_both(post, fields, title, excerpt, body, allowed=allowed)


@pytest.mark.django_db
@pytest.mark.postgresql
def test_the_same_symbol_may_stand_in_two_topics() -> None:
    make_symbol()
    make_symbol(topic=make_topic(slug="another-topic")).full_clean()

    assert Symbol.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("days", [-1, 1])
@pytest.mark.postgresql
def test_the_moment_of_an_announcement_stays_as_it_was_set(days: int) -> None:
    version = make_version(**RETIREMENT)
    version.announced += timedelta(days=days)
    version.sunset += timedelta(days=365)
    version.full_clean()
    version.save()

    assert ApiVersion.objects.get().announced == ANNOUNCED
