# Tests the .bin if it is missing or wrong, and --weights.
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
  says "a raw file of at least 512 bytes; f32[1,1,4,4] has 64" "$stderr"
}

# empty_constant SIZE: prints a model that converts x to the type of a constant. The constant has no elements, and its
# `size` attribute is SIZE.
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
  says "m.bin has 0 bytes, the constants need 1: this one does not lie in it" "$stderr"
}

# packed_constant TYPE N SIZE: writes x.xml with a constant of N elements.
packed_constant() {
  cat >x.xml <<EOF
<net name="m" version="11">
  <layers>
    <layer id="0" name="c" type="Const" version="opset1">
      <data element_type="$1" shape="$2" offset="0" size="$3"/>
      <output><port id="0" precision="$1"><dim>$2</dim></port></output>
    </layer>
    <layer id="1" name="y" type="Result" version="opset1"><input><port id="0"><dim>$2</dim></port></input></layer>
  </layers>
  <edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges>
</net>
EOF
  truncate -s "$3" x.bin
}

@test "elements smaller than a byte are stored in packs, as OpenVINO writes them" {
  while read -r type n size; do
    packed_constant "$type" "$n" "$size"
    irrun --check-shapes -q --allow=IR210 x.xml
    ends 0
    packed_constant "$type" "$n" $((size + 1))
    irrun --check-shapes -q --allow=IR210 x.xml
    ends 3
    says "size is $((size + 1)), ${type}[$n] takes $size byte" "$stderr"
  done <<'EOF'
u1 9 2
u2 5 2
u3 1 3
u3 8 3
u3 9 6
u4 3 2
u6 4 3
u6 5 6
u6 17 15
i4 1 1
nf4 17 9
f8e4m3 7 7
EOF
}

@test "bytes of a .bin that no constant needs" {
  pool_model m.xml
  printf '%s' "123456789" >other.bin
  irrun --check-shapes -q m.xml --weights other.bin
  ends 0
  says "other.bin:0x0: warning: the file has 9 bytes, and the model no constant [IR405 bin-unused-bytes]" "$stderr"
  printf 1 >m.bin
  irrun --check-shapes m.xml
  says "m.bin:0x0: note: the file has 1 byte, and the model no constant [IR405 bin-unused-bytes]" "$stderr"
  : >m.bin # OpenVINO writes an empty .bin if the model has no constant
  irrun --check-shapes m.xml
  [ -z "$stderr" ]
  irrun --check-shapes m.xml --weights m.bin
  [ -z "$stderr" ]
}

# constant ID OFFSET: prints a constant f32[1024].
constant() {
  cat <<EOF
    <layer id="$1" name="c$1" type="Const" version="opset1">
      <data element_type="f32" shape="1024" offset="$2" size="4096"/>
      <output><port id="0" precision="FP32"><dim>1024</dim></port></output>
    </layer>
EOF
}

# other_bin BYTES: writes m.xml, which adds two constants of 4096 bytes, and m.bin with BYTES, a format of printf.
other_bin() {
  cat >m.xml <<EOF
<net name="m" version="11">
  <layers>
$(constant 0 0)
$(constant 1 4096)
    <layer id="2" name="sum" type="Add" version="opset1">
      <input><port id="0"><dim>1024</dim></port><port id="1"><dim>1024</dim></port></input>
      <output><port id="2" precision="FP32"><dim>1024</dim></port></output>
    </layer>
    <layer id="3" name="y" type="Result" version="opset1"><input><port id="0"><dim>1024</dim></port></input></layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
  </edges>
</net>
EOF
  # shellcheck disable=SC2059 # $1 is a format
  printf "$1" >m.bin
}

lfs='version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 8192\n'

@test "a .bin that is another file: one error that says what it is" {
  while IFS=@ read -r what bytes; do
    for size in short 8192; do
      other_bin "$bytes"
      [ "$size" = short ] || truncate -s "$size" m.bin
      for arguments in "m.xml" "--check-shapes m.xml" "--check-shapes --weights m.bin m.xml" "--convert out.xml m.xml"; do
        # shellcheck disable=SC2086 # $arguments is several words
        irrun $arguments
        ends 6
        says "m.bin: error: the file is $what, not the constants of a model [IR401 bin-missing]" "$stderr"
        says "1 error." "$stderr"
      done
    done
  done <<EOF
a Git LFS pointer@$lfs
an HTML page@<!DOCTYPE html>\n<html><p>404
an HTML page@<HTML>\n
XML@<?xml version="1.0"?>\n
a NumPy .npy file@\223NUMPY\001\000v\000{}
a NumPy .npz archive@PK\003\004\055\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\005\000\000\000x.npy
a zip archive@PK\003\004\024\000\010\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\005\000\000\000m.bin
an HDF5 file, such as a Keras model@\211HDF\r\n\032\n
EOF
  other_bin "$lfs"
  irrun --check-shapes m.xml
  says "hint: run 'git lfs pull'" "$stderr"
}

@test "weights may begin with a short signature, or be text" {
  while IFS= read -r bytes; do
    other_bin "$bytes"
    truncate -s 8192 m.bin
    irrun -q m.xml
    ends 0
  done <<'EOF'
\037\213\010\000
\177ELF
PK\003\004\377\377
\307\161
\377\376<\000
{"a": 1}
EOF
  head -c 8192 /dev/zero | tr '\0' '{' >m.bin
  irrun -q m.xml
  ends 0
}

