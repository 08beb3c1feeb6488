"""An emulation of GitHub Pages, which is nginx behind a CDN.

An address is served from the file of that name, from the file with the suffix `.html`, or, if it
ends with a slash, from `index.html` in the folder. The suffix determines the media type. One page
is the body of all 404s.
Source: GitHub Docs, “About GitHub Pages” and “Creating a custom 404 page”.
"""

import os
from pathlib import Path

from tests import requirements

CONFIGURATION = """
error_log stderr warn;
pid {folder}/nginx.pid;
events {{}}
http {{
    access_log off;
    server_tokens off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    default_type application/octet-stream;
    charset utf-8;
    charset_types application/json application/xml text/css text/javascript text/markdown
                  text/plain;
    types {{
        text/html html;
        text/css css;
        text/javascript js;
        text/markdown md;
        text/plain txt;
        application/json json;
        application/xml xml;
        image/png png;
        image/svg+xml svg;
        image/webp webp;
        font/woff2 woff2;
    }}
    server {{
        listen 127.0.0.1:{port};
        root {folder}/public;
        add_header Access-Control-Allow-Origin "*" always;
        add_header Cache-Control "max-age=600";
        error_page 403 404 =404 /404.html;
        absolute_redirect off;
        location / {{
            if (-f $request_filename.html) {{
                rewrite ^ $uri.html last;
            }}
            if (-d $request_filename) {{
                rewrite ^(.*[^/])$ $1/ permanent;
            }}
        }}
    }}
}}
"""


def prepare_server(folder: Path, port: int) -> list[str]:
    """Write the configuration for a folder that a workflow uploads; return the server's command."""
    nginx = requirements.needs_program("nginx", "nginx")
    (folder / "pages.conf").write_text(CONFIGURATION.format(folder=folder, port=port))
    user = "user root;" if os.geteuid() == 0 else ""
    return [nginx, "-p", str(folder), "-c", "pages.conf", "-g", f"daemon off; {user}"]
