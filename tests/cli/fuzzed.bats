# Models that fuzzing found: each once crashed irrun, or passed a check that it should not pass.
load helpers
load bodies

@test "what follows from an allowed declaration is an error: --allow does not hide an op's refusal" {
  cat >allowed.xml <<'EOF'
<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="3,4" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>5</dim><dim>4</dim></port></output></layer>
<layer id="1" name="y" type="Parameter" version="opset1"><data shape="5,4" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>5</dim><dim>4</dim></port></output></layer>
<layer id="2" name="s" type="Add" version="opset1"><input><port id="0" precision="FP32"><dim>5</dim><dim>4</dim></port>
<port id="1" precision="FP32"><dim>5</dim><dim>4</dim></port></input>
<output><port id="2" precision="FP32"><dim>5</dim><dim>4</dim></port></output></layer>
<layer id="3" name="r" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>5</dim><dim>4</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></net>
EOF
  irrun --check-shapes --allow=IR301 allowed.xml
  ends 3
  says "IR316" "$stderr"
  irrun --fill=ones --allow=IR301 allowed.xml
  ends 3
}

@test "NonZero of a constant whose type irrun cannot compute with is checked" {
  cat >narrow.xml <<'EOF'
<net name="m" version="11"><layers>
<layer id="0" name="c" type="Const" version="opset1"><data element_type="f8e8m0" shape="3" offset="0" size="3"/>
<output><port id="0" precision="F8E8M0"><dim>3</dim></port></output></layer>
<layer id="1" name="n" type="NonZero" version="opset3"><data output_type="i64"/>
<input><port id="0" precision="F8E8M0"><dim>3</dim></port></input>
<output><port id="1" precision="I64"><dim>1</dim><dim>-1</dim></port></output></layer>
<layer id="2" name="r" type="Result" version="opset1"><input><port id="0" precision="I64"><dim>1</dim><dim>-1</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>
EOF
  printf 'abc' >narrow.bin
  irrun --check-shapes narrow.xml
  ends 0
  says "i64[1,0..3]" "$output"
  irrun narrow.xml
  ends 4
  says "irrun does not compute with elements of type f8e8m0" "$stderr"
}

@test "a run says why it fails, although IR210 is allowed" {
  cat >interp.xml <<'EOF'
<net name="m" version="5" batch="1"><layers>
<layer id="0" name="x" type="Input" precision="FP32"><output><port id="0"><dim>1</dim><dim>3</dim><dim>6</dim><dim>5</dim></port></output></layer>
<layer id="1" name="y" type="Interp" precision="FP32"><data align_corners="0" height="0" width="0" pad_beg="0" pad_end="1" factor="2.0"/>
<input><port id="0"><dim>1</dim><dim>3</dim><dim>6</dim><dim>5</dim></port></input>
<output><port id="1"><dim>1</dim><dim>3</dim><dim>12</dim><dim>10</dim></port></output></layer></layers>
<edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>
EOF
  irrun --fill=ones --allow=IR210 interp.xml
  ends 4
  says "pad_beg or pad_end is positive" "$stderr"
}

@test "an edit of a layer without its output port is refused" {
  pool_model portless.xml
  sed -i '0,/<output>/s//<unknown>/; 0,/<\/output>/s//<\/unknown>/' portless.xml
  irrun --edit 'x: u8' portless.xml -o out.xml
  ends 2
  says "has 0 of its op's 1 output ports" "$stderr"
}

@test "a cut at a layer without its output port is refused" {
  cat >portless.xml <<EOF
<net name="m" version="11"><layers>$(parameter 0 x 4 f32)$(layer 1 relu ReLU-1 "" 1)</layers>$(edges 0:0-1:0)</net>
EOF
  irrun --cut relu portless.xml -o out.xml
  ends 2
  says "cannot cut 'relu': the file leaves out an output port of this layer" "$stderr"
}

@test "layers are added to a model that has the largest id" {
  pool_model large.xml
  sed -i 's/id="0" name="x"/id="9223372036854775807" name="x"/; s/from-layer="0"/from-layer="9223372036854775807"/' large.xml
  irrun --edit 'x: u8' large.xml -o out.xml
  ends 0
  irrun --check-shapes -q out.xml
  ends 0
}

