"""Every host that there is."""

from site_mirror.hosts.bucket import Bucket
from site_mirror.hosts.caddy import Caddy
from site_mirror.hosts.cloudflare import Cloudflare
from site_mirror.hosts.file_server import FileServer
from site_mirror.hosts.github_pages import GitHubPages
from site_mirror.hosts.host import Host
from site_mirror.hosts.netlify import Netlify
from site_mirror.hosts.nginx import Nginx
from site_mirror.hosts.origin import Origin

HOSTS: dict[str, Host] = {
    host.name: host
    for host in (
        Origin(),
        Nginx(),
        Caddy(),
        Cloudflare(),
        Netlify(),
        Bucket(),
        GitHubPages(),
        FileServer(),
    )
}
