"""The desk asks for a publication, a job publishes, and the screen says what is true."""

import fcntl
import json
import os
import re
import signal
import subprocess
from collections.abc import Callable
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import RequestFactory
from django.utils import timezone
from django.utils.translation import override
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from catalogue.models import ApiVersion, App, Image, Page, Post, ScienceTopic, Studio, Symbol
from site_mirror.desk import publishing
from site_mirror.desk.changes import compare_releases
from site_mirror.desk.faults import find_causes
from site_mirror.desk.models import Run
from site_mirror.desk.roles import EDITOR, WRITER
from site_mirror.freeze.rehearsal import rehearsed_freeze
from site_mirror.management import desk_job
from site_mirror.management.commands import serve
from site_mirror.management.commands.serve import publish_on_request
from site_mirror.snapshot import target as targets
from site_mirror.snapshot.changes import find_differences
from site_mirror.snapshot.layout import CACHE, CONTENT, MANIFEST, STATE
from site_mirror.snapshot.manifest import read_whole_manifest
from site_mirror.snapshot.target import Target
from tests import factories
from tests.admin_pages import form_address, form_data
from tests.desk.people import EVERYBODY, browser_of
from tests.freeze import commands, processes, sites, target_files
from tests.freeze.frozen_copies import copy_release, make_site
from tests.freeze.test_full_disk import mount
from tests.requirements import needs_root

SCREEN = "/admin/publish/"
JOB = ("--desk", "deploy")


class Desk:
    """An editor, a target with a release of a small site, and the jobs of the desk."""

    def __init__(self, target: Path, request: Path, commit: Callable[..., Any]) -> None:
        self.target, self.request, self.commit = target, request, commit
        self.editor = browser_of(EDITOR)

    def ask(self, address: str = SCREEN) -> Any:
        with self.commit(execute=True):
            return self.editor.post(address)

    def run(self, *options: str) -> int:
        """Run a job, as a unit does."""
        return commands.freeze(str(self.target), *(options or JOB)).returncode

    def read(self, address: str = SCREEN) -> str:
        return " ".join(self.editor.get(address).content.decode().split())

    @property
    def release(self) -> str:
        return (self.target / "current").resolve().name


def publish(target: Path) -> None:
    assert commands.freeze(str(target), *JOB).returncode == 0


