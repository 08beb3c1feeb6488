"""What if: forms are saved, documents are rendered, and the transaction is rolled back.

```python
with what_if(admin, request, row) as trial:
    trial.site.document("/blog/echoes")
```

Everything is used inside of the block: a row or a query set that is left over would ask a database
in which nothing of it exists.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any

from django.contrib.admin import ModelAdmin
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from msgspec import Struct

from api.schema import describe
from site_mirror.desk.forms import BoundForms, bind_forms
from site_mirror.desk.site import SiteAt, seen_from

IN_WHAT_IF: ContextVar[bool] = ContextVar("in_what_if", default=False)
"""Whether the transaction will be rolled back: receivers and caches that outlive it do nothing."""


@contextmanager
def rolled_back() -> Iterator[None]:
    """A transaction, or a savepoint of the present one, that is always rolled back.

    PostgreSQL does not roll sequences back, so keys have gaps; no published document has a key.
    """
    token = IN_WHAT_IF.set(True)
    try:
        with transaction.atomic():
            try:
                yield
            finally:
                transaction.set_rollback(True)
    finally:
        IN_WHAT_IF.reset(token)
        # The only cache whose key is a moment, which somebody can choose, and not a context.
        describe.cache_clear()


class Trial(Struct):
    """The site in which forms are saved.

    `row` is the saved row; it is `None` if the forms are not valid, and then nothing is saved.
    """

    forms: BoundForms
    row: Any
    site: SiteAt


@contextmanager
def what_if(
    admin: "ModelAdmin[Any]", request: HttpRequest, row: Any, at: datetime | None = None
) -> Iterator[Trial]:
    """Save the posted forms of a row, or of a new one if it is `None`, until the end of the block.

    The moment is the present one, or that at which a scheduled row appears, unless it is given.
    """
    with rolled_back():
        forms = bind_forms(admin, request, row)
        saved = forms.save() if forms.are_valid() else None
        yield Trial(forms, saved, SiteAt(at or seen_from(saved) or timezone.now()))
