#!/usr/bin/env python3
"""Makes the bad models of this folder and, for each, NAME.expected: the diagnostics that irrun has to give, one a line.

A fault is marked where it stands in the text: {IR304|64,64} is the error IR304 at `64,64`; {w:IR205|...} is a warning, {n:...}
a note. The marks are taken out of the model, and their places become the expected ones, so that no place comes from irrun
itself. {!IR108} is a diagnostic without a place, {e:6} another exit status than 3.
NAME.stderr, the exact text, is written by run.sh --update and read by whoever changes a message."""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))

HEAD = '<?xml version="1.0"?>'
NET = '<net name="m" version="11">'
X = '''		<layer id="0" name="x" type="Parameter" version="opset1">
			<data shape="1,3,32,32" element_type="f32"/>
			<output>
				<port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>
			</output>
		</layer>'''
DATA = '<data kernel="2,2" strides="2,2" pads_begin="0,0" pads_end="0,0" exclude-pad="true"/>'
PORT_IN = '<port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>'
PORT_OUT = '<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>16</dim><dim>16</dim></port>'


def pool(data=DATA, i=PORT_IN, o=PORT_OUT, head='<layer id="1" name="pool" type="AvgPool" version="opset1">'):
    return f'''		{head}
			{data}
			<input>
				{i}
			</input>
			<output>
				{o}
			</output>
		</layer>'''


Y = '''		<layer id="2" name="y" type="Result" version="opset1">
			<input>
				<port id="0"><dim>1</dim><dim>3</dim><dim>16</dim><dim>16</dim></port>
			</input>
		</layer>'''
E1 = '		<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>'
E2 = '		<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>'


def model(x=X, p=None, y=Y, edges=(E1, E2), extra='', net=NET, head=HEAD, tail='</net>', before=''):
    layers = '\n'.join(t for t in (x, p if p is not None else pool(), y, extra) if t)
    return '\n'.join([head, net + before, '	<layers>', layers, '	</layers>', '	<edges>', *edges, '	</edges>', tail, ''])


def data(**changes):
    """The pool's <data> with attributes changed, added or (None) left out."""
    attrs = {'kernel': '2,2', 'strides': '2,2', 'pads_begin': '0,0', 'pads_end': '0,0', 'exclude-pad': 'true'}
    for name, value in changes.items():
        attrs[name.replace('__', '-')] = value
    text = ' '.join(f'{n}="{v}"' for n, v in attrs.items() if v is not None)
    return f'<data {text}/>'


def x_layer(attrs='shape="1,3,32,32" element_type="f32"', port='<port id="0" precision="FP32"/>'):
    return f'''		<layer id="0" name="x" type="Parameter" version="opset1">
			<data {attrs}/>
			<output>
				{port}
			</output>
		</layer>'''


def untyped(i='<port id="0"/>', o='<port id="1" precision="FP32"/>'):
    """Ports that declare nothing, so that only the fault at hand is seen."""
    return dict(i=i, o=o)


Y0 = '''		<layer id="2" name="y" type="Result" version="opset1">
			<input>
				<port id="0"/>
			</input>
		</layer>'''


def const(attrs='element_type="i64" shape="2" offset="0" size="16"', port='<port id="0" precision="I64"><dim>2</dim></port>'):
    return f'''		<layer id="3" name="size" type="Const" version="opset1">
			<data {attrs}/>
			<output>
				{port}
			</output>
		</layer>'''


ADAPTIVE_EDGES = (E1, '		<edge from-layer="3" from-port="0" to-layer="1" to-port="1"/>',
                  '		<edge from-layer="1" from-port="2" to-layer="2" to-port="0"/>')


def adaptive(blocks='''			<input>
				<port id="0"/>
				<port id="1"/>
			</input>''', head='<layer id="1" name="pool" type="AdaptiveAvgPool" version="opset8">', o='<port id="2" precision="FP32"/>', d=''):
    return f'''		{head}
{d}{blocks}
			<output>
				{o}
			</output>
		</layer>'''


def adaptive_model(c=None, **kw):
    extra = kw.pop('extra', '')
    x = kw.pop('x', X)
    return model(x=x, p=adaptive(**kw), y=Y0, edges=ADAPTIVE_EDGES, extra=(const() if c is None else c) + extra)


SIZES = (16).to_bytes(8, 'little') * 2
cases = {}
bins = {}


def case(name, text, bin=None):
    assert name not in cases, name
    cases[name] = text
    if bin is not None:
        bins[name] = bin


def pool_case(name, extra_edges=(), **changes):
    case(name, model(p=pool(data(**changes), **untyped()), y=Y0))


# ---- the file ----
case('IR001_mismatched_tag', model(y=Y.replace('</input>', '{IR001|</inputs>}')))
case('IR001_truncated', model().split('<edges>')[0] + '<edges>{IR001|}\n')
case('IR001_attribute_twice', model(p=pool('<data kernel="2,2" {IR001|kernel}="2,2"/>')))
case('IR001_second_root', model(tail='</net>\n{IR001|<}net/>'))
case('IR003_version_9', model(net='<net name="m" version="{IR003|9}">'))
case('IR003_version_12', model(net='<net name="m" version="{IR003|12}">'))
case('IR005_doctype', model(head=HEAD + '\n{IR005|<!DOCTYPE} net [<!ENTITY a "b">]>'))
case('IR005_entity', model(p=pool(head='<layer id="1" name="{IR005|&unknown;}" type="AvgPool" version="opset1">')))
case('IR006_latin1', model(head='<?xml version="1.0" encoding="{IR006|ISO-8859-1}"?>'))
case('IR007_input_repeated', adaptive_model(blocks='''			<input>
				<port id="0"/>
			</input>
			{IR007|<input>}
				<port id="1"/>
			</input>'''), SIZES)
case('IR007_data_repeated', model(p=pool(DATA + '\n			{IR007|<data} kernel="3,3"/>')))
case('IR007_layers_repeated', model(tail='	{IR007|<layers}/>\n</net>'))
case('IR007_edges_repeated', model(tail='	{IR007|<edges}/>\n</net>'))
case('IR008_unknown_child', model(p=pool(DATA + '\n			{w:IR008|<bogus}/>')))
case('IR008_wrong_case', model(p=pool(DATA + '\n			{IR008|<Data} kernel="3,3"/>')))
case('IR008_wrong_case_first', model(p=pool('{IR008|<Data}/>\n			' + DATA)))
case('IR008_nested_net', model(tail='	{w:IR008|<net} name="inner" version="11"/>\n</net>'))
case('IR009_version_10', model(net='<net name="m" version="{n:IR009|10}">'))

