# Tests that time grows with the size of what is read, not with its square.
load helpers

setup() {
  cd "$BATS_TEST_TMPDIR" || return 1
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
}

@test "an edit looks at the layouts of 60,000 outputs at once" {
  awk -v n=60000 '
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
  output=$(ulimit -t 4 && "$IRRUN" layouts.xml -o out.xml --edit 'x: batch=2' 2>&1)
  says "out.xml" "$output"
}

@test "80,000 lines of a port map that name no layer are reported at once" {
  awk -v n=80000 '
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
  output=$(ulimit -t 3 && ! "$IRRUN" --check-shapes map.xml --max-errors 1 2>&1)
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

# spellings N FILE: prints N paths of the file.
spellings() {
  mkdir a b
  awk -v n="$1" -v name="$2" '
    BEGIN {
      for (i = 0; i < n; i++) {
        path = ""
        for (bit = 1; bit < n; bit *= 2)
          path = path (int(i / bit) % 2 ? "a/../" : "b/../")
        print path name
      }
    }'
}

@test "150,000 operands that repeat one of 4,000 models take no time" {
  pool_model p
  mapfile -t paths < <(spellings 4000 p && awk 'BEGIN { for (i = 0; i < 150000; i++) print "p" }')
  output=$(ulimit -t 2 && "$IRRUN" --check-shapes "${paths[@]}" | wc -l)
  [ "$output" = 4001 ]
}

@test "a check of 2,500 models with 87,500 faults does not sort all faults for each model" {
  awk 'BEGIN {
    print "<net name=\"m\" version=\"11\"><layers>"
    for (i = 0; i < 12; i++)
      print "<layer id=\"7\" name=\"n" i "\" type=\"Parameter\" version=\"opset1\"/>"
    print "</layers><edges/></net>"
  }' >faulty.xml
  mapfile -t paths < <(spellings 2500 faulty.xml)
  output=$(ulimit -t 3 && ! "$IRRUN" --check-shapes -qq "${paths[@]}" 2>&1)
  says "87450 more errors not shown" "$output"
}

@test "--test --update finds the folders of 1,400 operands once" {
  tensors
  mkdir {d,e}{1..700}
  for i in d e; do
    tee "$i"{1..700}/m.xml <pool.xml >/dev/null
    tee "$i"{1..700}/input.npy <x.npy >/dev/null
  done
  output=$(ulimit -t 4 && "$IRRUN" --test --update -q d* e*)
  says "1400 cases: 1400 updated" "$output"
}

@test "the boxes of a PriorBox are counted without a loop over 10^12 of them" {
  awk -v n=60000 '
    function list(item, text, i) {
      for (i = 0; i < n; i++)
        text = text (i > 0 ? "," : "") item
      return text
    }
    function parameter(id, name) {
      print "<layer id=\"" id "\" name=\"" name "\" type=\"Parameter\" version=\"opset1\">"
      print "<data shape=\"2\" element_type=\"i64\"/><output><port id=\"0\" precision=\"I64\"/></output></layer>"
    }
    BEGIN {
      print "<net version=\"11\"><layers>"
      parameter(0, "grid")
      parameter(1, "image")
      print "<layer id=\"2\" name=\"boxes\" type=\"PriorBox\" version=\"opset8\"><data offset=\"0\" variance=\"0.1\" step=\"0\""
      print "fixed_size=\"" list(5) "\" density=\"" list(4096) "\"/>"
      print "<input><port id=\"0\"/><port id=\"1\"/></input><output><port id=\"2\" precision=\"FP32\"/></output></layer>"
      print "<layer id=\"3\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer></layers><edges>"
      for (i = 0; i < 2; i++)
        print "<edge from-layer=\"" i "\" from-port=\"0\" to-layer=\"2\" to-port=\"" i "\"/>"
      print "<edge from-layer=\"2\" from-port=\"2\" to-layer=\"3\" to-port=\"0\"/></edges></net>"
    }' >boxes.xml
  output=$(ulimit -t 2 && ! "$IRRUN" boxes.xml --input grid=0,0 --input image=1,1 2>&1)
  says "IR004" "$output"
}
