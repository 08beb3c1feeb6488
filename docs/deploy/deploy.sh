#!/bin/sh
# Deploys the published content to nginx, Caddy, Cloudflare or Netlify, and takes it back if it does not arrive.
#
#   deploy.sh HOST TARGET FOLDER URL
#
# MANAGE   how manage.py is called                      python manage.py
# RELOAD   makes the host read its configuration anew
# LISTEN   what the host listens on                     127.0.0.1:8080
# PARITY   more options of “manage.py parity”           none
#
# Exit codes: 0 deployed, 1 failed before anything was deployed, 2 usage, 4 failed and the release
# before is served again, 5 failed and the release before cannot be served.
# Standard output is one JSON object; all else is on standard error.
set -u
[ $# -eq 4 ] && [ -n "${RELOAD:-}" ] || { sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 2; }
host=$1 target=$2 folder=$3 url=$4
manage=${MANAGE:-python manage.py}

current() { basename "$(readlink "$target/current")" 2>/dev/null; }

told() {
    printf '{"outcome":"%s","step":"%s","release":"%s","before":"%s"}\n' \
        "$1" "$2" "$(current)" "$before"
    exit "$3"
}

serve() {
    $manage host "$host" "$target/current" "$folder" --listen "${LISTEN:-127.0.0.1:8080}" >&2 &&
        sh -c "$RELOAD" >&2 && sleep 1
}

arrived() { $manage parity "$url" "$target/current" --host "$host" ${PARITY:-} >&2; }

take_back() {
    [ -n "$before" ] && [ "$before" != "$(current)" ] || told "failed" "$1" 5
    $manage rollback "$target" "$before" >&2 && serve || told "failed" "rollback" 5
    told "taken back" "$1" 4
}

before=$(current)
$manage migrate --no-input >&2 || told "failed" "migrate" 1
$manage freeze "$target" --keep 5 >&2
case $? in 0 | 3) ;; *) told "failed" "freeze" 1 ;; esac
$manage snapshot verify "$target" >&2 || take_back "verify"
serve || take_back "serve"
arrived || take_back "parity"
told "deployed" "parity" 0
