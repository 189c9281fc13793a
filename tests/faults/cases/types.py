"""Makes models with faults in types: types without kernels, and different types of inputs that must be equal."""
from cases.case import case
from cases.parts import floats, math_model


def of(kind, shape='2', tag='<port'):
    return kind, shape, None, tag


ERROR, NOTE = '{IR306|<port}', '{n:IR306|<port}'
case('IR306_sum_of_strings', math_model('Add', [of('string', tag=ERROR), of('string', tag=ERROR)]))
case('IR306_sum_of_nf4', math_model('Add', [of('nf4', tag=ERROR), of('nf4', tag=ERROR)]))
case('IR306_sum_of_small_types', math_model('Add', [of('f8e4m3', tag=ERROR), of('u4')]))
case('IR306_gelu_of_small_types', math_model('Gelu', [of('i4', tag=ERROR)], opset='opset2'))
case('IR306_boxes_of_small_floats', math_model('MatrixNms', [of('f8e5m2', '1,9,4', ERROR), of('f8e5m2', '1,2,9', ERROR)], opset='opset8'))
case('IR306_concat_of_strings', math_model('Concat', [of('string', tag=NOTE), of('string')], 'axis="0"'))
case('IR306_gather_of_strings', math_model('Gather', [of('string'), of('i64'), of('i64', '')], opset='opset8'))
case('IR306_indices_of_nf4', math_model('Gather', [floats('2'), of('nf4', tag=NOTE), of('i64', '')], opset='opset8'))
case('IR306_pads_of_two_types', math_model('Pad', [floats('2'), of('i64', '1'), of('i32', '1', NOTE)], 'pad_mode="edge"'))
case('IR306_one_hot_of_two_types', math_model('OneHot', [of('i64'), of('i64', ''), floats(''), of('i32', '', ERROR)], 'axis="-1"'))
