"""Runs `manage.py freeze` and kills it while its workers render: `killed_freeze TARGET …`."""

import os
import signal
import sys
from typing import Any

import django
from django.core.management import call_command

from site_mirror.snapshot.release_writer import ReleaseWriter


def kill(*arguments: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    django.setup()
    ReleaseWriter.add = kill  # type: ignore[method-assign]
    call_command("freeze", *sys.argv[1:])
