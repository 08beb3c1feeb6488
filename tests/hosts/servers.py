"""Real servers, each with a release and a port."""

import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from site_mirror.hosts.folder import fill_folder
from site_mirror.hosts.host import Deployment, Host
from site_mirror.hosts.http_client import HostRequest, HostResponse, HttpClient
from site_mirror.hosts.parity import Parity
from site_mirror.hosts.release import ServedRelease
from site_mirror.hosts.table import HOSTS
from site_mirror.hosts.verify import compare_site
from tests import ports, requirements
from tests.freeze import processes
from tests.hosts import github_pages_nginx
from tests.hosts.certificates import Certificate
from tests.ports import free_port

CLIENTS = [f"127.9.{number // 250}.{number % 250 + 1}" for number in range(400)]
"""Client addresses on this machine; each has its own request budget."""

NGINX_MODULES = [
    Path("/usr/lib/nginx/modules") / f"ngx_http_{name}_module.so"
    for name in ("js", "headers_more_filter")
]
CLOUDFLARE = Path(__file__).parent / "cloudflare"
FILE_SERVER = """
import runpy, socketserver
socketserver.StreamRequestHandler.disable_nagle_algorithm = True
runpy.run_module("http.server", run_name="__main__")
"""
"""Python's server sends a body after its headers, which would wait 40 ms for an acknowledgement."""
BUDGET_WINDOW_SECONDS, SPENDING_SECONDS = 60, 20
"""The window of Cloudflare's budget, and the time that a test needs to spend the budget."""


@dataclass(frozen=True)
class Server:
    """A running server, the release that it serves, and the folder of its configuration."""

    host: Host
    release: ServedRelease
    port: int
    folder: Path

    @property
    def http(self) -> HttpClient:
        return HttpClient("http://studio.example", ("127.0.0.1", self.port), clients=CLIENTS)

    def parity(self, *, spend: bool = False) -> Parity:
        if spend and self.host.name == "cloudflare":
            wait_for_budget_window()
        with closing(self.http) as http:
            return compare_site(http, self.release, self.host, spend=spend)

    def ask(self, address: str, method: str = "GET", **headers: str) -> HostResponse:
        named_headers = {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(self.http) as http:
            return http.ask(HostRequest(address, method, named_headers))


def write_configuration(name: str, release: ServedRelease, folder: Path, port: int) -> None:
    """Write the configuration of a host into a folder."""
    deployment = Deployment(release.folder, folder, f"127.0.0.1:{port}")
    fill_folder(folder, HOSTS[name].files(release, deployment))


def write_documented_tls(
    release: ServedRelease, folder: Path, port: int, certificate: Certificate
) -> None:
    """Write the configuration of nginx with TLS that `docs/hosts.md` has."""
    write_configuration("nginx", release, folder, port)
    page = (processes.PROJECT / "docs/hosts.md").read_text()
    [text] = re.findall(r"^```nginx\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    for documented, own in {
        "/srv/studio/nginx": str(folder),
        "/etc/ssl/studio.pem": str(certificate.chain),
        "/etc/ssl/studio.key": str(certificate.key),
        "listen 443 ": f"listen 127.0.0.1:{port} ",
    }.items():
        assert documented in text
        text = text.replace(documented, own)
    (folder / "nginx.conf").write_text(f"pid nginx.pid;\n{text}")


def server_command(name: str, release: ServedRelease, folder: Path, port: int) -> list[str]:
    """Return the command that starts a server."""
    if name == "nginx":
        # Without this, workers of an nginx that root started could not read the test's files.
        user = "user root;" if os.geteuid() == 0 else ""
        return [find_nginx(), "-p", str(folder), "-c", "nginx.conf", "-g", f"daemon off; {user}"]
    if name == "cloudflare":
        node = str(find_cloudflare_program("node"))
        return [node, str(CLOUDFLARE / "serve.mjs"), str(folder), str(port)]
    if name == "github-pages":
        return github_pages_nginx.prepare_server(folder, port)
    if name != "file-server":
        raise ValueError(f"No command starts {name}.")
    options = ["--bind", "127.0.0.1", "--protocol", "HTTP/1.1", "--directory", str(release.public)]
    return [sys.executable, "-c", FILE_SERVER, *options, str(port)]


def find_nginx() -> str:
    """Return the path of nginx; its modules are installed, too."""
    for module in NGINX_MODULES:
        requirements.needs_file(module, "libnginx-mod-http-js, -headers-more-filter")
    return requirements.needs_program("nginx", "nginx")


def find_cloudflare_program(program: str) -> Path:
    """Return the path of a program in the npm packages of this test."""
    path = CLOUDFLARE / "node_modules/.bin" / program
    if not path.exists():
        requirements.missing(
            "NOT TESTED ON CLOUDFLARE: `npm ci --prefix tests/hosts/cloudflare` first."
        )
    return path


def wait_for_budget_window() -> None:
    """Wait for the next minute if too little of this one is left: each has a new budget."""
    left = BUDGET_WINDOW_SECONDS - time.time() % BUDGET_WINDOW_SECONDS
    if left < SPENDING_SECONDS:
        time.sleep(left)


@contextmanager
def serve_host(
    name: str, release: ServedRelease, folder: Path, spoil: Callable[[Path], None] | None = None
) -> Iterator[Server]:
    """Serve a release with a host; `spoil` may change the configuration in the folder first."""
    port = free_port()
    write_configuration(name, release, folder, port)
    if spoil:
        spoil(folder)
    environment = os.environ | {"XDG_CONFIG_HOME": str(folder)}
    with run_server(server_command(name, release, folder, port), folder, port, environment):
        yield Server(HOSTS[name], release, port, folder)


@contextmanager
def serve_live_origin(release: ServedRelease, database: Path, folder: Path) -> Iterator[Server]:
    """Run the live origin with the database of a release."""
    port = free_port()
    words = [sys.executable, "manage.py", "serve", "--port", str(port)]
    environment = processes.environment(database, SITE_ROOT=release.root)
    with run_server(words, folder, port, environment, cwd=processes.PROJECT):
        server = Server(HOSTS["origin"], release, port, folder)
        # No response of the first second has a date, and all later ones have one.
        while "last-modified" not in server.ask("/about").headers:
            time.sleep(0.1)
        yield server


@contextmanager
def run_server(
    words: Sequence[str],
    folder: Path,
    port: int,
    environment: dict[str, str],
    cwd: Path | None = None,
) -> Iterator[None]:
    """Run a process that listens on a port and has a log, until the end of the block."""
    with (folder / "log").open("wb") as log:
        server = ports.run_server(
            words, port, cwd=cwd or folder, env=environment, stdout=log, stderr=log
        )
        try:
            with server:
                yield
        except ChildProcessError as error:
            error.add_note((folder / "log").read_text())
            raise


def copy_release(release: ServedRelease, folder: Path) -> ServedRelease:
    """Return a release with a copy of all files, which the caller may damage."""
    copy = shutil.copytree(release.folder, folder / "release", symlinks=True)
    return replace(release, folder=Path(copy))
