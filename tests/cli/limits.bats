# Tests inputs written on the command line, --assert-output, --fail-above, and the peak memory of reading.
load helpers

@test "numbers as an input are row-major in its type and shape" {
  tensors
  irrun pool.xml --input x=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect y.npy
  ends 0
  irrun pool.xml --input '0, 1,2,3,4,5,6,7,8,9,10,11,12,13,1.4e1,+15.0' --expect y.npy
  ends 0
  irrun pool.xml -q --input 1,2,3
  ends 5
  says "input 'x' gets 3 numbers, expected as many as [1,1,4,4] has [IR503 input-shape-differs]" "$stderr"
  irrun pool.xml -q --input x=1,2,3 --input x=x.npy
  ends 2
  says "input 'x' is given twice: '1,2,3' and 'x.npy'" "$stderr"
}

@test "numbers tell the size that a model leaves open" {
  wide_model wide.xml '?'
  irrun wide.xml --input x=-1,-2.5,3
  ends 0
  [ "${lines[0]}" = "y  f32[3]  min 1  mean 2.16667  max 3" ]
  irrun wide.xml --input nan,-inf
  says "y  f32[2]  nan 1  inf 1" "$output"
  wide_model wide.xml '2,?'
  irrun wide.xml -q --input x=1,2,3
  ends 5
  says "gets 3 numbers, expected as many as [2,?] has" "$stderr"
  irrun wide.xml -q --input x=1,2,3,4 --assert-output 'f32[2,2]'
  ends 0
  wide_model wide.xml '?,?'
  irrun wide.xml -q --input x=1,2
  ends 5
  says "hint: say how large it is with --shape" "$stderr"
  irrun wide.xml -q --input x=1,2 --shape 2,1 --assert-output '[2,1]'
  ends 0
}

@test "a number that the type does not have is IR504" {
  sed 's/AvgPool/MaxPool/; s/ exclude-pad="true"//; s/f32/u8/; s/FP32/U8/' <(pool_model /dev/stdout 4 1) >max.xml
  irrun max.xml --input 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,255
  ends 0
  says "255" "$output"
  for number in 256 -1 0.5 nan; do
    irrun max.xml --input 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,$number
    ends 5
    says "number 15 of input 'x' is $number, and u8 has no such number [IR504 input-type-differs]" "$stderr"
  done
}

@test "behind @ stands a file, whatever its name" {
  tensors
  cp x.npy 7
  cp x.npy @8
  irrun pool.xml --input x=@x.npy --expect y.npy
  ends 0
  irrun pool.xml --input @7 --expect y.npy
  ends 0
  irrun pool.xml --input x=@@8 --expect y.npy
  ends 0
  irrun pool.xml --input x=7 --expect y.npy
  ends 5
  says "input 'x' gets 1 number, expected" "$stderr"
}

@test "--assert-output: type, sizes, intervals, in a check and in a run" {
  tensors
  for value in 'f32[1,1,2,2]' 'y=f32[1,?,2,1..2]' '[1,1,2,2]' 'y=f32' 'f32[...]'; do
    irrun --check-shapes -q pool.xml --assert-output "$value"
    ends 0
    irrun -q pool.xml --input x.npy --assert-output "$value"
    ends 0
  done
  irrun --check-shapes -q pool.xml --assert-output 'f32[1,1,2]'
  ends 1
  says "pool.xml:12:5: error: output 'y' is f32[1,1,2,2], expected f32[1,1,2] [IR606 output-not-as-asserted]" "$stderr"
  [ "$output" = "pool.xml: differs, 3 layers, 1 input, 1 output" ]
  irrun -q pool.xml --input x.npy --assert-output 'y=f16'
  ends 1
  says "output 'y' is f32[1,1,2,2], expected f16" "$stderr"
  irrun -q pool.xml --input x.npy --assert-output 'z=f32'
  ends 5
  says "the model has no output 'z'" "$stderr"
  for value in 'y=' 'y=f33' '[1,x]' 'f32[1'; do
    irrun --check-shapes -q pool.xml --assert-output "$value"
    ends 2
    says "is asserted, expected a type and shape as" "$stderr"
  done
  two_model two.xml
  irrun --check-shapes -q two.xml --assert-output f32
  ends 2
  says "the model has 2, say which one it is" "$stderr"
  irrun --check-shapes -q two.xml --assert-output ay=f32 --assert-output 'by=[1,1,2,3]'
  ends 1
  says "output 'by' is" "$stderr"
}

