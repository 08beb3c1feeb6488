"""The formats of days in both languages."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import override

from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.pages import days

DJANGO_FORMATS = {
    ENGLISH: ("j F Y", "F Y"),
    VIETNAMESE: (r"j \t\h\á\n\g n \n\ă\m Y", r"\t\h\á\n\g n \n\ă\m Y"),
}


def test_a_date_is_as_precise_as_it_is_known_and_has_the_format_of_django() -> None:
    for language, (day_format, month_format) in DJANGO_FORMATS.items():
        for month in range(1, 13):
            value = date(2021, month, month)
            found = [
                days.format_partial_date(language, text)
                for text in (f"{value}", f"{value:%Y-%m}", "2021")
            ]
            with override(language):
                expected = [date_format(value, each) for each in (day_format, month_format)]

            # A month is a label by itself, so its first letter is a capital.
            assert found == [expected[0], expected[1].capitalize(), "2021"]


def test_the_language_of_a_day_does_not_depend_on_the_active_one() -> None:
    with override(VIETNAMESE):
        assert days.format_day(ENGLISH, date(2021, 6, 14)) == "14 June 2021"
