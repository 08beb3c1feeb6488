"""Content as files: what is dumped can be loaded, and all of it or nothing is loaded."""

from collections.abc import Callable
from datetime import date
from difflib import unified_diff
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command
from django.utils import timezone
from PIL import Image as Picture

from catalogue import shipped
from catalogue.content.reading import ContentRefused, load
from catalogue.content.writing import FILES, FORMER, dump
from catalogue.models import (
    App,
    FormerPostSlug,
    Image,
    Post,
    Revision,
    State,
    Symbol,
    Tag,
    TimelineLink,
)
from catalogue.pictures import measure, write_anew
from tests import factories
from tests.shipped_content import load_shipped_content


@pytest.fixture
def content(db: None) -> None:
    load_shipped_content()


def shipped_files() -> dict[str, bytes]:
    return {
        str(path.relative_to(shipped.FIXTURES)): path.read_bytes()
        for path in shipped.fixture_files()
    }


@pytest.mark.postgresql
def test_the_shipped_content_is_dumped_to_the_bytes_of_its_files(content: None) -> None:
    assert dump() == shipped_files()


@pytest.mark.postgresql
@pytest.mark.django_db
def test_rows_are_in_the_order_of_their_characters_on_every_database() -> None:
    for slug in ("ab", "a-z"):
        factories.make_tag(slug=slug)
    for slug in ("p-2", "p-1"):
        factories.make_post(slug=slug, state=State.DRAFT, publish_at=None)
    factories.make_post()
    [text] = dump(Tag).values()

    assert [entry["fields"]["slug"] for entry in yaml.safe_load(text)] == ["a-z", "ab"]
    assert [*dump(Post)] == ["posts/a-post.yaml", "posts/p-1.yaml", "posts/p-2.yaml"]


def test_loading_what_was_dumped_changes_nothing(content: None) -> None:
    before = Revision.objects.get().number

    assert load(dump()) == {}
    assert Revision.objects.get().number == before


