"""The figures of shipped articles are what their script draws: true, legible, in two languages."""

import re
from itertools import pairwise
from math import pi, sin
from xml.etree import ElementTree as ET

import pytest
import yaml

from catalogue.models import Image, Post
from catalogue.shipped import FIXTURES
from fixtures.figures.__main__ import (
    BASELINE,
    BUDGET,
    FIGURES,
    GRAVITY,
    LENGTH,
    PERIOD,
    RATE,
    SPEED,
    SWING,
    draw_figures,
    filter_recording,
)
from fixtures.figures.drawing import STYLE, WIDTH
from fixtures.figures.plans import SURVEY, TOLERANCE, simplify
from fixtures.figures.pulses import INTERVALS

IMAGES = FIXTURES / "images"
ROWS = {path.stem: yaml.safe_load(path.read_bytes())[0]["fields"] for path in IMAGES.glob("*")}
FIGURE = re.compile(r'^!\[([^]]+)\]\(/images/([^ ]+)\.svg "([^"]+)"\)$', re.MULTILINE)
SMALLEST_TEXT = 14 * WIDTH / 334
"""The height of a text of 14 pixels on a page 390 pixels wide, where a figure has 334 of them."""


def test_the_script_draws_the_files_of_the_folder() -> None:
    drawn = {name: yaml.safe_load(drawing.columns()) for name, drawing in draw_figures()}

    assert drawn.keys() == ROWS.keys()
    assert [
        name for name, columns in drawn.items() if not columns.items() <= ROWS[name].items()
    ] == []


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_figure_is_small_and_has_its_texts_within_it(name: str) -> None:
    source = ROWS[name]["file"]
    root = ET.fromstring(source)  # noqa: S314  (a file of the project)
    texts = list(root.iter("{http://www.w3.org/2000/svg}text"))

    assert len(source.encode()) <= 20_000
    assert texts
    for text in texts:
        assert 0 <= float(text.attrib["x"]) <= WIDTH
        assert SMALLEST_TEXT < float(text.attrib["y"]) < float(root.attrib["viewBox"].split()[3])


def test_figures_are_legible_on_a_phone_and_have_each_colour_for_dark_pages() -> None:
    sizes = [int(size) for size in re.findall(r"(\d+)px", STYLE)]
    light, dark = STYLE.split("@media(prefers-color-scheme:dark)")

    assert min(sizes) >= SMALLEST_TEXT
    assert named_colours(light) == named_colours(dark)


def named_colours(style: str) -> set[tuple[str, str]]:
    """Return the names of classes with the properties that a style sheet gives a colour."""
    rules = re.findall(r"([a-z.,]+)\{([^{}]*#[^{}]*)\}", style)
    return {
        (name, prop)
        for names, body in rules
        for name in names.split(",")
        for prop in re.findall(r"(fill|stroke):#", body)
    }


@pytest.mark.usefixtures("shipped_site")
@pytest.mark.django_db
def test_a_figure_is_described_and_has_a_caption_in_both_languages() -> None:
    found = {}
    for post in Post.objects.all():
        english, vietnamese = FIGURE.findall(post.body_en), FIGURE.findall(post.body_vi)
        for (words, name, caption), (other_words, other_name, other_caption) in zip(
            english, vietnamese, strict=True
        ):
            image, other = Image.objects.get(slug=name), Image.objects.get(slug=f"{name}-vi")
            assert other_name == other.slug
            assert (words, other_words) == (image.alt_en, image.alt_vi)
            assert caption != other_caption
            assert f'height="{image.height}"'.encode() in image.file
            found[name] = post.slug

    assert found.keys() == FIGURES.keys()
    assert len({*found.values()}) == len(FIGURES)
    budget = Post.objects.get(slug="testing-sensors-without-a-lab")
    assert [value for value, *_ in BUDGET if f"{value:.3f}" not in budget.body_en] == []
    pulse = Post.objects.get(slug="reading-a-pulse-from-a-fingertip")
    *others, last = INTERVALS
    assert f"{', '.join(map(str, others))} and {last} ms" in pulse.body_en


def test_the_pendulum_has_the_period_of_the_article_and_obeys_gravity() -> None:
    assert pytest.approx(1.85, abs=0.005) == PERIOD
    for angle in (SWING / 2, SWING):
        acceleration = (2 * pi / PERIOD) ** 2 * angle
        assert acceleration == pytest.approx(GRAVITY / LENGTH * sin(angle), rel=0.005)


def test_the_filter_finds_the_chair_and_the_bookcase() -> None:
    envelope = filter_recording()
    direct = envelope.index(max(envelope))

    def strongest(near: float, far: float) -> float:
        places = range(len(envelope))
        ranges = {index: ((index - direct) / RATE * SPEED + BASELINE) / 2 for index in places}
        within = [index for index in places if near <= ranges[index] <= far]
        return ranges[max(within, key=envelope.__getitem__)]

    assert strongest(0.3, 2.5) == pytest.approx(1.5, abs=0.01)
    assert strongest(2.5, 4) == pytest.approx(3.2, abs=0.01)


def test_no_dropped_vertex_is_farther_than_the_tolerance_from_the_kept_line() -> None:
    kept = simplify(SURVEY, TOLERANCE)

    assert (len(SURVEY), len(kept)) == (51, 10)
    for start, end in pairwise(kept):
        turn = (end - start) / abs(end - start)
        passed = SURVEY[SURVEY.index(start) : SURVEY.index(end)]
        assert all(abs(((each - start) / turn).imag) <= TOLERANCE for each in passed)
