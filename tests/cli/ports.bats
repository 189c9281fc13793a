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

# loop_of FILE N TRIPS: writes a Loop with N inputs, back edges and outputs, each through a ReLU, and TRIPS iterations.
loop_of() {
  awk -v n="$2" '
    function port(id) { return "<port id=\"" id "\" precision=\"FP32\"><dim>4</dim></port>" }
    function layer(id, type, inside) {
      print "<layer id=\"" id "\" name=\"l" id "\" type=\"" type "\" version=\"opset5\">" inside "</layer>"
    }
    function edge(from, from_port, to, to_port) {
      return "<edge from-layer=\"" from "\" from-port=\"" from_port "\" to-layer=\"" to "\" to-port=\"" to_port "\"/>"
    }
    function parameter(id) {
      layer(id, "Parameter", "<data shape=\"4\" element_type=\"f32\"/><output>" port(0) "</output>")
    }
    function constant(id, data, precision) {
      layer(id, "Const", "<data shape=\"\" " data "/><output><port id=\"0\" precision=\"" precision "\"/></output>")
    }
    BEGIN {
      print "<net name=\"loop\" version=\"11\"><layers>"
      parameter(0)
      constant(1, "element_type=\"i64\" offset=\"0\" size=\"8\"", "I64")
      constant(2, "element_type=\"boolean\" offset=\"8\" size=\"1\"", "BOOL")
      print "<layer id=\"3\" name=\"loop\" type=\"Loop\" version=\"opset5\"><input><port id=\"0\"/><port id=\"1\"/>"
      for (i = 0; i < n; i++)
        print port(i + 2)
      print "</input><output>"
      for (i = 0; i < n; i++)
        print port(n + 2 + i)
      print "</output><port_map><output external_port_id=\"-1\" internal_layer_id=\"1\" purpose=\"execution_condition\"/>"
      for (i = 0; i < n; i++)
        print "<input external_port_id=\"" i + 2 "\" internal_layer_id=\"" 3 * i + 2 "\"/>" \
              "<output external_port_id=\"" n + 2 + i "\" internal_layer_id=\"" 3 * i + 4 "\"/>"
      print "</port_map><back_edges>"
      for (i = 0; i < n; i++)
        print "<edge from-layer=\"" 3 * i + 4 "\" to-layer=\"" 3 * i + 2 "\"/>"
      print "</back_edges><body><layers>"
      constant(0, "element_type=\"boolean\" offset=\"8\" size=\"1\"", "BOOL")
      layer(1, "Result", "<input><port id=\"0\" precision=\"BOOL\"/></input>")
      for (i = 0; i < n; i++) {
        parameter(3 * i + 2)
        layer(3 * i + 3, "ReLU", "<input>" port(0) "</input><output>" port(1) "</output>")
        layer(3 * i + 4, "Result", "<input>" port(0) "</input>")
      }
      print "</layers><edges>" edge(0, 0, 1, 0)
      for (i = 0; i < n; i++)
        print edge(3 * i + 2, 0, 3 * i + 3, 0) edge(3 * i + 3, 1, 3 * i + 4, 0)
      print "</edges></body></layer>"
      for (i = 0; i < n; i++)
        layer(i + 4, "Result", "<input>" port(0) "</input>")
      print "</layers><edges>" edge(1, 0, 3, 0) edge(2, 0, 3, 1)
      for (i = 0; i < n; i++)
        print edge(0, 0, 3, i + 2) edge(3, n + 2 + i, i + 4, 0)
      print "</edges></net>"
    }' >"$1"
  # shellcheck disable=SC2059 # the number of iterations is an octal escape
  printf "\\$(printf %o "$3")\0\0\0\0\0\0\0\1" >"${1%.xml}.bin"
}

@test "results of a Loop of 8,000 inputs and outputs are checked at once" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  loop_of loop.xml 8000 2
  (ulimit -t 3 && "$IRRUN" loop.xml --fill ones -q --assert-finite >out)
  grep -q '^l8003  f32\[4\]  min 1' out
}

@test "the port maps of two Loops of 8,000 inputs and outputs are compared at once" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  loop_of loop.xml 8000 2
  output=$(ulimit -t 3 && "$IRRUN" loop.xml --diff loop.xml -q)
  says "no difference" "$output"
}

@test "a Loop of 20,000 inputs and outputs is checked and run at once, also with statistics and a profile" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  local trips option
  for trips in 0 2; do
    loop_of loop.xml 20000 $trips
    (ulimit -t 2 && "$IRRUN" loop.xml --fill ones -q >out)
    grep -q '^l20003  f32\[4\]  min 1' out
  done
  for option in --stats --profile; do
    (ulimit -t 3 && "$IRRUN" loop.xml --fill ones -q "$option" >out)
    grep -q '^l20003  f32\[4\]  min 1' out
  done
}