@test "a layer without its inputs has no contents and no ranges" {
  local op
  for op in SoftMax ReduceProd; do
    cat >empty.xml <<EOF
<net name="m" version="11"><layers>
<layer id="0" name="x" type="$op" version="opset1"><data axis="0" keep_dims="true"/>
<output><port id="0" precision="I32"><dim>2</dim></port></output></layer>
<layer id="1" name="e" type="Reshape" version="opset1"><data special_zero="false"/>
<input><port id="0" precision="I32"><dim>2</dim></port><port id="1" precision="I32"><dim>2</dim></port></input>
<output><port id="2" precision="I32"><dim>1</dim><dim>2</dim></port></output></layer>
<layer id="2" name="r" type="Result" version="opset1"><input><port id="0" precision="I32"><dim>1</dim><dim>2</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="0" from-port="0" to-layer="1" to-port="1"/>
<edge from-layer="1" from-port="2" to-layer="2" to-port="0"/></edges></net>
EOF
    irrun --check-shapes empty.xml
    ends 3
    says "IR110" "$stderr"
  done
}

@test "a TensorIterator that feeds itself is a cycle" {
  cat >cycle.xml <<'EOF'
<net name="m" version="11"><layers>
<layer id="1" name="t" type="TensorIterator" version="opset1"><port_map>
<input axis="0" external_port_id="0" internal_layer_id="0" start="0" end="-1" stride="1" part_size="1"/>
<output axis="0" external_port_id="1" internal_layer_id="1" start="0" end="-1" stride="1" part_size="1"/></port_map>
<input><port id="0" precision="FP32"><dim>1</dim></port></input>
<output><port id="1" precision="FP32"><dim>1</dim></port></output><body><layers>
<layer id="0" name="p" type="Parameter" version="opset1"><data shape="1" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>1</dim></port></output></layer>
<layer id="1" name="q" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>1</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></body></layer>
<layer id="2" name="r" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>1</dim></port></input></layer>
</layers><edges><edge from-layer="1" from-port="1" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>
EOF
  irrun --check-shapes cycle.xml
  ends 3
  says "IR107" "$stderr"
}

@test "nothing is concluded from inputs that an op refuses" {
  # by the allowed declarations, Mod's inputs fit; by their shapes, they do not
  cat >mod.xml <<'EOF'
<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="0" element_type="i64"/>
<output><port id="0" precision="I64"><dim>4</dim></port></output></layer>
<layer id="1" name="c" type="Const" version="opset1"><data element_type="i64" shape="4" offset="0" size="32"/>
<output><port id="0" precision="I64"><dim>4</dim></port></output></layer>
<layer id="2" name="mod" type="Mod" version="opset1"><data auto_broadcast="numpy"/>
<input><port id="0" precision="I64"><dim>4</dim></port><port id="1" precision="I64"><dim>4</dim></port></input>
<output><port id="2" precision="I64"><dim>4</dim></port></output></layer>
<layer id="3" name="z" type="NoSuchOp" version="opset1">
<output><port id="0" precision="I64"><dim>4</dim></port></output></layer>
<layer id="4" name="y" type="Reshape" version="opset1"><data special_zero="true"/>
<input><port id="0" precision="I64"><dim>4</dim></port><port id="1" precision="I64"><dim>4</dim></port></input>
<output><port id="2" precision="I64"><dim>-1</dim><dim>-1</dim><dim>-1</dim><dim>-1</dim></port></output></layer>
<layer id="5" name="r" type="Result" version="opset1"><input><port id="0" precision="I64">
<dim>-1</dim><dim>-1</dim><dim>-1</dim><dim>-1</dim></port></input></layer>
</layers><edges><edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="0" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="3" from-port="0" to-layer="4" to-port="0"/>
<edge from-layer="2" from-port="2" to-layer="4" to-port="1"/>
<edge from-layer="4" from-port="2" to-layer="5" to-port="0"/></edges></net>
EOF
  head -c 32 /dev/zero >mod.bin
  irrun --check-shapes mod.xml --allow=IR301
  ends 3
  says "IR201" "$stderr"
}

@test "--allow=IR306 does not allow booleans as axes" {
  cat >reverse.xml <<EOF
<net name="m" version="11"><layers>$(parameter 0 x 7 f32)$(parameter 1 axes 1 boolean)
$(layer 2 op Reverse-1 'mode="index"' 2 FP32)$(result 3 y)</layers>$(edges 0:0-2:0 1:0-2:1 2:2-3:0)</net>
EOF
  irrun reverse.xml --fill=ones --allow=IR306
  ends 3
  says "error: 'axis' is boolean; mode=\"index\" takes integers [IR306" "$stderr"
}
