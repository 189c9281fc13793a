#!/bin/sh
# golden.sh IRRUN: makes all golden cases, families and language models, and prints the files that changed.
set -eu
here=$(dirname "$0")
python=$("$here/../venv.sh" "$here/../../build/venv")
"$python" -B "$here/MAKE.py"
"$python" -B "$here/MAKE_LANGUAGE.py"
exec "$python" -B "$here/MAKE_FAMILIES.py" "$1"
