"""Days in the words of a language. Names and formats are cached: lists have thousands of days."""

from datetime import date, datetime
from functools import cache

from django.utils.formats import date_format
from django.utils.timezone import get_default_timezone
from django.utils.translation import override, pgettext

DAY_LENGTH, MONTH_LENGTH = len("2021-06-14"), len("2021-06")


def format_day(language: str, value: date) -> str:
    """Return a day such as “14 June 2021”."""
    name, year = month_name(language, value.month), value.isoformat()[:4]
    return day_format(language) % {"day": value.day, "month": name, "year": year}


def in_studio_time(moment: datetime | None) -> datetime | None:
    """Return a moment in the studio's time zone, so that its day is the one that pages show."""
    return moment and moment.astimezone(get_default_timezone())


def studio_day(moment: datetime) -> date:
    return moment.astimezone(get_default_timezone()).date()


def format_partial_date(language: str, value: str) -> str:
    """Return a date as precise as it is known, from `2019`, `2021-06` or `2021-06-14`."""
    if len(value) == DAY_LENGTH:
        return format_day(language, date.fromisoformat(value))
    if len(value) == MONTH_LENGTH:
        year, number = value.split("-")
        name = month_name(language, int(number))
        return month_format(language) % {"month": name, "year": year}
    return value


@cache
def month_name(language: str, number: int) -> str:
    with override(language):
        return date_format(date(2000, number, 1), pgettext("format of a month's name", "F"))


@cache
def day_format(language: str) -> str:
    with override(language):
        return pgettext("a day", "%(day)d %(month)s %(year)s")


@cache
def month_format(language: str) -> str:
    with override(language):
        return pgettext("a month", "%(month)s %(year)s")
