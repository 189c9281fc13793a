#!/bin/sh
# golden.sh IRRUN: makes all golden cases and families, and prints the files that changed.
set -eu
here=$(dirname "$0")
python=$("$here/../venv.sh" "$here/../../build/venv")
"$python" -B "$here/MAKE.py"
exec "$python" -B "$here/MAKE_FAMILIES.py" "$1"