# ---- the graph ----
case('IR101_same_id', model(extra='''		<layer id="{IR101|1}" name="other" type="AvgPool" version="opset1">
			''' + DATA + '''
			<input>
				<port id="0"/>
			</input>
			<output>
				<port id="1" precision="FP32"/>
			</output>
		</layer>'''))
case('IR102_same_name', model(p=pool(head='<layer id="1" name="{w:IR102|x}" type="AvgPool" version="opset1">')))
case('IR103_to_unknown', model(edges=(E1, E2, '		<edge from-layer="1" from-port="1" to-layer="{IR103|7}" to-port="0"/>')))
case('IR103_instead_of_result', model(edges=(E1, '		<edge from-layer="1" from-port="1" to-layer="{IR103|7}" to-port="0"/>')))
case('IR103_from_unknown', model(edges=('		<edge from-layer="{IR103|9}" from-port="0" to-layer="1" to-port="0"/>', E2)))
case('IR104_from_port', model(edges=(E1, '		<edge from-layer="1" from-port="{IR104|5}" to-layer="2" to-port="0"/>')))
case('IR104_to_port', model(edges=('		<edge from-layer="0" from-port="0" to-layer="1" to-port="{IR104|4}"/>', E2)))
case('IR104_from_an_input', model(edges=(E1, '		<edge from-layer="1" from-port="{IR104|0}" to-layer="2" to-port="0"/>')))
case('IR105_not_connected', model(p=pool(i='{IR105|<port} id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>'), edges=(E2,)))
case('IR106_twice', model(edges=(E1, E2, '		{IR106|<edge} from-layer="0" from-port="0" to-layer="1" to-port="0"/>')))
case('IR107_self_loop', model(p=pool(head='{IR107|<layer} id="1" name="pool" type="AvgPool" version="opset1">'),
                              edges=('		<edge from-layer="1" from-port="1" to-layer="1" to-port="0"/>', E2)))
case('IR108_no_result', model(net='{IR108|<net} name="m" version="11">', y='', edges=(E1,)))
case('IR108_no_layers', '<?xml version="1.0"?>\n{IR108|<net} name="m" version="11">\n	<layers/>\n	<edges/>\n</net>\n')
case('IR109_dead', model(extra='''		{w:IR109|<layer} id="5" name="unused" type="AvgPool" version="opset1">
			''' + DATA + '''
			<input>
				<port id="0"/>
			</input>
			<output>
				<port id="1" precision="FP32"/>
			</output>
		</layer>''', edges=(E1, E2, '		<edge from-layer="0" from-port="0" to-layer="5" to-port="0"/>')))
case('IR110_input_missing', model(x=X, p='''		{IR110|<layer} id="1" name="pool" type="AdaptiveAvgPool" version="opset8">
			<input>
				<port id="0"/>
			</input>
			<output>
				<port id="1" precision="FP32"/>
			</output>
		</layer>''', y=Y0))
case('IR110_output_surplus', model(p=pool(o=PORT_OUT + '\n				{IR110|<port} id="2" precision="FP32"/>')))
case('IR110_gap', adaptive_model(blocks='''			<input>
				{IR110|<port} id="0"/>
				<port id="1"/>
			</input>''').replace(E1 + '\n', '').replace('name="x"', 'name="x"'), SIZES)
case('IR111_port_twice', model(p=pool(o=PORT_OUT + '\n				<port id="{IR111|1}" precision="FP32"/>')))
case('IR112_tensor_name', model(x=x_layer(port='<port id="0" precision="FP32" names="a"/>'),
                                p=pool(**untyped(o='<port id="1" precision="FP32" names="{IR112|b,a}"/>')), y=Y0))
case('IR113_result_feeds', model(edges=(E1, E2, '		<edge from-layer="{n0|2}" from-port="0" to-layer="5" to-port="0"/>'.replace('{n0|2}', '{IR113|2}')),
                                 extra='''		<layer id="5" name="z" type="Result" version="opset1">
			<input>
				<port id="0"/>
			</input>
		</layer>'''))

CYCLE = '''		{a}<layer id="{i}" name="{n}" type="AvgPool" version="opset1">
			''' + DATA + '''
			<input>
				<port id="0"/>
			</input>
			<output>
				<port id="1" precision="FP32"/>
			</output>
		</layer>'''


def cycle_layer(i, marked=False):
    text = CYCLE.replace('{i}', str(i)).replace('{n}', f'c{i}').replace('{a}', '')
    return text.replace('<layer', '{IR107|<layer}', 1) if marked else text


def cycle_edge(a, b):
    return f'		<edge from-layer="{a}" from-port="1" to-layer="{b}" to-port="0"/>'


case('IR107_two_cycles', model(extra='\n'.join([cycle_layer(5, True), cycle_layer(6), cycle_layer(7, True)]),
                               edges=(E1, E2, cycle_edge(5, 6), cycle_edge(6, 5), cycle_edge(7, 7))))
case('IR113_and_the_right_edge', model(edges=('		<edge from-layer="{IR113|2}" from-port="0" to-layer="1" to-port="0"/>', E1, E2)))
case('IR105_beside_a_faulty_edge', model(edges=(E1, E2, '		{IR204|<edge} from-layer="0" from-port="0" to-layer="1"/>'),
                                         extra=cycle_layer(5).replace('<port id="0"/>', '{IR105|<port} id="0"/>')))

case('IR204_edge_to_nowhere', model(edges=(E1, E2, '		{IR204|<edge} from-layer="0" from-port="0" to-layer="9"/>')))

