"""The table of all hosts."""

from site_mirror.hosts.bucket.host import BucketWebsite
from site_mirror.hosts.cloudflare.host import Cloudflare
from site_mirror.hosts.file_server import FileServer
from site_mirror.hosts.github_pages import GitHubPages
from site_mirror.hosts.host import Host
from site_mirror.hosts.nginx.host import Nginx
from site_mirror.hosts.origin import Origin

HOSTS: dict[str, Host] = {
    host.name: host
    for host in (
        Origin(),
        Nginx(),
        Cloudflare(),
        BucketWebsite(),
        GitHubPages(),
        FileServer(),
    )
}
