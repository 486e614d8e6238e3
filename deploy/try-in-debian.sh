#!/bin/sh
# Runs the steps of deploy/Dockerfile in plain Debian roots, without a container engine, and tests
# the result. Needs root on Debian, debootstrap, npm, a network and 3 GB in a temporary folder, which
# is removed. Takes some minutes.
# Usage: sh deploy/try-in-debian.sh [port]
set -eu
port=${1:-18080}
project=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
service=
finish() {
  [ -z "$service" ] || kill -9 "$service" 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap finish EXIT
say() { printf '\n== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

say 'A plain Debian 12 (FROM)'
# Private mounts disappear with the process, also when it is interrupted.
unshare --mount --propagation private \
  debootstrap --variant=minbase --include=ca-certificates bookworm "$work/base" >"$work/debootstrap.log" 2>&1 ||
  { tail -5 "$work/debootstrap.log"; fail debootstrap; }
cp -a "$work/base" "$work/build"

say 'The build stage'
# Adds Node and npm as in node:24-bookworm-slim, and the host names that an engine would set up.
brought=$(echo "$project"/node_modules/node-linux-*/bin/node)
[ -x "$brought" ] || fail 'run npm ci in the project first, whose Node builds here'
cp "$brought" "$work/build/usr/local/bin/node"
mkdir -p "$work/build/usr/local/lib/node_modules" "$work/build/source"
cp -R "$(npm root -g)/npm" "$work/build/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/build/usr/local/bin/npm"
cp -L /etc/resolv.conf /etc/hosts "$work/build/etc/"
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then cp -L "$NODE_EXTRA_CA_CERTS" "$work/build$NODE_EXTRA_CA_CERTS"; fi
git -C "$project" archive HEAD | tar -x -C "$work/build/source" --anchored --wildcards --exclude-from="$project/.dockerignore"
clean() { env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root NODE_EXTRA_CA_CERTS="${NODE_EXTRA_CA_CERTS:-}" "$@"; }
cat >"$work/build.sh" <<EOF
set -eu
mount -t proc proc "$work/build/proc"
mount --bind /dev "$work/build/dev"
exec chroot "$work/build" sh /source/deploy/image/build.sh /source /app
EOF
clean unshare --mount --propagation private sh "$work/build.sh"

say 'The image'
root=$work/base
chroot "$root" groupadd --gid 10001 recollect
chroot "$root" useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin recollect
chroot "$root" install -d -m 700 -o recollect -g recollect /data
mv "$work/build/app" "$root/app"
rm -rf --one-file-system "$work/build"
du -sm "$root/app" "$root" | sed "s|$work||"

say 'Started: user 10001, root read-only, /tmp in memory, /data written'
environment="RECOLLECT_HOST=0.0.0.0 RECOLLECT_PORT=$port RECOLLECT_DATA_DIR=/data RECOLLECT_BOOTSTRAP_KEY=try-in-debian-0123456789"
environment="$environment MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072 PATH=/usr/sbin:/usr/bin:/sbin:/bin"
mkdir "$work/data"
chown 10001:10001 "$work/data"
cat >"$work/enter.sh" <<EOF
set -eu
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind "$work/data" "$root/data"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
exec env -i $environment chroot --userspec=10001:10001 "$root" "\$@"
EOF
inside() { unshare --mount --propagation private sh "$work/enter.sh" "$@"; }
node=/app/node
if inside touch /app/written 2>/dev/null; then fail 'the root can be written'; fi
# In the background without a shell, so that the process itself gets the signal.
unshare --mount --propagation private sh "$work/enter.sh" "$node" --max-semi-space-size=16 --initial-old-space-size=64 --heap-growing-percent=100 --disable-sigusr1 /app/dist/cli/main.js serve \
  >"$work/service.log" 2>&1 &
service=$!
tries=0
until inside "$node" /app/health.mjs; do
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] || { cat "$work/service.log"; fail 'the health check never passed'; }
  sleep 1
done
say 'The health check passes; a document is added and found'
ask() { # METHOD PATH [BODY]
  curl -sS --fail-with-body -X "$1" "http://127.0.0.1:$port$2" -H 'Authorization: Bearer try-in-debian-0123456789' \
    -H 'Content-Type: application/json' -d "${3:-}"
}
memory=$(ask POST /v1/memories '{"name":"Harbour"}' | sed 's/.*"id":"\(mem_[a-z0-9]*\)".*/\1/')
ask POST "/v1/memories/$memory/documents" '{"documents":[{"title":"Tides","text":"The tide table hangs beside the wheelhouse door."}]}' >/dev/null
printf '<h1>Cranes</h1><p>The crane lifts nine tonnes.</p>' >"$work/cranes.html"
curl -sS --fail-with-body "http://127.0.0.1:$port/v1/memories/$memory/documents" -H 'Authorization: Bearer try-in-debian-0123456789' \
  -F "file=@$work/cranes.html" >/dev/null
ask POST "/v1/memories/$memory/find" '{"query":"Where is the tide table?"}' | grep -q 'wheelhouse' || fail 'not found'
ask POST "/v1/memories/$memory/find" '{"query":"How much does the crane lift?"}' | grep -q 'nine tonnes' || fail 'not read in a child'
ps -o uid=,rss=,args= -p "$service"

say 'Stopped by SIGTERM'
kill -TERM "$service"
status=0
wait "$service" || status=$?
service=
[ "$status" = 0 ] || { cat "$work/service.log"; fail "it ended with $status"; }
say 'All steps worked.'