@pytest.fixture
def desk(
    db: None,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    settings: Settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> Desk:
    settings.SNAPSHOT, settings.PUBLISH_REQUEST = tmp_path / "site", tmp_path / "request"
    made = make_site(sites.make_site, tmp_path_factory.mktemp("published"), publish)
    copy_release(made, settings.SNAPSHOT)
    return Desk(settings.SNAPSHOT, settings.PUBLISH_REQUEST, django_capture_on_commit_callbacks)


def test_a_publication_is_asked_for_begins_and_is_verified(desk: Desk) -> None:
    before = desk.release
    assert "Nothing: readers see the same." in desk.read()
    sites.edit_post("older", title_en="Another title")

    assert desk.ask().status_code == 302
    assert (desk.request.read_bytes(), Run.objects.get().author.username) == (b"", "editor")
    assert "Asked. It begins within a second." in desk.read()
    with Target(desk.target).reserved():
        assert "Publishing: " in desk.read()
    assert "<small>editor</small>" not in desk.read()
    assert desk.run() == 0

    assert desk.release != before
    number = len(target_files.read_entries(desk.target))
    assert f", {number} documents verified." in desk.read()
    assert (desk.target / "deployed").resolve().name == desk.release
    assert desk.run() == processes.UNCHANGED
    assert f", {number} documents verified." in desk.read()


def test_the_history_says_who_asked_for_a_release(desk: Desk) -> None:
    def askers() -> list[str]:
        return re.findall(r"<small>(\w+)</small> (?=<)", desk.read())

    sites.edit_post("older", title_en="Another title")
    desk.ask()
    assert (desk.run(), askers()) == (0, ["editor"])
    desk.ask()  # Nothing has changed, so the next release is that of a timer.
    assert desk.run() == processes.UNCHANGED
    sites.edit_post("older", title_en="A third title")
    assert (desk.run(), askers()) == (0, ["editor"])


ROW = re.compile(r'<li> <a href="([^"]*)">(.*?)</a> <span>(.*?) ?</span> (.*?)</li>')
WORDS = re.compile(r"<dt>(.*?)</dt> <dd [^>]*>(.*?)</dd>")


def listed_rows(page: str) -> list[tuple[str, str, str, list[tuple[str, str]]]]:
    """Return form, title, change and changed words of each row that would change."""
    shown = page.partition('id="changes"')[2].partition('id="releases"')[0]
    return [(*each[:3], WORDS.findall(each[3])) for each in ROW.findall(shown)]


def test_the_screen_says_what_would_change_by_row_and_in_words(desk: Desk) -> None:
    tag, soon = factories.make_tag(name_en="Rain"), timezone.now() + timedelta(minutes=5)
    due = factories.make_post(slug="due", title_en="Due", publish_at=soon)
    due.tags.add(tag)
    withdrawn = factories.make_post(slug="withdrawn", title_en="Withdrawn")
    gone = factories.make_post(slug="gone", title_en="Gone")
    second = factories.make_topic(slug="second", name_en="Second", position=1)
    third = factories.make_topic(slug="third", name_en="Third", position=2)
    Symbol.objects.create(topic=third, symbol="T", meaning_en="time", unit="s")
    assert desk.run() == 0
    tree = target_files.read_tree(desk.target)
    assert listed_rows(desk.read()) == []
    older = Post.objects.get(slug="older")
    changed = [
        (Studio.objects.get(), {"security_contact": "mailto:a@studio.example"}),
        (older, {"title_en": "A short post", "app": App.objects.get()}),
        (App.objects.get(), {"tagline_en": "It measures well.", "on_watch": True}),
        (Image.objects.get(), {"alt_vi": "Hai sóng nước"}),
        (Page.objects.get(slug="home"), {"title_vi": "Trang đầu"}),
        (withdrawn, {"state": "draft"}),
        (second, {"position": 0}),
        (ScienceTopic.objects.exclude(pk__in=[second.pk, third.pk]).get(), {"position": 1}),
    ]
    for row, values in changed:
        for name, value in values.items():
            setattr(row, name, value)
        row.save()
    tag.posts.add(older)
    third.symbols.update(meaning_en="period")
    third.symbols.create(symbol="L", meaning_en="length", unit="m")
    gone.delete()
    factories.make_post(slug="secret", title_en="Needle", state="draft")
    with time_machine.travel(soon):
        page = desk.read()

    assert listed_rows(page) == [
        (
            form_address(Studio.objects.get()),
            *("A Studio", "Studio"),
            [("Security contact", "<ins>mailto:a@studio.example</ins>")],
        ),
        (form_address(tag), "Rain", "Tag appears", []),
        (
            form_address(App.objects.get()),
            *("An App", "App"),
            [
                ("Tagline, English", "It measures<ins> well</ins>."),
                ("Watch", "<del>No</del><ins>Yes</ins>"),
            ],
        ),
        (form_address(due), "Due", "Post appears", []),
        (
            form_address(older),
            *("A short post", "Post"),
            [
                ("Title, English", "A <ins>short </ins>post"),
                ("App", "<ins>An App</ins>"),
                ("Tags", "<ins>Rain</ins>"),
            ],
        ),
        ("/admin/catalogue/post/", "Gone", "Post leaves the site", []),
        (form_address(withdrawn), "Withdrawn", "Post leaves the site", []),
        (
            form_address(third),
            *("Third", "Science topic"),
            [("Symbols", "T · <del>time</del><ins>period</ins> · s<ins> L · length · m</ins>")],
        ),
        ("/admin/catalogue/sciencetopic/", "Science topics", "in another order", []),
        (
            form_address(Image.objects.get()),
            *("an-image", "Image"),
            [("What it shows, Vietnamese", "Hai sóng <del>giao nhau</del><ins>nước</ins>")],
        ),
        (
            form_address(Page.objects.get(slug="home")),
            *("Home", "Page"),
            [("Title, Vietnamese", "Trang<ins> đầu</ins>")],
        ),
    ]
    assert "documents differ: pages, lists, feeds and data." in page
    assert target_files.read_tree(desk.target) == tree


def test_what_has_no_row_is_counted_and_the_reason_is_said(
    desk: Desk, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SITE_ROOT = "https://elsewhere.example"
    content = desk.target / "current" / CONTENT
    told = json.loads(content.read_bytes())
    for row in told["post"].values():
        row["another"] = []  # As another version of the software may write it.
    content.write_text(json.dumps(told))
    page = desk.read()
    assert listed_rows(page) == []
    assert "documents differ: pages, lists, feeds and data. Some differ without a text: " in page

    monkeypatch.setattr("site_mirror.documents.digests.program_digest", lambda: "another")
    sites.edit_post("older", title_en="A short post")
    assert "Some differ without a text: " in desk.read()
    content.unlink()
    assert "Which texts differ is not known" in desk.read()


def test_a_release_of_many_rows_does_not_tell_them(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("catalogue.content.published.MAX_ROWS", 3)
    sites.edit_post("older", title_en="A short post")

    assert "Which texts differ is not known" in desk.read()
    assert desk.run() == 0
    assert b"short" not in (desk.target / "current" / CONTENT).read_bytes()


def test_a_release_tells_only_what_readers_see_and_tells_nobody_else(desk: Desk) -> None:
    later = timezone.now() + timedelta(days=1)
    factories.make_post(slug="secret", title_en="Needle", state="draft")
    factories.make_post(slug="later", title_en="Needle", publish_at=later)
    factories.make_tag(slug="needle", name_en="Needle")
    factories.make_image(slug="needle", alt_en="Needle")
    sites.edit_post("older", title_en="A short post")
    assert desk.run() == 0

    release = desk.target / "current"
    files = {path: path.read_bytes() for path in release.rglob("*") if path.is_file()}
    assert not [path for path, body in files.items() if b"eedle" in body]
    assert b"A short post" in files[release / CONTENT]
    assert [oct(path.stat().st_mode)[-3:] for path in (release / CACHE, release / CONTENT)] == [
        *("700", "600")
    ]


def test_a_rehearsal_finds_what_a_freeze_would_find(desk: Desk) -> None:
    sites.rename_app_and_post()
    sites.edit_post("older", body_en="Shorter.")
    with rehearsed_freeze(desk.target) as (folder, verdicts):
        now = read_whole_manifest(folder / MANIFEST)
        changes = [*find_differences(Target(desk.target).manifest(), now)]
    frozen = sites.freeze_into(desk.target, timezone.now(), differences=True)

    assert changes == [*frozen.differences]
    assert [(each.gate, each.passed) for each in verdicts] == [
        (each.gate, each.passed) for each in frozen.gates
    ]


def test_a_rehearsal_without_a_cache_gives_the_published_bytes(desk: Desk) -> None:
    (desk.target / "current" / STATE).unlink()

    # The language of who asks is not that of the site.
    with override("vi"), rehearsed_freeze(desk.target) as (folder, verdicts):
        found = compare_releases(Target(desk.target).release, folder)
    assert (found["rows"], found["documents"]) == ([], 0)
    assert all(verdict.passed for verdict in verdicts)


FAULTS: list[tuple[dict[str, str], str]] = [
    ({"body_en": "One.\n\n[x](/nothing)"}, "?line=3#id_body_en"),
    ({"body_vi": "Một.\n\n[x](/không-có)"}, "?line=3#id_body_vi"),
    ({"body_en": "[x](#nowhere)"}, "?line=1#id_body_en"),
    ({"body_en": "[x](/blog/older#nowhere)"}, "?line=1#id_body_en"),
    ({"body_en": "[x](http://localhost:8000/x)"}, "?line=1#id_body_en"),
    ({"body_en": "One.\n\n$\\nothing{$"}, "?line=3#id_body_en"),
]
"""Faults that no form accepts, and the field to which each of them leads."""


def test_failures_of_gates_lead_to_the_fields_that_cause_them(desk: Desk) -> None:
    before, links = target_files.read_published(desk.target), []
    faulty = Post.objects.filter(slug__startswith="fault-")
    for number, (texts, place) in enumerate(FAULTS):
        post = factories.make_post(slug=f"fault-{number}", **sites.VIETNAMESE_POST)
        faulty.filter(pk=post.pk).update(**texts)
        links.append(f'<a href="{form_address(post)}{place}">A post, ')
    rehearsed = desk.read()

    assert "It would be refused" in rehearsed
    assert [rehearsed.count(link) for link in links] == [1] * len(links)
    desk.ask()
    assert desk.run() == processes.FAILED
    failed = desk.read()
    assert "Not published. Readers see the last release." in failed
    assert [failed.count(link) for link in links] == [1] * len(links)  # They would be again.
    assert target_files.read_published(desk.target) == before
    faulty.update(**sites.VIETNAMESE_POST, body_en="Fine.")
    assert desk.run() == 0
    assert "documents verified" in desk.read()


def test_a_failure_of_a_page_of_many_rows_leads_to_the_row(desk: Desk) -> None:
    factories.make_topic(slug="second", name_en="Second")
    ScienceTopic.objects.filter(slug="second").update(formula_latex="\\broken{")
    topic = ScienceTopic.objects.get(slug="second")

    assert f'href="{form_address(topic)}?line=0#id_formula_latex"' in desk.read()
    topic.delete()
    Studio.objects.update(security_policy="/blog/older#nowhere")
    studio = form_address(Studio.objects.get())
    assert f'href="{studio}?line=0#id_security_policy"' in desk.read()
    Studio.objects.update(security_policy="", thanks="Linh, of https://localhost/linh")
    App.objects.update(spec_en="https://localhost/spec")
    page = desk.read()
    assert f'href="{studio}?line=1#id_thanks"' in page, "humans.txt is of no row"
    assert f'href="{form_address(App.objects.get())}?line=1#id_spec_en"' in page
    assert " links to https://localhost/" not in page, "it is told once"
    ApiVersion.objects.update(api_version="9.9.9")
    assert f'href="{form_address(ApiVersion.objects.get())}"' in desk.read()


def test_a_failure_that_no_form_explains_leads_to_the_form(desk: Desk, rf: RequestFactory) -> None:
    post = Post.objects.get(slug="older")
    words = "/vi/blog/older.md does not link to its page"
    desk.read()  # Which registers the forms.
    request = rf.get(SCREEN)
    request.user = User.objects.get(username="editor")

    [found] = find_causes(request, [words])
    assert (found["text"], found["form"]) == (words, form_address(post))
    [found_image] = find_causes(request, ["/images/an-image.640.webp is not an image"])
    assert found_image["form"] == form_address(Image.objects.get(slug="an-image"))
    Post.objects.filter(slug="newer").update(body_en="[x](/nothing)")
    dead = "/blog/newer links to /nothing, where nothing is published."
    explained, unexplained, nameless = find_causes(request, [dead, words, "Two files are lost."])
    assert "?line=1#id_body_en" in explained["form"]
    assert (unexplained, nameless) == (found, {"text": "Two files are lost."})


def be_killed(target: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Target, "publish", lambda *arguments: os.kill(os.getpid(), signal.SIGKILL))
        commands.freeze(str(target), *JOB)


def test_a_killed_job_is_told_and_the_next_one_works(desk: Desk) -> None:
    before = target_files.read_published(desk.target)
    sites.edit_post("older", title_en="Another title")
    desk.ask()
    desk.request.unlink()
    job = get_context("fork").Process(target=be_killed, args=[desk.target])
    job.start()
    job.join()

    assert job.exitcode == -signal.SIGKILL
    assert "the job has ended without a result" in desk.read()
    assert target_files.read_published(desk.target) == before
    assert desk.run() == 0
    assert "documents verified" in desk.read()
    assert target_files.read_published(desk.target) != before


def test_a_job_that_was_killed_before_the_deployment_was_compared_has_failed(desk: Desk) -> None:
    sites.edit_post("older", title_en="Another title")
    desk.ask()

    desk.request.unlink()  # As deploy.sh does, which then goes on.
    assert desk.run("--desk", "freeze") == 0
    assert "it is not known whether the site serves it" in desk.read()
    assert desk.run() == processes.UNCHANGED
    assert "documents verified" in desk.read()


@pytest.mark.disk
@pytest.mark.exhaustive("mounts a file system as root")
@pytest.mark.parametrize("room", [0, 4, 60])
def test_a_full_disk_is_told_and_the_next_job_works(
    desk: Desk, tmp_path: Path, settings: Settings, room: int
) -> None:
    needs_root()
    with mount(tmp_path / "disk", "-t", "tmpfs", "-o", "size=64m", "tmpfs") as disk:
        desk.target = settings.SNAPSHOT = disk / "site"
        assert desk.run() == 0
        state = os.statvfs(disk)
        used = (state.f_blocks - state.f_bfree) * state.f_frsize
        before = target_files.read_published(desk.target)
        sites.edit_post("older", title_en="Another title")
        desk.ask()
        mount_again(disk, used + room * 1024)

        assert desk.run() == processes.FAILED
        page = desk.read()
        assert "the disk is full" in page or "No space left on device" in page
        assert target_files.read_published(desk.target) == before
        mount_again(disk, 64 << 20)
        assert desk.run() == 0
        assert "documents verified" in desk.read()


def mount_again(disk: Path, size: int) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", disk], check=True)


def test_only_who_may_publish_publishes_the_site_or_goes_back(desk: Desk) -> None:
    first = desk.release
    sites.edit_post("older", title_en="Another title")
    desk.run()
    people = [browser_of(role, f"{role}-of-this-test") for role in EVERYBODY]
    addresses = (SCREEN, f"{SCREEN}?release={first}")

    for address, release in zip(addresses, ("", first), strict=True):
        codes = [client.post(address).status_code for client in people]
        assert (codes, Run.objects.count()) == ([302, 403, 302, 302], 2)
        assert {*Run.objects.values_list("release", flat=True)} == {release}
        Run.objects.all().delete()
    pages = [people[EVERYBODY.index(WRITER)].get(address) for address in addresses]
    assert [page.status_code for page in pages] == [200, 200]
    assert not any(b"desk-loud" in page.content for page in pages)


def test_one_job_at_a_time(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "LOCK_TIMEOUT_SECONDS", 0.1)
    desk.ask()
    folder = os.open(desk.target, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)  # As flock of deploy.sh does.
    progress = (desk.target / publishing.PROGRESS).read_bytes()

    assert desk.run() == processes.FAILED
    assert (desk.target / publishing.PROGRESS).read_bytes() == progress
    assert "Publishing" in desk.read()
    os.close(folder)
    assert "Asked." in desk.read()
    assert desk.request.exists()  # The job has not begun, so another one does what was asked.
    assert desk.run() == processes.UNCHANGED
    assert not desk.request.exists()


def test_a_request_is_tried_until_a_job_has_begun(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server starts a job, which cannot begin beside that of a killed server, and another."""
    monkeypatch.setattr(targets, "LOCK_TIMEOUT_SECONDS", 0.1)
    orphan = os.open(desk.target, os.O_RDONLY)
    fcntl.flock(orphan, fcntl.LOCK_EX)
    codes = []

    def run_job(command: list[str], **options: Any) -> Any:
        assert command[2:] == ["freeze", str(desk.target), *JOB]
        codes.append(desk.run())
        fcntl.flock(orphan, fcntl.LOCK_UN)
        return SimpleNamespace(returncode=codes[-1])

    parents = iter([1, 1, 1, 2])
    monkeypatch.setattr(os, "getppid", lambda: next(parents))
    monkeypatch.setattr(subprocess, "run", run_job)
    monkeypatch.setattr(signal, "signal", lambda *arguments: None)
    monkeypatch.setattr(serve.time, "sleep", lambda seconds: None)
    publish_on_request(1)

    assert codes == [processes.FAILED, processes.UNCHANGED]
    assert not desk.request.exists()
    assert "What falls due is published every 15 minutes" in desk.read()


def test_the_server_goes_on_if_it_cannot_write_a_request(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PUBLISH_REQUEST = tmp_path / "file" / "request"
    (tmp_path / "file").touch()
    parents = iter([1, 2])
    monkeypatch.setattr(os, "getppid", lambda: next(parents))
    monkeypatch.setattr(signal, "signal", lambda *arguments: None)

    publish_on_request(1)

    assert next(parents, 0) == 0


def test_the_site_goes_back_to_a_release_and_stays_there(desk: Desk) -> None:
    first = desk.release
    sites.edit_post("older", title_en="A short post")
    desk.run()
    second, address = desk.release, f"{SCREEN}?release={first}"
    shown = desk.read(address)

    assert f'href="?release={first}"' in desk.read()
    assert "<del>short </del>" in shown
    desk.ask(address)
    assert Run.objects.get().release == first
    for code in (0, processes.UNCHANGED):  # The second job is that of a timer.
        assert (desk.run(), desk.release) == (code, first)
    assert "editor went back to this release." in desk.read()
    assert Post.objects.get(slug="older").title_en == "A short post"
    with desk.commit(execute=True):
        publishing.ask_for_rows(None)
    assert Run.objects.count() == 1
    Run.objects.update(author=None)  # As when the account is deleted.
    assert "Somebody went back to this release." in desk.read()
    desk.ask()
    assert (desk.run(), desk.release in (first, second)) == (0, False)
    assert "went back" not in desk.read()
    assert desk.editor.get(f"{SCREEN}?release=nothing").status_code == 404


def test_a_return_that_fails_is_told_and_given_up(desk: Desk) -> None:
    first = desk.release
    sites.edit_post("older", title_en="A short post")
    assert desk.run() == 0
    (desk.target / "releases" / first / "public/blog.html").unlink()
    desk.ask(f"{SCREEN}?release={first}")
    assert "went back" not in desk.read()
    assert desk.run() == processes.FAILED

    page = desk.read()
    assert f"Release {first} is not as it was published" in page
    assert "went back" not in page
    with desk.commit(execute=True):
        publishing.ask_for_rows(None)
    assert desk.run() == processes.UNCHANGED
    assert "documents verified" in desk.read()


def test_a_release_that_is_not_deployed_is_told_and_can_be_deployed_again(
    desk: Desk, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.utime(desk.target / "deployed", (0, 0), follow_symlinks=False)
    sites.edit_post("older", title_en="A short post")
    long = "head --bytes 2000000 /dev/zero | tr '\\0' x >&2"
    settings.DEPLOY_COMMAND = f"{long}; printf ' The bucket is away: \\377\n' >&2; exit 7"
    desk.ask()
    assert desk.run() == processes.FAILED
    page = desk.read()

    assert "A release is made, but it is not deployed." in page
    assert "The public site is up to date." not in desk.read("/admin/")
    assert re.search("failed with exit code 7: x+ The bucket is away: �", page)
    assert len(page) < 100_000
    assert "Public since 1 January 1970" in page
    assert re.findall(r'<span class="desk-state[^>]*>(.*?)</span>', page) == [
        *("Not deployed", "Served")
    ]
    [(_, title, _, [(_, words)])] = listed_rows(page)
    assert (title, words) == ("A short post", "A <ins>short </ins>post")
    assert "Deploy again </button>" in page
    form = desk.read(form_address(Post.objects.get(slug="older")))
    assert "Not in the snapshot yet." in form

    monkeypatch.setattr(desk_job, "DEPLOY_SECONDS", 0.5)
    settings.DEPLOY_COMMAND = "sleep 600 & wait"
    desk.ask()
    assert desk.run() == processes.FAILED
    assert "was stopped because it took longer than" in desk.read()

    settings.DEPLOY_COMMAND = f"touch {desk.target}/../deployed"
    desk.ask()
    assert desk.run() == processes.UNCHANGED
    assert (desk.target.parent / "deployed").exists()
    page = desk.read()
    assert "documents verified" in page
    assert "Publish site </button>" in page
    assert "Nothing: readers see the same." in page


def test_the_site_is_deployed_when_it_goes_back_which_can_be_done_again(
    desk: Desk, settings: Settings
) -> None:
    settings.DEPLOY_COMMAND = f"readlink {desk.target}/current >> {desk.target}/../deployed; exit 3"
    first = desk.release
    sites.edit_post("older", title_en="A third title")
    desk.ask()
    assert desk.run() == 0
    second = desk.release
    desk.ask(f"{SCREEN}?release={first}")
    assert desk.run() == 0

    lines = (desk.target.parent / "deployed").read_text().splitlines()
    assert [Path(line).name for line in lines] == [second, first]
    assert "documents verified" in desk.read()
    settings.DEPLOY_COMMAND = "exit 7"
    desk.ask(f"{SCREEN}?release={second}")
    assert desk.run() == processes.FAILED
    page = desk.read()
    assert "A release is made, but it is not deployed." in page
    assert f'href="?release={second}"' in page
    assert "Publish site </button>" in page


def test_who_publishes_a_row_asks_for_the_snapshot_and_the_form_says_when_it_has_it(
    desk: Desk,
) -> None:
    form = form_address(Post.objects.get(slug="older"))
    page = desk.editor.get(form)
    assert "In the snapshot since" in page.content.decode()
    data = form_data(page) | {"title_en": "Another"}

    with desk.commit(execute=True):
        desk.editor.post(form, data | {"_publish": ""})
    assert desk.request.exists()
    assert "Not in the snapshot yet." in desk.read(form)
    desk.run()
    assert "In the snapshot since" in desk.read(form)
    page = Page.objects.get(slug="apps")
    for text in ("Một.", "Hai."):
        Page.objects.filter(pk=page.pk).update(title_vi="Ứng dụng", body_vi=text)
        assert "Not in the snapshot yet." in desk.read(form_address(page))
        desk.run()
        assert "In the snapshot since" in desk.read(form_address(page))


def test_the_screen_says_that_nothing_publishes_and_that_no_timer_lives(
    desk: Desk, tmp_path: Path
) -> None:
    due = timezone.now() + timedelta(days=3)
    factories.make_post(slug="later", publish_at=due)

    assert f"is due on {timezone.localtime(due):%-d %B %Y, %H:%M}." in desk.read()
    assert "no timer has asked" in desk.read()  # A job has run just now, but by hand.
    timer = desk.request.with_suffix(publishing.TIMER)
    timer.touch()
    assert "What falls due is published every 15 minutes" in desk.read()
    os.utime(timer, (0, 0))
    assert "no timer has asked" in desk.read()
    desk.ask()
    os.utime(desk.request, (0, 0))
    assert "nothing publishes: the service that does it is not at work" in desk.read()
    desk.request.unlink()  # As if the disk had been full.
    assert "Asked. It begins within a second." in desk.read()


def test_without_a_release_the_screen_says_so(db: None) -> None:
    editor = browser_of(EDITOR)

    assert "Nothing is published yet." in editor.get(SCREEN).content.decode()
    assert "There is no studio to publish." in editor.get(SCREEN).content.decode()
    sites.make_site()
    assert "It will be the first release" in editor.get(SCREEN).content.decode()


@pytest.mark.parametrize(
    "written", [b"", b"{", b'{"run": "x"}\n', b'{"outcome": "unchanged"}\n{"r']
)
def test_a_damaged_progress_is_no_error(desk: Desk, written: bytes) -> None:
    (desk.target / publishing.PROGRESS).write_bytes(written)

    assert desk.editor.get(SCREEN).status_code == 200
