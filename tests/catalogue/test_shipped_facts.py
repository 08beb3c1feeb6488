"""Facts of the shipped content: consistent dates, correct results, letters of formulas."""

import re
from datetime import UTC, date, datetime

import pytest

from catalogue.addresses import app_page, vietnamese_page
from catalogue.models import App, AppStatus, Page, Post, ScienceTopic, TimelineEntry
from catalogue.texts.markdown import link_targets
from catalogue.texts.markdown.source import read
from tests.catalogue.shipped_texts import list_bodies

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("content")]


def test_no_formula_has_a_typographic_sign_that_latex_reads_as_a_variable() -> None:
    written = [(page, latex) for page, body in list_bodies() for latex in read(body).formulas]
    written += [(topic.slug, topic.formula_latex) for topic in ScienceTopic.objects.all()]

    assert len(written) > 100
    assert [pair for pair in written if re.search("[‘’“”–—…]", pair[1])] == []


def test_no_app_appears_before_it_is_announced() -> None:
    announced = TimelineEntry.objects.filter(slug__endswith="-announced")
    moments = {entry.slug.removesuffix("-announced"): entry.starts_on for entry in announced}

    assert moments.keys() == {
        *App.objects.filter(status=AppStatus.SOON).values_list("slug", flat=True)
    }
    for app in App.objects.filter(slug__in=moments):
        assert app.publish_at is not None
        assert app.publish_at.date().isoformat() == moments[app.slug]


def test_no_text_links_to_an_app_that_appears_later() -> None:
    for app in App.objects.all():
        for post in Post.objects.all():
            targets = {*link_targets(post.body_en), *link_targets(post.body_vi)}
            pages = {app_page(app.slug), vietnamese_page(app_page(app.slug))}
            if post.app == app or targets & pages:
                assert (app.publish_at or datetime.max.replace(tzinfo=UTC)) <= (
                    post.publish_at or datetime.min.replace(tzinfo=UTC)
                ), (post.slug, app.slug)


def test_the_privacy_policy_is_not_older_than_what_it_names() -> None:
    policy = Page.objects.get(slug="privacy")
    [written] = re.findall(r"takes effect on (\d+ \w+ \d{4})", policy.body_en)
    english = datetime.strptime(written, "%d %B %Y").replace(tzinfo=UTC).date()
    [parts] = re.findall(r"có hiệu lực từ ngày (\d+) tháng (\d+) năm (\d{4})", policy.body_vi)

    assert date(*map(int, reversed(parts))) == english
    for app in App.objects.all():
        assert app.name in policy.body_en
        assert app.publish_at is not None
        assert app.publish_at.date() <= english
