"""Makes models with faults in If, Loop and TensorIterator: in port maps, back edges and bodies."""
from cases.case import case
from cases.parts import edge, model, source


def parameter(i, name, shape, kind='f32', precision='FP32'):
    return source(f'id="{i}" name="{name}" type="Parameter"', f'shape="{shape}" element_type="{kind}"',
                  f'<port id="0" precision="{precision}"/>')


def op(i, name, type, inputs, data='', opset=1, wrong=None):
    """Returns the text of an op with one output that declares nothing."""
    ports = [f'<port id="{p}"/>' for p in range(inputs)]
    if wrong is not None:
        ports[-1] = '{' + wrong + '|' + ports[-1] + '}'
    return f'''		<layer id="{i}" name="{name}" type="{type}" version="opset{opset}">{data}
			<input>{''.join(ports)}</input>
			<output><port id="{inputs}" precision="dynamic"/></output>
		</layer>'''


def result(i, name='y'):
    return f'		<layer id="{i}" name="{name}" type="Result" version="opset1"><input><port id="0"/></input></layer>'


def body(layers, edges, name='body'):
    return '\n'.join([f'			<{name}>', '	<layers>', *layers, '	</layers>', '	<edges>', *edges, '	</edges>', f'			</{name}>'])


# Returns a body that adds a slice of x to a running sum. The sum (`kept`) passes from one iteration to the next.
def sums(part='1,1', kept='1,1', wrong=None):
    return body([parameter(0, 'part', part), parameter(1, 'kept', kept), op(2, 'sum', 'Add', 2, wrong=wrong), result(3)],
                [edge(0, 0, 2, 0), edge(1, 0, 2, 1), edge(2, 2, 3, 0)])


LINES = ['<input external_port_id="0" internal_layer_id="0" axis="1"/>', '<input external_port_id="1" internal_layer_id="1"/>',
         '<output external_port_id="2" internal_layer_id="3" axis="1"/>']
BACK = '<back_edges><edge from-layer="3" to-layer="1"/></back_edges>'
PORTS = ['<port id="0"/>', '<port id="1"/>']
OUT = '<port id="2" precision="dynamic"/>'


def port_map(lines, name='port_map', tag=None):
    return '\n'.join([f'			{tag or "<" + name}>', *(f'				{line}' for line in lines), f'			</{name}>'])


def layer(type, opset, maps, bodies, ports=PORTS, out=OUT, tag='<layer', x=None, first=None):
    p = '\n'.join([f'		{tag} id="2" name="each" type="{type}" version="opset{opset}">', maps, f'			<input>{"".join(ports)}</input>',
                   f'			<output>{out}</output>', bodies, '		</layer>'])
    return model(x='\n'.join([x or parameter(0, 'x', '1,3'), first or parameter(1, 'first', '1,1')]), p=p, y=result(3),
                 edges=[edge(0, 0, 2, 0), edge(1, 0, 2, 1), edge(2, 2, 3, 0)])


def iterator(lines=LINES, back=BACK, of=sums(), **changes):
    return layer('TensorIterator', 1, port_map(lines) + back, of, **changes)


def line(i, text):
    return [*LINES[:i], text, *LINES[i + 1:]]


case('IR331_no_body', iterator(of='', tag='{IR331|<layer}'))
case('IR331_no_such_input', iterator(lines=line(1, '<input external_port_id="{IR331|5}" internal_layer_id="1"/>')))
case('IR331_not_a_parameter', iterator(lines=line(1, '<input external_port_id="1" internal_layer_id="{IR331|2}"/>')))
case('IR331_not_in_the_body', iterator(lines=line(2, '<output external_port_id="2" internal_layer_id="{IR331|9}" axis="1"/>')))
case('IR331_input_without_a_line', iterator(lines=[LINES[0], LINES[2]], back='', ports=[PORTS[0], '{IR331|<port id="1"/>}']))
case('IR331_output_without_a_line', iterator(lines=LINES[:2], out='{IR331|<port id="2" precision="dynamic"/>}'))
case('IR331_two_lines_for_a_parameter', iterator(lines=[*LINES, '{IR331|<input external_port_id="1" internal_layer_id="1"/>}']))
case('IR331_back_to_a_part', iterator(back='<back_edges>{IR331|<edge from-layer="3" to-layer="0"/>}</back_edges>'))
case('IR331_back_from_a_parameter', iterator(back='<back_edges><edge from-layer="{IR331|0}" to-layer="1"/></back_edges>'))
case('IR204_line_without_a_layer', iterator(lines=line(1, '{IR204|<input external_port_id="1"/>}')))
case('IR211_misspelt_in_a_line', iterator(lines=line(1, '<input external_port_id="1" internal_layer_id="1" {IR211|axes}="0"/>')))
case('IR315_axis_of_a_line', iterator(lines=line(0, '<input external_port_id="0" internal_layer_id="0" axis="{IR315|2}"/>')))
case('IR315_axis_of_the_first_line', iterator(lines=['<input external_port_id="0" internal_layer_id="0" axis="{IR315|2}"/>', '<input external_port_id="1" internal_layer_id="1" axis="1"/>', LINES[2]], back=''))
case('IR315_axis_of_the_second_line', iterator(lines=line(1, '<input external_port_id="1" internal_layer_id="1" axis="{IR315|2}"/>'), back=''))
case('IR316_in_a_body', iterator(first=parameter(1, 'first', '2,7'), of=sums(part='5,1', kept='2,7', wrong='IR316'),
                                 x=parameter(0, 'x', '5,3')))
