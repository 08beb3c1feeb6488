"""The announcement of a version's end has one moment, and the end cannot move nearer."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from catalogue.models import ApiVersion
from tests import factories
from tests.admin_pages import form_address, form_data, form_errors, save_form

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
CURRENT = {"status": "current", "deprecation": None, "sunset": None}


def in_days(days: float) -> datetime:
    return timezone.now().replace(microsecond=0) + timedelta(days=days)


def make_retired_version(**changes: Any) -> ApiVersion:
    """Create a version whose end was announced 100 days ago and is in 300 days."""
    values = {
        "status": "deprecated",
        "announced": in_days(-100),
        "deprecation": in_days(-50),
        "sunset": in_days(300),
    }
    version = factories.make_version()
    ApiVersion.objects.update(**values | changes)
    version.refresh_from_db()
    return version


def make_form_data(**moments: datetime) -> dict[str, str]:
    """Return moments as a form in the time zone of the studio sends them."""
    sent = {}
    for name, moment in moments.items():
        local = timezone.localtime(moment)
        sent |= {f"{name}_0": f"{local:%Y-%m-%d}", f"{name}_1": f"{local:%H:%M:%S}"}
    return sent


def test_an_announcement_has_the_moment_at_which_it_is_saved_whatever_is_typed(
    editor: Client,
) -> None:
    version, before = factories.make_version(), timezone.now()
    moments = {"deprecation": in_days(1), "announced": in_days(-179)}
    typed = {"status": "deprecated", **make_form_data(**moments, sunset=in_days(179))}
    assert form_errors(save_form(editor, version, **typed)) == {
        "sunset": ["The sunset must be at least 180 days after the announcement."]
    }

    save_form(editor, version, **typed | make_form_data(sunset=in_days(181)))
    version.refresh_from_db()
    shown = editor.get(form_address(version))

    assert before <= version.announced <= timezone.now()
    assert "announced_0" not in form_data(shown)
    assert str(version.announced.year) in shown.content.decode().partition("Announced")[2][:1000]


@pytest.mark.parametrize(
    ("sunset", "allowed"), [(400, True), (301, True), (181, True), (179, False)]
)
def test_a_sunset_moves_nearer_only_to_180_days_from_now(
    sunset: int, allowed: bool, editor: Client
) -> None:
    version = make_retired_version()
    announced, known = version.announced, version.sunset
    page = save_form(editor, version, **make_form_data(sunset=in_days(sunset)))
    version.refresh_from_db()

    assert page.status_code == (302 if allowed else 200)
    assert allowed or list(form_errors(page)) == ["sunset"]
    assert (version.sunset != known) is allowed
    assert version.announced == announced


def test_a_sunset_that_is_near_may_stay_or_move_away() -> None:
    version = make_retired_version(announced=in_days(-170), sunset=in_days(20))
    version.full_clean()
    version.sunset += DAY
    version.full_clean()
    version.save()
    version.sunset -= DAY

    with pytest.raises(ValidationError, match="Clients know of a later sunset"):
        version.full_clean()


@pytest.mark.postgresql
def test_the_database_refuses_a_retirement_without_the_moment_of_its_announcement() -> None:
    make_retired_version()

    with pytest.raises(IntegrityError), transaction.atomic():
        ApiVersion.objects.update(announced=None)


def test_a_withdrawn_announcement_gets_a_new_moment_when_it_returns() -> None:
    version = make_retired_version()
    for name, value in CURRENT.items():
        setattr(version, name, value)
    version.save()
    assert ApiVersion.objects.get().announced is None

    version.status, version.deprecation, version.sunset = "deprecated", in_days(1), in_days(181)
    version.full_clean()
    version.save()
    assert abs(version.announced - timezone.now()) < DAY


@pytest.mark.parametrize(
    ("status", "sunset", "words"),
    [
        ("sunset", 10, "The sunset has not passed yet"),
        ("sunset", -10, None),
        ("deprecated", -10, "The sunset has passed"),
        ("deprecated", 10, None),
    ],
)
def test_the_status_agrees_with_the_sunset(status: str, sunset: int, words: str | None) -> None:
    version = make_retired_version(announced=in_days(-250), sunset=in_days(sunset))
    version.status = status

    if words is None:
        version.full_clean()
    else:
        with pytest.raises(ValidationError, match=words) as found:
            version.full_clean()
        assert list(found.value.message_dict) == ["status"]
