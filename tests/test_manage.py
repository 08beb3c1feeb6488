"""Commands leave the search for cycles to those who need it."""

import atexit
import gc
import runpy
from pathlib import Path

import pytest

MANAGE = Path(__file__).parents[1] / "manage.py"


def test_a_command_looks_for_cycles_seldom_and_not_at_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks, ends = list[int](), list[object]()
    monkeypatch.setattr("django.core.management.execute_from_command_line", lambda words: None)
    monkeypatch.setattr(gc, "set_threshold", looks.append)
    monkeypatch.setattr(atexit, "register", ends.append)

    runpy.run_path(str(MANAGE), run_name="__main__")

    assert looks == [500_000]
    assert ends == [gc.freeze]
