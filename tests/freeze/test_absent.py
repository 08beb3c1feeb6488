"""What a freeze need not import is not there for libraries that would."""

import importlib
import sys
from pathlib import Path

import pytest

from site_mirror.management.absent import UNNEEDED, absent
from tests.freeze import processes

NAME = "wave"
NOT_IN_A_PIPE = ("rich",)
NOT_WITHOUT_A_KEY = ("cryptography",)
UNUSED = (*UNNEEDED, *NOT_IN_A_PIPE, *NOT_WITHOUT_A_KEY)


def test_a_package_is_absent_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, NAME, raising=False)

    with absent(NAME), pytest.raises(ImportError):
        importlib.import_module(NAME)

    assert importlib.import_module(NAME).__name__ == NAME


def test_one_that_is_imported_already_stays() -> None:
    there = importlib.import_module(NAME)

    with absent(NAME):
        assert importlib.import_module(NAME) is there
    assert sys.modules[NAME] is there


def test_a_freeze_imports_none_that_it_does_not_need(tmp_path: Path) -> None:
    program = (
        "import sys; from django.core.management import call_command;"
        "import django; django.setup()\n"
        "try: call_command('freeze', sys.argv[1])\n"
        "except BaseException: print(type(sys.exc_info()[1]).__name__)\n"
        f"print('site_mirror.freezing' in sys.modules, [n for n in {UNUSED} if n in sys.modules])"
    )
    target, database = tmp_path / "site", tmp_path / "empty.sqlite3"
    done = processes.run("-c", program, str(target), database=database)

    assert done.stdout == "CommandError\nTrue []\n"
