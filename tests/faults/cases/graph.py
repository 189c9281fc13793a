"""Makes models with faults in the graph: layers, ports and edges."""
from cases.case import case
from cases.parts import E1, E2, PORT_OUT, SIZES, X, Y0, adaptive_model, edge, model, pool, untyped, x_layer

case('IR101_same_id', model(extra=pool(head='<layer id="{IR101|1}" name="other" type="AvgPool" version="opset1">', **untyped())))
case('IR103_to_unknown', model(edges=(E1, E2, edge(1, 1, '{IR103|7}', 0))))
case('IR103_instead_of_result', model(edges=(E1, edge(1, 1, '{IR103|7}', 0))))
case('IR103_from_unknown', model(edges=(edge('{IR103|9}', 0, 1, 0), E2)))
case('IR104_from_port', model(edges=(E1, edge(1, '{IR104|5}', 2, 0))))
case('IR104_to_port', model(edges=(edge(0, 0, 1, '{IR104|4}'), E2)))
case('IR104_from_an_input', model(edges=(E1, edge(1, '{IR104|0}', 2, 0))))
case('IR105_not_connected', model(p=pool(i='{IR105|<port} id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>'), edges=(E2,)))
case('IR106_twice', model(edges=(E1, E2, '		{IR106|<edge} from-layer="0" from-port="0" to-layer="1" to-port="0"/>')))
case('IR107_self_loop', model(p=pool(head='{IR107|<layer} id="1" name="pool" type="AvgPool" version="opset1">'),
                              edges=(edge(1, 1, 1, 0), E2)))
case('IR108_no_result', model(net='{w:IR108|<net} name="m" version="11">', y='', edges=(E1,)))
case('IR108_no_layers', '<?xml version="1.0"?>\n{w:IR108|<net} name="m" version="11">\n	<layers/>\n	<edges/>\n</net>\n')
case('IR109_dead', model(extra=pool(head='{w:IR109|<layer} id="5" name="unused" type="AvgPool" version="opset1">', **untyped()),
                         edges=(E1, E2, edge(0, 0, 5, 0))))
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
			</input>''').replace(E1 + '\n', ''), SIZES)
case('IR111_port_twice', model(p=pool(o=PORT_OUT + '\n				<port id="{IR111|1}" precision="FP32"/>')))
case('IR112_tensor_name', model(x=x_layer(port='<port id="0" precision="FP32" names="a"/>'),
                                p=pool(**untyped(o='<port id="1" precision="FP32" names="{w:IR112|b,a}"/>')), y=Y0))
case('IR113_result_feeds', model(edges=(E1, E2, edge('{IR113|2}', 0, 5, 0)),
                                 extra='''		<layer id="5" name="z" type="Result" version="opset1">
			<input>
				<port id="0"/>
			</input>
		</layer>'''))


def cycle_layer(number, tag='<layer', **ports):
    return pool(head=f'{tag} id="{number}" name="c{number}" type="AvgPool" version="opset1">', **untyped(**ports))


def cycle_edge(a, b):
    return edge(a, 1, b, 0)


case('IR107_two_cycles', model(extra='\n'.join([cycle_layer(5, '{IR107|<layer}'), cycle_layer(6), cycle_layer(7, '{IR107|<layer}')]),
                               edges=(E1, E2, cycle_edge(5, 6), cycle_edge(6, 5), cycle_edge(7, 7))))
case('IR113_and_the_right_edge', model(edges=(edge('{IR113|2}', 0, 1, 0), E1, E2)))
case('IR105_beside_a_faulty_edge', model(edges=(E1, E2, '		{IR204|<edge} from-layer="0" from-port="0" to-layer="1"/>'),
                                         extra=cycle_layer(5, i='{IR105|<port} id="0"/>')))
case('IR204_edge_to_nowhere', model(edges=(E1, E2, '		{IR204|<edge} from-layer="0" from-port="0" to-layer="9"/>')))
