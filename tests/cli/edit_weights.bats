# Tests edits that replace constants of models with faults, names, or readers that forbid it.
load helpers

# weight ATTRIBUTES TYPE DIM OUTPUT VERSION: prints a model of a Const with these attributes, and of a Convert.
weight() {
  local port="<port id=\"0\"><dim>$3</dim></port>"
  cat <<END
<net name="m" version="11"><layers>
<layer id="0" name="w" type="Const" version="opset1"><data $1/><output><port id="0" precision="$2"><dim>$3</dim></port></output></layer>
<layer id="1" name="wide" type="Convert" version="$5"><data destination_type="f32"/><input>$port</input>$4</layer>
<layer id="2" name="y" type="Result" version="opset1"><input>$port</input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>
END
}

# port ID SHAPE: prints a port. constant ID NAME TYPE SHAPE OFFSET SIZE: prints a Const.
port() {
  [ "$2" = - ] && echo "<port id=\"$1\" precision=\"BOOL\"/>" && return
  echo "<port id=\"$1\" precision=\"FP32\"><dim>${2//,/</dim><dim>}</dim></port>"
}
constant() {
  local type=${3/#f/fp}
  echo "<layer id=\"$1\" name=\"$2\" type=\"Const\" version=\"opset1\"><data element_type=\"$3\" shape=\"$4\" offset=\"$5\" size=\"$6\"/>"
  echo "<output><port id=\"0\" precision=\"${type^^}\"><dim>$4</dim></port></output></layer>"
}

# layer ID NAME TYPE OPSET DATA INPUTS OUTPUT: prints a layer; INPUTS and OUTPUT are shapes of ports.
layer() {
  local n=0 shape
  echo "<layer id=\"$1\" name=\"$2\" type=\"$3\" version=\"$4\">${5:+<data $5/>}<input>"
  for shape in $6; do
    port $n "$shape" | sed 's/ precision="FP32"//'
    n=$((n + 1))
  done
  echo "</input>${7:+<output>$(port $n "$7")</output>}</layer>"
}

# edges: prints the edges "LAYER PORT LAYER PORT" of the lines that it reads.
edges() {
  echo '<edges>'
  while read -r from port to input; do
    echo "<edge from-layer=\"$from\" from-port=\"$port\" to-layer=\"$to\" to-port=\"$input\"/>"
  done
  echo '</edges>'
}

# writes_no_weights: checks that every weights=TYPE of m.xml ends with the fault of the model, and writes nothing.
writes_no_weights() {
  local type
  for type in f32 f16 int8_sym int8_asym; do
    irrun m.xml -o out.xml --edit "model: weights=$type"
    ends 3
    [ ! -e out.xml ]
  done
}

@test "weights=TYPE leaves constants and layers with faults alone" {
  local output_port='<output><port id="1" precision="FP32"><dim>64</dim></port></output>' attributes version
  head -c 128 /dev/zero >m.bin
  # too many bytes for the shape, and too few; bytes behind the .bin; numbers that are none
  for attributes in 'offset="0" size="2"' 'offset="0" size="256"' 'offset="64" size="128"' 'offset="0" size="-64"' \
    'offset="0" size="9223372036854775807"' 'offset="9223372036854775807" size="128"' 'offset="0" size="zz"'; do
    weight "element_type=\"f16\" shape=\"64\" $attributes" FP16 64 "$output_port" opset1 >m.xml
    writes_no_weights
  done
  for version in opset1 opset99 extension; do # a Convert without an output
    weight 'element_type="f16" shape="64" offset="0" size="128"' FP16 64 "" "$version" >m.xml
    writes_no_weights
  done
}

@test "a Const of an extension stays where it is: the .bin is not written anew" {
  local attributes size=9223372036854775807
  head -c 16 /dev/zero >m.bin
  weight 'element_type="f32" shape="4" offset="0" size="16"' FP32 4 \
    '<output><port id="1" precision="FP32"><dim>4</dim></port></output>' opset1 >known.xml
  for attributes in "offset=\"$size\" size=\"$size\"" 'offset="999" size="16"' 'offset="zz" size="16"' ''; do
    sed "s/offset=\"0\" size=\"16\"/$attributes/; s/Const\" version=\"opset1/Const\" version=\"extension/" known.xml >m.xml
    irrun m.xml -o out.xml --edit 'model: compact'
    ends 2
    says "error: the constants cannot be written anew: where a layer of an extension has its bytes" "$stderr"
    irrun m.xml -o out.xml --cut ..
    ends 2
    says "error: cannot cut '..': where a layer of an extension has its bytes in the .bin is not" "$stderr"
    [ ! -e out.xml ] && [ ! -e out.bin ]
    irrun m.xml --convert out.xml
    ends 0
    rm out.xml out.bin
  done
}

@test "bytes in a layer of an extension and in a body that is passed over stay where they are" {
  local place='<data element_type="f32" shape="4" offset="8" size="16"/>' inner
  head -c 24 /dev/zero >m.bin
  weight 'element_type="f32" shape="4" offset="0" size="16"' FP32 4 \
    '<output><port id="1" precision="FP32"><dim>4</dim></port></output>' extension >known.xml
  for inner in "$place" "<body><layers><layer id=\"0\" name=\"c\" type=\"Const\" version=\"opset1\">$place</layer></layers></body>"; do
    sed "s|type=\"Convert\"|type=\"Mine\"|; s|<data destination_type=\"f32\"/>|$inner|" known.xml >m.xml
    irrun m.xml --check-shapes # the bytes behind the constants are not called unused
    [[ "$stderr" != *IR405* ]]
    for edit in compact weights=f16; do
      irrun m.xml -o out.xml --edit "model: $edit"
      ends 2
      says "error: the constants cannot be written anew: where a layer of an extension has its bytes" "$stderr"
    done
    irrun m.xml -o out.xml --cut wide
    ends 2
    says "error: cannot cut 'wide': where a layer of an extension has its bytes in the .bin is not known" "$stderr"
    [ ! -e out.xml ] && [ ! -e out.bin ]
  done
  sed "s|offset=|Offset=|" m.xml >n.xml # no place in the .bin
  sed -i "0,/Offset=/s/Offset=/offset=/" n.xml
  irrun n.xml --weights m.bin -o out.xml --edit "model: compact"
  ends 0
  rm out.*
}

@test "a constant whose old bytes are behind the .bin can get others" {
  head -c 128 /dev/zero >m.bin
  weight 'element_type="f32" shape="4" offset="0" size="16"' FP32 4 \
    '<output><port id="1" precision="FP32"><dim>4</dim></port></output>' opset1 >m.xml
  "$IRRUN" m.xml --check-shapes -q --save-all c.npz
  sed -i 's/offset="0" size="16"/offset="64" size="70368744177664"/' m.xml
  irrun m.xml -o out.xml --edit 'model: read=c.npz'
  ends 0
  irrun out.xml
  says "y  f32[4]" "$output"
}

@test "tensor names of weights stay with their values" {
  local output_port='<output><port id="1" precision="FP32" names="wide"><dim>4</dim></port></output>'
  printf '\0\0\200\77\0\0\0\100\0\0\100\100\0\0\200\100' >m.bin
  weight 'element_type="f32" shape="4" offset="0" size="16"' FP32 4 "$output_port" opset1 |
    sed 's/<port id="0" precision="FP32">/<port id="0" precision="FP32" names="narrow">/' >m.xml
  for type in f16 int8_sym f32; do # int8_sym finds nothing: nothing multiplies by the constant
    irrun m.xml -o "$type.xml" -q --edit "model: weights=$type"
    ends 0
    irrun "$type.xml"
    says "wide  f32[4]  min 1" "$output"
  done
  sed -i 's/from-layer="1" from-port="1"/from-layer="0" from-port="0"/; /name="wide"/d; s/<edge[^>]*to-layer="1"[^>]*>//' m.xml
  irrun m.xml -o half.xml -q --edit 'model: weights=f16'
  irrun half.xml
  says "narrow  f32[4]  min 1" "$output"
  irrun half.xml -o back.xml -q --edit 'model: weights=f32'
  irrun back.xml
  says "narrow  f32[4]  min 1" "$output"
}

@test "weights=TYPE keeps what it cannot replace" {
  local output_port='<output><port id="1" precision="FP32"><dim>4</dim></port></output>'
  # two layers read the constant, so it stays f16
  printf '\0\74\0\100\0\102\0\104' >m.bin
  weight 'element_type="f16" shape="4" offset="0" size="8"' FP16 4 "$output_port" opset1 |
    sed 's|</layers><edges>|<layer id="3" name="z" type="Result" version="opset1"><input><port id="0"><dim>4</dim></port></input></layer>&<edge from-layer="0" from-port="0" to-layer="3" to-port="0"/>|' >m.xml
  irrun m.xml -o out.xml --edit 'model: weights=f32'
  ends 0
  says "leaves constants such as 'w' as they are: several layers read them" "$stderr"
  "$IRRUN" m.xml -q -o y.npz
  irrun out.xml --expect y.npz
  ends 0
  # the scale of int8 is above the largest f16
  printf '\50\153\156\116%.0s' 1 2 3 4 >m.bin
  cat >m.xml <<'END'
<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="1,4" element_type="f32"/><output><port id="0" precision="FP32"><dim>1</dim><dim>4</dim></port></output></layer>
<layer id="1" name="w" type="Const" version="opset1"><data element_type="f32" shape="1,4" offset="0" size="16"/><output><port id="0" precision="FP32"><dim>1</dim><dim>4</dim></port></output></layer>
<layer id="2" name="y" type="MatMul" version="opset1"><data transpose_b="true"/><input><port id="0"><dim>1</dim><dim>4</dim></port><port id="1"><dim>1</dim><dim>4</dim></port></input><output><port id="2" precision="FP32"><dim>1</dim><dim>1</dim></port></output></layer>
<layer id="3" name="r" type="Result" version="opset1"><input><port id="0"><dim>1</dim><dim>1</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"/><edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></net>
END
  for type in int8_sym int8_asym f16; do
    irrun m.xml -o out.xml --edit "model: weights=$type"
    ends 0
    says "1 constant kept, whose elements the type cannot hold" "$output"
    cmp m.bin out.bin
  done
}

@test "a constant cannot become an output while its type changes" {
  local output_port='<output><port id="1" precision="FP32"><dim>4</dim></port></output>' edit
  printf '\0\74\0\100\0\102\0\104' >m.bin
  weight 'element_type="f16" shape="4" offset="0" size="8"' FP16 4 "$output_port" opset1 >m.xml
  for edit in "layer w: output" "layer wide: output=z"; do
    irrun m.xml -o out.xml --edit "$edit" --edit 'model: weights=f32'
    ends 2
    says "becomes an output, and an edit of weights stores it in another type" "$stderr"
    irrun m.xml -o out.xml --edit 'model: weights=f32' --edit "$edit"
    ends 2
    [ ! -e out.xml ]
  done
}

@test "weights=f16 leaves constants that decide shapes through other layers" {
  # sizes 22 22, axes 2 3, scales 2.2 2.2, a factor 1; then ten weights 2.2
  printf '\26\0\0\0\0\0\0\0\26\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\315\314\14\100\315\314\14\100\0\0\200\77' >m.bin
  printf '\315\314\14\100%.0s' {1..10} >>m.bin
  local image='<dim>1</dim><dim>1</dim><dim>10</dim><dim>10</dim>' large='<dim>1</dim><dim>1</dim><dim>22</dim><dim>22</dim>'
  {
    echo '<net name="m" version="11"><layers><layer id="0" name="x" type="Parameter" version="opset1">'
    echo "<data shape=\"1,1,10,10\" element_type=\"f32\"/><output><port id=\"0\" precision=\"FP32\">$image</port></output></layer>"
    constant 1 sizes i64 2 0 16
    constant 2 axes i64 2 16 16
    constant 3 scales f32 2 32 8
    constant 4 one f32 1 40 4
    constant 5 weight f32 10 44 40
    echo '<layer id="6" name="product" type="Multiply" version="opset1"><input><port id="0"><dim>2</dim></port><port id="1"><dim>1</dim></port></input><output><port id="2" precision="FP32"><dim>2</dim></port></output></layer>'
    echo "<layer id=\"7\" name=\"weighted\" type=\"Multiply\" version=\"opset1\"><input><port id=\"0\">$image</port><port id=\"1\"><dim>10</dim></port></input><output><port id=\"2\" precision=\"FP32\">$image</port></output></layer>"
    echo '<layer id="8" name="large" type="Interpolate" version="opset4"><data mode="nearest" shape_calculation_mode="scales" pads_begin="0" pads_end="0"/>'
    echo "<input><port id=\"0\">$image</port><port id=\"1\"><dim>2</dim></port><port id=\"2\"><dim>2</dim></port><port id=\"3\"><dim>2</dim></port></input><output><port id=\"4\" precision=\"FP32\">$large</port></output></layer>"
    echo "<layer id=\"9\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\">$large</port></input></layer></layers>"
    edges <<<$'3 0 6 0\n4 0 6 1\n0 0 7 0\n5 0 7 1\n7 2 8 0\n1 0 8 1\n6 2 8 2\n2 0 8 3\n8 4 9 0'
    echo '</net>'
  } >m.xml
  irrun m.xml -o out.xml --edit 'model: weights=f16'
  ends 0
  irrun out.xml --fill 1
  says "y  f32[1,1,22,22]  min 2.19922" "$output"
}

@test "the file that read= reads is not overwritten" {
  cp "${BATS_TEST_DIRNAME}/../../models/networks/digits."{xml,bin} .
  "$IRRUN" digits.xml --check-shapes -q --save-all c.npz
  cp c.npz out.bin
  irrun digits.xml -o out.xml --edit 'model: read=out.bin'
  ends 2
  says "'--output out.bin' would overwrite what '--edit out.bin' reads" "$stderr"
  rm out.bin
  ln -s c.npz out.xml
  irrun digits.xml -o out.xml --edit 'model: read=c.npz'
  ends 2
  says "'--output out.xml' would overwrite what '--edit c.npz' reads" "$stderr"
  [ -e c.npz ] && [ ! -e out.bin ]
}

@test "weights=f16 leaves constants that decide shapes in bodies, from bodies, and together with an input" {
  # sizes 22 22, axes 2 3, scales 1.1 1.1, twice factors 2 2; then ten weights 2.2
  printf '\26\0\0\0\0\0\0\0\26\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\315\314\214\77\315\314\214\77\0\0\0\100\0\0\0\100' >m.bin
  printf '\315\314\14\100%.0s' {1..10} >>m.bin
  local small=1,1,10,10 large=1,1,22,22 part
  {
    echo '<net name="m" version="11"><layers>'
    echo "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"$small\" element_type=\"f32\"/><output>$(port 0 $small)</output></layer>"
    echo "<layer id=\"1\" name=\"c\" type=\"Parameter\" version=\"opset1\"><data shape=\"\" element_type=\"boolean\"/><output>$(port 0 -)</output></layer>"
    echo "<layer id=\"2\" name=\"one\" type=\"Parameter\" version=\"opset1\"><data shape=\"1\" element_type=\"f32\"/><output>$(port 0 1)</output></layer>"
    constant 3 sizes i64 2 0 16
    constant 4 axes i64 2 16 16
    constant 5 scales f32 2 32 8
    constant 6 weight f32 10 48 40
    layer 7 product Multiply opset1 "" "2 1" 2
    echo "<layer id=\"8\" name=\"if\" type=\"If\" version=\"opset8\"><input>$(port 0 -)$(port 1 2)</input><output>$(port 2 2)</output>"
    for part in 'then' 'else'; do
      echo "<${part}_port_map><input external_port_id=\"1\" internal_layer_id=\"0\"/><output external_port_id=\"2\" internal_layer_id=\"3\"/></${part}_port_map>"
      echo "<${part}_body><layers>"
      echo "<layer id=\"0\" name=\"s\" type=\"Parameter\" version=\"opset1\"><data shape=\"2\" element_type=\"f32\"/><output>$(port 0 2)</output></layer>"
      constant 1 factor f32 2 40 8
      layer 2 twice Multiply opset1 "" "2 2" 2
      layer 3 r Result opset1 "" 2
      echo "</layers>$(edges <<<$'0 0 2 0\n1 0 2 1\n2 2 3 0')</${part}_body>"
    done
    echo '</layer>'
    layer 9 weighted Multiply opset1 "" "$small 10" $small
    layer 10 large Interpolate opset4 'mode="nearest" shape_calculation_mode="scales" pads_begin="0" pads_end="0"' "$small 2 2 2" "1,1,-1,-1"
    layer 11 y Result opset1 "" "1,1,-1,-1"
    echo "</layers>$(edges <<<$'5 0 7 0\n2 0 7 1\n1 0 8 0\n7 2 8 1\n0 0 9 0\n6 0 9 1\n9 2 10 0\n3 0 10 1\n8 2 10 2\n4 0 10 3\n10 4 11 0')</net>"
  } >m.xml
  irrun m.xml -o out.xml --edit 'model: weights=f16'
  ends 0
  [ "$(grep -c 'element_type="f16"' out.xml)" -eq 1 ] # the weight
  irrun out.xml --fill ones -i c=true
  says "y  f32[1,1,22,22]  min 2.19922" "$output"
}

# narrowed TYPE OPSET ELEMENT SIZE [DATA]: prints the type that weights=f16 gives a constant of this type and size, the
# bytes of m.bin, which an op reads together with an input of the same shape.
narrowed() {
  local n=$(($4 / (${3#f} / 8))) input='precision="FP32"'
  {
    echo '<net name="m" version="11"><layers><layer id="0" name="x" type="Parameter" version="opset1">'
    echo "<data shape=\"$n\" element_type=\"$3\"/><output>$(port 0 "$n")</output></layer>"
    constant 1 c "$3" "$n" 0 "$4"
    layer 2 op "$1" "$2" "" "$n $n" "$n"
    layer 3 y Result opset1 "" "$n"
    echo "</layers>$(edges <<<$'0 0 2 0\n1 0 2 1\n2 2 3 0')</net>"
  } | sed "s/$input/precision=\"FP${3#f}\"/" >m.xml
  irrun m.xml -o out.xml --edit 'model: weights=f16'
  ends 0
  sed -n 's/.*Const.*element_type="\([^"]*\)".*/\1/p' out.xml
}

@test "weights=f16 narrows the constants that OpenVINO's save_model narrows" {
  printf '\315\314\214\77%.0s' {1..4} >m.bin # 1.1
  [ "$(narrowed PReLU opset1 f32 16)" = f16 ]
  printf '\0\0\0\0\0\1\260\100%.0s' {1..4} >m.bin # 4097
  [ "$(narrowed Add opset1 f64 32)" = f16 ]
  irrun out.xml -o back.xml -q --edit 'model: weights=f32'
  ends 0
  says 'element_type="f64"' "$(grep Const back.xml)"
  printf '\0\10\200\105%.0s' {1..4} >m.bin # 4097, which f16 rounds to 4096
  [ "$(narrowed Add opset1 f32 16)" = f16 ]
  printf '\0\14\200\105\0\0\0\0\0\0\0\0\0\0\0\0' >m.bin # 4097.5
  [ "$(narrowed Add opset1 f32 16)" = f32 ]
  says "1 constant kept" "$(irrun m.xml -o out.xml --edit 'model: weights=f16' && echo "$output")"
  printf '\254\305\47\67%.0s' {1..3} >m.bin # 1e-5
  printf '\0\0\200\77' >>m.bin
  [ "$(narrowed Add opset1 f32 16)" = f32 ]
  printf '\0\0\200\77' >>m.bin
  [ "$(narrowed Add opset1 f32 20)" = f16 ]
}

@test "weights=f16 refuses quantized models, as OpenVINO's save_model leaves them" {
  local limits='1 1 1 1' id
  printf '\0\0\200\77%.0s' {1..4} >m.bin
  {
    echo '<net name="m" version="11"><layers><layer id="0" name="x" type="Parameter" version="opset1">'
    echo "<data shape=\"4\" element_type=\"f32\"/><output>$(port 0 4)</output></layer>"
    for id in 1 2 3 4; do constant $id "limit$id" f32 1 0 4; done
    constant 5 c f32 4 0 16
    layer 6 fq FakeQuantize opset1 'levels="256"' "4 $limits" 4
    layer 7 sum Add opset1 "" "4 4" 4
    layer 8 y Result opset1 "" 4
    echo "</layers>$(edges <<<$'0 0 6 0\n1 0 6 1\n2 0 6 2\n3 0 6 3\n4 0 6 4\n6 5 7 0\n5 0 7 1\n7 2 8 0')</net>"
  } >m.xml
  irrun m.xml -o out.xml --edit 'model: weights=f16'
  ends 2
  says "the model is quantized, as by 'fq' (FakeQuantize): f16 would move its limits or scales" "$stderr"
  irrun "$BATS_TEST_DIRNAME/../../models/networks/digits.xml" -o small.xml -q --edit 'model: weights=int8_asym'
  irrun small.xml -o out.xml --edit 'model: weights=f16'
  ends 2
  says "(Multiply): f16 would move its limits or scales" "$stderr"
  [ ! -e out.xml ]
}

@test "read= takes constants without elements" {
  local size
  {
    echo '<net name="m" version="11"><layers>'
    constant 0 w f32 0 0 1
    layer 1 y Result opset1 "" 0
    echo "</layers>$(edges <<<'0 0 1 0')</net>"
  } >m.xml
  printf '\0' >m.bin
  "$IRRUN" m.xml --check-shapes -q --save-all c.npz
  for size in 1 0; do # OpenVINO writes 1
    sed -i "s/ size=\"[01]\"/ size=\"$size\"/" m.xml
    irrun m.xml -o out.xml --edit 'model: read=c.npz'
    ends 0
    says "finds nothing to change" "$stderr"
    cmp m.xml out.xml
  done
  printf '\0\0\200\77' >m.bin
  sed -i 's/shape="0"/shape="1"/; s/ size="0"/ size="4"/; s|<dim>0</dim>|<dim>1</dim>|' m.xml
  irrun m.xml -o out.xml --edit 'model: read=c.npz'
  ends 0
  says 'shape="0" offset="64" size="1"' "$(cat out.xml)"
  irrun out.xml --check-shapes --strict -q
  ends 0
}

@test "--save-all writes keys that read= takes: a number for a name that another tensor has" {
  local output_port='<output><port id="1" precision="FP32" names="w"><dim>4</dim></port></output>'
  printf '\0\0\200\77\0\0\0\100\0\0\100\100\0\0\200\100' >m.bin
  weight 'element_type="f32" shape="4" offset="0" size="16"' FP32 4 "$output_port" opset1 >m.xml
  irrun m.xml --check-shapes -q --save-all c.npz
  ends 0
  grep -q '#0.0.npy' c.npz
  ln -s /dev/full full.npz
  irrun m.xml --check-shapes -q --save-all full.npz
  ends 6
  says "full.npz: error: cannot write" "$stderr"
  says "m.xml: ok, 3 layers" "$output"
  printf '\0\0\240\100' | dd of=m.bin conv=notrunc 2>.dd
  irrun m.xml -o out.xml --edit 'model: read=c.npz'
  ends 0
  irrun out.xml
  says "w  f32[4]  min 1  mean 2.5  max 4" "$output"
}
