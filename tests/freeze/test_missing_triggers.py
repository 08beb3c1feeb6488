"""A freeze reads all content while a trigger is missing, and reports that."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from catalogue.models import Post
from site_mirror.freeze import up_to_date
from site_mirror.snapshot.target import Target
from tests.catalogue import missing_triggers
from tests.freeze import sites

FAULTS = missing_triggers.FAULTS
QUICK = ("all dropped",)
ALL_FAULTS = pytest.mark.exhaustive("freezes twice for each fault of the triggers")
FAULT = pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, id=name, marks=() if name in QUICK else ALL_FAULTS)
        for name, fault in FAULTS.items()
    ],
)


def run_freeze(target: Path, *options: str) -> int:
    """Freeze and return the exit code."""
    try:
        call_command("freeze", str(target), *options)
    except SystemExit as stopped:
        return int(stopped.code or 0)
    return 0


def read_page(site: Path, slug: str) -> str:
    return (Target(site).public / f"blog/{slug}.html").read_text()


@FAULT
def test_edits_that_no_trigger_saw_are_published(
    fault: Callable[[], None], small_site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fault()
    for body in ("One body.", "Another body."):
        Post.objects.filter(slug="older").update(body_en=body)

        assert run_freeze(small_site) == 0
        assert body in read_page(small_site, "older")
        warned = "so this freeze reads all content. Run “manage.py migrate”."
        assert warned in capsys.readouterr().err


def test_an_edit_without_triggers_is_published_after_a_migrate(small_site: Path) -> None:
    missing_triggers.drop_all()
    Post.objects.filter(slug="older").update(body_en="Another body.")
    missing_triggers.run_empty_migrate()

    assert run_freeze(small_site) == 0
    assert "Another body." in read_page(small_site, "older")


def test_a_freeze_without_triggers_reads_all_content(
    small_site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = up_to_date.unchanged_report(Target(small_site), timezone.now())
    missing_triggers.drop_all()

    assert before is not None
    assert up_to_date.unchanged_report(Target(small_site), timezone.now()) is None
    assert run_freeze(small_site, "--json") == 3
    assert "Run “manage.py migrate”" in json.loads(capsys.readouterr().out)["doubt"]


def test_a_freeze_with_all_triggers_reads_no_content(
    small_site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sites.edit_post("older", title_en="Another title")

    assert run_freeze(small_site, "--json") == 0
    output = capsys.readouterr()
    assert "doubt" not in json.loads(output.out)
    assert output.err == ""
