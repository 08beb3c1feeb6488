"""The engine imports no framework, and a freeze no view, directly or indirectly."""

from pathlib import Path

from tests.freeze import processes

FRAMEWORKS = ("django", "rest_framework", "drf_spectacular", "corsheaders", "unfold")
FRAMEWORK_FREE = [
    *(
        f"site_mirror.snapshot.{path.stem}"
        for path in sorted((processes.PROJECT / "site_mirror/snapshot").glob("*.py"))
    ),
    *("site_mirror.documents.family", "site_mirror.documents.summaries", "api.headers"),
    *("catalogue.addresses", "catalogue.texts.markdown", "catalogue.texts.reading_time"),
]
# Views and the generator of the contract would add a tenth of a second to each freeze.
VIEWS = ("drf_spectacular.generators", "rest_framework.views", "site_mirror.urls")
IMPORT_ENGINE = f"[import_module(name) for name in {FRAMEWORK_FREE}]; banned = {FRAMEWORKS}"
IMPORT_FREEZE = f"import django; django.setup(); import site_mirror.freeze.site; banned = {VIEWS}"


def test_the_engine_imports_no_framework_and_a_freeze_no_view(tmp_path: Path) -> None:
    for imports in (IMPORT_ENGINE, IMPORT_FREEZE):
        program = (
            f"import sys; from importlib import import_module; {imports}; "
            "print([name for name in banned if name in sys.modules])"
        )
        done = processes.run("-c", program, database=tmp_path / "no.sqlite3")
        assert (done.stdout, done.stderr) == ("[]\n", "")
