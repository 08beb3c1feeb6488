"""Commands in this process, on the test database, with the exit codes and output of a shell."""

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from subprocess import CompletedProcess
from unittest import mock

from django.core.management import BaseCommand, execute_from_command_line
from django.db import connections

from tests.freeze.compression import compressed_once


def run(*words: str) -> CompletedProcess[str]:
    """Run `manage.py WORDS` without Django's checks and the checks of settings and arguments.

    Lists of the admin that other tests opened have changed the classes that Django would check.
    """
    code, output, errors = 0, StringIO(), StringIO()
    keep_connections = mock.patch.object(connections, "close_all")
    no_checks = mock.patch.object(BaseCommand, "check")
    try:
        with (
            redirect_stdout(output),
            redirect_stderr(errors),
            keep_connections,
            no_checks,
            compressed_once(),
        ):
            execute_from_command_line(["manage.py", *words])
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    return CompletedProcess(words, code, output.getvalue(), errors.getvalue())


def freeze(*words: str) -> CompletedProcess[str]:
    return run("freeze", *words)
