# Tests nGraph's JSON models, which have the same command line, checks and reports as IRs.
load helpers

models="$BATS_TEST_DIRNAME/../../models/ngraph"

# page_input: writes x.raw, the example 1 3 5 / 7 11 13 / 17 19 23 of nGraph's AvgPool page, as f32.
page_input() {
  printf '\0\0\x80\x3f\0\0\x40\x40\0\0\xa0\x40\0\0\xe0\x40\0\0\x30\x41\0\0\x50\x41\0\0\x88\x41\0\0\x98\x41\0\0\xb8\x41' >x.raw
}

@test "the page's worked example, padding left out of the average" {
  page_input
  irrun "$models/page_example.json" --input x.raw
  ends 0
  diff - <(echo "$output") <<'EOF'
y_0  f32[1,1,3,3]  min 1  mean 7.38889  max 16.5
   [0,0]     1     2     4
             4   5.5     8
            12  13.5  16.5
EOF
}

@test "the same, padding counted in" {
  page_input
  irrun "$models/page_example_include.json" --input x.raw
  ends 0
  diff - <(echo "$output") <<'EOF'
y_0  f32[1,1,3,3]  min 0.25  mean 6.08333  max 16.5
   [0,0]  0.25     1     2
             2   5.5     8
             6  13.5  16.5
EOF
}

@test "the spelling of old files: a Constant into a MaxPool, no Result" {
  irrun "$models/old_spelling.json"
  ends 0
  says "pool  f32[1,1,2]  min 1  mean 2  max 3" "$output"
}

@test "six spatial axes of integers" {
  irrun "$models/six_axes.json" -q --fill iota
  ends 0
  [ "$output" = "y_0  i16[1,2,1,1,2,2,2,2]  min 94  mean 211.25  max 328" ]
}

@test "--shape, --json and a fault's place are as for an IR" {
  sed 's/"shape": \[1, 1, 3, 3\]/"shape": [1, 1, null, null]/' "$models/page_example.json" >open.json
  irrun --check-shapes open.json --shape 1,1,4,5..6
  ends 0
  says "f32[1,1,4,5..6]" "$output"
  irrun --check-shapes --json open.json
  ends 0
  says '"kind":' "$output"
  says 'ngraph-json' "$output"
  sed 's/"window_shape": \[2, 2\]/"window_shape": [2, 9]/' "$models/page_example.json" >bad.json
  irrun --check-shapes bad.json
  ends 3
  says "bad.json:3:120: error: window_shape 9 exceeds the padded input 4 on spatial axis 1 (W)" "$stderr"
}

@test "a Parameter that nothing uses is normal in nGraph" {
  sed 's/"parameters": \["x"\]/"parameters": ["x", "spare"]/; s/^  {"name": "y"/  {"name": "spare", "op": "Parameter", "element_type": "float", "shape": [1]},\n&/' \
    "$models/page_example.json" >spare.json
  irrun --check-shapes spare.json
  ends 0
  [ -z "$stderr" ]
  page_input
  irrun spare.json -q --input x=x.raw
  ends 0
}

@test "a field of another kind than the op's is reported in JSON as well" {
  tr -d '\n' <"$models/six_axes.json" | sed 's/"kernel": *\[[^]]*\]/"kernel": null/' >null.json
  irrun --check-shapes --json null.json
  ends 3
  says '"verdict":	"invalid"' "$output"
  irrun --check-shapes null.json
  ends 3
  says "kernel" "$stderr"
}
