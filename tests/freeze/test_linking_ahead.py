"""What is published is linked while a freeze begins; in the end all is as without it."""

import multiprocessing
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from django.core.management import call_command
from django.test import override_settings

from catalogue.models import Post
from site_mirror import early, inputs, repeating
from site_mirror.snapshot import ahead, beginning, candidate, files, state
from site_mirror.snapshot.ahead import linked, look, looked_at, whole
from site_mirror.snapshot.beginning import begun
from site_mirror.snapshot.layout import MADE, PORTIONS, PUBLIC
from site_mirror.snapshot.places import Place
from site_mirror.snapshot.portions import Earlier, remembered
from site_mirror.snapshot.report import Report
from site_mirror.snapshot.target import Target
from tests import rows
from tests.freeze import makers, plain

Change = Callable[[], object]
LATEST = makers.LATER + timedelta(days=1)
OTHERS = (plain.document("/only/here/once", plain.LONG), *plain.FIRST[:2])


def release_of(target: Path) -> Path:
    return Target(target).current.resolve()


def public(target: Path) -> dict[str, bytes | str]:
    """Every file that is served, and every folder."""
    folder = Target(target).public
    folders = [path for path in folder.rglob("*") if path.is_dir()]
    return makers.tree(folder) | {str(path.relative_to(folder)): "folder" for path in folders}


def frozen_ahead(site: Path, **options: Any) -> Report:
    with begun(Target(site), ahead=True) as start:
        return makers.freeze_into(site, makers.LATER, beginning=start, **options)


def edited() -> None:
    makers.edit("older", title_en="Another title", body_en="Short.")


def withdrawn() -> None:
    Post.objects.filter(slug="older").update(state="draft")


def renamed() -> None:
    Post.objects.filter(slug="older").update(slug="renamed")


@pytest.mark.parametrize("change", [edited, withdrawn, renamed], ids=lambda change: change.__name__)
def test_the_same_is_published_as_without(small_site: Path, tmp_path: Path, change: Change) -> None:
    copy = Path(shutil.copytree(small_site, tmp_path / "copy", symlinks=True))
    change()
    free = {"share": None, "retired": ["/blog/older", "/api/v1/posts/older"]}
    plainly = makers.freeze_into(copy, makers.LATER, **free)
    linking = frozen_ahead(small_site, **free)

    assert plainly.members() | {"seconds": {}} == linking.members() | {"seconds": {}}
    assert public(small_site) == public(copy)


def test_what_does_not_stay_is_removed_with_its_folders(tmp_path: Path) -> None:
    target, full = tmp_path / "target", tmp_path / "full"
    plain.published(target, *OTHERS, moment=plain.MOMENT, known=True)
    plain.published_ahead(target, *plain.FIRST[:3], moment=plain.MOMENT)
    plain.published(full, *plain.FIRST[:3], moment=plain.MOMENT, known=True)

    assert public(target) == public(full)
    assert "only" not in public(target)


def test_every_portion_is_linked_that_nobody_has_touched(small_site: Path, tmp_path: Path) -> None:
    published, windows = release_of(small_site), Target(small_site).windows
    every = remembered(published).keys()
    place = Place(tmp_path / "made", published, windows)
    assert {*linked(place, whole(published, windows))} == every
    assert makers.tree(tmp_path / "made" / PUBLIC).keys() < public(small_site).keys()

    state.trust(small_site, published)
    os.utime(published / "public/blog/older.html")
    left = {inputs for inputs, _ in whole(published, Target(small_site).windows)}
    assert 0 < len(left) == len(every) - 1