@test "--assert-output: an open size is not the stated one" {
  wide_model wide.xml '1..4'
  irrun --check-shapes -q wide.xml --assert-output '[1..9]'
  ends 0
  irrun --check-shapes -q wide.xml --assert-output '[3]'
  ends 1
  says "hint: sizes that the model leaves open are told by --shape, or by the inputs of a run" "$stderr"
  irrun --check-shapes -q wide.xml --shape 3 --assert-output '[3]'
  ends 0
  irrun -q wide.xml --fill ones --shape 3 --assert-output '[3]'
  ends 0
  irrun -q wide.xml --input 1,2,3,4 --assert-output '[3]'
  ends 1
  says "output 'y' is f32[4], expected [3]" "$stderr"
}

@test "--fail-above: the median decides" {
  tensors
  irrun --bench=9 -q pool.xml --fail-above 100s
  ends 0
  irrun --bench=9 -q pool.xml --fail-above 1ns
  ends 1
  says "pool.xml: error: a run takes " "$stderr"
  says ", the median of 9, expected at most 1 ns [IR607 slower-than-limit]" "$stderr"
  says "pool.xml  " "$output"
  for time in 5 0ms 1m -1s ms 1e3ns 99999999999s; do
    irrun --bench=9 -q pool.xml --fail-above=$time
    ends 2
    says "'--fail-above $time': needs a time above 0, as 5ms, 300us or 0.3s" "$stderr"
  done
  irrun --bench=9 -q pool.xml --fail-above 1ns --fail-above 100s
  ends 1
  irrun -q pool.xml --fill iota --fail-above 1s
  ends 2
  says "'--fail-above 1s': needs a measure and a number" "$stderr"
}

@test "--assert-output that cannot be read: nothing is computed and written" {
  tensors
  for value in 'y=f32[1,]' 'z=f32'; do
    irrun pool.xml --input x.npy --assert-output "$value" --output out.npy
    [ "$status" -ne 0 ]
    [ -z "$output" ]
    [ ! -e out.npy ]
  done
}

# relus N NAMES: prints an IR of N ReLUs as OpenVINO writes it. Each has NAMES tensor names.
relus() {
  awk -v n="$1" -v n_names="$2" '
    function port(side, id, names) {
      return "\t\t\t<" side ">\n\t\t\t\t<port id=\"" id "\" precision=\"FP32\"" names ">\n" \
        "\t\t\t\t\t<dim>1</dim>\n\t\t\t\t</port>\n\t\t\t</" side ">\n"
    }
    function layer(id, type, data, ports) {
      printf "\t\t<layer id=\"%d\" name=\"layer%d\" type=\"%s\" version=\"opset1\">\n%s%s\t\t</layer>\n", id, id, type, data, ports
    }
    BEGIN {
      print "<?xml version=\"1.0\"?>\n<net name=\"m\" version=\"11\">\n\t<layers>"
      layer(0, "Parameter", "\t\t\t<data shape=\"1\" element_type=\"f32\" />\n", port("output", 0, ""))
      for (i = 1; i <= n; i++) {
        names = ""
        for (k = 1; k <= n_names; k++)
          names = names (k > 1 ? "," : "") "tensor" i "_" k
        layer(i, "ReLU", "", port("input", 0, "") port("output", 1, names == "" ? "" : " names=\"" names "\""))
      }
      layer(n + 1, "Result", "", port("input", 0, ""))
      print "\t</layers>\n\t<edges>"
      for (i = 0; i <= n; i++)
        printf "\t\t<edge from-layer=\"%d\" from-port=\"%d\" to-layer=\"%d\" to-port=\"0\" />\n", i, (i > 0), i + 1
      print "\t</edges>\n</net>"
    }'
}

# peak FILE: prints the KiB of memory that a check of the model takes at most.
peak() {
  "$STOPWATCH" 1 "$IRRUN" --check-shapes -q "$1" | cut -d' ' -f2
}

@test "reading takes at most 4 bytes of memory for each byte of an IR" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers need memory of their own"
  relus 1 0 >small.xml
  relus 20000 0 >layers.xml
  relus 10000 26 >names.xml
  for model in layers names; do
    bytes=$((($(peak $model.xml) - $(peak small.xml)) * 1024))
    text=$(wc -c <$model.xml)
    echo "$model: $bytes bytes of memory, $text bytes of text"
    [ "$bytes" -gt $((text / 2)) ] # both peaks are those of irrun
    [ "$bytes" -le $((4 * text)) ]
  done
}

