"""Makes models with faults in declared and inferred shapes and types."""
from cases.case import case, pool_case
from cases.parts import PORT_OUT, SIZES, X, Y, Y0, adaptive_model, const, data, i64_bytes, model, pool, untyped, x_layer

case('IR301_output', model(p=pool(o='<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>{IR301|32}</dim><dim>32</dim></port>'),
                           y=Y.replace('16', '32')))
case('IR301_rank', model(p=pool(o='{IR301|<port} id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>16</dim></port>'), y=Y0))
case('IR301_parameter', model(x=X.replace('<dim>32</dim><dim>32</dim>', '<dim>{IR301|33}</dim><dim>32</dim>')))
case('IR301_input_alone', model(y=Y.replace('<dim>16</dim><dim>16</dim>', '<dim>16</dim><dim>{w:IR301|17}</dim>')))
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
# IR310 notes that ceil_torch drops the last window. This window lies in the padding, so IR305 warns of a window without
# input.
pool_case('IR310_ceil', kernel='{w:IR305|2},2', strides='3,3', pads_end='1,1', rounding_type='{n:IR310|ceil}')
pool_case('IR310_beside_open_sizes', x=x_layer('shape="?,3,32,?" element_type="f32"'), kernel='{w:IR305|2},2', strides='3,3', pads_end='1,1', rounding_type='{n:IR310|ceil}')
pool_case('IR311_begin', pads_begin='{IR311|2},0')
pool_case('IR311_both', pads_begin='{IR311|2},2', pads_end='0,{IR311|3}')
pool_case('IR312_overhang', kernel='3,3', strides='2,2', pads_begin='1,1', pads_end='1,1', exclude__pad='{n:IR312|false}', rounding_type='ceil')
pool_case('IR312_open_batch', x=x_layer('shape="?,3,32,32" element_type="f32"'), kernel='3,3', strides='2,2', pads_begin='1,1', pads_end='1,1', exclude__pad='{n:IR312|false}', rounding_type='ceil')
for name, c, b in (('zero', const(), i64_bytes(0, 0)), ('negative', const(), i64_bytes(-1, -1)),
                   ('length', const('element_type="i64" shape="3" offset="0" size="24"', '<port id="0" precision="I64"/>'), SIZES + SIZES[:8]),
                   ('rank', const('element_type="i64" shape="1,2" offset="0" size="16"', '<port id="0" precision="I64"/>'), SIZES),
                   ('float', const('element_type="f32" shape="2" offset="0" size="8"', '<port id="0" precision="FP32"/>'), bytes(8))):
    case('IR313_' + name, adaptive_model(c=c, blocks='''			<input>
				<port id="0"/>
				{IR313|<port} id="1"/>
			</input>'''), b)
