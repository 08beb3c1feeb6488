"""The formats of days in both languages."""

from datetime import date

import pytest
from django.utils.formats import date_format
from django.utils.translation import override

from catalogue.localized import ENGLISH, VIETNAMESE
from site_mirror.pages import days

DJANGO_FORMATS = {
    ENGLISH: ("j F Y", "F Y"),
    VIETNAMESE: (r"j \t\h\á\n\g n \n\ă\m Y", r"\t\h\á\n\g n \n\ă\m Y"),
}


@pytest.mark.parametrize("language", DJANGO_FORMATS)
@pytest.mark.parametrize("month", range(1, 13))
def test_days_and_months_have_the_formats_of_django(language: str, month: int) -> None:
    value = date(2021, month, month)
    day_format, month_format = DJANGO_FORMATS[language]

    with override(language):
        assert days.format_day(language, value) == date_format(value, day_format)
        assert days.format_partial_date(language, f"{value:%Y-%m}") == date_format(
            value, month_format
        )


def test_a_date_is_as_precise_as_it_is_known() -> None:
    dates = ["2019", "2021-06", "2021-06-04"]

    english = [days.format_partial_date(ENGLISH, each) for each in dates]
    vietnamese = [days.format_partial_date(VIETNAMESE, each) for each in dates]

    assert english == ["2019", "June 2021", "4 June 2021"]
    assert vietnamese == ["2019", "tháng 6 năm 2021", "4 tháng 6 năm 2021"]


def test_the_language_of_a_day_does_not_depend_on_the_active_one() -> None:
    with override(VIETNAMESE):
        assert days.format_day(ENGLISH, date(2021, 6, 14)) == "14 June 2021"
