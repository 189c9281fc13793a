#!/bin/sh
# needs_python.sh MODULE...: prints the interpreter that PYTHON names, or python3. If it lacks a module, says so and
# exits with 77, which skips the test.
set -eu
python=${PYTHON:-python3}
modules=$(echo "$*" | sed 's/ /, /g')
"$python" -c "import $modules" 2>/dev/null || {
  echo "skipped: $python does not import $modules; PYTHON=PROGRAM names one that does" >&2
  exit 77
}
echo "$python"
