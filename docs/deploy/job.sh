# The steps of deploy.sh and bucket.sh, which set host, target, url and step, and define “serve”.

manage=${MANAGE:-python manage.py}
progress=$target/progress.jsonl

# The desk shows the progress of a job that freezes with --desk, which writes the file.
tell() { [ ! -w "$progress" ] || printf '%s\n' "$1" >>"$progress"; }

# One job at a time: another one waits. The lock is of the folder, and ends with the last process of the job.
if [ -d "$target" ] && command -v flock >/dev/null; then
    exec 9<"$target"
    flock --timeout 900 9 || { echo "Another job is at work in $target." >&2; exit 1; }
    [ ! -w "$progress" ] || : >"$progress"
fi
# While it has the lock, and before it reads anything: a request that comes later is another one.
[ -z "${REQUEST:-}" ] || rm -f "$REQUEST"

name_of() { [ ! -d "$target/$1" ] || basename "$(readlink "$target/$1")"; }

finish() {
    report=$(printf '{"outcome":"%s","step":"%s","release":"%s","before":"%s"}' \
        "$1" "$2" "$(name_of current)" "$before")
    tell "$report"
    # The exit code says what was done, also if no process reads the report.
    trap '' PIPE
    echo "$report"
    exit "$3"
}

# Nothing is sent of a release that is damaged, or that names another site.
verify() { $manage snapshot verify "$1" --site-root "$url" >&2; }

matches() { $manage parity "${ORIGIN:-$url}" "$target/current" --host "$host" ${PARITY:-} >&2; }

# Before anything was sent: the host serves what it has served.
put_back() {
    [ -z "$before" ] || [ "$before" = "$(name_of current)" ] || $manage rollback "$target" "$before" >&2
    finish "failed" "$1" 1
}

# A host that was not reloaded may still serve the previous release, so it is asked.
take_back() {
    if [ "$before" = "$(name_of current)" ]; then
        [ "$1" != parity ] && matches && finish "failed" "$1" 1
        finish "failed" "$1" 5
    fi
    [ -n "$before" ] || finish "failed" "$1" 5
    verify "$target/releases/$before" && $manage rollback "$target" "$before" >&2 ||
        finish "failed" "rollback" 5
    serve || matches || finish "failed" "$1" 5
    finish "taken back" "$1" 4
}

# The release that a job has compared with the site, and not one that an interrupted job left.
before=$(name_of deployed)
[ -n "$before" ] || before=$(name_of current)
[ "${MIGRATE:-yes}" = no ] || $manage migrate --no-input >&2 || finish "failed" "migrate" 1
$manage freeze "$target" ${FREEZE:-} >&2
case $? in 0 | 3) ;; *) finish "failed" "freeze" 1 ;; esac
verify "$target" || put_back "verify"
tell '{"step":"serve"}'
serve || take_back "$step"
tell '{"step":"parity"}'
matches || take_back "parity"
# Last, because a release is needed until another one is known to be served.
$manage releases "$target" --deployed --keep 5 >&2
finish "deployed" "parity" 0
