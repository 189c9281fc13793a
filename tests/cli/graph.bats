# Tests --graph: pictures of valid, faulty, large and nested models, output files, and SVG by Graphviz.
load helpers

models="$BATS_TEST_DIRNAME/../../models"
faults="$BATS_TEST_DIRNAME/../faults"

# count PATTERN: prints how many lines of $output match.
count() {
  grep -c -- "$1" <<<"$output" || true
}

# chain_model N: prints a model with x, then N times Abs and Add (of the Abs and its input), then y.
chain_model() {
  local n=$1 i from=0
  {
    echo '<net name="chain" version="11"><layers>'
    echo '<layer id="0" name="x" type="Parameter" version="opset1"><data shape="1,1,8,8" element_type="f32"/><output><port id="0" precision="FP32"/></output></layer>'
    for ((i = 1; i <= n; i++)); do
      echo "<layer id=\"$((2 * i - 1))\" name=\"b$i/abs\" type=\"Abs\" version=\"opset1\"><input><port id=\"0\"/></input><output><port id=\"1\" precision=\"FP32\"/></output></layer>"
      echo "<layer id=\"$((2 * i))\" name=\"b$i/add\" type=\"Add\" version=\"opset1\"><data auto_broadcast=\"numpy\"/><input><port id=\"0\"/><port id=\"1\"/></input><output><port id=\"2\" precision=\"FP32\"/></output></layer>"
    done
    echo "<layer id=\"$((2 * n + 1))\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer></layers><edges>"
    for ((i = 1; i <= n; i++)); do
      echo "<edge from-layer=\"$from\" from-port=\"$((from == 0 ? 0 : 2))\" to-layer=\"$((2 * i - 1))\" to-port=\"0\"/>"
      echo "<edge from-layer=\"$from\" from-port=\"$((from == 0 ? 0 : 2))\" to-layer=\"$((2 * i))\" to-port=\"0\"/>"
      echo "<edge from-layer=\"$((2 * i - 1))\" from-port=\"1\" to-layer=\"$((2 * i))\" to-port=\"1\"/>"
      from=$((2 * i))
    done
    echo "<edge from-layer=\"$from\" from-port=\"2\" to-layer=\"$((2 * n + 1))\" to-port=\"0\"/></edges></net>"
  } >chain.xml
}

@test "dot names each layer with its op, its output and its lines" {
  irrun --graph=dot "$models/demo/pool.xml"
  ends 0
  says 'n0 [label="x\nParameter-1\nf32[1,1,4,4]", style="filled,rounded"];' "$output"
  says 'n1 [label="pool\nAvgPool-1\nf32[1,1,3,3]", fillcolor="#b4e3e0"];' "$output"
  says 'n2 [label="y\nResult-1\nf32[1,1,3,3]", style="filled,rounded"];' "$output"
  says 'n0 -> n1;' "$output"
  says 'n1 -> n2;' "$output"
  [ "$(count ' -> ')" -eq 2 ]
  [ "$stderr" = "" ]
}

@test "boxes are coloured by the kind of their ops; a chain by that of its heaviest op" {
  irrun --graph=dot "$models/networks/digits.xml"
  ends 0
  grep -E 'Convolution-1.*fillcolor="#bcd6f7"' <<<"$output"
  grep -E 'TopK-.*fillcolor="#f3e6a4"' <<<"$output"
  irrun --graph=dot "$models/networks/pool_mixer.xml"
  grep -E 'Add-1.*ReLU-1.*MaxPool-1.*fillcolor="#b4e3e0"' <<<"$output" # the pool's
  grep -E 'Add-1[^P]*ReLU-1[^P]*fillcolor="#f9d3ae"' <<<"$output"       # the activation's
  grep -E 'Parameter-1[^#]*$' <<<"$output"
  irrun --graph=dot "$models/ngraph/page_example.json"
  grep -E 'AvgPool.*fillcolor="#b4e3e0"' <<<"$output"
}

@test "the title has no absolute path" {
  pool_model pool.xml
  for form in dot mermaid; do
    irrun --graph=$form "$PWD/pool.xml"
    says "pool.xml: ok, 3 layers" "$output"
    says_not "$PWD" "$output"
  done
  irrun --graph=dot ./pool.xml
  says 'label="./pool.xml: ok' "$output"
}

@test "mermaid says the same in its own words" {
  irrun --graph=mermaid "$models/demo/pool.xml"
  ends 0
  says 'flowchart TB' "$output"
  says 'n0(["x<br>Parameter-1<br>f32[1,1,4,4]"])' "$output"
  says 'n1["pool<br>AvgPool-1<br>f32[1,1,3,3]"]' "$output"
  says 'n1 --> n2' "$output"
}