def encode(kind: str = "WEBP", width: int = 900, **options: Any) -> bytes:
    file = BytesIO()
    Picture.new("RGB", (width, 500 * width // 900), (200, 20, 20)).save(file, kind, **options)
    return file.getvalue()


def make_photograph() -> Image:
    """Create an image as an upload does, in two widths."""
    file, small = write_anew(BytesIO(encode("PNG")), 1)
    return factories.make_image(slug="red", width=900, height=500, file=file, small=small)


def empty_catalogue() -> None:
    call_command("flush", interactive=False, verbosity=0)
    for model in FORMER:
        model.objects.all().delete()  # Triggers have remembered what was deleted.


TEXTS = ("title_en", "name_en", "role_en", "label_en", "alt_en", "tagline_en", "api_version")


@pytest.mark.postgresql
@pytest.mark.django_db
def test_each_row_can_be_dumped_changed_and_loaded() -> None:
    factories.make_one_of_each()
    Image.objects.all().delete()
    make_photograph()
    dumped = dump()
    for table in FILES:
        for row in table._default_manager.all():
            files = dump(table, *row.natural_key())
            [text] = files.values()
            column = next(name for name in TEXTS if hasattr(row, name))
            setattr(row, column, "9.9.9")
            row.save()

            assert [*load({"a.yaml": text})] == [*files]
            assert dump() == dumped


@pytest.mark.django_db(transaction=True)
def test_an_empty_catalogue_becomes_the_dumped_one() -> None:
    shipped.load_fixtures()
    factories.make_post(slug="edited", body_en="Text\n\n- with: “marks” #\n")
    post = Post.objects.get(slug="edited")
    post.title_en, post.slug = "Other words: a {title}", "renamed"
    post.save()
    Post.objects.get(slug="finding-things-you-own").delete()
    stack = ["Dữ liệu: tệp", "- đo", "#4", "yes", "a: b"]
    App.objects.filter(slug="estua").update(stack=stack, spec_en=" measures" * 20)
    make_photograph()
    dumped = dump()
    assert {"retired.yaml", "images/red.yaml"} < dumped.keys()
    files = [*Image.objects.values_list("slug", "file", "small")]

    empty_catalogue()
    load({"all.yaml": b"".join(dumped.values())})

    assert dump() == dumped
    assert [*Image.objects.values_list("slug", "file", "small")] == files


TAG = b"- model: catalogue.tag\n  fields: {slug: new, name_en: New}\n"


def test_changes_are_shown_before_they_are_made(content: None) -> None:
    files = dump()
    slug = "a-pendulum-in-your-pocket"
    text = files[f"posts/{slug}.yaml"].replace(b"A pendulum in", b"Two pendulums in")
    title = Post.objects.get(slug=slug).title_en

    changes = load({"posts/one.yaml": text, "tags.yaml": TAG}, apply=False)

    found = {
        path: [line for line in unified_diff(*map(str.splitlines, texts), n=0) if "    " in line]
        for path, texts in changes.items()
    }
    day = f"+    edited_at: {timezone.now():%Y-%m-%d}"
    [edited] = [line for line in found[f"posts/{slug}.yaml"] if line.startswith(day)]
    assert found == {
        f"posts/{slug}.yaml": [
            f"-    title_en: {title}",
            f"+    title_en: {title.replace('A pendulum', 'Two pendulums')}",
            edited,
        ],
        "tags.yaml": ["+    slug: new", "+    name_en: New"],
    }
    assert Post.objects.get(slug=slug).title_en == title
    assert not Tag.objects.filter(slug="new").exists()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"- model: auth.user\n  fields: {username: eve}\n", "is not a row"),
        (b"- model: catalogue.tag\n  fields: [slug]\n", "is not a list of rows"),
        (b"- model: catalogue.tag\n", "is not a list of rows"),
        (b"just words", "is not a list of rows"),
        (b"- [unclosed", "is not YAML"),
        (b"\xff", "is not a text in UTF-8"),
        (b"- model: catalogue.tag\n  fields: {slug: Not A Slug, name_en: x}\n", "slug: "),
        (b"- model: catalogue.tag\n  fields: {slug: new, colour: red}\n", "colour"),
        (b"- model: catalogue.tag\n  fields: {slug: [new], name_en: x}\n", "tag ['new']"),
        (b"!!python/object/apply:os.system ['true']", "is not a file of content"),
        (b"moment: 2026-13-45", "has a value that does not exist"),
        (b"a: !!bool x", "is not a file of content"),
        (b"a: !!timestamp x", "is not a file of content"),
        (b"- " * 20_000, "lists in lists"),
        (b"{a: " * 500_000, "lists in lists"),
        (b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", "has a reference"),
        (b"- model: catalogue.tag\n  fields: {id: 1, slug: new, name_en: x}\n", "is not a row"),
        (b"- model: catalogue.symbol\n  fields: {symbol: c}\n", "topic"),
        (b"- model: catalogue.tag\n  fields: {slug: new, name_en: 1.10}\n", "name_en: A text such"),
        (b"- model: catalogue.post\n  fields: {slug: new, tags: [5]}\n", "tags: A text such"),
        (b"- model: catalogue.post\n  fields: {slug: new, tags: [[b]]}\n", "is no row “b”"),
        (b"- model: catalogue.post\n  fields: {publish_at: soon}\n", "have the value “soon”"),
        (b"- model: catalogue.tag\n  fields: {slug: new}\n  name_en: New\n", "is not a row"),
        (TAG.replace(b"slug:", b"name_en: Old, slug:"), "twice in what begins in line 2"),
        (TAG, "It is in the files twice."),
    ],
)
@pytest.mark.django_db
def test_faults_are_told_all_at_once_and_nothing_is_loaded(text: bytes, fault: str) -> None:
    factories.make_tag()
    before = dump()

    with pytest.raises(ContentRefused) as refused:
        load({"good.yaml": TAG, "bad.yaml": text, "worse.yaml": text})

    assert len(refused.value.faults) >= 2
    assert all(fault in each for each in refused.value.faults), refused.value.faults
    assert {each.partition(":")[0].split()[0] for each in refused.value.faults} == {
        "bad.yaml",
        "worse.yaml",
    }
    assert dump() == before


