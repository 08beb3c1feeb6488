"""Counts with Lighthouse how the longest page of each type does, served by nginx over HTTP/2.

The configuration is the one with TLS that docs/hosts.md has.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import django

from site_mirror.hosts.release import read_release
from tests import shared_results
from tests.freeze import processes
from tests.hosts import servers
from tests.hosts.certificates import make_certificate
from tests.pages.published.release import Page, Release
from tests.ports import free_port

HOST = "studio.example"


def find_longest_pages(pages: Iterable[Page], *, in_vietnamese: bool = False) -> list[str]:
    """Return the longest page of each type; both languages have the same templates."""
    longest: dict[str, str] = {}
    for page in sorted(pages, key=lambda page: len(page.html)):
        if page.in_vietnamese == in_vietnamese:
            longest[page.kind] = page.address
    return list(longest.values())


def count(folder: Path) -> int:
    database, target, port = folder / "catalogue.sqlite3", folder / "site", free_port()
    root = f"https://{HOST}:{port}"
    processes.fill_database(database, shipped=True)
    frozen = processes.freeze(target, database=database, SITE_ROOT=root)
    assert frozen.returncode == processes.PUBLISHED, frozen.stderr
    release = read_release((target / "current").resolve())
    servers.write_documented_tls(release, folder, port, make_certificate(folder, HOST))
    words = servers.server_command("nginx", release, folder, port)
    pages = [root + address for address in find_longest_pages(Release(target).pages.values())]
    with servers.run_server(words, folder, port, dict(os.environ)):
        lighthouse = ["node_modules/.bin/node", "lighthouse.mjs", HOST, *pages]
        folder_of_programs = processes.PROJECT / "tests/validators"
        return subprocess.run(lighthouse, cwd=folder_of_programs, check=False).returncode


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        os.environ.update(processes.environment(Path(folder) / "catalogue.sqlite3"))
        os.environ[shared_results.FOLDER] = folder
        django.setup()
        sys.exit(count(Path(folder)))
