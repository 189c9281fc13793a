"""Makes models and inputs of architectures of the zoo.
Reads orders ["FAMILY/NAME", FOLDER] from stdin, one a line. Writes model.xml, model.bin and inputs.npz to the folder,
and answers with null or {"error": text}.

Weights are random. So that no part of the network is idle or overflows, they are changed before the conversion:
* A parameter whose elements are all equal, such as the zeros with which a branch starts to train, gets noise.
* A BatchNorm gets the mean and the variance of its input.
* A convolution or product whose output is very large or small gets other factors."""
import collections.abc
import json
import os
import pathlib
import sys

import numpy as np
import openvino
import torch

import architectures

NOISE = 0.1
USUAL = (0.1, 10)  # standard deviations of an output that stay as they are
PRODUCTS = (torch.nn.Linear, torch.nn.modules.conv._ConvNd)  # pylint: disable=protected-access


class Flat(torch.nn.Module):
    """Wraps a module: its inputs are tensors in order, its outputs a tuple of tensors."""

    def __init__(self, architecture):
        super().__init__()
        self.model, self.call = architecture.module().eval(), architecture.call

    def forward(self, *tensors):
        found = list(tensors_of(self.call(self.model, tensors)))
        return tuple(tensor for i, tensor in enumerate(found) if all(tensor is not other for other in found[:i]))


def tensors_of(value):
    """Yields the tensors in lists and dicts of any depth."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (collections.abc.Mapping, list, tuple)):
        for part in value.values() if isinstance(value, collections.abc.Mapping) else value:
            yield from tensors_of(part)


def observe_input(norm, inputs):
    x = inputs[0]
    dims = [dim for dim in range(x.dim()) if dim != 1 or x.numel() == x.shape[1]]
    norm.running_mean.copy_(x.mean(dims))
    norm.running_var.copy_(x.var(dims, unbiased=False).clamp_min(1e-3))


def scale_output(product, _, output):
    size = output.std()
    if USUAL[0] < size < USUAL[1] or not (size > 0 and size.isfinite()):
        return output
    for parameter in product.parameters(recurse=False):
        parameter.div_(size)
    return output / size


def adjust_weights(module, inputs):
    """Changes the weights as the top of this file says, during one run."""
    for parameter in module.parameters():
        if parameter.numel() > 1 and parameter.is_floating_point() and parameter.min() == parameter.max():
            parameter.add_(NOISE * torch.randn_like(parameter))
    hooks = [part.register_forward_hook(scale_output) for part in module.modules() if isinstance(part, PRODUCTS)]
    hooks += [part.register_forward_pre_hook(observe_input) for part in module.modules()
              if isinstance(part, torch.nn.modules.batchnorm._BatchNorm) and part.running_mean is not None]  # pylint: disable=protected-access
    module(*inputs)
    for hook in hooks:
        hook.remove()


def quantized(model, how, arrays):
    """Returns the model as NNCF quantizes it, with the inputs as the only data."""
    import nncf
    if how in ('cnn', 'transformer'):
        kind = nncf.ModelType.TRANSFORMER if how == 'transformer' else None
        return nncf.quantize(model, nncf.Dataset([arrays]), model_type=kind, subset_size=1)
    return nncf.compress_weights(model, mode=nncf.CompressWeightsMode(how), **({'ratio': 1, 'group_size': 64} if '4' in how else {}))


@torch.no_grad()
def make(name, folder):
    torch.manual_seed(1)
    architecture = architectures.find(name)
    module, inputs = Flat(architecture), architecture.inputs()
    adjust_weights(module, inputs)
    if any(not output.any() for output in module(*inputs)):
        raise ValueError('an output is empty or 0')
    shapes = [openvino.PartialShape(shape) for shape in architecture.shapes(inputs)]
    model = openvino.convert_model(module, example_input=inputs, input=shapes)
    arrays = {port.get_node().get_friendly_name(): tensor.numpy().astype(port.element_type.to_dtype())
              for port, tensor in zip(model.inputs, inputs, strict=True)}
    if architecture.quantize:
        model = quantized(model, architecture.quantize, arrays)
    folder = pathlib.Path(folder)
    openvino.save_model(model, folder / 'model.xml')
    np.savez(folder / 'inputs.npz', **arrays)


def main():
    answers = os.fdopen(os.dup(1), 'w')
    os.dup2(2, 1)  # packages print to stdout
    torch.set_num_threads(1)  # on a busy machine, threads wait longer for each other than they compute
    for line in sys.stdin:
        answer = None
        try:
            make(*json.loads(line))
        except Exception as error:  # pylint: disable=broad-except # any exception of a package is the answer
            answer = {'error': f'{type(error).__name__}: {error}'}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == '__main__':
    main()
