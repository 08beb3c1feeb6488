"""The engine, the addresses and the contract import no framework, directly or indirectly."""

from pathlib import Path

from tests.freeze import processes

FRAMEWORKS = ("django", "rest_framework", "drf_spectacular", "corsheaders", "unfold")
FRAMEWORK_FREE = [
    *(
        f"site_mirror.snapshot.{path.stem}"
        for path in sorted((processes.PROJECT / "site_mirror/snapshot").glob("*.py"))
    ),
    *("site_mirror.documents.family", "site_mirror.documents.summaries", "catalogue.addresses"),
    *("api.contract", "api.envelope", "api.headers"),
]


def test_the_engine_imports_no_framework(tmp_path: Path) -> None:
    program = (
        "import sys; from importlib import import_module;"
        f"[import_module(name) for name in {FRAMEWORK_FREE}];"
        f"print([name for name in {FRAMEWORKS} if name in sys.modules])"
    )
    done = processes.run("-c", program, database=tmp_path / "no.sqlite3")

    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_freeze_imports_no_view(tmp_path: Path) -> None:
    """Views and the generator of the contract would add a tenth of a second to each freeze."""
    program = (
        "import sys, django; django.setup(); import site_mirror.freeze.site;"
        "print([name for name in sys.modules if name in sys.argv[1:]])"
    )
    names = ("drf_spectacular.generators", "rest_framework.views", "site_mirror.urls")
    done = processes.run("-c", program, *names, database=tmp_path / "no.sqlite3")

    assert done.stdout == "[]\n"
