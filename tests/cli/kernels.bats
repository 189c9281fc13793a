# Tests --kernels: results of oneDNN and of plain kernels may differ only in the last digits.
load helpers

# LeakSanitizer crashes on OpenMP's threads, which the module brings when it is loaded.
[ -z "${ASAN_OPTIONS:-}" ] || export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"

# net FILE: writes a model, described by the lines on stdin, with a .bin. A line "NAME TYPE[@OPSET] FROM...
# [ATTRIBUTE=VALUE...]" is a layer. For Const and Parameter, FROM are sizes. A model must have enough multiplications
# that irrun loads the oneDNN module.
net() {
  wide_model drawn.xml 300000
  "$IRRUN" drawn.xml -q --fill=-0.1..0.1:1 --output "${1%.xml}.bin"
  awk '
    function port(id) { return "<port id=\"" id "\" precision=\"FP32\"/>" }
    BEGIN { print "<net name=\"net\" version=\"11\"><layers>" }
    {
      split($2, type, "@")
      data = ""; inputs = ""; dims = ""; bytes = 4; n = 0
      for (i = 3; i <= NF; i++)
        if ($i ~ /=/) { split($i, pair, "="); data = data " " pair[1] "=\"" pair[2] "\"" }
        else if ($2 == "Const" || $2 == "Parameter") { dims = dims (dims == "" ? "" : ",") $i; bytes *= $i }
        else { inputs = inputs port(n); edges = edges "<edge from-layer=\"" id[$i] "\" from-port=\"" out[$i] "\" to-layer=\"" NR "\" to-port=\"" n++ "\"/>\n" }
      if (dims != "") data = data " element_type=\"f32\" shape=\"" dims "\""
      if ($2 == "Const") { data = data " offset=\"" offset + 0 "\" size=\"" bytes "\""; offset += bytes }
      id[$1] = NR; out[$1] = n
      print "<layer id=\"" NR "\" name=\"" $1 "\" type=\"" type[1] "\" version=\"opset" (type[2] ? type[2] : 1) "\"><data" data "/>"
      if (inputs != "") print "<input>" inputs "</input>"
      if ($2 != "Result") print "<output>" port(n) "</output>"
      print "</layer>"
    }
    END { print "</layers><edges>" edges "</edges></net>" }' >"$1"
}

# Attributes of 3x3 and of 1x1 windows that keep the size.
around="strides=1,1 dilations=1,1 pads_begin=1,1 pads_end=1,1"
point="strides=1,1 dilations=1,1 pads_begin=0,0 pads_end=0,0"

needs_module() {
  [[ "$("$IRRUN" --version)" =~ "oneDNN "[0-9] ]] || skip "irrun-onednn.so was not built: no libdnnl-dev"
}

# close MODEL ARGUMENT...: checks outputs on 1 to 4 threads. They may differ from the plain kernels' by 1e-4 of the
# largest magnitude of the smallest output.
close() {
  local threads most
  irrun "$@" --fill=-1..1:2 --kernels=plain --output plain.npz
  ends 0
  most=$(awk '$3 == "min" {
      largest = -$4 > $8 ? -$4 : +$8
      if (least == "" || largest < least) least = largest
    }
    END { print least * 1e-4 }' <<<"$output")
  for threads in 1 2 3 4; do
    irrun "$@" --fill=-1..1:2 --kernels=fast --threads "$threads" -q --expect plain.npz --rtol 0 --atol "$most"
    ends 0
  done
}

# agrees MODEL KERNEL...: checks that a run has exactly these steps of oneDNN, and that its outputs are close to the
# plain kernels'.
agrees() {
  irrun "$1" --fill=-1..1:2 -q --profile
  ends 0
  diff <(printf '%s\n' "${@:2}") <(grep -o '[a-z_+]* (onednn)' <<<"$output" | sed 's/ .*//')
  close "$1"
}

# convolutions LINE...: writes net.xml with a convolution c of x f32[1,16,32,32], a constant b for its bias, and the
# layers in LINEs.
convolutions() {
  {
    printf '%s\n' "x Parameter 1 16 32 32" "w Const 32 16 3 3" "b Const 1 32 1 1"
    printf '%s\n' "c Convolution x w $around" "$@"
  } | net net.xml
}

