"""Commands in this process, on the test database, with the exit codes and output of a shell."""

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import lru_cache
from io import StringIO
from subprocess import CompletedProcess
from typing import TextIO
from unittest import mock

import brotli
import deflate
from django.core.management import BaseCommand, execute_from_command_line
from django.db import connections

GZIP = lru_cache(maxsize=1000)(deflate.gzip_compress)
BROTLI = lru_cache(maxsize=1000)(brotli.compress)


@contextmanager
def compressed_once() -> Iterator[None]:
    """Compress equal bodies once in this process: that took half of the time of freezes."""
    with (
        mock.patch.object(deflate, "gzip_compress", GZIP),
        mock.patch.object(brotli, "compress", BROTLI),
    ):
        yield


def run(*words: str, output: TextIO | None = None) -> CompletedProcess[str]:
    """Run `manage.py WORDS` without Django's checks and the checks of settings and arguments.

    Its output goes into a file if there is one.
    Lists of the admin that other tests opened have changed the classes that Django would check.
    """
    code, output, errors = 0, output or StringIO(), StringIO()
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
    said = output.getvalue() if isinstance(output, StringIO) else ""
    return CompletedProcess(words, code, said, errors.getvalue())


def freeze(*words: str) -> CompletedProcess[str]:
    return run("freeze", *words)
