# Tests --stats. unit.stats_test compares the numbers with plain sums.
load helpers

@test "--stats prints the results of layers, the odd ones first, without those of constants" {
  irrun "$IRRUN_SOURCE/models/networks/lp_pool.xml" -q --fill 3e38 --stats
  ends 0
  diff - <(tail -n +2 <<<"$output") <<'EOF'
 tensor   value           min   mean    max  std   0.1..99.9 %
 power    f32[1,2,5,5]                                          50 inf
 average  f32[1,2,4,4]                                          32 inf
 sum      f32[1,2,4,4]                                          32 inf
 root     f32[1,2,4,4]                                          32 inf
 x        f32[1,2,5,5]  3e+38  3e+38  3e+38    0  3e+38..3e+38  50 overflow f16, all equal
 abs      f32[1,2,5,5]  3e+38  3e+38  3e+38    0  3e+38..3e+38  50 overflow f16, all equal
EOF
  irrun "$IRRUN_SOURCE/models/networks/pool_mixer.xml" -q --fill random --stats
  says "; -v lists them" "$output"
  irrun "$IRRUN_SOURCE/models/networks/pool_mixer.xml" --fill random --stats -v
  says_not "; -v lists them" "$output"
  says "percent of each tenth:" "$output"
}

@test "--stats sums over all steps" {
  model=$IRRUN_SOURCE/models/demo/pool.xml
  irrun "$model" --stats --fill 1 --step --fill 5 --step --fill 3
  ends 0
  says " x       f32[1,1,4,4]    1     3    5  1.633         1..5" "$output"
  irrun "$model" --stats --json --fill 1 --step --fill 5
  says '"tensors":	2' "$output"
  says '"finite":	32' "$output"
  says '"std":	2,' "$output"
  irrun "$model" --stats
  ends 5
}

@test "--stats shows the layers of bodies, over all iterations" {
  irrun "$IRRUN_SOURCE/tests/golden/families/infrastructure.xml" -v --fill random:1 --stats --save-all all.npz
  ends 0
  says " Loop-5.0.37 > Loop-5.0.37.1                      i64[1]              0     0.5       1     0.5 " "$output"
  says " TensorIterator-1.0.59 > TensorIterator-1.0.59.2  f32[2,1,8] " "$output"
  grep -qa Loop-5.0.37.1.npy all.npz
  [ "$(grep -ca Loop-5.0.37.3.npy all.npz)" = 0 ] # a layer of the body
}

