"""A form can always write what it read, in every time zone and at every moment."""

from datetime import UTC, datetime, timedelta

import pytest
from django import forms
from django.test import Client, override_settings
from django.utils import timezone

from catalogue.admin.moments import MomentWidget, SplitMomentField
from catalogue.models import State
from catalogue.triggers.revision import PUBLISHABLE
from tests import factories
from tests.admin_pages import field_data, form_address, form_errors, save_form

pytestmark = pytest.mark.django_db

CHANGES = {
    "Europe/Berlin": ("2026-03-29T01:00", "2026-10-25T01:00"),
    "America/St_Johns": ("2026-03-08T05:30", "2026-11-01T04:30"),
    "Australia/Lord_Howe": ("2026-10-03T15:30", "2026-04-04T15:00"),  # by half an hour
    "Asia/Ho_Chi_Minh": ("1900-01-01T01:00", "9998-12-31T23:00"),  # an offset with seconds
    "America/New_York": ("1900-01-01T01:00", "9998-12-31T23:00"),
}
"""Moments in UTC at which clocks are changed: the hours around them are there twice, or never.
Or the first and the last year that is allowed changes, which is not the year of the time zone."""


def moments_of(zone: str) -> list[datetime]:
    changes = [datetime.fromisoformat(change).replace(tzinfo=UTC) for change in CHANGES[zone]]
    minutes = (-60, -30, -15, 0, 30)
    moments = [change + timedelta(minutes=each) for change in changes for each in minutes]
    return [*moments, moments[0] + timedelta(microseconds=987654)]


class MomentForm(forms.Form):
    moment = SplitMomentField(widget=MomentWidget)


@pytest.mark.parametrize("zone", CHANGES)
def test_a_field_keeps_a_moment_that_it_showed(zone: str) -> None:
    with override_settings(TIME_ZONE=zone):
        for moment in moments_of(zone):
            shown = MomentForm(initial={"moment": moment})["moment"]
            sent = MomentForm(dict(field_data(shown)))

            assert sent.is_valid(), moment
            assert sent.cleaned_data == {"moment": moment}


@override_settings(TIME_ZONE="Europe/Berlin")
def test_every_form_keeps_its_moments(editor: Client) -> None:
    value = datetime(2025, 10, 26, 1, 30, tzinfo=UTC)  # Half past two for the second time.
    dates = {"announced": factories.LONG_AGO, "deprecation": value, "sunset": value}
    rows = [factories.make_version(status="sunset", **dates)]
    rows += [factories.FACTORIES[model](publish_at=value) for model in PUBLISHABLE]
    for row in rows:
        fields = editor.get(form_address(row)).context["adminform"].form.fields
        names = [name for name, field in fields.items() if isinstance(field, SplitMomentField)]

        assert names
        assert save_form(editor, row).status_code == 302, row
        row.refresh_from_db()
        assert {getattr(row, name) for name in names} <= {value, None}


@override_settings(TIME_ZONE="Europe/Berlin")
def test_a_typed_time_is_that_of_the_studio_and_needs_an_offset_if_it_is_there_twice(
    editor: Client,
) -> None:
    post = factories.make_post(state=State.DRAFT)
    day = {"publish_at_0": "2026-10-25"}
    for typed, moment in (
        ("9:00", datetime(2026, 10, 25, 8, tzinfo=UTC)),
        ("02:30:00+02:00", datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),
        ("02:30+01:00", datetime(2026, 10, 25, 1, 30, tzinfo=UTC)),
        ("09:00Z", datetime(2026, 10, 25, 9, tzinfo=UTC)),
    ):
        assert save_form(editor, post, **day, publish_at_1=typed).status_code == 302
        post.refresh_from_db()
        assert post.publish_at == moment
    for day_of_change, time in (("2026-10-25", "02:30"), ("2026-03-29", "02:30")):
        page = save_form(editor, post, publish_at_0=day_of_change, publish_at_1=time)

        assert "Add its offset from UTC" in form_errors(page)["publish_at"][0]
    page = save_form(editor, post, **day, publish_at_1="half past")
    assert form_errors(page)["publish_at"] == ["Enter a valid time."]
    assert timezone.localtime(post.publish_at).utcoffset() == timedelta(hours=1)
