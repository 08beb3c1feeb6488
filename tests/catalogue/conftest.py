from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings


@pytest.fixture
def editor(admin_client: Client, settings: Settings, tmp_path: Path) -> Client:
    """The browser of a superuser, with an empty folder for static files."""
    settings.STATIC_ROOT = tmp_path
    return admin_client
