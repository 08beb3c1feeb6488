#!/bin/sh
# Installs the studio on a Debian host with nginx, or upgrades an installation.
#
#   install.sh
#
# SITE_ROOT         origin of the site, such as https://studio.example    required in the first run
# CERTIFICATE       chain of the TLS certificate     /etc/letsencrypt/live/HOST/fullchain.pem
# CERTIFICATE_KEY   its private key                  /etc/letsencrypt/live/HOST/privkey.pem
# CONTENT           content of a new database: “shipped”, or a file of “manage.py backup”   shipped
# ADMINISTRATOR     name of the first account                             administrator
# PASSWORD_FILE     file with its password; without it, the script generates and prints one
# DATABASE_URL      database                         sqlite:///DATA/database/catalogue.sqlite3
# DATA              database, releases, backups, generated configuration  /srv/studio
# ENVIRONMENT_FILE  settings of the program; only the first run writes it   /etc/studio/environment
# ACCOUNT           account that the program runs as                      studio
# PORT, WORKERS     port and number of processes of the live origin       8000, 1
# LISTEN_HTTP       addresses and ports of nginx                          80 [::]:80
# LISTEN_HTTPS      the same for TLS                                      443 [::]:443
# WEBROOT           folder of the certificate authority's challenges      /var/www/html
# PARITY            options of “manage.py parity”                         clients 127.0.0.2 to .4
# UNITS, NGINX_SITE folder of the units; path of nginx's file
# INSTALL, STOP, START, RELOAD   commands that install the packages, stop and start the services,
#                   and make nginx load its configuration again
#
# Exit codes: 1 failed (the last line names the step), 2 usage, otherwise those of deploy.sh.
# Standard output is the password if one was generated, and the JSON object of deploy.sh.
set -eu
umask 022
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; [ -z "${1:-}" ] || echo "$1" >&2; exit 2; }
[ $# -eq 0 ] || usage

project=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
data=${DATA:-/srv/studio} account=${ACCOUNT:-studio} port=${PORT:-8000}
export ENVIRONMENT_FILE="${ENVIRONMENT_FILE:-/etc/studio/environment}"
units=${UNITS:-/etc/systemd/system} nginx_site=${NGINX_SITE:-/etc/nginx/sites-enabled/studio.conf}
manage=$project/bin/manage

setting() { [ ! -e "$ENVIRONMENT_FILE" ] || sed -n "s/^$1=[\"']\{0,1\}\([^\"']*\).*/\1/p" "$ENVIRONMENT_FILE"; }
known=$(setting SITE_ROOT)
root=${SITE_ROOT:-$known}
case $root in https://*) ;; *) usage "SITE_ROOT is not set, or does not begin with https://." ;; esac
[ -z "$known" ] || [ "$known" = "$root" ] || usage "SITE_ROOT is $known in $ENVIRONMENT_FILE: change it there."
host=$(printf %s "$root" | sed 's|^https://||; s|:[0-9]*$||')
certificate=${CERTIFICATE:-/etc/letsencrypt/live/$host/fullchain.pem}
key=${CERTIFICATE_KEY:-/etc/letsencrypt/live/$host/privkey.pem}
content=${CONTENT:-shipped}
for file in "$certificate" "$key" ${PASSWORD_FILE:+"$PASSWORD_FILE"}; do
    [ -r "$file" ] || usage "$file cannot be read."
done
[ "$content" = shipped ] || [ -r "$content" ] || usage "CONTENT: $content cannot be read."

step=begin
step() { step=$1; echo "== $step" >&2; }
ended() { code=$?; [ $code -eq 0 ] || [ "$step" = deploy ] || echo "Failed: $step." >&2; }
trap ended EXIT

step account
id "$account" >/dev/null 2>&1 ||
    useradd --system --home-dir "$data" --no-create-home --shell /usr/sbin/nologin "$account"

step folders
install -d "$data" "$(dirname "$ENVIRONMENT_FILE")" "$units" "$(dirname "$nginx_site")"
install -d -o "$account" "$data/site" "$data/nginx" "$project/var" "$project/var/static"
install -d -o "$account" -m 700 "$data/database" "$data/backups"

step settings
if [ ! -e "$ENVIRONMENT_FILE" ]; then
    new=$ENVIRONMENT_FILE.new
    rm -f "$new"
    install -o "$account" -m 600 /dev/null "$new"
    cat >"$new" <<END
SECRET_KEY=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')
SITE_ROOT=$root
DATABASE_URL=${DATABASE_URL:-sqlite:///$data/database/catalogue.sqlite3}
BEHIND_PROXY=1
RATE_LIMIT=0
END
    mv "$new" "$ENVIRONMENT_FILE"
fi

step packages
sh -c "${INSTALL:-make --silent -C '$project' .venv/run}" >&2
"$project/.venv/bin/python" -m compileall -q "$project/api" "$project/catalogue" "$project/site_mirror" >&2

step stop
sh -c "${STOP:-systemctl stop --quiet studio.service studio-publish.timer studio-publish.path studio-publish.service 2>/dev/null || true}" >&2

step backup
# A database without tables cannot be backed up.
if [ -e "$data/.installed" ]; then
    made=$(date -u +%Y%m%dT%H%M%SZ)
    "$manage" backup "$data/backups/$made" >&2
fi

step content
if [ "$content" = shipped ] || [ -e "$data/.installed" ]; then
    "$manage" migrate --no-input --verbosity 0 >&2
    [ "$content" != shipped ] || "$manage" load_content >&2
else
    install -o "$account" -m 600 "$content" "$data/database/.restored"
    "$manage" restore "$data/database/.restored" >&2
    rm "$data/database/.restored"
fi
touch "$data/.installed"

step administrator
if [ -n "${PASSWORD_FILE:-}" ]; then
    "$manage" create_administrator "${ADMINISTRATOR:-administrator}" --password-file - <"$PASSWORD_FILE"
else
    "$manage" create_administrator "${ADMINISTRATOR:-administrator}"
fi

step "static files"
"$manage" collectstatic --no-input --verbosity 0 >&2

step "configuration"
reload=${RELOAD:-nginx -t -q && systemctl reload-or-restart nginx}
tls=${LISTEN_HTTPS:-443 [::]:443}
parity=${PARITY:---connect 127.0.0.1:443 --client 127.0.0.2 --client 127.0.0.3 --client 127.0.0.4}
listening() { for address in $1; do printf 'listen %s%s;\\n    ' "$address" "$2"; done; }
quoted() { printf %s "$1" | sed 's/[&|]/\\&/g'; }
filled() {
    sed -e "s|@PROJECT@|$project|g; s|@DATA@|$data|g; s|@ACCOUNT@|$account|g; s|@PORT@|$port|g" \
        -e "s|@REQUEST@|$data/database/publish-request|g" \
        -e "s|@WORKERS@|${WORKERS:-1}|g; s|@ENVIRONMENT_FILE@|$ENVIRONMENT_FILE|g" \
        -e "s|@SITE_ROOT@|$root|g; s|@HOST@|$host|g; s|@WEBROOT@|${WEBROOT:-/var/www/html}|g" \
        -e "s|@CERTIFICATE@|$certificate|g; s|@CERTIFICATE_KEY@|$key|g" \
        -e "s|@RELOAD@|$(quoted "$reload")|g; s|@PARITY@|$(quoted "$parity")|g" \
        -e "s|@LISTEN_HTTP@|$(listening "${LISTEN_HTTP:-80 [::]:80}" "")|" \
        -e "s|@LISTEN_OTHERS@|$(listening "$tls" " ssl http2 default_server")|" \
        -e "s|@LISTEN_HTTPS@|$(listening "$tls" " ssl http2")|" "$project/docs/deploy/$1"
}
for unit in studio.service studio-publish.service studio-publish.timer studio-publish.path studio-due.service; do
    filled "$unit" >"$units/$unit"
done
filled nginx-site.conf >"$data/nginx-site.conf"

step start
sh -c "${START:-systemctl daemon-reload && systemctl enable --quiet studio.service studio-publish.timer studio-publish.path && systemctl restart studio.service studio-publish.timer studio-publish.path}" >&2
for _ in $(seq 60); do
    curl --silent --fail --output /dev/null --header "Host: $host" "http://127.0.0.1:$port/api/v1/health" && break
    sleep 1
done
curl --silent --show-error --fail --output /dev/null --header "Host: $host" "http://127.0.0.1:$port/api/v1/health"

# nginx's file includes tables that need a release, so RELOAD copies it after the freeze.
step deploy
RELOAD="cp '$data/nginx-site.conf' '$nginx_site' && $reload" PARITY=$parity MANAGE=$manage "$project/docs/deploy/deploy.sh" nginx "$data/site" "$data/nginx" "$root"

# Last, because an upgrade that fails again and again needs the backup that was made before the first one.
step "old backups"
# Backups with other names belong to the operator. The new one stays also if the clock is behind.
[ -z "${made:-}" ] || ls -1 "$data/backups" | grep -x '[0-9]\{8\}T[0-9]\{6\}Z' | grep -vx "$made" | sort -r | tail -n +10 |
    while read -r old; do rm -f "$data/backups/$old"; done