@test "a convolution, its bias and its function are one step" {
  needs_module
  for layers in "f ReLU s:relu" "f Sigmoid s:sigmoid" "f Tanh s:tanh" "f Clamp s min=-0.1 max=0.2:clamp" "f Elu s alpha=0.5:elu" \
    "f HSwish@4 s:hswish" "f Gelu@7 s approximation_mode=ERF:gelu"; do
    convolutions "s Add c b" "${layers%:*}" "y Result f"
    agrees net.xml "convolution+bias+${layers##*:}"
  done
}

@test "a product by its own sigmoid is one function" {
  needs_module
  convolutions "s Add c b" "g Sigmoid s" "f Multiply s g" "y Result f"
  agrees net.xml convolution+bias+swish
  convolutions "s Add c b" "g Sigmoid s" "f Multiply g s" "y Result f"
  agrees net.xml convolution+bias+swish
}

@test "an addition behind two convolutions is a part of one" {
  needs_module
  convolutions "s Add c b" "r ReLU s" "v Const 32 32 3 3" "d Convolution r v $around" "a Add d r" "f ReLU a" "y Result f"
  agrees net.xml convolution+bias+relu convolution+add+relu
  convolutions "u Const 32 16 1 1" "d Convolution x u $point" "a Add c d" "f ReLU a" "y Result f"
  agrees net.xml convolution convolution+add+relu
}

@test "a scale before or after a product goes into its weights" {
  needs_module
  convolutions "k Const 1 32 1 1" "m Multiply c k" "s Add m b" "r ReLU s" "y Result r"
  agrees net.xml convolution+bias+relu
  convolutions "s Add c b" "k Const 1" "m Multiply k s" "r ReLU m" "y Result r"
  agrees net.xml convolution+bias+relu
  convolutions "r ReLU c" "k Const 32 1 1" "m Multiply r k" "v Const 8 32 3 3" "d Convolution m v $around" "y Result d"
  agrees net.xml convolution+relu convolution
  convolutions "r ReLU c" "k Const 1 32 1 1" "m Multiply r k" "g Const 4 16 8 3 3" "d GroupConvolution m g $around" \
    "l Const 1 64 1 1" "n Multiply d l" "h Const 64 16 4 4" \
    "e ConvolutionBackpropData n h strides=2,2 dilations=1,1 pads_begin=1,1 pads_end=1,1" "o Const 1 16 1 1" "p Multiply e o" "y Result p"
  agrees net.xml convolution+relu convolution convolution_backprop
  # An addition to the data becomes a bias, if the convolution has no pads; then a multiplication before it, too.
  local inside="strides=1,1 dilations=1,1 pads_begin=0,0 pads_end=0,0"
  convolutions "r ReLU c" "k Const 1 32 1 1" "m Multiply r k" "t Const 32 1 1" "a Add m t" "v Const 8 32 3 3" \
    "d Convolution a v $inside" "b Const 1 8 1 1" "e Add d b" "f ReLU e" "y Result f"
  agrees net.xml convolution+relu convolution+bias+relu
  convolutions "r ReLU c" "t Const 1" "a Add r t" "g Const 4 16 8 3 3" "d GroupConvolution a g $inside" "l Const 1 64 1 1" \
    "n Multiply d l" "y Result n"
  agrees net.xml convolution+relu convolution+bias
  convolutions "r ReLU c" "t Const 1 32 1 1" "a Add r t" "v Const 8 32 3 3" "d Convolution a v $around" "y Result d"
  agrees net.xml convolution+relu convolution
  # A value that another layer also reads is not fused.
  convolutions "r ReLU c" "k Const 1 32 1 1" "m Multiply r k" "v Const 8 32 3 3" "d Convolution m v $around" "y Result d" "z Result m"
  agrees net.xml convolution+relu convolution
}

@test "groups, kernels of one channel, and backprops" {
  needs_module
  convolutions "r ReLU c" "g Const 4 16 8 3 3" "d GroupConvolution r g $around" "h Const 64 1 1 3 3" \
    "e GroupConvolution d h strides=2,1 dilations=1,2 pads_begin=1,2 pads_end=0,1" "y Result e"
  agrees net.xml convolution+relu convolution convolution
  convolutions "k Const 32 8 4 4" "d ConvolutionBackpropData c k strides=2,2 dilations=1,1 pads_begin=1,1 pads_end=1,1" "n Const 1 8 1 1" \
    "s Add d n" "r ReLU s" "y Result r"
  close net.xml
  convolutions "k Const 4 8 5 3 3" "d GroupConvolutionBackpropData c k $around" "y Result d"
  agrees net.xml convolution convolution_backprop
}

