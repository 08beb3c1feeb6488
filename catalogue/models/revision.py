"""The content revision: a number that every committed change of content increases."""

from django.db import models
from django.db.models import Q

from catalogue import rules


class Revision(models.Model):
    """The content revision: one row, which only triggers write.

    `number` and `changed_at` move with every write, `public_changed_at` only with a write that
    changes what readers see.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    number = models.BigIntegerField(default=0, editable=False)
    changed_at = models.DateTimeField(editable=False)
    public_changed_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            rules.Rule(
                name="revision_is_one_row",
                condition=Q(id=1),
                field="id",
                message="There is one content revision.",
            ),
        ]

    def __str__(self) -> str:
        return str(self.number)
