"""Makes models with faults in ops that normalize or quantize."""
from cases.case import case
from cases.convolutions import layer_model
from cases.parts import floats

X = floats('2,6,4')
case('IR207_soft_max', *layer_model('SoftMax', [X], 'axis="{IR207|3}"'))
case('IR315_mvn', *layer_model('MVN', [X], 'eps="1e-5" eps_mode="INSIDE_SQRT" normalize_variance="true"', 6, listed=([1, 3], '2', '{IR315|<port}')))
case('IR207_mvn_2', *layer_model('MVN', [X], 'eps="1e-5" reduction_axes="{IR207|1,3}" normalize_variance="true"', 2))
case('IR322_batch_norm', *layer_model('BatchNormInference', [X, floats('6'), floats('4', '{IR322|4}'), floats('6'), floats('6')], 'epsilon="1e-5"', 5))
case('IR322_group_norm', *layer_model('GroupNormalization', [X, floats('6'), floats('6')], 'num_groups="{IR322|4}" epsilon="1e-5"', 12))
case('IR316_fake_quantize', *layer_model('FakeQuantize', [X, floats('6,1'), floats('6', tag='{IR316|<port}'), floats(''), floats('')], 'levels="256"'))
case('IR322_fake_convert', *layer_model('FakeConvert', [X, floats('6,1'), floats('1', tag='{IR322|<port}')], 'destination_type="f8e4m3"', 13))
