# Numbers in reports: they read back as what they were.
load helpers

# doubles.xml passes one f64 on; got.raw is 0.3 and expected.raw the double above it.
doubles() {
  cat >doubles.xml <<'EOX'
<net name="doubles" version="11"><layers>
  <layer id="0" name="x" type="Parameter" version="opset1"><data shape="1" element_type="f64"/>
    <output><port id="0" precision="FP64"><dim>1</dim></port></output></layer>
  <layer id="1" name="y" type="Result" version="opset1">
    <input><port id="0" precision="FP64"><dim>1</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>
EOX
  printf '\x33\x33\x33\x33\x33\x33\xd3\x3f' >got.raw
  printf '\x34\x33\x33\x33\x33\x33\xd3\x3f' >expected.raw
}

# value KEY: the last of that name in the document in $output.
value() {
  sed -n "s/^\t*\"$1\":\t\(.*[^,]\),*$/\1/p" <<<"$output" | tail -n 1
}

@test "--json: a double reads back exactly" {
  doubles
  irrun doubles.xml --input got.raw --expect expected.raw --atol 0 --rtol 0 --json
  ends 1
  [ "$(value got)" = 0.3 ]
  [ "$(value expected)" = 0.30000000000000004 ]
  [ "$(value max_abs)" = 5.551115123125783e-17 ]
}

@test "infinities keep their sign" {
  doubles
  irrun doubles.xml -q --fill=-inf
  ends 0
  [ "$output" = "y  f64[1]  -inf 1" ]
  irrun doubles.xml -q --fill inf
  [ "$output" = "y  f64[1]  inf 1" ]
  irrun doubles.xml --fill=-inf --json
  [ "$(value negative_infinities)" = 1 ]
}

@test "--json: the tolerances that it names do pass" {
  doubles
  irrun doubles.xml --input got.raw --expect expected.raw --atol 0 --rtol 0 --json
  ends 1
  options=("--atol $(value atol) --rtol 0" "--atol 0 --rtol $(value rtol)" "--atol 0 --rtol 0 --ulp $(value ulp)")
  for option in "${options[@]}"; do
    eval "irrun doubles.xml -q --input got.raw --expect expected.raw $option"
    ends 0
  done
}
