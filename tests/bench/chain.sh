#!/bin/sh
# chain.sh N: prints an IR with a chain of N AvgPool layers, each 1x3x32x32 -> 1x3x32x32. Each layer is one line.
set -eu
awk -v n="$1" '
  function port(id) {
    return "<port id=\"" id "\" precision=\"FP32\"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>"
  }
  function layer(id, name, type, data, input, output) {
    printf "<layer id=\"%d\" name=\"%s\" type=\"%s\" version=\"opset1\">", id, name, type
    if (data) printf "<data %s/>", data
    if (input) printf "<input>%s</input>", input
    if (output) printf "<output>%s</output>", output
    print "</layer>"
  }
  BEGIN {
    print "<?xml version=\"1.0\"?>\n<net name=\"chain\" version=\"11\">\n<layers>"
    layer(0, "x", "Parameter", "shape=\"1,3,32,32\" element_type=\"f32\"", "", port(0))
    pool = "kernel=\"3,3\" strides=\"1,1\" pads_begin=\"1,1\" pads_end=\"1,1\" exclude-pad=\"true\"" \
      " rounding_type=\"floor\" auto_pad=\"explicit\""
    for (i = 1; i <= n; i++) layer(i, "pool" i, "AvgPool", pool, port(0), port(1))
    layer(n + 1, "y", "Result", "", port(0), "")
    print "</layers>\n<edges>"
    for (i = 0; i <= n; i++)
      printf "<edge from-layer=\"%d\" from-port=\"%d\" to-layer=\"%d\" to-port=\"0\"/>\n", i, (i > 0), i + 1
    print "</edges>\n</net>"
  }'
