"""Makes models with faults in reductions and their axes."""
from cases.case import case
from cases.parts import ADAPTIVE_EDGES, E1, X, Y0, const, edge, i64_bytes, model, x_layer


def reduce_model(op, axes, c=None, d='<data keep_dims="true"/>', x=X, o='<port id="2" precision="FP32"/>', i='<port id="0"/>', port='<port'):
    """Returns a model of a reduction whose axes are an i64 Const of `axes` items, or the layer `c`."""
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


case('IR315_outside', reduce_model('ReduceMean', 3, port='{IR315|<port}'), i64_bytes(2, 4, -5))
case('IR315_twice', reduce_model('ReduceMax', 2, port='{IR315|<port}'), i64_bytes(1, -3))
case('IR303_axes', reduce_model('ReduceMax', 2, c=const('element_type="i64" shape="1,2" offset="0" size="16"', '<port id="0" precision="I64"/>'), port='{IR303|<port}'), i64_bytes(2, 3))
case('IR306_axes', reduce_model('ReduceMean', 2, c=const('element_type="f32" shape="2" offset="0" size="8"', '<port id="0" precision="FP32"/>'), port='{IR306|<port}'), bytes(8))
case('IR306_reduce_boolean', reduce_model('ReduceMax', 2, x=x_layer('shape="2,3,4" element_type="boolean"', '<port id="0" precision="BOOL"/>'), i='{IR306|<port} id="0"/>', o='<port id="2" precision="BOOL"/>'), i64_bytes(1, 2))
case('IR207_keep_dims', reduce_model('ReduceMean', 2, d='<data keep_dims="{IR207|yes}"/>'), i64_bytes(2, 3))
case('IR211_keep_dim', reduce_model('ReduceMean', 2, d='<data {IR211|keep_dim}="true"/>'), i64_bytes(2, 3))
case('IR301_reduce', reduce_model('ReduceMean', 2, d='', o='{IR301|<port} id="2" precision="FP32"><dim>1</dim><dim>3</dim><dim>1</dim><dim>1</dim></port>'), i64_bytes(2, 3))
case('IR305_reduce', reduce_model('ReduceMax', 1, x=x_layer('shape="2,0,4" element_type="f32"')).replace('<layer id="1"', '{w:IR305|<layer} id="1"'), i64_bytes(1))
case('IR315_more_axes_than_dims', model(x=x_layer('shape="4,4" element_type="f32"'),
                                        p='''		<layer id="1" name="mean" type="ReduceMean" version="opset1">
			<input>
				<port id="0"/>
				{IR315|<port} id="1"/>
			</input>
			<output>
				<port id="2" precision="FP32"/>
			</output>
		</layer>''', y=Y0, extra=x_layer('shape="3" element_type="i64"', '<port id="0" precision="I64"/>').replace('id="0" name="x"', 'id="3" name="axes"'),
                                        edges=(E1, edge(3, 0, 1, 1), edge(1, 2, 2, 0))))
