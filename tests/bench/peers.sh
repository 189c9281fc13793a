#!/bin/sh
# peers.sh BUILD [OPTION...]: measures other runtimes and irrun on the same pools. Options are those of peers.py.
set -eu
here=$(dirname "$0")
python=$("$here/../venv.sh" "$here/../../build/venv_peers" onnxruntime==1.31.1)
exec "$python" -B "$here/peers.py" "$@"