@test "of a large .npz member with a faulty header, only a part is read for its checksum" {
  wide_model wide.xml '?'
  for n in 1024 33554432; do # f32: 4 KiB and 128 MiB
    "$IRRUN" wide.xml --shape x=$n --fill zeros -q --output y.npz
    sed -i "s/(${n},)/($((n - 1)),)/" y.npz
    irrun wide.xml --input x=y.npz -q
    ends 5
    if [ $n -eq 1024 ]; then
      says "its checksum is wrong" "$stderr"
    else
      says "4 bytes too many: the header says f32[33554431]" "$stderr"
    fi
  done
}

# chain N [NAME]: prints an IR of N ReLUs, the last one first. All have the name NAME, or each has its own.
chain() {
  awk -v n="$1" -v name="$2" '
    function port(id) { return "<port id=\"" id "\" precision=\"FP32\"><dim>1</dim></port>" }
    function layer(id, type, name, inside) {
      print "<layer id=\"" id "\" name=\"" name "\" type=\"" type "\" version=\"opset1\">" inside "</layer>"
    }
    BEGIN {
      print "<net name=\"chain\" version=\"11\"><layers>"
      layer(n + 1, "Result", "y", "<input>" port(0) "</input>")
      for (i = n; i >= 1; i--)
        layer(i, "ReLU", name != "" ? name : "relu" i, "<input>" port(0) "</input><output>" port(1) "</output>")
      layer(0, "Parameter", "x", "<data shape=\"1\" element_type=\"f32\"/><output>" port(0) "</output>")
      print "</layers><edges>"
      for (i = 0; i <= n; i++)
        print "<edge from-layer=\"" i "\" from-port=\"" (i > 0) "\" to-layer=\"" i + 1 "\" to-port=\"0\"/>"
      print "</edges></net>"
    }'
}

@test "comparisons of models with many layers take seconds, in any order and with equal names" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  chain 12000 >last_first.xml
  chain 20000 relu >equal_names.xml
  timeout 10 "$IRRUN" --diff=last_first.xml last_first.xml
  "$IRRUN" last_first.xml --fill ones -q --save-all all.npz
  timeout 10 "$IRRUN" last_first.xml --fill ones -q --expect all.npz
  timeout 10 "$IRRUN" equal_names.xml --fill ones -q --against equal_names.xml
}

@test "a state of 4,000 variables is loaded and saved at once" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  awk -v n=4000 '
    function port(id) { return "<port id=\"" id "\" precision=\"FP32\"/>" }
    BEGIN {
      print "<net version=\"11\"><layers><layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">"
      print "<data shape=\"1\" element_type=\"f32\"/><output>" port(0) "</output></layer>"
      for (i = 0; i < n; i++) {
        id = "<data variable_id=\"v" i "\""
        print "<layer id=\"" 2 * i + 1 "\" name=\"r" i "\" type=\"ReadValue\" version=\"opset6\">" id
        print "variable_type=\"f32\" variable_shape=\"1\"/><input>" port(0) "</input>"
        print "<output>" port(1) "</output></layer>"
        print "<layer id=\"" 2 * i + 2 "\" name=\"a" i "\" type=\"Assign\" version=\"opset6\">" id "/>"
        print "<input>" port(0) "</input></layer>"
        edges = edges "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"" 2 * i + 1 "\" to-port=\"0\"/>"
        edges = edges "<edge from-layer=\"" 2 * i + 1 "\" from-port=\"1\" to-layer=\"" 2 * i + 2 "\" to-port=\"0\"/>\n"
      }
      print "<layer id=\"" 2 * n + 1 "\" name=\"y\" type=\"Result\" version=\"opset1\"><input>" port(0) "</input></layer>"
      edges = edges "<edge from-layer=\"1\" from-port=\"1\" to-layer=\"" 2 * n + 1 "\" to-port=\"0\"/>"
      print "</layers><edges>" edges "</edges></net>"
    }' >variables.xml
  "$IRRUN" variables.xml --fill ones -q --save-state state.npz
  output=$(ulimit -t 3 && "$IRRUN" variables.xml --fill zeros --load-state state.npz --save-state again.npz)
  says "state  4000 variables from state.npz" "$output"
  cmp state.npz again.npz
}

