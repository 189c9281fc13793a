# Helpers for tests of the program: small models, and tensors that the program makes.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR" || return 1
  unset NO_COLOR
  export TERM=dumb
}

# irrun ARGUMENT...: runs the program and sets $status, $output, $lines and $stderr. Does as "run --separate-stderr" of
# bats, but starts fewer processes.
irrun() {
  output=$("$IRRUN" "$@" 2>"$BATS_TEST_TMPDIR/.stderr") && status=0 || status=$?
  # shellcheck disable=SC2034 # tests read $lines
  IFS=$'\n' read -d '' -r -a lines <<<"$output" || true
  read -d '' -r stderr <"$BATS_TEST_TMPDIR/.stderr" || true
}

# irrun_within KIB ARGUMENT...: runs irrun with an address space of KIB.
irrun_within() {
  status=0
  output=$(ulimit -v "$1" && "$IRRUN" "${@:2}" 2>"$BATS_TEST_TMPDIR/.stderr") || status=$?
  stderr=$(<"$BATS_TEST_TMPDIR/.stderr")
}

# ends STATUS: checks that the program ended with STATUS. Otherwise prints its output.
ends() {
  if [ "$status" -ne "$1" ]; then
    printf 'status %s, not %s\nstdout: %s\nstderr: %s\n' "$status" "$1" "$output" "$stderr"
    return 1
  fi
}

# says TEXT STREAM: checks that STREAM contains TEXT.
says() {
  case $2 in
  *"$1"*) ;;
  *)
    printf 'not said: %s\nbut: %s\n' "$1" "$2"
    return 1
    ;;
  esac
}

says_not() {
  case $2 in
  *"$1"*)
    printf 'said: %s\nin: %s\n' "$1" "$2"
    return 1
    ;;
  esac
}

# planted: writes good.xml, and bad.xml with a different pool in the middle.
planted() {
  cp "$IRRUN_SOURCE/models/networks/pool_mixer.xml" good.xml
  cp "$IRRUN_SOURCE/models/networks/pool_mixer.bin" good.bin
  cp good.bin bad.bin
  sed '388s/exclude-pad="true"/exclude-pad="false"/' good.xml >bad.xml
}

# converts LINE ARGUMENT...: checks that a conversion ends with status 0 and prints LINE.
converts() {
  local expected=$1
  shift
  irrun --convert "$@"
  ends 0
  diff - <(echo "$output") <<<"$expected"
}

# folder_holds NAME...: checks that the test's folder has exactly these entries, apart from hidden files.
folder_holds() {
  diff <(printf '%s\n' "$@") <(LC_ALL=C ls)
}

# same_run MODEL OTHER ARGUMENT...: checks that both models give the same bytes.
same_run() {
  irrun "$1" -q "${@:3}" --output one.npz
  ends 0
  irrun "$2" -q "${@:3}" --output two.npz
  ends 0
  cmp one.npz two.npz
}

# chain_layers ID NAME KERNEL OUT [DECLARED]: prints three layers x -> pool -> y with the ids ID, ID+1 and ID+2. Names
# begin with NAME. The pool's output has OUT rows and columns; its port declares DECLARED.
chain_layers() {
  local id=$1 name=$2 kernel=$3 out=$4 declared=${5:-$4}
  cat <<EOF
    <layer id="$id" name="${name}x" type="Parameter" version="opset1">
      <data shape="1,1,4,4" element_type="f32"/>
      <output><port id="0" precision="FP32"><dim>1</dim><dim>1</dim><dim>4</dim><dim>4</dim></port></output>
    </layer>
    <layer id="$((id + 1))" name="${name}pool" type="AvgPool" version="opset1">
      <data kernel="$kernel,$kernel" strides="$kernel,$kernel" pads_begin="0,0" pads_end="0,0" exclude-pad="true"/>
      <input><port id="0" precision="FP32"><dim>1</dim><dim>1</dim><dim>4</dim><dim>4</dim></port></input>
      <output><port id="1" precision="FP32"><dim>1</dim><dim>1</dim><dim>$declared</dim><dim>$declared</dim></port></output>
    </layer>
    <layer id="$((id + 2))" name="${name}y" type="Result" version="opset1">
      <input><port id="0" precision="FP32"><dim>1</dim><dim>1</dim><dim>$out</dim><dim>$out</dim></port></input>
    </layer>
EOF
}

