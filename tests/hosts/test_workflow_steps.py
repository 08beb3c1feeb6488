"""Every step of the workflow for GitHub Pages fails five times with an edit pending."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.freeze import target_files
from tests.hosts import workflow_jobs
from tests.hosts.job_rig import SITE, Rig
from tests.hosts.workflow_jobs import Runner

pytestmark = pytest.mark.exhaustive("runs a workflow seven times for each step")

WORKFLOW = (workflow_jobs.FOLDER / "pages.yml").read_text()
STEPS = ("migrate", "freeze", "snapshot", "host", "upload", "deploy", "parity", "releases")
TAKING_BACK = ("rollback", "snapshot", "host", "upload", "deploy")
FAILURES = (*STEPS, *(f"parity {step}" for step in TAKING_BACK))


class PagesRig(Rig):
    """A runner of GitHub with its cache, which only a run that succeeds changes."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        super().__init__("pages.yml", folder, stack)
        (folder / "work").mkdir()
        self.target, self.origin = folder / "work/site", SITE

    def run_workflow(self, *options: str) -> list[str]:
        """Run the workflow after an edit; return the failed steps."""
        variables = {"PAUSES": "0", "PARITY": "", "SITE_ROOT": SITE, "FREEZE": " ".join(options)}
        runner = PagesRunner(
            self.folder / "work",
            self.folder / "served",
            {**self.environment, **variables},
            self.origin,
            rig=self,
        )
        cached = self.folder / "cached"
        shutil.rmtree(cached, ignore_errors=True)
        if self.target.exists():
            shutil.copytree(self.target, cached, symlinks=True)
        self.attend(lambda: runner.run(WORKFLOW))
        if runner.failed and cached.exists():
            shutil.rmtree(self.target)
            shutil.copytree(cached, self.target, symlinks=True)
        return runner.failed

    def do(self, step: str, words: list[str]) -> int:
        # The workflow names files relative to its folder.
        words = [
            str(self.folder / "work" / word) if word.startswith("site") else word for word in words
        ]
        if step == "host":
            page = self.folder / "work/pages/public/release"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(self.current)
        if step == "deploy":
            self.served = (Path(words[1]) / "release").read_text()
        return super().do(step, words)


class PagesRunner(Runner):
    def __init__(self, *arguments: object, rig: PagesRig) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.rig = rig

    def upload(self, path: str, **options: object) -> bool:
        super().upload(path, **options)  # type: ignore[arg-type]
        return not self.rig.fails("upload")

    def deploy(self, artifact: Path) -> bool:
        fails = self.rig.fails("deploy")
        if self.rig.late or not fails:
            self.rig.do("deploy", ["deploy", str(artifact)])
        return not fails


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[PagesRig]:
    with ExitStack() as stack:
        rig = PagesRig(tmp_path, stack)
        assert rig.run_workflow() == []
        assert rig.served == rig.current
        yield rig


@pytest.mark.parametrize("once", [False, True], ids=["always", "once"])
@pytest.mark.parametrize("failing", FAILURES)
def test_a_step_that_fails_five_times_takes_nothing_from_readers(
    failing: str, rig: PagesRig, *, once: bool
) -> None:
    good = rig.served
    for rig.late in (False, True, False, True, False):
        rig.failing, rig.once = set(failing.split()), once
        failed = rig.run_workflow("--expect-previous")

        assert (failed == []) == (failing == "releases")
        if failed == []:
            good = rig.served
        assert rig.current == good
        assert rig.served == good or failing == "parity rollback"
        assert target_files.list_discrepancies(rig.target) == []
    rig.failing, rig.once = {"parity"}, True
    rig.run_workflow("--expect-previous")
    assert rig.served == rig.current == good
    rig.failing = set()
    assert rig.run_workflow("--expect-previous") == []
    assert rig.served == rig.current != good


def test_a_workflow_for_another_site_sends_nothing(rig: PagesRig) -> None:
    good, rig.origin = rig.served, "https://elsewhere.example"

    assert rig.run_workflow("--expect-previous") == ["Freeze"]
    assert rig.served == rig.current == good
    assert "deploy" not in rig.steps
