#!/bin/sh
# newest.sh IRRUN: installs the newest release of OpenVINO, and lists its ops and inputs that irrun lacks (newest.py).
set -eu
here=$(dirname "$0")
venv=$here/../../build/newest
[ -d "$venv" ] || "${PYTHON:-python3}" -m venv "$venv" >&2
"$venv/bin/pip" install --quiet --disable-pip-version-check --upgrade openvino >&2
exec "$venv/bin/python" -B "$here/newest.py" "$1"
