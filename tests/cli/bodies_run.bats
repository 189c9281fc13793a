# Tests runs of If, Loop, TensorIterator, ReadValue, Assign and NonZero. Also tests the program's options on models with
# these ops. All expected numbers are computed by hand.
load helpers
load bodies

@test "If runs the body that its condition says" {
  if_model if.xml
  gives "y f32[3] 2 4 6" if.xml -i c=1 -i x=1,2,3
  gives "y f32[3] 1 8 27" if.xml -i c=0 -i x=1,2,3
}

@test "the condition of an If is one element" {
  if_model if.xml
  sed 's/shape="" element_type="boolean"/shape="?" element_type="boolean"/' if.xml >open.xml
  gives "y f32[3] 2 4 6" open.xml -i c=1 -i x=1,2,3
  array 0 boolean
  refuses 5 "'cond' has the shape [2], expected one number" open.xml -i c=0,0 -i x=1,2,3
  refuses 5 "'cond' has the shape [0], expected one number" open.xml -i c=x.npy -i x=1,2,3
}

@test "Loop ends with its trip count or its condition, and puts together what the iterations gave" {
  loop_model loop.xml
  gives "last f32[1] 4 all f32[2] 2 4 numbers i64[2] 0 1" loop.xml -i n=2 -i go=1 -i s=0 -i step=2 -i limit=100
  gives "last f32[1] 6 all f32[3] 2 4 6 numbers i64[3] 0 1 2" loop.xml -i n=-1 -i go=1 -i s=0 -i step=2 -i limit=6
  gives "last f32[1] 7 all f32[1] 7 numbers i64[1] 0" loop.xml -i n=1099511627776 -i go=1 -i s=0 -i step=7 -i limit=1
}

# loop_shape TRIPS: prints the report on loop_model with a constant trip count (8 bytes) and a constant true condition.
loop_shape() {
  loop_model loop.xml
  sed -E '/type="Parameter"/{
    s|<layer id="0" name="n" type="Parameter"([^>]*)><data [^>]*/>|<layer id="0" name="n" type="Const"\1><data element_type="i64" shape="" offset="0" size="8"/>|
    s|<layer id="1" name="go" type="Parameter"([^>]*)><data [^>]*/>|<layer id="1" name="go" type="Const"\1><data element_type="boolean" shape="" offset="8" size="1"/>|
  }' loop.xml >known.xml
  printf '%b' "$1\\1" >known.bin
  irrun --check-shapes --json known.xml
  ends 0
  tr -d '\t\n' <<<"$output"
}

@test "the parts of a Loop that is sure to run are 1 or more" {
  says '"name":"all","layer":"all","type":"f32","shape":[{"min":1,"max":5}]' "$(loop_shape '\5\0\0\0\0\0\0\0')"
  says '"name":"all","layer":"all","type":"f32","shape":[{"min":1,"max":null}]' "$(loop_shape '\377\377\377\377\377\377\377\377')"
}

@test "an output that returns to a Parameter has the dims of the Parameter too" {
  cat >loop.xml <<EOF
<net name="loop" version="11"><layers>
$(parameter 0 n "" i64)$(parameter 1 go "" boolean)$(parameter 2 s 2 f32)$(parameter 3 other 3 f32)
$(layer 4 loop Loop-5 "" 4 FP32)
<port_map>$(input 1 2)$(input 2 0)$(input 3 1)$(output -1 5 'purpose="execution_condition"')$(output 4 4)</port_map>
<back_edges>$(back 4 0)</back_edges>
<body><layers>$(parameter 0 t "?" f32)$(parameter 1 u 3 f32)$(parameter 2 more "" boolean)$(layer 3 same Abs-1 "" 1 FP32)
$(result 4 last)$(result 5 ok)</layers>$(edges 1:0-3:0 3:1-4:0 2:0-5:0)</body></layer>
$(result 5 y)</layers>$(edges 0:0-4:0 1:0-4:1 2:0-4:2 3:0-4:3 4:4-5:0)</net>
EOF
  irrun --check-shapes --json loop.xml
  ends 0
  says '"name":"y","layer":"y","type":"f32","shape":[null]' "$(tr -d '\t\n' <<<"$output")"
}

