# Tests IRs of versions 2 to 7: what the program says of them, and where.
load helpers

# old_model [SED-COMMAND]: writes m.xml, an Input and a Convolution of version 5, changed by the command; and m.bin.
old_model() {
  head -c 216 /dev/zero >m.bin
  sed "${1-}" >m.xml <<'EOF'
<net name="m" version="5" batch="1">
  <layers>
    <layer id="0" name="x" precision="FP32" type="Input">
      <output><port id="0"><dim>1</dim><dim>3</dim><dim>4</dim><dim>4</dim></port></output>
    </layer>
    <layer id="1" name="y" precision="FP32" type="Convolution">
      <data kernel="3,3" output="2" group="1"/>
      <input><port id="0"><dim>1</dim><dim>3</dim><dim>4</dim><dim>4</dim></port></input>
      <output><port id="1"><dim>1</dim><dim>2</dim><dim>2</dim><dim>2</dim></port></output>
      <blobs><weights offset="0" size="216"/></blobs>
    </layer>
  </layers>
  <edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges>
  <!-- end -->
</net>
EOF
}

# unary_model TYPE DATA DIMS [PRECISION]: writes m.xml, an Input and a layer of the type with the same dims.
unary_model() {
  local port
  # shellcheck disable=SC2086 # one word for each dim
  port="<port id=\"0\">$(printf '<dim>%s</dim>' $3)</port>"
  cat >m.xml <<EOF
<net name="m" version="6">
  <layers>
    <layer id="0" name="x" precision="FP32" type="Input"><output>$port</output></layer>
    <layer id="1" name="y" precision="${4-FP32}" type="$1">
      $2
      <input>$port</input>
      <output>${port/id=\"0\"/id=\"1\"}</output>
    </layer>
  </layers>
  <edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges>
</net>
EOF
}

# old_layer TYPE DATA BLOBS DIMS...: writes m.xml, a layer with an Input for each DIMS but the last, which is the output's.
old_layer() {
  local data=$2 blobs=$3 type=$1 n=0 port ports=""
  shift 3
  {
    echo '<net name="m" version="6"><layers>'
    for dims in "$@"; do
      # shellcheck disable=SC2086 # one word for each dim
      port="<port id=\"$n\">$(printf '<dim>%s</dim>' $dims)</port>"
      [ "$n" -lt $(($# - 1)) ] || break
      echo "<layer id=\"$n\" name=\"x$n\" precision=\"FP32\" type=\"Input\"><output>${port/id=\"$n\"/id=\"0\"}</output></layer>"
      ports+=$port
      n=$((n + 1))
    done
    echo "<layer id=\"$n\" name=\"y\" precision=\"FP32\" type=\"$type\"><data $data/><input>$ports</input>
      <output>$port</output><blobs>$blobs</blobs></layer></layers><edges>"
    for ((i = 0; i < n; i++)); do
      echo "<edge from-layer=\"$i\" from-port=\"0\" to-layer=\"$n\" to-port=\"$i\"/>"
    done
    echo '</edges></net>'
  } >m.xml
}

# numbers: prints the numbers of y.npy in one line.
numbers() {
  od -A n -v -t f4 -j 128 y.npy | tr -s ' \n' ' '
}

# top_k_model INPUT_PRECISION PRECISION K ROWS SIZE: writes m.xml, a TopK of K on axis 1 of an Input [ROWS, SIZE], with
# one output.
top_k_model() {
  cat >m.xml <<EOF
<net name="m" version="7">
  <layers>
    <layer id="0" name="x" precision="$1" type="Input"><output><port id="0"><dim>$4</dim><dim>$5</dim></port></output></layer>
    <layer id="1" name="k" precision="I32" type="Const"><output><port id="0"><dim>1</dim></port></output>
      <blobs><custom offset="0" size="4"/></blobs></layer>
    <layer id="2" name="y" precision="$2" type="TopK">
      <data axis="1" mode="max" sort="value"/>
      <input><port id="0"><dim>$4</dim><dim>$5</dim></port><port id="1"><dim>1</dim></port></input>
      <output><port id="2"><dim>$4</dim><dim>$3</dim></port></output>
    </layer>
  </layers>
  <edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"/></edges>
</net>
EOF
  printf %b "\\$3\\0\\0\\0" >m.bin
}

@test "--cut and --edit of an old IR say to convert it first" {
  old_model
  irrun --cut y -o cut.xml m.xml
  ends 2
  [ "${stderr%%$'\n'Try*}" = "irrun: error: cannot cut 'y': the model is no IR of version 10 or 11 [IR801 command-line]
hint: convert it first: --convert OUT.xml" ]
  irrun --edit 'x: u8' -o edited.xml m.xml
  ends 2
  [ "${stderr%%$'\n'Try*}" = "m.xml: error: only an IR of version 11 can be edited, and this is one of version 5 [IR801 command-line]
hint: convert it first: --convert OUT.xml" ]
}

@test "--against=openvino of an old IR says to convert it first" {
  old_model
  irrun --fill ones --against=openvino m.xml
  ends 2
  [[ $stderr = "m.xml: error: OpenVINO reads IR versions 10 and 11, and this is one of version 5 [IR801 command-line]
hint: convert it first: --convert OUT.xml"* ]]
}

@test "--convert refuses an old IR without its .bin, and converts one that needs none" {
  old_model
  rm m.bin
  irrun --convert out.xml m.xml
  ends 6
  [ ! -e out.xml ] && [ ! -e out.bin ]
  [[ $stderr = "m.xml: error: 1 constant is needed, and there is no m.bin [IR401 bin-missing]"* ]]
  unary_model Power '<data power="2" scale="3" shift="1"/>' "2 3"
  irrun --convert out.xml m.xml
  ends 0
  [ "$stderr" = "" ]
  irrun --fill ones out.xml -q
  [ "$output" = "y  f32[2,3]  min 16  mean 16  max 16" ]
}

@test "<pre-process> that fits no input is an error" {
  part() { old_model "s:<!-- end -->:<pre-process$1</pre-process>:"; }
  part ' reference-layer-name="z"><channel id="0"><mean value="1"/></channel>'
  irrun --check-shapes m.xml
  ends 3
  [[ $stderr = "m.xml:14:3: error: <pre-process> changes 'z', which is no Input of the model [IR217 old-preprocess]"* ]]
  part '><channel id="0"><mean offset="0" size="64"/></channel><channel id="1"><mean value="2"/></channel>'
  irrun --fill ones --embed-preprocess m.xml
  ends 3
  [[ $stderr = "m.xml:14:3: error: <pre-process> has an image of means for some channels, and none or a mean for others [IR217 old-preprocess]"* ]]
  [[ $stderr != *warning* ]]
  part '><channel id="9223372036854775807"/><channel><scale value="2"/></channel>'
  irrun --fill ones --embed-preprocess m.xml
  ends 3
  [[ $stderr = "m.xml:14:3: error: <pre-process> has a channel that the input has not [IR217 old-preprocess]"* ]]
  part '><channel id="1"/><channel id="1"><scale value="2"/></channel>'
  irrun --fill ones --embed-preprocess m.xml
  ends 3
  [[ $stderr = "m.xml:14:3: error: <pre-process> has two channels of the same id [IR217 old-preprocess]"* ]]
}

@test "a repeated id is reported once, and the largest one leaves room for ids of added layers" {
  old_model 's/id="1" name/id="0" name/'
  irrun --check-shapes m.xml
  ends 3
  [ "$(grep -c 'error: layer id 0 is already taken' <<<"$stderr")" -eq 1 ]
  [[ $output != *'()'* ]]
  old_model 's/id="1" name/id="9223372036854775807" name/; s/to-layer="1"/to-layer="9223372036854775807"/'
  irrun --check-shapes m.xml
  ends 0
  [ "$stderr" = "" ]
}

@test "faults of what a layer does not state have the place of the layer or port" {
  unary_model Clamp '' "2 3"
  irrun --check-shapes m.xml
  ends 3
  [[ $stderr = "m.xml:4:5: error: Clamp-7 needs the attribute 'min'"* ]]
  unary_model RegionYolo '' "1 85 2 2"
  irrun --check-shapes m.xml
  ends 3
  [[ $stderr = "m.xml:4:5: error: RegionYolo-1 needs the attribute"* ]]
  unary_model SoftMax '<data axis="1"/>' "2 3" I32
  irrun --check-shapes m.xml
  ends 3
  [[ $stderr = "m.xml:7:15: error: the output declares I32, expected FP32"* ]]
}

@test "a Flatten of axes that the input has not is refused" {
  local axes
  for axes in 'axis="-4"' 'axis="2" end_axis="1"' 'end_axis="3"'; do
    unary_model Flatten "<data $axes/>" "2 3 4"
    irrun --check-shapes m.xml
    ends 4
    says "its input has no axes from 'axis' to 'end_axis' [IR210" "$stderr"
  done
}

@test "numbers that are too large are faults" {
  local data
  for data in 'Interp|<data pad_beg="-9223372036854775808"/>' \
    'Crop|<data axis="2,4294967299" offset="0,0" dim="1,1"/>' 'Crop|<data axis="2" offset="9223372036854775807" dim="2"/>' \
    'Pooling|<data kernel="9223372036854775807,3" strides="9223372036854775807,1" pads_begin="9223372036854775807,0" pads_end="9223372036854775807,0"/>' \
    'Convolution|<data kernel="1,1,1,1,1,1,1,1,1,1,1,1,1,1" output="2" group="2"/><blobs><weights offset="0" size="8"/></blobs>'; do
    head -c 8 /dev/zero >m.bin
    case $data in
    Conv*) unary_model "${data%%|*}" "${data#*|}" "1 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1" ;;
    *) unary_model "${data%%|*}" "${data#*|}" "1 2 4 4" ;;
    esac
    irrun --check-shapes m.xml
    [ "$status" -eq 3 ] || [ "$status" -eq 4 ] || { echo "$data: $status $output" && return 1; }
    grep -q '^m.xml:[0-9]*:[0-9]*: error: ' <<<"$stderr"
  done
}

@test "a layer without the outputs that nobody reads causes no warning" {
  top_k_model FP16 FP16 1 2 3
  irrun --check-shapes m.xml
  ends 0
  [ "$stderr" = "" ]
}

@test "the ops that take the place of a layer state what OpenVINO has another default for" {
  head -c 16 /dev/zero >m.bin
  unary_model BatchNormalization '<data epsilon="1"/><blobs><weights offset="0" size="8"/><biases offset="8" size="8"/></blobs>' "1 2 4 4"
  irrun --check-shapes m.xml
  ends 0
  [ "$stderr" = "" ]
  unary_model RegionYolo '<data anchors="1,2" axis="1" end_axis="3" classes="2" coords="4" num="1"/>' "1 7 1 1"
  rm m.bin
  sed -i '7s:<dim>.*</dim>:<dim>1</dim><dim>7</dim>:' m.xml
  irrun --check-shapes m.xml
  ends 0
  [ "$stderr" = "" ]
}

@test "a function with numbers of its own is the op with these numbers" {
  while IFS='|' read -r type data expected; do
    unary_model "$type" "$data" "1 3"
    irrun m.xml --input x=-1,2,8
    ends 0
    [ "$(tail -n 1 <<<"$output" | tr -s ' ')" = " $expected" ]
  done <<'EOF'
ELU|<data alpha="2"/>|-1.2642411 2 8
ReLU6||0 2 6
HardSigmoid|<data alpha="0.25" beta="0.5"/>|0.25 1 1
Selu|<data alpha="2" gamma="3"/>|-3.79272318 6 24
Reciprocal||-1 0.5 0.125
EOF
}

@test "PriorBox and PriorBoxClustered: boxes of a cell of 16 pixels in a picture of 16 rows and 32 columns" {
  local step='clip="0" step="16" offset="0.5" variance="0.5"'
  old_layer PriorBox "min_size=\"4\" max_size=\"9\" aspect_ratio=\"4\" flip=\"0\" $step" "" "1 1 1 1" "1 3 16 32" "1 2 12"
  irrun m.xml --fill ones -o y.npy
  ends 0
  [ "$(numbers)" = "$(printf ' %s' 0.1875 0.375 0.3125 0.625 0.15625 0.3125 0.34375 0.6875 0.125 0.4375 0.375 0.5625 \
    0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5) " ]
  # The ratio applies to the first size only.
  old_layer PriorBox "min_size=\"4,8\" max_size=\"\" aspect_ratio=\"4\" flip=\"0\" scale_all_sizes=\"0\" $step" "" "1 1 1 1" "1 3 16 32" "1 2 12"
  irrun m.xml --fill ones -o y.npy
  ends 0
  [ "$(numbers)" = "$(printf ' %s' 0.1875 0.375 0.3125 0.625 0.125 0.25 0.375 0.75 0.125 0.4375 0.375 0.5625 \
    0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5) " ]
  old_layer PriorBoxClustered "width=\"4,8\" height=\"2,16\" $step" "" "1 1 1 1" "1 3 16 32" "1 2 8"
  irrun m.xml --fill ones -o y.npy
  ends 0
  [ "$(numbers)" = "$(printf ' %s' 0.1875 0.4375 0.3125 0.5625 0.125 0 0.375 1 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5) " ]
  # A stated size of the picture wins.
  old_layer PriorBoxClustered "width=\"4\" height=\"2\" img_h=\"8\" img_w=\"8\" $step" "" "1 1 1 1" "1 3 16 32" "1 2 4"
  irrun m.xml --fill ones -o y.npy
  ends 0
  [ "$(numbers)" = " 0.75 0.875 1.25 1.125 0.5 0.5 0.5 0.5 " ]
}

@test "BatchNormalization, DeformableConvolution and Shape" {
  # variances 3 and 15, means 1 and 2
  printf '\0\0\x40\x40\0\0\x70\x41\0\0\x80\x3f\0\0\0\x40' >m.bin
  old_layer BatchNormalization 'epsilon="1"' '<weights offset="0" size="8"/><biases offset="8" size="8"/>' "1 2 1 2" "1 2 1 2"
  irrun m.xml --input x0=1,3,2,6 -o y.npy
  ends 0
  [ "$(numbers)" = " 0 1 0 1 " ]
  # taps 1 and 2 on a row; the second offset moves the second tap by one column
  printf '\0\0\x80\x3f\0\0\0\x40' >m.bin
  old_layer DeformableConvolution 'kernel="1,2" output="1"' '<weights offset="0" size="8"/>' "1 1 1 4" "1 4 1 3" "1 1 1 3"
  irrun m.xml --input x0=1,10,100,1000 --input x1=0,0,0,0,0,0,0,0,0,1,0,0 -o y.npy
  ends 0
  [ "$(numbers)" = " 201 210 2100 " ]
  old_layer DeformableConvolution 'kernel="1,1" output="1" deformable_group="2"' '<weights offset="0" size="12"/>' "1 3 1 1" "1 4 1 1" "1 1 1 1"
  head -c 12 /dev/zero >m.bin
  irrun m.xml --fill ones
  ends 4
  says "irrun cannot split the 3 channels of the input into 2 deformable groups [IR210" "$stderr"
  old_layer Shape '' '' "1 2 1 5" "4"
  irrun m.xml --fill ones -o y.npy
  ends 0
  [ "$(numbers)" = " 1 2 1 5 " ]
  old_layer BatchNormalization 'epsilon="1"' '' "1 2 1 2" "1 2 1 2"
  irrun --check-shapes m.xml
  ends 4
  [[ $stderr = *"it has no blobs 'weights' and 'biases'"* ]]
}

@test "weights that a Convolution of two groups gets as an input have the input's kernel" {
  old_layer Convolution 'kernel="1,1" output="2" group="2"' '' "1 2 1 2" "2 1 1 2" "1 2 1 1"
  irrun m.xml --input x0=1,2,3,4 --input x1=1,10,100,1000 -o y.npy
  ends 0
  [ "$(numbers)" = " 21 4300 " ]
}

@test "a BinaryConvolution pads bits, and counts equal bits less others" {
  printf '\5' >m.bin # bits 1, 0, 1
  old_layer BinaryConvolution 'kernel="1,3" input="1" output="1" pads_begin="0,1" pads_end="0,1" pad_value="1"' \
    '<weights offset="0" size="1"/>' "1 1 1 2" "1 1 1 2"
  irrun m.xml --input x0=1,0 -o y.npy
  ends 0
  [ "$(numbers)" = " -1 3 " ]
}

@test "a pair of Memory layers keeps a value from one run to the next, with their names" {
  cat >m.xml <<'EOF'
<net name="m" version="6">
  <layers>
    <layer id="0" name="x" precision="FP32" type="Input"><output><port id="0"><dim>1</dim><dim>2</dim></port></output></layer>
    <layer id="1" name="past" precision="FP32" type="Memory"><data id="v" index="1" size="2"/>
      <output><port id="0"><dim>1</dim><dim>2</dim></port></output></layer>
    <layer id="2" name="sum" precision="FP32" type="Eltwise"><data operation="sum"/>
      <input><port id="0"><dim>1</dim><dim>2</dim></port><port id="1"><dim>1</dim><dim>2</dim></port></input>
      <output><port id="2"><dim>1</dim><dim>2</dim></port></output></layer>
    <layer id="3" name="kept" precision="FP32" type="Memory"><data id="v" index="0" size="2"/>
      <input><port id="0"><dim>1</dim><dim>2</dim></port></input></layer>
    <layer id="4" name="y" precision="FP32" type="ReLU"><input><port id="0"><dim>1</dim><dim>2</dim></port></input>
      <output><port id="1"><dim>1</dim><dim>2</dim></port></output></layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
    <edge from-layer="2" from-port="2" to-layer="4" to-port="0"/>
  </edges>
</net>
EOF
  irrun --check-shapes m.xml
  ends 0
  [[ $output = *" past "*ReadValue-6*" kept "*Assign-6* ]]
  irrun m.xml --input x=1,2 --step --input x=10,20
  ends 0
  [[ $output = *"   1  2"*"   11  22"* ]]
}

@test "on_value and off_value of OneHot are one number each, or a word" {
  old_layer OneHot 'depth="3" on_value="2.5" off_value="False"' "" "2" "2 3"
  irrun m.xml --input x0=2,0 -o y.npy
  ends 0
  [ "$(numbers)" = " 0 0 2.5 2.5 0 0 " ]
  old_layer OneHot 'depth="3" on_value="5,6" off_value=""' "" "2" "2 3"
  irrun --check-shapes m.xml
  ends 3
  says "'on_value' has 2 values, expected one [IR208" "$stderr"
  says "'off_value' has 0 values, expected one [IR208" "$stderr"
}

@test "a Deconvolution with auto_pad has the input's size times the stride" {
  old_model 's/"Convolution"/"Deconvolution"/; s/output="2"/strides="2,3" auto_pad="same_upper" &/
    s:<dim>2</dim><dim>2</dim><dim>2</dim>:<dim>2</dim><dim>8</dim><dim>12</dim>:'
  irrun --check-shapes m.xml
  ends 0
  [ "$stderr" = "" ]
}

@test "prior boxes are parts of the image" {
  old_layer PriorBoxClustered 'width="4" height="2" clip="0" step="8" offset="0.5" variance="0.1"' '' "1 1 1 1" "1 3 16 8" "1 2 4"
  irrun m.xml --fill ones -q --output y=y.npy
  ends 0
  [ "$(tail -c 32 y.npy | head -c 16 | od -An -tf4 | xargs)" = "0.25 0.1875 0.75 0.3125" ]
}

@test "without scale_all_sizes, the ratios apply to the first size of a PriorBox" {
  old_layer PriorBox 'min_size="4,8" aspect_ratio="4" flip="0" scale_all_sizes="0" clip="0" step="16" offset="0.5" variance="0.1"' '' "1 1 1 1" "1 3 16 16" "1 2 12"
  irrun m.xml --fill ones -q --output y=y.npy
  ends 0
  [ "$(tail -c 96 y.npy | head -c 48 | od -An -w48 -tf4 | xargs)" = "0.375 0.375 0.625 0.625 0.25 0.25 0.75 0.75 0.25 0.4375 0.75 0.5625" ]
}

@test "ArgMax of all elements gives the indices, then the values" {
  old_layer ArgMax 'top_k="2" out_max_val="1"' '' "2 5" "2 2 2"
  irrun m.xml --input x0=1,9,3,7,5,8,2,6,4,0 --output y.npy -q
  ends 0
  [ "$(numbers)" = " 1 3 9 7 0 2 8 6 " ]
}

@test "a Pooling leaves out a window that begins behind the input" {
  old_layer Pooling 'kernel="2,2" strides="3,3"' '' "1 1 3 3" "1 1 1 1"
  irrun m.xml --fill iota
  ends 0
  [ "$(xargs <<<"$output")" = "y f32[1,1,1,1] min 4 mean 4 max 4 [0,0] 4" ]
}

@test "only more numbers of an image than a Proposal reads are cut off" {
  local data='base_size="16" feat_stride="16" min_size="1" pre_nms_topn="9" post_nms_topn="3" nms_thresh="0.7" ratio="1" scale="8"'
  for n in 3 4 5; do
    old_layer Proposal "$data" '' "1 2 1 1" "1 4 1 1" "1 $n" "3 5"
    irrun --convert out.xml m.xml
    ends 0
    [ "$(grep -c 'type="Slice"' out.xml)" -eq $((n > 4)) ]
    rm out.*
  done
}

@test "a TopK with one output of integers gives the indices" {
  top_k_model FP32 I32 2 1 4
  irrun m.xml --input x=7,5,9,6
  ends 0
  [ "$(xargs <<<"$output")" = "y i32[1,2] min 0 mean 1 max 2 2 0" ]
}

@test "pad_beg of Interp cuts rows and columns off" {
  unary_model Interp '<data pad_beg="-1" height="3" width="3"/>' "1 1 4 4"
  sed -i '7s:<dim>4</dim><dim>4</dim>:<dim>3</dim><dim>3</dim>:' m.xml
  irrun m.xml --fill iota -q
  ends 0
  says "f32[1,1,3,3]  min 5 " "$output"
}

@test "--report of an old IR is a page" {
  old_model
  irrun --check-shapes m.xml --report=page.html
  ends 0
  grep -q 'y:weights' page.html
}

@test "many <crop> of a layer are refused before they fill the memory" {
  for n in 32 33; do
    unary_model Crop "<crop-data>$(yes '<crop axis="1" offset="0" dim="1"/>' | head -n $n)</crop-data>" "1 2 4 4"
    irrun --check-shapes m.xml
    if [ $n -eq 32 ]; then
      says_not IR004 "$stderr"
    else
      ends 6
      [[ $stderr = "m.xml:37:"*"more than 32 items in the crops of a layer [IR004 limit-exceeded]"* ]]
    fi
  done
}

@test "--embed-preprocess subtracts means, divides by scales, and subtracts mean images" {
  dims='<dim>1</dim><dim>2</dim><dim>1</dim><dim>2</dim>'
  gives() {
    ends 0
    [ "$(tail -c 16 y.npy | od -An -tf4 | xargs)" = "$1" ]
  }
  write() {
    echo "<net name='m' version='6'><layers><layer id='0' name='x' type='Input'><output><port id='0'>$dims</port></output></layer>
<layer id='1' name='y' type='Power'><data power='1' scale='1' shift='0'/><input><port id='0'>$dims</port></input>
<output><port id='1'>$dims</port></output></layer></layers>
<edges><edge from-layer='0' from-port='0' to-layer='1' to-port='0'/></edges>$1</net>" >m.xml
  }
  write "<pre-process><channel id='0'><mean value='1'/><scale value='2'/></channel><channel><mean value='3'/></channel></pre-process>"
  irrun m.xml --embed-preprocess -i x=1,2,3,4 -o y.npy
  gives "0 0.5 0 1"
  irrun m.xml -i x=1,2,3,4 -o y.npy
  gives "1 2 3 4"
  says "[IR217 old-preprocess]" "$stderr"
  write "<pre-process reference-layer-name='x' mean-precision='FP32'><channel id='0'><mean offset='0' size='8'/></channel><channel id='1'><mean offset='8' size='8'/></channel></pre-process>"
  printf '\0\0\200\77\0\0\0\100\0\0\200\77\0\0\200\77' >m.bin # 1, 2, 1, 1
  irrun m.xml --embed-preprocess -i x=1,2,3,4 -o y.npy
  gives "0 0 2 3"
  irrun --convert new.xml m.xml --embed-preprocess
  ends 0
  irrun new.xml -i x=1,2,3,4 -o y.npy
  gives "0 0 2 3"
}

@test "a Unique has only the outputs that its attributes ask for" {
  old_layer Unique 'sorted="true" return_inverse="false" return_counts="false"' '' "4" "4"
  sed -i 's|<output><port id="1"><dim>4</dim></port>|&<port id="2"><dim>4</dim></port>|' m.xml
  irrun m.xml --fill=ones
  ends 3
  says "the layer has 2 outputs; the attributes of Unique give 1 [IR110" "$stderr"
}

@test "all of 70 outputs that nobody reads are outputs of the model" {
  local ports
  ports=$(printf '<port id="%d"><dim>1</dim></port>' $(seq 1 70))
  old_layer Split 'axis="0"' '' 70 1
  sed -i "s|<output>.*</output><blobs>|<output>$ports</output><blobs>|" m.xml
  irrun --check-shapes -q m.xml
  ends 0
  [ "$output" = "m.xml: ok, 73 layers, 1 input, 70 outputs" ]
  [ -z "$stderr" ] # the axis is a constant of irrun's own, and no .bin is missing
}