# ---- ops and attributes ----
case('IR201_unknown_op', model(p=pool(head='<layer id="1" name="pool" type="{IR201|AvgPol}" version="opset1">')))
case('IR201_result_case', model(y=Y.replace('type="Result"', 'type="{IR201|result}"')))
case('IR201_constant', adaptive_model(c=const().replace('type="Const"', 'type="{IR201|Constant}"')), SIZES)
case('IR202_unknown_opset', model(p=pool(head='<layer id="1" name="pool" type="AvgPool" version="{IR202|opset99}">')))
case('IR203_not_in_opset', adaptive_model(head='<layer id="1" name="pool" type="AdaptiveAvgPool" version="{IR203|opset7}">'), SIZES)
case('IR204_kernel', model(p=pool(data(kernel=None).replace('<data', '{IR204|<data}'), **untyped()), y=Y0))
case('IR204_two_missing', model(p=pool(data(strides=None, pads_end=None).replace('<data', '{IR204|}{IR204|<data}'), **untyped()), y=Y0))
case('IR204_no_data', model(p=pool('', head='{IR204|}{IR204|}{IR204|}{IR204|}{IR204|<layer} id="1" name="pool" type="AvgPool" version="opset1">', **untyped()), y=Y0))
case('IR204_layer_type', model(p=pool(head='{IR204|<layer} id="1" name="pool" version="opset1">')))
case('IR204_edge', model(edges=(E1, '		{IR204|<edge} from-layer="1" to-layer="2" to-port="0"/>')))
case('IR204_parameter_shape', model(x=x_layer('element_type="f32"').replace('<data', '{IR204|<data}'), y=Y0, p=pool(**untyped())))
case('IR205_unknown', model(p=pool('<data kernel="2,2" strides="2,2" pads_begin="0,0" pads_end="0,0" exclude-pad="true" {w:IR205|flavour}="x"/>')))
case('IR206_not_a_number', model(p=pool(data(kernel='2,{IR206|2x}'), **untyped()), y=Y0))
case('IR206_empty_item', model(p=pool(data(strides='2,{IR206|}'), **untyped()), y=Y0))
case('IR206_two_bad_items', model(p=pool(data(strides='{IR206|a},b'), **untyped()), y=Y0))
case('IR206_element_type', model(x=x_layer('shape="1,3,32,32" element_type="{IR206|FP32}"'), p=pool(**untyped()), y=Y0))
case('IR206_precision', model(x=x_layer(port='<port id="0" precision="{IR206|FP33}"/>'), p=pool(**untyped()), y=Y0))
case('IR206_dim', model(p=pool(i='<port id="0" precision="FP32"><dim>1</dim><dim>{IR206|3x}</dim><dim>32</dim><dim>32</dim></port>')))
case('IR206_id', model(edges=(E1, '		<edge from-layer="1" from-port="{IR206|one}" to-layer="2" to-port="0"/>')))
pool_case('IR207_zero_stride', strides='2,{IR207|0}')
pool_case('IR207_negative_kernel', kernel='{IR207|-1},2')
pool_case('IR207_huge', kernel='{IR207|99999999999999999999},2')
pool_case('IR207_boolean', exclude__pad='{IR207|yes}')
pool_case('IR207_enum', auto_pad='{IR207|notset}')
pool_case('IR207_rounding', rounding_type='{IR207|ceil_torch}')
for bad in ('-4', '99999999999999999999', '9223372036854775807', '10..1'):
    case('IR207_shape_' + re.sub(r'\W+', '_', bad), model(x=x_layer(f'shape="1,3,{{IR207|{bad}}},32" element_type="f32"'), p=pool(**untyped()), y=Y0))
case('IR201_and_IR202', model(p=pool(head='<layer id="1" name="pool" type="{IR201|AvgPol}" version="{IR202|opset99}">')))
pool_case('IR207_and_IR208', kernel='{IR208|}{IR207|0},2,2')
pool_case('IR206_and_IR207', strides='{IR207|0},{IR206|x}')
case('IR301_rank_and_lists', model(p=pool(i='{IR301|<port} id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>4</dim><dim>32</dim><dim>32</dim></port>',
                                          o='{IR301|<port} id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>2</dim><dim>16</dim><dim>16</dim></port>'), y=Y0))
case('IR301_behind_an_unknown_op', model(p=pool(o='<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>{IR301|9}</dim><dim>9</dim></port>'),
                                         y=Y.replace('type="Result"', 'type="{IR201|Resolt}"').replace('<dim>16</dim><dim>16</dim>', '<dim>3</dim><dim>9</dim>').replace('<port id="0"><dim>1</dim><dim>3</dim><dim>3</dim>', '<port id="0"><dim>1</dim><dim>3</dim><dim>{IR301|3}</dim>')))
pool_case('IR208_strides', strides='{IR208|2,2,2}')
pool_case('IR208_all', kernel='{IR208|2}', strides='2', pads_begin='0', pads_end='0')
case('IR208_empty_number', model(p=pool('<data kernel="2,2" strides="2,2" pads_begin="0,0" pads_end="0,0" axis="{IR208|}"/>', **untyped()).replace('AvgPool', 'MaxPool').replace('opset1', 'opset8'), y=Y0))
pool_case('IR209_pads', auto_pad='same_upper', pads_begin='{n:IR209|1,1}')
case('IR210_op_of_openvino', model(p=pool(head='<layer id="1" name="pool" type="{IR210|NormalizeL2}" version="opset14">{e:4}')))
case('IR210_pre_process', model(before='\n	{e:4}{IR210|<pre-process} mean-precision="FP32"/>'))
case('IR210_element_type', model(x=x_layer('shape="1,3,32,32" element_type="{IR210|f8e4m3}{e:4}"', '<port id="0" precision="F8E4M3"/>'), p=pool(i='<port id="0"/>', o='<port id="1" precision="F8E4M3"/>'), y=Y0))
case('IR211_underscore', model(p=pool('<data kernel="2,2" strides="2,2" pads_begin="0,0" pads_end="0,0" {IR211|exclude_pad}="true"/>')))
case('IR211_case', model(p=pool('<data {IR211|Kernel}="2,2" strides="2,2" pads_begin="0,0" pads_end="0,0" exclude-pad="true"/>', **untyped()), y=Y0))
case('IR211_const_value', adaptive_model(c=const('element_type="i64" shape="2" offset="0" size="16" {IR211|value}="12"')), SIZES)

# ---- shapes and types ----
case('IR301_output', model(p=pool(o='<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>{IR301|32}</dim><dim>32</dim></port>'),
                           y=Y.replace('16', '32')))
case('IR301_rank', model(p=pool(o='{IR301|<port} id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>16</dim></port>'), y=Y0))
case('IR301_parameter', model(x=X.replace('<dim>32</dim><dim>32</dim>', '<dim>{IR301|33}</dim><dim>32</dim>')))
case('IR301_input_alone', model(y=Y.replace('<dim>16</dim><dim>16</dim>', '<dim>16</dim><dim>{IR301|17}</dim>')))
case('IR302_output', model(p=pool(o=PORT_OUT.replace('"FP32"', '"{IR302|FP16}"'))))
case('IR302_parameter', model(x=X.replace('precision="FP32"', 'precision="{IR302|I32}"')))
case('IR303_rank_2', model(x=x_layer('shape="3,32" element_type="f32"'), p=pool(i='{IR303|<port} id="0"/>', o='<port id="1" precision="FP32"/>'), y=Y0))
pool_case('IR304_both_axes', kernel='{IR304|64},64')
pool_case('IR304_second_axis', kernel='2,{IR304|64}')
case('IR304_beyond_64_bits', model(p=pool(data(kernel='2,{IR304|4294967297}', dilations='1,4294967296'), **untyped(),
                                          head='<layer id="1" name="pool" type="AvgPool" version="opset16">'), y=Y0))
