"""A freeze reads all content while a trigger is missing, and reports that."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from catalogue.models import Post
from tests.catalogue import missing_triggers
from tests.freeze import commands

QUICK = ("all dropped",)
ALL_FAULTS = pytest.mark.exhaustive("freezes twice for each fault of the triggers")


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, id=name, marks=() if name in QUICK else ALL_FAULTS)
        for name, fault in missing_triggers.FAULTS.items()
    ],
)
def test_edits_that_no_trigger_saw_are_published(
    fault: Callable[[], None], small_site: Path
) -> None:
    target = str(small_site)
    quiet = commands.freeze(target)
    fault()
    page = small_site / "current/public/blog/older.html"
    for body in ("One body.", "Another body."):
        Post.objects.filter(slug="older").update(body_en=body)

        done = commands.freeze(target)

        assert (done.returncode, body in page.read_text()) == (0, True)
        assert "so this freeze reads all content. Run “manage.py migrate”." in done.stderr
    unchanged = commands.freeze(target, "--json")
    assert "Run “manage.py migrate”" in json.loads(unchanged.stdout)["doubt"]
    assert (quiet.returncode, quiet.stderr, unchanged.returncode) == (3, "", 3)
