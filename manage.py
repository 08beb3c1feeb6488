#!/usr/bin/env python
import atexit
import gc
import os
import sys
from io import TextIOWrapper

from site_mirror import starting

GC_THRESHOLD = 500_000
"""Allocated objects after which a freeze collects garbage: rows and documents are none."""


def open_closed_streams() -> None:
    """Let standard streams that the shell has closed (`>&-`) lead nowhere.

    Otherwise the next file that is opened, such as the database, would get their number.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))


class PipedStream(TextIOWrapper):
    """A standard stream. That nobody reads its pipe, as in `migrate | true`, is no failure."""

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except BrokenPipeError:
            self.lead_nowhere()
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except BrokenPipeError:
            self.lead_nowhere()

    def lead_nowhere(self) -> None:
        # Python writes what is left in the buffer at its end, and would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())


def replace_piped_streams() -> None:
    for name in ("stdout", "stderr"):
        old = getattr(sys, name)
        options = {key: getattr(old, key) for key in ("encoding", "errors", "line_buffering")}
        setattr(sys, name, PipedStream(old.detach(), **options))


def main() -> None:
    open_closed_streams()
    replace_piped_streams()
    if sys.argv[1:2] == ["freeze"]:
        # Here and not in the command, because loading Django takes a sixth less time, too.
        gc.set_threshold(GC_THRESHOLD)
        atexit.register(gc.freeze)  # Python would collect once more at exit.
    os.environ["DJANGO_SETTINGS_MODULE"] = "site_mirror.settings"
    starting.refuse_wrong_settings()
    from django.core.management import execute_from_command_line  # noqa: PLC0415  (after the settings were read)
    from django.db import DatabaseError  # noqa: PLC0415

    try:
        execute_from_command_line(sys.argv)
    except DatabaseError as error:
        sentence = starting.database_fault(error, sys.argv[1])
        if sentence is None or "--traceback" in sys.argv:
            raise
        sys.exit(sentence)


if __name__ == "__main__":
    main()
