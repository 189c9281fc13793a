#!/bin/sh
# peers.sh BUILD [OPTION...]: times the peers and irrun on the same pools; options as in peers.py.
set -eu
here=$(dirname "$0")
python=$("$here/../venv.sh" "$here/../../build/venv_peers" onnxruntime==1.31.1)
exec "$python" -B "$here/peers.py" "$@"
