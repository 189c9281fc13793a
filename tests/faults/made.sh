#!/bin/sh
# Checks that MAKE.py makes exactly the faulty models in this folder.
cd "$(dirname "$0")" || exit 1
command -v python3 >/dev/null || exit 77
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
python3 -B MAKE.py "$scratch" && diff -r -x by_hand -x cases -x MAKE.py -x '*.sh' -x texts . "$scratch"
