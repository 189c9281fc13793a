"""Makes models of IR versions 2 to 7 with faults: blobs, layer types, attributes, edges, port maps and <pre-process>."""
from cases.case import case

DIMS = '<dim>1</dim><dim>3</dim><dim>4</dim><dim>4</dim>'
CONV = '<data kernel="3,3" strides="1,1" pads_begin="1,1" pads_end="1,1" output="2" group="1"/>'
BLOBS = '<blobs><weights offset="0" size="216"/><biases offset="216" size="8"/></blobs>'
OUT = '<dim>1</dim><dim>2</dim><dim>4</dim><dim>4</dim>'


def old(data=CONV, kind='Convolution', blobs=BLOBS, out=OUT, net='version="6"', edge='to-layer="1" to-port="0"',
        layer='precision="FP32"', tail=''):
    return f'''<?xml version="1.0"?>
<net name="old" {net} batch="1">
	<layers>
		<layer id="0" name="x" type="Input" precision="FP32">
			<output>
				<port id="0">{DIMS}</port>
			</output>
		</layer>
		<layer id="1" name="y" type="{kind}" {layer}>
			{data}
			<input>
				<port id="0">{DIMS}</port>
			</input>
			<output>
				<port id="1">{out}</port>
			</output>
			{blobs}
		</layer>
	</layers>
	<edges>
		<edge from-layer="0" from-port="0" {edge}/>
	</edges>{tail}
</net>
'''


BIN = bytes(224)
case('IR301_old_dims', old(out='<dim>1</dim><dim>2</dim><dim>4</dim>{IR301|<dim>5</dim>}').replace('{IR301|<dim>5</dim>}', '<dim>{IR301|5}</dim>'), BIN)
case('IR403_old_weights', old(blobs='<blobs><weights offset="0" size="{IR403|108}"/><biases offset="216" size="8"/></blobs>'), BIN)
case('IR201_old_type', old(kind='{IR201|Convolutio}'), BIN)
case('IR204_old_output', old(data='{IR204|<data kernel="3,3" pads_begin="1,1" pads_end="1,1"/>}'), BIN)
case('IR207_old_stride', old(data='<data kernel="3,3" strides="{IR207|0},1" pads_begin="1,1" pads_end="1,1" output="2"/>'), BIN)
case('IR206_old_precision', old(layer='precision="{IR206|FP33}"'), BIN)
case('IR103_old_edge', old(edge='to-layer="{IR103|7}" to-port="0"'), BIN)
case('IR210_old_no_weights', old(kind='{IR210|Convolution}', blobs='{e:4}'), b'')
case('IR205_old_blob', old(blobs='<blobs><weights offset="0" size="216" {w:IR205|name}="w"/><biases offset="216" size="8"/></blobs>'), BIN)
case('IR217_old_preprocess', old(net='version="3"', tail='\n	{w:IR217|<pre-process>}<channel id="0"><mean value="1"/></channel></pre-process>'), BIN)
case('IR218_old_statistics', old(net='version="5"', tail='\n	{n:IR218|<statistics>}<layer/></statistics>'), BIN)
case('IR003_old_version', old(net='version="{IR003|1}"'), BIN)
