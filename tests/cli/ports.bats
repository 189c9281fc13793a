# Tests models and layers of thousands of inputs and outputs: time is in proportion to their number.
load helpers

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