@pytest.mark.parametrize(
    ("width", "height"),
    [
        (1, 1),
        (640, 9),
        (641, 1),
        (641, 640),
        (900, 500),
        (999, 777),
        (1600, 3),
        (3000, 2000),
        (50, 9000),
    ],
)
def test_what_an_upload_makes_can_be_loaded(width: int, height: int) -> None:
    upload = BytesIO()
    Picture.new("RGBA", (width, height), (200, 20, 20, 99)).save(upload, "PNG")
    file, small = write_anew(upload, 1)

    found = measure("webp", file, small)

    with Picture.open(BytesIO(file)) as image:
        assert found == image.size
    assert bool(small) == (found[0] > 640)


def changed_image(slug: str, **columns: bytes) -> dict[str, bytes]:
    """Return the file of an image with other bytes in its columns."""
    path = f"images/{slug}.yaml"
    [entry] = yaml.safe_load(dump(Image, slug)[path])
    entry["fields"] |= columns
    return {path: yaml.safe_dump([entry], sort_keys=False).encode()}


MOVING = {"save_all": True, "append_images": [Picture.new("RGB", (900, 500))]}
HOSTILE_PHOTOGRAPHS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "no file": (lambda _: b"", "is no image in WebP, or it is damaged"),
    "a large image": (lambda _: encode(width=1601), "has at most 1,600 × 4,800 pixels"),
    "half a file": (lambda file: file[: len(file) // 2], "cannot be read to its end"),
    "not pixels": (lambda _: b"RIFF\x10\0\0\0WEBPVP8 \4\0\0\0wide", "cannot be read to its end"),
    "JPEG": (lambda _: encode("JPEG"), "is no image in WebP"),
    "a page after it": (lambda file: file + b"<script>", "has more than pixels"),
    "a place": (lambda _: encode(exif=b"Exif\0\0at home"), "has more than pixels"),
    "motion": (lambda _: encode(**MOVING), "The image moves"),
    "a drawing": (lambda _: b"<svg/>", "SVG drawings are not taken"),
}
HOSTILE_DRAWINGS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "a script": (
        lambda file: file.replace(b"</svg>", b"<script>alert(1)</script></svg>"),
        "contains <script>",
    ),
    "a handler": (
        lambda file: file.replace(b"<svg ", b'<svg onload="alert(1)" '),
        'contains onload="alert(1)"',
    ),
    "a style from outside": (
        lambda file: file.replace(b"<style>", b"<style>@import 'https://evil.example';"),
        "contains @import",
    ),
    "an image from outside": (
        lambda file: file.replace(b"<style>", b"<style>path{fill:url(//evil.example)}"),
        "contains path{fill:url(//evil.example)}",
    ),
    "entities": (lambda file: b"<!DOCTYPE svg [<!ENTITY a 'aaaa'>]>" + file, "contains <!DOCTYPE>"),
    "a huge drawing": (lambda file: file + b" " * 200_000, "200,000 bytes"),
    "a drawing without a size": (
        lambda file: file.replace(b'width="560"', b'width="100%"'),
        "has no width and height in pixels",
    ),
    "not a text": (lambda _: b"\xff", "is not in UTF-8"),
    "a photograph": (lambda _: encode(), "is not in UTF-8"),
}


