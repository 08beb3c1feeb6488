#!/bin/sh
# Deploys the published content to a bucket; publishes the previous release again if the site differs.
#
#   bucket.sh TARGET BUCKET URL
#
# URL is the SITE_ROOT of the release. TARGET has the releases.
#
# MANAGE   command that runs manage.py                  python manage.py
# PUBLISH  options of “manage.py publish”               none
# FREEZE   options of “manage.py freeze”: --expect-previous after the first deployment   none
# PARITY   more options of “manage.py parity”           none
# ORIGIN   where the answers are compared, such as the bucket's own address   URL
#
# Exit codes: 0 deployed, 1 failed and the previous release is still served, 2 usage, 4 failed and the
# previous release is served again, 5 failed and the site is not known to serve the previous release.
# Standard output is one JSON object; messages are on standard error.
set -u
[ $# -eq 3 ] || { sed -n '2,16s/^# \{0,1\}//p' "$0" >&2; exit 2; }
host=bucket target=$1 bucket=$2 url=$3 step=publish

serve() {
    $manage publish "$target/current" "$bucket" ${PUBLISH:-} >&2
    case $? in 0 | 3) ;; *) return 1 ;; esac
}

. "$(dirname "$(readlink -f "$0")")/job.sh"
