# Tests edits by their names, and what edits do to names, attributes, outputs, layouts and rt_info.
load helpers

# relu INPUT OUTPUT [ATTRIBUTES [ATTRIBUTES]]: writes m.xml, a model of f32[2,3]: an input, a ReLU `r` and an output. The
# output ports of the input and of `r` have these attributes.
relu() {
  local dims='<dim>2</dim><dim>3</dim>'
  cat >m.xml <<EOF
<net name="relu" version="11"><layers>
<layer id="0" name="$1" type="Parameter" version="opset1"><data shape="2,3" element_type="f32"/><output><port id="0" precision="FP32" $3>$dims</port></output></layer>
<layer id="1" name="r" type="ReLU" version="opset1"><input><port id="0" precision="FP32">$dims</port></input><output><port id="1" precision="FP32" $4>$dims</port></output></layer>
<layer id="2" name="$2" type="Result" version="opset1"><input><port id="0" precision="FP32">$dims</port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>
EOF
}

# writes EDIT...: checks that the edits of m.xml write out.xml, which has no fault.
writes() {
  irrun m.xml -o out.xml "${@/#/--edit=}"
  ends 0
  [ -z "$stderr" ]
  irrun --check-shapes --strict -q out.xml
  ends 0
}

# refuses TEXT EDIT...: checks that the edits of m.xml are refused with TEXT, and that nothing is written.
refuses() {
  local text=$1
  shift
  rm -f out.xml
  irrun m.xml -o out.xml "${@/#/--edit=}"
  ends 2
  says "$text" "$stderr"
  [ ! -e out.xml ]
}

@test "names begin with the name of a kind" {
  local name
  for name in input input:0 output tensor:0 layer model:0 models; do
    relu "$name" y
    writes "$name: rename=x"
    says 'name="x"' "$(<out.xml)"
    writes "input $name: rename=x"
    says 'name="x"' "$(<out.xml)"
  done
  relu input output
  writes 'output: rename=z' 'input: u8'
  relu model y
  writes 'input model: rename=x'
  refuses "'rename' is no word for this model" 'model: rename=x'
  refuses "the model has no layer and no tensor 'model model'" 'model model: compact'
}

@test "a list of tensor names keeps every name" {
  relu a y 'names="p,q"'
  writes 'layer r: output="b,c"'
  says 'names="b\,c"' "$(<out.xml)"
  irrun out.xml --fill ones -q --output b,c=out.npy
  ends 0
  writes 'input q: rename="q\"' # the last name can end with a backslash, and no other one
  says 'names="p,q\"' "$(<out.xml)"
  refuses "the tensor names would be 'p\,q', which are read as names without 'p\'" "input p: rename=p\\"
  refuses "the tensor names would be ' ,q', which are read as names without ' '" 'input p: rename=" "'
  refuses "the tensor names would be 'x ,q', which are read as names without 'x '" 'input p: rename="x "'
  refuses "the tensor names would be ' z', which are read as names without ' z'" 'layer r: output=" z"'
  relu a y 'names="p\"'
  refuses "the tensor names would be 'p\,z', which are read as names without 'z'" 'tensor a: output=z'
}

@test "names of outputs change in the Results that have names of their own" {
  relu a y '' 'names="n"'
  sed -i 's|type="Result" version="opset1"|& output_names="n,m"|' m.xml
  writes 'layer r: output=q'
  says 'names="n,q"' "$(grep "ReLU" out.xml)"
  says 'output_names="n,m,q"' "$(grep Result out.xml)"
  writes 'tensor n: rename=q'
  says 'names="q"' "$(grep "ReLU" out.xml)"
  says 'output_names="q,m"' "$(grep Result out.xml)"
  writes 'output m: rename=q'
  says 'output_names="n,q"' "$(grep Result out.xml)"
}

@test "several attributes of a layer without <data>" {
  cat >m.xml <<'EOF'
<net name="square" version="11"><layers>
<layer id="0" name="a" type="Parameter" version="opset1"><data shape="2,2" element_type="f32"/><output><port id="0" precision="FP32"><dim>2</dim><dim>2</dim></port></output></layer>
<layer id="1" name="r" type="MatMul" version="opset1"><input><port id="0"/><port id="1"/></input><output><port id="2" precision="FP32"><dim>2</dim><dim>2</dim></port></output></layer>
<layer id="2" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="0" from-port="0" to-layer="1" to-port="1"/><edge from-layer="1" from-port="2" to-layer="2" to-port="0"/></edges></net>
EOF
  writes 'layer r: transpose_a=true transpose_b=false'
  says '<data transpose_a="true" transpose_b="false"/><input>' "$(<out.xml)"
  writes 'layer r: transpose_a=true' 'layer y: rename=z' 'layer r: transpose_b=true'
  says '<data transpose_a="true" transpose_b="true"/><input>' "$(<out.xml)"
}

