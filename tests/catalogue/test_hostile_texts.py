"""No text ends the process that renders it, and each is rendered in limited time and memory."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.catalogue import hostile

SECONDS = 10
"""Of a processor for one text, everything that is done with it included."""

KILOBYTES = 400_000
"""Of memory that the process ever had."""


def rendered(group: str) -> Iterator[tuple[str, float, int]]:
    """The name of each text, the seconds that it took, and the memory that was used up to then."""
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "site_mirror.settings"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.catalogue.hostile", group],
        capture_output=True,
        text=True,
        env=environment,
        timeout=1200,
        check=False,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    last = lines[-1]["name"] if lines and isinstance(lines[-1], dict) else "nothing"
    assert done.returncode == 0, f"{last} ended the process: {done.returncode} {done.stderr[-600:]}"
    assert done.stderr == ""
    for told, (seconds, memory) in zip(lines[::2], lines[1::2], strict=True):
        yield told["name"], seconds, memory


@pytest.mark.parametrize("group", hostile.GROUPS)
def test_every_hostile_text_is_rendered_in_limited_time_and_memory(group: str) -> None:
    found = list(rendered(group))

    assert [name for name, *_ in found] == [name for name, _ in hostile.GROUPS[group][0]()]
    assert {name: seconds for name, seconds, _ in found if seconds > SECONDS} == {}
    assert max(memory for *_, memory in found) < KILOBYTES