@pytest.mark.parametrize(
    ("slug", "column", "change", "fault"),
    [
        *(("red", "file", *each) for each in HOSTILE_PHOTOGRAPHS.values()),
        *(
            ("red", "small", *each)
            for name, each in HOSTILE_PHOTOGRAPHS.items()
            if name != "no file"
        ),
        ("red", "small", lambda _: b"", "narrower file is 0 pixels wide; 640 are right"),
        ("red", "small", lambda _: encode(width=639), "narrower file is 639 pixels wide; 640 are"),
        *(("echo-trace", "file", *each) for each in HOSTILE_DRAWINGS.values()),
        ("echo-trace", "small", lambda _: encode(), "narrower file is 900 pixels wide; 0 are"),
    ],
)
@pytest.mark.django_db
def test_a_hostile_file_of_an_image_is_refused_in_words(
    slug: str, column: str, change: Callable[[bytes], bytes], fault: str
) -> None:
    make_photograph()
    call_command("loaddata", shipped.FIXTURES / "images/echo-trace.yaml", verbosity=0)
    dumped, image = dump(), Image.objects.get(slug=slug)

    with pytest.raises(ContentRefused) as refused:
        load(changed_image(slug, **{column: change(bytes(getattr(image, column)))}))

    [told] = refused.value.faults
    assert told.startswith(f"images/{slug}.yaml: image ")
    assert fault in told
    assert dump() == dumped


def test_another_file_of_an_image_is_a_change_that_is_shown(content: None) -> None:
    make_photograph()
    blue = BytesIO()
    Picture.new("RGB", (600, 300), (20, 20, 200)).save(blue, "WEBP")
    drawing = bytes(Image.objects.get(slug="echo-trace").file).replace(b"Level", b"Loudness")
    files = changed_image("echo-trace", file=drawing)
    files |= changed_image("red", file=blue.getvalue(), small=b"")

    changes = load(files)

    _, after = changes["images/echo-trace.yaml"]
    before, now = changes["images/red.yaml"]
    assert "Loudness" in after
    assert max(map(len, before.splitlines())) < 100 > len(before.splitlines())
    assert "width: 900" in before
    assert "width: 600" in now
    row = Image.objects.get(slug="red")
    assert (row.width, row.height, row.file, row.small) == (600, 300, blue.getvalue(), b"")


def test_short_words_on_lines_of_their_own_are_shown(content: None) -> None:
    files = dump(App, "wheria")
    [text] = files.values()

    changes = load({"app.yaml": text.replace(b"      Swift\n", b"      Dart\n")}, apply=False)

    [(before, after)] = changes.values()
    assert "      Swift\n" in before
    assert "      Dart\n" in after


def test_a_row_that_is_renamed_in_a_file_keeps_its_identity(content: None) -> None:
    old, new = "a-pendulum-in-your-pocket", "a-pendulum"
    row = Post.objects.get(slug=old)
    text = dump()[f"posts/{old}.yaml"].replace(old.encode(), new.encode(), 1)
    former = f"- model: catalogue.formerpostslug\n  fields: {{slug: {old}, owner: [{new}]}}\n"

    load({"post.yaml": text + former.encode()})

    assert Post.objects.get(slug=new).pk == row.pk
    assert FormerPostSlug.objects.get(slug=old).owner_id == row.pk


@pytest.mark.django_db
def test_a_file_that_a_person_wrote_changes_nothing_when_it_is_loaded_again() -> None:
    row = {
        "slug": "new",
        "title_en": "On",
        "excerpt_en": "A. B.",
        "body_en": "C.",
        "title_vi": None,
    }
    text = yaml.safe_dump([{"model": "catalogue.post", "fields": row}]).encode()
    load({"new.yaml": text})

    assert load({"new.yaml": text}) == {}, "its ids in feeds are made once"