@test "a .bin that is too short is one error, at the first constant outside" {
  other_bin 'weights'
  truncate -s 4000 m.bin
  irrun --check-shapes m.xml
  ends 3
  says "m.xml:4:53: error: m.bin has 4000 bytes, the constants need 8192: this one does not lie in it, the first of 2 [IR402" "$stderr"
  says "hint: is it cut short, or the .bin of another model?" "$stderr"
  says "1 error." "$stderr"
  truncate -s 8191 m.bin
  irrun m.xml
  ends 3
  says "m.xml:8:53: error: m.bin has 8191 bytes, the constants need 8192: this one does not lie in it [IR402" "$stderr"
  while IFS=@ read -r what bytes; do
    other_bin "$bytes"
    irrun --check-shapes m.xml
    ends 3
    says "hint: it looks like $what: put the model's own .bin in its place" "$stderr"
    says "1 error." "$stderr"
  done <<'EOF'
a text@404: Not Found
a text@{"error":"Not Found"}
a gzip archive@\037\213\010\000
EOF
}

@test "a .bin that cannot be read is no missing one" {
  other_bin x
  rm m.bin
  irrun --check-shapes m.xml
  ends 0
  says "warning: 2 constants are not looked at: there is no m.bin" "$stderr"
  mkdir m.bin
  irrun --check-shapes m.xml
  ends 6
  says "m.bin: error: cannot read: Is a directory [IR401 bin-missing]" "$stderr"
}

@test "an input that is another file is named" {
  pool_model pool.xml
  printf '\211PNG\r\n\032\n' >cat.png
  irrun pool.xml --input cat.png
  ends 5
  says "cat.png: error: a raw file of 8 bytes; f32[1,1,4,4] has 64 [IR507 raw-size-differs]" "$stderr"
  says "hint: it looks like a PNG image" "$stderr"
  # shellcheck disable=SC2059 # $lfs is a format
  printf "$lfs" >x.npy
  irrun pool.xml --input x.npy
  ends 5
  says "x.npy: error: the file is a Git LFS pointer, not a tensor [IR505 npy-malformed]" "$stderr"
  says "hint: run 'git lfs pull'" "$stderr"
  irrun --check-shapes - <x.npy
  ends 3
  says "<stdin> is a Git LFS pointer, not an OpenVINO IR" "$stderr"
  says "hint: run 'git lfs pull'" "$stderr"
}

# f16_model FILE TYPE N PRECISION: writes a model that returns a constant, whose bytes come from stdin.
f16_model() {
  cat >"${1%.xml}.bin"
  cat >"$1" <<END
<net name="m" version="11"><layers>
<layer id="0" name="c" type="Const" version="opset1"><data element_type="$2" shape="$3" offset="0" size="$(stat -c %s "${1%.xml}.bin")"/>
<output><port id="0" precision="$4"><dim>$3</dim></port></output></layer>
<layer id="1" name="y" type="Result" version="opset1"><input><port id="0"><dim>$3</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>
END
}

@test "--deny=IR409 fails models with constants that f16 cannot hold, and nothing else mentions them" {
  printf '\x00\x24\x74\x49\x00\x00\x80\x3f' | f16_model large.xml f32 2 FP32  # 1e6, 1
  printf '\x00\xf0\x7f\x47' | f16_model overflows.xml f32 1 FP32  # 65520
  printf '\xff\xef\x7f\x47\x00\x00\x80\x7f' | f16_model fits.xml f32 2 FP32  # just below, infinity
  printf '\xcc\xbc\x8c\x2b\x00\x00\x00\x00' | f16_model epsilon.xml f32 2 FP32  # 1e-12, 0
  printf '\xcc\xbc\x8c\x2b\x00\x00\x80\x3f' | f16_model weights.xml f32 2 FP32  # 1e-12, 1
  printf '\x00\x00\x00\x00' | f16_model zero.xml f32 1 FP32
  printf '\x9c\x75\x00\x88\x3c\xe4\x37\x7e' | f16_model double.xml f64 1 FP64  # 1e300
  printf '\x80\x47' | f16_model brain.xml bf16 1 BF16  # 65536
  printf '\x00\xe1\xf5\x05' | f16_model integer.xml i32 1 I32  # 1e8
  for model in large overflows epsilon double brain; do
    irrun --check-shapes -v $model.xml
    ends 0
    says_not "IR409" "$stderr"
    for mode in --check-shapes -q; do
      irrun $mode --deny=IR409 $model.xml
      ends 3
      says "layer 'c' (id 0, Const-1)" "$stderr"
      says "[IR409 constant-not-in-f16]" "$stderr"
    done
  done
  says "1 of 1 elements of the constant become infinite in f16; its numbers are 65536 to 65536" "$stderr"
  irrun --check-shapes --deny=IR409 epsilon.xml
  says "all elements of the constant become 0 in f16; its numbers are 0 to 1e-12" "$stderr"
  for model in fits weights zero integer; do
    irrun --check-shapes --deny=IR409 $model.xml
    ends 0
    says_not "IR409" "$stderr"
  done
  irrun -q fits.xml --deny=IR409
  ends 0
}
