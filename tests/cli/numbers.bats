# Tests numbers in reports: read again, the text gives the same number.
load helpers

# doubles: writes doubles.xml, which outputs its f64 input; got.raw with 0.3; and expected.raw with the next larger
# double.
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

# value KEY: prints the last value of KEY in the JSON document in $output.
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

# of_maxima FILE: replaces each AvgPool by a MaxPool.
of_maxima() {
  sed -i -e 's/AvgPool/MaxPool/; s/ exclude-pad="true"//' "$1"
}

@test "a window of NaN is warned of once, with its count and its first place" {
  pool_model max.xml
  of_maxima max.xml
  # In rows of 4, the two left windows hold only NaN, the two right windows hold a number each.
  { for _ in 1 2 3 4; do printf '\377\377\377\377\377\377\377\377\0\0\200\77\377\377\377\377'; done; } >x.raw
  irrun max.xml -q --input x.raw
  ends 0
  [ "$output" = "y  f32[1,1,2,2]  min -3.40282e+38  mean -1.70141e+38  max 1" ]
  says "max.xml:7:5: warning: 2 of 4 windows hold NaN and no number, first the one of output [0,0,0,0]; their maximum is -3.40282347e+38 [IR321 window-of-nan]" "$stderr"
  two_model two.xml
  of_maxima two.xml
  irrun two.xml -q --input ax=x.raw --input bx=x.raw
  ends 0
  [ "$(grep -c '\[IR321' <<<"$stderr")" -eq 1 ]
  irrun max.xml -q --input x.raw --deny=IR321
  ends 5
  irrun max.xml -q --input x.raw --allow=IR321
  ends 0
  [ -z "$stderr" ]
  irrun --bench=2 -q max.xml --input x.raw
  ends 0
  [ -z "$stderr" ]
}

@test "the lowest number, -inf and one NaN beside numbers are no windows of NaN" {
  pool_model max.xml
  of_maxima max.xml
  { for _ in 1 2 3 4; do printf '\0\0\200\377\377\377\177\377\377\377\377\377\0\0\200\77'; done; } >x.raw
  irrun max.xml -q --input x.raw
  ends 0
  [ -z "$stderr" ]
}

# The sum of 40,000 times 65535 exceeds 32 bits, the size of the kernel's partial sums.
@test "means of many small integers are exact along rows and across them" {
  local axis shape
  for axis in 0 1; do
    [ "$axis" = 0 ] && shape=40000,3 || shape=3,40000
    cat >mean.xml <<EOF
<net name="mean" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="$shape" element_type="u16"/><output><port id="0" precision="U16"><dim>${shape/,/</dim><dim>}</dim></port></output></layer>
<layer id="1" name="axis" type="Parameter" version="opset1"><data shape="1" element_type="i64"/><output><port id="0" precision="I64"><dim>1</dim></port></output></layer>
<layer id="2" name="mean" type="ReduceMean" version="opset1"><data keep_dims="false"/><input><port id="0"/><port id="1"/></input><output><port id="2" precision="U16"><dim>3</dim></port></output></layer>
<layer id="3" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
</edges></net>
EOF
    irrun mean.xml -q --fill x=65535 --fill axis=$axis
    ends 0
    [ "$output" = "y  u16[3]  min 65535  mean 65535  max 65535" ]
  done
}

# converted TYPE PRECISION: writes in.xml, which converts three elements of TYPE to f32.
converted() {
  cat >in.xml <<END
<net name="in" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="3" element_type="$1"/><output><port id="0" precision="$2"><dim>3</dim></port></output></layer>
<layer id="1" name="wide" type="Convert" version="opset1"><data destination_type="f32"/><input><port id="0"/></input><output><port id="1" precision="FP32"><dim>3</dim></port></output></layer>
<layer id="2" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
</edges></net>
END
}

@test "true and false are 1 and 0 of any type, in any case, and a list may stand in brackets" {
  local type text
  for type in boolean:BOOL f32:FP32 f16:FP16 i64:I64 u8:U8 i4:I4 u1:U1; do
    converted "${type%:*}" "${type#*:}"
    for text in x=true,false,1 x=True,FALSE,1 'x=[true,false,true]' 'x=[1, 0, 1]' '[1,0,1]'; do
      irrun in.xml -i "$text"
      ends 0
      says "   1  0  1" "$output"
    done
  done
  converted f32 FP32
  irrun in.xml -i 'x=[1.5,-2,3]'
  ends 0
  says "   1.5   -2    3" "$output"
  irrun in.xml -i 'x=[1,2]'
  ends 5
  says "error: input 'x' gets 2 numbers, expected as many as [3] has [IR503" "$stderr"
  echo >'[7' # if the name of a file looks like numbers, the file is read
  irrun in.xml -i 'x=[7'
  ends 5
  says "[7: error: " "$stderr"
}

@test "what is no list of numbers, and no file, is told how to write one" {
  local text
  converted boolean BOOL
  for text in '[1,0,1' '1,0,1]' '(1,0,1)' '[[1],[0],[1]]' '[]' 'yes,no,yes' 'true,,false'; do
    irrun in.xml -i "x=$text"
    ends 2
    says "error: '--input $text': neither a file nor one list of numbers [IR801" "$stderr"
    says "hint: write the numbers one after the other, row-major: x=1,2,3,4" "$stderr"
  done
  irrun in.xml -i x=none.npy
  ends 6
}

@test "an input of an open type and an open shape: the hint names both" {
  converted dynamic dynamic
  sed -i '2s/shape="3"/shape="?"/; 2s/<dim>3/<dim>-1/; 3,4s/<dim>3/<dim>-1/' in.xml
  irrun in.xml --fill 1
  ends 5
  hint=$(sed -n "s/^hint: say how large it is: --shape '\([^']*\)'.*/\1/p" <<<"$stderr")
  [ "$hint" = 'x=f32[1]' ]
  irrun in.xml --fill 1 --shape "$hint"
  ends 0
  irrun in.xml --fill 1 --shape 'x=f32[1'
  ends 2
  says "'f32[1' is no shape, expected dims as 1,3,?,1..640, or with a type, f32[1,3] [IR801" "$stderr"
}
