# Tests the vector kernels of LSTM, GRU and RNN: results may differ from the plain kernel's only in the last digits.
load helpers

# recurrent TYPE BATCH LENGTH INPUT HIDDEN DIRECTIONS [ATTRIBUTE=VALUE...]: writes net.xml with inputs x, h, c, lengths,
# w, r and b. LENGTH 0 makes a cell, which has no lengths. With KIND=Const, w, r and b are constants.
recurrent() {
  local type=$1 batch=$2 length=$3 input=$4 hidden=$5 n=$6 gates=1 biases sizes="" step=""
  shift 6
  local data="hidden_size=\"$hidden\"" names="x h" attribute
  case $type in LSTM*) gates=4 names="x h c" ;; GRU*) gates=3 ;; esac
  biases=$gates
  for attribute in "$@"; do
    data+=" ${attribute%%=*}=\"${attribute#*=}\""
    [ "$attribute" != linear_before_reset=true ] || biases=4
  done
  if [ "$length" -gt 0 ]; then
    names+=" lengths" step="$length," sizes="$n,"
    case "$data" in *direction=*) ;; *) data+=" direction=\"$([ "$n" = 2 ] && echo bidirectional || echo forward)\"" ;; esac
  fi
  local name id=0 offset=0 shape kind bytes place element precision i ports="" edges="" outs=""
  {
    echo '<net name="net" version="11"><layers>'
    for name in $names w r b; do
      kind=Parameter
      case $name in
      x) shape="$batch,$step$input" ;;
      h | c) shape="$batch,$sizes$hidden" ;;
      lengths) shape=$batch ;;
      w) shape="$sizes$((gates * hidden)),$input" kind=${KIND:-Parameter} ;;
      r) shape="$sizes$((gates * hidden)),$hidden" kind=${KIND:-Parameter} ;;
      b) shape="$sizes$((biases * hidden))" kind=${KIND:-Parameter} ;;
      esac
      bytes=$((4 * ${shape//,/*})) place="" element=f32 precision=FP32
      [ "$name" != lengths ] || element=i64 precision=I64
      [ "$kind" = Parameter ] || place="offset=\"$offset\" size=\"$bytes\"" offset=$((offset + bytes))
      echo "<layer id=\"$id\" name=\"$name\" type=\"$kind\" version=\"opset1\"><data shape=\"$shape\" element_type=\"$element\" $place/>" \
        "<output><port id=\"0\" precision=\"$precision\"/></output></layer>"
      ports+="<port id=\"$id\" precision=\"$precision\"/>"
      edges+="<edge from-layer=\"$id\" from-port=\"0\" to-layer=\"50\" to-port=\"$id\"/>"
      id=$((id + 1))
    done
    for ((i = 20; i < 21 + (length > 0) + (gates == 4); i++)); do
      outs+="<port id=\"$i\" precision=\"FP32\"/>"
      edges+="<edge from-layer=\"50\" from-port=\"$i\" to-layer=\"$((i + 40))\" to-port=\"0\"/>"
      echo "<layer id=\"$((i + 40))\" name=\"out$i\" type=\"Result\" version=\"opset1\"><input><port id=\"0\" precision=\"FP32\"/></input></layer>"
    done
    echo "<layer id=\"50\" name=\"net\" type=\"$type\" version=\"opset${OPSET:-5}\"><data $data/><input>$ports</input><output>$outs</output></layer>"
    echo "</layers><edges>$edges</edges></net>"
  } >net.xml
  if [ "$offset" -gt 0 ]; then
    wide_model drawn.xml $((offset / 4))
    "$IRRUN" drawn.xml -q --fill=-0.3..0.3:1 --output net.bin
  fi
}

# agrees ARGUMENT...: checks that vector kernels run, give the same bytes on 1 to 3 threads, and differ from the plain
# kernel by at most 1e-5. States are up to 1, so 1e-5 is a relative bound too.
agrees() {
  local threads
  irrun net.xml --fill=-0.9..0.9:2 "$@" -q --kernels=plain --profile --output plain.npz
  ends 0
  says "recurrent (any)" "$output"
  irrun net.xml --fill=-0.9..0.9:2 "$@" -q --profile --threads 1 --expect plain.npz --rtol 0 --atol 1e-5 --output fast.npz
  ends 0
  says "recurrent.panels (" "$output"
  for threads in 2 3; do
    irrun net.xml --fill=-0.9..0.9:2 "$@" -q --threads $threads --output threads.npz
    ends 0
    cmp fast.npz threads.npz
  done
}

@test "a sequence of each kind, forward, reverse and in both directions" {
  for type in LSTMSequence GRUSequence RNNSequence; do
    recurrent $type 3 7 10 21 1
    agrees --input lengths=7,7,7
    recurrent $type 3 7 10 21 1 direction=reverse
    agrees --input lengths=7,7,7
    recurrent $type 3 7 10 21 2
    agrees --input lengths=7,7,7
  done
  recurrent GRUSequence 3 7 10 21 2 linear_before_reset=true
  agrees --input lengths=7,7,7
}

@test "sequences that are shorter than the input, and empty ones" {
  for type in LSTMSequence GRUSequence RNNSequence; do
    recurrent $type 4 6 5 33 2
    agrees --input lengths=6,0,3,1
  done
  recurrent GRUSequence 4 6 5 33 2 linear_before_reset=true
  agrees --input lengths=6,0,3,1
}

@test "a sequence that is longer than the input is refused" {
  recurrent LSTMSequence 3 4 3 2 1
  irrun net.xml --fill 1 --input lengths=4,5,4
  ends 5
  says "IR509" "$stderr"
}

@test "batches that are one block of lines, and several" {
  for batch in 1 8 16 17 40; do
    recurrent LSTMSequence $batch 9 6 16 1
    agrees --fill "lengths=9"
  done
}

# The weights are small, because large ones amplify rounding errors from step to step.
small=(--fill w=-0.05..0.05:3 --fill r=-0.05..0.05:4)

@test "more steps than have sums at once" {
  recurrent LSTMSequence 2 70 4 300 2
  agrees "${small[@]}" --input lengths=70,65
  recurrent GRUSequence 1 300 4 300 1
  agrees "${small[@]}" --input lengths=300
}

@test "work that threads share" {
  recurrent LSTMSequence 5 60 64 128 2
  agrees "${small[@]}" --input lengths=60,60,20,59,0
}

@test "clipped sums" {
  for type in LSTMSequence GRUSequence; do
    recurrent $type 3 7 10 21 1 clip=0.4
    agrees --input lengths=7,7,7
  done
}

@test "cells" {
  OPSET=4 recurrent LSTMCell 9 0 10 21 1
  agrees
  for reset in true false; do
    OPSET=3 recurrent GRUCell 9 0 10 21 1 linear_before_reset=$reset
    agrees
  done
  OPSET=3 recurrent RNNCell 9 0 10 21 1
  agrees
}

@test "a single line is for vectors where its weights are constants" {
  KIND=Const OPSET=4 recurrent LSTMCell 1 0 40 30 1
  agrees
  OPSET=4 recurrent LSTMCell 1 0 40 30 1
  irrun net.xml --fill=-0.9..0.9:2 -q --profile
  ends 0
  says "recurrent (any)" "$output"
}

@test "a batch of none" {
  KIND=Const recurrent LSTMSequence 0 7 10 21 1
  agrees --fill lengths=7
}

@test "other functions than the page's are the plain kernel's" {
  recurrent GRUSequence 3 7 10 21 1 activations=sigmoid,relu
  irrun net.xml --fill=-0.9..0.9:2 --input lengths=7,7,7 -q --profile
  ends 0
  says "recurrent (any)" "$output"
}

@test "halves are computed in floats" {
  recurrent LSTMSequence 3 7 10 21 2
  sed -i 's/element_type="f32"/element_type="f16"/g; s/FP32/FP16/g' net.xml
  irrun net.xml --fill=-0.9..0.9:2 --input lengths=7,3,0 -q --kernels=plain --output plain.npz
  ends 0
  irrun net.xml --fill=-0.9..0.9:2 --input lengths=7,3,0 -q --profile --expect plain.npz --rtol 0 --atol 1e-3
  ends 0
  says "recurrent.panels (" "$output"
}
