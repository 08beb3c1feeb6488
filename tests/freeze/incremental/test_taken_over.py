"""One edit rewrites the documents that show it and leaves every other file as it is on disk.

Which those are is read off the bytes: a word that stands nowhere else is replaced by another,
and a document shows the edit if it has either.
"""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models import F, Model

from catalogue.models import App, Post, Tag
from tests import rows
from tests.freeze.incremental import corpus, freezes

pytestmark = pytest.mark.django_db

NUMBER = 60
"""Posts beside those of the small site."""
EDITED = "p30"
A_DAY_LATER = corpus.NOW + timedelta(days=1)
TEXTS = ("title_en", "title_vi", "excerpt_en", "excerpt_vi", "body_en", "body_vi")


def word(animal: str, field: str) -> str:
    """One that stands in one field alone, and that no format has to escape."""
    return f"{animal}In{field.title().replace('_', '')}Alone"


def told(animal: str, *fields: str) -> dict[str, str]:
    return {field: f"{word(animal, field)}." for field in fields}


@pytest.fixture(scope="module")
def many(open_database: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target with a release of a blog of some length, which is in the database."""
    corpus.make()
    for number in range(NUMBER):
        said = dict.fromkeys(TEXTS, f"Text {number}.")
        rows.make_post(slug=f"p{number}", **said, **corpus.on_day(10 + number * 5))
    name_them(told("Quokka", *TEXTS))
    target = tmp_path_factory.mktemp("many") / "site"
    freezes.freeze(target)
    return target


def name_them(texts: dict[str, str]) -> None:
    """Give one post, its app and its tag texts that no other row has."""
    post, tag = Post.objects.get(slug=EDITED), Tag.objects.get(slug="sound")
    Post.objects.filter(pk=post.pk).update(app=App.objects.get(slug="first"), **texts)
    post.tags.add(tag)
    Tag.objects.filter(pk=tag.pk).update(**told("Quokka", "name_en", "name_vi"))
    App.objects.filter(slug="first").update(**told("Quokka", "name", "tagline_vi"))


@dataclass(frozen=True)
class Published:
    """A document as it lies on disk: its bytes, and the inodes of its files."""

    body: bytes
    inodes: dict[str, int]


def on_disk(target: Path) -> dict[str, Published]:
    public = target / "current/public"
    return {
        address: Published(
            (public / line["file"]).read_bytes(),
            {file: (public / file).stat().st_ino for file in freezes.files(line)},
        )
        for address, line in freezes.documents(target).items()
    }


def rewritten(before: dict[str, Published], after: dict[str, Published]) -> set[str]:
    """Documents of which a file is another one on disk."""
    return {
        address
        for address, document in after.items()
        if address not in before or before[address].inodes != document.inodes
    }


TELLING_THE_MOMENT: dict[type[Model], set[str]] = {
    Post: {"/sitemap.xml", f"/blog/{EDITED}", f"/vi/blog/{EDITED}"},
    App: {"/sitemap.xml"},
    Tag: set(),
}
"""Documents that say when a row was edited, whatever the edit was."""


def showing(word: str, documents: dict[str, Published]) -> set[str]:
    return {address for address, each in documents.items() if word.encode() in each.body}


@pytest.mark.parametrize(
    ("model", "slug", "field"),
    [
        *((Post, EDITED, field) for field in TEXTS),
        *((Tag, "sound", field) for field in ("name_en", "name_vi")),
        *((App, "first", field) for field in ("name", "tagline_vi")),
    ],
)
def test_an_edit_rewrites_what_shows_it_and_nothing_else(
    model: type[Model], slug: str, field: str, many: Path, tmp_path: Path
) -> None:
    target = freezes.copied(many, tmp_path / "site")
    before = on_disk(target)
    model._base_manager.filter(slug=slug).update(**told("Wombat", field))

    report = freezes.freeze(target, moment=A_DAY_LATER)

    after = on_disk(target)
    expected = showing(word("Quokka", field), before) | showing(word("Wombat", field), after)
    assert expected
    expected |= TELLING_THE_MOMENT[model]
    assert rewritten(before, after) == expected
    files = sum(len(after[address].inodes) for address in expected)
    assert (report.told["written"], report.told["removed"]) == (files, 0)
    assert report.told["kept"] == sum(len(each.inodes) for each in after.values()) - files


def test_another_title_is_in_these_documents_and_in_no_other(many: Path, tmp_path: Path) -> None:
    target = freezes.copied(many, tmp_path / "site")
    before = on_disk(target)
    Post.objects.filter(slug=EDITED).update(title_en="Another")

    freezes.freeze(target, moment=A_DAY_LATER)

    after = on_disk(target)
    assert rewritten(before, after) == {
        *("/api/v1/posts", f"/api/v1/posts/{EDITED}"),
        *with_mirrors(f"/blog/{EDITED}", "/blog/p29", "/blog/p31"),
        *with_mirrors("/blog/years/2026", "/blog/tags/sound", "/apps/first"),
        *("/llms.txt", "/llms-full.txt", "/sitemap.md", "/sitemap.xml", f"/vi/blog/{EDITED}"),
    }
    assert len(rewritten(before, after)) < len(after) / 10


def with_mirrors(*pages: str) -> set[str]:
    return {f"{page}{suffix}" for page in pages for suffix in ("", ".md")}


@pytest.mark.parametrize("edit", ["the same again", "of a draft", "of a tag without posts"])
def test_an_edit_that_nobody_sees_leaves_every_file_as_it_is(
    edit: str, many: Path, tmp_path: Path
) -> None:
    target = freezes.copied(many, tmp_path / "site")
    before = on_disk(target)
    UNSEEN[edit]()

    report = freezes.freeze(target, moment=A_DAY_LATER)

    assert report.outcome == "unchanged"
    assert on_disk(target) == before


UNSEEN: dict[str, Any] = {
    "the same again": lambda: Post.objects.update(title_en=F("title_en"), body_vi=F("body_vi")),
    "of a draft": lambda: Post.objects.filter(slug="draft").update(body_en="Another."),
    "of a tag without posts": lambda: Tag.objects.create(slug="nothing", name_en="Nothing"),
}
