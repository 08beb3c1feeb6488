"""Drafts: what editors have typed and readers do not see."""

from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

TITLES = ("title_en", "name_en", "name", "label_en", "alt_en", "handle", "version", "slug")
"""The columns by which a row is known, the first that is filled."""


class Draft(models.Model):
    """The unpublished changes of a row, or a row that does not exist yet; all editors share it.

    The data are what the admin's form of the row posts. A draft that was published or discarded is
    closed: it only has earlier states.
    """

    key = models.UUIDField(primary_key=True)
    kind = models.CharField(max_length=40)
    row = models.BigIntegerField(null=True)
    returning = models.ForeignKey(
        "HistoryEntry", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    """The deleted row that comes back when the draft is published."""
    data = models.JSONField[Any, Any](default=dict)
    version = models.PositiveIntegerField(default=0)
    began_from = models.JSONField[Any, Any](default=dict)
    """Digests of the parts of the row when the draft began."""
    is_open = models.BooleanField(default=True)
    is_saved = models.BooleanField(default=False)
    """Whether the editor has saved this version; while he types, it is saved by itself."""
    author = models.ForeignKey("auth.User", null=True, on_delete=models.SET_NULL, related_name="+")
    saved_at = models.DateTimeField()
    note = models.TextField(blank=True)
    noted_by = models.ForeignKey(
        "auth.User", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    in_review = models.BooleanField(default=False)

    class Meta:
        permissions = [("publish_draft", "Can publish, withdraw and delete")]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "row"], condition=Q(row__isnull=False), name="desk_draft_of_a_row"
            )
        ]

    def __str__(self) -> str:
        titles = (self.data.get(name, [""])[0] for name in TITLES)
        return next(filter(None, titles), "") or gettext("Untitled")

    @property
    def kind_in_words(self) -> str:
        return str(apps.get_model("catalogue", self.kind)._meta.verbose_name)

    @property
    def form(self) -> str:
        """The address of the form that shows the draft."""
        page = f"admin:catalogue_{self.kind}"
        if self.row:
            return reverse(f"{page}_change", args=[self.row])
        return f"{reverse(f'{page}_add')}?draft={self.key}"

    def data_over(self, public: Any) -> Any:
        """Return what the form shows: the draft if it is open, or what is public."""
        return self.data if self.is_open else public


class EarlierState(models.Model):
    """What a draft was before an act: the last ones of each draft are kept."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="earlier")
    data = models.JSONField[Any, Any]()
    author = models.ForeignKey("auth.User", null=True, on_delete=models.SET_NULL, related_name="+")
    saved_at = models.DateTimeField()
    before = models.CharField(max_length=20)
    """The act before which it was kept."""

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return str(Draft(data=self.data))


class HistoryEntry(models.Model):
    """What a row of the catalogue was after a change, as its form posts it; or when it was deleted.

    Entries outlive their row, and the accounts of their authors.
    """

    class Act(models.TextChoices):
        FOUND = "found", _("As it was before the next change")
        ADDED = "added", _("Added")
        CHANGED = "changed", _("Changed")
        MOVED = "moved", _("Moved")
        PUBLISHED = "published", _("Published")
        WITHDRAWN = "withdrawn", _("Withdrawn")
        DELETED = "deleted", _("Deleted")
        BROUGHT_BACK = "brought_back", _("Brought back")

    kind = models.CharField(max_length=40)
    row = models.BigIntegerField()
    title = models.TextField()
    act = models.CharField(max_length=20, choices=Act)
    data = models.JSONField[Any, Any]()
    changed = models.JSONField[Any, Any](default=list)
    """The parts that differ from the entry before."""
    relations = models.JSONField[Any, Any](default=dict)
    """Keys of the rows that referred to a row when it was deleted, by the name of the relation."""
    file = models.TextField(blank=True)
    """The file of content of a deleted row, because no form posts the pixels of an image."""
    author = models.ForeignKey("auth.User", null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["kind", "row"], name="desk_history_of_a_row")]

    def __str__(self) -> str:
        return self.title

    @property
    def page(self) -> str:
        """The address of the history of the row, or of the rows from which it can come back."""
        page = f"admin:catalogue_{self.kind}"
        rows = apps.get_model("catalogue", self.kind)._default_manager
        if rows.filter(pk=self.row).exists():
            return reverse(f"{page}_history", args=[self.row])
        return reverse(f"{page}_deleted")


class OlderText(models.Model):
    """A Vietnamese text of a row whose English has changed since, with that English of then."""

    kind = models.CharField(max_length=40)
    row = models.BigIntegerField()
    text = models.CharField(max_length=80)
    """Its name in `translations.pairs_of`."""
    english = models.TextField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["kind", "row", "text"], name="desk_older_text_once")
        ]

    def __str__(self) -> str:
        return self.text


class Language(models.Model):
    """The language in which the desk speaks to a user, who has chosen it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="chosen_language"
    )
    code = models.CharField(max_length=10, choices=settings.LANGUAGES)

    def __str__(self) -> str:
        return self.code


class PostText(models.Model):
    """The texts of a post as the search compares them: on one line, without case and marks.

    They are those of a post whose moment of the last edit, as the database writes it, is `edited`.
    """

    post_id = models.BigIntegerField(primary_key=True)  # No key: no post waits for this table.
    edited = models.CharField(max_length=40)
    title = models.TextField()
    text = models.TextField()

    def __str__(self) -> str:
        return self.title


class Run(models.Model):
    """A request to publish the site, or to go back to a release. The last one counts."""

    asked_at = models.DateTimeField()
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    release = models.CharField(max_length=60, blank=True)
    """The release to go back to; empty if the content is to be published."""
    result = models.CharField(max_length=60, blank=True)
    """The release that the first job since then has made, or its outcome if it has made none."""

    class Meta:
        default_permissions = ()
        ordering = ["-pk"]

    @property
    def goes_back(self) -> bool:
        """Whether it asks for a release; a return that has failed is given up."""
        return bool(self.release) and self.result != "failed"

    def __str__(self) -> str:
        return f"{self.asked_at:%Y-%m-%d %H:%M}"
