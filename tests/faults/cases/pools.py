"""Makes models with faults in pools: versions, dilations, indices."""
from cases.case import case
from cases.parts import E1, E2, SIZES, X, Y0, adaptive, adaptive_model, const, data, edge, i64_bytes, model, pool, untyped, x_layer


def max_data(**changes):
    return data(**{'exclude__pad': None, **changes})


def family(op, d, o='<port id="1" precision="FP32"/>', second=None, x=X, i='<port id="0"/>', read=True, layer='<layer'):
    """Returns a model of a pool; `op` is its type and opset, as in "MaxPool opset8". `second` is the port of indices. If
    `read`, a Result reads the indices."""
    kind, opset = op.split()
    p = pool(d, i, o if second is None else o + '\n				' + second, f'{layer} id="1" name="pool" type="{kind}" version="{opset}">')
    if second is None or not read:
        return model(x=x, p=p, y=Y0)
    return model(x=x, p=p, y=Y0, extra=Y0.replace('id="2" name="y"', 'id="3" name="z"'),
                 edges=(E1, E2, edge(1, 2, 3, 0)))


def max_case(name, op='MaxPool opset8', second='<port id="2" precision="I64"/>', **changes):
    kw = {k: changes.pop(k) for k in ('x', 'i', 'o', 'read', 'layer') if k in changes}
    case(name, family(op, max_data(**changes), second=second, **kw))


def avg_case(name, op, **changes):
    kw = {k: changes.pop(k) for k in ('x', 'i', 'o', 'layer') if k in changes}
    case(name, family(op, data(**changes), **kw))


I32_INDICES = '<port id="2" precision="I32"/>'
LARGE = x_layer('shape="1,2,32768,65536" element_type="u8"', '<port id="0" precision="U8"/>')
U8_OUT = '<port id="1" precision="U8"/>'

# attributes that the version lacks
max_case('IR207_ceil_torch_max_8', rounding_type='{IR207|ceil_torch}')
max_case('IR207_ceil_torch_max_1', 'MaxPool opset7', None, rounding_type='{IR207|ceil_torch}')
avg_case('IR207_ceil_torch_avg_1', 'AvgPool opset13', rounding_type='{IR207|ceil_torch}')
case('IR205_dilations_max_1', family('MaxPool opset7', max_data(dilations='2,2').replace('dilations', '{w:IR205|dilations}')))
case('IR205_dilations_avg_14', family('AvgPool opset15', data(dilations='2,2').replace('dilations', '{w:IR205|dilations}')))
case('IR205_indices_max_1', family('MaxPool opset7', max_data(axis='2', index_element_type='i32').replace('axis', '{w:IR205|axis}').replace('index_e', '{w:IR205|index_element_type}').replace('}lement_type', '}')))
case('IR205_exclude_pad_max', family('MaxPool opset14', data().replace('exclude-pad', '{w:IR205|exclude-pad}')))
case('IR211_dilation', family('MaxPool opset14', max_data(dilation='2,2').replace('dilation', '{IR211|dilation}')))
case('IR203_adaptive_max', adaptive_model(head='<layer id="1" name="pool" type="AdaptiveMaxPool" version="{IR203|opset7}">'), SIZES)
case('IR203_max_17', family('MaxPool {IR203|opset17}', max_data()))
case('IR110_indices_of_max_1', family('MaxPool opset7', max_data(), o='<port id="1" precision="FP32"/>\n				{IR110|<port} id="2" precision="I64"/>'))
case('IR104_indices_without_port', model(p=pool(max_data(), head='<layer id="1" name="pool" type="MaxPool" version="opset8">', **untyped()), y=Y0,
                                         extra=Y0.replace('id="2" name="y"', 'id="3" name="z"'),
                                         edges=(E1, E2, edge(1, '{IR104|2}', 3, 0))))

