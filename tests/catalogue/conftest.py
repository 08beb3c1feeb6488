from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.shipped_content import load_shipped_content


@pytest.fixture(scope="module")
def content(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The shipped content, loaded once for a module and rolled back after it."""
    with django_db_blocker.unblock(), transaction.atomic():
        load_shipped_content()
        yield
        transaction.set_rollback(True)
