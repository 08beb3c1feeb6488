"""Moments in forms: a form can always write what it read, in every time zone."""

from collections.abc import Mapping
from datetime import UTC, datetime, time
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import DateTimeField
from django.forms import SplitDateTimeField, TimeField
from django.utils import timezone
from django.utils.translation import gettext as _
from unfold.widgets import UnfoldAdminSplitDateTimeWidget

FIRST_MOMENT, END = datetime(1900, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)


class MomentWidget(UnfoldAdminSplitDateTimeWidget):  # type: ignore[misc]
    """A date and a time with its offset, because an hour is there twice when summer time ends."""

    supports_microseconds = True

    def decompress(self, value: datetime | None) -> list[str | None]:
        if value is None:
            return [None, None]
        return [*timezone.localtime(value).isoformat().split("T")]


class TimeWithOffsetField(TimeField):
    """A time of day, with or without its offset from UTC."""

    def to_python(self, value: Any) -> time | None:
        try:
            return time.fromisoformat(value)
        except (TypeError, ValueError):
            return super().to_python(value)


class SplitMomentField(SplitDateTimeField):
    """A date with a time, in years of UTC that exist in every time zone."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.fields = (self.fields[0], TimeWithOffsetField(required=False))

    def compress(self, data_list: Any) -> Any:
        moment = self.read_moment(data_list)
        # Not by the day: near a limit it is of another year in another time zone.
        if moment and not FIRST_MOMENT <= moment < END:
            text = _("The year is %(year)s; years from %(first)s to %(last)s are allowed.")
            years = {"year": data_list[0].year, "first": FIRST_MOMENT.year, "last": END.year - 1}
            raise ValidationError(text % years)
        return moment

    def read_moment(self, data_list: Any) -> Any:
        day, moment = data_list or (None, None)
        if day and moment and moment.tzinfo:
            return datetime.combine(day, moment)
        try:
            return super().compress(data_list)
        except ValidationError as fault:
            if not (day and moment):
                raise
            text = _(
                "On %(day)s this time is there twice or not at all, because the clock is changed. "
                "Add its offset from UTC, for example %(time)s+01:00."
            )
            raise ValidationError(text % {"day": day, "time": moment.isoformat()}) from fault


MOMENTS: Mapping[Any, Mapping[str, Any]] = {
    DateTimeField: {"form_class": SplitMomentField, "widget": MomentWidget}
}
