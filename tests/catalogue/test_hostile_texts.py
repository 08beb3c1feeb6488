"""Every hostile text is rendered in limited time and memory, and ends no process."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.catalogue import hostile_texts

MAX_SECONDS = 10
"""Limit of processor time for one text."""

MAX_KILOBYTES = 400_000
"""Limit of the peak memory of the process."""


def render_group(group: str) -> Iterator[tuple[str, float, int]]:
    """Yield the name of each text, its seconds, and the peak memory of the process until then."""
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "site_mirror.settings"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.catalogue.hostile_texts", group],
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
    for line, (seconds, memory) in zip(lines[::2], lines[1::2], strict=True):
        yield line["name"], seconds, memory


@pytest.mark.exhaustive("measures the time and memory of rendering many texts")
@pytest.mark.parametrize("group", hostile_texts.GROUPS)
def test_every_hostile_text_is_rendered_in_limited_time_and_memory(group: str) -> None:
    found = list(render_group(group))

    assert [name for name, *_ in found] == [name for name, _ in hostile_texts.GROUPS[group][0]()]
    assert {name: seconds for name, seconds, _ in found if seconds > MAX_SECONDS} == {}
    assert max(memory for *_, memory in found) < MAX_KILOBYTES
