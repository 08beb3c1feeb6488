import pytest
from django.test import Client


@pytest.fixture
def editor(admin_client: Client) -> Client:
    """The browser of a superuser."""
    return admin_client
