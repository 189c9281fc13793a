#!/bin/sh
# llm.sh BUILD [OPTION...]: measures language models in OpenVINO and irrun; options are those of llm.py.
set -eu
here=$(dirname "$0")
python=$("$here/../venv.sh" "$here/../../build/venv")
exec "$python" -B "$here/llm.py" "$@"
