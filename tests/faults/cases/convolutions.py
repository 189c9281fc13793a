"""Makes models with faults in convolutions, and in other ops of many inputs."""
from cases.case import case
from cases.parts import Y0, dims, edge, floats, i64_bytes, model, source


def layer_model(op, inputs, attrs='', opset=1, listed=None):
    """Returns a model of an op, and its .bin. `inputs` are Parameters in the format of math_model. `listed` adds a
    Const: (integers, dims that its port declares, tag of the port)."""
    layers, ports, edges, bin = [], [], [], None
    for i, (kind, shape, declared, tag) in enumerate(inputs):
        layers.append(source(f'id="{i}" name="x{i}" type="Parameter"', f'shape="{shape}" element_type="{kind}"',
                             f'<port id="0" precision="FP32">{dims(shape)}</port>'))
        ports.append(f'				{tag} id="{i}">{dims(declared or shape)}</port>')
    if listed is not None:
        items, declared, tag = listed
        bin = i64_bytes(*items)
        layers.append(source(f'id="{len(inputs)}" name="list" type="Const"',
                             f'element_type="i64" shape="{len(items)}" offset="0" size="{8 * len(items)}"',
                             f'<port id="0" precision="I64">{dims(str(len(items)))}</port>'))
        ports.append(f'				{tag} id="{len(inputs)}">{dims(declared)}</port>')
    at = len(layers)
    edges = [edge(i, 0, at, i) for i in range(at)]
    lines = [f'		<layer id="{at}" name="op" type="{op}" version="opset{opset}">', f'			<data {attrs}/>', '			<input>', *ports,
             '			</input>', '			<output>', f'				<port id="{at}" precision="dynamic"/>', '			</output>', '		</layer>']
    return model(x='\n'.join(layers), p='\n'.join(lines), y=Y0.replace('id="2"', f'id="{at + 1}"'),
                 edges=(*edges, edge(at, at, at + 1, 0))), bin


def window(n=2, **changes):
    """Returns the attributes of a convolution of n spatial axes, with `changes`."""
    attrs = {'strides': ','.join('1' * n), 'pads_begin': ','.join('0' * n), 'pads_end': ','.join('0' * n), 'dilations': ','.join('1' * n)}
    return ' '.join(f'{name}="{value}"' for name, value in {**attrs, **changes}.items())


X = floats('1,4,8,8')
case('IR322_convolution_channels', *layer_model('Convolution', [X, floats('6,3,3,3', '6,{IR322|3},3,3')], window()))
case('IR322_convolution_rank', *layer_model('Convolution', [X, floats('6,4,3', tag='{IR322|<port}')], window()))
case('IR304_convolution', *layer_model('Convolution', [floats('1,4,8,2..5'), floats('6,4,3,4', '6,4,3,{IR304|4}')], window(dilations='1,2')))
case('IR322_group_convolution', *layer_model('GroupConvolution', [X, floats('3,2,2,3,3', '3,2,{IR322|2},3,3')], window()))
case('IR322_convolution_backprop_data', *layer_model('ConvolutionBackpropData', [X, floats('4,6,3,3')], window(),
                                                     listed=([16, 16, 16], '{IR322|3}', '<port')))
