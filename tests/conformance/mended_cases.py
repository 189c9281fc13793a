"""Draws models whose ports declare everything, damages some declarations, and lets --convert repair them.
The repaired text must equal the original byte for byte. The runtime must then compute the same values as irrun."""

import dataclasses
import re

import numpy as np

import window_cases
from case import Case, Family, Input
from graph_cases import has_empty_window
from oracle import ir

PORT = re.compile(r'<port id="\d+" precision="(\w+)"[^>]*>(.*?)</port>', re.S)
DIM = re.compile(r"(\s*)<dim>\s*(\d+)\s*</dim>")
PRECISIONS = ("FP32", "FP16", "I64", "U8", "BOOL")
DECORATIONS = (
    lambda text: text.replace("\n", "\r\n"),
    lambda text: "\ufeff" + text,
    lambda text: text.replace("<dim>", "\n          <dim>"),
    lambda text: re.sub(r">\s+<", "><", text),
    lambda text: text.replace("</layer>", "<rt_info><attribute name='fused_names' version='0' value='a, b'/></rt_info></layer>"),
    lambda text: text.replace("<edges>", "<!-- <dim>7</dim> --><edges>"),
    lambda text: text.replace("</net>", "<rt_info><Runtime_version value='x'/><a b = '&lt;dim>' /></rt_info></net>"),
    lambda text: text.replace('<dim>1</dim>', "<dim >\t1 </dim\n>"),
    lambda text: text.replace('<dim>2</dim>', "<dim><!-- two --><![CDATA[2]]></dim>"),
)


@dataclasses.dataclass
class MendedCase(Case):
    number: int
    x: Input
    stages: list  # WindowCases in sequence
    text: str  # the undamaged text of the model
    damaged: str
    n_damaged: int  # number of damaged ports

    def parameters(self):
        return [self.x]

    def save(self, folder, seed):
        (folder / "model.xml").write_bytes(self.damaged.encode())
        (folder / "expected.xml").write_bytes(self.text.encode())
        np.save(folder / "x.npy", self.inputs(seed)[0])


def draw_stages(rng, number, x):
    stages = []
    for _ in range(rng.randint(1, 3)):
        for _ in range(20):
            op = rng.choice(("AvgPool", "MaxPool")) if x.element_type in ir.FLOATS else "MaxPool"
            case = window_cases.draw_valid(rng, number, op, x)
            case.results = (0,)
            if agrees_with_runtime(case):
                case.ports = list(case.shape())
                stages.append(case)
                x = dataclasses.replace(x, shape=case.ports)
                break
    return stages


def agrees_with_runtime(case):
    known = any(deviation.applies(case) for deviation in window_cases.DEVIATIONS)
    return case.shape() and not known and not has_empty_window(case)


def build(x, stages):
    model = ir.Model("random", comment="a port's <dim>16</dim>")
    output = x.add(model)
    for i, stage in enumerate(stages):
        output = stage.add(model, output, f"stage <{i}>", stage.reference_data())[0]
    model.result("y", output)
    return model


def damage_port(rng, head, body):
    """Changes the precision or a dim, or adds or removes a dim. Returns the port's text."""
    dims = list(DIM.finditer(body))
    kind = rng.choice(("precision", "dim", "dim", "more", "less")) if len(dims) > 1 else "precision"
    if kind == "precision":
        return re.sub(r'precision="(\w+)"', lambda m: f'precision="{rng.choice([p for p in PRECISIONS if p != m[1]])}"', head) + body
    if kind == "dim":
        dim = rng.choice(dims)
        return head + body[: dim.start(2)] + str(int(dim[2]) + rng.randint(1, 12)) + body[dim.end(2) :]
    last = dims[-1]
    if kind == "more":
        return head + body[: last.end()] + f"{last[1]}<dim>{rng.randint(0, 99)}</dim>" + body[last.end() :]
    return head + body[: last.start()] + body[last.end() :]


def plain(body):
    """Returns whether every dim has the spelling of --convert. Only then can a removed dim be restored byte for
    byte."""
    return len(re.findall("<dim", body)) == len(re.findall(r"<dim>\d+</dim>", body)) and one_blank(body)


def one_blank(body):
    return len({dim[1] for dim in DIM.finditer(body)}) == 1


def damage(rng, text):
    parts, at, n = [], 0, 0
    for port in PORT.finditer(text):
        head, body = text[port.start() : port.start(2)], text[port.start(2) : port.end(2)]
        hit = plain(body) and rng.random() < 0.4
        parts += [text[at : port.start()], damage_port(rng, head, body) if hit else head + body]
        at, n = port.end(2), n + hit
    return "".join([*parts, text[at:]]), n


def draw(rng, number):
    element_type = rng.choice(("f32", "f32", "f16", "i8"))
    shape = [rng.randint(1, 2), rng.randint(2, 3), *(rng.randint(4, 12) for _ in range(rng.choice((1, 2, 2, 3))))]
    x = Input("x", element_type, shape)
    stages = draw_stages(rng, number, x)
    text = build(x, stages).xml()
    for decorate in rng.sample(DECORATIONS, rng.randint(0, 3)):
        text = decorate(text)
    damaged, n = damage(rng, text)
    return MendedCase(number, x, stages, text, damaged, n)


def judge(_family, case, program, reference, args, tally, difference):
    case.save(program.folder, args.seed)
    (program.folder / "model.bin").unlink(missing_ok=True)
    done = program.run("--convert", "out.xml", "model.xml")
    written = (program.folder / "out.xml").read_bytes()
    if done.returncode != 0 or written != case.text.encode():
        raise AssertionError(f"--convert: status {done.returncode}, not what it was: {done.stdout} {done.stderr.decode()}")
    counted = re.search(rb"written, (\d+) port", done.stdout)
    if int(counted[1] if counted else 0) != case.n_damaged:
        raise AssertionError(f"{case.n_damaged} ports were damaged: {done.stdout}")
    tally["mended ports"] += case.n_damaged
    mine = program.ask("out.xml", ["x"], ["y"])
    what, text = difference(mine, reference.run(case.text.removeprefix("\ufeff"), b"", case.inputs(args.seed)), False)
    return ("agree" if what is None else "unexplained"), text


FAMILY = Family("mended", 6, draw, [], judge)
