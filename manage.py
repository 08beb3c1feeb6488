#!/usr/bin/env python
import atexit
import gc
import sys

from site_mirror import early, starting

SELDOM = 500_000
"""New objects between two looks for cycles among them: what a command imports and reads stays."""


def main() -> None:
    if sys.argv[1:2] != ["serve"]:  # A server lives long, and its threads make cycles.
        gc.set_threshold(SELDOM)
    atexit.register(gc.freeze)  # A process that ends needs no look at all.
    starting.refuse_unreadable_arguments(sys.argv)
    starting.name_settings(sys.argv)
    early.begin(sys.argv)
    starting.refuse_wrong_settings()
    from django.core.management import execute_from_command_line  # noqa: PLC0415  (is long, too)
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
