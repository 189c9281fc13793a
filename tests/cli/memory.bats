# Tests the peak memory of a run, which should be that of the program and of the tensors that live at the same time.
load helpers

MIB=1024 # 1 MiB in KiB, the unit of /usr/bin/time

# measurable: makes by_pages, a copy of the program, or skips the test if peaks would be meaningless.
# Linux 6.18 and later maps the cached part of a file in large pieces. After linking, a piece can be the whole program.
# The copy is written page by page, so that each piece is one page.
measurable() {
  if [ -n "$IRRUN_SANITIZE" ]; then
    skip "a sanitizer takes memory of its own"
  elif ! /usr/bin/time -f %M true 2>/dev/null; then
    skip "there is no GNU time"
  fi
  dd if="$IRRUN" of=by_pages bs=4096 status=none
  chmod +x by_pages
}

# peaks ARGUMENT...: prints the peak memory of nine runs in KiB, sorted. It varies, because libraries are mapped
# differently each time.
peaks() {
  for _ in 1 2 3 4 5 6 7 8 9; do
    /usr/bin/time -f %M -o peak ./by_pages "$@" >out
    cat peak
  done | sort -n
}

# takes KIB ARGUMENT...: checks that the run takes at most KIB + 1 MiB more than `irrun --version`.
takes() {
  local program peak
  program=$(peaks --version | tail -n 1)
  peak=$(peaks "${@:2}" | head -n 1)
  echo "peak $peak KiB, the program $program KiB, allowed $1 KiB and 1 MiB"
  [ "$peak" -le $((program + $1 + MIB)) ]
}

# chain FILE TYPE DATA N: writes a chain of N layers of TYPE after x, which has 16 MiB.
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

# pool ELEMENT PRECISION SHAPE LAYER [INDICES]: writes pool.xml with an input x of SHAPE. LAYER is the pool's opening
# tag and <data>. If INDICES is given, the pool has a second output of that precision.
pool() {
  local precision outputs="" results="" edges="" id=2
  for precision in $2 $5; do
    outputs+="<port id=\"$id\" precision=\"$precision\"/>"
    results+="<layer id=\"$id\" name=\"y$id\" type=\"Result\" version=\"opset1\">"
    results+="<input><port id=\"0\" precision=\"$precision\"/></input></layer>"
    edges+="<edge from-layer=\"1\" from-port=\"$id\" to-layer=\"$id\" to-port=\"0\"/>"
    id=$((id + 1))
  done
  cat >pool.xml <<EOF
<net name="pool" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="$3" element_type="$1"/>
<output><port id="0" precision="$2"/></output></layer>
<layer id="1" name="pool" $4<input><port id="0" precision="$2"/></input><output>$outputs</output></layer>
$results</layers>
<edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>$edges</edges></net>
EOF
}

# holds ELEMENT SHAPE LAYER [INDICES]: checks that the pool takes at most its input, its outputs and 1 MiB, with one
# thread and with two.
holds() {
  local precision=I${1#i} bytes=$((${1#?} / 8)) dim threads
  [[ $1 != f* ]] || precision=FP${1#f}
  for dim in ${2//,/ }; do
    bytes=$((bytes * dim))
  done
  pool "$1" "$precision" "$2" "$3" "$4"
  head -c "$bytes" /dev/zero >x.raw
  "$IRRUN" pool.xml --input x.raw -q --output y.npz
  bytes=$((bytes + $(wc -c <y.npz)))
  for threads in 1 2; do
    echo "$1 [$2] $3 by $threads threads"
    takes $((bytes / 1024)) pool.xml --input x.raw -q --threads "$threads" --output y.npz
  done
}

# window KERNEL STRIDE PAD: prints the attributes of a pool. Each argument has one number for each spatial axis.
window() {
  echo "kernel=\"$1\" strides=\"$2\" pads_begin=\"$3\" pads_end=\"$3\""
}

average() {
  echo "type=\"AvgPool\" version=\"opset1\"><data $(window "$@") exclude-pad=\"true\"/>"
}

maximum() {
  echo "type=\"MaxPool\" version=\"opset1\"><data $(window "$@")/>"
}

indices() {
  echo "type=\"MaxPool\" version=\"opset8\"><data $(window "$@") index_element_type=\"i32\"/>"
}

@test "a small pool takes next to nothing" {
  measurable
  for element in f32 f16 f64 i8 i32; do
    holds "$element" 1,1,4,4 "$(average 2,2 2,2 0,0)"
    holds "$element" 1,1,4,4 "$(maximum 2,2 2,2 0,0)"
    holds "$element" 1,1,4,4 "$(indices 2,2 2,2 0,0)" I32
  done
}

@test "the number of windows takes nothing" {
  measurable
  for element in f32 f64; do
    holds "$element" 1,1,1000000 "$(average 3 1 1)"
    holds "$element" 1,1,1000000 "$(maximum 3 1 1)"
    holds "$element" 1,1,1000000 "$(indices 3 1 1)" I32
    holds "$element" 1,1,64000,16 "$(average 3,3 1,1 1,1)"
    holds "$element" 1,1,4,250000 "$(average 3,3 1,1 1,1)"
  done
}

@test "long windows take little" {
  measurable
  for element in f32 f64; do
    holds "$element" 1,4,256,256 "$(average 31,31 1,1 15,15)"
    holds "$element" 1,4,256,256 "$(maximum 31,31 1,1 15,15)"
    holds "$element" 1,1,1000000 "$(average 255 1 127)"
  done
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

# branches FILE N: writes a model that adds, N times, a tensor and a function of the same tensor. x has 16 MiB.
branches() {
  local i a at=0
  local from="0\" from-port=\"0" edges="" port='precision="FP32"/>'
  {
    echo '<net name="branches" version="11"><layers><layer id="0" name="x" type="Parameter" version="opset1">'
    echo "<data shape=\"1,4,1024,1024\" element_type=\"f32\"/><output><port id=\"0\" $port</output></layer>"
    for ((i = 0; i < $2; i++)); do
      a=$((at + 1))
      for id in $a $((a + 1)); do
        echo "<layer id=\"$id\" name=\"l$id\" type=\"ReLU\" version=\"opset1\"><input><port id=\"0\" $port</input>"
        echo "<output><port id=\"1\" $port</output></layer>"
      done
      at=$((a + 2))
      echo "<layer id=\"$at\" name=\"l$at\" type=\"Add\" version=\"opset1\"><input><port id=\"0\" $port<port id=\"2\" $port</input>"
      echo "<output><port id=\"1\" $port</output></layer>"
      edges+="<edge from-layer=\"$from\" to-layer=\"$a\" to-port=\"0\"/>"
      edges+="<edge from-layer=\"$a\" from-port=\"1\" to-layer=\"$((a + 1))\" to-port=\"0\"/>"
      edges+="<edge from-layer=\"$a\" from-port=\"1\" to-layer=\"$at\" to-port=\"0\"/>"
      edges+="<edge from-layer=\"$((a + 1))\" from-port=\"1\" to-layer=\"$at\" to-port=\"2\"/>"
      from="$at\" from-port=\"1"
    done
    echo "<layer id=\"$((at + 1))\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\" $port</input></layer>"
    echo "</layers><edges>$edges<edge from-layer=\"$from\" to-layer=\"$((at + 1))\" to-port=\"0\"/></edges></net>"
  } >"$1"
}

@test "branches take what lives at once" {
  measurable
  branches branches.xml 4
  "$IRRUN" branches.xml --fill iota -q --output x.npy
  takes $((48 * MIB * 105 / 100)) branches.xml --input x.npy -q --output y.npy
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
