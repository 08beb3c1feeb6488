from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import Model, Q

from catalogue import rules
from tests.catalogue.constraints import BREACHES, constraints
from tests.factories import make_app, make_entry, make_studio

EVERYWHERE_REFUSED = [" ", "\n", "é", "a b", "\u200b"]
VALUES: dict[str, tuple[list[str], list[str]]] = {
    rules.SLUG: (
        ["a", "a-b", "a1", "0", "-", "tilt-and-gravity"],
        ["A", "An-App", "a_b", "a.b", "a/b", "a\n", "\na", " a", "a ", "điện", "a１", "a\n\nb"],
    ),
    rules.YEAR: (
        ["2019", "0000", "9999"],
        ["19", "201", "201x", "２０１９", "٢٠١٩", "-201", "2019\n", "\n201", " 201", "+201"],
    ),
    rules.YEAR_MONTH: (
        ["2026-01", "2026-09", "2026-12"],
        ["2026", "2026-0", "2026-00", "2026-13", "2026-9", "2026/09", "2026-9\n", "２026-09"],
    ),
    rules.PARTIAL_DATE: (
        ["2026", "2026-02", "2026-12", "2026-02-28", "2024-02-29", "2026-10-31"],
        [
            *("2026-", "2026-13", "2026-00", "2026-2", "2026-02-", "2026-02-00", "2026-02-32"),
            *("26-02-01", "2026-2-1", "2026\n", "2026-02\n", "2026/02", "２０２６", "today"),
        ],
    ),
    rules.VERSION_NAME: (
        ["v1", "v2", "v10", "v999"],
        ["v0", "v01", "v", "1", "V1", "v1.0", "v1\n", " v1", "v１", "v-1"],
    ),
    rules.SEMANTIC_VERSION: (
        ["0.0.0", "0.1.0", "1.0.0", "10.20.30"],
        [
            *("1", "1.0", "1.0.0.0", "01.0.0", "1.00.0", "1.0.01", "v1.0.0", "1.0.0-a"),
            *("1.0.0\n", "1.0.", "1..0", "１.0.0", " 1.0.0", "1,0,0"),
        ],
    ),
    rules.WEB_ADDRESS: (
        ["https://studio.example", "http://studio.example/a?b=c#d", "https://127.0.0.1:8000/"],
        [
            *("studio.example", "//studio.example", "/apps", "ftp://studio.example"),
            *("javascript:alert(1)", "https://", "https:// studio.example", "mailto:a@b.example"),
            *("https://studio.example\n", "\nhttps://studio.example", "https://a.example/a b"),
            *("HTTPS://studio.example", " https://studio.example", "xhttps://studio.example"),
            *("https://a.example/a|b", 'https://a.example/"x"', "https://a.example/\\x"),
            *("https://a.example/%zz", "https://a.example/a#b#c", "https://u:p@a.example/"),
            *("https://[", "https://-a.example", "https://a.example:port/"),
        ],
    ),
    rules.PATH_OR_WEB_ADDRESS: (
        ["/", "/apps/wheria", "/vi/blog/a#b", "https://studio.example/a", "http://a.example"],
        [
            *("apps/wheria", "#a", "?a", "a.example", "javascript:alert(1)", "mailto:a@b.example"),
            *("//evil.example", "/a|b", "/a^b", "/a%zz", "/a#b#c", "https://[", "https://"),
            *("/a b", "/a\n", "\n/a", " /a", "/a\tb", "ftp://a.example", "/a\u00a0b", "/a\u3000b"),
        ],
    ),
    rules.CONTACT: (
        ["mailto:security@studio.example", "https://studio.example/report"],
        [
            *("security@studio.example", "mailto:", "mailto:a", "mailto:@", "tel:+84", "https://"),
            *("http://studio.example", "mailto:a b@c.example", "mailto:a@b.example\n", "/report"),
        ],
    ),
    rules.PATH_OR_SECURE_ADDRESS: (
        ["/", "/privacy#reporting-a-weakness", "https://studio.example/security"],
        [
            *("privacy", "#a", "http://studio.example", "https://", "javascript:alert(1)"),
            *("/a b", "/a\n", "\n/a", " /a", "mailto:a@b.example"),
        ],
    ),
}
LANGUAGES = {
    "": True,
    "en": True,
    "en\nvi": True,
    **dict.fromkeys(["EN", "english", "en vi", "en\nv", "e１"], False),
}


