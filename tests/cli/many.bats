# Tests that time grows with the size of what is read, not with its square.
load helpers

setup() {
  cd "$BATS_TEST_TMPDIR" || return 1
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
}

@test "an edit looks at the layouts of 40,000 outputs at once" {
  awk -v n=40000 '
    function port(id, inside) { return "<port id=\"" id "\" precision=\"FP32\"><dim>1</dim>" inside "</port>" }
    BEGIN {
      print "<net version=\"11\"><layers>"
      print "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"1\" element_type=\"f32\"/>"
      print "<output>" port(0) "</output></layer>"
      layout = "<rt_info><attribute name=\"layout\" version=\"0\" layout=\"[N,C]\"/></rt_info>"
      for (i = n + 1; i <= 2 * n; i++)
        print "<layer id=\"" i "\" name=\"r" i "\" type=\"Result\" version=\"opset1\"><input>" port(0) "</input></layer>"
      for (i = 1; i <= n; i++) {
        print "<layer id=\"" i "\" name=\"f" i "\" type=\"Floor\" version=\"opset1\"><input>" port(0) "</input>"
        print "<output>" port(1, layout) "</output></layer>"
      }
      print "</layers><edges>"
      for (i = 1; i <= n; i++) {
        print "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"" i "\" to-port=\"0\"/>"
        print "<edge from-layer=\"" i "\" from-port=\"1\" to-layer=\"" n + i "\" to-port=\"0\"/>"
      }
      print "</edges></net>"
    }' >layouts.xml
  output=$(ulimit -t 2 && "$IRRUN" layouts.xml -o out.xml --edit 'x: batch=2' 2>&1)
  says "out.xml" "$output"
}

@test "60,000 lines of a port map that name no layer are reported at once" {
  awk -v n=60000 '
    BEGIN {
      port = "<port id=\"0\" precision=\"FP32\"><dim>1</dim></port>"
      print "<net version=\"11\"><layers><layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">"
      print "<data shape=\"1\" element_type=\"f32\"/><output>" port "</output></layer>"
      print "<layer id=\"1\" name=\"t\" type=\"TensorIterator\" version=\"opset1\"><input>" port "</input><port_map>"
      for (i = 0; i < n; i++)
        print "<input external_port_id=\"0\" internal_layer_id=\"999999\"/>"
      print "</port_map><body><layers>"
      for (i = 0; i < n; i++) {
        print "<layer id=\"" i "\" name=\"p" i "\" type=\"Parameter\" version=\"opset1\">"
        print "<data shape=\"1\" element_type=\"f32\"/><output>" port "</output></layer>"
      }
      print "</layers><edges/></body></layer></layers>"
      print "<edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/></edges></net>"
    }' >map.xml
  output=$(ulimit -t 2 && ! "$IRRUN" --check-shapes map.xml --max-errors 1 2>&1)
  says "the body has no layer 999999" "$output"
}

@test "the port map of an old TensorIterator is read at once, however many edges its body has" {
  awk -v n=8000 -v lines=800 '
    function port(id) { return "<port id=\"" id "\"><dim>1</dim></port>" }
    function layer(id, type, inside) {
      print "<layer id=\"" id "\" name=\"n" id "\" type=\"" type "\" precision=\"FP32\">" inside "</layer>"
    }
    BEGIN {
      print "<net name=\"m\" version=\"6\"><layers>"
      layer(0, "Input", "<output>" port(0) "</output>")
      print "<layer id=\"1\" name=\"t\" type=\"TensorIterator\" precision=\"FP32\"><input>" port(0) "</input><output>"
      for (i = 1; i <= lines; i++)
        print port(i)
      print "</output><port_map><input external_port_id=\"0\" internal_layer_id=\"0\" internal_port_id=\"0\"/>"
      for (i = 1; i <= lines; i++)
        print "<output external_port_id=\"" i "\" internal_layer_id=\"0\" internal_port_id=\"1\"/>"
      print "</port_map><body><layers>"
      for (i = 0; i <= n; i++)
        layer(i, "ReLU", "<input>" port(0) "</input><output>" port(1) "</output>")
      print "</layers><edges>"
      for (i = 1; i <= n; i++)
        print "<edge from-layer=\"0\" from-port=\"1\" to-layer=\"" i "\" to-port=\"0\"/>"
      print "</edges></body></layer></layers>"
      print "<edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/></edges></net>"
    }' >old.xml
  output=$(ulimit -t 2 && "$IRRUN" --check-shapes -q old.xml)
  says "old.xml: ok, 8805 layers, 1 input, 800 outputs" "$output"
}