@test "--check-shapes --stats prints constants, FakeQuantize and weights, without inputs" {
  irrun --check-shapes --stats -q "$IRRUN_SOURCE/models/networks/global_pools.xml"
  ends 0
  diff - <(head -n 5 <<<"$output") <<'EOF'
 tensor  value      min  mean  max     std    0.1..99.9 %
 order   i64[4]       0   1.5    3   1.118   0.003..2.997  25 % zeros, 4 different
 axes    i64[2]      -1   0.5    2     1.5  -0.997..1.997  2 different
 last    i64[1]      -1    -1   -1       0         -1..-1
 bias    f32[3,1]  -0.5     0  0.5  0.4082  -0.499..0.499  33 % zeros
EOF
  model=$(grep -l FakeQuantize "$IRRUN_SOURCE"/tests/golden/*/*.xml | head -n 1)
  irrun --check-shapes --stats -q "$model"
  says "FakeQuantize" "$output"
  irrun --check-shapes --stats --json "$model"
  says '"levels":' "$output"
}

@test "--check-shapes --stats prints the types, scales and shifts of FakeConvert" {
  numbers='<port id="1" precision="FP32"><dim>1</dim><dim>3</dim></port>'
  cat >convert.xml <<EOF
<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2,3" element_type="f32"/><output><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="1" name="scale" type="Const" version="opset1"><data element_type="f32" shape="1,3" offset="0" size="12"/><output>${numbers/id=\"1\"/id=\"0\"}</output></layer>
<layer id="2" name="shift" type="Const" version="opset1"><data element_type="f32" shape="1,3" offset="12" size="12"/><output>${numbers/id=\"1\"/id=\"0\"}</output></layer>
<layer id="3" name="eight" type="FakeConvert" version="opset13"><data destination_type="f8e4m3"/><input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port>$numbers${numbers/id=\"1\"/id=\"2\"}</input><output><port id="3" precision="FP32"><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="4" name="y" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="3" to-port="0"/><edge from-layer="1" from-port="0" to-layer="3" to-port="1"/><edge from-layer="2" from-port="0" to-layer="3" to-port="2"/><edge from-layer="3" from-port="3" to-layer="4" to-port="0"/></edges></net>
EOF
  printf '\x00\x00\x00\x3f\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x80\xbf\x00\x00\x00\x00\x00\x00\x80\x3f' >convert.bin # 0.5, 1, 2; -1, 0, 1
  irrun --check-shapes --stats -q convert.xml
  ends 0
  says " FakeConvert  destination_type   scale  shift  scales" "$output"
  says " eight                  f8e4m3  0.5..2  -1..1       3" "$output"
  irrun --check-shapes --stats --json convert.xml
  says '"destination_type":	"f8e4m3"' "$output"
  says '"shift":	[-1, 1]' "$output"
  irrun --check-shapes --stats -q "$IRRUN_SOURCE/tests/golden/families/quantization.xml"
  says "not constant" "$output"
}

@test "--test prints --stats of each case, and fails below --fail-below" {
  mkdir -p cases/pool/test_data_set_0
  cp "$IRRUN_SOURCE/models/demo/pool.xml" cases
  cp "$IRRUN_SOURCE/models/demo/x.npy" cases/pool/test_data_set_0/input_0.npy
  "$IRRUN" --test --update cases -q
  irrun --test --stats --fail-below cosine=0.9 cases
  ends 0
  says "    pool    f32[1,1,3,3]    0   7.5   15  5.05 " "$output"
  sed -i 's/exclude-pad="true"/exclude-pad="false"/' cases/pool.xml
  irrun --test --stats --fail-below cosine=0.89 cases
  ends 0
  says "    pool    f32[1,1,3,3]    0  3.333  7.5 " "$output"
  irrun --test -v --fail-below cosine=0.9 cases
  ends 1
  says "'y' has cosine 0.892085, below 0.9 of --fail-below" "$output"
  says "--fail-below 'cosine=0.9'" "$output"
  irrun --test -v --fail-above rel-l2=0.1 cases
  ends 1
  says "'y' has rel-l2 0." "$output"
  says "above 0.1 of --fail-above" "$output"
  says "--fail-above 'rel-l2=0.1'" "$output"
  irrun --test --stats --json cases
  says '"stats":	[{' "$output"
}

@test "--stats computes the numbers of numpy" {
  python=${PYTHON:-python3}
  "$python" -c 'import numpy' 2>/dev/null || skip "needs numpy for $python"
  "$IRRUN" "$IRRUN_SOURCE/models/networks/pool_mixer.xml" --fill random:7 -q --save-all all.npz --stats --json >report.json
  "$python" - <<'EOF'
import json
import numpy

rows = {row["name"]: row for row in json.load(open("report.json"))["models"][0]["stats"]}
arrays = numpy.load("all.npz")
assert len(rows) > 20 and set(rows) <= set(arrays.files)
for name, row in rows.items():
    x = arrays[name].astype(numpy.float64)
    low, high = numpy.percentile(x, [0.1, 99.9])
    assert row["min"] == x.min() and row["max"] == x.max() and row["finite"] == x.size
    assert row["zeros"] == (x == 0).sum()
    assert abs(row["mean"] - x.mean()) <= 1e-12 * abs(x).max()
    assert abs(row["std"] - x.std()) <= 1e-12 * abs(x).max()
    assert abs(row["low"] - low) <= abs(low) / 8 and abs(row["high"] - high) <= abs(high) / 8
    assert sum(count for _, _, count in row["histogram"]) == x.size
EOF
}

@test "bins of --stats hold their elements: none ends above the largest one" {
  cat >i32.xml <<'XML'
<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="3" element_type="i32"/><output><port id="0" precision="I32"><dim>3</dim></port></output></layer>
<layer id="1" name="y" type="Result" version="opset1"><input><port id="0" precision="I32"><dim>3</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>
XML
  irrun i32.xml --input=-2147483647,5,2147483647 --stats --json
  ends 0
  says '"histogram":	[[-2147483647, -2013265920, 1], [5, 5.5, 1], [2013265920, 2147483647, 1]]' "$output"
}
