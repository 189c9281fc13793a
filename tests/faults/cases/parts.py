"""Pieces of models: the layers around a 2x2 pool, and elementwise ops of any inputs."""
import re

HEAD = '<?xml version="1.0"?>'
NET = '<net name="m" version="11">'
X = '''		<layer id="0" name="x" type="Parameter" version="opset1">
			<data shape="1,3,32,32" element_type="f32"/>
			<output>
				<port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>
			</output>
		</layer>'''
DATA = '<data kernel="2,2" strides="2,2" pads_begin="0,0" pads_end="0,0" exclude-pad="true"/>'
PORT_IN = '<port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>'
PORT_OUT = '<port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>16</dim><dim>16</dim></port>'


def edge(from_layer, from_port, to_layer, to_port):
    return f'		<edge from-layer="{from_layer}" from-port="{from_port}" to-layer="{to_layer}" to-port="{to_port}"/>'


def pool(data=DATA, i=PORT_IN, o=PORT_OUT, head='<layer id="1" name="pool" type="AvgPool" version="opset1">'):
    return f'''		{head}
			{data}
			<input>
				{i}
			</input>
			<output>
				{o}
			</output>
		</layer>'''


Y = '''		<layer id="2" name="y" type="Result" version="opset1">
			<input>
				<port id="0"><dim>1</dim><dim>3</dim><dim>16</dim><dim>16</dim></port>
			</input>
		</layer>'''
E1 = edge(0, 0, 1, 0)
E2 = edge(1, 1, 2, 0)


def model(x=X, p=None, y=Y, edges=(E1, E2), extra='', net=NET, head=HEAD, tail='</net>', before=''):
    layers = '\n'.join(t for t in (x, p if p is not None else pool(), y, extra) if t)
    return '\n'.join([head, net + before, '	<layers>', layers, '	</layers>', '	<edges>', *edges, '	</edges>', tail, ''])


def data(**changes):
    """Returns the pool's <data>, with attributes changed, added or, if None, left out."""
    attrs = {'kernel': '2,2', 'strides': '2,2', 'pads_begin': '0,0', 'pads_end': '0,0', 'exclude-pad': 'true'}
    for name, value in changes.items():
        attrs[name.replace('__', '-')] = value
    text = ' '.join(f'{n}="{v}"' for n, v in attrs.items() if v is not None)
    return f'<data {text}/>'


def source(layer, attrs, port):
    """Returns a layer without inputs."""
    return f'''		<layer {layer} version="opset1">
			<data {attrs}/>
			<output>
				{port}
			</output>
		</layer>'''


def x_layer(attrs='shape="1,3,32,32" element_type="f32"', port='<port id="0" precision="FP32"/>'):
    return source('id="0" name="x" type="Parameter"', attrs, port)


def untyped(i='<port id="0"/>', o='<port id="1" precision="FP32"/>'):
    """Returns ports that declare nothing, so that only the fault of the case is reported."""
    return {'i': i, 'o': o}


Y0 = '''		<layer id="2" name="y" type="Result" version="opset1">
			<input>
				<port id="0"/>
			</input>
		</layer>'''


def const(attrs='element_type="i64" shape="2" offset="0" size="16"', port='<port id="0" precision="I64"><dim>2</dim></port>'):
    return source('id="3" name="size" type="Const"', attrs, port)


ADAPTIVE_EDGES = (E1, edge(3, 0, 1, 1), edge(1, 2, 2, 0))


def adaptive(blocks='''			<input>
				<port id="0"/>
				<port id="1"/>
			</input>''', head='<layer id="1" name="pool" type="AdaptiveAvgPool" version="opset8">', o='<port id="2" precision="FP32"/>', d=''):
    return f'''		{head}
{d}{blocks}
			<output>
				{o}
			</output>
		</layer>'''


def adaptive_model(c=None, **kw):
    extra = kw.pop('extra', '')
    x = kw.pop('x', X)
    return model(x=x, p=adaptive(**kw), y=Y0, edges=ADAPTIVE_EDGES, extra=(const() if c is None else c) + extra)


def i64_bytes(*items):
    return b''.join(i.to_bytes(8, 'little', signed=True) for i in items)


SIZES = i64_bytes(16, 16)


def dims(text):
    """Returns the <dim> elements of a shape such as "2,3". Open dims become -1, and marks stay."""
    items = [t for t in text.split(',') if t]
    return ''.join(f'<dim>{t if re.fullmatch(r"[0-9]+|{.*}", t) else -1}</dim>' for t in items)


def math_model(op, inputs, attrs=None, o='<port id="2" precision="dynamic"/>', layer='<layer', opset='opset1'):
    """Returns a model of an op fed by Parameters. An input is (type, shape, dims that its port declares or None for the
    shape, tag of the port)."""
    precision = {'f32': 'FP32', 'boolean': 'BOOL'}
    parameters, ports, edges, at = [], [], [], max(2, len(inputs))
    for i, (kind, shape, declared, tag) in enumerate(inputs):
        parameters.append(source(f'id="{i}" name="x{i}" type="Parameter"', f'shape="{shape}" element_type="{kind}"',
                                 f'<port id="0" precision="{precision.get(kind, kind.upper())}">{dims(shape)}</port>'))
        ports.append(f'				{tag} id="{i}" precision="{precision.get(kind, kind.upper())}">{dims(declared or shape)}</port>')
        edges.append(edge(i, 0, at, i))
    blocks = '\n'.join(['			<input>', *ports, '			</input>', '			<output>', '				' + o.replace('id="2"', f'id="{at}"'), '			</output>'])
    body = (f'			<data {attrs}/>\n' if attrs is not None else '') + blocks
    p = f'''		{layer} id="{at}" name="op" type="{op}" version="{opset}">
{body}
		</layer>'''
    return model(x='\n'.join(parameters), p=p, y=Y0.replace('id="2"', f'id="{at + 1}"'),
                 edges=(*edges, edge(at, at, at + 1, 0)))


def floats(shape, declared=None, tag='<port'):
    return 'f32', shape, declared, tag


def declared_output(text):
    return '<port id="2" precision="FP32">' + dims(text) + '</port>'
