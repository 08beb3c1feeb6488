"""Values to which each field of the catalogue can be changed; most of them are valid."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.apps import apps
from django.core.validators import RegexValidator
from django.db import models

from catalogue import rules
from catalogue.texts.fields import Line, Lines, Prose
from catalogue.texts.markdown_rules import validate_formula, validate_markdown
from tests import factories
from tests.freeze.incremental.corpus import DUE, ICON, LATE

LINES = ["Text", "Đo & <đếm>", "“A” \"b\" 'c'", "a | b * c _d_ `e`", "- 1. x"]
PROSE = ["Text.", "One line\nand another.\n\nA paragraph.", "<b>Bold</b> & *starred*, Ước."]
MARKDOWN = [
    "A body.",
    "Words. " * 300,
    "## A part\n\n**Bold** and `code`.\n\n| a | b |\n| - | - |\n| 1 | 2 |",
    "```python\nprint('one')\n```\n\nThe formula $v = f \\lambda$, and {site}.",
    "Of [an app](/apps/first) and [an article](/blog/middle).",
]
BY_PATTERN: Mapping[str, list[str]] = {
    rules.SLUG: ["another", "once-first", "once-middle", "oldest", "zero"],
    rules.YEAR: ["2018", "2024"],
    rules.YEAR_MONTH: ["2026-01", "2025-12"],
    rules.PARTIAL_DATE: ["2018", "2021-06-14", "2024-02"],
    rules.VERSION_NAME: ["v3", "v4"],
    rules.SEMANTIC_VERSION: ["2.1.0", "3.0.0"],
    rules.CONTACT: ["mailto:safe@studio.example", "https://studio.example/privacy"],
    rules.PATH_OR_SECURE_ADDRESS: ["/privacy", "https://safe.example/policy"],
    rules.PATH_OR_WEB_ADDRESS: ["/apps/first", "/blog/newest", "https://more.example/"],
}
BY_CHECK: Mapping[Any, list[str]] = {
    rules.validate_web_address: ["https://one.example/a", "https://two.example/b?c=d&e"],
    validate_markdown: MARKDOWN,
    validate_formula: ["a = b", r"\frac{a}{b}", r"e^{i \pi} < 0"],
}
BY_TYPE: Mapping[type[models.Field[Any, Any]], list[Any]] = {
    models.BooleanField: [True, False],
    models.PositiveIntegerField: [0, 1, 2, 9],
    models.BigIntegerField: [1, 1000],
    models.DecimalField: [Decimal(0), Decimal("0.125"), Decimal(48000)],
    models.DateField: [date(2024, 5, 5), date(2026, 2, 3)],
    models.DateTimeField: [factories.PAST - timedelta(days=400), factories.PAST, DUE, LATE],
    Lines: [["en"], ["vi", "en"], []],
    Prose: PROSE,
    Line: LINES,
}
BY_FIELD: Mapping[str, list[Any]] = {
    "catalogue.App.icon_svg": [ICON, ICON.replace("h1v1z", "h1v2z")],
    "catalogue.Studio.country": ["VN", "NZ"],
    "catalogue.Studio.email": ["hello@studio.example", "us@studio.example"],
}
"""Values of fields whose rules are not patterns."""

Field = models.Field[Any, Any]


def list_models() -> list[type[models.Model]]:
    return list(apps.get_app_config("catalogue").get_models())


def list_changeable_fields(model: type[models.Model]) -> Iterator[Field]:
    """Yield every column except primary keys and generated ones."""
    for field in model._meta.concrete_fields:
        if not field.primary_key and not isinstance(field, models.GeneratedField):
            yield field


def list_relations(model: type[models.Model]) -> list[Any]:
    return list(model._meta.many_to_many)


def list_values(field: Field) -> list[Any]:
    """Return values of a field; raise `LookupError` for a field without known values."""
    empty = [""] if field.blank and field.empty_strings_allowed else []
    return [*list_known_values(field), *empty, *([None] if field.null else [])]


def list_known_values(field: Field) -> list[Any]:
    if str(field) in BY_FIELD:
        return BY_FIELD[str(field)]
    if field.choices:
        return [value for value, label in field.flatchoices]
    if isinstance(field, models.ForeignKey):
        return list(field.related_model._base_manager.order_by("pk").values_list("pk", flat=True))
    for check in field.validators:
        if isinstance(check, RegexValidator) and find_pattern(check) in ANCHORED:
            return ANCHORED[find_pattern(check)]
        for known, found in BY_CHECK.items():
            if check is known:
                return found
    return BY_TYPE[type(field)]


def find_pattern(check: RegexValidator) -> str:
    return re.compile(check.regex).pattern


ANCHORED = {rules.anchor_pattern(pattern): values for pattern, values in BY_PATTERN.items()}