@test "one and three axes" {
  needs_module
  net net.xml <<END
x Parameter 2 32 500
w Const 48 32 5
c Convolution x w strides=1 dilations=2 pads_begin=4 pads_end=4
b Const 1 48 1
s Add c b
y Result s
END
  agrees net.xml convolution+bias
  net net.xml <<END
x Parameter 1 8 12 16 16
w Const 16 8 3 3 3
c Convolution x w strides=1,1,1 dilations=1,1,1 pads_begin=1,1,1 pads_end=1,1,1
r ReLU c
y Result r
END
  agrees net.xml convolution+relu
}

@test "a window of NaN is warned of where channels lie last" {
  needs_module
  # c has 20 channels. Windows in the left half of each plane hold only NaN.
  { for ((i = 0; i < 32 * 32; i++)); do ((i % 32 < 16)) && printf '\377\377\377\377' || printf '\0\0\200\77'; done; } >plane.raw
  for _ in {1..16}; do cat plane.raw; done >x.raw
  net net.xml <<END
x Parameter 1 16 32 32
w Const 20 16 1 1
c Convolution x w $point
m MaxPool c kernel=2,2 strides=2,2 pads_begin=0,0 pads_end=0,0
v Const 128 20 3 3
d Convolution m v $around
y Result d
END
  irrun net.xml -q --input x.raw --profile
  ends 0
  says "maximum.last" "$output"
  says "warning: 2560 of 5120 windows hold NaN and no number, first the one of output [0,0,0,0]; their maximum is -3.40282347e+38 [IR321 window-of-nan]" "$stderr"
}

@test "pass quantize makes the lowest level of NaN, plain kernels keep it" {
  needs_module
  net net.xml <<END
low Const 1
high Const 1
x Parameter 64 512
w Const 512 512
m MatMul x w
q FakeQuantize m low high low high levels=128
y Result q
END
  printf '\0\0\200\277\0\0\200\77' | dd of=net.bin conv=notrunc status=none # the limits -1 and 1
  head -c $((64 * 512 * 4)) /dev/zero | tr '\0' '\377' >x.raw                # NaN whose bits are all 1
  irrun net.xml -q --input x.raw
  ends 0
  says "y  f32[64,512]  min -1  mean -1  max -1" "$output"
  irrun net.xml -q --input x.raw --kernels=plain
  ends 0
  says "nan 32768" "$output"
}

@test "-v counts what is done with products" {
  needs_module
  convolutions "s Add c b" "r ReLU s" "v Const 32 32 3 3" "d Convolution r v $around" "a Add d r" "f ReLU a" "y Result f"
  irrun net.xml --fill random -v
  ends 0
  says "products by oneDNN: 2, denormals count as 0; done with them: biases 1, additions 1, functions 2" "$output"
  says "passes: fuse 4 layers, layout 1 tensors" "$output"
  irrun net.xml --fill random -v --kernels=plain
  ends 0
  says_not "oneDNN" "$output"
}

@test "--skip-pass leaves out a pass" {
  needs_module
  convolutions "s Add c b" "r ReLU s" "v Const 32 32 3 3" "d Convolution r v $around" "a Add d r" "f ReLU a" "y Result f"
  irrun net.xml --fill random -v --skip-pass fuse
  ends 0
  says "products by oneDNN: 2, denormals count as 0; done with them: biases 0, additions 0, functions 0" "$output"
  says_not "fuse" "$output"
  irrun net.xml --fill random -v --skip-pass=layout --skip-pass=fuse
  ends 0
  says_not "passes:" "$output"
  irrun net.xml --fill random --skip-pass=fuse,layout
  ends 2
  says "'--skip-pass fuse,layout': needs one of widen fold quantize pack fuse layout" "$stderr"
}

@test "a run of more than two seconds says on a terminal where it is" {
  net net.xml <<END
x Parameter 1 64 256 256
w Parameter 64 64 31 31
c Convolution x w strides=1,1 dilations=1,1 pads_begin=15,15 pads_end=15,15
y Result c
END
  output=$(TERM=xterm script -qec "timeout --foreground 5 '$IRRUN' net.xml --fill random --kernels=plain --threads=1" /dev/null </dev/null) || true
  says "2 s: step 1 of 1, c" "$output"
}

@test "a matrix product, its bias and its function are one step" {
  needs_module
  for transposed in false true; do
    sizes=$([ $transposed = true ] && echo "192 256" || echo "256 192")
    net net.xml <<END
x Parameter 128 256
w Const $sizes
m MatMul x w transpose_a=false transpose_b=$transposed
b Const 1 192
s Add m b
r ReLU s
y Result r
END
    agrees net.xml mat_mul+bias+relu
  done
}

