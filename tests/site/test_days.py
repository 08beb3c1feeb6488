"""Days as people read them, in both languages."""

from datetime import date

import pytest
from django.utils.formats import date_format
from django.utils.translation import override

from catalogue.localized import ENGLISH, VIETNAMESE
from site_mirror.pages import days

AS_DJANGO_WRITES = {
    ENGLISH: ("j F Y", "F Y"),
    VIETNAMESE: (r"j \t\h\á\n\g n \n\ă\m Y", r"\t\h\á\n\g n \n\ă\m Y"),
}


@pytest.mark.parametrize("language", AS_DJANGO_WRITES)
@pytest.mark.parametrize("month", range(1, 13))
def test_a_day_of_any_month_reads_as_django_writes_it(language: str, month: int) -> None:
    value = date(2021, month, month)
    of_a_day, of_a_month = AS_DJANGO_WRITES[language]

    with override(language):
        assert days.day(language, value) == date_format(value, of_a_day)
        assert days.partial_date(language, f"{value:%Y-%m}") == date_format(value, of_a_month)


def test_a_date_is_as_precise_as_it_is_known() -> None:
    dates = ["2019", "2021-06", "2021-06-04"]

    english = [days.partial_date(ENGLISH, each) for each in dates]
    vietnamese = [days.partial_date(VIETNAMESE, each) for each in dates]

    assert english == ["2019", "June 2021", "4 June 2021"]
    assert vietnamese == ["2019", "tháng 6 năm 2021", "4 tháng 6 năm 2021"]


def test_the_language_of_a_day_is_the_one_that_is_named() -> None:
    with override(VIETNAMESE):
        assert days.day(ENGLISH, date(2021, 6, 14)) == "14 June 2021"