def find_pattern(condition: Q) -> str:
    """Return the pattern of a constraint."""
    for part in condition.children:
        if isinstance(part, Q):
            return find_pattern(part)
        if part[0].endswith("__regex"):
            return str(part[1])
    raise LookupError


def list_cases() -> list[Any]:
    """Return every constraint with a pattern, and for each value whether it is allowed."""
    table = {
        rules.anchor_pattern(pattern): dict.fromkeys(accepted, True)
        | dict.fromkeys([*refused, *EVERYWHERE_REFUSED], False)
        for pattern, (accepted, refused) in VALUES.items()
    }
    return [
        pytest.param(name, table[find_pattern(constraint.condition)], id=name)
        for name, (_, constraint) in constraints().items()
        if name.endswith("_has_its_pattern")
    ]


def is_allowed_by_database(row: Model, field: str, value: str) -> bool:
    """Tell whether the database accepts a value that the field did not clean."""
    statement = f"UPDATE {row._meta.db_table} SET {field} = %s WHERE id = %s"  # noqa: S608
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, [value, row.pk])
    except IntegrityError:
        return False
    return True


def is_allowed_by_validation(row: Model, field: str, value: str) -> bool:
    setattr(row, field, value)
    try:
        row.full_clean()
    except ValidationError as error:
        return field not in error.message_dict
    return True


@pytest.mark.parametrize(
    ("name", "values"), [*list_cases(), ("studio_languages_are_codes", LANGUAGES)]
)
@pytest.mark.django_db
@pytest.mark.postgresql
def test_validation_and_the_database_accept_the_values_of_a_pattern(
    name: str, values: dict[str, bool]
) -> None:
    """Only an optional value may be empty; validation refuses a value that is too long, too.

    It may accept a text that is stored in another form, if the database accepts that form.
    """
    field = BREACHES[name].field
    row = BREACHES[name].make()
    column = row._meta.get_field(field)
    expected = {**values, "": column.blank}
    fitting = {
        value: allowed
        for value, allowed in expected.items()
        if len(value) <= (column.max_length or len(value))
    }

    judged = {each: is_allowed_by_validation(row, field, each) for each in expected}
    assert {each: judged[each] for each in expected if column.get_prep_value(each) == each} == {
        each: fitting.get(each, False) for each in expected if column.get_prep_value(each) == each
    }
    stored = {column.get_prep_value(each) for each, allowed in judged.items() if allowed}
    assert all(is_allowed_by_database(row, field, each) for each in stored)
    assert {each: is_allowed_by_database(row, field, each) for each in fitting} == fitting


@pytest.mark.parametrize(
    "value", ["2026-02-30", "2026-02-29", "2026-04-31", "1900-02-29", "0000", "0000-01-01"]
)
@pytest.mark.django_db
def test_an_impossible_date_is_refused(value: str) -> None:
    row = make_entry()
    row.date = value
    with pytest.raises(ValidationError) as refused:
        row.full_clean()

    assert refused.value.message_dict == {
        "date": [f"“{value}” is not on the calendar. {rules.PATTERN_MESSAGES[rules.PARTIAL_DATE]}"]
    }


@pytest.mark.django_db
def test_an_address_without_a_real_host_is_refused() -> None:
    app, studio = make_app(), make_studio()

    for value in ("https://studio", "https://-a.example", "http://a..example"):
        assert not is_allowed_by_validation(app, "app_store", value)
    for value in ("a@", "@a.example", "a b@a.example", "a@a", "a@a.example\n"):
        assert not is_allowed_by_validation(studio, "email", value)
