#!/bin/sh
# Deploys to nginx or Cloudflare; serves the previous release again if the site differs.
#
#   deploy.sh HOST TARGET FOLDER URL
#
# URL is the SITE_ROOT of the release. TARGET has the releases, FOLDER gets the host's configuration.
#
# MANAGE   command that runs manage.py                  python manage.py
# RELOAD   command that makes the host load its configuration again
# LISTEN   address and port of the host                 127.0.0.1:8080
# MIGRATE  “no” leaves out the migrations, where another command has made them   yes
# FREEZE   options of “manage.py freeze”: --expect-previous after the first deployment   none
# PARITY   more options of “manage.py parity”           none
# ORIGIN   where the answers are compared               URL
#
# Exit codes: 0 deployed, 1 failed and the previous release is still served, 2 usage, 4 failed and the
# previous release is served again, 5 failed and the site is not known to serve the previous release.
# Standard output is one JSON object; messages are on standard error.
set -u
[ $# -eq 4 ] && [ -n "${RELOAD:-}" ] || { sed -n '2,18s/^# \{0,1\}//p' "$0" >&2; exit 2; }
host=$1 target=$2 folder=$3 url=$4 step=serve

serve() {
    $manage host "$host" "$target/current" "$folder" --listen "${LISTEN:-127.0.0.1:8080}" >&2 &&
        sh -c "$RELOAD" >&2 9<&- && sleep 1
}

. "$(dirname "$(readlink -f "$0")")/job.sh"