# converts_of N [TYPE]: prints a model of N Converts to f32, each with an output, and each with an input of f16; if TYPE
# is Const, all read one constant of f16[2].
converts_of() {
  awk -v n="$1" -v type="${2:-Parameter}" '
    function port(id, precision) { return "<port id=\"" id "\" precision=\"" precision "\"><dim>2</dim></port>" }
    function layer(id, type, inside) {
      print "<layer id=\"" id "\" name=\"n" id "\" type=\"" type "\" version=\"opset1\">" inside "</layer>"
    }
    function edge(from, from_port, to) {
      print "<edge from-layer=\"" from "\" from-port=\"" from_port "\" to-layer=\"" to "\" to-port=\"0\"/>"
    }
    BEGIN {
      print "<net version=\"11\"><layers>"
      data = "<data element_type=\"f16\" shape=\"2\" " (type == "Const" ? "offset=\"0\" size=\"4\"/>" : "/>")
      for (i = 0; i < n; i++) {
        if (i == 0 || type != "Const")
          layer(3 * i, type, data "<output>" port(0, "FP16") "</output>")
        input = "<data destination_type=\"f32\"/><input>" port(0, "FP16") "</input>"
        layer(3 * i + 1, "Convert", input "<output>" port(1, "FP32") "</output>")
        layer(3 * i + 2, "Result", "<input>" port(0, "FP32") "</input>")
      }
      print "</layers><edges>"
      for (i = 0; i < n; i++) {
        edge(type == "Const" ? 0 : 3 * i, 0, 3 * i + 1)
        edge(3 * i + 1, 1, 3 * i + 2)
      }
      print "</edges></net>"
    }'
}

@test "a cut of 60,000 inputs and outputs is written at once" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  converts_of 60000 >wide.xml
  output=$(ulimit -t 6 && "$IRRUN" --cut=.. wide.xml -o cut.xml)
  says "written, 60000 layers, 60000 inputs, 60000 outputs" "$output"
}

# branches N: prints an If of N inputs.
branches() {
  awk -v n="$1" '
    function port(id) { return "<port id=\"" id "\" precision=\"FP32\"><dim>1</dim></port>" }
    function parameter(id, name) {
      return "<layer id=\"" id "\" name=\"" name "\" type=\"Parameter\" version=\"opset1\">" \
             "<data shape=\"1\" element_type=\"f32\"/><output>" port(0) "</output></layer>"
    }
    function result(id) {
      return "<layer id=\"" id "\" name=\"y\" type=\"Result\" version=\"opset1\"><input>" port(0) "</input></layer>"
    }
    function edge(from, from_port, to, to_port) {
      return "<edge from-layer=\"" from "\" from-port=\"" from_port "\" to-layer=\"" to "\" to-port=\"" to_port "\"/>"
    }
    BEGIN {
      print "<net name=\"m\" version=\"11\"><layers><layer id=\"0\" name=\"c\" type=\"Parameter\" version=\"opset1\">"
      print "<data shape=\"\" element_type=\"boolean\"/><output><port id=\"0\" precision=\"BOOL\"/></output></layer>"
      print parameter(1, "x") "<layer id=\"2\" name=\"if\" type=\"If\" version=\"opset8\"><input>"
      print "<port id=\"0\" precision=\"BOOL\"/>"
      for (i = 1; i <= n; i++) {
        print port(i)
        lines = lines "<input external_port_id=\"" i "\" internal_layer_id=\"" i - 1 "\"/>\n"
        body = body parameter(i - 1, "b" i) "\n"
        edges = edges edge(1, 0, 2, i) "\n"
      }
      print "</input><output>" port(n + 1) "</output>"
      lines = lines "<output external_port_id=\"" n + 1 "\" internal_layer_id=\"" n "\"/>"
      body = "<layers>" body result(n) "</layers><edges>" edge(0, 0, n, 0) "</edges>"
      print "<then_port_map>" lines "</then_port_map><else_port_map>" lines "</else_port_map>"
      print "<then_body>" body "</then_body><else_body>" body "</else_body></layer>" result(3) "</layers><edges>"
      print edge(0, 0, 2, 0) edges edge(2, n + 1, 3, 0) "</edges>"
      print "<rt_info>"
      for (i = 0; i < 20 * n; i++)
        print "<key" i " value=\"1\"/>"
      print "</rt_info></net>"
    }'
}

