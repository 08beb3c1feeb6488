#!/bin/sh
# Deploys to nginx or Cloudflare; serves the previous release again if the site differs.
#
#   deploy.sh HOST TARGET FOLDER URL
#
# MANAGE   command that runs manage.py                  python manage.py
# RELOAD   command that makes the host load its configuration again
# LISTEN   address and port of the host                 127.0.0.1:8080
# PARITY   more options of “manage.py parity”           none
#
# Exit codes: 0 deployed, 1 failed before the deployment, 2 usage, 4 failed and the previous release
# is served again, 5 failed and the previous release cannot be served.
# Standard output is one JSON object; messages are on standard error.
set -u
[ $# -eq 4 ] && [ -n "${RELOAD:-}" ] || { sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 2; }
host=$1 target=$2 folder=$3 url=$4
manage=${MANAGE:-python manage.py}

current() { basename "$(readlink "$target/current")" 2>/dev/null; }

finish() {
    printf '{"outcome":"%s","step":"%s","release":"%s","before":"%s"}\n' \
        "$1" "$2" "$(current)" "$before"
    exit "$3"
}

serve() {
    $manage host "$host" "$target/current" "$folder" --listen "${LISTEN:-127.0.0.1:8080}" >&2 &&
        sh -c "$RELOAD" >&2 && sleep 1
}

matches() { $manage parity "$url" "$target/current" --host "$host" ${PARITY:-} >&2; }

take_back() {
    [ -n "$before" ] && [ "$before" != "$(current)" ] || finish "failed" "$1" 5
    $manage rollback "$target" "$before" >&2 && serve || finish "failed" "rollback" 5
    finish "taken back" "$1" 4
}

before=$(current)
$manage migrate --no-input >&2 || finish "failed" "migrate" 1
$manage freeze "$target" --keep 5 >&2
case $? in 0 | 3) ;; *) finish "failed" "freeze" 1 ;; esac
$manage snapshot verify "$target" >&2 || take_back "verify"
serve || take_back "serve"
matches || take_back "parity"
finish "deployed" "parity" 0
