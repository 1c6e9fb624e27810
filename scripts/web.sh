#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes web pages of all documentation, build/web/index.html, and looks for dead
# links in them. Needs Debian's python3-markdown (scripts/setup.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-build/web}
/usr/bin/python3 scripts/web.py "$out"
/usr/bin/python3 scripts/check-links.py "$out"
