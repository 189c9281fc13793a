"""Runs a language model in OpenVINO, in f32, with no value quantised on the way.
usage: llm_peer.py MODEL.xml first IDS.npy             prints the id after a prompt; the caller measures the process
       llm_peer.py MODEL.xml logits IDS.npy OUT.npy    writes the logits of a token after the prompt
       llm_peer.py MODEL.xml times THREADS LENGTH S    prints prompt_ns, token_ns, the best times of S seconds, and
                                                       peak_bytes, the memory of the first round"""
import json
import sys
import time
from collections.abc import Callable

import numpy as np
import openvino

TOKENS = 16  # after each prompt, as irrun --bench --llm has them
EXACT = {
    'INFERENCE_PRECISION_HINT': 'f32',
    'DYNAMIC_QUANTIZATION_GROUP_SIZE': 0,
    'KV_CACHE_PRECISION': 'f32',
    'NUM_STREAMS': 1,
}


class Conversation:
    def __init__(self, model, **more):
        self.request = openvino.Core().compile_model(model, 'CPU', {**EXACT, **more}).create_infer_request()
        self.length = 0

    def reset(self):
        self.request.reset_state()
        self.length = 0

    def step(self, ids):
        """Returns the logits of [1, n] ids."""
        first, self.length = self.length, self.length + ids.shape[1]
        self.request.infer({
            'input_ids': ids,
            'attention_mask': np.ones((1, self.length), np.int64),
            'position_ids': np.arange(first, self.length)[None],
            'beam_idx': np.zeros(1, np.int32),
        })  # fmt: skip
        return self.request.get_output_tensor(0).data

    def timed(self, ids):
        start = time.perf_counter_ns()
        self.step(ids)
        return time.perf_counter_ns() - start


def peak_bytes():
    with open('/proc/self/status') as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith('VmHWM:'))


def times(model, threads, length, seconds):
    conversation = Conversation(model, INFERENCE_NUM_THREADS=int(threads))
    prompt = np.random.default_rng(1).integers(0, 10, (1, int(length)))
    best, end, peak = [np.inf, np.inf], 0, 0
    while not end or time.monotonic() < end:
        conversation.reset()
        taken = [conversation.timed(prompt), min(conversation.timed(prompt[:, -1:]) for _ in range(TOKENS))]
        if end:
            best = np.minimum(best, taken)
        else:  # the first round compiles, so that it counts only if it is alone
            end, peak = time.monotonic() + float(seconds), peak_bytes()
            best = taken if float(seconds) == 0 else best
    print(json.dumps({'prompt_ns': int(best[0]), 'token_ns': int(best[1]), 'peak_bytes': peak}))


def first(model, ids):
    print(Conversation(model).step(np.load(ids))[0, -1].argmax())


def logits(model, ids, out):
    conversation = Conversation(model)
    conversation.step(np.load(ids))
    np.save(out, conversation.step(np.array([[5]])))


if __name__ == '__main__':
    modes: dict[str, Callable] = {'times': times, 'first': first, 'logits': logits}
    modes[sys.argv[2]](sys.argv[1], *sys.argv[3:])