pool_case('IR305_ceil', kernel='{w:IR305|1},1', strides='3,3', rounding_type='{n:IR310|ceil}', pads_end='0,0')
case('IR306_boolean', model(x=x_layer('shape="1,3,32,32" element_type="boolean"', '<port id="0" precision="BOOL"/>'),
                            p=pool(i='{IR306|<port} id="0"/>', o='<port id="1" precision="BOOL"/>'), y=Y0))
case('IR306_adaptive_integers', adaptive_model(x=x_layer('shape="1,3,32,32" element_type="i32"', '<port id="0" precision="I32"/>'), o='<port id="2" precision="I32"/>', blocks='''			<input>
				{IR306|<port} id="0"/>
				<port id="1"/>
			</input>'''), SIZES)
case('IR307_batch', model(x=x_layer('shape="0,3,32,32" element_type="f32"'), p=pool(i='<port id="0"><dim>{IR307|0}</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>', o='<port id="1" precision="FP32"/>'), y=Y0))
case('IR307_adaptive_empty', adaptive_model(x=x_layer('shape="1,3,0,32" element_type="f32"'), blocks='''			<input>
				<port id="0"><dim>1</dim><dim>3</dim><dim>{IR307|0}</dim><dim>32</dim></port>
				<port id="1"/>
			</input>'''), SIZES)
case('IR308_parameter', model(x=x_layer('shape="{IR308|4294967296,4294967296,4,4}" element_type="f32"'), p=pool(**untyped()), y=Y0))
pool_case('IR308_output', kernel='{IR308|1},1', strides='1,1', pads_begin='0,0', pads_end='9223372036854775807,0', exclude__pad='false')
# The window that PyTorch drops is always one without input.
pool_case('IR310_ceil', kernel='{w:IR305|2},2', strides='3,3', pads_end='1,1', rounding_type='{n:IR310|ceil}')
pool_case('IR311_begin', pads_begin='{IR311|2},0')
pool_case('IR311_both', pads_begin='{IR311|2},2', pads_end='0,{IR311|3}')
pool_case('IR312_overhang', kernel='3,3', strides='2,2', pads_begin='1,1', pads_end='1,1', exclude__pad='{n:IR312|false}', rounding_type='ceil')
for name, c, b in (('zero', const(), (0).to_bytes(8, 'little') * 2), ('negative', const(), (-1).to_bytes(8, 'little', signed=True) * 2),
                   ('length', const('element_type="i64" shape="3" offset="0" size="24"', '<port id="0" precision="I64"/>'), SIZES + SIZES[:8]),
                   ('rank', const('element_type="i64" shape="1,2" offset="0" size="16"', '<port id="0" precision="I64"/>'), SIZES),
                   ('float', const('element_type="f32" shape="2" offset="0" size="8"', '<port id="0" precision="FP32"/>'), bytes(8))):
    case('IR313_' + name, adaptive_model(c=c, blocks='''			<input>
				<port id="0"/>
				{IR313|<port} id="1"/>
			</input>'''), b)
case('IR315_more_axes_than_dims', model(x=x_layer('shape="4,4" element_type="f32"'),
                                         p='''		<layer id="1" name="mean" type="ReduceMean" version="opset1">
			<input>
				<port id="0"/>
				{IR315|<port} id="1"/>
			</input>
			<output>
				<port id="1" precision="FP32"/>
			</output>
		</layer>''', y=Y0, extra=x_layer('shape="3" element_type="i64"', '<port id="0" precision="I64"/>').replace('id="0" name="x"', 'id="3" name="axes"'),
                                         edges=(E1, E2, '		<edge from-layer="3" from-port="0" to-layer="1" to-port="1"/>')))

# ---- broadcasts and conversions ----


def dims(text):
    """<dim> elements of "2,3"; what is open has -1, marks stay."""
    items = [t for t in text.split(',') if t]
    return ''.join(f'<dim>{t if re.fullmatch(r"[0-9]+|{.*}", t) else -1}</dim>' for t in items)


def math_model(op, inputs, attrs=None, o='<port id="2" precision="dynamic"/>', layer='<layer'):
    """An op fed by Parameters. Inputs are (type, shape, what its port says or None for the same shape, the port's tag)."""
    precision = {'f32': 'FP32', 'i32': 'I32', 'boolean': 'BOOL'}
    parameters, ports, edges, at = [], [], [], max(2, len(inputs))
    for i, (kind, shape, declared, tag) in enumerate(inputs):
        parameters.append(f'''		<layer id="{i}" name="x{i}" type="Parameter" version="opset1">
			<data shape="{shape}" element_type="{kind}"/>
			<output>
				<port id="0" precision="{precision[kind]}">{dims(shape)}</port>
			</output>
		</layer>''')
        ports.append(f'				{tag} id="{i}" precision="{precision[kind]}">{dims(declared or shape)}</port>')
        edges.append(f'		<edge from-layer="{i}" from-port="0" to-layer="{at}" to-port="{i}"/>')
    blocks = '\n'.join(['			<input>', *ports, '			</input>', '			<output>', '				' + o, '			</output>'])
    body = (f'			<data {attrs}/>\n' if attrs is not None else '') + blocks
    p = f'''		{layer} id="{at}" name="op" type="{op}" version="opset1">
{body}
		</layer>'''
    return model(x='\n'.join(parameters), p=p, y=Y0.replace('id="2"', f'id="{at + 1}"'),
                 edges=(*edges, f'		<edge from-layer="{at}" from-port="2" to-layer="{at + 1}" to-port="0"/>'))


def floats(shape, declared=None, tag='<port'):
    return 'f32', shape, declared, tag


