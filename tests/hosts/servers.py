"""Real servers on ports of their own, each with a release."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from site_mirror.hosts.folder import fill
from site_mirror.hosts.host import Host, Place
from site_mirror.hosts.nginx import MODULES, NEEDED
from site_mirror.hosts.parity import Parity
from site_mirror.hosts.release import Release
from site_mirror.hosts.table import HOSTS
from site_mirror.hosts.verify import Verification
from site_mirror.hosts.wire import Answer, Request, Site, Wire
from tests import needs
from tests.freeze import processes
from tests.hosts import pages

CLIENTS = [f"127.9.{number // 250}.{number % 250 + 1}" for number in range(400)]
"""Addresses of this machine to ask from, each with a budget of its own."""

CLOUDFLARE = Path(__file__).parent / "cloudflare"
NETLIFY = Path(__file__).parent / "netlify"
DENO = ["run", "--allow-all", "--no-lock", "--no-remote", "--node-modules-dir=manual"]
MINUTE, ENOUGH = 60, 20
"""Seconds in which Cloudflare's budget is counted, and those that suffice to spend it."""


@dataclass(frozen=True)
class Server:
    """A server that is running, the release it serves, and its own folder."""

    host: Host
    release: Release
    port: int
    folder: Path

    @property
    def wire(self) -> Wire:
        return Wire(Site.at("http://studio.example", ("127.0.0.1", self.port)), CLIENTS)

    def parity(self, *, spend: bool = False) -> Parity:
        if spend and self.host.name == "cloudflare":
            within_a_minute()
        with self.wire as wire:
            return Verification(self.release, self.host, spend=spend).run(wire)

    def ask(self, address: str, method: str = "GET", **headers: str) -> Answer:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with self.wire as wire:
            return wire.ask(Request(address, method, named))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def configured(name: str, release: Release, folder: Path, port: int) -> None:
    """The configuration of a host, in a folder."""
    place = Place(release.folder, folder, f"127.0.0.1:{port}")
    fill(folder, HOSTS[name].files(release, place))


def command(name: str, release: Release, folder: Path, port: int) -> list[str]:
    """What starts a server."""
    if name == "nginx":
        nginx = needs.needs_program("nginx", "nginx")
        for module in NEEDED:
            needs.needs_file(Path(MODULES) / module, "libnginx-mod-http-js, -headers-more-filter")
        # Started by root, it would read files as somebody who may not.
        user = "user root;" if os.geteuid() == 0 else ""
        return [nginx, "-p", str(folder), "-c", "nginx.conf", "-g", f"daemon off; {user}"]
    if name == "caddy":
        caddy = needs.needs_program("caddy", "caddy")
        return [caddy, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    if name == "cloudflare":
        return [str(cloudflare("node")), str(CLOUDFLARE / "serve.mjs"), str(folder), str(port)]
    if name == "netlify":
        return netlify(folder, port)
    if name == "github-pages":
        return pages.command(folder, port)
    where = ["--bind", "127.0.0.1", "--protocol", "HTTP/1.1", "--directory", str(release.public)]
    return [sys.executable, "-m", "http.server", *where, str(port)]


def cloudflare(program: str) -> Path:
    """A program of the locked npm packages."""
    found = CLOUDFLARE / "node_modules/.bin" / program
    if not found.exists():
        needs.missing("NOT TESTED ON CLOUDFLARE: `npm ci --prefix tests/hosts/cloudflare` first.")
    return found


def netlify(folder: Path, port: int, *more: str) -> list[str]:
    """Netlify's runtime before its file server, or `alone` the latter."""
    deno = [str(program) for program in NETLIFY.glob("node_modules/@deno/*/deno")]
    if not deno:
        needs.missing("NOT TESTED ON NETLIFY: `npm ci --prefix tests/hosts/netlify` first.")
    return [deno[0], *DENO, str(NETLIFY / "serve.mjs"), str(port), str(folder), *more]


def within_a_minute() -> None:
    """Wait for a minute of the clock with enough left: Cloudflare's budget is new in each."""
    left = MINUTE - time.time() % MINUTE
    if left < ENOUGH:
        time.sleep(left)


def untouched(folder: Path) -> None:
    """The configuration as it was generated."""


@contextmanager
def serving(
    name: str, release: Release, folder: Path, spoil: Callable[[Path], None] = untouched
) -> Iterator[Server]:
    """A host that serves a release, its configuration in a folder, spoilt if that is wanted."""
    port = free_port()
    configured(name, release, folder, port)
    spoil(folder)
    environment = os.environ | {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with running(command(name, release, folder, port), folder, port, environment):
        yield Server(HOSTS[name], release, port, folder)


@contextmanager
def origin(release: Release, database: Path, folder: Path) -> Iterator[Server]:
    """The live origin over the database that the release was made of."""
    port = free_port()
    words = [sys.executable, "manage.py", "serve", "--port", str(port)]
    environment = processes.environment(database, SITE_ROOT=release.root)
    with running(words, folder, port, environment, where=processes.PROJECT):
        yield Server(HOSTS["origin"], release, port, folder)


@contextmanager
def running(
    words: Sequence[str],
    folder: Path,
    port: int,
    environment: dict[str, str],
    where: Path | None = None,
) -> Iterator[None]:
    """A process that listens on a port, until the end of the block."""
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            words, cwd=where or folder, env=environment, stdout=log, stderr=log
        )
    try:
        wait_for(server, port, folder / "log")
        yield
    finally:
        stop(server)


def stop(server: subprocess.Popen[bytes]) -> None:
    """End a process, and kill it after 20 seconds: an emulator may wait for a connection."""
    server.terminate()
    try:
        server.wait(timeout=20)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def wait_for(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    for _ in range(1200):
        if server.poll() is not None:
            raise RuntimeError(log.read_text())
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(log.read_text())


def copied(release: Release, folder: Path) -> Release:
    """A release whose files are the caller's own, to be spoilt."""
    copy = shutil.copytree(release.folder, folder / "release", symlinks=True)
    return replace(release, folder=Path(copy))
