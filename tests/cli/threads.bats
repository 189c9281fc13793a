# --threads: results are the same bytes for any number.
load helpers

# relu_model FILE: a million elements, so that threads are worth it.
relu_model() {
  cat >"$1" <<'EOF'
<net name="relu" version="11">
  <layers>
    <layer id="0" name="x" type="Parameter" version="opset1">
      <data shape="1000,1001" element_type="f32"/><output><port id="0" precision="FP32"/></output>
    </layer>
    <layer id="1" name="relu" type="ReLU" version="opset1">
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

@test "--threads: the same bytes for any number, and without one" {
  relu_model relu.xml
  irrun relu.xml -q --fill=-1..1:3 --output y.npy
  ends 0
  for threads in 1 2 7 256; do
    irrun relu.xml -q --fill=-1..1:3 --threads "$threads" --output other.npy
    ends 0
    cmp y.npy other.npy
  done
}

@test "--threads: a small model, and one that is at fault" {
  tensors
  irrun pool.xml -q --input x.npy --threads 4 --expect y.npy
  ends 0
  irrun nowhere.xml --threads 4
  ends 6
}
