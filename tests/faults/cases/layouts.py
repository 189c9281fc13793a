"""Makes models with faults in Concat, and in ops whose second input lists a shape or an order."""
from cases.case import case
from cases.parts import Y0, declared_output, dims, edge, floats, i64_bytes, math_model, model, source, x_layer


def listed(op, shape, items, attrs=None, kind='f32', declared=None, x_tag='<port', tag='<port', o=None, opset=1, layer='<layer', length=None):
    """Returns a model of an op on x and a constant list, and its .bin. `tag` is the tag of the list's port, `length`
    the list's shape."""
    precision = {'f32': 'FP32', 'boolean': 'BOOL'}[kind]
    length = str(len(items)) if length is None else length
    attrs = '' if attrs is None else f'			<data{attrs}/>\n'
    items_layer = source('id="1" name="list" type="Const"', f'element_type="i64" shape="{length}" offset="0" size="{8 * len(items)}"',
                         f'<port id="0" precision="I64">{dims(length)}</port>')
    p = f'''{items_layer}
		{layer} id="2" name="op" type="{op}" version="opset{opset}">
{attrs}			<input>
				{x_tag} id="0" precision="{precision}">{dims(shape if declared is None else declared)}</port>
				{tag} id="1" precision="I64"/>
			</input>
			<output>
				{o or f'<port id="2" precision="{precision}"/>'}
			</output>
		</layer>'''
    edges = [edge(a, b, c, d) for a, b, c, d in ((0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0))]
    x = x_layer(f'shape="{shape}" element_type="{kind}"', f'<port id="0" precision="{precision}"/>')
    return model(x=x, p=p, y=Y0.replace('id="2"', 'id="3"'), edges=edges), i64_bytes(*items)


def reshape(shape, items, zeros='true', **more):
    return listed('Reshape', shape, items, f' special_zero="{zeros}"', **more)


R317 = '{IR317|<port}'
case('IR317_not_as_many', *reshape('2,3', [2, 4], 'false', tag=R317))
case('IR317_beside_a_copy', *reshape('2,3', [0, 4], tag=R317))
case('IR317_no_whole_rest', *reshape('2,3,5', [0, 2, -1], tag=R317))
case('IR317_no_dim_to_copy', *reshape('2,3', [2, 3, 0], tag=R317))
case('IR317_no_size', *reshape('2,3', [-5, 3, -2], tag=R317))
case('IR317_sixteen_long_numbers', *reshape('2,3', [-9223372036854775808] * 16, tag=R317))
case('IR317_more_than_64_bits', *reshape('3,5', [0, (1 << 63) - 1], tag=R317))
case('IR317_two_rests', *reshape('2,3', [-1, -1], tag=R317))
case('IR317_three_wrong_entries', *reshape('2,3', [-3, -1, -1, 0], tag=R317))
case('IR317_zero_is_a_size', *reshape('2,3', [0, -1], 'false', tag=R317))
case('IR317_intervals', *reshape('5..7,3', [4, -1], tag=R317))
case('IR317_only_without_elements', *reshape('?,3', [0, 4], tag='{w:IR317|<port}'))
case('IR308_reshape', *reshape('?,4294967296,4294967296', [-1], tag='{IR308|<port}'))
case('IR308_reshape_sizes_beside_a_rest', *reshape('3,5', [1 << 32, 1 << 32, -1], tag='{IR308|<port}'))
case('IR004_reshape_rank', *reshape('2', [1] * 16 + [2], layer='{IR004|<layer}{e:6}'))
case('IR303_reshape_scalar', *reshape('1,1', [1], length='', tag='{IR303|<port}'))
case('IR306_reshape_booleans', *reshape('2,3', [-1], kind='boolean', x_tag='{n:IR306|<port}'))
case('IR204_special_zero', *listed('Reshape', '2,3', [0, 7], layer='{IR204|<layer}'))
case('IR301_reshape', *reshape('2,3,4', [0, -1], o=declared_output('2,{IR301|13}')))
case('IR301_reshape_copies_what_is_declared', *reshape('2,3', [0, -1], declared='{IR301|4},3', o=declared_output('4,3')))
case('IR315_squeeze', *listed('Squeeze', '1,3', [2, -3], tag='{IR315|<port}'))
case('IR315_squeeze_many', *listed('Squeeze', '1,3', [-2**62 - i for i in range(20)], tag='{IR315|<port}'))
case('IR004_squeeze_axes', *listed('Squeeze', '1,3', [0, -2] * 16 + [0], tag='{IR004|<port}{e:6}'))
case('IR315_squeeze_twice', *listed('Squeeze', '1,3', [0, -2], tag='{w:IR315|<port}'))
case('IR315_unsqueeze', *listed('Unsqueeze', '2,3', [3], tag='{IR315|<port}'))
case('IR315_unsqueeze_twice', *listed('Unsqueeze', '2,3', [0, -4], tag='{IR315|<port}'))
case('IR315_unsqueeze_nothing', *listed('Unsqueeze', '2,3', [], tag='{w:IR315|<port}'))
case('IR315_transpose_negative', *listed('Transpose', '2,3', [-1, 0], tag='{IR315|<port}'))
case('IR315_transpose_twice', *listed('Transpose', '2,3', [1, 1], tag='{IR315|<port}'))
case('IR315_transpose_too_few', *listed('Transpose', '2,3,4', [1, 0], tag='{IR315|<port}'))
case('IR319_squeeze', *listed('Squeeze', '1,3,4', [0, 1, -1], tag='{w:IR319|<port}'))
case('IR319_squeeze_15', *listed('Squeeze', '2..4,3', [0], ' allow_axis_skip="false"', opset=15, tag='{w:IR319|<port}'))
case('IR301_squeeze', *listed('Squeeze', '1,3,1', [0], o=declared_output('3').replace('<port', '{IR301|<port}')))
case('IR301_unsqueeze', *listed('Unsqueeze', '3', [0], o=declared_output('{IR301|3},1')))
case('IR301_transpose', *listed('Transpose', '2,3', [], o=declared_output('{IR301|2},3')))


