"""Facts of the shipped content: consistent dates, correct results, letters of formulas."""

import re
from datetime import UTC, date, datetime
from math import sqrt

import pytest

from catalogue.addresses import app_page, vietnamese_page
from catalogue.models import App, AppStatus, Page, Post, ScienceTopic, Symbol, TimelineEntry
from catalogue.texts.markdown import link_targets
from catalogue.texts.markdown.source import read
from tests.catalogue.shipped_texts import list_bodies, list_texts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("content")]


def both_bodies(slug: str) -> tuple[str, str]:
    post = Post.objects.get(slug=slug)
    return post.body_en, post.body_vi


def numbers(text: str, pattern: str) -> list[float]:
    """Return the groups of the only match of a pattern as numbers, in either language."""
    [found] = re.findall(pattern, text)
    return [float(each.replace(",", ".")) for each in found]


def test_no_formula_has_a_typographic_sign_that_latex_reads_as_a_variable() -> None:
    written = [(page, latex) for page, body in list_bodies() for latex in read(body).formulas]
    written += [(topic.slug, topic.formula_latex) for topic in ScienceTopic.objects.all()]

    assert len(written) > 100
    assert [pair for pair in written if re.search("[‘’“”–—…]", pair[1])] == []


def test_the_uncertainty_without_temperature_is_the_rest_of_the_budget() -> None:
    for body in both_bodies("testing-sensors-without-a-lab"):
        contributions = [
            float(cell.replace(",", ".")) for cell in re.findall(r"\| (0[.,]\d{3}) \|", body)
        ]
        *parts, combined = contributions
        temperature = parts[2]
        said, without = numbers(body, r"(0[.,]213) (?:down to|xuống) (0[.,]\d{3})")

        assert len(parts) == 6
        assert combined == said == pytest.approx(sqrt(sum(part**2 for part in parts)), abs=0.001)
        assert without == pytest.approx(sqrt(combined**2 - temperature**2), abs=0.0006)


def test_a_minute_of_beats_has_as_many_differences_as_the_text_says() -> None:
    mean, rmssd = 834, 35.3
    beats = round(60_000 / mean)
    # Intervals are one fewer than beats, the beat left out merges two, differences are one fewer.
    differences = beats - 3
    merged = sqrt((2 * mean**2 + (differences - 2) * rmssd**2) / differences)
    for body in both_bodies("reading-a-pulse-from-a-fingertip"):
        [found] = re.findall(r"(\d+) (?:differences that remain|hiệu còn lại)\D+(\d+) ms", body)

        assert tuple(map(int, found)) == (differences, round(merged))


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


def test_a_letter_of_temperature_has_one_scale() -> None:
    scales = {"°C": "θ", "K": "T"}
    symbols = [
        row
        for row in Symbol.objects.filter(unit__in=scales)
        if "temperature" in row.meaning_en and row.symbol in {"θ", "T"}
    ]

    assert len(symbols) > 1
    assert [str(row) for row in symbols if row.symbol != scales[row.unit]] == []


def test_an_angle_has_the_same_letter_wherever_the_heading_is_written() -> None:
    for language in ("en", "vi"):
        headings = [
            text for _, text in list_texts(language) if re.search(r"\(sin ., cos .\)", text)
        ]

        assert headings
        assert all("(sin ψ, cos ψ)" in text for text in headings)
    assert Symbol.objects.get(topic__slug="magnetism", symbol="ψ").unit
    for body in both_bodies("dead-reckoning-without-a-signal"):
        assert r"\psi" in body


def test_an_engine_is_inside_another_app() -> None:
    for engine in App.objects.filter(status=AppStatus.ENGINE):
        others = App.objects.filter(status=AppStatus.LIVE)

        assert any(app.name in engine.description_en for app in others)
        assert "not in the stores" in engine.description_en
        assert "không có trên các chợ ứng dụng" in engine.description_vi


def test_an_article_names_what_the_apps_do() -> None:
    for body in both_bodies("why-our-apps-have-no-accounts"):
        assert {"CSV", "GPX"} <= set(re.findall(r"\b[A-Z]{3}\b", body))
    english, vietnamese = both_bodies("tilt-gravity-and-the-accelerometer")
    assert (english.count("9.784"), vietnamese.count("9,784")) == (1, 1)
