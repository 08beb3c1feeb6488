"""The documented workflows: what they say, and their steps as a runner of GitHub's runs them."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import eq, ne
from pathlib import Path
from typing import Any

import yaml

from tests.freeze.processes import PROJECT

FOLDER = PROJECT / "docs/deploy"
BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INSTALL = "Install"
"""The step that is the machine's matter, and not run again in a test."""

ARTIFACT, PAGES = "actions/upload-pages-artifact", "actions/deploy-pages"
NAME = "github-pages"
"""Of the artifact that is deployed where no other is named."""

OPERATORS = {"==": eq, "!=": ne}

Step = Mapping[str, Any]


def documented() -> Iterator[tuple[str, str]]:
    """Every workflow in the documentation, by the place where it stands."""
    for file in sorted(FOLDER.glob("*.yml")):
        yield file.name, file.read_text()
    for number, found in enumerate(BLOCK.finditer((PROJECT / "docs/deploy.md").read_text()), 1):
        yield f"deploy.md, {number}", found.group(1)


def steps(workflow: str) -> list[Step]:
    """Those of the one job that each of them has."""
    [job] = yaml.safe_load(workflow)["jobs"].values()
    found: list[Step] = job["steps"]
    return found


@dataclass
class Runner:
    """Runs a job's commands in a folder; `site` is where GitHub Pages has what was deployed."""

    folder: Path
    site: Path
    environment: dict[str, str]
    artifacts: dict[str, Path] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def run(self, workflow: str) -> None:
        """In order; after a failure, only what has a condition that holds."""
        for step in steps(workflow):
            if all(map(self.holds, step["if"].split(" && "))) if "if" in step else not self.failed:
                self.do(step)

    def holds(self, term: str) -> bool:
        """Of an expression of GitHub's, as far as the documented ones go."""
        if term == "failure()":
            return self.failed != []
        place, operator, value = term.split()
        kind, name = place.split(".")[:2]
        found = self.environment.get(name, "") if kind == "env" else self.outcomes.get(name, "")
        return bool(OPERATORS[operator](found, value.strip("'")))

    def do(self, step: Step) -> None:
        if "run" in step:
            self.command(step)
        elif step["uses"].startswith(ARTIFACT):
            self.upload(**{key.replace("-", "_"): value for key, value in step["with"].items()})
        elif step["uses"].startswith(PAGES):
            self.deploy(step.get("with", {}).get("artifact_name", NAME))

    def command(self, step: Step) -> None:
        succeeded = step["name"] == INSTALL or self.succeeds(step["run"])
        self.outcomes[step.get("id", step["name"])] = "success" if succeeded else "failure"
        if not succeeded:
            self.failed.append(step["name"])

    def succeeds(self, script: str) -> bool:
        """As `bash -e`; what a step appends to `GITHUB_ENV` is the environment of the next."""
        told = self.folder / "github-env"
        told.touch()
        ended = subprocess.run(
            ["/bin/bash", "-e", "-c", script],
            cwd=self.folder,
            env={**self.environment, "GITHUB_ENV": str(told)},
            capture_output=True,
            check=False,
        )
        lines = told.read_text().splitlines()
        self.environment |= dict(line.split("=", 1) for line in lines)
        return ended.returncode == os.EX_OK

    def upload(self, path: str, name: str = NAME, *, include_hidden_files: bool = False) -> None:
        """As it lies there at this moment, without hidden files unless they are asked for."""
        artifact = self.folder / "artifacts" / name
        hidden = None if include_hidden_files else shutil.ignore_patterns(".*")
        shutil.rmtree(artifact, ignore_errors=True)
        self.artifacts[name] = shutil.copytree(self.folder / path, artifact, ignore=hidden)

    def deploy(self, name: str) -> None:
        """Pages looks for this name in what was uploaded, and serves it instead of all before."""
        shutil.rmtree(self.site, ignore_errors=True)
        shutil.copytree(self.artifacts[name], self.site)