AXIS = 'auto_broadcast.auto_broadcast_axis'
case('IR316_sizes', math_model('Add', [floats('2,3'), floats('2,4', '2,{IR316|4}')], o='<port id="2" precision="FP32">' + dims('2,3') + '</port>'))
case('IR316_two_axes', math_model('Multiply', [floats('8,2,3'), floats('5,7,1,4', '5,7,1,4'.replace('7', '{IR316|7}'))]))
case('IR316_intervals', math_model('Add', [floats('?,2..5'), floats('1..9,6..9', '-1,{IR316|-1}')]))
case('IR316_none', math_model('Power', [floats('2,3'), floats('3', tag='{IR316|<port}')], 'auto_broadcast="none"'))
case('IR316_none_sizes', math_model('Power', [floats('2,3'), floats('2,1', '2,{IR316|1}')], 'auto_broadcast="none"'))
case('IR316_pdpd_backwards', math_model('Add', [floats('2,1'), floats('2,3', '2,{IR316|3}')], f'auto_broadcast="pdpd" {AXIS}="0"'))
case('IR316_pdpd_rank', math_model('Add', [floats('3'), floats('2,3', tag='{IR316|<port}')], f'auto_broadcast="pdpd" {AXIS}="-1"'))
case('IR316_pdpd_past_the_end', math_model('Add', [floats('2,3'), floats('3,2', '3,{IR316|2}')], f'auto_broadcast="pdpd" {AXIS}="1"'))
case('IR207_broadcast_axis', math_model('Add', [floats('2,3'), floats('3')], f'auto_broadcast="pdpd" {AXIS}="{{IR207|3}}"'))
case('IR207_broadcast_axis_negative', math_model('Add', [floats('2,3'), floats('3')], f'auto_broadcast="pdpd" {AXIS}="{{IR207|-2}}"'))
case('IR207_power_pdpd', math_model('Power', [floats('2,3'), floats('3')], 'auto_broadcast="{IR207|pdpd}"'))
case('IR207_broadcast_explicit', math_model('Add', [floats('2,3'), floats('3')], 'auto_broadcast="{IR207|explicit}"'))
case('IR209_broadcast_axis', math_model('Add', [floats('2,3'), floats('3')], f'auto_broadcast="numpy" {AXIS}="{{n:IR209|1}}"'))
case('IR212_broadcast_axis', math_model('Multiply', [floats('2,3'), floats('3')], 'auto_broadcast="{w:IR212|pdpd}"'))
case('IR301_broadcast', math_model('Add', [floats('8,1,6,1'), floats('7,1,5')], o='<port id="2" precision="FP32">' + dims('8,7,6,{IR301|6}') + '</port>'))
case('IR301_relu', math_model('ReLU', [floats('2,3')], o='<port id="2" precision="FP32">' + dims('2,{IR301|4}') + '</port>'))
case('IR306_types_differ', math_model('Add', [floats('2'), ('i32', '2', None, '{IR306|<port}')]))
case('IR306_boolean_sum', math_model('Add', [('boolean', '2', None, '{IR306|<port}'), ('boolean', '2', None, '{IR306|<port}')]))
case('IR306_boolean_beside_integers', math_model('Add', [('i32', '2', None, '<port'), ('boolean', '2', None, '{IR306|<port}')]))
case('IR306_integers_beside_boolean', math_model('Add', [('boolean', '2', None, '{IR306|<port}'), ('i32', '2', None, '<port')]))
case('IR308_broadcast', math_model('Add', [floats('1099511627776,1'), floats('1,1099511627776')], layer='{IR308|<layer}'))
case('IR204_destination_type', math_model('Convert', [floats('2')], layer='{IR204|<layer}'))
case('IR206_destination_type', math_model('Convert', [floats('2')], 'destination_type="{IR206|FP32}"'))
case('IR210_destination_type', math_model('Convert', [floats('2')], 'destination_type="{IR210|u4}"{e:4}'))
case('IR302_convert', math_model('Convert', [floats('2')], 'destination_type="i32"', o='<port id="2" precision="{IR302|FP32}">' + dims('2') + '</port>'))
case('IR302_convert_like', math_model('ConvertLike', [floats('2'), ('i32', '', None, '<port')], o='<port id="2" precision="{IR302|FP32}"/>'))

# ---- the pooling family ----


def max_data(**changes):
    return data(**{'exclude__pad': None, **changes})


def family(op, d, o='<port id="1" precision="FP32"/>', second=None, x=X, i='<port id="0"/>', read=True, layer='<layer'):
    """A pool of any version, "MaxPool opset8". `second` is its port of indices, which a Result reads unless `read` is False."""
    kind, opset = op.split()
    p = pool(d, i, o if second is None else o + '\n				' + second, f'{layer} id="1" name="pool" type="{kind}" version="{opset}">')
    if second is None or not read:
        return model(x=x, p=p, y=Y0)
    return model(x=x, p=p, y=Y0, extra=Y0.replace('id="2" name="y"', 'id="3" name="z"'),
                 edges=(E1, E2, '		<edge from-layer="1" from-port="2" to-layer="3" to-port="0"/>'))


def max_case(name, op='MaxPool opset8', second='<port id="2" precision="I64"/>', **changes):
    kw = {k: changes.pop(k) for k in ('x', 'i', 'o', 'read', 'layer') if k in changes}
    case(name, family(op, max_data(**changes), second=second, **kw))


def avg_case(name, op, **changes):
    kw = {k: changes.pop(k) for k in ('x', 'i', 'o', 'layer') if k in changes}
    case(name, family(op, data(**changes), **kw))


I32_INDICES = '<port id="2" precision="I32"/>'
LARGE = x_layer('shape="1,2,32768,65536" element_type="u8"', '<port id="0" precision="U8"/>')
U8_OUT = '<port id="1" precision="U8"/>'

# what a version has not
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
                                         edges=(E1, E2, '		<edge from-layer="1" from-port="{IR104|2}" to-layer="3" to-port="0"/>')))

# dilations, axis, index_element_type
max_case('IR207_dilation_zero', dilations='2,{IR207|0}')
avg_case('IR207_dilation_zero_avg', 'AvgPool opset16', dilations='{IR207|0},0')
max_case('IR207_dilation_negative', dilations='{IR207|-1},1')
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
case('IR302_indices_adaptive', adaptive_model(head='<layer id="1" name="pool" type="AdaptiveMaxPool" version="opset8">', o='<port id="2" precision="FP32"/>\n				<port id="3" precision="{IR302|I64}"/>',
                                              d='			<data index_element_type="i32"/>\n'), SIZES)
max_case('IR306_boolean_max', x=x_layer('shape="1,3,32,32" element_type="boolean"', '<port id="0" precision="BOOL"/>'), i='{w:IR306|<port} id="0"/>', o='<port id="1" precision="BOOL"/>')
avg_case('IR306_boolean_avg_16', 'AvgPool opset16', x=x_layer('shape="1,3,32,32" element_type="boolean"', '<port id="0" precision="BOOL"/>'), i='{IR306|<port} id="0"/>', o='<port id="1" precision="BOOL"/>')
case('IR313_adaptive_max', adaptive_model(head='<layer id="1" name="pool" type="AdaptiveMaxPool" version="opset8">', blocks="""			<input>
				<port id="0"/>
				{IR313|<port} id="1"/>
			</input>"""), (7).to_bytes(8, 'little') + bytes(8))

