"""The announcement of a version's end has one moment, and the end cannot move nearer."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from catalogue.models import ApiVersion
from catalogue.models.version import NOTICE_PERIOD
from tests import factories
from tests.admin_pages import form_address, form_data, form_errors, save_form

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
EMPTY = dict.fromkeys(("deprecation_0", "deprecation_1", "sunset_0", "sunset_1"), "")


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
    return factories.make_version(**values | changes)


def make_form_data(**moments: datetime) -> dict[str, str]:
    """Return moments as a form in the time zone of the studio sends them."""
    sent = {}
    for name, moment in moments.items():
        local = timezone.localtime(moment)
        sent |= {f"{name}_0": f"{local:%Y-%m-%d}", f"{name}_1": f"{local:%H:%M:%S}"}
    return sent


def test_the_first_dates_are_announced_when_they_are_saved(editor: Client) -> None:
    version, before = factories.make_version(), timezone.now()
    dates = make_form_data(deprecation=in_days(1), sunset=in_days(181))
    save_form(editor, version, status="deprecated", **dates)
    version.refresh_from_db()

    assert before <= version.announced <= timezone.now()


def test_a_typed_announcement_is_ignored_and_shown(editor: Client) -> None:
    version = factories.make_version()
    dates = make_form_data(deprecation=in_days(1), sunset=in_days(20), announced=in_days(-179))
    page = save_form(editor, version, status="deprecated", **dates)

    assert list(form_errors(page)) == ["sunset"]
    assert "180 days" in form_errors(page)["sunset"][0]
    version = factories.retire_version(
        "v1",
        status="deprecated",
        announced=datetime(2026, 10, 9, 3, tzinfo=UTC),
        deprecation=in_days(1),
        sunset=in_days(300),
    )
    shown = editor.get(form_address(version))
    assert "announced_0" not in form_data(shown)
    assert "2026" in shown.content.decode().partition("Announced")[2][:1000]


@pytest.mark.postgresql
def test_a_version_saved_by_code_is_announced_at_that_moment() -> None:
    version = ApiVersion.objects.create(
        version="v1",
        api_version="1.0.0",
        status="deprecated",
        released=date(2025, 1, 1),
        announced=in_days(-179),
        deprecation=in_days(1),
        sunset=in_days(181),
    )

    assert abs(version.announced - timezone.now()) < DAY


@pytest.mark.parametrize(
    ("sunset", "allowed"),
    [(301, True), (400, True), (200, True), (181, True), (179, False), (1, False)],
)
def test_a_sunset_moves_nearer_only_to_180_days_from_now(
    sunset: int, allowed: bool, editor: Client
) -> None:
    version = make_retired_version()
    found = (
        form_errors(save_form(editor, version, **make_form_data(sunset=in_days(sunset))))
        if not allowed
        else {}
    )
    if allowed:
        save_form(editor, version, **make_form_data(sunset=in_days(sunset)))
    version.refresh_from_db()

    assert list(found) == ([] if allowed else ["sunset"])
    assert (version.sunset < in_days(299) or sunset > 300) is allowed


def test_a_sunset_that_is_near_may_stay_or_move_away() -> None:
    version = make_retired_version(announced=in_days(-170), sunset=in_days(20))
    version.full_clean()
    version.sunset += DAY
    version.full_clean()
    version.save()
    version.sunset -= DAY

    with pytest.raises(ValidationError, match="Clients know of a later sunset"):
        version.full_clean()


@pytest.mark.parametrize(
    "values",
    [
        {"sunset": in_days(1)},
        {"sunset": in_days(179)},
        {"announced": in_days(-101)},
        {"announced": in_days(-1)},
        {"status": "sunset"},
    ],
    ids=["tomorrow", "in 179 days", "announced earlier", "announced later", "ended"],
)
@pytest.mark.postgresql
def test_the_database_refuses_dates_that_break_an_announcement(values: dict[str, Any]) -> None:
    version = make_retired_version()

    with pytest.raises(IntegrityError), transaction.atomic():
        ApiVersion.objects.filter(pk=version.pk).update(**values)


@pytest.mark.parametrize("announced", [in_days(-2), in_days(2)])
@pytest.mark.postgresql
def test_the_database_refuses_an_announcement_of_another_moment(announced: datetime) -> None:
    factories.make_version()
    dates = {"deprecation": in_days(3), "sunset": announced + NOTICE_PERIOD + DAY}

    with pytest.raises(IntegrityError), transaction.atomic():
        ApiVersion.objects.update(status="deprecated", announced=announced, **dates)


@pytest.mark.parametrize("write", [ApiVersion.save, ApiVersion.full_clean])
@pytest.mark.postgresql
def test_a_withdrawn_announcement_gets_a_new_moment_when_it_returns(
    write: Callable[[ApiVersion], None],
) -> None:
    version = make_retired_version()
    version.status, version.deprecation, version.sunset = "current", None, None
    version.save()
    assert ApiVersion.objects.get().announced is None

    version.status, version.deprecation, version.sunset = "deprecated", in_days(1), in_days(100)
    with pytest.raises((ValidationError, IntegrityError)), transaction.atomic():
        write(version)


@pytest.mark.parametrize(
    ("status", "sunset", "refused"),
    [
        ("sunset", 10, "The sunset has not passed yet"),
        ("deprecated", -10, "The sunset has passed"),
        ("sunset", -10, ""),
        ("deprecated", 10, ""),
        ("current", 10, "a current one has none"),
    ],
)
def test_the_status_agrees_with_the_dates(status: str, sunset: int, refused: str) -> None:
    version = make_retired_version(
        announced=in_days(-250), deprecation=in_days(-60), sunset=in_days(sunset)
    )
    version.status = status

    if refused:
        with pytest.raises(ValidationError, match=refused) as found:
            version.full_clean()
        assert list(found.value.message_dict) == ["status"]
    else:
        version.full_clean()


def test_a_deprecated_version_has_dates() -> None:
    version = factories.make_version()
    version.status = "deprecated"

    with pytest.raises(ValidationError) as found:
        version.full_clean()
    assert list(found.value.message_dict) == ["status"]


def test_a_deprecation_is_not_before_the_release() -> None:
    version = make_retired_version(released=date(2025, 2, 10))
    version.deprecation = datetime(2025, 2, 9, tzinfo=UTC)

    with pytest.raises(ValidationError, match="not be earlier than the release") as found:
        version.full_clean()
    assert list(found.value.message_dict) == ["deprecation"]
