"""The documented workflows, and a runner that runs their steps as GitHub does."""

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
YAML_BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SKIPPED_STEP = "Install"
"""The step that a test skips, because it prepares the machine."""

UPLOAD_ACTION, DEPLOY_ACTION = "actions/upload-pages-artifact", "actions/deploy-pages"
ORIGIN = "${{ steps.pages.outputs.origin }}"
"""How a workflow asks `actions/configure-pages` for the address of the site."""
DEFAULT_ARTIFACT = "github-pages"
"""The name of the artifact that GitHub Pages deploys by default."""

OPERATORS = {"==": eq, "!=": ne}

Step = Mapping[str, Any]


def documented_workflows() -> Iterator[tuple[str, str]]:
    """Yield the documented workflows by name: that of the file, or the number on the page."""
    for file in sorted(FOLDER.glob("*.yml")):
        yield file.name, file.read_text()
    for number, block in enumerate(
        YAML_BLOCK.finditer((PROJECT / "docs/deploy.md").read_text()), 1
    ):
        yield f"deploy.md, {number}", block.group(1)


def read_steps(workflow: str) -> list[Step]:
    """Return the steps of a workflow with one job."""
    [job] = yaml.safe_load(workflow)["jobs"].values()
    job_steps: list[Step] = job["steps"]
    return job_steps


@dataclass
class Runner:
    """A runner with its working folder.

    `site` is the folder that GitHub Pages serves, and `origin` is its address.
    """

    folder: Path
    site: Path
    environment: dict[str, str]
    origin: str
    artifacts: dict[str, Path] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def run(self, workflow: str) -> None:
        """Run all steps in order; after a failure, only those whose condition is true."""
        self.outcomes, self.failed = {}, []
        for number, step in enumerate(read_steps(workflow)):
            name = step.get("id") or step.get("name") or str(number)
            self.outcomes[name] = "skipped"
            if self.is_due(step.get("if", "")):
                succeeded = self.run_step(step)
                self.outcomes[name] = "success" if succeeded else "failure"
                self.failed += [] if succeeded else [step.get("name", name)]

    def is_due(self, condition: str) -> bool:
        """Whether a step runs; it knows the terms of the documented workflows."""
        outcomes = {f"steps.{step}.outcome": how for step, how in self.outcomes.items()}
        variables = {f"env.{name}": value for name, value in self.environment.items()}
        known = outcomes | variables
        comparisons = condition.removeprefix("failure() && ").split(" && ") if condition else []
        return bool(self.failed) == condition.startswith("failure()") and all(
            OPERATORS[operator](known.get(variable, ""), value.strip("'"))
            for variable, operator, value in map(str.split, comparisons)
        )

    def run_step(self, step: Step) -> bool:
        """Run a step and return whether it succeeded."""
        if "run" in step:
            own = {
                name: text.replace(ORIGIN, self.origin)
                for name, text in step.get("env", {}).items()
            }
            return step["name"] == SKIPPED_STEP or self.run_script(step["run"], own)
        if step["uses"].startswith(UPLOAD_ACTION):
            return self.upload(
                **{key.replace("-", "_"): value for key, value in step["with"].items()}
            )
        if step["uses"].startswith(DEPLOY_ACTION):
            name = step.get("with", {}).get("artifact_name", DEFAULT_ARTIFACT)
            return self.deploy(self.artifacts[name])
        return True

    def deploy(self, artifact: Path) -> bool:
        shutil.rmtree(self.site, ignore_errors=True)
        shutil.copytree(artifact, self.site)
        return True

    def run_script(self, script: str, own: Mapping[str, str]) -> bool:
        """Run a script with `bash -e`, then read `GITHUB_ENV`; return whether it succeeded."""
        env_file = self.folder / "github-env"
        env_file.touch()
        process = subprocess.run(
            ["/bin/bash", "-e", "-c", script],
            cwd=self.folder,
            env={**self.environment, **own, "GITHUB_ENV": str(env_file)},
            capture_output=True,
            check=False,
        )
        lines = env_file.read_text().splitlines()
        self.environment |= dict(line.split("=", 1) for line in lines)
        return process.returncode == os.EX_OK

    def upload(
        self, path: str, name: str = DEFAULT_ARTIFACT, *, include_hidden_files: bool = False
    ) -> bool:
        """Copy a folder as an artifact, by default without hidden files."""
        artifact = self.folder / "artifacts" / name
        hidden = None if include_hidden_files else shutil.ignore_patterns(".*")
        shutil.rmtree(artifact, ignore_errors=True)
        self.artifacts[name] = shutil.copytree(self.folder / path, artifact, ignore=hidden)
        return True