@test "two outputs of one tensor are dropped" {
  relu a y
  writes 'tensor a: output=first'
  cp out.xml m.xml
  sed -i '/<\/layers>/i <layer id="9" name="second" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port></input></layer>
    s|</edges>|<edge from-layer="0" from-port="0" to-layer="9" to-port="0"/></edges>|' m.xml
  writes 'output 1: drop' 'output 2: drop'
  irrun --check-shapes -q out.xml
  says "1 input, 1 output" "$output"
  refuses "'drop' sets the same as 'drop' of '--edit output 1: drop'" 'output 1: drop' 'output 1: drop'
  refuses "'drop' sets the same as 'output=z' of '--edit tensor a: output=z'" 'tensor a: output=z' 'output second: drop'
}

@test "rt_info and layouts of models whose rt_info is empty" {
  local empty
  for empty in '<rt_info/>' '<rt_info />' '<rt_info></rt_info>' ''; do
    relu a y
    sed -i "s|</net>|$empty</net>|; s|</port></output>|$empty</port></output>|" m.xml
    writes 'model: rt_info/a/b=1 rt_info/c=2' 'a: layout=nc'
    says '<rt_info><a><b value="1"/></a><c value="2"/></rt_info>' "$(<out.xml)"
    says '<rt_info><attribute name="layout" version="0" layout="[N,C]"/></rt_info>' "$(<out.xml)"
  done
  wide_model m.xml 2,3
  writes 'x: layout=nc'
  says '"FP32"><rt_info><attribute name="layout" version="0" layout="[N,C]"/></rt_info></port>' "$(<out.xml)"
  relu a y
  sed -i 's|</net>|<rt_info><a/><b /><info name="c d"/><e></e><f value="1"></f><g><h/></g></rt_info></net>|' m.xml
  writes 'model: rt_info/a=1 rt_info/b/x=2 "rt_info/c d/y=3" rt_info/e=4 rt_info/g/h=5'
  says '<a value="1"/><b><x value="2"/></b><info name="c d"><y value="3"/></info><e value="4"></e>' "$(<out.xml)"
  says '<g><h value="5"/></g>' "$(<out.xml)"
  refuses "'rt_info/f/x': the element around 'x' is a value, and has nothing inside" 'model: rt_info/f/x=1'
  refuses "'rt_info/g' has no value, but more names inside" 'model: rt_info/g=1'
}

@test "layouts of inputs and outputs fit their shapes" {
  local fault='and its layout [N,C] has another number of axes'
  relu a y
  refuses "input 'a' would be f32[2,3], and its layout [N] has another number of axes" 'a: layout=n'
  refuses "output 'y' would be f32[2,3], and its layout [N,C,H] has another number of axes" 'y: layout=nch'
  writes 'a: layout=nc' 'y: layout=nc'
  cp out.xml m.xml
  refuses "input 'a' would be f32[6], $fault" 'a: shape=6' 'y: layout=n'
  refuses "output 'y' would be f32[6], $fault" 'layer a: shape=6' 'a: layout=n'
  writes 'a: shape=6 layout=n' 'y: layout=n'
  writes 'a: layout=chw' 'y: layout=hwc' 'a: shape=1,2,3'
  writes 'a: shape=...'
  writes 'a: shape=?,3'
  cp out.xml m.xml
  sed -i 's/\[N,C\]/[N,...,C]/' m.xml
  writes 'a: shape=1,2,3'
  refuses "would be f32[6], and its layout [N,...,C] has another number of axes" 'a: shape=6'
  relu a y
  writes 'a: layout=nc'
  sed 's/\[N,C\]/[N,C,H]/' out.xml >m.xml # as it was, and no matter of the edit
  writes 'layer r: rename=z'
  wide_model m.xml ...
  writes 'x: layout=nchw'
  cp out.xml m.xml
  writes 'x: shape=1,2 layout=nc'
}

@test "--rt-info shows names and layouts of outputs, and with -v those of other layers" {
  relu a y '' 'names="t1,t2"'
  writes 'y: layout=nc' 'a: mean=1'
  irrun out.xml -o m.xml -q --edit 'tensor a/mean: output=m'
  ends 0
  writes 'output m: drop'
  irrun --rt-info out.xml
  diff - <(echo "$output") <<'EOF'
 of           remark          value
 r, output 0  names           t1,t2
 r, output 0  rt_info/layout  [N,C]
EOF
  irrun --rt-info -v out.xml
  says "a/mean, output 0  names           m" "$output"
}
