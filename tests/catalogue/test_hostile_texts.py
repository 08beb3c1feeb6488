"""Every hostile text is rendered in limited time and memory, and ends no process."""

import json
import os
import subprocess
import sys

import pytest

MAX_SECONDS = 10
"""Limit of processor time for one text."""


@pytest.mark.exhaustive("measures the time of rendering many texts")
def test_every_hostile_text_is_rendered_in_limited_time_and_memory() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.catalogue.hostile_texts"],
        capture_output=True,
        text=True,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "site_mirror.settings"},
        timeout=1200,
        check=False,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"{lines[-1:]} ended the process: {done.stderr[-600:]}"
    assert done.stderr == ""

    seconds = dict(zip(lines[::2], lines[1::2], strict=True))
    assert len(seconds) > 500
    assert {name: each for name, each in seconds.items() if each > MAX_SECONDS} == {}
