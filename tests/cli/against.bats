# Tests --against: a peer gives the expected values of all layers.
load helpers

# a_python SCRIPT: makes the program python, a shell script in the place of Python.
a_python() {
  printf '#!/bin/sh\n%s\n' "$1" >python
  chmod +x python
  export PYTHON=$PWD/python
}

@test "--against another model: the first layer that diverges is named, and no file is left" {
  planted
  mkdir tmp
  TMPDIR=$PWD/tmp irrun bad.xml --fill random --against good.xml
  ends 1
  says "bad.xml:387:5: error: layer 'stages.2/blocks.0/token_mixer/pool' diverges in " "$stderr"
  says " of 'good.xml:stages.2/blocks.0/token_mixer/pool' [IR608 layer-diverges]" "$stderr"
  says "'stages.2/blocks.0/token_mixer/pool' is the first that diverges" "${lines[-1]}"
  [ -z "$(ls tmp)" ]
  irrun bad.xml --fill random --against good.xml --isolate
  says ": 1 of 64 tensors differ" "${lines[-1]}"
  irrun bad.xml --fill random --against good.xml --json
  ends 1
  says 'expected 0.548259497 of '"'good.xml:stages.2/blocks.0/token_mixer/pool'" "$output"
}

@test "--against another model: layers that an exporter numbered anew are paired, inputs by name or number" {
  planted
  sed 's|name="stages.2/blocks.0/add"|name="Add_1"|' good.xml >one.xml
  sed 's|name="stages.2/blocks.0/add"|name="Add_27"|; s|name="image"|name="data"|' bad.xml >other.xml
  cp good.bin one.bin
  cp good.bin other.bin
  irrun one.xml --fill random --against other.xml
  ends 1
  says " 47  Add_1 " "$output"
  irrun one.xml --input 1,2 --against other.xml
  ends 5
}

@test "--against: faults of the other model are faults" {
  planted
  irrun good.xml --fill random --against none.xml
  ends 6
  says "none.xml" "$stderr"
  sed 's/kernel="3,3"/kernel="0,3"/' good.xml >faulty.xml
  irrun good.xml --fill random --against faulty.xml
  ends 3
  says "faulty.xml:" "$stderr"
}

@test "--against openvino: Python is missing, or its script fails" {
  pool_model a.xml
  PYTHON=/nowhere/python irrun a.xml --fill iota --against openvino
  ends 6
  says "error: --against needs Python: '/nowhere/python' does not start: No such file or directory [IR704" "$stderr"
  says "hint: name a Python" "$stderr"
  a_python 'echo Traceback; echo "ModuleNotFoundError: No module named openvino" >&2; exit 1'
  irrun a.xml --fill iota --against openvino
  ends 6
  says "error: 'openvino' did not run: ModuleNotFoundError: No module named openvino [IR704" "$stderr"
  a_python 'kill -9 $$'
  touch m.onnx
  irrun a.xml --fill iota --against m.onnx
  ends 6
  says "error: 'm.onnx' did not run: Python ended without a message" "$stderr"
}

@test "--against openvino: the script gets the model, the inputs and the weights, and its results are expected" {
  pool_model a.xml
  touch w.bin
  "$IRRUN" a.xml --fill iota -q --save-all all.npz >/dev/null
  a_python 'echo "$3 $6" >words; cp "$4" given.npz; cp all.npz "$5"; echo "left out: 1"'
  irrun a.xml --fill iota --weights w.bin --against openvino
  ends 0
  says "a.xml: " "${lines[-1]}"
  says "tensors match" "${lines[-1]}"
  says_not "left out" "$stderr"
  [ "$(<words)" = "a.xml w.bin" ]
  irrun a.xml --input given.npz --against openvino -v
  ends 0
  says "left out: 1" "$stderr"
  a_python 'cp all.npz "$5"; printf "::error::\033[31mred\n"'
  irrun a.xml --fill iota --weights w.bin --against openvino -v
  says '\x3a:error::\x1b[31mred' "$stderr"
}

