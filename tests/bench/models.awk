# awk -v folder=DIR -f models.awk TABLE...: writes an IR for each row of the tables (see workloads.txt). Each has an
# input x, a pool, and a Result for each output.
function port(id, type, dims,    n, i, axes, text) {
  text = "<port id=\"" id "\" precision=\"" precision[type] "\">"
  n = split(dims, axes, ",")
  for (i = 1; i <= n; i++) text = text "<dim>" axes[i] "</dim>"
  return text "</port>"
}

# Returns the output's dims. They are rounded down, because all workloads use floor.
function output_dims(shape, kernel, strides, pads, sizes,    n, k, s, p, o, i, axes, text) {
  n = split(shape, axes, ",")
  split(kernel, k, ","); split(strides, s, ","); split(pads, p, ","); split(sizes, o, ",")
  text = axes[1] "," axes[2]
  for (i = 3; i <= n; i++)
    text = text "," (sizes != "-" ? o[i - 2] : int((axes[i] + 2 * p[i - 2] - k[i - 2]) / s[i - 2]) + 1)
  return text
}

# Writes sizes below 65,536 as little-endian i64.
function write_sizes(sizes, file,    n, i, o, text) {
  n = split(sizes, o, ",")
  for (i = 1; i <= n; i++)
    text = text sprintf("\\%03o\\%03o\\000\\000\\000\\000\\000\\000", o[i] % 256, int(o[i] / 256))
  if (system("printf '" text "' >'" file "'") != 0) exit 1
  return n
}

function edge(from, from_port, to, to_port) {
  return "<edge from-layer=\"" from "\" from-port=\"" from_port "\" to-layer=\"" to "\" to-port=\"" to_port "\"/>"
}

BEGIN {
  split("f32 FP32 f16 FP16 bf16 BF16 i8 I8 u8 U8 i64 I64", words, " ")
  for (i = 1; i in words; i += 2) precision[words[i]] = words[i + 1]
}

/^[^#]/ {
  name = $1; op = $2; type = $3; shape = $4; kernel = $5; strides = $6; pads = $7; sizes = $8
  file = folder "/" name ".xml"
  dims = output_dims(shape, kernel, strides, pads, sizes)
  opset = op == "AvgPool" || op == "MaxPool" ? "opset1" : "opset8"
  sub(/-8$/, "", op)

  data = "<data kernel=\"" kernel "\" strides=\"" strides "\" pads_begin=\"" pads "\" pads_end=\"" pads "\" rounding_type=\"floor\" auto_pad=\"explicit\""
  if (op == "AvgPool") data = data " exclude-pad=\"true\""
  indices = op == "MaxPool" && opset == "opset8"
  if (indices) {
    ones = kernel
    gsub(/[0-9]+/, "1", ones)
    data = data " dilations=\"" ones "\" index_element_type=\"i64\" axis=\"0\""
  }
  data = sizes == "-" ? data "/>" : ""
  inputs = port(0, type, shape)
  edges = edge(0, 0, 1, 0) edge(1, 2, 2, 0)
  outputs = port(2, type, dims)
  more = ""
  if (sizes != "-") {
    n = write_sizes(sizes, folder "/" name ".bin")
    more = "<layer id=\"3\" name=\"sizes\" type=\"Const\" version=\"opset1\"><data element_type=\"i64\" shape=\"" n "\" offset=\"0\" size=\"" 8 * n "\"/><output>" port(0, "i64", n) "</output></layer>"
    inputs = inputs port(1, "i64", n)
    edges = edges edge(3, 0, 1, 1)
  }
  if (indices) {
    outputs = outputs port(3, "i64", dims)
    more = "<layer id=\"3\" name=\"indices\" type=\"Result\" version=\"opset1\"><input>" port(0, "i64", dims) "</input></layer>"
    edges = edges edge(1, 3, 3, 0)
  }
  print "<?xml version=\"1.0\"?>\n<net name=\"" name "\" version=\"11\">\n<layers>" >file
  print "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"" shape "\" element_type=\"" type "\"/><output>" port(0, type, shape) "</output></layer>" >file
  print "<layer id=\"1\" name=\"pool\" type=\"" op "\" version=\"" opset "\">" data "<input>" inputs "</input><output>" outputs "</output></layer>" >file
  print "<layer id=\"2\" name=\"y\" type=\"Result\" version=\"opset1\"><input>" port(0, type, dims) "</input></layer>" >file
  if (more != "") print more >file
  print "</layers>\n<edges>" edges "</edges>\n</net>" >file
  close(file)
}
