"""An ordinary view of Django REST framework for the same row, with Django's default middleware."""

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import URLPattern, path

from site_mirror import settings as ours

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

settings.configure(
    **{name: getattr(ours, name) for name in dir(ours) if name.isupper()}
    | {
        "ROOT_URLCONF": "benchmarks.ordinary",
        "MIDDLEWARE": MIDDLEWARE,
        "REST_FRAMEWORK": {
            "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        },
    }
)

application = get_wsgi_application()


def make_patterns() -> list[URLPattern]:
    from rest_framework.serializers import ModelSerializer  # noqa: PLC0415  (after the set-up)
    from rest_framework.viewsets import ReadOnlyModelViewSet  # noqa: PLC0415

    from catalogue.models import App  # noqa: PLC0415

    class AppSerializer(ModelSerializer[App]):
        class Meta:
            model = App
            exclude = ("icon_svg",)

    class AppViewSet(ReadOnlyModelViewSet[App]):
        queryset = App.objects.all()
        serializer_class = AppSerializer

    return [path("apps/<pk>", AppViewSet.as_view({"get": "retrieve"}))]


urlpatterns = make_patterns()
