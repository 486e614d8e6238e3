#!/bin/sh
# The build steps of the image, run by deploy/Dockerfile and by deploy/try-in-debian.sh, so that what is tried is what is built.
# Usage: build.sh SOURCE TARGET. Needs Node 20 or newer, npm and its registry. Leaves in TARGET all that the image holds.
set -eu
source=$1
target=$2
cd "$source"
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
npm run --silent build
npm prune --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
mkdir -p "$target"
cp -R package.json openapi.json CHANGELOG.md LICENSE bin dist docs embedder node_modules "$target/"
cp deploy/image/health.mjs "$target/"
# Headers and manuals of Node.
rm -rf "$target"/node_modules/node-linux-*/include "$target"/node_modules/node-linux-*/share
# The Node of the lockfile, whatever the processor.
(cd "$target" && ln -s node_modules/node-linux-*/bin/node node)
# Compiled code of the build machine's scripts; the image is read-only and would never renew it.
rm -rf "$target/node_modules/.cache"
# Whoever runs it reads it, and nobody writes it.
chmod -R a+rX,go-w "$target"
