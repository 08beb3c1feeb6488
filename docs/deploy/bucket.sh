#!/bin/sh
# Deploys the published content to a bucket; publishes the previous release again if the site differs.
#
#   bucket.sh TARGET BUCKET URL
#
# MANAGE   command that runs manage.py                  python manage.py
# PUBLISH  options of “manage.py publish”               none
# PARITY   more options of “manage.py parity”           none
#
# Exit codes: 0 deployed, 1 failed before the deployment, 2 usage, 4 the previous release is served again,
# 5 failed, and so did the previous release. Standard output is one JSON object; messages are on standard error.
set -u
[ $# -eq 3 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
target=$1 bucket=$2 url=$3
manage=${MANAGE:-python manage.py}

current() { basename "$(readlink "$target/current")" 2>/dev/null; }

finish() {
    printf '{"outcome":"%s","step":"%s","release":"%s","before":"%s"}\n' \
        "$1" "$2" "$(current)" "$before"
    exit "$3"
}

publish() {
    $manage publish "$target/current" "$bucket" ${PUBLISH:-} >&2
    case $? in 0 | 3) ;; *) return 1 ;; esac
}

matches() { $manage parity "$url" "$target/current" --host bucket ${PARITY:-} >&2; }

take_back() {
    [ -n "$before" ] && [ "$before" != "$(current)" ] || finish "failed" "$1" 5
    $manage rollback "$target" "$before" >&2 && publish || finish "failed" "rollback" 5
    finish "taken back" "$1" 4
}

before=$(current)
$manage migrate --no-input >&2 || finish "failed" "migrate" 1
$manage freeze "$target" --keep 5 >&2
case $? in 0 | 3) ;; *) finish "failed" "freeze" 1 ;; esac
$manage snapshot verify "$target" >&2 || take_back "verify"
publish || take_back "publish"
matches || take_back "parity"
finish "deployed" "parity" 0