# indices that i32 cannot hold
max_case('IR314_static', 'MaxPool opset14', I32_INDICES, x=LARGE, o=U8_OUT, index_element_type='{IR314|i32}')
max_case('IR314_axis', 'MaxPool opset14', I32_INDICES, x=LARGE, o=U8_OUT, index_element_type='{IR314|i32}', axis='-3')
max_case('IR314_interval', 'MaxPool opset14', I32_INDICES, x=x_layer('shape="2..,1,32768,65536" element_type="u8"', '<port id="0" precision="U8"/>'), o=U8_OUT, index_element_type='{IR314|i32}')
max_case('IR314_beyond_i64', 'MaxPool opset14', I32_INDICES, x=x_layer('shape="4294967296..,4294967296..,?,?" element_type="u8"', '<port id="0" precision="U8"/>'), o=U8_OUT, index_element_type='{IR314|i32}')
max_case('none_indices_not_read', 'MaxPool opset14', I32_INDICES, x=LARGE, o=U8_OUT, index_element_type='i32', read=False)
# a neighbour with the same attributes and input, of which the indices are read
case('IR314_neighbour', model(x=LARGE, y=Y0, p=pool(max_data(index_element_type='i32'), '<port id="0"/>', U8_OUT + '\n				' + I32_INDICES, '<layer id="1" name="pool" type="MaxPool" version="opset14">'),
                              extra=pool(max_data(index_element_type='{IR314|i32}'), '<port id="0"/>', U8_OUT + '\n				' + I32_INDICES, '<layer id="4" name="second" type="MaxPool" version="opset14">')
                              + '\n' + Y0.replace('id="2" name="y"', 'id="5" name="z"'),
                              edges=(E1, E2, '		<edge from-layer="0" from-port="0" to-layer="4" to-port="0"/>', '		<edge from-layer="4" from-port="2" to-layer="5" to-port="0"/>')))
max_case('none_indices_within_a_channel', 'MaxPool opset14', I32_INDICES, x=LARGE, o=U8_OUT, index_element_type='i32', axis='2')
case('IR314_adaptive', model(x=x_layer('shape="1,1,32768,65537" element_type="f16"', '<port id="0" precision="FP16"/>'),
                             p=adaptive(head='<layer id="1" name="pool" type="AdaptiveMaxPool" version="opset8">', d='			<data index_element_type="{IR314|i32}"/>\n',
                                        o='<port id="2" precision="FP16"/>\n				<port id="3" precision="I32"/>'),
                             y=Y0, extra=const(), edges=(E1, '		<edge from-layer="3" from-port="0" to-layer="1" to-port="1"/>', '		<edge from-layer="1" from-port="3" to-layer="2" to-port="0"/>')), SIZES)

# several at once
max_case('many_in_a_max_pool', kernel='{IR304|64},2', dilations='1,1', axis='{IR207|9}', rounding_type='{IR207|ceil_torch}', index_element_type='{IR207|f32}')
max_case('many_indices', 'MaxPool opset14', I32_INDICES, x=LARGE, o=U8_OUT, kernel='2,{IR304|65537}', index_element_type='{IR314|i32}')


def reduce_model(op, axes, c=None, d='<data keep_dims="true"/>', x=X, o='<port id="2" precision="FP32"/>', i='<port id="0"/>', port='<port'):
    """A reduction over the i64 Const of so many axes, or over `c`."""
    p = f"""		<layer id="1" name="mean" type="{op}" version="opset1">
			{d}
			<input>
				{i}
				{port} id="1"/>
			</input>
			<output>
				{o}
			</output>
		</layer>"""
    extra = c or const(f'element_type="i64" shape="{axes}" offset="0" size="{8 * axes}"', '<port id="0" precision="I64"/>')
    return model(x=x, p=p, y=Y0, edges=ADAPTIVE_EDGES, extra=extra)


def axes_bytes(*axes):
    return b''.join(a.to_bytes(8, 'little', signed=True) for a in axes)


case('IR315_outside', reduce_model('ReduceMean', 3, port='{IR315|<port}'), axes_bytes(2, 4, -5))
case('IR315_twice', reduce_model('ReduceMax', 2, port='{IR315|<port}'), axes_bytes(1, -3))
case('IR303_axes', reduce_model('ReduceMax', 2, c=const('element_type="i64" shape="1,2" offset="0" size="16"', '<port id="0" precision="I64"/>'), port='{IR303|<port}'), axes_bytes(2, 3))
case('IR306_axes', reduce_model('ReduceMean', 2, c=const('element_type="f32" shape="2" offset="0" size="8"', '<port id="0" precision="FP32"/>'), port='{IR306|<port}'), bytes(8))
case('IR306_reduce_boolean', reduce_model('ReduceMax', 2, x=x_layer('shape="2,3,4" element_type="boolean"', '<port id="0" precision="BOOL"/>'), i='{IR306|<port} id="0"/>', o='<port id="2" precision="BOOL"/>'), axes_bytes(1, 2))
case('IR207_keep_dims', reduce_model('ReduceMean', 2, d='<data keep_dims="{IR207|yes}"/>'), axes_bytes(2, 3))
case('IR211_keep_dim', reduce_model('ReduceMean', 2, d='<data {IR211|keep_dim}="true"/>'), axes_bytes(2, 3))
case('IR301_reduce', reduce_model('ReduceMean', 2, d='', o='{IR301|<port} id="2" precision="FP32"><dim>1</dim><dim>3</dim><dim>1</dim><dim>1</dim></port>'), axes_bytes(2, 3))
case('IR305_reduce', reduce_model('ReduceMax', 1, x=x_layer('shape="2,0,4" element_type="f32"')).replace('<layer id="1"', '{w:IR305|<layer} id="1"'), axes_bytes(1))
# ---- shapes and orders that an input lists ----


def listed(op, shape, items, attrs=None, kind='f32', declared=None, x_tag='<port', tag='<port', o=None, opset=1, layer='<layer', length=None):
    """An op of x and a list in a constant, and the bytes of that; `tag` is of the list's port, `length` its shape."""
    precision = {'f32': 'FP32', 'boolean': 'BOOL'}[kind]
    length = str(len(items)) if length is None else length
    attrs = '' if attrs is None else f'''			<data{attrs}/>
'''
    p = f'''		<layer id="1" name="list" type="Const" version="opset1">
			<data element_type="i64" shape="{length}" offset="0" size="{8 * len(items)}"/>
			<output>
				<port id="0" precision="I64">{dims(length)}</port>
			</output>
		</layer>
		{layer} id="2" name="op" type="{op}" version="opset{opset}">
{attrs}			<input>
				{x_tag} id="0" precision="{precision}">{dims(shape if declared is None else declared)}</port>
				{tag} id="1" precision="I64"/>
			</input>
			<output>
				{o or f'<port id="2" precision="{precision}"/>'}
			</output>
		</layer>'''
    edges = [f'		<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>' for a, b, c, d in ((0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0))]
    x = x_layer(f'shape="{shape}" element_type="{kind}"', f'<port id="0" precision="{precision}"/>')
    return model(x=x, p=p, y=Y0.replace('id="2"', 'id="3"'), edges=edges), b''.join(i.to_bytes(8, 'little', signed=True) for i in items)


