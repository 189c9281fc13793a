"""Makes models with faults in nGraph's JSON after which the check of the model cannot continue."""
from cases.case import case

X = '{"name": "X", "op": "Parameter", "outputs": ["X_0"], "element_type": "float", "shape": [1, 1, 4, 4]}'
P = '''{"name": "P", "op": "AvgPool", "inputs": ["X"], "outputs": ["P_0"],
   "window_shape": [2, 2], "window_movement_strides": [2, 2], "padding_below": [0, 0], "padding_above": [0, 0],
   "include_padding_in_avg_computation": false}'''
R = '{"name": "R", "op": "Result", "inputs": ["P"], "outputs": ["R_0"]}'


def function(name='"name": "tiny"', parameters='"parameters": ["X"]', result='"result": ["R"]', x=X, p=P, r=R, extra=''):
    ops = '"ops": [\n  %s\n]' % ',\n  '.join(t for t in (x, p, r, extra) if t)
    return '{%s}' % ', '.join(t for t in (name, parameters, result, ops) if t)


def model(**changes):
    return '[%s]\n' % function(**changes)


case('IR010_json_comma_behind_the_last', model(x=X.replace('4, 4]', '4, 4, {IR010|]}')))
case('IR010_json_comma_missing', model(p=P.replace('"P", "op"', '"P" {IR010|"}op"')))
case('IR010_json_single_quotes', model(r=R.replace('"Result"', "{IR010|'Result'}")))
case('IR010_json_python_words', model(p=P.replace('false', '{IR010|False}')))
case('IR010_json_not_a_number', model(p=P.replace('[0, 0]', '[{IR010|NaN}, 0]', 1)))
case('IR010_json_comment', model(x='{IR010|//} the input\n  ' + X))
case('IR010_json_control_character', model(x=X.replace('X_0', 'X{IR010|\\u0007}')))
case('IR010_json_half_a_character', model(x=X.replace('X_0', 'X{IR010|\\ud83d}')))
case('IR010_json_line_in_string', model(x=X.replace('"X_0"]', '"X_0{IR010|\n}]')))
case('IR010_json_truncated', model()[:150] + '{IR010|}\n')
case('IR010_json_truncated_in_string', model().split('float')[0] + 'flo{IR010|}')
case('IR010_json_wrong_bracket', model(x=X.replace('["X_0"]', '["X_0"{IR010|)}')))
case('IR010_json_more_behind', model() + '{IR010|[}]\n')
case('IR004_json_nested', model(extra='[' * 253 + '{IR004|[}{e:6}'))
case('IR004_json_long_number', model(x=X.replace('4, 4]', '4, {IR004|%s}]{e:6}' % ('4' * 64))))
case('IR012_json_no_array', '{IR012|}' + function() + '\n')
case('IR204_json_function_without_lists', model(parameters='', result='').replace('[', '[{IR204|}{IR204|}', 1))
case('IR012_json_lists_of_wrong_kind', model(parameters='"parameters": {IR012|"X"}', result='"result": {IR012|true}'))
