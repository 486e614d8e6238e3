#!/bin/sh
# Build steps of the image, shared by deploy/Dockerfile and deploy/try-in-debian.sh, so that the
# tested steps are the built ones.
# Usage: build.sh SOURCE TARGET. Needs Node 20 or newer, npm and its registry. Writes the image to
# TARGET.
set -eu
source=$1
target=$2
cd "$source"
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
node scripts/run.mjs scripts/build.ts
npm prune --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
mkdir -p "$target"
cp -R package.json openapi.json CHANGELOG.md LICENSE bin dist docs embedder ocr-data node_modules "$target/"
cp deploy/image/health.mjs "$target/"
# Headers and manuals of Node.
rm -rf "$target"/node_modules/node-linux-*/include "$target"/node_modules/node-linux-*/share
# The Node of the lockfile, for each architecture.
(cd "$target" && ln -s node_modules/node-linux-*/bin/node node)
# Compile cache of the build machine; the read-only image could never replace it.
rm -rf "$target/node_modules/.cache"
# Readable by every user, writable by none.
chmod -R a+rX,go-w "$target"
