"""Makes small language models as exporters and compressors of today write them: a stateful graph with random weights,
and the inputs of a prompt and some steps. `build(Language(..))` returns an OpenVINO model."""

import dataclasses
import zlib

import numpy as np
import openvino as ov
import openvino.opset16 as op

F32, F16, I32, I64 = np.float32, np.float16, np.int32, np.int64
LAST = np.iinfo(I64).max
VOCABULARY, BLOCKS, HEADS, WINDOW = 48, 2, 4, 3
TYPES = {name: getattr(ov.Type, name) for name in "u8 i8 u4 i4 u2 nf4 f4e2m1 f8e4m3 f8e5m2 f8e8m0".split()}
# The size of a usual number of the type, less its zero point.
USUAL = {"u8": 74, "i8": 74, "u4": 4.6, "i4": 4.6, "u2": 1.1, "nf4": 0.6, "f4e2m1": 2.9, "f8e4m3": 0.7, "f8e5m2": 0.7, "codebook": 0.7}
FAMILIES = ("llama", "qwen2", "qwen3", "gemma", "phi", "phi3", "gpt2")
MASKS = ("numbers", "infinities", "booleans")


@dataclasses.dataclass(frozen=True)
class Language:
    """Describes a model. `group` 0: a scale belongs to a whole row of the weights. `zeros`: there are no zero points,
    one for all weights, or one for each scale."""

    family: str
    weights: str = "f32"  # f32, f16, bf16, or one of USUAL
    group: int = 0
    zeros: str = "none"
    scales: str = "f16"
    table: str = "u8"  # weights of the embedding, unless all weights are floats; "same": those of the others
    mask: str = "numbers"
    written_out: bool = False  # attention is MatMul, SoftMax and MatMul
    batch: int = 1
    hidden: int = 64

    @property
    def name(self):
        words = [self.family, self.weights, str(self.group or "row")]
        words += [] if self.zeros == "none" else [f"zeros_{self.zeros}"]
        words += [] if self.scales == "f16" else [self.scales]
        words += [] if self.table == "u8" else [f"table_{self.table}"]
        words += [] if self.mask == "numbers" else [self.mask]
        words += ["written_out"] if self.written_out else []
        return "_".join([*words, f"batch{self.batch}"])

    head = property(lambda self: self.hidden // HEADS)
    kv_heads = property(lambda self: HEADS if self.family in ("phi", "gpt2") else HEADS // 2)
    has_positions = property(lambda self: self.family != "gpt2")


def number(value, element_type=F32):
    return op.constant(np.array(value, element_type))


def integers(*values):
    return op.constant(np.array(values, I64))


def slices(x, start, stop, axis=-1):
    return op.slice(x, integers(start), integers(stop), integers(1), integers(axis))


def transposed(x, *order):
    return op.transpose(x, integers(*order))


def reshaped(x, *shape):
    return op.reshape(x, integers(*shape), True)


def sizes(*parts):
    return op.concat([integers(part) if isinstance(part, int) else op.unsqueeze(part, integers(0)) for part in parts], 0)


def count(n):
    return op.range(number(0, I64), n, number(1, I64), "i64")


def low_bit(codes, name, shape):
    """Makes a constant of `codes`, the bits of each element. Types of less than 8 bits are packed, the first element
    into the lowest bits."""
    bits = TYPES[name].bitwidth
    codes = codes.reshape(-1).astype(np.uint8)
    codes = np.append(codes, np.zeros(-len(codes) % (8 // bits), np.uint8)).reshape(-1, 8 // bits)
    return constant_of(np.bitwise_or.reduce(codes << np.arange(0, 8, bits, dtype=np.uint8), axis=1), TYPES[name], shape)


def constant_of(data, element_type, shape):
    tensor = ov.Tensor(element_type, list(shape))  # with memory of its own: a tensor of an array borrows
    tensor.data.reshape(-1).view(np.uint8)[...] = data.reshape(-1).view(np.uint8)
    return ov.op.Constant(tensor)


class Builder:
    """Draws the weights and makes the parts that models share."""

    def __init__(self, language):
        self.language, self.rng, self.assigns = language, np.random.default_rng(zlib.crc32(language.name.encode())), []
        self.inputs, self.sizes = {}, {}

    def size_of(self, x, axis):
        """Returns the size of an axis. The same nodes serve all readers."""
        if (x.get_name(), axis) not in self.sizes:
            self.sizes[x.get_name(), axis] = op.gather(op.shape_of(x), number(axis, I64), number(0, I64))
        return self.sizes[x.get_name(), axis]

    def parameter(self, name, shape, element_type):
        self.inputs[name] = op.parameter(shape, element_type)
        self.inputs[name].output(0).set_names({name})
        return self.inputs[name]

    # ---- weights ----

    def normal(self, *shape, scale=1.0, mean=0.0):
        return (mean + scale * self.rng.standard_normal(shape)).astype(F32)

    def vector(self, n, mean=0.0, rank=3):
        values = self.normal(*[1] * (rank - 1), n, scale=0.3, mean=mean)
        if self.language.weights in ("f32", "bf16"):
            return op.constant(values)
        return op.convert(op.constant(values.astype(F16)), F32)

    def scale(self, shape, size):
        """Makes scales near `size`."""
        scales = size * self.rng.uniform(0.6, 1.4, shape)
        if self.language.scales == "f8e8m0":
            return op.convert(low_bit(np.rint(np.log2(scales)) + 127, "f8e8m0", shape), F16)
        if self.language.scales == "f8e4m3":  # times a number for all weights, and rounded to f16: NVFP4
            bits = self.rng.integers(0x30, 0x40, shape)  # 0.5 to 1.9
            return op.convert(op.multiply(op.convert(low_bit(bits, "f8e4m3", shape), F32), number(size)), F16)
        return op.constant(scales.astype(F16))

    def codes(self, name, shape):
        """Draws bits of elements; 8-bit floats are finite and small."""
        if name in ("f8e4m3", "f8e5m2"):
            return self.rng.integers(0, 0x40, shape) + 0x80 * self.rng.integers(0, 2, shape)
        return self.rng.integers(0, 1 << TYPES[name].bitwidth, shape)

    def numbers(self, name, shape):
        """Makes the numbers that zero points and scales make weights of."""
        if name != "codebook":
            return op.convert(low_bit(self.codes(name, shape), name, shape), F16)
        book = op.convert(low_bit(self.codes("f8e4m3", (16,)), "f8e4m3", (16,)), F16)
        indices = op.convert(low_bit(self.codes("u4", shape), "u4", shape), "u8")
        return op.gather(book, indices, number(0, I64))

    def zero_points(self, name, shape):
        language, middle = self.language, 1 << (TYPES[name].bitwidth - 1)
        if language.zeros == "one":
            return op.convert(op.constant(np.array(middle, np.int8 if middle < 128 else np.uint8)), F16)
        return op.convert(low_bit(middle + self.rng.integers(-1, 2, shape), name, shape), F16)

    def weight(self, n, k, table=False):
        """Makes weights [n, k] as NNCF writes them."""
        language = self.language
        name, group, zeros = language.weights, language.group, language.zeros
        if name == "f32":
            return op.constant(self.normal(n, k, scale=k**-0.5))
        if name == "f16":
            return op.convert(op.constant(self.normal(n, k, scale=k**-0.5).astype(F16)), F32)
        if name == "bf16":
            bits = self.normal(n, k, scale=k**-0.5).view(np.uint32) >> 16
            return op.convert(constant_of(bits.astype(np.uint16), ov.Type.bf16, (n, k)), F32)
        if table and language.table == "u8":
            name, group, zeros = "u8", 0, "each"
        shape = (n, k // group, group) if group else (n, k)
        ones = (*shape[:-1], 1)  # the shape of scales
        y = self.numbers(name, shape)
        if zeros != "none":
            y = op.subtract(y, self.zero_points(name, ones))
        y = op.multiply(y, self.scale(ones, k**-0.5 / USUAL[name]))
        return op.convert(op.reshape(y, integers(n, k), False) if group else y, F32)

    # ---- layers ----

    def linear(self, x, n, k, bias=False):
        y = op.matmul(x, self.weight(n, k), False, True)
        return op.add(y, self.vector(n)) if bias else y

    def linear_of_matrix(self, x, n, k):
        """A product of GPT-2: its rows are one matrix, and the bias is the first operand."""
        y = op.add(self.vector(n, rank=2), op.matmul(reshaped(x, -1, k), self.weight(n, k), False, True))
        return op.reshape(y, sizes(*[self.size_of(x, axis) for axis in (0, 1)], n), False)

    def rms(self, x, n, rank=3, weight_last=False):
        mean = op.reduce_mean(op.power(x, number(2)), integers(-1), True)
        y = op.multiply(x, op.divide(number(1), op.sqrt(op.add(mean, number(1e-6)))))
        weight = self.vector(n, mean=1.0, rank=rank)
        return op.multiply(y, weight) if weight_last else op.multiply(weight, y)

    def layer_norm(self, x, n):
        y = op.mvn(x, integers(-1), True, 1e-5, "INSIDE_SQRT")
        return op.add(op.multiply(y, self.vector(n, mean=1.0)), self.vector(n))

    def norm(self, x):
        language = self.language
        if language.family in ("phi", "gpt2"):
            return self.layer_norm(x, language.hidden)
        return self.rms(x, language.hidden, weight_last=language.family == "gemma")

    def angles(self, size):
        """Returns cosines and sines [batch, 1, length, size]."""
        powers = (10000.0 ** (-np.arange(0, size, 2) / size)).astype(F32).reshape(1, -1, 1)
        positions = op.convert(op.unsqueeze(self.inputs["position_ids"], integers(1)), F32)
        angles = transposed(op.matmul(op.constant(powers), positions, False, False), 0, 2, 1)
        angles = op.concat([angles, angles], -1)
        return [op.unsqueeze(function(angles), integers(1)) for function in (op.cos, op.sin)]

    def rotate(self, x, angles, size):
        """Rotates the first `size` elements of each head."""
        if size < self.language.head:
            parts = [slices(x, 0, size), slices(x, size, LAST)]
            return op.concat([self.rotate(parts[0], angles, self.language.head), parts[1]], -1)
        half = angles[2] // 2
        negative = op.multiply(slices(x, half, LAST), op.convert(number(-1, I32), F32))
        turned = op.concat([negative, slices(x, 0, half)], -1)
        return op.add(op.multiply(x, angles[0]), op.multiply(turned, angles[1]))

    def state(self, name):
        """Returns the variable and its value, with its sequences reordered by beam_idx."""
        language = self.language
        info = ov.op.util.VariableInfo()
        info.data_shape = ov.PartialShape([-1, language.kv_heads, -1, language.head])
        info.data_type, info.variable_id = ov.Type.f32, name
        variable = ov.op.util.Variable(info)
        shape = sizes(self.size_of(self.inputs["input_ids"], 0), language.kv_heads, 0, language.head)
        value = ov.opset6.read_value(op.broadcast(number(0), shape), variable)
        return variable, op.gather(value, self.inputs["beam_idx"], number(0, I64))

    def grow(self, state, now):
        """Appends `now` to the state. Returns it all, repeated for each head of the queries."""
        language = self.language
        whole = op.concat([state[1], now], -2)
        self.assigns.append(ov.opset6.assign(whole, state[0]))
        if language.kv_heads == HEADS:
            return whole
        repeats = HEADS // language.kv_heads
        shape = sizes(self.size_of(whole, 0), language.kv_heads, repeats, self.size_of(whole, 2), language.head)
        repeated = op.broadcast(op.unsqueeze(whole, integers(2)), shape, "BIDIRECTIONAL")
        return op.reshape(repeated, sizes(self.size_of(whole, 0), HEADS, self.size_of(whole, 2), language.head), False)

    def mask(self, past, window):
        """Makes the mask [batch, 1, length, past + length] of the positions that a query sees: those up to its own, at
        most `window` of them, that attention_mask has not hidden."""
        ids, form = self.inputs["input_ids"], self.language.mask
        length, total = self.size_of(ids, 1), op.add(self.size_of(past, 2), self.size_of(ids, 1))
        sources = op.unsqueeze(count(total), integers(0, 1, 2))
        places = op.unsqueeze(op.add(count(length), self.size_of(past, 2)), integers(0, 1, 3))
        seen = op.less_equal(sources, places)
        if window:
            seen = op.bitwise_and(op.greater(sources, op.add(places, number(-window, I64))), seen)
        rows = op.multiply(op.unsqueeze(count(self.size_of(ids, 0)), integers(1, 2, 3)), total)
        given = op.reshape(op.convert(self.inputs["attention_mask"], "boolean"), integers(-1), False)
        seen = op.bitwise_and(op.bitwise_and(op.constant(np.array(True)), seen), op.gather(given, op.add(sources, rows), number(0, I64)))
        seen = op.broadcast(seen, sizes(self.size_of(ids, 0), 1, length, total), "BIDIRECTIONAL")
        return seen if form == "booleans" else op.select(seen, number(0), number(-65504 if form == "numbers" else -np.inf))

    def attend(self, query, keys, values, mask):
        scale = number(self.language.head**-0.5)
        if not self.language.written_out:
            y = op.scaled_dot_product_attention(query, keys, values, mask, scale, causal=False)
        else:
            scores = op.add(op.multiply(op.matmul(query, keys, False, True), scale), mask)
            y = op.matmul(op.softmax(scores, -1), values, False, False)
        return reshaped(transposed(y, 0, 2, 1, 3), 0, 0, self.language.hidden)

    def parts(self, x, *ends):
        """Splits the last axis of a fused product."""
        return [slices(x, start, end) for start, end in zip((0, *ends), (*ends, LAST))]

    def project(self, x):
        """Returns queries, keys and values."""
        language = self.language
        hidden, others = language.hidden, language.kv_heads * language.head
        if language.family == "phi3":
            return self.parts(self.linear(x, hidden + 2 * others, hidden), hidden, hidden + others)
        if language.family == "gpt2":
            fused = self.linear_of_matrix(x, 3 * hidden, hidden)
            return op.variadic_split(fused, number(2, I64), integers(hidden, hidden, -1)).outputs()
        return [self.linear(x, n, hidden, bias=language.family in ("qwen2", "phi")) for n in (hidden, others, others)]

    def heads(self, x, n, has_norm=False):
        x = reshaped(x, 0, 0, n, self.language.head)
        return transposed(self.rms(x, self.language.head, rank=4) if has_norm else x, 0, 2, 1, 3)

    def attention(self, x, states, angles, mask):
        language = self.language
        counts = (HEADS, language.kv_heads, language.kv_heads)
        query, key, value = [
            self.heads(part, n, language.family == "qwen3" and i < 2) for i, (part, n) in enumerate(zip(self.project(x), counts))
        ]
        if angles:
            query, key = [self.rotate(part, angles, angles[2]) for part in (query, key)]
        y = self.attend(query, self.grow(states[0], key), self.grow(states[1], value), mask)
        if language.family == "gpt2":
            return self.linear_of_matrix(y, language.hidden, language.hidden)
        return self.linear(y, language.hidden, language.hidden, bias=language.family == "phi")

    def feed_forward(self, x):
        language = self.language
        n = language.hidden
        if language.family == "gpt2":
            return self.linear_of_matrix(op.gelu(self.linear_of_matrix(x, n, n), "tanh"), n, n)
        if language.family == "phi":
            return self.linear(op.gelu(self.linear(x, n, n, bias=True), "tanh"), n, n, bias=True)
        if language.family == "phi3":
            fused = self.linear(x, 2 * n, n)
            gate, up = op.variadic_split(fused, number(-1, I64), integers(n, -1)).outputs()
            return self.linear(op.multiply(up, op.swish(gate)), n, n)
        gate = self.linear(x, n, n)
        gate = op.gelu(gate, "tanh") if language.family == "gemma" else op.swish(gate)
        return self.linear(op.multiply(gate, self.linear(x, n, n)), n, n)


def block(builder, x, states, angles, mask):
    """Adds attention and the layers behind it to x."""
    family = builder.language.family
    if family == "phi":  # both read the same normalized tensor
        y = builder.norm(x)
        return op.add(op.add(builder.attention(y, states, angles, mask), builder.feed_forward(y)), x)
    for part in (lambda y: builder.attention(y, states, angles, mask), builder.feed_forward):
        y = part(builder.norm(x))
        x = op.add(x, builder.norm(y) if family == "gemma" else y)
    return x


def embed(builder, ids):
    language = builder.language
    rows = op.gather(builder.weight(VOCABULARY, language.hidden, table=True), op.convert(ids, I32), number(0, I64))
    if language.family == "gemma":
        return op.multiply(rows, number(language.hidden**0.5))
    if language.family != "gpt2":
        return rows
    past = op.subtract(builder.size_of(builder.inputs["attention_mask"], 1), builder.size_of(ids, 1))
    places = op.add(op.unsqueeze(count(builder.size_of(ids, 1)), integers(0)), past)
    table = builder.weight(VOCABULARY, language.hidden, table=True)
    return op.add(rows, op.gather(table, op.convert(places, I32), number(0, I64)))


def build(language):
    builder = Builder(language)
    ids = builder.parameter("input_ids", [-1, -1], I64)
    builder.parameter("attention_mask", [-1, -1], I64)
    if language.has_positions:
        builder.parameter("position_ids", [-1, -1], I64)
    builder.parameter("beam_idx", [-1], I32)
    x = embed(builder, ids)
    angles = None
    if language.has_positions:
        size = language.head // 2 if language.family == "phi" else language.head
        angles = [*builder.angles(size), size]
    states = [[builder.state(f"past_key_values.{i}.{part}") for part in ("key", "value")] for i in range(BLOCKS)]
    masks = [builder.mask(states[0][0][1], 0)]
    masks += [builder.mask(states[0][0][1], WINDOW)] if language.family == "gemma" else []
    for i in range(BLOCKS):
        x = block(builder, x, states[i], angles, masks[i % len(masks)])
    logits = op.matmul(builder.norm(x), builder.weight(VOCABULARY, language.hidden, table=True), False, True)
    if language.family == "gemma":
        logits = op.multiply(op.tanh(op.divide(logits, number(5))), number(5))
    logits = op.result(logits)
    logits.input_value(0).get_node().output(0).set_names({"logits"})
    model = ov.Model([logits], builder.assigns, list(builder.inputs.values()), language.name)
    for i, node in enumerate(model.get_ordered_ops()):  # generated names count all nodes of the process
        is_input = node.get_type_name() == "Parameter"
        node.set_friendly_name(node.output(0).get_any_name() if is_input else f"{node.get_type_name()}_{i}")
    return model


def steps(language):
    """Returns the inputs of a prompt and of some steps. In a batch, beams are reordered, and attention_mask hides two
    ids of the last sequence. No query sees nothing: a row of attention without a source is not the same in all
    runtimes."""
    rng, past, result = np.random.default_rng(zlib.crc32(language.name.encode()) + 1), 0, []
    n = language.batch
    beams = [range(n), range(n), [(i * i + 1) % n for i in range(n)], [0] * n, range(n)[::-1]]
    seen = np.ones((n, 0), I64)
    for length, beam in zip((5, 1, 1, 2, 1), beams):
        seen = np.hstack([seen[list(beam)], np.ones((n, length), I64)])
        if n > 1 and past == 0:
            seen[-1, 1:3] = 0
        past += length
        step = {
            "input_ids": rng.integers(0, VOCABULARY, (n, length)),
            "attention_mask": seen,
            "position_ids": np.maximum(np.cumsum(seen, 1) - 1, 0)[:, past - length :],
            "beam_idx": np.array(beam, I32),
        }
        result.append(step if language.has_positions else {name: step[name] for name in step if name != "position_ids"})
    return result
