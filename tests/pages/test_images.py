"""Images are published with the texts that show them, and with nothing else."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from catalogue import questions
from catalogue.models import Image, State
from site_mirror.snapshot.errors import FreezeError
from tests import factories
from tests.freeze import sites
from tests.freeze.target_files import read_body, read_entries
from tests.pages.page_reader import SITE, ask

pytestmark = pytest.mark.django_db

FILES = {"/images/an-image.webp": "file", "/images/an-image.640.webp": "small"}
SHOWN = "![Two waves](/images/an-image.webp)"
LATER = timezone.now() + timedelta(days=1)


def statuses() -> set[int]:
    return {ask(address).status_code for address in FILES}


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("changes", "is_published"),
    [
        ({}, True),
        ({"body_en": "A body.", "body_vi": SHOWN}, True),
        ({"body_en": "![a][b]\n\n[b]: https://studio.example/images/an-image.webp"}, True),
        ({"body_en": "![a](/images/an-image-2.webp) /images/not-an-image.webp"}, False),
        ({"state": State.DRAFT}, False),
        ({"publish_at": LATER}, False),
    ],
)
def test_an_image_is_published_while_a_text_that_readers_see_names_it(
    changes: dict[str, object], is_published: bool
) -> None:
    factories.make_image()
    post = factories.make_translated_post(**{"body_en": SHOWN} | changes)
    now, expected = timezone.now(), ["an-image"] if is_published else []

    assert statuses() == {200 if is_published else 404}
    assert [each.slug for each in questions.images(now)] == expected
    assert [each.slug for each in questions.images(LATER)] == (
        [] if post.state == State.DRAFT or "2" in post.body_en else ["an-image"]
    )
    factories.make_page(body_en=SHOWN)
    assert statuses() == {200}


def test_the_files_are_sent_as_they_are_stored() -> None:
    image = factories.make_image()
    factories.make_page(body_en=SHOWN)

    for address, column in FILES.items():
        answer = ask(address)
        assert answer.content == getattr(image, column)
        assert answer["Content-Type"] == "image/webp"
    Image.objects.update(format="svg", small=b"")
    assert ask("/images/an-image.svg")["Content-Type"] == "image/svg+xml"
    assert statuses() == {404}


def test_pages_know_sizes_and_files_and_mirrors_and_feeds_have_whole_addresses() -> None:
    factories.make_studio()
    factories.make_image()
    factories.make_post(body_en=f"{SHOWN}\n\nText.\n\n{SHOWN}")
    whole = f"{SITE.root}/images/an-image"

    page = ask("/blog/a-post").content.decode()
    first, second = re.findall(r"<img[^>]*>", page)[-2:]
    assert "lazy" not in first
    for part in (
        'width="1600" height="900" ',
        'srcset="/images/an-image.640.webp 640w, /images/an-image.webp 1600w" ',
        'loading="lazy"',
    ):
        assert part in second
    assert f"![Two waves]({whole}.webp)" in ask("/blog/a-post.md").content.decode()
    for feed in ("/blog/feed.xml", "/blog/feed.json"):
        text = ask(feed).content.decode()
        assert f"{whole}.webp" in text
        assert "srcset" not in text


def test_a_freeze_has_the_files_while_a_text_shows_them_and_refuses_a_missing_image(
    tmp_path: Path,
) -> None:
    sites.make_site()
    sites.freeze_into(tmp_path)
    entries = read_entries(tmp_path)
    assert {address: read_body(tmp_path, entries[address]) for address in FILES} == {
        address: ask(address).content for address in FILES
    }
    image = Image.objects.get()

    image.delete()
    with pytest.raises(FreezeError, match="/blog/newer links to /images/an-image"):
        sites.freeze_into(tmp_path)
    image.save()
    sites.edit_post("newer", body_en="A body.")
    sites.freeze_into(tmp_path)
    assert not FILES.keys() & read_entries(tmp_path).keys()