@test "Loop without an iteration gives what came in, and empty lists" {
  loop_model loop.xml
  gives "last f32[1] 3 all f32[0] numbers i64[0]" loop.xml -i n=0 -i go=1 -i s=3 -i step=2 -i limit=6
  gives "last f32[1] 3 all f32[0] numbers i64[0]" loop.xml -i n=5 -i go=0 -i s=3 -i step=2 -i limit=6
}

@test "a Loop without end: its parts are held up by --max-memory" {
  loop_model loop.xml
  refuses 6 "with what is needed here, the run takes at least " loop.xml -i n=-1 -i go=1 -i s=0 -i step=0 -i limit=1 --max-memory 1M
}

# number FILE.npy SHAPE TYPE VALUE: writes a tensor file.
number() {
  echo "<net name=\"n\" version=\"11\"><layers>$(parameter 0 x "$2" "$3")$(result 1 y)</layers>$(edges 0:0-1:0)</net>" >n.xml
  "$IRRUN" n.xml -i "$4" -q --output "$1"
}

@test "a Loop without end is stopped by --max-time, in a run, a measurement and a test" {
  mkdir -p cases/test_data_set_0
  loop_model cases/model.xml
  for more in "--max-time 0.2" "--max-time 200ms" "--max-time 0.2 --bench=1"; do
    # shellcheck disable=SC2086 # $more is several options
    refuses 6 "it may take 0.2 s, as --max-time says [IR705 run-stopped]" cases/model.xml -i n=-1 -i go=1 -i s=0 -i step=0 -i limit=1 $more
    # The time runs out within a step of the body or between two iterations.
    case $stderr in
    *", step "*"note: layer 'loop' > '"* | *" s, in Loop: "*"note: layer 'loop' (id 5, Loop-5)"*) ;;
    *) says ", step " "$stderr" ;;
    esac
    says "hint: if it is meant to take longer: --max-time 2" "$stderr"
    says "that was in iteration " "$stderr"
  done
  gives "last f32[1] 4 all f32[2] 2 4 numbers i64[2] 0 1" cases/model.xml -i n=2 -i go=1 -i s=0 -i step=2 -i limit=100 --max-time 60
  number cases/test_data_set_0/input_0.npy "" i64 -1
  number cases/test_data_set_0/input_1.npy "" boolean 1
  number cases/test_data_set_0/input_2.npy 1 f32 0
  number cases/test_data_set_0/input_3.npy 1 f32 0
  number cases/test_data_set_0/input_4.npy 1 f32 1
  irrun --test --update --max-time 0.2 cases
  ends 6
  says "IR705" "$output"
}

@test "a Loop that is sure to run too often is refused before it runs" {
  printf '\1' >sure.bin
  cat >sure.xml <<EOF
<net name="sure" version="11"><layers>
$(parameter 0 n "" i64)$(parameter 1 go "" boolean)$(parameter 2 x 1 f32)
$(layer 3 loop Loop-5 "" 3 FP32)<port_map>$(input 2 0)$(output -1 4 'purpose="execution_condition"')$(output 3 3)</port_map>
<back_edges>$(back 3 0)</back_edges>
<body><layers>$(parameter 0 p 1 f32)$(layer 1 true Const-1 'element_type="boolean" shape="" offset="0" size="1"' 0 BOOL)
$(layer 2 twice Add-1 "" 2 FP32)$(result 3 q)$(result 4 again)</layers>
$(edges 0:0-2:0 0:0-2:1 2:2-3:0 1:0-4:0)</body></layer>
$(result 4 y)</layers>$(edges 0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0)</net>
EOF
  gives "y f32[1] 8" sure.xml -i n=3 -i go=1 -i x=1
  gives "y f32[1] 1" sure.xml -i n=1152921504606846976 -i go=0 -i x=1
  for n in -1 16777217 1152921504606846976; do
    refuses 6 "its body runs more than 16777216 times, which is as often as irrun runs one [IR004 limit-exceeded]" sure.xml -i n=$n -i go=1 -i x=1
  done
}

