"""Makes a Llama-like language model with random weights, as exporters and compressors write it.
usage: llama_model.py OUT.xml WEIGHTS [NAME=NUMBER...]
WEIGHTS: i4 (groups, and 8 bits for embeddings and the last layer), u4 (the same with zero points), u8, f16 or f32.
Names: hidden, heads, kv_heads, blocks, inner, vocabulary, group, seed."""
import sys

import numpy as np
import openvino as ov
from openvino import opset13 as op

SIZES = {
    'hidden': 2048,
    'heads': 32,
    'kv_heads': 4,
    'blocks': 10,
    'inner': 5632,
    'vocabulary': 32000,
    'group': 128,
    'seed': 1,
}


class Llama:
    def __init__(self, weights, sizes):
        self.kind = weights
        self.s = {**SIZES, **sizes}
        self.size = self.s['hidden'] // self.s['heads']  # of a head
        self.random = np.random.default_rng(self.s['seed'])
        self.kept = []  # arrays whose memory constants share
        self.assigns = []

    # ---- weights ----

    def constant(self, array, low_bits=None, shape=None):
        """A constant that shares the array's memory; `low_bits`: its type, whose elements the array has packed."""
        self.kept.append(array)
        return op.constant(ov.Tensor(array, shape, low_bits) if low_bits else ov.Tensor(array), shared_memory=True)

    def scales(self, shape, deviation, k):
        """Scales of f16, with which weights of that standard deviation sum up to some 1."""
        return self.constant((self.random.uniform(0.8, 1.2, shape) / (deviation * np.sqrt(k))).astype(np.float16))

    def floats(self, n, k, dtype):
        whole = self.random.random((n, k), np.float32)
        whole -= np.float32(0.5)
        whole *= np.float32(np.sqrt(12 / k))
        return self.constant(whole.astype(dtype, copy=False))

    def bytes_with_scales(self, n, k):
        packed = self.constant(np.frombuffer(self.random.bytes(n * k), np.uint8).reshape(n, k))
        zeros = op.convert(self.constant(np.full((n, 1), 128, np.uint8)), 'f16')
        unscaled = op.subtract(op.convert(packed, 'f16'), zeros)
        return op.convert(op.multiply(unscaled, self.scales((n, 1), 73.9, k)), 'f32')

    def groups(self, n, k):
        """Weights of 4 bits, in groups with a scale each."""
        group, kind = self.s['group'], getattr(ov.Type, self.kind)
        shape, one = [n, k // group, group], [n, k // group, 1]
        packed = self.constant(np.frombuffer(self.random.bytes(n * k // 2), np.uint8), kind, shape)
        at = op.convert(packed, 'f16')
        if self.kind == 'u4':
            zeros = np.full((n * k // group + 1) // 2, 0x88, np.uint8)
            at = op.subtract(at, op.convert(self.constant(zeros, kind, one), 'f16'))
        at = op.multiply(at, self.scales(one, 4.6, k))
        return op.convert(op.reshape(at, self.constant(np.array([n, k])), False), 'f32')

    def weights(self, n, k, is_end=False):
        """Weights [n, k]; `is_end`: of the embeddings or of the last layer."""
        if self.kind == 'f32':
            return self.floats(n, k, np.float32)
        if self.kind == 'f16':
            return op.convert(self.floats(n, k, np.float16), 'f32')
        return self.bytes_with_scales(n, k) if is_end or self.kind == 'u8' else self.groups(n, k)

    def product(self, x, n, k, is_end=False):
        return op.matmul(x, self.weights(n, k, is_end), False, True)

    # ---- blocks ----

    def rms(self, x):
        n = self.s['hidden']
        mean = op.reduce_mean(op.power(x, np.float32(2)), np.int64(-1), True)
        scaled = op.multiply(x, op.divide(np.float32(1), op.sqrt(op.add(mean, np.float32(1e-5)))))
        return op.multiply(self.constant(self.random.uniform(0.9, 1.1, (1, 1, n)).astype(np.float32)), scaled)

    def split_heads(self, x, n):
        return op.transpose(op.reshape(x, np.array([0, 0, n, self.size]), True), np.array([0, 2, 1, 3]))

    def rotated(self, x):
        """Rotary positions."""
        half, end = np.array([self.size // 2]), np.array([np.iinfo(np.int64).max])
        upper = op.slice(x, half, end, np.array([1]), np.array([3]))
        lower = op.slice(x, np.array([0]), half, np.array([1]), np.array([3]))
        turned = op.concat([op.multiply(upper, np.float32(-1)), lower], -1)
        return op.add(op.multiply(x, self.cos), op.multiply(turned, self.sin))

    def grown(self, now, name):
        """Appends keys or values to a variable, and repeats the heads."""
        info = ov.op.util.VariableInfo()
        info.data_shape = ov.PartialShape([-1, self.s['kv_heads'], -1, self.size])
        info.data_type, info.variable_id = ov.Type.f32, name
        variable = ov.op.util.Variable(info)
        past = ov.opset6.read_value(op.broadcast(np.float32(0), self.nothing), variable)
        whole = op.concat([op.gather(past, self.beams, np.int64(0)), now], -2)
        self.assigns.append(ov.opset6.assign(whole, variable))
        heads, repeats = self.s['heads'], self.s['heads'] // self.s['kv_heads']
        sizes = op.shape_of(whole)
        target = op.concat([op.gather(sizes, np.array([0, 1]), np.int64(0)), np.array([repeats]),
                            op.gather(sizes, np.array([2, 3]), np.int64(0))], 0)  # fmt: skip
        repeated = op.broadcast(op.unsqueeze(whole, np.array([2])), target, 'BIDIRECTIONAL')
        return op.reshape(repeated, np.array([0, heads, -1, self.size]), True)

    def block(self, x, number, mask):
        hidden, kv = self.s['hidden'], self.s['kv_heads'] * self.size
        h = self.rms(x)
        q = self.rotated(self.split_heads(self.product(h, hidden, hidden), self.s['heads']))
        k = self.rotated(self.split_heads(self.product(h, kv, hidden), self.s['kv_heads']))
        v = self.split_heads(self.product(h, kv, hidden), self.s['kv_heads'])
        k, v = self.grown(k, f'past.{number}.key'), self.grown(v, f'past.{number}.value')
        y = op.scaled_dot_product_attention(q, k, v, mask, np.float32(self.size**-0.5), causal=False)
        y = op.reshape(op.transpose(y, np.array([0, 2, 1, 3])), np.array([0, 0, hidden]), True)
        x = op.add(x, self.product(y, hidden, hidden))
        h, inner = self.rms(x), self.s['inner']
        gated = op.multiply(op.swish(self.product(h, inner, hidden)), self.product(h, inner, hidden))
        return op.add(x, self.product(gated, hidden, inner))

    # ---- the model ----

    def mask(self, ids, ones):
        """0 where a query may look, -inf elsewhere."""
        count, total = (op.gather(op.shape_of(x), np.int64(1), np.int64(0)) for x in (ids, ones))
        of_keys = op.range(np.int64(0), total, np.int64(1), 'i64')
        of_queries = op.add(op.range(np.int64(0), count, np.int64(1), 'i64'), op.subtract(total, count))
        may = op.less_equal(op.unsqueeze(of_keys, np.array([0, 1, 2])), op.unsqueeze(of_queries, np.array([0, 1, 3])))
        may = op.logical_and(may, op.convert(op.unsqueeze(ones, np.array([1, 2])), 'boolean'))
        return op.select(may, np.float32(0), np.float32(-np.inf))

    def make(self):
        s, inputs = self.s, []
        for name in 'input_ids', 'attention_mask', 'position_ids', 'beam_idx':
            is_beam = name == 'beam_idx'
            inputs.append(op.parameter([-1] * (1 if is_beam else 2), np.int32 if is_beam else np.int64, name))
            inputs[-1].set_friendly_name(name)
            inputs[-1].output(0).set_names({name})
        ids, ones, positions, self.beams = inputs
        batch = op.gather(op.shape_of(ids), np.array([0]), np.int64(0))
        self.nothing = op.concat([batch, np.array([s['kv_heads']]), np.array([0]), np.array([self.size])], 0)
        frequencies = (10000.0 ** -(np.arange(0, self.size, 2) / self.size)).astype(np.float32).reshape(1, -1, 1)
        angles = op.matmul(frequencies, op.convert(op.unsqueeze(positions, np.array([1])), 'f32'), False, False)
        angles = op.transpose(angles, np.array([0, 2, 1]))
        angles = op.concat([angles, angles], -1)
        self.cos, self.sin = (op.unsqueeze(f(angles), np.array([1])) for f in (op.cos, op.sin))
        x = op.gather(self.weights(s['vocabulary'], s['hidden'], True), op.convert(ids, 'i32'), np.int64(0))
        mask = self.mask(ids, ones)
        for number in range(s['blocks']):
            x = self.block(x, number, mask)
        logits = self.product(self.rms(x), s['vocabulary'], s['hidden'], True)
        logits.output(0).set_names({'logits'})
        result = op.result(logits)
        result.set_friendly_name('logits')
        return ov.Model([result], self.assigns, inputs, 'llama')


def main(path, weights, *sizes):
    llama = Llama(weights, {name: int(number) for name, number in (size.split('=') for size in sizes)})
    ov.save_model(llama.make(), path, compress_to_fp16=False)


if __name__ == '__main__':
    main(*sys.argv[1:])
