"""Days in the words of a language."""

from datetime import date, datetime

from django.utils import dateformat
from django.utils.formats import date_format
from django.utils.timezone import get_default_timezone
from django.utils.translation import override, pgettext

DAY_LENGTH, MONTH_LENGTH = len("2021-06-14"), len("2021-06")


def format_day(language: str, value: date) -> str:
    """Return a day such as “14 June 2021”."""
    with override(language):
        # Not `date_format`, which takes a third longer: articles have thousands of days.
        return dateformat.format(value, pgettext("a day", "j F Y"))


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
        with override(language):
            return date_format(date.fromisoformat(f"{value}-01"), pgettext("a month", "F Y"))
    return value
