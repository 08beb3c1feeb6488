"""The settings of a test run: a plugin, so that it is read before Django's settings are."""

import os
import sys
from collections.abc import Iterator

import pytest

os.environ["SECRET_KEY"] = "tests only " * 8
os.environ["SITE_ROOT"] = "https://studio.example"
os.environ["ALLOWED_HOSTS"] = "studio.example,testserver,127.0.0.1,localhost"
os.environ.pop("DEBUG", None)
os.environ.pop("SOURCE_DATE_EPOCH", None)


@pytest.fixture(autouse=True)
def counts_of_its_own() -> Iterator[None]:
    """A test begins and ends with an unspent budget."""
    yield
    if "api.throttling" in sys.modules:
        sys.modules["api.throttling"].OWN.clear()