def test_portions_are_looked_at_until_it_is_told_where_to_link(
    small_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = [*whole(release_of(small_site), Target(small_site).windows)]
    portions, told = iter(every), iter([False, False, True])

    assert [*looked_at(portions, lambda: next(told))] == every[:2]
    monkeypatch.setattr(ahead, "MOST", 1)
    assert [*looked_at(iter(every), lambda: False)] == every[:1]
    assert [*portions] == every[2:]


def killed(*arguments: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def refused(*arguments: object, **options: object) -> None:
    raise PermissionError("nothing can be linked")


def after_some(fault: Callable[..., None]) -> Callable[..., None]:
    """The first portion is linked, at the second it happens."""
    portions = iter([ahead.link_all])

    def link_all(*arguments: Any) -> None:
        next(portions, fault)(*arguments)

    return link_all


@pytest.mark.parametrize("fault", [killed, refused])
def test_without_the_process_that_links_the_same_is_published(
    small_site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Callable[..., None]
) -> None:
    copy = Path(shutil.copytree(small_site, tmp_path / "copy", symlinks=True))
    edited()
    makers.freeze_into(copy, makers.LATER)
    monkeypatch.setattr(ahead, "link_all", after_some(fault))
    frozen_ahead(small_site)

    assert public(small_site) == public(copy)


def test_where_nothing_can_be_linked_nobody_copies_ahead(
    small_site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = Path(shutil.copytree(small_site, tmp_path / "copy", symlinks=True))
    edited()
    makers.freeze_into(copy, makers.LATER)
    monkeypatch.setattr(os, "link", refused)

    with begun(Target(small_site), ahead=True) as start:
        assert start.ahead
        assert start.ahead.wait() == frozenset()
        assert not [path for path in start.place.folder.rglob("*") if path.is_file()]
        makers.freeze_into(small_site, makers.LATER, beginning=start)
    assert public(small_site) == public(copy)


@pytest.mark.parametrize("stale", ["all", "some"])
def test_a_crew_and_the_process_that_links_work_on_the_same_files(
    small_site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stale: str
) -> None:
    for number in range(250):
        rows.make_post(slug=f"post-{number}", body_en=f"Text {number}. " * 90)
    makers.freeze_into(small_site, makers.LATER)
    copy = Path(shutil.copytree(small_site, tmp_path / "copy", symlinks=True))
    chosen = Post.objects.all() if stale == "all" else Post.objects.filter(slug__contains="7")
    chosen.update(excerpt_en="Another excerpt. It has two sentences.")
    makers.freeze_into(copy, LATEST, jobs=1)
    monkeypatch.setattr(files.os, "link", slow(os.link))

    with begun(Target(small_site), ahead=True) as start:
        makers.freeze_into(small_site, LATEST, beginning=start, jobs=2)

    assert public(small_site) == public(copy)


def slow(link: Callable[..., None]) -> Callable[..., None]:
    def linked_slowly(*names: Any, **folders: Any) -> None:
        sleep(0.0005)
        link(*names, **folders)

    return linked_slowly


def test_a_release_that_remembers_nothing_is_followed_all_the_same(
    small_site: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(small_site, tmp_path / "copy", symlinks=True))
    (release_of(small_site) / PORTIONS).unlink()
    edited()
    makers.freeze_into(copy, makers.LATER)
    frozen_ahead(small_site)

    assert public(small_site) == public(copy)


def test_what_was_linked_in_vain_is_removed(
    small_site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = Path(shutil.copytree(small_site, tmp_path / "copy", symlinks=True))
    withdrawn()
    free = {"share": None, "retired": ["/blog/older", "/api/v1/posts/older"]}
    makers.freeze_into(copy, makers.LATER, **free)

    @contextmanager
    def nothing(*arguments: object) -> Iterator[Earlier]:
        yield Earlier({})

    monkeypatch.setattr(candidate, "earlier", nothing)
    frozen_ahead(small_site, **free)

    assert public(small_site) == public(copy)


def test_nobody_links_when_the_freeze_has_ended(small_site: Path) -> None:
    with begun(Target(small_site), ahead=True) as start:
        assert start.ahead
        assert len(multiprocessing.active_children()) == 1

    assert multiprocessing.active_children() == []
    assert makers.leftovers(small_site) == set()


def test_a_system_without_copies_of_a_process_does_without(
    small_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    edited()

    assert frozen_ahead(small_site).outcome == "published"


def test_a_first_release_has_nothing_to_link(tmp_path: Path) -> None:
    with begun(Target(tmp_path / "site"), ahead=True) as start:
        assert start.ahead is None


def test_a_copy_is_of_the_same_moment_and_replaces_nothing(tmp_path: Path) -> None:
    for name in "old", "taken":
        (tmp_path / name).write_text(name)
    os.utime(tmp_path / "old", ns=(1, 2))
    files.copy(f"{tmp_path}/old", f"{tmp_path}/new")
    files.copy(f"{tmp_path}/old", f"{tmp_path}/taken")

    assert (tmp_path / "new").read_text() == "old"
    assert (tmp_path / "new").stat().st_mtime_ns == 2
    assert (tmp_path / "taken").read_text() == "taken"


@pytest.fixture
def nobody() -> Iterator[None]:
    """Whoever looks for a freeze that never begins is sent away."""
    yield
    with ahead.linking(None):
        pass


def test_who_looks_already_links_as_soon_as_the_freeze_begins(
    small_site: Path, tmp_path: Path, nobody: None
) -> None:
    copy = Path(shutil.copytree(small_site, tmp_path / "copy", symlinks=True))
    edited()
    makers.freeze_into(copy, makers.LATER)
    look(release_of(small_site), Target(small_site).windows)
    looking = multiprocessing.active_children()

    with begun(Target(small_site), ahead=True) as start:
        assert multiprocessing.active_children() == looking
        makers.freeze_into(small_site, makers.LATER, beginning=start)

    assert multiprocessing.active_children() == ahead.EARLY == []
    assert public(small_site) == public(copy)


def test_who_looks_at_another_release_is_sent_away(
    small_site: Path, tmp_path: Path, nobody: None
) -> None:
    copy = Path(shutil.copytree(small_site, tmp_path / "copy", symlinks=True))
    edited()
    look(release_of(small_site), Target(small_site).windows)
    makers.freeze_into(small_site, makers.LATER)
    makers.freeze_into(copy, makers.LATER)
    makers.edit("older", title_en="Yet another title")
    makers.freeze_into(copy, LATEST)

    with begun(Target(small_site), ahead=True) as start:
        makers.freeze_into(small_site, LATEST, beginning=start)

    assert multiprocessing.active_children() == ahead.EARLY == []
    assert public(small_site) == public(copy)


def test_who_looks_for_a_freeze_that_links_nothing_is_sent_away(
    small_site: Path, nobody: None
) -> None:
    look(release_of(small_site), Target(small_site).windows)

    with begun(Target(small_site)):
        assert multiprocessing.active_children() == ahead.EARLY == []


WORDS = [
    (["{}"], True),
    (["{}", "--json"], True),
    (["{}", "--jobs=1"], False),
    (["--json", "{}"], False),
    (["{}/nothing"], False),
    ([], False),
]


@pytest.mark.parametrize(("words", "looks"), WORDS, ids=str)
def test_a_freeze_of_a_large_release_is_told_by_its_words(
    small_site: Path,
    nobody: None,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    looks: bool,
) -> None:
    monkeypatch.setattr(early, "LARGE", 1)
    monkeypatch.setattr(early, "by_cores", lambda: 2)

    early.begin(["manage.py", "freeze", *(word.format(small_site) for word in words)])

    assert [linker.published for linker in ahead.EARLY] == [release_of(small_site)] * looks


def test_nobody_looks_for_other_commands_nor_at_a_small_release_nor_on_one_core(
    small_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(early, "by_cores", lambda: 2)
    early.begin(["manage.py", "freeze", str(small_site)])

    monkeypatch.setattr(early, "LARGE", 1)
    early.begin(["manage.py", "releases", str(small_site)])
    early.begin(["manage.py"])
    monkeypatch.setattr(early, "by_cores", lambda: 1)
    early.begin(["manage.py", "freeze", str(small_site)])

    assert ahead.EARLY == []


@pytest.fixture
def large(small_site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A release that counts as a large one."""
    monkeypatch.setattr(repeating, "MANY", 10)
    return small_site


def test_an_edit_of_a_large_release_is_what_pays(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited()
    assert repeating.nearly(Target(large))

    monkeypatch.setattr(inputs, "program", lambda: "another")
    assert not repeating.nearly(Target(large))


def test_what_is_small_or_has_other_settings_does_not_pay(small_site: Path, tmp_path: Path) -> None:
    assert not repeating.nearly(Target(small_site))
    assert not repeating.nearly(Target(tmp_path / "nothing"))


def test_a_release_of_other_settings_does_not_pay(large: Path) -> None:
    with override_settings(SITE_ROOT="https://another.example"):
        assert not repeating.nearly(Target(large))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"report": 1}'])
def test_what_cannot_be_read_does_not_pay(large: Path, text: str) -> None:
    (release_of(large) / MADE).write_text(text)

    assert not repeating.nearly(Target(large))


@pytest.mark.parametrize(("options", "pays"), [([], True), (["--jobs=1"], False)])
def test_the_command_links_ahead_unless_it_is_to_be_one_process(
    large: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], pays: bool
) -> None:
    asked = []
    linking = beginning.linking
    monkeypatch.setattr(beginning, "linking", lambda *given: asked.append(given) or linking(*given))
    edited()

    call_command("freeze", str(large), *options)

    assert [place is not None for (place,) in asked] == [pays]
