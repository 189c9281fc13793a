#!/bin/sh
# mutants.sh WORK [OPTION...]: changes the sources in random places and counts the changes that a test notices. Options
# are those of mutants.py. The copy of the sources, its build and the results are kept in WORK.
set -eu
work=$1
here=$(dirname "$0")
python=$("$here/../venv.sh" "$work/venv" tree-sitter==0.26.1 tree-sitter-c==0.24.2)
exec "$python" -B "$here/mutants.py" "$@"
