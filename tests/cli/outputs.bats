# Tests --output: files, folders, archives and stdout.
load helpers

@test "what --output writes, --expect reads back with no difference" {
  tensors
  for form in npy npz raw bin; do
    irrun pool.xml -q --input x.npy --output "out.$form"
    ends 0
    [ -z "$output" ]
    irrun pool.xml -q --input x.npy --expect "out.$form" --atol 0 --rtol 0
    ends 0
  done
}

@test "without -q a line says what was written" {
  tensors
  irrun pool.xml --input x.npy --output out.npy
  ends 0
  [ "$output" = "y  f32[1,1,2,2]  min 2.5  mean 7.5  max 12.5  -> out.npy" ]
}

@test "another suffix is a usage error, before anything is written" {
  tensors
  two_model two.xml
  irrun two.xml --fill ones --output ay=a.npy --output by=b.txt
  ends 2
  says "'--output by=b.txt': the name does not say which form to write" "$stderr"
  [ ! -e a.npy ]
}

@test "several outputs: one file needs a NAME, an archive or a folder takes all" {
  two_model two.xml
  irrun two.xml --fill ones --output out.npy
  ends 2
  says "--output 'ay=FILE' --output 'by=FILE'" "$stderr"
  irrun two.xml -q --fill ones --output out.npz
  ends 0
  irrun two.xml -q --fill ones --expect out.npz
  ends 0
  mkdir there
  irrun two.xml -q --fill ones --output there --output made/
  ends 0
  [ "$(cd there && echo *)" = "ay.npy by.npy" ]
  cmp there/ay.npy made/ay.npy
}

@test "names that would leave the folder, and names that collide" {
  two_model two.xml
  sed -i -e 's:name="ay":name="../y":' -e 's:name="by":name=".._y":' two.xml
  irrun two.xml -q --fill ones --output out/
  ends 0
  [ "$(find . -name '*.npy' | sort | tr '\n' ' ')" = "./out/_._y.npy ./out/_._y_2.npy " ]
}

# outputs N EXPRESSION: prints a model with N outputs; awk's EXPRESSION is the name of number i.
outputs() {
  awk -v n="$1" '
    function port(id) { return "<port id=\"" id "\" precision=\"FP32\"><dim>1</dim></port>" }
    BEGIN {
      print "<net version=\"11\"><layers><layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">"
      print "<data shape=\"1\" element_type=\"f32\"/><output>" port(0) "</output></layer>"
      print "<layer id=\"1\" name=\"r\" type=\"ReLU\" version=\"opset1\">"
      print "<input>" port(0) "</input><output>" port(1) "</output></layer>"
      for (i = 2; i < n + 2; i++)
        print "<layer id=\"" i "\" name=\"" ('"$2"') "\" type=\"Result\" version=\"opset1\">" \
              "<input>" port(0) "</input></layer>"
      print "</layers><edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>"
      for (i = 2; i < n + 2; i++)
        print "<edge from-layer=\"1\" from-port=\"1\" to-layer=\"" i "\" to-port=\"0\"/>"
      print "</edges></net>"
    }'
}

@test "many outputs whose names are one file, or several, take no time" {
  outputs 4000 '"q"' >same.xml
  outputs 4000 'i % 2 ? "a/b" : "a_b"' >near.xml
  outputs 4000 '"q" (i % 3 ? "" : "_" i)' >mixed.xml
  for model in same near mixed; do
    output=$(ulimit -t 4 && "$IRRUN" $model.xml --fill ones -qq -o $model/)
    [ "$(find $model -type f | wc -l)" -eq 4000 ]
  done
  [ -e same/q.npy ]
  [ -e same/q_4000.npy ]
  [ -e near/a_b_4000.npy ]
}

@test "'-' is .npy on stdout, reports go to stderr" {
  tensors
  "$IRRUN" pool.xml --input x.npy --output - >out.npy 2>report
  cmp out.npy y.npy
  says "y  f32[1,1,2,2]" "$(cat report)"
}

@test "one file or stdout is not written twice" {
  two_model two.xml
  irrun two.xml --fill ones --output ay=o.npy --output by=o.npy
  ends 2
  [ ! -e o.npy ]
  irrun two.xml --fill ones --output ay=- --output by=-
  ends 2
  irrun two.xml --fill ones --output ay=- --json
  ends 2
}

@test "a folder that is not there is status 6" {
  tensors
  irrun pool.xml --input x.npy --output nowhere/out.npy
  ends 6
  says "[IR702 file-not-writable]" "$stderr"
  # The output is refused before anything is computed: no result is printed. Faults of the inputs are still reported.
  [ -z "$output" ]
  irrun pool.xml --input nowhere.npy --output nowhere/out.npy
  ends 6
  says "nowhere/out.npy: error: cannot write: there is no folder 'nowhere'" "$stderr"
  says "nowhere.npy: error: cannot read" "$stderr"
  irrun pool.xml --fill ones --output /proc/out.npy
  ends 6
  says "/proc/out.npy: error: cannot write: '/proc' takes no new files" "$stderr"
}
