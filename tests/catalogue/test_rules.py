from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import Model, UniqueConstraint

from catalogue import rules
from catalogue.models import ApiVersion, App, Post, Statistic, Symbol
from tests.catalogue.constraints import ANNOUNCED, BREACHES, RETIREMENT, Breach, constraints
from tests.factories import (
    make_app,
    make_post,
    make_statistic,
    make_symbol,
    make_topic,
    make_version,
)

HEALED = {name for name in BREACHES if name.endswith("_published_has_a_moment")}

"""`clean` gives a published row its moment, so no form breaks these constraints."""


NAMES = pytest.mark.parametrize("name", BREACHES)


def make_invalid_row(breach: Breach) -> Model:
    row = breach.make()
    for field, value in breach.values.items():
        setattr(row, field, value)
    return row


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
def test_the_database_refuses_an_update_and_names_the_constraint(name: str) -> None:
    row = BREACHES[name].make()
    rows = type(row)._default_manager.filter(pk=row.pk)
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        rows.update(**BREACHES[name].values)

    assert read_refusal(refused.value) == find_expected_name(name)


@pytest.mark.django_db
@pytest.mark.parametrize("name", [name for name in BREACHES if name != "revision_is_one_row"])
@pytest.mark.postgresql
def test_the_database_refuses_rows_made_in_bulk_and_names_the_constraint(name: str) -> None:
    row = make_invalid_row(BREACHES[name])
    rows = type(row)._default_manager
    rows.filter(pk=row.pk).delete()
    if name != "studio_is_one_row":
        row.pk = row._meta.pk.get_default()
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        rows.bulk_create([row])

    assert read_refusal(refused.value) == find_expected_name(name)


@pytest.mark.parametrize("name", [name for name in BREACHES if name not in HEALED])
@pytest.mark.django_db
def test_an_editor_reads_a_sentence_at_the_field_to_correct(name: str) -> None:
    row = make_invalid_row(BREACHES[name])
    with pytest.raises(ValidationError) as refused:
        row.full_clean()
    messages = refused.value.message_dict

    assert messages.keys() == {BREACHES[name].field}
    assert all(text.endswith(".") for texts in messages.values() for text in texts), messages
    assert all(not text[0].islower() for texts in messages.values() for text in texts), messages


@NAMES
@pytest.mark.django_db
def test_each_row_is_valid_before_its_breach(name: str) -> None:
    BREACHES[name].make().full_clean()


@pytest.mark.django_db
@pytest.mark.postgresql
def test_a_sunset_exactly_180_days_after_its_announcement_is_allowed() -> None:
    version = make_version(**RETIREMENT)
    version.full_clean()

    assert (version.sunset - ANNOUNCED).days == 180


@pytest.mark.parametrize("missing", ["deprecation", "sunset"])
@pytest.mark.parametrize("status", ["deprecated", "sunset"])
@pytest.mark.django_db
@pytest.mark.postgresql
def test_a_retirement_with_one_of_its_two_moments_is_refused(missing: str, status: str) -> None:
    values = RETIREMENT | {"status": status, "sunset": ANNOUNCED + timedelta(days=400)}
    version = ApiVersion(version="v1", api_version="1.0.0", released="2025-02-10", **values)
    setattr(version, missing, None)
    with pytest.raises(ValidationError) as validation:
        version.full_clean()
    with pytest.raises(IntegrityError) as database, transaction.atomic():
        version.save()

    assert validation.value.message_dict.keys() == {"status"}
    assert read_refusal(database.value) == "apiversion_current_has_no_announcement"


@pytest.mark.parametrize(
    ("counts", "value", "display", "allowed"),
    [
        ("", 24, "24", True),
        ("", 0, "0", True),
        ("", -1, "-1", False),
        ("", None, "24", False),
        ("", 24, "", False),
        ("live_apps", None, "", True),
        ("live_apps", 4, "", False),
        ("live_apps", None, "4", False),
    ],
)
@pytest.mark.django_db
@pytest.mark.postgresql
def test_a_statistic_is_either_typed_or_counted(
    counts: str,
    value: int | None,
    display: str,
    allowed: bool,
) -> None:
    counted = {"counts": "live_apps", "value": None, "display": ""}
    row = make_statistic(**{"slug": "shipped-apps", **counted} if counts else {})
    values = {"counts": counts, "value": value, "display": display}
    for field, given in values.items():
        setattr(row, field, given)

    assert is_valid(row) == allowed
    assert is_writable(Statistic, row.pk, values) == allowed


@pytest.mark.parametrize(
    ("title", "excerpt", "body", "allowed"),
    [
        ("", "", "", True),
        ("Bài", "Tóm tắt.", "Thân bài.", True),
        ("Bài", "", "", False),
        ("", "Tóm tắt.", "", False),
        ("", "", "Thân bài.", False),
        ("Bài", "Tóm tắt.", "", False),
        ("", "Tóm tắt.", "Thân bài.", False),
    ],
)
@pytest.mark.django_db
@pytest.mark.postgresql
def test_a_post_is_translated_completely_or_not_at_all(
    title: str,
    excerpt: str,
    body: str,
    allowed: bool,
) -> None:
    row = make_post()
    values = {"title_vi": title, "excerpt_vi": excerpt, "body_vi": body}
    for field, given in values.items():
        setattr(row, field, given)

    assert is_valid(row) == allowed
    assert is_writable(Post, row.pk, values) == allowed


def is_valid(row: Model) -> bool:
    try:
        row.full_clean()
    except ValidationError:
        return False
    return True


def is_writable(model: type[Model], pk: int, values: dict[str, Any]) -> bool:
    try:
        with transaction.atomic():
            model._default_manager.filter(pk=pk).update(**values)
    except IntegrityError:
        return False
    return True


@pytest.mark.django_db
def test_a_rule_on_a_field_that_is_left_out_is_not_reported() -> None:
    app = make_app()
    app.slug = "An App"
    app.validate_constraints(exclude={"slug"})
    app.full_clean(exclude={"slug"})

    assert App.objects.get().slug == "an-app"


@pytest.mark.django_db
@pytest.mark.postgresql
def test_every_rule_survives_its_migration() -> None:
    _, rule = constraints()["app_slug_has_its_pattern"]
    _, _, options = rule.deconstruct()
    again = type(rule)(**options)

    assert again == rule
    assert again.field == "slug"


@pytest.mark.django_db
@pytest.mark.postgresql
def test_the_same_symbol_may_stand_in_two_topics() -> None:
    make_symbol()
    make_symbol(topic=make_topic(slug="another-topic")).full_clean()

    assert Symbol.objects.count() == 2


@pytest.mark.parametrize("character", ["\u202e", "\u2066", "\x07", "\x00"])
def test_a_character_that_hides_what_is_stored_is_refused(character: str) -> None:
    with pytest.raises(ValidationError, match="control character"):
        rules.validate_printable(f"a{character}b")


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
