# The file of the constants, when it cannot be had.
load helpers

@test "--weights that cannot be mapped: one error, at the command line" {
  model=$BATS_TEST_DIRNAME/../../models/adaptive_avg_pool/divides
  for weights in - /dev/null <(cat "$model.bin"); do
    irrun "$model.xml" --fill ones --weights "$weights" <"$model.bin"
    ends 6
    says "error: --weights $weights: the constants have to be in a regular file" "$stderr"
    says "1 error." "$stderr"
  done
  irrun "$model.xml" --fill ones --weights nowhere.bin
  ends 6
  says "error: --weights nowhere.bin: No such file or directory" "$stderr"
  says "1 error." "$stderr"
}

@test "an endless stream is read as far as an input goes" {
  pool_model pool.xml
  irrun pool.xml --input /dev/zero
  ends 5
  says "a raw file of at least 65 bytes; f32[1,1,4,4] has 64" "$stderr"
}

# empty_constant SIZE: x as the type of a constant without elements, whose size attribute is SIZE.
empty_constant() {
  cat <<EOF
<net name="m" version="11">
  <layers>
    <layer id="0" name="x" type="Parameter" version="opset1">
      <data shape="2" element_type="f32"/>
      <output><port id="0" precision="FP32"><dim>2</dim></port></output>
    </layer>
    <layer id="1" name="like" type="Const" version="opset1">
      <data element_type="i8" shape="0" offset="0" size="$1"/>
      <output><port id="0" precision="I8"><dim>0</dim></port></output>
    </layer>
    <layer id="2" name="cast" type="ConvertLike" version="opset1">
      <input><port id="0"><dim>2</dim></port><port id="1"><dim>0</dim></port></input>
      <output><port id="2" precision="I8"><dim>2</dim></port></output>
    </layer>
    <layer id="3" name="y" type="Result" version="opset1"><input><port id="0"><dim>2</dim></port></input></layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
  </edges>
</net>
EOF
}

@test "a constant without elements has 0 bytes, or the 1 that OpenVINO writes" {
  printf '\0' >m.bin
  for size in 0 1; do
    empty_constant "$size" >m.xml
    irrun m.xml --input <(printf '\0\0\300\077\0\0\200\277') # 1.5, -1
    ends 0
    says "y  i8[2]" "$output"
  done
  says_not IR405 "$stderr"
  empty_constant 2 >m.xml
  irrun --check-shapes m.xml
  ends 3
  says "size is 2, i8[0] takes 0 bytes" "$stderr"
  empty_constant 1 >m.xml
  : >m.bin
  irrun --check-shapes m.xml
  ends 3
  says "the constant needs 1 bytes at 0" "$stderr"
}
