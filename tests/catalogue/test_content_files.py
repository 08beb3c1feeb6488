"""Content as files: what is dumped can be loaded, and all of it or nothing is loaded."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from PIL import Image as Picture

from catalogue import shipped
from catalogue.content.kinds import FORMER
from catalogue.content.reading import Change, ContentRefused, find_changes, load
from catalogue.content.writing import dump
from catalogue.models import FormerPostSlug, Image, Post, Revision, Symbol, Tag, TimelineLink
from catalogue.pictures import read_picture, write_anew
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


def test_the_shipped_content_is_dumped_to_the_bytes_of_its_files(content: None) -> None:
    assert dump() == shipped_files()


def test_loading_what_was_dumped_changes_nothing(content: None) -> None:
    before = Revision.objects.get().number

    assert load(dump()) == []
    assert Revision.objects.get().number == before


def encode(kind: str = "WEBP", width: int = 900, **options: Any) -> bytes:
    file = BytesIO()
    Picture.new("RGB", (width, 500 * width // 900), (200, 20, 20)).save(file, kind, **options)
    return file.getvalue()


def make_photograph() -> Image:
    """Create an image as an upload does, in two widths."""
    red = write_anew(BytesIO(encode("PNG")), 1)
    files = {"file": red.file, "small": red.small}
    return factories.make_image(slug="red", width=900, height=500, **files)


def empty_catalogue() -> None:
    call_command("flush", interactive=False, verbosity=0)
    for model in FORMER:
        model.objects.all().delete()  # Triggers have remembered what was deleted.


@pytest.mark.django_db(transaction=True)
def test_an_empty_catalogue_becomes_the_dumped_one() -> None:
    shipped.load_fixtures()
    factories.make_post(slug="edited", body_en="Text\n\n- with: “marks” #\n")
    post = Post.objects.get(slug="edited")
    post.title_en, post.slug = "Other words: a {title}", "renamed"
    post.save()
    Post.objects.get(slug="finding-things-you-own").delete()
    make_photograph()
    dumped = dump()
    assert {"retired.yaml", "images/red.webp"} < dumped.keys()
    files = [*Image.objects.values_list("slug", "width", "height", "small")]

    empty_catalogue()
    load(dumped)

    assert dump() == dumped
    assert [*Image.objects.values_list("slug", "width", "height", "small")] == files


TAG = b"- model: catalogue.tag\n  fields: {slug: new, name_en: New}\n"


def test_changes_are_shown_before_they_are_made(content: None) -> None:
    files = dump()
    slug = "a-pendulum-in-your-pocket"
    text = files[f"posts/{slug}.yaml"].replace(b"A pendulum in", b"Two pendulums in")
    before = Post.objects.get(slug=slug).title_en

    changes = find_changes({"posts/one.yaml": text, "tags.yaml": TAG})

    assert changes == [
        Change("add", ("catalogue.tag", "new")),
        Change("change", ("catalogue.post", slug), ("title_en", "edited_at")),
    ]
    assert Post.objects.get(slug=slug).title_en == before
    assert not Tag.objects.filter(slug="new").exists()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"- model: auth.user\n  fields: {username: eve}\n", "not a row of content"),
        (b"- model: catalogue.tag\n  pk: 1\n  fields: {slug: new}\n", "not a row of content"),
        (b"just words", "not a row of content"),
        (b"- [unclosed", "is not YAML"),
        (b"\xff", "is not YAML"),
        (b"- model: catalogue.tag\n  fields: {slug: Not A Slug, name_en: x}\n", "slug: "),
        (b"- model: catalogue.tag\n  fields: {slug: new, colour: red}\n", "colour"),
        (b"- model: catalogue.tag\n  fields: {slug: [new], name_en: x}\n", "tag ['new']"),
        (b"!!python/object/apply:os.system ['true']", "is not YAML"),
    ],
)
def test_faults_are_told_all_at_once_and_nothing_is_loaded(
    content: None, text: bytes, fault: str
) -> None:
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
    file = BytesIO()
    Picture.new("RGBA", (width, height), (200, 20, 20, 99)).save(file, "PNG")
    made = write_anew(file, 1)

    assert read_picture(made.file, "webp") == made
    assert bool(made.small) == (made.width > 640)


PHOTOGRAPH, DRAWING = "images/red", "images/echo-trace"
HOSTILE_IMAGES: dict[str, tuple[str, Any, str]] = {
    "no file": (f"{PHOTOGRAPH}.webp", lambda _: None, "There is no file of the image"),
    "a large image": (
        f"{PHOTOGRAPH}.webp",
        lambda _: encode(width=1601),
        "has at most 1,600 × 4,800 pixels",
    ),
    "half a file": (f"{PHOTOGRAPH}.webp", lambda file: file[: len(file) // 2], "more than pixels"),
    "not pixels": (
        f"{PHOTOGRAPH}.webp",
        lambda _: b"RIFF\x10\0\0\0WEBPVP8 \4\0\0\0wide",
        "is damaged",
    ),
    "JPEG": (f"{PHOTOGRAPH}.webp", lambda _: encode("JPEG"), "more than pixels"),
    "a page after it": (f"{PHOTOGRAPH}.webp", lambda file: file + b"<script>", "more than pixels"),
    "a place": (
        f"{PHOTOGRAPH}.webp",
        lambda _: encode(exif=b"Exif\0\0at home"),
        "more than pixels",
    ),
    "motion": (
        f"{PHOTOGRAPH}.webp",
        lambda _: encode(save_all=True, append_images=[Picture.new("RGB", (900, 500))]),
        "more than pixels",
    ),
    "a script": (
        f"{DRAWING}.svg",
        lambda file: file.replace(b"</svg>", b"<script>alert(1)</script></svg>"),
        "contains <script>",
    ),
    "a handler": (
        f"{DRAWING}.svg",
        lambda file: file.replace(b"<svg ", b'<svg onload="alert(1)" '),
        'contains onload="alert(1)"',
    ),
    "a style from outside": (
        f"{DRAWING}.svg",
        lambda file: file.replace(b"<style>", b"<style>@import 'https://evil.example';"),
        "contains @import",
    ),
    "an image from outside": (
        f"{DRAWING}.svg",
        lambda file: file.replace(b"<style>", b"<style>path{fill:url(//evil.example)}"),
        "contains path{fill:url(//evil.example)}",
    ),
    "entities": (
        f"{DRAWING}.svg",
        lambda file: b"<!DOCTYPE svg [<!ENTITY a 'aaaa'>]>" + file,
        "contains <!DOCTYPE>",
    ),
    "a huge drawing": (f"{DRAWING}.svg", lambda file: file + b" " * 200_000, "200,000 bytes"),
    "a drawing without a size": (
        f"{DRAWING}.svg",
        lambda file: file.replace(b'width="560"', b'width="100%"'),
        "has no width and height in pixels",
    ),
    "not a drawing": (f"{DRAWING}.svg", lambda _: b"\xff", "is not in UTF-8"),
}


@pytest.mark.parametrize(("path", "change", "fault"), HOSTILE_IMAGES.values(), ids=HOSTILE_IMAGES)
def test_a_hostile_file_of_an_image_is_refused_in_words(
    content: None, path: str, change: Any, fault: str
) -> None:
    make_photograph()
    dumped = dump()
    changed = dumped | {path: change(dumped[path]) or b""}

    with pytest.raises(ContentRefused) as refused:
        load(changed)

    [told] = refused.value.faults
    assert told.startswith(f"{path.partition('.')[0]}.yaml: image ")
    assert fault in told
    assert dump() == dumped


def test_another_file_of_an_image_is_a_change_that_is_shown(content: None) -> None:
    dumped, path = dump(), f"{DRAWING}.svg"
    files = dumped | {path: dumped[path].replace(b"Level", b"Loudness")}

    [change] = load(files)

    assert str(change) == "change image echo-trace: file"
    assert dump() == files


def test_a_row_that_is_renamed_in_a_file_keeps_its_identity(content: None) -> None:
    old, new = "a-pendulum-in-your-pocket", "a-pendulum"
    row = Post.objects.get(slug=old)
    text = dump()[f"posts/{old}.yaml"].replace(old.encode(), new.encode(), 1)
    former = f"- model: catalogue.formerpostslug\n  fields: {{slug: {old}, owner: [{new}]}}\n"

    load({"post.yaml": text + former.encode()})

    assert Post.objects.get(slug=new).pk == row.pk
    assert FormerPostSlug.objects.get(slug=old).owner_id == row.pk


def test_parts_that_a_file_leaves_out_are_deleted_with_no_others(content: None) -> None:
    files = dump()
    first, rest = files["science.yaml"].split(b"- model: catalogue.symbol", 1)
    _, topics = rest.split(b"- model: catalogue.sciencetopic", 1)
    count = Symbol.objects.exclude(topic__slug="acoustics").count()

    changes = load({"science.yaml": first + b"- model: catalogue.sciencetopic" + topics})

    assert {change.act for change in changes} == {"delete"}
    assert not Symbol.objects.filter(topic__slug="acoustics").exists()
    assert Symbol.objects.count() == count
    assert TimelineLink.objects.exists()


def test_a_folder_is_dumped_and_loaded_by_commands(
    content: None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("dump_content", into=tmp_path)
    gone = [
        tmp_path / name
        for name in ("posts/gone.yaml", "retired.yaml", "images/a.yaml", "images/a.webp")
    ]
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
    assert capsys.readouterr().out.count("add tag new") == 2


def test_a_row_is_printed(content: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("dump_content", "tag/audio")
    fields = "    slug: audio\n    name_en: Audio\n    name_vi: Âm thanh\n"
    assert capsys.readouterr().out == f"- model: catalogue.tag\n  fields:\n{fields}"


def test_an_image_is_dumped_and_loaded_with_its_files(content: None, tmp_path: Path) -> None:
    dumped, image = dump(), make_photograph()
    call_command("dump_content", "image/red", into=tmp_path)
    assert len([*tmp_path.rglob("*.*")]) == 2
    image.delete()

    call_command("load_content", tmp_path / "images/red.yaml", apply=True)

    assert dump().items() - dumped.items() == {
        (str(path.relative_to(tmp_path)), path.read_bytes()) for path in tmp_path.rglob("*.*")
    }


@pytest.mark.parametrize("what", ["colour", "tag/none", "tag/audio --into", "image/echo-trace"])
def test_a_wrong_choice_is_refused_in_words(content: None, what: str, tmp_path: Path) -> None:
    name, *more = what.split()
    with pytest.raises(CommandError, match=r"no kind|no tag|has more rows|have files"):
        call_command("dump_content", name, into=tmp_path if more else None)