@test "--against: the default tolerance is a share of the largest element" {
  pool_model a.xml
  "$IRRUN" a.xml --fill 1000000 -q -o y.npz >/dev/null
  a_python 'cp y.npz "$5"'
  irrun a.xml --fill 1000010 --against openvino
  ends 0
  says "atol 100  rtol 1e-05  (not the defaults)" "$output"
  irrun a.xml --fill 1001000 --against openvino
  ends 1
  irrun a.xml --fill 1000010 --against openvino --atol 0 --rtol 0
  ends 1
}

@test "--against: options that contradict it" {
  pool_model a.xml
  irrun a.xml --against openvino --expect y.npz --load-state s.npz
  ends 2
  says "'--against' cannot be combined with '--expect'" "$stderr"
  says "'--against' cannot be combined with '--load-state'" "$stderr"
  irrun --check-shapes a.xml --against openvino
  ends 2
}

# leaves_nothing STATUS TEXT ARGUMENT...: checks how irrun ends, what it says, and that no temporary file stays.
leaves_nothing() {
  mkdir -p tmp
  TMPDIR=$PWD/tmp irrun "${@:3}"
  ends "$1"
  says "$2" "$stderr"
  says_not tmp "$stderr"
  [ -z "$(ls tmp)" ]
}

@test "--against: a peer that fails, says rubbish or writes nothing leaves no file, and no message names one" {
  pool_model a.xml
  touch m.onnx
  local peer
  for peer in openvino m.onnx; do
    a_python 'echo rubbish; echo "the reason" >&2; exit 1'
    leaves_nothing 6 "error: '$peer' did not run: the reason [IR704" a.xml --fill iota --against $peer
    a_python 'echo rubbish'
    leaves_nothing 6 "error: '$peer' gave no results: cannot read: No such file or directory [IR704" \
      a.xml --fill iota --against $peer
    says "hint: it said: rubbish" "$stderr"
    a_python 'echo trash >"$5"'
    leaves_nothing 6 "error: '$peer' gave no results: " a.xml --fill iota --against $peer
    a_python 'head -c 100 "$4" >"$5"'
    leaves_nothing 6 "error: '$peer' gave no results: " a.xml --fill iota --against $peer
  done
  leaves_nothing 6 "did you mean 'openvino'?" a.xml --fill iota --against openvin
  leaves_nothing 6 "none.onnx: error: cannot read the model: No such file or directory [IR701" \
    a.xml --fill iota --against none.onnx
  sed 's/<dim>4</<dim>5</g; s/1,1,4,4/1,1,5,5/' "$IRRUN_SOURCE/models/demo/pool.xml" >five.xml
  leaves_nothing 5 "five.xml: error: the tensor for input 'x' has shape [1,1,4,4], expected [1,1,5,5] [IR503" \
    "$IRRUN_SOURCE/models/demo/pool.xml" --fill iota --against five.xml
  irrun - --fill iota --against - <a.xml
  ends 2
  says "'MODEL' and '--against' both read stdin" "$stderr"
}

@test "--against: a signal ends the peer too, and no file stays" {
  pool_model a.xml
  mkdir tmp
  a_python 'echo $$ >started; exec sleep 100' # a file that the sandbox would not let it write
  local number irrun_id
  for number in INT TERM HUP; do
    TMPDIR=$PWD/tmp env --default-signal=INT,HUP "$IRRUN" --no-sandbox a.xml --fill iota --against openvino &
    irrun_id=$!
    until [ -s started ]; do sleep 0.05; done
    kill -s $number $irrun_id
    wait $irrun_id && status=0 || status=$?
    ends $((128 + $(kill -l $number)))
    run ! kill -0 "$(<started)"
    [ -z "$(ls tmp)" ]
    rm started
  done
}

@test "--against: a signal that arrives while the peer starts ends the peer, too" {
  [ -n "${SLOW_SPAWN:-}" ] || skip "sanitizers have to be the first library"
  pool_model a.xml
  mkdir tmp
  a_python 'unset LD_PRELOAD; echo $$ >started; kill -HUP $PPID; exec sleep 100'
  env --default-signal=HUP TMPDIR="$PWD/tmp" LD_PRELOAD="$SLOW_SPAWN" "$IRRUN" --no-sandbox a.xml --fill iota --against openvino && status=0 || status=$?
  ends $((128 + $(kill -l HUP)))
  run ! kill -0 "$(<started)"
  [ -z "$(ls tmp)" ]
}