# dilations, axis, index_element_type
max_case('IR207_dilation_zero', dilations='2,{IR207|0}')
avg_case('IR207_dilation_zero_avg', 'AvgPool opset16', dilations='{IR207|0},0')
max_case('IR207_dilation_negative', dilations='{IR207|-1},1')
max_case('IR209_empty_dilations', dilations='{n:IR209|}')
max_case('IR208_dilations', dilations='{IR208|2}')
avg_case('IR208_dilations_avg', 'AvgPool opset16', dilations='{IR208|2,2,2}')
max_case('IR206_dilations', dilations='2,{IR206|x}')
max_case('IR207_axis_beyond_rank', axis='{IR207|4}')
max_case('IR207_axis_negative', axis='{IR207|-5}')
max_case('IR207_axis_beyond_any_rank', axis='{IR207|7}')
max_case('IR206_axis', axis='{IR206|H}')
max_case('IR207_index_type', index_element_type='{IR207|u8}')
max_case('IR207_index_type_declared', second=I32_INDICES, index_element_type='{IR207|u8}')
max_case('IR207_index_type_case', index_element_type='{IR207|I64_}')
case('IR207_index_type_adaptive', adaptive_model(head='<layer id="1" name="pool" type="AdaptiveMaxPool" version="opset8">',
                                                 d='			<data index_element_type="{IR207|u32}"/>\n'), SIZES)
case('IR204_max', family('MaxPool opset8', max_data(strides=None).replace('<data', '{IR204|<data}')))

# shapes
max_case('IR304_dilated', kernel='{IR304|3},3', dilations='16,16')
max_case('IR304_dilated_second', kernel='2,{IR304|2}', dilations='1,32')
max_case('IR304_interval', 'MaxPool opset1', None, kernel='2,{IR304|5}', x=x_layer('shape="1,3,?,1..4" element_type="f32"'))
max_case('IR304_interval_pads', 'MaxPool opset1', None, kernel='{IR304|5},5', pads_end='1,1', x=x_layer('shape="1..2,3,..3,..4" element_type="f32"'))
avg_case('IR311_dilated', 'AvgPool opset16', pads_begin='{IR311|3},2', dilations='2,2')
avg_case('IR311_not_dilated', 'AvgPool opset14', pads_begin='{IR311|2},1')
max_case('IR305_stepped_over', x=x_layer('shape="1,3,2,32" element_type="f32"'), kernel='{w:IR305|3},1', strides='1,1', dilations='3,1', pads_begin='2,0', pads_end='4,0')
max_case('IR305_between_two', x=x_layer('shape="1,3,1,32" element_type="f32"'), kernel='{w:IR305|2},1', strides='1,1', dilations='2,1', pads_begin='1,0', pads_end='1,0')
max_case('IR305_begin_padding', kernel='2,{w:IR305|2}', pads_begin='0,2')
max_case('IR310_max', 'MaxPool opset14', kernel='{w:IR305|2},2', strides='3,3', pads_end='1,1', rounding_type='{n:IR310|ceil}')
avg_case('IR312_dilated', 'AvgPool opset16', kernel='3,3', strides='4,4', dilations='2,2', pads_begin='1,1', pads_end='1,1', exclude__pad='{n:IR312|false}', rounding_type='ceil')
max_case('IR308_max', kernel='{IR308|1},1', strides='1,1', pads_end='9223372036854775807,0')
avg_case('IR308_volume', 'AvgPool opset16', kernel='{IR308|4294967296},4294967296', strides='1,1', pads_begin='4294967295,4294967295', pads_end='0,0')
max_case('IR301_values', o='<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>{IR301|17}</dim><dim>16</dim></port>')
max_case('IR301_indices', second='<port id="2" precision="I64"><dim>1</dim><dim>3</dim><dim>{IR301|15}</dim><dim>16</dim></port>')
max_case('IR301_values_and_indices', o='<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>{IR301|17}</dim><dim>16</dim></port>',
         second='<port id="2" precision="I64"><dim>1</dim><dim>3</dim><dim>17</dim><dim>16</dim></port>')
max_case('IR301_interval', x=x_layer('shape="1,3,5..9,?" element_type="f32"'), kernel='3,3',
         o='<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>{IR301|5}</dim><dim>-1</dim></port>')
