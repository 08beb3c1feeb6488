"""Pictures that other sites show beside a link to a page.

`site_mirror.sharing` draws them when a row is saved. They can be drawn again, so they are not in
files of content, and no trigger dates an edit by them.
"""

from typing import Any

from django.db import models

from catalogue.models.app import App
from catalogue.models.base import Content
from catalogue.models.post import Post, Tag


class SharingPicture(models.Model):
    """The picture of the page of its `owner` in a language; `digest` is that of what it shows."""

    owner: Any
    language = models.CharField(max_length=2)
    digest = models.CharField(max_length=32)
    png = models.BinaryField()

    class Meta:
        abstract = True
        verbose_name = "sharing picture"
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["owner", "language"], name="one_%(class)s_a_language")
        ]

    def __str__(self) -> str:
        return f"{self.owner} ({self.language})"


def owner_key(model: type[Content]) -> Any:
    return models.ForeignKey(model, on_delete=models.CASCADE, related_name="sharing_pictures")


class AppPicture(SharingPicture):
    """The picture of an app."""

    owner = owner_key(App)


class PostPicture(SharingPicture):
    """The picture of a post."""

    owner = owner_key(Post)


class TagPicture(SharingPicture):
    """The picture of a tag."""

    owner = owner_key(Tag)