def reshape(shape, items, zeros='true', **more):
    return listed('Reshape', shape, items, f' special_zero="{zeros}"', **more)


def wrong_output(text):
    return '<port id="2" precision="FP32">' + dims(text) + '</port>'


R317 = '{IR317|<port}'
case('IR317_not_as_many', *reshape('2,3', [2, 4], 'false', tag=R317))
case('IR317_beside_a_copy', *reshape('2,3', [0, 4], tag=R317))
case('IR317_no_whole_rest', *reshape('2,3,5', [0, 2, -1], tag=R317))
case('IR317_no_dim_to_copy', *reshape('2,3', [2, 3, 0], tag=R317))
case('IR317_no_size', *reshape('2,3', [-5, 3, -2], tag=R317))
case('IR317_sixteen_long_numbers', *reshape('2,3', [-9223372036854775808] * 16, tag=R317))
case('IR317_more_than_64_bits', *reshape('3,5', [0, (1 << 63) - 1], tag=R317))
case('IR317_two_rests', *reshape('2,3', [-1, -1], tag=R317))
case('IR317_three_wrong_entries', *reshape('2,3', [-3, -1, -1, 0], tag='{IR317|<port}'))
case('IR317_zero_is_a_size', *reshape('2,3', [0, -1], 'false', tag=R317))
case('IR317_intervals', *reshape('5..7,3', [4, -1], tag=R317))
case('IR317_only_without_elements', *reshape('?,3', [0, 4], tag='{w:IR317|<port}'))
case('IR308_reshape', *reshape('?,4294967296,4294967296', [-1], tag='{IR308|<port}'))
case('IR308_reshape_sizes_beside_a_rest', *reshape('3,5', [1 << 32, 1 << 32, -1], tag='{IR308|<port}'))
case('IR004_reshape_rank', *reshape('2', [1] * 16 + [2], layer='{IR004|<layer}{e:6}'))
case('IR303_reshape_scalar', *reshape('1,1', [1], length='', tag='{IR303|<port}'))
case('IR306_reshape_booleans', *reshape('2,3', [-1], kind='boolean', x_tag='{w:IR306|<port}'))
case('IR204_special_zero', *listed('Reshape', '2,3', [0, 7], layer='{IR204|<layer}'))
case('IR301_reshape', *reshape('2,3,4', [0, -1], o=wrong_output('2,{IR301|13}')))
case('IR301_reshape_copies_what_is_declared', *reshape('2,3', [0, -1], declared='{IR301|4},3', o=wrong_output('4,3')))
case('IR315_squeeze', *listed('Squeeze', '1,3', [2, -3], tag='{IR315|<port}'))
case('IR315_squeeze_many', *listed('Squeeze', '1,3', [-2**62 - i for i in range(20)], tag='{IR315|<port}'))
case('IR315_squeeze_twice', *listed('Squeeze', '1,3', [0, -2], tag='{w:IR315|<port}'))
case('IR315_unsqueeze', *listed('Unsqueeze', '2,3', [3], tag='{IR315|<port}'))
case('IR315_unsqueeze_twice', *listed('Unsqueeze', '2,3', [0, -4], tag='{IR315|<port}'))
case('IR315_unsqueeze_nothing', *listed('Unsqueeze', '2,3', [], tag='{w:IR315|<port}'))
case('IR315_transpose_negative', *listed('Transpose', '2,3', [-1, 0], tag='{IR315|<port}'))
case('IR315_transpose_twice', *listed('Transpose', '2,3', [1, 1], tag='{IR315|<port}'))
case('IR315_transpose_too_few', *listed('Transpose', '2,3,4', [1, 0], tag='{IR315|<port}'))
case('IR319_squeeze', *listed('Squeeze', '1,3,4', [0, 1, -1], tag='{w:IR319|<port}'))
case('IR319_squeeze_15', *listed('Squeeze', '2..4,3', [0], ' allow_axis_skip="false"', opset=15, tag='{w:IR319|<port}'))
case('IR301_squeeze', *listed('Squeeze', '1,3,1', [0], o=wrong_output('3').replace('<port', '{IR301|<port}')))
case('IR301_unsqueeze', *listed('Unsqueeze', '3', [0], o=wrong_output('{IR301|3},1')))
case('IR301_transpose', *listed('Transpose', '2,3', [], o=wrong_output('{IR301|2},3')))


def concat(inputs, axis=0, o='<port id="2" precision="dynamic"/>'):
    return math_model('Concat', inputs, f'axis="{axis}"', o=o)


case('IR318_off_the_axis', concat([floats('2,3'), floats('2,4', '2,{IR318|4}')]))
case('IR318_rank', concat([floats('2,3'), floats('2,3,1', tag='{IR318|<port}')]))
case('IR318_intervals', concat([floats('1..4,1..3'), floats('?,4..5', '-1,{IR318|-1}')]))
case('IR318_and_the_axis', concat([floats('2,3'), floats('2,3,1', tag='{IR318|<port}')], '{IR207|2}'))
case('IR207_concat_axis', concat([floats('2,3'), floats('2,3')], '{IR207|-3}'))
case('IR204_concat_axis', math_model('Concat', [floats('2,3'), floats('2,3')], layer='{IR204|<layer}'))
case('IR303_concat_scalar', concat([floats('2'), floats('', tag='{IR303|<port}')]))
case('IR306_concat', concat([floats('2'), ('i32', '2', None, '{IR306|<port}')]))
case('IR306_concat_of_three_types', concat([floats('2'), ('i32', '2', None, '{IR306|<port}'), floats('2'), ('boolean', '2', None, '{w:IR306|<port}')]))
case('IR301_concat', concat([floats('3,2'), floats('?,2')], o=wrong_output('{IR301|2},2')))


# One input is declared as its producer does not have it, and the output as it would follow from that.
case('IR301_concat_of_many', concat([floats('1,3', '1,{IR301|5}' if i == 2 else None) for i in range(20)], 1, o=wrong_output('1,62')))

