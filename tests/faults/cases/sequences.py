"""Makes models with faults in cells and sequences, signal transforms, embedding bags, type promotions and variables."""
import re

from cases.case import case
from cases.parts import dims, edge, i64_bytes, model, source

PRECISION = {'f32': 'FP32', 'f16': 'FP16', 'i32': 'I32', 'i64': 'I64', 'boolean': 'BOOL'}


def op_model(op, inputs, attrs='', opset=1, n_outputs=1, layer='<layer'):
    """Returns a model of an op, and its .bin. Inputs are Parameters ('f32', '2,3') or i64 Constants ('i64', [1, 2]) or
    ('i64', 1). Marks stand in shapes, or around the third item, the tag of the port."""
    layers, ports, edges, values, at = [], [], [], [], len(inputs)
    for i, (kind, shape, *tag) in enumerate(inputs):
        if not isinstance(shape, str):
            items = shape if isinstance(shape, list) else [shape]
            where = f'offset="{8 * len(values)}" size="{8 * len(items)}"'
            shape = str(len(items)) if isinstance(shape, list) else ''
            port = f'<port id="0" precision="I64">{dims(shape)}</port>'
            layers.append(source(f'id="{i}" name="x{i}" type="Const"', f'element_type="i64" shape="{shape}" {where}', port))
            values += items
        else:
            plain = re.sub(r'{IR[0-9]+\|([^}]*)}', r'\1', shape)
            port = f'<port id="0" precision="{PRECISION[kind]}">{dims(plain)}</port>'
            layers.append(source(f'id="{i}" name="x{i}" type="Parameter"', f'shape="{plain}" element_type="{kind}"', port))
        ports.append(f'				{tag[0] if tag else "<port"} id="{i}" precision="{PRECISION[kind]}">{dims(shape)}</port>')
        edges.append(edge(i, 0, at, i))
    outputs = ''.join(f'<port id="{at + i}" precision="dynamic"/>' for i in range(n_outputs))
    body = '\n'.join(['			<input>', *ports, '			</input>', f'			<output>{outputs}</output>'])
    p = f'''		{layer} id="{at}" name="op" type="{op}" version="opset{opset}">
			<data {attrs}/>
{body}
		</layer>'''
    y = f'		<layer id="{at + 1}" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>'
    text = model(x='\n'.join(layers), p=p, y=y, edges=[*edges, edge(at, at, at + 1, 0)])
    return (text, i64_bytes(*values)) if values else (text,)


R322 = '{IR322|<port}'


def lstm(attrs='hidden_size="8" direction="forward"', **changed):
    shapes = {'x': '3,5,16', 'h': '3,1,8', 'c': '3,1,8', 'lengths': '3', 'w': '1,32,16', 'r': '1,32,8', 'b': '1,32', **changed}
    inputs = [('i64' if name == 'lengths' else 'f32', shape) for name, shape in shapes.items()]
    return op_model('LSTMSequence', inputs, attrs, 5, 3)


case('IR322_lstm_gates', *lstm(w='1,{IR322|30},16'))
case('IR322_lstm_batch', *lstm(c='{IR322|4},1,8'))
case('IR322_lstm_input_size', *lstm(w='1,32,{IR322|15}'))
case('IR322_lstm_directions', *lstm('hidden_size="8" direction="bidirectional"', h='3,{IR322|1},8', c='3,2,8', w='2,32,16', r='2,32,8', b='2,32'))
case('IR207_lstm_activation', *lstm('hidden_size="8" direction="forward" activations="sigmoid, {IR207|tahn}, tanh"'))
case('IR208_lstm_activations', *lstm('hidden_size="8" direction="forward" activations="{IR208|sigmoid,tanh}"'))
case('IR322_gru_bias', *op_model('GRUCell', [('f32', '2,4'), ('f32', '2,3'), ('f32', '9,4'), ('f32', '9,3'), ('f32', '{IR322|9}')],
                                 'hidden_size="3" linear_before_reset="true"', 3))