chain_edges() {
  echo "    <edge from-layer=\"$1\" from-port=\"0\" to-layer=\"$(($1 + 1))\" to-port=\"0\"/>"
  echo "    <edge from-layer=\"$(($1 + 1))\" from-port=\"1\" to-layer=\"$(($1 + 2))\" to-port=\"0\"/>"
}

# pool_model FILE [KERNEL OUT DECLARED]: writes an average pool of f32[1,1,4,4].
pool_model() {
  {
    echo '<net name="pool" version="11">'
    echo '  <layers>'
    chain_layers 0 "" "${2:-2}" "${3:-2}" "${4:-${3:-2}}"
    echo '  </layers>'
    echo '  <edges>'
    chain_edges 0
    echo '  </edges>'
    echo '</net>'
  } >"$1"
}

# two_model FILE: writes a model of two pools, with inputs ax and bx and outputs ay and by.
two_model() {
  {
    echo '<net name="two" version="11"><layers>'
    chain_layers 0 a 2 2
    chain_layers 3 b 2 2
    echo '</layers><edges>'
    chain_edges 0
    chain_edges 3
    echo '</edges></net>'
  } >"$1"
}

# tensors: writes pool.xml; x.npy, which is f32[1,1,4,4] with 0 to 15; and y.npy, the pool's output 2.5, 4.5, 10.5,
# 12.5.
tensors() {
  pool_model pool.xml
  pool_model same.xml 1 4
  "$IRRUN" same.xml --fill iota -q --output x.npy
  "$IRRUN" pool.xml --input x.npy -q --output y.npy
}

# wide_model FILE DIMS: writes a model that computes the absolute values of x, which is f32[DIMS].
wide_model() {
  cat >"$1" <<EOF
<net name="wide" version="11">
  <layers>
    <layer id="0" name="x" type="Parameter" version="opset1">
      <data shape="$2" element_type="f32"/><output><port id="0" precision="FP32"/></output>
    </layer>
    <layer id="1" name="abs" type="Abs" version="opset1">
      <input><port id="0"/></input><output><port id="1" precision="FP32"/></output>
    </layer>
    <layer id="2" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
    <edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
  </edges>
</net>
EOF
}

# sums_model FILE: writes a model whose output `sum` adds up x over all steps, in the variable v. The output `same` is x.
sums_model() {
  local port='<port id="0" precision="FP32"/>' in='<input><port id="1"/></input>'
  cat >"$1" <<EOF
<net name="sums" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2" element_type="f32"/><output>$port</output></layer>
<layer id="1" name="before" type="ReadValue" version="opset6"><data variable_id="v" variable_type="f32" variable_shape="2"/><output>$port</output></layer>
<layer id="2" name="add" type="Add" version="opset1"><input><port id="1"/><port id="2"/></input><output>$port</output></layer>
<layer id="3" name="keep" type="Assign" version="opset6"><data variable_id="v"/>$in<output>$port</output></layer>
<layer id="4" name="sum" type="Result" version="opset1">$in</layer>
<layer id="5" name="same" type="Result" version="opset1">$in</layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="1"/><edge from-layer="1" from-port="0" to-layer="2" to-port="2"/>
<edge from-layer="2" from-port="0" to-layer="3" to-port="1"/><edge from-layer="2" from-port="0" to-layer="4" to-port="1"/>
<edge from-layer="0" from-port="0" to-layer="5" to-port="1"/></edges></net>
EOF
}
