"""The tables of the catalogue."""

from catalogue.models.app import App, AppStatus, Category, Platform
from catalogue.models.former_slug import FormerAppSlug, FormerPostSlug, FormerTagSlug
from catalogue.models.image import Format, Image
from catalogue.models.page import Page
from catalogue.models.post import Post, Tag
from catalogue.models.revision import Revision
from catalogue.models.science import Principle, ScienceTopic, Symbol
from catalogue.models.sharing_picture import AppPicture, PostPicture, TagPicture
from catalogue.models.statistic import Statistic, StatisticId
from catalogue.models.studio import Studio, TeamMember
from catalogue.models.timeline import Subject, TimelineEntry, TimelineLink
from catalogue.models.version import ApiVersion, VersionStatus
from catalogue.models.workflow import Publishable, State, is_visible

__all__ = [
    "ApiVersion",
    "App",
    "AppPicture",
    "AppStatus",
    "Category",
    "Format",
    "FormerAppSlug",
    "FormerPostSlug",
    "FormerTagSlug",
    "Image",
    "Page",
    "Platform",
    "Post",
    "PostPicture",
    "Principle",
    "Publishable",
    "Revision",
    "ScienceTopic",
    "State",
    "Statistic",
    "StatisticId",
    "Studio",
    "Subject",
    "Symbol",
    "Tag",
    "TagPicture",
    "TeamMember",
    "TimelineEntry",
    "TimelineLink",
    "VersionStatus",
    "is_visible",
]
