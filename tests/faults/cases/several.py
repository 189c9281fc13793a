"""Makes models with several faults: irrun must report k errors for k faults."""
from cases.case import case
from cases.parts import E1, E2, PORT_IN, PORT_OUT, X, Y, Y0, data, edge, model, pool, untyped

SECOND = '<layer id="5" name="second" type="AvgPool" version="opset1">'

case('many_in_one_layer', model(p=pool(data(kernel='64,64', strides='2,{IR207|0}', pads_end='0,{IR206|z}', auto_pad='{IR207|sam_upper}'), **untyped()), y=Y0))
case('many_in_one_file', model(x=X.replace('precision="FP32"', 'precision="{IR302|FP64}"'), p=pool(data(kernel='{IR304|64},64')),
                               extra=pool(data(strides='{IR208|1,1,1}'), head='<layer id="7" name="second" type="AvgPool" version="opset1">', **untyped()) + '''
		<layer id="8" name="z" type="Result" version="opset1">
			<input>
				<port id="0"/>
			</input>
		</layer>''', edges=(E1, E2, edge(0, 0, 7, 0), edge(7, 1, 8, 0), edge('{IR103|77}', 1, 8, 0))))
case('declared_chain', model(p=pool(o='<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>{IR301|32}</dim><dim>32</dim></port>'),
                             y=Y, extra=pool(i=PORT_IN.replace(' precision="FP32"', ''), head=SECOND), edges=(E1, edge(1, 1, 5, 0), edge(5, 1, 2, 0))))
# A port with another fault repeats, or follows from, the wrong shape of another port.
case('declared_type_beside_a_repeated_shape', model(p=pool(o='<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>{IR301|32}</dim><dim>32</dim></port>'),
                                                    y=Y0, extra='''		<layer id="5" name="relu" type="ReLU" version="opset1">
			<input>
				<port id="0" precision="{IR302|FP16}"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>
			</input>
			<output>
				<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>
			</output>
		</layer>''', edges=(E1, edge(1, 1, 5, 0), edge(5, 1, 2, 0))))
case('declared_type_beside_a_shape_that_follows', model(x=X.replace('<dim>32</dim><dim>32</dim>', '<dim>{IR301|64}</dim><dim>64</dim>'),
                                                        p=pool(i=PORT_IN.replace('<dim>32', '<dim>64'), o=PORT_OUT.replace('<dim>16', '<dim>32').replace('"FP32"', '"{IR302|FP16}"')), y=Y0))
case('second_pool_after_fault', model(p=pool(data(kernel='{IR304|64},64')), extra=pool(data(pads_begin='0,{IR311|5}'), head=SECOND, **untyped()),
                                      edges=(E1, edge(1, 1, 5, 0), edge(5, 1, 2, 0))))
# Exceeding a limit is a fault like others and does not end the check.
case('limit_before_a_fault', model(x=X.replace('1,3,32,32', '{IR004|' + '1,' * 16 + '1}'), p=pool(data(strides='2,{IR207|0}'), **untyped()), y=Y0) + '{e:6}')
case('positions_utf8_and_tabs', model(p=pool('<data	kernel="2,2" strides=\'2,{IR206|2x}\' pads_begin="0,0"\n	pads_end="0,{IR207|-1}" exclude-pad="true"/>',
                                             head='<layer id="1" name="プール é" type="AvgPool" version="opset1"><!-- é --> ', **untyped()), y=Y0))