@test "what is added to a product by a vector is one number for each row" {
  needs_module
  net net.xml <<END
x Parameter 4 1100 1024
w Const 1024
m MatMul x w transpose_a=false transpose_b=false
b Const 1100
s Add m b
y Result s
END
  close net.xml
}

@test "a matrix product of two inputs" {
  needs_module
  net net.xml <<END
a Parameter 3 160 128
b Parameter 3 128 96
m MatMul a b transpose_a=false transpose_b=false
f Tanh m
y Result f
END
  agrees net.xml mat_mul+tanh
}

@test "an Einsum that is a matrix product, with what precedes and follows it" {
  needs_module
  einsum() { # EQUATION WEIGHTS...: writes net.xml: an Einsum, scales of data [2,100,32,32] and output, a bias, ReLU
    {
      printf '%s\n' "x Parameter 2 100 32 32" "k Const 32" "m Multiply x k" "w Const ${*:2}" \
        "e Einsum@7 m w equation=$1" "l Const 32" "n Multiply e l" "b Const 32" "s Add n b" "r ReLU s" "y Result r"
    } | net net.xml
  }
  einsum "abcd,de->abce" 32 32
  agrees net.xml mat_mul+bias+relu
  # The weights have two axes of terms, so the scales cannot go into them.
  einsum "abcd,ecd->abe" 32 32 32
  agrees net.xml mat_mul
  einsum "abcd,cde->abe" 32 32 32
  agrees net.xml mat_mul
}

@test "pools, concatenations and other ops between convolutions" {
  needs_module
  local half="kernel=2,2 strides=2,2 pads_begin=0,0 pads_end=0,0"
  convolutions "r ReLU c" "m MaxPool r $half" "p AvgPool r $half exclude-pad=true" "k Concat m p axis=1" "u Const 16 64 1 1" \
    "d Convolution k u $point" "h HSigmoid@5 d" "e Multiply d h" "y Result e"
  agrees net.xml convolution+relu convolution
}

@test "an output in the middle of a chain" {
  needs_module
  convolutions "s Add c b" "r ReLU s" "middle Result s" "v Const 32 32 3 3" "d Convolution r v $around" "end Result d"
  agrees net.xml convolution+bias convolution
  convolutions "s Add c b" "r ReLU s" "middle Result r" "v Const 32 32 3 3" "d Convolution r v $around" "a Add d r" "end Result a"
  agrees net.xml convolution+bias+relu convolution+add
}

@test "a kernel that is an input" {
  needs_module
  net net.xml <<END
x Parameter 1 16 32 32
w Parameter 32 16 3 3
c Convolution x w $around
r ReLU c
y Result r
END
  agrees net.xml convolution+relu
}

@test "a model of open sizes" {
  needs_module
  convolutions "s Add c b" "r ReLU s" "v Const 32 32 3 3" "d Convolution r v $around" "y Result d"
  sed -i 's/shape="1,16,32,32"/shape="?,16,?,?"/' net.xml
  close net.xml --shape 1,16,32,32
  close net.xml --shape 2,16,20,40
}

@test "without the module the plain kernels serve, and nothing is said of it" {
  mkdir alone
  cp "$IRRUN" alone/irrun
  [[ "$(alone/irrun --version)" =~ "oneDNN "[0-9] ]] && skip "irrun-onednn.so is installed"
  convolutions "s Add c b" "r ReLU s" "y Result r"
  irrun net.xml --fill=-1..1:2 --kernels=plain -q --output plain.npy
  ends 0
  alone/irrun net.xml --fill=-1..1:2 --kernels=fast -q --output alone.npy >out 2>err
  cmp plain.npy alone.npy
  [ ! -s err ]
  alone/irrun --version >out
  grep -q "no module of oneDNN" out
}

@test "where memory or threads run out a run ends with a result or a message" {
  needs_module
  ! grep -q __asan_init "$IRRUN" || skip "AddressSanitizer takes address space of its own"
  local kib threads
  convolutions "s Add c b" "r ReLU s" "v Const 32 32 3 3" "d Convolution r v $around" "a Add d r" "y Result a"
  for kib in {60000..160000..10000}; do
    for threads in 1 4; do
      irrun_within "$kib" net.xml --fill random -q --threads "$threads"
      # glibc ends a process itself that has no memory for the thread-local data of a library, or to load libgcc_s
      [[ $stderr =~ "cannot allocate memory for thread-local data"|"libgcc_s.so.1 must be installed" ]] && continue
      [ "$status" -eq 0 ] || ends 6
    done
  done
}

