# Tests ops of the newest opsets, and inputs, that the reference runtime cannot run yet. Expected numbers are computed
# by hand.
load helpers

# model TYPE VERSION DATA OUTPUTS INPUT...: writes m.xml with one layer. INPUTs, such as "f32 2,3", are named a, b, c..;
# the outputs are y0, y1..
model() {
  local type=$1 version=$2 data=$3 outputs=$4 edges='' layers='' ports='' names=(a b c d e f) n=0 o
  shift 4
  for input in "$@"; do
    layers+="<layer id='$n' name='${names[n]}' type='Parameter' version='opset1'>"
    layers+="<data element_type='${input% *}' shape='${input#* }'/><output><port id='0' precision='${input% *}'/></output></layer>"
    ports+="<port id='$n'/>"
    edges+="<edge from-layer='$n' from-port='0' to-layer='9' to-port='$n'/>"
    n=$((n + 1))
  done
  layers+="<layer id='9' name='op' type='$type' version='$version'>$data<input>$ports</input><output>"
  for ((o = 0; o < outputs; o++)); do layers+="<port id='$((10 + o))' precision='${1% *}'/>"; done
  layers+="</output></layer>"
  for ((o = 0; o < outputs; o++)); do
    layers+="<layer id='$((20 + o))' name='y$o' type='Result' version='opset1'><input><port id='0' precision='${1% *}'/></input></layer>"
    edges+="<edge from-layer='9' from-port='$((10 + o))' to-layer='$((20 + o))' to-port='0'/>"
  done
  echo "<net name='m' version='11'><layers>$layers</layers><edges>$edges</edges></net>" >m.xml
}

# gives FORMAT NUMBERS OPTION...: checks that the run's only output has these numbers. FORMAT is od's format of an
# element: f8, d4, u1..
gives() {
  local format=$1 numbers=$2
  shift 2
  irrun m.xml "$@" -o y.raw
  ends 0
  [ "$(od -An -v -t "$format" y.raw | xargs)" = "$numbers" ]
}

@test "ErfInv: an inverse of erf, infinite at 1, NaN beyond" {
  model ErfInv opset17 '' 1 'f64 7'
  gives f8 "0 0.4769362762044699 -0.4769362762044699 1 inf -inf nan" -i a=0,0.5,-0.5,0.8427007929497149,1,-1,2
}

@test "GroupedMatMul: rows of groups, and a matrix for each" {
  model GroupedMatMul opset17 '' 1 'f32 4,2' 'f32 2,1,2' 'i64 2'
  gives f4 "21 4300 6500 0" -i a=1,2,3,4,5,6,7,8 -i b=1,10,100,1000 -i c=1,3
  gives f4 "2100 4300 6500 8700" -i a=1,2,3,4,5,6,7,8 -i b=1,10,100,1000 -i c=0,4
  irrun m.xml -i a=1,2,3,4,5,6,7,8 -i b=1,10,100,1000 -i c=3,2
  ends 5
  says "element 1 of 'offsets' is 2; expected one from 3 to 4 [IR509 index-out-of-range]" "$stderr"
  model GroupedMatMul opset17 '' 1 'i32 2,1,2' 'i32 2,2,2'
  gives d4 "1 2 7 14" -i a=1,2,3,4 -i b=1,0,0,1,1,1,2,2
}

@test "GroupedMatMul: rows without offsets, and other sizes, are at fault" {
  model GroupedMatMul opset17 '' 1 'f32 4,2' 'f32 2,1,2'
  irrun --check-shapes m.xml
  ends 3
  says "'mat_a' of rank 2 needs 'offsets' [IR110" "$stderr"
  model GroupedMatMul opset17 '' 1 'f32 4,2' 'f32 2,1,3' 'i64 3'
  irrun --check-shapes m.xml
  ends 3
  says "2 errors" "$stderr"
}

@test "RGBtoNV12, BGRtoNV12: one plane and two" {
  model RGBtoNV12 opset17 '' 1 'u8 1,2,2,3'
  gives u1 "82 82 82 82 90 240" -i a=255,0,0,255,0,0,255,0,0,255,0,0
  model BGRtoNV12 opset17 "<data single_plane='false'/>" 2 'f32 1,2,2,3'
  irrun m.xml -i a=0,0,100,0,0,100,0,0,100,0,0,100 -o y.npz
  ends 0
  says "y0  f32[1,2,2,1]  min 41.7" "$output"
  says "y1  f32[1,1,1,2]  min 113.2" "$output"
  model RGBtoNV12 opset17 '' 2 'f32 1,3,2,3'
  irrun --check-shapes m.xml
  ends 3
  says "the picture's height is 3, expected an even number" "$stderr"
  says "has 2 outputs, expected 1" "$stderr"
}

@test "ScaledDotProductAttention: a sink takes its share of the softmax" {
  model ScaledDotProductAttention opset13 "<data causal='false'/>" 1 'f32 1,2,1' 'f32 1,1,1' 'f32 1,1,1' 'f32 1,2,1' 'f32 ' 'f32 1,2,1'
  gives f4 "4 8" -i a=0,0 -i b=0 -i c=8 -i d=0,0 -i e=1 -i f=0,-inf
  model ScaledDotProductAttention opset13 "<data causal='false'/>" 1 'f32 1,2,1' 'f32 1,1,1' 'f32 1,1,1' 'f32 1,2,1' 'f32 ' 'f32 2,1'
  irrun --check-shapes m.xml
  ends 3
}