case('IR301_parameter_of_a_body', iterator(of=sums(kept='{w:IR301|4,1}')))
case('IR306_parameter_of_a_body', iterator(of=body(
    [parameter(0, 'part', '1,1'), source('id="1" name="kept" type="Parameter"', 'shape="1,1" element_type="{IR306|i32}"',
                                         '<port id="0" precision="I32"/>'), result(3)], [edge(0, 0, 3, 0)])))
case('IR322_part_size', iterator(lines=line(2, '{IR322|<output external_port_id="2" internal_layer_id="3" axis="1" part_size="2"/>}')))

ONE = parameter(0, 'x', '', 'i64', 'I64')
ON = parameter(1, 'first', '1', 'boolean', 'BOOL')
LOOP_LINES = ['<input external_port_id="0" internal_layer_id="0"/>', '<input external_port_id="1" internal_layer_id="1"/>',
              '<output external_port_id="2" internal_layer_id="2"/>']
LOOP = body([parameter(0, 'n', '', 'i64', 'I64'), parameter(1, 'on', '1', 'boolean', 'BOOL'), result(2), result(3, 'again')],
            [edge(0, 0, 2, 0), edge(1, 0, 3, 0)])


def loop(lines, tag=None, of=LOOP, **changes):
    return layer('Loop', 5, port_map(lines, tag=tag), of, **{'x': ONE, 'first': ON, **changes})


AGAIN = '<output external_port_id="-1" internal_layer_id="3" purpose="execution_condition"/>'
case('IR331_loop_without_a_condition', loop(LOOP_LINES, tag='{IR331|<port_map}'))
case('IR331_purpose_of_an_input', loop([*LOOP_LINES[:2], LOOP_LINES[2], AGAIN, '<input external_port_id="-1" internal_layer_id="4" '
                                        'purpose="{IR331|execution_condition}"/>'],
                                       of=LOOP.replace('</layers>', parameter(4, 'i', '', 'i64', 'I64') + '</layers>', 1)))
case('IR303_condition_of_a_loop', loop([*LOOP_LINES, AGAIN], first=parameter(1, 'first', '1,1', 'boolean', 'BOOL'),
                                       of=LOOP.replace('shape="1"', 'shape="1,1"'), ports=[PORTS[0], '{IR303|<port id="1"/>}']))

GIVE = {'then': body([parameter(0, 'a', '1,1'), result(1)], [edge(0, 0, 1, 0)], 'then_body'),
        'else': body([parameter(0, 'b', '1,1'), op(1, 'to', 'Convert', 1, '<data destination_type="i32"/>'), result(2)],
                     [edge(0, 0, 1, 0), edge(1, 1, 2, 0)], 'else_body')}
CHOICE = parameter(0, 'x', '', 'boolean', 'BOOL')
GET = '<input external_port_id="1" internal_layer_id="0"/>'
case('IR306_if_of_two_types', layer(
    'If', 8, port_map([GET, '<output external_port_id="2" internal_layer_id="1"/>'], 'then_port_map') +
    port_map([GET, '{IR306|<output external_port_id="2" internal_layer_id="2"/>}'], 'else_port_map'), GIVE['then'] + GIVE['else'], x=CHOICE))
case('IR331_if_without_else', layer(
    'If', 8, port_map([GET, '<output external_port_id="2" internal_layer_id="1"/>'], 'then_port_map') +
    port_map([GET, '<output external_port_id="2" internal_layer_id="2"/>'], 'else_port_map'), GIVE['then'], x=CHOICE, tag='{IR331|<layer}'))
# A TensorIterator in the body of a TensorIterator, with a fault in the inner body.
INNER = layer('TensorIterator', 1, port_map(LINES), sums(part='5,1', kept='4,3', wrong='IR316'))
case('IR316_in_a_body_of_a_body', iterator(back='', first=parameter(1, 'first', '4,3'), x=parameter(0, 'x', '5,3'), of=body(
    [parameter(0, 'part', '5,1'), parameter(1, 'kept', '4,3'), INNER[INNER.index('		<layer id="2"'):INNER.rindex('		<layer id="3" name="y"')],
     result(3)], [edge(0, 0, 2, 0), edge(1, 0, 2, 1), edge(2, 2, 3, 0)])))
