# The most memory that a run takes: the program itself, and the tensors that have to be there at once.
load helpers

MIB=1024 # in KiB, as /usr/bin/time counts

# measurable: the test is skipped where the peak tells nothing.
measurable() {
  if [ -n "$IRRUN_SANITIZE" ]; then
    skip "a sanitizer takes memory of its own"
  elif ! /usr/bin/time -f %M true 2>/dev/null; then
    skip "there is no GNU time"
  fi
}

# peaks ARGUMENT...: the peak memory of five runs, sorted: libraries are not mapped alike each time.
peaks() {
  for _ in 1 2 3 4 5; do
    /usr/bin/time -f %M -o peak "$IRRUN" "$@" >out
    cat peak
  done | sort -n
}

# takes KIB ARGUMENT...: no more than that beside the program itself, and 1 MiB.
takes() {
  local program peak
  program=$(peaks --version | tail -n 1)
  peak=$(peaks "${@:2}" | head -n 1)
  echo "peak $peak KiB, the program $program KiB, allowed $1 KiB and 1 MiB"
  [ "$peak" -le $((program + $1 + MIB)) ]
}

# chain FILE TYPE DATA N: x, of 16 MiB, through N layers of a type.
chain() {
  local i
  {
    echo '<net name="chain" version="11"><layers><layer id="0" name="x" type="Parameter" version="opset1">'
    echo '<data shape="1,4,1024,1024" element_type="f32"/><output><port id="0" precision="FP32"/></output></layer>'
    for ((i = 1; i <= $4; i++)); do
      echo "<layer id=\"$i\" name=\"l$i\" type=\"$2\" version=\"opset1\">$3<input><port id=\"0\"/></input>"
      echo '<output><port id="0" precision="FP32"/></output></layer>'
    done
    echo "<layer id=\"$i\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer>"
    echo '</layers><edges>'
    for ((i = 0; i <= $4; i++)); do
      echo "<edge from-layer=\"$i\" from-port=\"0\" to-layer=\"$((i + 1))\" to-port=\"0\"/>"
    done
    echo '</edges></net>'
  } >"$1"
}

@test "a pool takes its input and its output" {
  measurable
  chain pool.xml AvgPool '<data kernel="1,1" strides="1,1" pads_begin="0,0" pads_end="0,0" exclude-pad="true"/>' 1
  "$IRRUN" pool.xml --fill iota -q --output x.npy
  takes $((32 * MIB)) pool.xml --input x.npy -q --output y.npy
}

@test "a chain takes two of its tensors" {
  measurable
  chain chain.xml ReLU "" 8
  "$IRRUN" chain.xml --fill iota -q --output x.npy
  takes $((32 * MIB * 105 / 100)) chain.xml --input x.npy -q --output y.npy
  cmp x.npy y.npy
}

@test "a layer that only changes the shape takes nothing" {
  measurable
  chain squeeze.xml Squeeze "" 1
  "$IRRUN" squeeze.xml --fill iota -q --output y.npy
  chain same.xml ReLU "" 1
  "$IRRUN" same.xml --fill iota -q --output x.npy
  takes $((16 * MIB)) squeeze.xml --input x.npy -q --output z.npy
  cmp y.npy z.npy
}