# ---- constants ----
case('IR401_missing', adaptive_model(c=const('element_type="i64" shape="2" offset="{IR401|0}" size="16"{e:6}')))
case('IR402_outside', adaptive_model(c=const('element_type="i64" shape="2" offset="{IR402|8}" size="16"')), SIZES)
case('IR402_wrapping', adaptive_model(c=const('element_type="i64" shape="2" offset="{IR402|9223372036854775800}" size="16"')), SIZES)
case('IR403_small', adaptive_model(c=const('element_type="i64" shape="2" offset="0" size="{IR403|8}"')), SIZES)
case('IR403_surplus', adaptive_model(c=const('element_type="i64" shape="2" offset="0" size="{IR403|24}"')), SIZES + bytes(8))
case('IR308_const', adaptive_model(c=const('element_type="i64" shape="{IR308|4294967296,4294967296}" offset="0" size="8"', '<port id="0" precision="I64"/>'), blocks='''			<input>
				<port id="0"/>
				<port id="1"/>
			</input>'''), SIZES)
case('IR404_misaligned', adaptive_model(c=const('element_type="i64" shape="2" offset="{n:IR404|3}" size="16"')), bytes(3) + SIZES)
case('IR405_unused', adaptive_model() + '<!-- {!n:IR405} -->\n', SIZES + bytes(5))

# ---- several at once: k faults, k errors ----
case('many_in_one_layer', model(p=pool(data(kernel='{IR304|64},64', strides='2,{IR207|0}', pads_end='0', auto_pad='{IR207|sam_upper}').replace('pads_end="0"', 'pads_end="0,{IR206|z}"'), **untyped()), y=Y0).replace('{IR304|64}', '64'))
case('many_in_one_file', model(x=X.replace('precision="FP32"', 'precision="{IR302|FP64}"'), p=pool(data(kernel='{IR304|64},64')),
                               extra=pool(data(strides='{IR208|1,1,1}'), head='<layer id="7" name="second" type="AvgPool" version="opset1">', **untyped()).replace('\t\t\t\t<port id="0"/>', '\t\t\t\t<port id="0"/>') + '''
		<layer id="8" name="z" type="Result" version="opset1">
			<input>
				<port id="0"/>
			</input>
		</layer>''', edges=(E1, E2, '		<edge from-layer="0" from-port="0" to-layer="7" to-port="0"/>',
                            '		<edge from-layer="7" from-port="1" to-layer="8" to-port="0"/>',
                            '		<edge from-layer="{IR103|77}" from-port="1" to-layer="{n0}8" to-port="0"/>'.replace('{n0}', ''))))
case('declared_chain', model(p=pool(o='<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>{IR301|32}</dim><dim>32</dim></port>'),
                             y=Y.replace('16', '16'), extra='''		<layer id="5" name="second" type="AvgPool" version="opset1">
			''' + DATA + '''
			<input>
				<port id="0"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>
			</input>
			<output>
				<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>16</dim><dim>16</dim></port>
			</output>
		</layer>''', edges=(E1, '		<edge from-layer="1" from-port="1" to-layer="5" to-port="0"/>', '		<edge from-layer="5" from-port="1" to-layer="2" to-port="0"/>')))
# A port with a fault of its own repeats, or follows from, another's wrong shape.
case('declared_type_beside_a_repeated_shape', model(p=pool(o='<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>{IR301|32}</dim><dim>32</dim></port>'),
                                                    y=Y0, extra='''		<layer id="5" name="relu" type="ReLU" version="opset1">
			<input>
				<port id="0" precision="{IR302|FP16}"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>
			</input>
			<output>
				<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>
			</output>
		</layer>''', edges=(E1, '		<edge from-layer="1" from-port="1" to-layer="5" to-port="0"/>', '		<edge from-layer="5" from-port="1" to-layer="2" to-port="0"/>')))
case('declared_type_beside_a_shape_that_follows', model(x=X.replace('<dim>32</dim><dim>32</dim>', '<dim>{IR301|64}</dim><dim>64</dim>'),
                                                        p=pool(i=PORT_IN.replace('<dim>32', '<dim>64'), o=PORT_OUT.replace('<dim>16', '<dim>32').replace('"FP32"', '"{IR302|FP16}"')), y=Y0))
case('second_pool_after_fault', model(p=pool(data(kernel='{IR304|64},64')), extra='''		<layer id="5" name="second" type="AvgPool" version="opset1">
			<data kernel="2,2" strides="2,2" pads_begin="0,{IR311|5}" pads_end="0,0" exclude-pad="true"/>
			<input>
				<port id="0"/>
			</input>
			<output>
				<port id="1" precision="FP32"/>
			</output>
		</layer>''', edges=(E1, '		<edge from-layer="1" from-port="1" to-layer="5" to-port="0"/>', '		<edge from-layer="5" from-port="1" to-layer="2" to-port="0"/>')))
case('positions_utf8_and_tabs', model(p=pool('<data	kernel="2,2" strides=\'2,{IR206|2x}\' pads_begin="0,0"\n	pads_end="0,{IR207|-1}" exclude-pad="true"/>',
                                             head='<layer id="1" name="プール é" type="AvgPool" version="opset1"><!-- é --> ', **untyped()), y=Y0))

MARK = re.compile(r'\{(!?)([wn]:)?(e:\d+|IR\d+)(?:\|([^{}]*))?\}')


def place(text):
    line = text.count('\n') + 1
    return line, len(text) - text.rfind('\n')


def render(marked):
    out, at, expected, status = '', 0, [], None
    for m in MARK.finditer(marked):
        out += marked[at:m.start()]
        at = m.end()
        bare, kind, rule, inner = m.groups()
        if rule.startswith('e:'):
            status = int(rule[2:])
            continue
        severity = {'w:': 'warning', 'n:': 'note', None: 'error'}[kind]
        expected.append((severity, '-' if bare else '%d:%d' % place(out), rule))
        out += inner or ''
    out += marked[at:]
    if status is None:
        status = 3 if any(e[0] == 'error' for e in expected) else 0
    return out, expected, status


def write(path, content):
    content = content.encode() if isinstance(content, str) else content
    if os.path.exists(path) and open(path, 'rb').read() == content:
        return
    print(('changes ' if os.path.exists(path) else 'makes ') + os.path.basename(path))
    open(path, 'wb').write(content)


def main():
    for name, marked in sorted(cases.items()):
        text, expected, status = render(marked)
        lines = sorted(' '.join(e) for e in expected)
        write(os.path.join(HERE, name + '.xml'), text)
        write(os.path.join(HERE, name + '.expected'), '\n'.join(lines + ['exit %d' % status]) + '\n')
        if name in bins:
            write(os.path.join(HERE, name + '.bin'), bins[name])
    known = {n + s for n in cases for s in ('.xml', '.expected', '.bin', '.stderr')} | {'MAKE.py', 'run.sh'}
    for stray in sorted(set(os.listdir(HERE)) - known):
        print('stray file:', stray)


main()