@test "a layer at fault is red and names its rule; the exit status is that of a check" {
  irrun --graph=dot "$models/spec/P1.xml"
  ends 3
  says 'n1 [label="pool\nAvgPool-1\nf32[1,3,16,16]\nIR301 declared-shape-differs", fillcolor="#ffb0b0", color=red];' "$output"
  says 'invalid, 3 layers; red: a fault' "$output"
  [ "$(count 'color=red')" -eq 1 ]
  says '[IR301 declared-shape-differs]' "$stderr"
  irrun --graph=mermaid "$models/spec/P1.xml"
  ends 3
  [ "$(count ':::fault')" -eq 1 ]
}

@test "an op that irrun does not have is grey" {
  pool_model pool.xml
  sed -i 's/type="AvgPool" version="opset1"/type="Warp" version="myops"/; s/<data .*kernel.*\/>//' pool.xml
  irrun --graph=dot pool.xml
  says 'fillcolor=lightgrey' "$output"
  says 'grey: an op that irrun does not have' "$output"
  says_not 'color=red' "$output"
  irrun --graph=mermaid pool.xml
  [ "$(count ':::missing')" -eq 1 ]
}

@test "constants are named where they are used, and drawn with -v" {
  irrun --graph=dot "$models/networks/global_pools.xml"
  ends 0
  says 'const i64[2]' "$output"
  says_not 'Const-1' "$output"
  irrun -v --graph=dot "$models/networks/global_pools.xml"
  ends 0
  says 'Const-1' "$output"
  says_not 'const i64' "$output"
}

