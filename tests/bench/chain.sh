#!/bin/sh
# chain.sh N: an IR of N AvgPool layers, one behind the other, each 1x3x32x32 -> 1x3x32x32.
set -eu
awk -v n="$1" '
  function port(id) {
    return "<port id=\"" id "\" precision=\"FP32\"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>"
  }
  function layer(id, name, type, data, input, output) {
    printf "\t\t<layer id=\"%d\" name=\"%s\" type=\"%s\" version=\"opset1\">\n", id, name, type
    if (data) printf "\t\t\t<data %s/>\n", data
    if (input) printf "\t\t\t<input>\n\t\t\t\t%s\n\t\t\t</input>\n", input
    if (output) printf "\t\t\t<output>\n\t\t\t\t%s\n\t\t\t</output>\n", output
    print "\t\t</layer>"
  }
  BEGIN {
    print "<?xml version=\"1.0\"?>\n<net name=\"chain\" version=\"11\">\n\t<layers>"
    layer(0, "x", "Parameter", "shape=\"1,3,32,32\" element_type=\"f32\"", "", port(0))
    pool = "kernel=\"3, 3\" strides=\"1, 1\" pads_begin=\"1, 1\" pads_end=\"1, 1\" exclude-pad=\"true\"" \
      " rounding_type=\"floor\""
    for (i = 1; i <= n; i++) layer(i, "pool" i, "AvgPool", pool, port(0), port(1))
    layer(n + 1, "y", "Result", "", port(0), "")
    print "\t</layers>\n\t<edges>"
    for (i = 0; i <= n; i++)
      printf "\t\t<edge from-layer=\"%d\" from-port=\"%d\" to-layer=\"%d\" to-port=\"0\"/>\n", i, (i > 0), i + 1
    print "\t</edges>\n</net>"
  }'