@test "long port maps and many remarks are compared at once" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  branches 1500 >branches.xml
  output=$(ulimit -t 3 && "$IRRUN" branches.xml --diff branches.xml)
  says "branches.xml: no difference from branches.xml" "$output"
  output=$(ulimit -t 3 && "$IRRUN" branches.xml --edit 'model: rt_info/key7=2' --dry-run)
  says "the edited model: 1 difference from branches.xml" "$output"
}

# constants N: prints a model of N sums with constants, and of N constants without a reader that bear names of layers to
# be added.
constants() {
  awk -v n="$1" '
    function port(id) { return "<port id=\"" id "\" precision=\"FP32\"><dim>2</dim></port>" }
    function edge(from, from_port, to, to_port) {
      return "<edge from-layer=\"" from "\" from-port=\"" from_port "\" to-layer=\"" to "\" to-port=\"" to_port "\"/>\n"
    }
    BEGIN {
      print "<net version=\"11\"><layers><layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">"
      print "<data shape=\"2\" element_type=\"f32\"/><output>" port(0) "</output></layer>"
      for (i = 0; i < n; i++) {
        print "<layer id=\"" 2 * i + 1 "\" name=\"" (i % 2 ? "c" : "c" i) "\" type=\"Const\" version=\"opset1\">"
        print "<data element_type=\"f32\" shape=\"2\" offset=\"0\" size=\"8\"/><output>" port(0) "</output></layer>"
        print "<layer id=\"" 2 * i + 2 "\" name=\"a" i "\" type=\"Add\" version=\"opset1\">"
        print "<input>" port(0) port(1) "</input><output>" port(2) "</output></layer>"
      }
      print "<layer id=\"" 2 * n + 1 "\" name=\"y\" type=\"Result\" version=\"opset1\"><input>" port(0) "</input></layer>"
      print "</layers><edges>"
      for (i = 0; i < n; i++)
        print edge(i == 0 ? 0 : 2 * i, i == 0 ? 0 : 2, 2 * i + 2, 0) edge(2 * i + 1, 0, 2 * i + 2, 1)
      print edge(2 * n, 2, 2 * n + 1, 0) "</edges></net>"
    }'
}

@test "edits of many constants are done at once" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  constants 20000 >constants.xml
  head -c 8 /dev/zero >constants.bin
  output=$(ulimit -t 5 && "$IRRUN" constants.xml -o half.xml --edit 'model: weights=f16')
  says "20000 constants in 80.0 kB" "$output"
  "$IRRUN" --check-shapes -q half.xml
  sed 's/name="c"/name="d"/' constants.xml | awk '/name="d"/ { sub(/"d"/, "\"d" ++n "\"") } 1' >named.xml
  cp constants.bin named.bin && "$IRRUN" named.xml --check-shapes -q --save-all all.npz
  printf '\0\0\200\77\0\0\200\77' >named.bin
  output=$(ulimit -t 8 && "$IRRUN" named.xml -o read.xml --edit 'model: read=all.npz')
  says "read.xml: written, 1 edit; read.bin, 1280008 bytes" "$output"
  output=$(ulimit -t 5 && ulimit -v 1000000 && ! "$IRRUN" constants.xml -o read.xml --edit 'model: read=all.npz' 2>&1)
  says "more errors not shown" "$output"
}

@test "many values of rt_info are set at once" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  relus 10000 0 >relus.xml
  (ulimit -t 3 && "$IRRUN" relus.xml -q -o out.xml --edit "model: $(printf ' rt_info/a/k%s=1' {1..1000})")
  says '<k999 value="1"/><k1000 value="1"/></a></rt_info></net>' "$(tail -c 200 out.xml)"
}

@test "weights=f32 looks once at each of 60,000 readers of a constant" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  converts_of 60000 Const >readers.xml && printf '\0\0\0\0' >readers.bin
  output=$(ulimit -t 4 && "$IRRUN" readers.xml -o wide.xml --edit 'model: weights=f32' 2>&1)
  says "leaves constants such as 'n0' as they are: several layers read them" "$output"
}

