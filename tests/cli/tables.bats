# Tests the table of layers that --check-shapes prints, and the summary that replaces it for a large model.
load helpers

@test "a table into a pipe is 120 columns wide: names are cut in the middle, with -v nothing is" {
  pool_model pool.xml
  long=$(printf 'backbone/stage1/block2/%.0s' 1 2 3 4 5)
  sed -i "s|name=\"pool\"|name=\"${long}pool\"|" pool.xml
  irrun --check-shapes pool.xml
  ends 0
  [ "${#lines[2]}" -eq 114 ] # 120 without the blanks after "ok", since the last column is as wide as its title
  says "  1  backbone/stage1/block2/bac" "${lines[2]}"
  says "...ck2/backbone/stage1/block2/pool  AvgPool-1    f32[1,1,4,4]  f32[1,1,2,2]  ok" "${lines[2]}"
  irrun --check-shapes -v pool.xml
  says "${long}pool" "$output"
}

@test "the table comes first, then what is wrong, then the verdict, and the last line tells where to read on" {
  pool_model good.xml
  pool_model bad.xml 2 2 3
  "$IRRUN" --check-shapes -v bad.xml good.xml >both 2>&1 || true
  # shellcheck disable=SC2005,SC2046 # echo joins the lines
  order=$(echo $(sed -n -e 's/^ id .*/table/p' -e 's/^bad.xml:.*: error: .*/error/p' -e 's/^\(bad\|good\).xml: .*/\1/p' -e 's/^1 error\..*/total/p' both))
  [ "$order" = "table error bad table good total" ]
  [ "$(tail -1 both)" = "1 error. 'irrun --explain=IR301' tells more." ]
  "$IRRUN" --check-shapes missing.xml good.xml >both 2>&1 || true
  says "missing.xml: error: " "$(sed -n 1p both)"
  [ "$(sed -n 2,3p both)" = "missing.xml: unreadable
good.xml: ok, 3 layers, 1 input, 1 output" ]
}

@test "in a run the results come before the last line of stderr, also in one file" {
  tensors
  "$IRRUN" pool.xml --input x.npy --expect x.npy >both 2>&1 || true
  says "1 error. " "$(tail -1 both)"
}

# large_model FILE: writes 21 chains, 63 layers. One pool is an op of an extension, one op is unknown, the other pools
# declare 3x3 instead of 2x2.
large_model() {
  {
    echo '<net name="large" version="11"><layers>'
    for ((i = 0; i < 63; i += 3)); do
      chain_layers $i "stage$i/" 2 2 3
    done
    echo '</layers><edges>'
    for ((i = 0; i < 63; i += 3)); do
      chain_edges $i
    done
    echo '</edges></net>'
  } | sed -e '/stage0.pool/s/"AvgPool" version="opset1"/"Warp" version="myops"/' -e '/stage3.pool/s/AvgPool/Strange/' >"$1"
}

@test "a model of more than 60 layers: a summary in place of its table, which -v prints" {
  large_model large.xml
  irrun --check-shapes large.xml
  ends 3
  diff - <(echo "$output") <<'EOF'
 layers       63; -v lists them
 inputs       stage0/x     f32[1,1,4,4]
              stage3/x     f32[1,1,4,4]
              stage6/x     f32[1,1,4,4]
              stage9/x     f32[1,1,4,4]
              stage12/x    f32[1,1,4,4]
              stage15/x    f32[1,1,4,4]
              stage18/x    f32[1,1,4,4]
              stage21/x    f32[1,1,4,4]
              and 13 more
 outputs      stage0/y     f32[1,1,3,3]
              stage3/y     ?
              stage6/y     f32[1,1,2,2]
              stage9/y     f32[1,1,2,2]
              stage12/y    f32[1,1,2,2]
              stage15/y    f32[1,1,2,2]
              stage18/y    f32[1,1,2,2]
              stage21/y    f32[1,1,2,2]
              and 13 more
 irrun has    61 layers: 21 Parameter-1, 21 Result-1, 19 AvgPool-1
 unknown      2 layers of ops that no opset has, or of extensions
 differing    19 layers, the first 8 of them:
 id  layer         op         inputs        output        declared
  7  stage6/pool   AvgPool-1  f32[1,1,4,4]  f32[1,1,2,2]  f32[1,1,3,3] differs
 10  stage9/pool   AvgPool-1  f32[1,1,4,4]  f32[1,1,2,2]  f32[1,1,3,3] differs
 13  stage12/pool  AvgPool-1  f32[1,1,4,4]  f32[1,1,2,2]  f32[1,1,3,3] differs
 16  stage15/pool  AvgPool-1  f32[1,1,4,4]  f32[1,1,2,2]  f32[1,1,3,3] differs
 19  stage18/pool  AvgPool-1  f32[1,1,4,4]  f32[1,1,2,2]  f32[1,1,3,3] differs
 22  stage21/pool  AvgPool-1  f32[1,1,4,4]  f32[1,1,2,2]  f32[1,1,3,3] differs
 25  stage24/pool  AvgPool-1  f32[1,1,4,4]  f32[1,1,2,2]  f32[1,1,3,3] differs
 28  stage27/pool  AvgPool-1  f32[1,1,4,4]  f32[1,1,2,2]  f32[1,1,3,3] differs
 run          0 MACs, 304 FLOPs without 2 layers of unknown work; activations: of open size
large.xml: invalid, 63 layers, 21 inputs, 21 outputs, 20 errors, 1 warning
EOF
  irrun --check-shapes -v large.xml
  says " 61  stage60/pool  AvgPool-1" "$output"
  says_not "irrun has" "$output"
  irrun --check-shapes -q large.xml
  [ "${#lines[@]}" -eq 1 ]
  sed 's/type="Warp" version="myops"/type="RandomUniform" version="opset8"/' large.xml >checked.xml
  irrun --check-shapes checked.xml
  says " only checks  1 layer: 1 RandomUniform-8" "$output"
}

@test "the summary counts constants, also those whose size a fault hides" {
  large_model large.xml
  constant() { # ID: prints a constant of 8 bytes
    echo "<layer id=\"$1\" name=\"c$1\" type=\"Const\" version=\"opset1\"><data element_type=\"f32\" shape=\"2\" offset=\"0\" size=\"8\"/>"
    echo "<output><port id=\"0\" precision=\"FP32\"><dim>2</dim></port></output></layer>"
  }
  sed -i "s|</layers>|$(constant 63 | tr -d '\n')$(constant 64 | tr -d '\n' | sed 's/ shape="2"//')&|" large.xml
  irrun --check-shapes large.xml
  says "constants    2, 8 B and 1 whose size is not known" "$output"
}

@test "layers of bodies: behind the others in the table, with the way to them, in the report too" {
  cp "$BATS_TEST_DIRNAME/../faults/IR316_in_a_body_of_a_body.xml" m.xml
  irrun --check-shapes m.xml
  ends 3
  says "  2  each > each         TensorIterator-1  f32[5,1], f32[4,3]  ?" "$output"
  says "  2  each > each > sum   Add-1             f32[5,1], f32[4,3]  ?" "$output"
  says "m.xml: invalid, 12 layers" "$output"
  says "note: layer 'each' > 'each' > 'sum' (id 2, Add-1)" "$stderr"
  irrun --check-shapes --json m.xml
  says '"layer":{"id":2,"name":"sum","op":"Add-1","inside":["each","each"]}' "$(tr -d ' \n\t' <<<"$output")"
  says '"id":2,"name":"sum","inside":["each","each"],"op":"Add"' "$(tr -d ' \n\t' <<<"$output")"
}
