#!/bin/sh
# Deploys the published content into a bucket, and takes it back if it does not arrive.
#
#   bucket.sh TARGET BUCKET URL
#
# MANAGE   how manage.py is called                      python manage.py
# PUBLISH  options of “manage.py publish”               --website
# PARITY   more options of “manage.py parity”           none
#
# Exit codes: 0 deployed, 1 failed and nothing was deployed, 2 usage, 4 taken back, 5 not even that.
# Standard output is one JSON object; all else is on standard error.
set -u
[ $# -eq 3 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
target=$1 bucket=$2 url=$3
manage=${MANAGE:-python manage.py}

current() { basename "$(readlink "$target/current")" 2>/dev/null; }

told() {
    printf '{"outcome":"%s","step":"%s","release":"%s","before":"%s"}\n' \
        "$1" "$2" "$(current)" "$before"
    exit "$3"
}

published() {
    $manage publish "$target/current" "$bucket" ${PUBLISH---website} >&2
    case $? in 0 | 3) ;; *) return 1 ;; esac
}

arrived() { $manage parity "$url" "$target/current" --host bucket ${PARITY:-} >&2; }

take_back() {
    [ -n "$before" ] && [ "$before" != "$(current)" ] || told "failed" "$1" 5
    $manage rollback "$target" "$before" >&2 && published || told "failed" "rollback" 5
    told "taken back" "$1" 4
}

before=$(current)
$manage migrate --no-input >&2 || told "failed" "migrate" 1
$manage freeze "$target" --keep 5 >&2
case $? in 0 | 3) ;; *) told "failed" "freeze" 1 ;; esac
$manage snapshot verify "$target" >&2 || take_back "verify"
published || take_back "publish"
arrived || take_back "parity"
told "deployed" "parity" 0
