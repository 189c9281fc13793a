"""Makes models with faults in ops on images, and in products of more than two matrices."""
from cases.case import case
from cases.convolutions import layer_model
from cases.parts import floats

X = floats('1,3,8,8')
SIZES = 'mode="nearest" shape_calculation_mode="sizes"'
case('IR322_interpolate_count', *layer_model('Interpolate', [X], SIZES, 11, listed=([16, 16], '{IR322|2}', '<port')))
case('IR322_interpolate_size', *layer_model('Interpolate', [X], 'axes="2,3" mode="nearest"', listed=([16, -1], '2', '{IR322|<port}')))
case('IR306_interpolate', *layer_model('Interpolate', [X, floats('4', tag='{IR306|<port}')], SIZES, 11))
case('IR315_interpolate', *layer_model('Interpolate', [X, floats('2')], SIZES.replace('sizes', 'scales'), 11, listed=([2, -1], '2', '{IR315|<port}')))
case('IR322_grid_sample', *layer_model('GridSample', [X, floats('1,5,5,3', '1,5,5,{IR322|3}')], opset=9))
case('IR322_nv12', *layer_model('NV12toRGB', [floats('1,13,8,1', '1,{IR322|13},8,1')], opset=8))
case('IR207_einsum', *layer_model('Einsum', [floats('2,3'), floats('3,4')], 'equation="{IR207|ab,bc->ad}"', 7))
case('IR322_einsum', *layer_model('Einsum', [floats('2,3'), floats('4,5', '{IR322|4},5')], 'equation="ab,bc->ac"', 7))
case('IR322_attention', *layer_model('ScaledDotProductAttention', [X, floats('1,3,9,8'), floats('1,3,7,6', '1,3,{IR322|7},6')], 'causal="false"', 13))
case('IR322_inverse', *layer_model('Inverse', [floats('2,3,4', '2,3,{IR322|4}')], opset=14))