@test "of blocks that are repeated one is drawn, with their number" {
  chain_model 100
  irrun --graph=dot chain.xml
  ends 0
  says "label=\"100 times, up to 'b100/add'\"" "$output"
  says 'n1 [label="b1/abs\nAbs-1\nf32[1,1,8,8]", fillcolor="#cbe7bd"];' "$output"
  says_not 'label="b2/' "$output"
  says 'n2 -> n1 [style=dashed, constraint=false];' "$output"
  says "n2 -> n201;" "$output"
  [ "$(count 'label="[bxy]')" -eq 4 ]
  irrun -v --graph=dot chain.xml
  [ "$(count 'label="[bxy]')" -eq 202 ]
  says_not 'times' "$output"
}

@test "a block with another layer in it is not one of those that are repeated, nor is one at fault" {
  chain_model 50
  sed -i 's:<layer id="39" name="b20/abs" type="Abs":<layer id="39" name="b20/abs" type="Negative":' chain.xml
  irrun --graph=dot chain.xml
  ends 0
  says "19 times, up to 'b19/add'" "$output"
  says 'b20/abs\nNegative-1' "$output"
  says "30 times, up to 'b50/add'" "$output"
  sed -i 's:type="Negative" version="opset1":type="Abs" version="opset99":' chain.xml
  irrun --graph=dot chain.xml
  says 'b20/abs' "$output"
  [ "$(count 'color=red')" -eq 1 ]
}

@test "a chain of layers is one box in a large model" {
  irrun --graph=mermaid "$models/networks/pool_mixer.xml"
  ends 0
  says 'n5["stages.0/blocks.0/add  Add-1  f32[1,3,32,32]<br>stages.0/blocks.0/act  ReLU-1  f32[1,3,32,32]"]' "$output"
  says "subgraph block_2 [\"3 times, up to 'stages.0/blocks.2/act'\"]" "$output"
}

@test "each body of an If is a group of its own" {
  irrun --graph=dot "$faults/IR306_if_of_two_types.xml"
  ends 3
  says "then_body of If-8" "$output"
  says "else_body of If-8" "$output"
  [ "$(count 'style=dotted, lhead="cluster_body_')" -eq 2 ]
  irrun --graph=mermaid "$faults/IR306_if_of_two_types.xml"
  [ "$(count 'subgraph body_')" -eq 2 ]
  [ "$(count '-.-> body_')" -eq 2 ]
}

@test "names cannot leave their quotes" {
  pool_model pool.xml
  sed -i 's/name="pool"/name="a\&quot;];\\l\&amp;lt;b\&lt;i\&gt;_c`#"/' pool.xml
  irrun --graph=dot pool.xml
  says 'label="a\"];\\l&amp;lt;b<i>_c`#\nAvgPool-1' "$output"
  irrun --graph=mermaid pool.xml
  says '["a#34;]#59;#92;l#38;lt#59;b#60;i#62;#95;c#96;#35;<br>AvgPool-1' "$output"
}

@test "every broken model is drawn, and dot reads it" {
  command -v dot >/dev/null || skip "no Graphviz"
  local model n=0
  for model in "$faults"/IR1*.xml "$faults"/IR33*.xml "$models"/ngraph/*.json; do
    irrun --graph=dot "$model"
    [ -n "$output" ] || continue
    n=$((n + 1))
    dot -Tcanon <<<"$output" >canon.dot || { echo "$model"; return 1; }
  done
  [ "$n" -gt 30 ]
}

@test "what cannot be read is not drawn" {
  irrun --graph=dot missing.xml
  ends 6
  [ "$output" = "" ]
}

@test "--output takes the picture, whole or not at all" {
  irrun --graph=dot "$models/demo/pool.xml" --output pool.dot
  ends 0
  says 'pool.dot: written' "$output"
  says 'pool.xml: ok, 3 layers, 1 input, 1 output' "$output"
  says 'n1 -> n2;' "$(cat pool.dot)"
  irrun --graph=dot "$models/demo/pool.xml" --output missing/pool.dot
  ends 6
  says '[IR702 file-not-writable]' "$stderr"
  pool_model pool.xml
  irrun --graph=dot pool.xml --output ./pool.xml
  ends 2
  says "would overwrite 'pool.xml', a file of the model" "$stderr"
}

@test "svg is made by dot" {
  command -v dot >/dev/null || skip "no Graphviz"
  irrun --graph=svg "$models/demo/pool.xml" --output pool.svg
  ends 0
  says '>AvgPool' "$(cat pool.svg)"
  says 'xlink:title="pool&#10;AvgPool&#45;1, id 1, line 11&#10;kernel: 2,2&#10;' "$(cat pool.svg)"
  irrun --graph=svg "$models/networks/pool_mixer.xml" -o mixer.svg
  # in a font whose characters are all 0.61 of its size wide, each text lies within its box
  awk '/<(polygon|path) fill="#/ { split($0, part, /points="|"/); box = $0; sub(/.*(points|d)="/, "", box)
      n = split(box, at, /[ ,MCL]+/); low = 1e9; high = -1e9
      for (i = 1; i < n; i += 2) { if (at[i] + 0 < low) low = at[i] + 0; if (at[i] + 0 > high) high = at[i] + 0 } }
    /<g id="node/ { node = 1 } /<g id="edge|<g id="clust/ { node = 0 }
    node && /<text/ { text = $0; gsub(/.*">|<.*/, "", text); gsub(/&#?[a-z0-9]*;/, "x", text)
      x = $0; sub(/.* x="/, "", x); x += 0; wide = length(text) * 9 * 0.61; seen++
      left = /"middle"/ ? x - wide / 2 : x; if (left < low || left + wide > high) { print; bad = 1 } }
    END { exit bad || seen < 50 }' mixer.svg
}

@test "without dot svg says what to install, and dot needs nothing" {
  output=$(PATH=/nowhere "$IRRUN" --graph=svg "$models/demo/pool.xml" 2>said) && status=0 || status=$?
  ends 6
  [ "$output" = "" ]
  says "needs the program 'dot', which is not in PATH [IR704 helper-missing]" "$(cat said)"
  says 'install Graphviz (Debian package graphviz), or draw with --graph=dot or --graph=mermaid' "$(cat said)"
}

@test "a dot that fails is an error too" {
  mkdir bin
  printf '#!/bin/sh\nexit 1\n' >bin/dot
  chmod +x bin/dot
  PATH=$PWD/bin:$PATH irrun --graph=svg "$models/demo/pool.xml" --output pool.svg
  ends 6
  says 'was found but failed' "$stderr"
  [ ! -e pool.svg ]
}

@test "forms and options that there are not" {
  irrun --graph=png "$models/demo/pool.xml"
  ends 2
  says "'--graph=png': needs dot, mermaid or svg" "$stderr"
  irrun --graph=dot "$models/demo/pool.xml" "$models/spec/P1.xml"
  ends 2
  says 'a picture takes one MODEL, and here are 2' "$stderr"
  irrun --graph=dot "$models/demo/pool.xml" -o a -o b
  ends 2
  irrun --graph=dot --json "$models/demo/pool.xml"
  ends 2
}

@test "what hits many layers in one way is said once, as in a check" {
  chain_model 50
  sed -i 's/type="Abs" version="opset1">/&<data foo="1"\/>/' chain.xml
  irrun --check-shapes -q chain.xml
  local of_check=$stderr
  says "49 more places; -v shows all" "$of_check"
  irrun --graph=dot chain.xml
  [ "$stderr" = "$of_check" ]
  irrun -v --graph=dot chain.xml
  says "50 warnings" "$stderr"
}
