"""Finds the places of the sources that can be changed, and embeds changes into a copy, each chosen at run time."""
import collections
import dataclasses
import hashlib
import re
import zlib

import tree_sitter
import tree_sitter_c

FOLDERS = "ops exec program runtime/infer runtime/run diag parser graph".split()
OTHER_OPERATOR = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+",
                  "&&": "||", "||": "&&", "+=": "-=", "-=": "+="}
CONDITIONS = ("if_statement", "while_statement", "do_statement", "for_statement", "conditional_expression")
# Left out: constants of the compiler, and designated initializers, most of which are rows of tables.
CONSTANT_NODES = ("case_statement", "array_declarator", "enumerator", "bitfield_clause", "sizeof_expression",
                  "alignof_expression", "preproc_def", "preproc_function_def", "preproc_call", "attribute_specifier",
                  "initializer_pair", "struct_specifier", "union_specifier", "type_descriptor")


@dataclasses.dataclass
class Mutant:
    file: str      # below the root
    function: str
    line: int
    last_line: int
    kind: str
    start: int     # the bytes that are replaced
    end: int
    old: str
    new: str
    text: str      # the line
    nth: int = 1   # among those of the function that look the same

    def key(self):
        nth = f" #{self.nth}" if self.nth > 1 else ""
        return f"{self.file} {self.function}{nth}: {self.text} | {one_line(self.old)} -> {one_line(self.new)}"


def one_line(text):
    return re.sub(r"\s+", " ", text.strip())


def find(root):
    """All mutants of the folders."""
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_c.language()))
    mutants = []
    for folder in FOLDERS:
        for path in sorted((root / "src" / folder).rglob("*")):
            if path.suffix in (".c", ".h", ".inc"):
                data = path.read_bytes()
                file = str(path.relative_to(root))
                mutants += find_in_file(file, data, parser.parse(data).root_node)
    count = collections.Counter()
    for mutant in mutants:
        count[mutant.key()] += 1
        mutant.nth = count[mutant.key()]
    return mutants


def find_in_file(file, data, root):
    lines = data.decode().split("\n")
    found = []
    stack = [(root, None)]
    while stack:
        node, function = stack.pop()
        if node.type == "function_definition":
            function = function_name(node)
        elif node.type == "ERROR" or node.type in CONSTANT_NODES or is_static(node) or is_assertion(node):
            if node.type != "case_statement":
                continue
        if function:
            for kind, new in changes(node):
                line = node.start_point[0]
                found.append(Mutant(file, function, line + 1, node.end_point[0] + 1, kind, node.start_byte,
                                    node.end_byte, node.text.decode(), new, one_line(lines[line])))
        skip = node.child_by_field_name("value") if node.type == "case_statement" else None
        stack += [(child, function) for child in reversed(node.children) if child != skip]
    return found


def function_name(node):
    while node is not None and node.type != "identifier":
        node = node.child_by_field_name("declarator") or next(
            (child for child in node.children if child.type == "identifier"), None)
    return node.text.decode() if node is not None else "?"


def is_static(node):
    return node.type == "declaration" and any(child.type == "storage_class_specifier" for child in node.children)


def is_assertion(node):
    """The build of the tests leaves assertions out."""
    return node.type == "expression_statement" and node.text.startswith(b"assert(")


def changes(node):
    """The kinds and new texts of the node's changes."""
    text = node.text.decode()
    if node.has_error:
        return
    if node.type in ("binary_expression", "assignment_expression"):
        operator = node.child_by_field_name("operator").type
        if operator in OTHER_OPERATOR:
            yield operator, f"{operand(node, 'left')} {OTHER_OPERATOR[operator]} {operand(node, 'right')}"
    if node.type == "expression_statement" and droppable(node):
        yield "drop", ";"
    if is_condition(node):
        yield "not", f"!({text})"
    if node.type == "number_literal" and re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)[uUlL]*", text) and not only_zero(node):
        step = 1 if int(text.rstrip("uUlL"), 0) == 0 or zlib.crc32(node.parent.text) % 2 else -1
        yield "constant", f"{text} {'+' if step > 0 else '-'} 1"


def operand(node, side):
    node = node.child_by_field_name(side)
    return f"({node.text.decode()})" if node.type == "binary_expression" else node.text.decode()


def droppable(node):
    text = node.text.decode()
    return text != ";" and not re.match(r"\(void\)\s*\w+;|_Static_assert|static_assert", text)


def is_condition(node):
    parent = node.parent
    if parent.type == "parenthesized_expression" and parent.parent.type in CONDITIONS:
        return parent.parent.child_by_field_name("condition") == parent and node.is_named
    return parent.type in CONDITIONS and parent.child_by_field_name("condition") == node \
        and node.type != "parenthesized_expression"


def only_zero(node):
    """{0} clears the whole of a variable."""
    return node.text == b"0" and node.parent.type == "initializer_list" and node.parent.named_child_count == 1


def draw(mutants, count, seed):
    """Mutants in an order that looks random; the first ones are used, the others replace those that cannot be compiled.
    The order is that of hashes, so that a change of the sources changes few of the drawn mutants."""
    mutants = sorted(mutants, key=lambda mutant: hashlib.sha256(f"{seed} {mutant.key()}".encode()).digest())
    return mutants[:count], mutants[count:]


def embed(data, mutants):
    """The text of a file with its mutants, a list of (number, mutant)."""
    return embed_range(data, 0, len(data), sorted(mutants, key=lambda pair: (pair[1].start, -pair[1].end)))


def embed_range(data, start, end, mutants):
    text = ""
    while mutants:
        number, mutant = mutants[0]
        inner = [pair for pair in mutants[1:] if pair[1].start < mutant.end]
        mutants = mutants[1 + len(inner):]
        old = embed_range(data, mutant.start, mutant.end, inner)
        text += data[start:mutant.start].decode()
        on = f"ir_mutant_on({number})"
        if mutant.kind == "drop":
            text += f"{{ if (!{on}) {{ {old} }} }}"
        else:
            new = re.sub(r"\s*\n\s*", " ", mutant.new)  # so that lines keep their numbers
            text += f"({on} ? ({new}) : ({old}))"
        start = mutant.end
    return text + data[start:end].decode()