@test "an edit has a limit of memory" {
  constants 20 | sed 's/<dim>2</<dim>100000</g; s/shape="2"/shape="100000"/; s/size="8"/size="400000"/' >constants.xml
  head -c 400000 /dev/zero >constants.bin
  irrun constants.xml -o half.xml --max-memory 10M --edit 'model: weights=f16'
  ends 0
  irrun constants.xml -o half.xml --max-memory 4M --edit 'model: weights=f16'
  ends 6
  says "IR004" "$stderr"
}

@test "an old layer of many inputs is read at once" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  awk -v n=20000 '
    BEGIN {
      print "<net name=\"m\" version=\"6\"><layers><layer id=\"0\" name=\"x\" precision=\"FP32\" type=\"Input\">"
      print "<output><port id=\"0\"><dim>4</dim></port></output></layer>"
      print "<layer id=\"1\" name=\"y\" precision=\"FP32\" type=\"Eltwise\"><data operation=\"sum\"/><input>"
      for (i = 0; i < n; i++)
        print "<port id=\"" i "\"><dim>4</dim></port>"
      print "</input><output><port id=\"" n "\"><dim>4</dim></port></output></layer></layers><edges>"
      for (i = 0; i < n; i++)
        print "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"" i "\"/>"
      print "</edges></net>"
    }' >old.xml
  output=$(ulimit -t 3 && "$IRRUN" --check-shapes -q old.xml)
  [ "$output" = "old.xml: ok, 20001 layers, 1 input, 1 output" ]
}

@test "the layers of many bodies are found at once" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  awk -v n=1500 '
    function port(id) { return "<port id=\"" id "\" precision=\"FP32\"><dim>1</dim></port>" }
    function layer(id, name, type, content) {
      return "<layer id=\"" id "\" name=\"" name "\" type=\"" type "\" version=\"opset8\">" content "</layer>\n"
    }
    function edge(from, from_port, to, to_port) {
      return "<edge from-layer=\"" from "\" from-port=\"" from_port "\" to-layer=\"" to "\" to-port=\"" to_port "\"/>\n"
    }
    BEGIN {
      input = "<data shape=\"1\" element_type=\"f32\"/><output>" port(0) "</output>"
      body = layer(0, "p", "Parameter", input)
      for (i = 1; i <= 8; i++)
        body = body layer(i, "f" i, "Floor", "<input>" port(0) "</input><output>" port(1) "</output>")
      body = "<layers>" body layer(9, "r", "Result", "<input>" port(0) "</input>") "</layers><edges>" edge(0, 0, 1, 0)
      for (i = 1; i <= 8; i++)
        body = body edge(i, 1, i + 1, 0)
      body = body "</edges>"
      map = "<input external_port_id=\"1\" internal_layer_id=\"0\"/><output external_port_id=\"2\" internal_layer_id=\"9\"/>"
      branch = "<input><port id=\"0\" precision=\"BOOL\"/>" port(1) "</input><output>" port(2) "</output>" \
               "<then_port_map>" map "</then_port_map><else_port_map>" map "</else_port_map>" \
               "<then_body>" body "</then_body><else_body>" body "</else_body>"
      print "<net name=\"m\" version=\"11\"><layers>" layer(0, "x", "Parameter", input)
      print layer(1, "c", "Parameter", "<data shape=\"\" element_type=\"boolean\"/><output><port id=\"0\" precision=\"BOOL\"/></output>")
      for (i = 0; i < n; i++) {
        print layer(i + 2, "if" i, "If", branch)
        edges = edges edge(1, 0, i + 2, 0) edge(i == 0 ? 0 : i + 1, i == 0 ? 0 : 2, i + 2, 1)
      }
      print layer(n + 2, "y", "Result", "<input>" port(0) "</input>") "</layers><edges>" edges edge(n + 1, 2, n + 2, 0) "</edges></net>"
    }' >bodies.xml
  output=$(ulimit -t 6 && "$IRRUN" bodies.xml --diff bodies.xml)
  says "bodies.xml: no difference from bodies.xml" "$output"
}

@test "faults of thousands of layers of one name are drawn at once" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  constants 4000 | sed 's/name="[^"]*"/name="q"/; s/shape="2"/shape="3"/' >same.xml
  head -c 8 /dev/zero >same.bin
  output=$(ulimit -t 4 && ! "$IRRUN" --graph=dot same.xml 2>errors)
  [ "$(grep -c 'IR403' <<<"$output")" -ge 4000 ]
}
