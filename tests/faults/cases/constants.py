"""Makes models with faults in constants and the .bin."""
from cases.case import case
from cases.parts import SIZES, adaptive_model, const

case('IR401_missing', adaptive_model(c=const('element_type="i64" shape="2" offset="{!w:IR401}0" size="16"')))
case('IR402_outside', adaptive_model(c=const('element_type="i64" shape="2" offset="{IR402|8}" size="16"')), SIZES)
case('IR402_wrapping', adaptive_model(c=const('element_type="i64" shape="2" offset="{IR402|9223372036854775800}" size="16"')), SIZES)
case('IR403_small', adaptive_model(c=const('element_type="i64" shape="2" offset="0" size="{IR403|8}"')), SIZES)
case('IR403_surplus', adaptive_model(c=const('element_type="i64" shape="2" offset="0" size="{IR403|24}"')), SIZES + bytes(8))
case('IR308_const', adaptive_model(c=const('element_type="i64" shape="{IR308|4294967296,4294967296}" offset="0" size="8"', '<port id="0" precision="I64"/>'), blocks='''			<input>
				<port id="0"/>
				<port id="1"/>
			</input>'''), SIZES)
case('IR404_misaligned', adaptive_model(c=const('element_type="i64" shape="2" offset="3" size="16"')), bytes(3) + SIZES)
case('IR405_unused', adaptive_model() + '<!-- {!n:IR405} -->\n', SIZES + bytes(5))