@test "parts of a Loop: their axis, their shapes, and no more of them than the input has" {
  loop_model loop.xml
  sed '/name="loop"/,/<\/port_map>/ s/internal_layer_id="7" axis="0"/internal_layer_id="7" axis="1"/' loop.xml >axis.xml
  refuses 3 "'axis' is 1; what the body gives is [1]" axis.xml -i n=2 -i go=1 -i s=0 -i step=2 -i limit=6
  sed 's/name="s" type="Parameter" version="opset1"><data shape="1"/name="s" type="Parameter" version="opset1"><data shape="..."/' axis.xml >open.xml
  refuses 5 "gives a part without the axis that parts are put together along" open.xml -i n=2 -i go=1 -i s=0 -i step=2 -i limit=6
  sed '0,/internal_layer_id="1" /s//internal_layer_id="1" axis="0" start="0" end="-1" stride="1" part_size="1" /
    s/\(name="step".*shape="\)1"/\12"/' loop.xml >sliced.xml
  gives "last f32[1] 11 all f32[2] 1 11 numbers i64[2] 0 1" sliced.xml -i n=2 -i go=1 -i s=0 -i step=1,10 -i limit=100
  refuses 5 "iteration 2 needs a part that its input does not have" sliced.xml -i n=3 -i go=1 -i s=0 -i step=1,10 -i limit=100
}

# grow_model FILE SLICES: writes a Loop that adds a number x to s in each of 3 iterations, and outputs s after each.
grow_model() {
  printf '\3\0\0\0\0\0\0\0\1' >"${1%.xml}.bin"
  cat >"$1" <<EOF
<net name="grow" version="11"><layers>
$(parameter 0 x 1 f32)$(parameter 1 s "?" f32)
$(layer 2 three Const-1 'element_type="i64" shape="" offset="0" size="8"' 0 I64)
$(layer 3 go Const-1 'element_type="boolean" shape="" offset="8" size="1"' 0 BOOL)
$(layer 4 grow Loop-5 "" 4 FP32)
<port_map>$(input 2 0)$(input 3 1)$(output -1 5 'purpose="execution_condition"')$(output 4 3 "$2")</port_map>
<back_edges>$(back 3 1)</back_edges>
<body><layers>$(parameter 0 x 1 f32)$(parameter 1 s "?" f32)$(layer 2 join Concat-1 'axis="0"' 2 FP32)$(result 3 r)
$(layer 4 more Const-1 'element_type="boolean" shape="" offset="8" size="1"' 0 BOOL)$(result 5 again)</layers>
$(edges 1:0-2:0 0:0-2:1 2:2-3:0 4:0-5:0)</body></layer>
$(result 5 y)</layers>$(edges 2:0-4:0 3:0-4:1 0:0-4:2 1:0-4:3 4:4-5:0)</net>
EOF
}

@test "parts of a Loop have several sizes, also if the first has the size in the port map" {
  for size in 1 2; do
    grow_model grow.xml 'axis="0" start="0" end="-1" stride="1" part_size="'$size'"'
    gives "y f32[9] 9 5 9 5 5 9 5 5 5" grow.xml -i x=5 -i s=9
    grow_model grow.xml 'axis="0" start="-1" end="0" stride="-1" part_size="'$size'"'
    gives "y f32[9] 9 5 5 5 9 5 5 9 5" grow.xml -i x=5 -i s=9
  done
}

@test "parts along an inner axis" {
  array 2,3
  iterator_model sums.xml "$FORWARD" "$FORWARD" 2,3 2,1
  sed -i 's/shape="1,1"/shape="2,1"/g' sums.xml
  gives "all f32[2,3] 0 1 3 3 7 12 last f32[2,1] 3 12" sums.xml -i x=x.npy -i s=0,0
  iterator_model sums.xml "$FORWARD" "$BACKWARD" 2,3 2,1
  sed -i 's/shape="1,1"/shape="2,1"/g' sums.xml
  gives "all f32[2,3] 3 1 0 12 7 3 last f32[2,1] 3 12" sums.xml -i x=x.npy -i s=0,0
}

@test "TensorIterator takes parts forward and backward, and its back edge brings the sum" {
  iterator_model forward.xml "$FORWARD"
  gives "all f32[1,4] 11 13 16 20 last f32[1,1] 20" forward.xml -i x=1,2,3,4 -i s=10
  iterator_model backward.xml "$BACKWARD"
  gives "all f32[1,4] 20 19 17 14 last f32[1,1] 20" backward.xml -i x=1,2,3,4 -i s=10
  iterator_model turned.xml "$BACKWARD" "$FORWARD"
  gives "all f32[1,4] 14 17 19 20 last f32[1,1] 20" turned.xml -i x=1,2,3,4 -i s=10
}

@test "TensorIterator over an input that the run gives: of several sizes, without a column, without the axis" {
  iterator_model any.xml "$FORWARD" "$FORWARD" "..." "?,1"
  array 1,2
  gives "all f32[1,2] 10 11 last f32[1,1] 11" any.xml -i x=x.npy -i s=10
  array 2
  refuses 5 "iteration 0 needs a part that its input does not have" any.xml -i x=x.npy -i s=10
  iterator_model none.xml "$FORWARD" "$FORWARD" "1,?"
  array 1,0
  gives "all f32[1,0] last f32[1,1] 10" none.xml -i x=x.npy -i s=10
  iterator_model zeros.xml "$FORWARD" "$FORWARD" "2..,?" "2..,1"
  sed -i 's|<back_edges>.*</back_edges>||' zeros.xml
  array 2,0
  gives "all f32[2,0] last f32[2,1] 0 0" zeros.xml -i x=x.npy -i s=10 # the iterations give last two rows or more
}

@test "a variable begins with zeros, or with the input of its ReadValue" {
  state_model state.xml
  gives "y f32[2] 1 2" state.xml -i x=1,2
  irrun --bench=3 state.xml -i x=1,2
  ends 0
  sed 's/\(type="ReadValue".*\)/\1<input><port id="0"\/><\/input>/; s/<port id="0" precision="FP32"\/><\/output>$/<port id="1" precision="FP32"\/><\/output>/
    s/from-layer="1" from-port="0" to-layer="2"/from-layer="1" from-port="1" to-layer="2"/
    s/<edges>/<edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"\/>/' state.xml >first.xml
  gives "y f32[2] 2 4" first.xml -i x=1,2
}

@test "a variable may grow, and then differs in shape from the input of its ReadValue" {
  cat >grows.xml <<EOF
<net name="grows" version="11"><layers>
$(parameter 0 x "?" f32)$(layer 1 before ReadValue-6 'variable_id="v" variable_type="f32" variable_shape="?"' 1 FP32)
$(layer 2 both Concat-1 'axis="0"' 2 FP32)$(layer 3 keep Assign-6 'variable_id="v"' 1 FP32)$(result 4 y)</layers>
$(edges 0:0-1:0 1:1-2:0 0:0-2:1 2:2-3:0 2:2-4:0)</net>
EOF
  gives "y f32[4] 1 2 1 2" grows.xml -i x=1,2
  irrun --bench=3 grows.xml -i x=1,2
  ends 0
}

@test "NonZero feeds a Reshape" {
  found_model found.xml
  gives "y i64[6] 0 1 1 1 0 2" found.xml -i x=0,1,0,2,0,3
  gives "y i64[0]" found.xml -i x=0,0,0,0,0,0
  sed -i '/name="x"/s/shape="2,3"/shape=""/' found.xml
  gives "y i64[1] 0" found.xml -i x=5
}

@test "--save-all, --expect and --profile of a model that is run in stages" {
  found_model found.xml
  irrun found.xml -i x=0,1,0,2,0,3 -q --save-all all.npz
  ends 0
  irrun found.xml -i x=0,1,0,2,0,3 --expect all.npz
  ends 0
  says "found.xml: 4 of 4 tensors match" "$output"
  irrun found.xml -i x=0,1,0,0,2,3 --expect all.npz
  ends 1
  says "layer 'x' diverges in 2 of 6 elements" "$stderr"
  irrun found.xml -i x=0,1,0,2,0,3 --profile
  ends 0
  says "minus  Negative-1" "$output"
  says "found  NonZero-3" "$output"
}

@test "--save-all, --expect and --profile of a model with bodies" {
  loop_model loop.xml
  irrun loop.xml -i n=2 -i go=1 -i s=0 -i step=2 -i limit=100 -q --save-all all.npz
  ends 0
  irrun loop.xml -i n=2 -i go=1 -i s=0 -i step=2 -i limit=100 --expect all.npz
  ends 0
  says "loop.xml: 8 of 8 tensors match" "$output"
  irrun loop.xml -i n=2 -i go=1 -i s=0 -i step=3 -i limit=100 --expect all.npz
  ends 1
  irrun loop.xml -i n=2 -i go=1 -i s=0 -i step=2 -i limit=100 --profile
  ends 0
  says "loop          Loop-5" "$output"
}

# profiled ARGUMENT...: prints the layer, kernel and number of calls of each step of a profile. Checks that the shares of
# the model's own layers add up to at most the whole.
profiled() {
  irrun "$@" --profile --json
  ends 0
  awk -F '\t+' '/"(name|inside|kernel|calls|share)":/ {
      value = $3
      gsub(/[",]/, "", value)
      if ($2 == "\"name\":") name = value
      if ($2 == "\"inside\":") inside = value
      if ($2 == "\"kernel\":") kernel = value
      if ($2 == "\"calls\":") print inside, name, kernel, value
      if ($2 == "\"share\":" && inside == "[]") sum += value
    }
    END { exit sum > 1.001 }' <<<"$output"
}

@test "--profile sums the steps of bodies over the iterations" {
  loop_model loop.xml
  diff - <(profiled loop.xml -i n=7 -i go=1 -i s=0 -i step=2 -i limit=100) <<'EOF'
[] loop Loop 1
[loop] grow add_f32 7
[loop] same abs_i64 7
[loop] below less_f32 7
EOF
  irrun loop.xml -i n=7 -i go=1 -i s=0 -i step=2 -i limit=100 --profile=trace.json
  ends 0
  [[ $output =~ "loop > grow   Add-1   add_f32 ("[a-z0-9]+") 7 times " ]]
  [ "$(grep -c '"ph":' trace.json)" -eq 1 ] # the times of bodies are sums
  irrun loop.xml -i n=7 -i go=1 -i s=0 -i step=2 -i limit=1 --profile
  ends 0
  says "loop > grow" "$output"
  says_not " times " "$output"
  iterator_model products.xml 'axis="1" part_size="1"'
  sed -i 's/type="Add"/type="MatMul"/' products.xml
  irrun products.xml --fill ones --profile --json
  ends 0
  [ "$(sed -n '/"profile":/,$s/^\t*"macs":\t//p' <<<"$output" | tr -d '\n')" = 0,4, ]
}

@test "--profile says which body of an If ran" {
  if_model if.xml
  diff - <(profiled if.xml -i c=1 -i x=1,2,3) <<'EOF'
[] branch If_then 1
[branch] twice add_f32 1
EOF
  diff - <(profiled if.xml -i c=0 -i x=1,2,3) <<'EOF'
[] branch If_else 1
[branch] square multiply_f32 1
[branch] cube multiply_f32 1
EOF
}

@test "--profile sums the steps of nested bodies, and of iterations with other shapes" {
  nested_model nested.xml
  irrun nested.xml -i n=2 -i m=3 -i go=1 -i s=1 -q --profile
  ends 0
  diff - <(profiled nested.xml -i n=2 -i m=3 -i go=1 -i s=1) <<'EOF'
[] outer Loop 1
[outer] inner Loop 2
[outer inner] twice add_f32 6
[outer] join join 2
EOF
}

@test "a layer whose output shape its computation tells is checked against the shapes that the run gives" {
  cat >nms.xml <<EOF
<net name="nms" version="11"><layers>
$(parameter 0 boxes "?,?,4" f32)$(parameter 1 scores "?,?,?" f32)$(parameter 2 n "" i64)$(parameter 3 t "" f32)
$(layer 4 nms NonMaxSuppression-9 'box_encoding="corner"' 5 I64 FP32 I64)$(result 5 y)</layers>
$(edges 0:0-4:0 1:0-4:1 2:0-4:2 3:0-4:3 3:0-4:4 4:5-5:0)</net>
EOF
  array 1,2,4
  cp x.npy boxes.npy
  array 1,1,2
  gives "y i64[1,3] 0 0 1" nms.xml -i boxes=boxes.npy -i scores=x.npy -i n=1 -i t=0.5
  array 1,1,3
  refuses 5 "input 1 ('scores') has 3 on axis 2" nms.xml -i boxes=boxes.npy -i scores=x.npy -i n=1 -i t=0.5
}

@test "what the outputs of a layer that runs alone take is held up by --max-memory" {
  found_model found.xml
  sed 's/shape="2,3"/shape="400000"/; s/f32/i8/g; s/FP32/I8/' found.xml >many.xml
  cp found.bin many.bin
  refuses 6 "the outputs, with what the run holds, take 3600000 bytes" many.xml --fill ones --max-memory 2M
  sed 's/400000/2000000/; s/from-layer="1" from-port="1" to-layer="2"/from-layer="0" from-port="0" to-layer="2"/' many.xml >more.xml
  cp found.bin more.bin
  refuses 6 "with what is needed here, the run takes at least " more.xml --fill ones --max-memory 8M
}

@test "the tables of a layer are held up by --max-memory" {
  cat >long.xml <<EOF
<net name="long" version="11"><layers>
$(parameter 0 x 1,1,1,2 f32)$(parameter 1 size 4 i64)
$(layer 2 resize Interpolate-11 'mode="cubic" shape_calculation_mode="sizes"' 2 FP32)$(result 3 y)</layers>
$(edges 0:0-2:0 1:0-2:1 2:2-3:0)</net>
EOF
  refuses 6 "with what is needed here, the run takes at least " long.xml --fill x=ones -i size=1,1,1,2000000 --max-memory 20M
  says "layer 'resize'" "$stderr"
}

@test "boxes without scores take no memory" {
  cat >none.xml <<EOF
<net name="none" version="11"><layers>
$(parameter 0 boxes 0,2147483648,4 f32)$(parameter 1 scores 0,1,2147483648 f32)$(parameter 2 n "" i64)$(parameter 3 t "" f32)
$(layer 4 nms NonMaxSuppression-9 'box_encoding="corner"' 5 I64 FP32 I64)$(result 5 y)</layers>
$(edges 0:0-4:0 1:0-4:1 2:0-4:2 3:0-4:3 3:0-4:4 4:5-5:0)</net>
EOF
  gives "y i64[0,3]" none.xml --fill boxes=zeros --fill scores=zeros -i n=1 -i t=0.5 --max-memory 1M
}