@test "--kernels knows two words" {
  pool_model pool.xml
  irrun pool.xml --kernels=quick
  ends 2
  says "'--kernels quick': needs one of fast plain" "$stderr"
}

@test "--precision=bf16 multiplies bf16, and all else stays in f32" {
  needs_module
  grep -Eqw 'avx512_bf16|amx_bf16' /proc/cpuinfo || skip "the processor has no instructions for bf16"
  convolutions "s Add c b" "m SoftMax@1 s axis=1" "v Const 32 32 3 3" "d Convolution m v $around" "r ReLU d" \
    "e Convolution r v $around" "y Result e"
  irrun net.xml --fill=-1..1:2 -q --output f32.npy
  ends 0
  irrun net.xml --fill=-1..1:2 -q --precision=f32 --expect f32.npy --atol 0 --rtol 0
  ends 0
  irrun net.xml --fill=-1..1:2 --precision=bf16 -v --expect f32.npy --rtol 0.01
  ends 0
  says_not warning "$stderr"
  says "products by oneDNN: 3, 3 of them in bf16, denormals" "$output"
  says_not "max abs 0 " "$output"
  irrun --show-plan net.xml --precision=bf16
  ends 0
  says "why: oneDNN computes products of bf16, as asked for; their sums are f32" "$output"
  grep -E 'convolution_bf16\+bias \(onednn\) +f32\[1,32,32,32\]' <<<"$output"
  grep -E 'convolution_bf16\+relu \(onednn\) +bf16\[1,32,32,32\]' <<<"$output"
  # the number of products decides nothing
  sed 's/shape="1,16,32,32"/shape="1,16,2,2"/' net.xml >small.xml
  cp net.bin small.bin
  irrun small.xml --fill random -v --precision=bf16
  ends 0
  says "3 of them in bf16" "$output"
  # each of several runs at once has it
  DNNL_VERBOSE=1 irrun --bench=8 --parallel=2 --threads=2 -q net.xml --fill=-1..1:2 --precision=bf16
  ends 0
  grep -Eq 'exec,cpu,convolution,.*src[_:]bf16' <<<"$output" # oneDNN 2 writes src_bf16, 3 src:bf16
  [ "$(grep -cE 'exec,cpu,convolution,.*src[_:]f32' <<<"$output")" = 0 ]
}

@test "products that are computed in f32 instead of the precision that was asked for" {
  needs_module
  convolutions "s Add c b" "y Result s"
  export DNNL_MAX_CPU_ISA=AVX512_CORE
  irrun net.xml --fill=-1..1:2 -q --output f32.npy
  ends 0
  local type
  for type in bf16 f16; do
    irrun net.xml --fill=-1..1:2 -q --precision=$type --expect f32.npy --atol 0 --rtol 0
    ends 0
    says "warning: products of $type were asked for, and they are computed in f32: this processor, or this version of oneDNN, has no such products [IR706 precision-not-kept]" "$stderr"
  done
  irrun net.xml --fill random -q --precision=bf16 --deny=IR706
  ends 4
  irrun net.xml --fill random -q --precision=bf16 --kernels=plain
  ends 0
  says "computed in f32: plain kernels were asked for [IR706" "$stderr"
  irrun net.xml --fill random -q --precision=bf16 --save-all all.npz
  ends 0
  says "asked for, and they are computed in f32: " "$stderr"
  # a model without products has nothing that could be computed otherwise
  pool_model pool.xml
  irrun pool.xml --fill random -q --precision=bf16 --strict
  ends 0
  irrun pool.xml --precision=f8
  ends 2
  says "'--precision f8': needs one of f32 bf16 f16" "$stderr"
}

@test "the cases of --test have the precision that was asked for" {
  needs_module
  convolutions "s Add c b" "y Result s"
  mkdir -p cases/net/test_data_set_0
  mv net.xml net.bin cases/net
  wide_model wide.xml 1,16,32,32
  irrun wide.xml --fill=0..1:2 -q --output cases/net/test_data_set_0/input_0.npy
  irrun cases/net/net.xml --input cases/net/test_data_set_0/input_0.npy -q --output cases/net/test_data_set_0/output_0.npy
  irrun --test cases -q
  ends 0
  irrun --test cases --precision=bf16 --kernels=plain --deny=IR706
  ends 4
  says "computed in f32: plain kernels were asked for" "$output"
}