def concat(inputs, axis=0, o='<port id="2" precision="dynamic"/>'):
    return math_model('Concat', inputs, f'axis="{axis}"', o=o)


def mat_mul(a, b, attrs=''):
    return math_model('MatMul', [a, b], attrs, o='<port id="2" precision="dynamic"/>')


case('IR322_mat_mul', mat_mul(floats('2,3'), floats('2,3', tag='{IR322|<port}')))
case('IR322_mat_mul_transposed', mat_mul(floats('2,3'), floats('3,2', tag='{IR322|<port}'), 'transpose_a="false" transpose_b="true"'))
case('IR316_mat_mul', mat_mul(floats('2,4,3'), floats('3,3,4', tag='{IR316|<port}')))
case('IR318_off_the_axis', concat([floats('2,3'), floats('2,4', '2,{IR318|4}')]))
case('IR318_rank', concat([floats('2,3'), floats('2,3,1', tag='{IR318|<port}')]))
case('IR318_intervals', concat([floats('1..4,1..3'), floats('?,4..5', '-1,{IR318|-1}')]))
case('IR318_and_the_axis', concat([floats('2,3'), floats('2,3,1', tag='{IR318|<port}')], '{IR207|2}'))
case('IR207_concat_axis', concat([floats('2,3'), floats('2,3')], '{IR207|-3}'))
case('IR204_concat_axis', math_model('Concat', [floats('2,3'), floats('2,3')], layer='{IR204|<layer}'))
case('IR303_concat_scalar', concat([floats('2'), floats('', tag='{IR303|<port}')]))
case('IR306_concat', concat([floats('2'), ('i32', '2', None, '{IR306|<port}')]))
case('IR306_concat_of_three_types', concat([floats('2'), ('i32', '2', None, '{IR306|<port}'), floats('2'), ('boolean', '2', None, '{n:IR306|<port}')]))
case('IR301_concat', concat([floats('3,2'), floats('?,2')], o=declared_output('{IR301|2},2')))
# One input port declares another size than its producer. The output declares the size that would follow from it.
case('IR301_concat_of_many', concat([floats('1,3', '1,{IR301|5}' if i == 2 else None) for i in range(20)], 1, o=declared_output('1,62')))