max_case('IR302_indices', second='<port id="2" precision="{IR302|I32}"/>')
case('IR302_indices_adaptive', adaptive_model(head='<layer id="1" name="pool" type="AdaptiveMaxPool" version="opset8">', o='<port id="2" precision="FP32"/>\n				<port id="3" precision="{w:IR302|I64}"/>',
                                              d='			<data index_element_type="i32"/>\n'), SIZES)
max_case('IR306_boolean_max', x=x_layer('shape="1,3,32,32" element_type="boolean"', '<port id="0" precision="BOOL"/>'), i='{n:IR306|<port} id="0"/>', o='<port id="1" precision="BOOL"/>')
avg_case('IR306_boolean_avg_16', 'AvgPool opset16', x=x_layer('shape="1,3,32,32" element_type="boolean"', '<port id="0" precision="BOOL"/>'), i='{IR306|<port} id="0"/>', o='<port id="1" precision="BOOL"/>')
case('IR313_adaptive_max', adaptive_model(head='<layer id="1" name="pool" type="AdaptiveMaxPool" version="opset8">', blocks="""			<input>
				<port id="0"/>
				{IR313|<port} id="1"/>
			</input>"""), i64_bytes(7, 0))

# indices that i32 cannot hold
max_case('IR314_static', 'MaxPool opset14', I32_INDICES, x=LARGE, o=U8_OUT, index_element_type='{IR314|i32}')
max_case('IR314_axis', 'MaxPool opset14', I32_INDICES, x=LARGE, o=U8_OUT, index_element_type='{IR314|i32}', axis='-3')
max_case('IR314_interval', 'MaxPool opset14', I32_INDICES, x=x_layer('shape="2..,1,32768,65536" element_type="u8"', '<port id="0" precision="U8"/>'), o=U8_OUT, index_element_type='{IR314|i32}')
max_case('IR314_beyond_i64', 'MaxPool opset14', I32_INDICES, x=x_layer('shape="4294967296..,4294967296..,?,?" element_type="u8"', '<port id="0" precision="U8"/>'), o=U8_OUT, index_element_type='{IR314|i32}')
max_case('none_indices_not_read', 'MaxPool opset14', I32_INDICES, x=LARGE, o=U8_OUT, index_element_type='i32', read=False)
# a second pool with equal attributes and input; its indices are used
case('IR314_neighbour', model(x=LARGE, y=Y0, p=pool(max_data(index_element_type='i32'), '<port id="0"/>', U8_OUT + '\n				' + I32_INDICES, '<layer id="1" name="pool" type="MaxPool" version="opset14">'),
                              extra=pool(max_data(index_element_type='{IR314|i32}'), '<port id="0"/>', U8_OUT + '\n				' + I32_INDICES, '<layer id="4" name="second" type="MaxPool" version="opset14">')
                              + '\n' + Y0.replace('id="2" name="y"', 'id="5" name="z"'),
                              edges=(E1, E2, edge(0, 0, 4, 0), edge(4, 2, 5, 0))))
max_case('none_indices_within_a_channel', 'MaxPool opset14', I32_INDICES, x=LARGE, o=U8_OUT, index_element_type='i32', axis='2')
case('IR314_adaptive', model(x=x_layer('shape="1,1,32768,65537" element_type="f16"', '<port id="0" precision="FP16"/>'),
                             p=adaptive(head='<layer id="1" name="pool" type="AdaptiveMaxPool" version="opset8">', d='			<data index_element_type="{IR314|i32}"/>\n',
                                        o='<port id="2" precision="FP16"/>\n				<port id="3" precision="I32"/>'),
                             y=Y0, extra=const(), edges=(E1, edge(3, 0, 1, 1), edge(1, 3, 2, 0))), SIZES)

# several faults in one layer
max_case('many_in_a_max_pool', kernel='{IR304|64},2', dilations='1,1', axis='{IR207|9}', rounding_type='{IR207|ceil_torch}', index_element_type='{IR207|f32}')
max_case('many_indices', 'MaxPool opset14', I32_INDICES, x=LARGE, o=U8_OUT, kernel='2,{IR304|65537}', index_element_type='{IR314|i32}')
