#!/bin/sh
# golden.sh: makes the golden cases anew and says what changed.
set -eu
here=$(dirname "$0")
python=$("$here/../venv.sh" "$here/../../build/venv")
exec "$python" -B "$here/MAKE.py"
