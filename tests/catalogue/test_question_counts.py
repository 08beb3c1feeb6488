import pytest

from catalogue import questions
from catalogue.models import State
from tests.factories import (
    FUTURE,
    NOW,
    make_app,
    make_post,
    make_statistic,
    make_studio,
    make_team_member,
)


@pytest.mark.django_db
def test_an_empty_studio_counts_nothing() -> None:
    make_studio()
    (studio,) = questions.studio(NOW)

    assert (studio.team_size, studio.app_count, studio.post_count) == (0, 0, 0)


@pytest.mark.django_db
@pytest.mark.postgresql
def test_the_studio_counts_people_published_apps_and_published_posts() -> None:
    make_studio()
    for handle in ("linh", "minh", "thao"):
        make_team_member(handle=handle)
    for make in (make_app, make_post):
        make(slug="one")
        make(slug="two", publish_at=NOW)
        make(slug="later", publish_at=FUTURE)
        make(slug="draft", state=State.DRAFT)
    make_post(slug="three")
    (studio,) = questions.studio(NOW)

    assert (studio.team_size, studio.app_count, studio.post_count) == (3, 2, 3)


@pytest.mark.django_db
def test_shipped_apps_are_the_published_apps_with_status_live() -> None:
    make_statistic(slug="shipped-apps", counts="live_apps", value=None, display="")
    make_app(slug="live")
    make_app(slug="live-too", publish_at=NOW)
    make_app(slug="live-later", publish_at=FUTURE)
    make_app(slug="live-draft", state=State.DRAFT)
    make_app(slug="soon", status="soon")
    make_app(slug="engine", status="engine")
    (statistic,) = questions.statistics(NOW)

    assert (statistic.number, statistic.shown) == (2, "2")


@pytest.mark.django_db
def test_no_shipped_app_counts_as_zero() -> None:
    make_statistic(slug="shipped-apps", counts="live_apps", value=None, display="")
    (statistic,) = questions.statistics(NOW)

    assert (statistic.number, statistic.shown) == (0, "0")


@pytest.mark.django_db
def test_a_typed_statistic_has_its_typed_value() -> None:
    make_statistic(slug="audio-sample-rate", value=48000, unit="Hz", display="48 kHz")
    make_app()
    (statistic,) = questions.statistics(NOW)

    assert (statistic.number, statistic.shown) == (48000, "48 kHz")
