# Tests models and layers of thousands of inputs, outputs or classes: time is in proportion to their number.
load helpers
load bodies

# inputs N: prints a model of N inputs and outputs.
inputs() {
  awk -v n="$1" '
    BEGIN {
      print "<net version=\"11\"><layers>"
      for (i = 0; i < n; i++) {
        print "<layer id=\"" 2 * i "\" name=\"x" i "\" type=\"Parameter\" version=\"opset1\">"
        print "<data shape=\"1\" element_type=\"f32\"/><output><port id=\"0\" precision=\"FP32\"/></output></layer>"
        print "<layer id=\"" 2 * i + 1 "\" name=\"y" i "\" type=\"Result\" version=\"opset1\">"
        print "<input><port id=\"0\"/></input></layer>"
      }
      print "</layers><edges>"
      for (i = 0; i < n; i++)
        print "<edge from-layer=\"" 2 * i "\" from-port=\"0\" to-layer=\"" 2 * i + 1 "\" to-port=\"0\"/>"
      print "</edges></net>"
    }'
}

@test "a model of 40,000 inputs and outputs runs at once, and one of 10,000 against itself" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  inputs 40000 >inputs.xml
  output=$(ulimit -t 2 && "$IRRUN" inputs.xml --fill ones -q)
  says "y39999  f32[1]  min 1" "$output"
  inputs 10000 >inputs.xml
  output=$(ulimit -t 4 && "$IRRUN" inputs.xml --fill ones -q --against inputs.xml)
  says "inputs.xml: 10000 of 10000 outputs match" "$output"
}

@test "of 40,000 inputs, statistics and checks are made at once" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  local option
  inputs 40000 >inputs.xml
  for option in --stats --assert-finite --save-all=all.npz; do
    (ulimit -t 3 && "$IRRUN" inputs.xml --fill ones -q "$option" >out)
    grep -q "^y39999  f32\[1\]  min 1" out
  done
}

@test "boxes of 40,000 classes are written at once" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  local most
  for most in -1 300000; do # of 400,000 boxes
    cat >detect.xml <<END
<net name="detect" version="11"><layers>
$(parameter 0 deltas 1,40 f32)$(parameter 1 scores 1,400000 f32)$(parameter 2 priors 1,1,40 f32)
$(layer 3 detect DetectionOutput-8 "keep_top_k=\"$most\" nms_threshold=\"1\" normalized=\"true\" variance_encoded_in_target=\"true\" background_label_id=\"-1\"" 3 FP32)
$(result 4 y)</layers>$(edges 0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0)</net>
END
    (ulimit -t 3 && "$IRRUN" detect.xml --fill ones -q >out)
    grep -q '^y  f32\[1,1,' out
  done
}