def test_parts_that_a_file_leaves_out_are_deleted_with_no_others(content: None) -> None:
    files = dump()
    first, rest = files["science.yaml"].split(b"- model: catalogue.symbol", 1)
    _, topics = rest.split(b"- model: catalogue.sciencetopic", 1)
    count = Symbol.objects.exclude(topic__slug="acoustics").count()

    changes = load({"science.yaml": first + b"- model: catalogue.sciencetopic" + topics})

    assert changes.keys() == {"science.yaml"}
    assert not Symbol.objects.filter(topic__slug="acoustics").exists()
    assert Symbol.objects.count() == count
    assert TimelineLink.objects.exists()


def test_tags_that_a_file_leaves_out_are_taken_away(content: None) -> None:
    post = Post.objects.get(slug="finding-things-you-own")
    tags = [*post.tags.all()]
    post.tags.clear()
    files = dump(Post, post.slug)
    post.tags.set(tags)

    assert load(files).keys() == files.keys()
    assert dump(Post, post.slug) == files


def test_a_folder_is_dumped_and_loaded_by_commands(
    content: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CommandError, match="without files"):
        call_command("load_content", tmp_path)
    call_command("dump_content", into=tmp_path)
    gone = [tmp_path / name for name in ("posts/gone.yaml", "retired.yaml", "images/a.yaml")]
    for path in gone:
        path.write_text("")
    (tmp_path / "README.yaml").write_text("# ours\n")
    call_command("dump_content", into=tmp_path)
    assert not any(path.exists() for path in gone)
    (tmp_path / "README.yaml").unlink()
    found = {str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*.*")}
    assert found == {*shipped_files()}

    (tmp_path / "tags.yaml").write_bytes(TAG)
    call_command("load_content", tmp_path)
    assert not Tag.objects.filter(slug="new").exists()

    call_command("load_content", tmp_path, apply=True)
    assert Tag.objects.filter(slug="new").exists()
    assert capsys.readouterr().out.count("+    slug: new\n") == 2


def test_a_row_is_printed(content: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("dump_content", "tag/audio")
    fields = "    slug: audio\n    name_en: Audio\n    name_vi: Âm thanh\n"
    assert capsys.readouterr().out == f"- model: catalogue.tag\n  fields:\n{fields}"


@pytest.mark.parametrize("what", ["colour", "tag/none", "tag/audio --into"])
def test_a_wrong_choice_is_refused_in_words(content: None, what: str, tmp_path: Path) -> None:
    name, *more = what.split()
    with pytest.raises(CommandError, match=r"no kind|no tag|has more rows"):
        call_command("dump_content", name, into=tmp_path if more else None)


def test_a_place_that_cannot_be_written_or_read_is_told_in_a_sentence(
    content: None, tmp_path: Path
) -> None:
    (tmp_path / "posts").touch()
    with pytest.raises(CommandError, match=r"posts: File exists|posts: Not a directory"):
        call_command("dump_content", "post", into=tmp_path)
    (tmp_path / "a.yaml").mkdir()
    with pytest.raises(CommandError, match=r"a\.yaml: Is a directory"):
        call_command("load_content", tmp_path)


STRANGE = (None, 10**30, "\0", "x" * 5_000, [["x"]], {"a": "b"}, b"\xff", date(1, 1, 1))


@pytest.mark.django_db
def test_a_strange_value_in_any_column_is_loaded_or_refused_in_a_sentence() -> None:
    factories.make_one_of_each()
    entries = [entry for text in dump().values() for entry in yaml.safe_load(text)]
    changed = [
        {**entry, "fields": entry["fields"] | {name: value}}
        for entry in entries
        for name, value in product((*entry["fields"], "owner", "pk"), STRANGE)
    ]

    text = b"".join(yaml.safe_dump([entry], sort_keys=False).encode() for entry in changed)
    with pytest.raises(ContentRefused) as refused:
        load({"strange.yaml": text})

    assert len(changed) * 0.6 < len(refused.value.faults)
    assert max(map(len, refused.value.faults)) <= 500
    assert not [fault for fault in refused.value.faults if "field_value" in fault]
