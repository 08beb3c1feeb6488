from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings


@pytest.fixture
def editor(admin_client: Client, settings: Settings, tmp_path: Path) -> Client:
    """One who may do everything, on a server with a place for its static files."""
    settings.STATIC_ROOT = tmp_path
    return admin_client
