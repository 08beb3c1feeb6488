"""Settings: one file, read from the environment. docs/settings.md lists the variables."""

import contextlib
from datetime import timedelta
from pathlib import Path

import django_stubs_ext

from api import contract  # Constants; it imports no framework.
from site_mirror.settings import environment as env

django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent.parent

DEBUG = env.switch("DEBUG")
SECRET_KEY = env.secret(
    "SECRET_KEY",
    "an-unsafe-key-for-a-machine-of-ones-own" if DEBUG else None,
    "$(openssl rand -hex 32)",
)
SITE_ROOT = env.origin("SITE_ROOT", "http://127.0.0.1:8000" if DEBUG else None)
SITE_HOST = env.host_of_origin(SITE_ROOT)
ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS", SITE_HOST)
HTTPS = SITE_ROOT.startswith("https://")

# Whether this process counts the request budget of the contract; off behind an edge that counts.
RATE_LIMIT = env.switch("RATE_LIMIT", default=True)
# Whether a proxy in front is trusted to name the client and the scheme.
BEHIND_PROXY = env.switch("BEHIND_PROXY")

# The format of the log, `text` for people or `json` for programs; and the log of requests.
LOG_FORMAT = env.one_of("LOG_FORMAT", ("text", "json"))
ACCESS_LOG = env.switch("ACCESS_LOG", default=True)

ROOT_URLCONF = "site_mirror.urls"
PUBLIC_URLCONF = "site_mirror.live.routes"
WSGI_APPLICATION = "site_mirror.wsgi.application"

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "site_mirror.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_static",
    "django_otp.plugins.otp_totp",
    "csp",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "catalogue",
    "api",
    "site_mirror",
    "site_mirror.desk",
]

MIDDLEWARE = [
    "site_mirror.live.middleware.DeliveryMiddleware",
    "api.cors.CorsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.common.CommonMiddleware",
    "site_mirror.live.admin_middleware.HeadersMiddleware",
    "site_mirror.live.admin_middleware.PolicyMiddleware",
    "site_mirror.live.admin_middleware.SessionMiddleware",
    "site_mirror.live.admin_middleware.CsrfViewMiddleware",
    "site_mirror.live.admin_middleware.AuthenticationMiddleware",
    "site_mirror.live.admin_middleware.SecondStepMiddleware",
    "site_mirror.live.admin_middleware.SessionLimitsMiddleware",
    "site_mirror.live.admin_middleware.LanguageMiddleware",
    "site_mirror.live.admin_middleware.MessageMiddleware",
    "site_mirror.live.admin_middleware.XFrameOptionsMiddleware",
    "site_mirror.live.admin_middleware.LockoutMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # Templates of the admin's theme that the desk replaces.
        "DIRS": [BASE_DIR / "catalogue" / "theme"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.i18n",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    },
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "NAME": "pages",
        "APP_DIRS": True,
        "OPTIONS": {"environment": "site_mirror.pages.templating.build_environment"},
    },
]

DATABASES = {"default": env.database("DATABASE_URL", f"sqlite:///{BASE_DIR}/var/catalogue.sqlite3")}
if "sqlite" in DATABASES["default"]["ENGINE"]:
    # In WAL mode readers do not wait for a writer, and a freeze does not wait for an editor.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode = wal; PRAGMA synchronous = normal;",
    }
else:
    DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    # Seconds: a server that does not respond must not block all threads.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)

CACHES = {"default": env.cache("CACHE_URL")}
SHARED_CACHE = "locmem" not in CACHES["default"]["BACKEND"]
if SHARED_CACHE:
    # Seconds: a cache that does not respond must not block all threads.
    CACHES["default"]["OPTIONS"] = {"socket_connect_timeout": 1, "socket_timeout": 1}
else:
    CACHES["default"]["OPTIONS"] = {"MAX_ENTRIES": 100_000}

# The memory of a process for finished responses; 0 turns the cache of responses off.
RESPONSE_CACHE_BYTES = env.count("RESPONSE_CACHE_MB", 128, "megabytes") * 1024 * 1024

LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "site_mirror" / "locale", BASE_DIR / "site_mirror" / "locale" / "words"]
LANGUAGES = [("en", "English"), ("vi", "Tiếng Việt")]
FORMAT_MODULE_PATH = "catalogue.formats"
# The dates of posts are days of the studio's calendar.
TIME_ZONE = env.time_zone("TIME_ZONE", "Asia/Ho_Chi_Minh")

# The folder of releases that the desk shows, and the file by which it asks for another one.
SNAPSHOT = env.path("SNAPSHOT", BASE_DIR / "var" / "snapshot")
PUBLISH_REQUEST = env.path("PUBLISH_REQUEST", BASE_DIR / "var" / "publish-request")
# The command that deploys a release which the desk has asked for.
DEPLOY_COMMAND = env.find("DEPLOY_COMMAND", "")

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "var" / "static"
with contextlib.suppress(OSError):
    # The default database lies below var/, too.
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)

DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "/admin/"
APPEND_SLASH = False
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
CSRF_TRUSTED_ORIGINS = [SITE_ROOT]
# Django sends the header only where it sees TLS itself. `site_mirror.live.middleware` sends it on
# every response of a site that is published over https: browsers ignore it over http (RFC 6797,
# section 8.1).
HSTS_SECONDS = env.count("HSTS_SECONDS", 63_072_000, "seconds")
SECURE_HSTS_SECONDS = HSTS_SECONDS if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.switch("HSTS_SUBDOMAINS", default=True)
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
SILENCED_SYSTEM_CHECKS = [
    # These look for Django's own names; `site_mirror.live.admin_middleware` has subclasses.
    "security.W002",
    "security.W003",
    "axes.W002",
    # Whether HSTS holds for subdomains is the owner's decision about them (HSTS_SUBDOMAINS).
    "security.W005",
    # The proxy or the edge redirects from http to https: this process speaks http.
    "security.W008",
    # Whether browsers preload HSTS is the owner's decision about the whole domain.
    "security.W021",
]

CORS_ALLOW_ALL_ORIGINS = True
CORS_URLS_REGEX = r"^/(?!admin(/|$)|static/)"

# Log-in of editors: docs/settings.md, "Log-in".
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {}),
        ("MinimumLengthValidator", {"min_length": 12}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]
PASSWORD_RESET_TIMEOUT = 24 * 3600
SESSION_COOKIE_AGE = 2 * 3600
SESSION_SAVE_EVERY_REQUEST = True
CSRF_FAILURE_VIEW = "site_mirror.live.admin_errors.form_expired_page"
AXES_HANDLER = "catalogue.admin.lockout.LockoutHandler"
AXES_LOCKOUT_CALLABLE = "catalogue.admin.lockout.lockout_response"
AXES_USERNAME_CALLABLE = "catalogue.admin.lockout.name_to_count"
AXES_CLIENT_IP_CALLABLE = "catalogue.accounts.clients.client_digest"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
AXES_SENSITIVE_PARAMETERS = ["ip_address", "csrfmiddlewaretoken", "otp_token"]
# Whether people who may publish must have a second step of log-in.
REQUIRE_SECOND_STEP = env.switch("REQUIRE_SECOND_STEP")
OTP_TOTP_ISSUER = SITE_HOST

# The policy of the admin; pages have their own (`site_mirror.documents.headers`). The theme's
# scripts evaluate expressions of its templates (Alpine.js), and its templates have inline styles.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'", "'unsafe-eval'"],
        "style-src": ["'self'", "'unsafe-inline'"],
        "font-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "frame-src": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
    }
}

# Mail for editors: links to set a new password. Without a server, an administrator sends them.
EMAIL_SETTINGS = env.mail("EMAIL_URL")
MAIL_IS_SENT = EMAIL_SETTINGS["EMAIL_BACKEND"] != "django.core.mail.backends.dummy.EmailBackend"
vars().update(EMAIL_SETTINGS)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.mail_address("EMAIL_FROM", f"no-reply@{SITE_HOST}")

# The theme of the admin; it calls the functions that are named here.
UNFOLD = {
    "SITE_TITLE": "Studio Catalogue",
    "SITE_HEADER": "Studio Catalogue",
    "SITE_URL": "/",
    "SIDEBAR": {"navigation": "catalogue.admin.appearance.sidebar"},
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "api.schema_generation.ContractSchema",
    "DEFAULT_THROTTLE_CLASSES": ["api.throttling.BudgetThrottle"],
    "DEFAULT_THROTTLE_RATES": {"budget": f"{contract.BUDGET.requests}/min" if RATE_LIMIT else None},
    "EXCEPTION_HANDLER": "api.problems.exception_handler",
    "URL_FORMAT_OVERRIDE": None,
}

SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.1",
    "TITLE": "Studio Catalogue API",
    "VERSION": contract.API_VERSION,
    "DESCRIPTION": contract.DESCRIPTION,
    "LICENSE": {"name": "CC BY 4.0", "identifier": "CC-BY-4.0"},
    "SCHEMA_PATH_PREFIX": contract.BASE_PATH,
    "SCHEMA_PATH_PREFIX_TRIM": True,
    "PREPROCESSING_HOOKS": ["api.schema_generation.documented_endpoints"],
    "POSTPROCESSING_HOOKS": [],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    # The document needs content, and a deployment is checked before there is a database.
    "ENABLE_DJANGO_DEPLOY_CHECK": False,
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {"()": "site_mirror.live.logs.JsonFormatter"},
        "text": {"()": "site_mirror.live.logs.TextFormatter"},
    },
    "filters": {"server": {"()": "site_mirror.live.logs.ServerFilter"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["server"],
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        # Django's own handlers would write a second record of each error.
        "django": {"handlers": []},
        "site_mirror.access": {"level": "INFO"},
        # A request to an unknown address is not an event.
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}
