"""Makes models with faults in ops, opsets and attributes."""
import re

from cases.case import case, pool_case
from cases.parts import E1, SIZES, Y, Y0, adaptive_model, const, data, edge, model, pool, untyped, x_layer

case('IR201_unknown_op', model(p=pool(head='<layer id="1" name="pool" type="{IR201|AvgPol}" version="opset1">')))
case('IR201_result_case', model(y=Y.replace('type="Result"', 'type="{w:IR201|result}"')))
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
case('IR206_id', model(edges=(E1, edge(1, '{IR206|one}', 2, 0))))
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
case('IR210_op_of_an_extension', model(p=pool(head='<layer id="1" name="pool" type="{n:IR210|Warp}" version="myops">')))
case('IR210_pre_process', model(before='\n	{e:4}{IR210|<pre-process} mean-precision="FP32"/>'))
case('IR211_underscore', model(p=pool('<data kernel="2,2" strides="2,2" pads_begin="0,0" pads_end="0,0" {IR211|exclude_pad}="true"/>')))
case('IR211_case', model(p=pool('<data {IR211|Kernel}="2,2" strides="2,2" pads_begin="0,0" pads_end="0,0" exclude-pad="true"/>', **untyped()), y=Y0))
case('IR211_const_value', adaptive_model(c=const('element_type="i64" shape="2" offset="0" size="16" {IR211|value}="12"')), SIZES)
