#!/usr/bin/env bash
# Builds and publishes the package; `npm run release:python` tests it first. It needs hatch, and the account of the
# package index in HATCH_INDEX_USER and HATCH_INDEX_AUTH.
set -euo pipefail
cd "$(dirname "$0")"

rm -rf dist
hatch build
hatch publish
