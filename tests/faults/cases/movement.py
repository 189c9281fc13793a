"""Makes models with faults in ops that move elements or make tensors: lists, axes and shapes that do not fit each
other."""
from cases.case import case
from cases.parts import Y0, dims, edge, i64_bytes, model, source

PRECISIONS = {'f32': 'FP32', 'i64': 'I64'}


def of(shape, kind='f32', tag='<port', declared=None):
    """Returns an input that is a Parameter. `declared` are the dims that the op's port declares."""
    return shape, declared or shape, kind, None, tag


def holds(*items, tag='<port', scalar=False):
    """Returns an input that is an i64 constant: a list, or one number."""
    shape = '' if scalar else str(len(items))
    return shape, shape, 'i64', items, tag


def number(item, tag='<port'):
    return holds(item, tag=tag, scalar=True)


def moved(op, inputs, attrs='', opset=1, layer='<layer', outputs=1):
    """Returns a model of an op fed by Parameters and constants, and its .bin. The outputs declare nothing."""
    sources, ports, edges, bytes_, at = [], [], [], b'', max(2, len(inputs))
    for i, (shape, declared, kind, items, tag) in enumerate(inputs):
        port = f'<port id="0" precision="{PRECISIONS[kind]}">{dims(shape)}</port>'
        if items is None:
            sources.append(source(f'id="{i}" name="x{i}" type="Parameter"', f'shape="{shape}" element_type="{kind}"', port))
        else:
            place = f'offset="{len(bytes_)}" size="{8 * len(items)}"'
            sources.append(source(f'id="{i}" name="list{i}" type="Const"', f'element_type="i64" shape="{shape}" {place}', port))
            bytes_ += i64_bytes(*items)
        ports.append(f'				{tag} id="{i}" precision="{PRECISIONS[kind]}">{dims(declared)}</port>')
        edges.append(edge(i, 0, at, i))
    n = len(inputs)
    made = [f'				<port id="{n + i}" precision="dynamic"/>' for i in range(outputs)]
    p = '\n'.join([f'		{layer} id="{at}" name="op" type="{op}" version="opset{opset}">', *([f'			<data {attrs}/>'] if attrs else []),
                   '			<input>', *ports, '			</input>', '			<output>', *made, '			</output>', '		</layer>'])
    return model(x='\n'.join(sources), p=p, y=Y0.replace('id="2"', f'id="{at + 1}"'), edges=(*edges, edge(at, n, at + 1, 0))), bytes_


FIT, AXES = '{IR322|<port}', '{IR315|<port}'
case('IR315_gather_axis', *moved('Gather', [of('2,3'), of('4', 'i64'), number(2, AXES)], 'batch_dims="0"', 8))
case('IR322_gather_batch', *moved('Gather', [of('2,3'), of('4,5', 'i64', declared='{IR322|4},5'), number(1)], 'batch_dims="1"', 8))
case('IR207_gather_batch_dims', *moved('Gather', [of('2,3'), of('4', 'i64'), number(1)], 'batch_dims="{IR207|2}"', 8))
case('IR322_strided_slice_entries', *moved('StridedSlice', [of('2,3'), holds(0, 0, 0, tag=FIT), holds(1, 1, 1), holds(1, 1, 1)],
                                           'begin_mask="0" end_mask="0"'))
case('IR322_strided_slice_step', *moved('StridedSlice', [of('2,3'), holds(0, 0), holds(1, 1), holds(1, 0, tag=FIT)], 'begin_mask="0" end_mask="0"'))
case('IR322_slice_lists', *moved('Slice', [of('2,3'), holds(0, 0), holds(1, tag=FIT), holds(1, 1)], opset=8))
case('IR315_slice_axes_twice', *moved('Slice', [of('2,3'), holds(0, 0), holds(1, 1), holds(1, 1), holds(0, -2, tag=AXES)], opset=8))
case('IR322_slice_scatter', *moved('SliceScatter', [of('4,3'), of('1,3', tag=FIT), holds(0), holds(2), holds(1)], opset=15))
case('IR322_split', *moved('Split', [of('2,7', declared='2,{IR322|7}'), number(1)], 'num_splits="2"', outputs=2))
case('IR322_split_outputs', *moved('Split', [of('2,6'), number(1)], 'num_splits="3"', outputs=2, layer='{IR322|<layer}'))
case('IR322_variadic_split', *moved('VariadicSplit', [of('2,6'), number(1), holds(2, 3, tag=FIT)], outputs=2))
case('IR316_broadcast', *moved('Broadcast', [of('2,3'), holds(2, 4, tag='{IR316|<port}')], 'mode="numpy"', 3))
case('IR322_broadcast_axes', *moved('Broadcast', [of('3'), holds(2, 3)], 'mode="{IR322|explicit}"', 3))
case('IR322_pad_reflect', *moved('Pad', [of('2,3'), holds(0, 3, tag=FIT), holds(0, 0)], 'pad_mode="reflect"', 12))
case('IR322_pad_lists', *moved('Pad', [of('2,3,4'), holds(0, 1, tag=FIT), holds(0, 1)], 'pad_mode="edge"', 12))
case('IR322_scatter_update', *moved('ScatterUpdate', [of('4,3'), of('2', 'i64'), of('2,4', tag=FIT), number(0)], opset=3))
case('IR322_range_step', *moved('Range', [number(0), number(5), number(0, FIT)], 'output_type="i64"', 4))
case('IR207_one_hot_axis', *moved('OneHot', [of('3', 'i64'), number(5), of(''), of('')], 'axis="{IR207|2}"'))
case('IR306_random_uniform', *moved('RandomUniform', [holds(2, 3), of('', tag='{IR306|<port}'), of('')], 'output_type="i64"', 8))