case('IR315_reduce_sum', *op_model('ReduceSum', [('f32', '2,3'), ('i64', [2], '{IR315|<port}')], 'keep_dims="true"'))
case('IR306_reduce_logical_and', *op_model('ReduceLogicalAnd', [('f32', '2,3', '{IR306|<port}'), ('i64', [0])], 'keep_dims="true"'))
case('IR315_cum_sum', *op_model('CumSum', [('f32', '2,3'), ('i64', [2], '{IR315|<port}')], '', 3))
case('IR315_reverse', *op_model('Reverse', [('f32', '2,3'), ('i64', [2], '{IR315|<port}')], 'mode="index"', 1))

case('IR322_dft_no_complex_numbers', *op_model('DFT', [('f32', '4,5,{IR322|3}'), ('i64', [0])], '', 7))
case('IR315_dft_axis_of_complex_numbers', *op_model('DFT', [('f32', '4,5,2'), ('i64', [2], '{IR315|<port}')], '', 7))
case('IR322_rdft_sizes', *op_model('RDFT', [('f32', '4,5'), ('i64', [0, 1]), ('i64', '{IR322|3}')], '', 9))
case('IR322_stft_frame', *op_model('STFT', [('f32', '2,{IR322|10}'), ('f32', '8'), ('i64', 11), ('i64', 3)], 'transpose_frames="true"', 15))
case('IR322_stft_window', *op_model('STFT', [('f32', '2,48'), ('f32', '{IR322|12}'), ('i64', 11), ('i64', 3)], 'transpose_frames="true"', 15))

case('IR322_embedding_weights', *op_model('EmbeddingBagPackedSum', [('f32', '5,2'), ('i64', '3,2'), ('f32', '3,1', R322)], '', 3))
case('IR306_embedding_offsets', *op_model('EmbeddingBagOffsetsSum', [('f32', '5,2'), ('i64', '6'), ('i32', '3', '{IR306|<port}')], '', 3))
case('IR322_embedding_mean_of_weights', *op_model('EmbeddingBagPacked', [('f32', '5,2'), ('i64', '3,2'), ('f32', '3,2', R322)], 'reduction="mean"', 15))
case('IR322_segment_ids', *op_model('SegmentMax', [('f32', '3,2'), ('i64', [0, 2, 1], R322)], 'fill_mode="zero"', 16))

case('IR306_unsafe_promotion', *op_model('ConvertPromoteTypes', [('f32', '2'), ('i64', '2', '{IR306|<port}')], '', 14, 2))


def state(first='2,3', variable='2,3', assigned='2,3', kind='f32', name='state', tag='<port', first_tag='<port'):
    """Returns a model that reads a variable and assigns another input to it."""
    def x(number, shape, kind='f32'):
        port = f'<port id="0" precision="{PRECISION[kind]}">{dims(shape)}</port>'
        return source(f'id="{number}" name="x{number}" type="Parameter"', f'shape="{shape}" element_type="{kind}"', port)

    p = f'''{x(1, assigned, kind)}
		<layer id="2" name="read" type="ReadValue" version="opset6">
			<data variable_id="state" variable_type="f32" variable_shape="{variable}"/>
			<input>{first_tag} id="0" precision="FP32">{dims(first)}</port></input>
			<output><port id="1" precision="FP32">{dims(variable)}</port></output>
		</layer>
		<layer id="3" name="keep" type="Assign" version="opset6">
			<data variable_id="{name}"/>
			<input>{tag} id="0" precision="{PRECISION[kind]}">{dims(assigned)}</port></input>
		</layer>'''
    y = '		<layer id="4" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>'
    return model(x=x(0, first), p=p, y=y, edges=[edge(0, 0, 2, 0), edge(1, 0, 3, 0), edge(2, 1, 4, 0)])


case('IR330_assigned_alone', state(name='{IR330|stat}'))
case('IR330_other_shape', state(variable='?,3', assigned='5,4', tag='{IR330|<port}'))
case('IR330_other_type', state(kind='f16', tag='{IR330|<port}'))
case('IR322_first_value', state(first='?,3', first_tag='{IR322|<port}'))
