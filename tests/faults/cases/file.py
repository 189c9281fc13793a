"""Makes models with faults in the file: XML, version, encoding, misplaced elements."""
from cases.case import case
from cases.parts import DATA, HEAD, SIZES, Y, adaptive_model, model, pool

case('IR001_mismatched_tag', model(y=Y.replace('</input>', '{IR001|</inputs>}')))
case('IR001_truncated', model().split('<edges>')[0] + '<edges>{IR001|}\n')
case('IR001_attribute_twice', model(p=pool('<data kernel="2,2" {IR001|kernel}="2,2"/>')))
case('IR001_second_root', model(tail='</net>\n{IR001|<}net/>'))
case('IR003_version_9', model(net='<net name="m" version="{IR003|9}">'))
case('IR003_version_12', model(net='<net name="m" version="{IR003|12}">'))
case('IR005_doctype', model(head=HEAD + '\n{IR005|<!DOCTYPE} net [<!ENTITY a "b">]>'))
case('IR005_entity', model(p=pool(head='<layer id="1" name="{IR005|&unknown;}" type="AvgPool" version="opset1">')))
case('IR006_latin1', model(head='<?xml version="1.0" encoding="{IR006|ISO-8859-1}"?>'))
case('IR007_input_repeated', adaptive_model(blocks='''			<input>
				<port id="0"/>
			</input>
			{IR007|<input>}
				<port id="1"/>
			</input>'''), SIZES)
case('IR007_data_repeated', model(p=pool(DATA + '\n			{IR007|<data} kernel="3,3"/>')))
case('IR007_layers_repeated', model(tail='	{IR007|<layers}/>\n</net>'))
case('IR007_edges_repeated', model(tail='	{IR007|<edges}/>\n</net>'))
case('IR008_unknown_child', model(p=pool(DATA + '\n			{w:IR008|<bogus}/>')))
case('IR008_wrong_case', model(p=pool(DATA + '\n			{IR008|<Data} kernel="3,3"/>')))
case('IR008_wrong_case_first', model(p=pool('{IR008|<Data}/>\n			' + DATA)))
case('IR008_nested_net', model(tail='	{w:IR008|<net} name="inner" version="11"/>\n</net>'))
case('IR009_version_10', model(net='<net name="m" version="10">'))
