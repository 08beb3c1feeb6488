"""The endpoints of the contract, one viewset for each resource."""

from collections.abc import Callable
from typing import Any, NoReturn

from django.http import Http404
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from api import resources, serializers
from api.headers import HEALTH_CACHING
from api.schema import openapi_description
from api.schema_serializers import HealthSerializer, IndexSerializer, envelope_serializer
from api.views import CatalogueView, DocumentViewSet, Moved
from catalogue import addresses, questions


class IndexView(CatalogueView):
    endpoints: dict[str, str] = {}

    @extend_schema(
        operation_id="getApiIndex",
        summary="The API index",
        description="The version, its status, the request budget and every endpoint.",
        responses=IndexSerializer,
        tags=["Service"],
    )
    def get(self, request: Request) -> Response:
        version = resources.served_version(questions.versions(self.at))
        return Response(resources.index_body(self.site, version, self.endpoints))


class HealthView(CatalogueView):
    caching = HEALTH_CACHING

    @extend_schema(
        operation_id="getHealth",
        summary="Health",
        description="`ok` whenever the origin is serving the API. Safe to poll at a low rate.",
        responses=HealthSerializer,
        tags=["Service"],
    )
    def get(self, request: Request) -> Response:
        return Response(resources.health_body())


@extend_schema_view(
    retrieve=extend_schema(
        operation_id="getStudio",
        summary="The studio profile",
        description="Who the studio is and how to reach it.",
        responses=envelope_serializer(serializers.StudioSerializer),
        tags=["Studio"],
    )
)
class StudioViewSet(DocumentViewSet):
    resource = resources.STUDIO


@extend_schema_view(
    list=extend_schema(
        operation_id="listTeam",
        summary="The team",
        description="The people of the studio and what each is responsible for.",
        responses=envelope_serializer(serializers.TeamMemberSerializer, many=True),
        tags=["Studio"],
    )
)
class TeamViewSet(DocumentViewSet):
    resource = resources.TEAM


@extend_schema_view(
    list=extend_schema(
        operation_id="listApps",
        summary="All apps",
        description="Every published app, in the studio's order.",
        responses=envelope_serializer(serializers.AppSerializer, many=True),
        tags=["Apps"],
    ),
    retrieve=extend_schema(
        operation_id="getApp",
        summary="One app",
        description="One app by its id.",
        responses=envelope_serializer(serializers.AppSerializer),
        tags=["Apps"],
    ),
)
class AppViewSet(DocumentViewSet):
    resource = resources.APPS
    lookup_url_kwarg = "appId"

    def missing(self, slug: str) -> NoReturn:
        if former := questions.former_app_slugs(self.at).filter(slug=slug).first():
            raise Moved(addresses.app_document(former.today))
        raise Http404(
            f"No app has the id “{slug}”. See {addresses.api_address('/apps')} for the ids."
        )


@extend_schema_view(
    list=extend_schema(
        operation_id="listPosts",
        summary="All posts",
        description="Every published post, newest first.",
        responses=envelope_serializer(serializers.PostSerializer, many=True),
        tags=["Posts"],
    ),
    retrieve=extend_schema(
        operation_id="getPost",
        summary="One post",
        description="One post by its slug; `links.markdown` has its full text.",
        responses=envelope_serializer(serializers.PostSerializer),
        tags=["Posts"],
    ),
)
class PostViewSet(DocumentViewSet):
    resource = resources.POST_SUMMARIES
    lookup_url_kwarg = "slug"

    def missing(self, slug: str) -> NoReturn:
        if former := questions.former_post_slugs(self.at).filter(slug=slug).first():
            raise Moved(addresses.post_document(former.today))
        raise Http404(
            f"No post has the slug “{slug}”. See {addresses.api_address('/posts')} for the posts."
        )


@extend_schema_view(
    list=extend_schema(
        operation_id="listStats",
        summary="Statistics",
        description="The counters of the home page as structured values.",
        responses=envelope_serializer(serializers.StatisticSerializer, many=True),
        tags=["Studio"],
    )
)
class StatisticViewSet(DocumentViewSet):
    resource = resources.STATS


@extend_schema_view(
    list=extend_schema(
        operation_id="listScienceTopics",
        summary="Science topics",
        description="Disciplines, each with a governing formula and a plain explanation.",
        responses=envelope_serializer(serializers.ScienceTopicSerializer, many=True),
        tags=["Knowledge"],
    )
)
class ScienceTopicViewSet(DocumentViewSet):
    resource = resources.SCIENCE_TOPICS


@extend_schema_view(
    list=extend_schema(
        operation_id="listPrinciples",
        summary="Principles",
        description="The studio's product rules.",
        responses=envelope_serializer(serializers.PrincipleSerializer, many=True),
        tags=["Knowledge"],
    )
)
class PrincipleViewSet(DocumentViewSet):
    resource = resources.PRINCIPLES


@extend_schema_view(
    list=extend_schema(
        operation_id="listTimeline",
        summary="Timeline",
        description="Milestones of the studio and its founder, newest first and oldest last.",
        responses=envelope_serializer(serializers.TimelineEntrySerializer, many=True),
        tags=["Studio"],
    )
)
class TimelineViewSet(DocumentViewSet):
    resource = resources.TIMELINE


@extend_schema_view(
    list=extend_schema(
        operation_id="listVersions",
        summary="API versions",
        description="Each version with its status and, once announced, the dates of its end.",
        responses=envelope_serializer(serializers.VersionSerializer, many=True),
        tags=["Service"],
    )
)
class VersionViewSet(DocumentViewSet):
    resource = resources.VERSIONS


class OpenApiView(CatalogueView):
    """The OpenAPI document, which is served at the root of the site."""

    schema = None

    def get(self, request: Request) -> Response:
        return Response(openapi_description(self.at))


class UnknownAddress(CatalogueView):
    """The view of all unknown addresses below `/api/`."""

    schema = None

    def get(self, request: Request, *args: Any, **kwargs: Any) -> NoReturn:
        raise Http404


EndpointView = Callable[..., HttpResponseBase]


def endpoint_views(endpoints: dict[str, str]) -> dict[str, EndpointView]:
    """Return the view of each operation; the index lists `endpoints`."""
    a_list: dict[str, Any] = {"get": "list"}
    an_item: dict[str, Any] = {"get": "retrieve"}
    return {
        "getApiIndex": IndexView.as_view(endpoints=endpoints),
        "getStudio": StudioViewSet.as_view(an_item),
        "listTeam": TeamViewSet.as_view(a_list),
        "listApps": AppViewSet.as_view(a_list),
        "getApp": AppViewSet.as_view(an_item),
        "listPosts": PostViewSet.as_view(a_list),
        "getPost": PostViewSet.as_view(an_item),
        "listStats": StatisticViewSet.as_view(a_list),
        "listScienceTopics": ScienceTopicViewSet.as_view(a_list),
        "listPrinciples": PrincipleViewSet.as_view(a_list),
        "listTimeline": TimelineViewSet.as_view(a_list),
        "listVersions": VersionViewSet.as_view(a_list),
        "getHealth": HealthView.as_view(),
        "openapi": OpenApiView.as_view(),
    }
