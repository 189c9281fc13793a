"""Tests what users of other runtimes expect: calls by position, number and name, results, repr, pictures, hints."""

import pickle
import re
import shutil
from pathlib import Path

import irrun
import numpy as np
import pytest
from test_module import POOL, X, Y, model_of

TARGET = np.array([2, 3], np.int64)
SIX = np.arange(6, dtype=np.float32)


def test_inputs_by_position_number_and_name() -> None:
    pool, reshape = irrun.load(POOL), irrun.load(model_of("f32", "?", "Reshape"))
    session = pool.session()
    for y in (pool(X), pool([X]), pool((X,)), pool(x=X), pool({"x": X}), pool({0: X}), pool({pool.inputs[0]: X}),
              pool.run(X), pool.run([X]), session(X), session(x=X), session.run([X])):  # fmt: skip
        np.testing.assert_array_equal(y["y"], Y)
    for result in (reshape(SIX, TARGET), reshape([SIX, TARGET]), reshape(SIX, target=TARGET), reshape({1: TARGET, "x": SIX}),
                   reshape(target=TARGET, x=SIX), *reshape.run_many([[SIX, TARGET], (SIX, TARGET)])):  # fmt: skip
        np.testing.assert_array_equal(result["y"], SIX.reshape(2, 3))
    assert reshape.run(SIX, ["same"])["same"].shape == (6,)  # what an output does not need can be left out


def test_inputs_that_do_not_fit() -> None:
    pool, reshape = irrun.load(POOL), irrun.load(model_of("f32", "?", "Reshape"))
    with pytest.raises(ValueError, match="the model has 1, got 2 by position; a list has an array for each input"):
        pool([[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="the model has 1, got 2 by position"):
        pool(X, X)
    with pytest.raises(IndexError, match="the model has no input 2; it has 2, numbered from 0"):
        reshape({2: SIX})
    with pytest.raises(ValueError, match="name one input"):
        reshape(SIX, x=SIX)
    with pytest.raises(TypeError, match=r"by its name, its number or one of model.inputs, not by 1.5"):
        reshape({1.5: SIX})
    with pytest.raises(irrun.Error, match="no tensor for input 'target'"):
        reshape(SIX)


def test_outputs_by_number_and_name() -> None:
    model = irrun.load(model_of("f32", "?", "Reshape"))
    place = np.empty(6, np.float32)
    same = next(i for i, value in enumerate(model.outputs) if value.name == "same")
    for key in (same, "same", model.outputs[same]):
        result = model.run([SIX], [key], out={key: place})
        assert list(result) == ["same"] and result["same"] is place
    with pytest.raises(IndexError, match="the model has no output -1; it has 2, numbered from 0"):
        model.run([SIX], [-1])


def test_results() -> None:
    model = irrun.load(model_of("f32", "?", "Reshape"))
    result = model(SIX, TARGET)
    for i, value in enumerate(model.outputs):
        assert value.name is not None
        array = dict(result)[value.name]
        assert result[i] is array and result[value] is array and getattr(result, value.name) is array
    assert {"y", "same", "keys"} <= set(dir(result)) and isinstance(result, dict)
    for key in ("z", 2, -1):
        with pytest.raises(KeyError, match=f"no result {key!r}; there are "):
            result[key]
    with pytest.raises(AttributeError, match="no result 'z'; there are "):
        result.z  # noqa: B018
    again = pickle.loads(pickle.dumps(result))
    assert type(again) is irrun.Results and again.y.tobytes() == result.y.tobytes()


def test_repr_shows_names_types_and_shapes() -> None:
    pool = irrun.load(POOL)
    expected = "<irrun.Model 'models/demo/pool.xml'\n  input 0: 'x' f32[1,1,4,4]\n  output 0: 'y' f32[1,1,3,3]>"
    assert repr(pool) == expected and repr(pool.session()) == f"<irrun.Session of {expected}>"
    assert "'image' f32[1,3,32..640,?]" in repr(irrun.load("models/max_pool/dynamic.xml"))
    assert "P1.xml', 1 error\n" in repr(irrun.load("models/spec/P1.xml"))
    wide = b"".join(
        b'<layer id="%d" name="x%d" type="Parameter" version="opset1"><data shape="" element_type="i64"/>'
        b'<output><port id="0" precision="I64"/></output></layer>' % (i, i)
        for i in range(14)
    )
    text = repr(irrun.load(b'<net name="n" version="11"><layers>' + wide + b"</layers><edges/></net>"))
    assert "  input 11: 'x11' i64[]\n  and 2 more inputs" in text and "x12" not in text
    assert str(irrun.Value(None, None)) == "?" and str(irrun.Value("f32", None)) == "f32[...]"


def test_pictures() -> None:
    pool, faulty = irrun.load(POOL), irrun.load(Path("models/spec/P1.xml"))
    assert "digraph" in (pool.picture("dot") or "") and "IR301" in (faulty.picture("mermaid") or "")
    path = Path("models/networks/global_pools.xml")
    by_bytes = irrun.load(path.read_bytes(), path.with_suffix(".bin").read_bytes())
    assert (by_bytes.picture("dot") or "").count(" -> ") == (irrun.load(path).picture("dot") or "").count(" -> ") > 5
    narrowed = irrun.load("models/max_pool/dynamic.xml", shapes={"image": "1,3,64,64"})
    assert "f32[1,3,64,64]" in (narrowed.picture("dot") or "")
    if shutil.which("dot"):
        svg = pool._repr_svg_()
        assert svg is not None and "<svg" in svg and "AvgPool" in svg


def test_without_graphviz_there_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    program = shutil.which("irrun")
    monkeypatch.setattr("irrun._picture.program", lambda: program)
    monkeypatch.setenv("PATH", "/nowhere")
    assert irrun.load(POOL)._repr_svg_() is None
    monkeypatch.setattr("irrun._picture.program", lambda: None)
    assert irrun.load(POOL).picture("dot") is None


def test_hints_are_in_words_of_python() -> None:
    pool, reshape = irrun.load(POOL), irrun.load(model_of("f32", "?", "Reshape"))
    weights = irrun.load(Path("models/networks/global_pools.xml").read_bytes())

    def hint(call: object, *args: object, **more: object) -> str:
        with pytest.raises(irrun.Error) as raised:
            call(*args, **more)  # type: ignore[operator]
        return str(raised.value)

    assert "let cast=True do it" in hint(pool, X.astype("f8"))
    assert "give an array for it: {'target': array}" in hint(reshape, SIX)
    assert any("shapes={'x': '7'}" in d.message for d in irrun.load(POOL, shapes={"x": "7"}).check())
    assert "max_memory=" in hint(irrun.load(model_of("f32", "1048576", "ReLU"), max_memory=1 << 20), np.zeros(1 << 20, np.float32))
    assert any("weights=FILE" in (d.hint or "") for d in weights.check())


def test_no_text_of_the_library_says_an_option_of_the_program() -> None:
    from irrun._words import in_python

    # these files write models, read texts of the command line, or compare for --expect; Python calls none of them
    others = {"convert", "compare", "edit"}
    files = [path for path in Path("src").rglob("*.c") if path.parts[1] != "cli" and not others & set(path.parts)]
    assert len(files) > 100
    for path in files:
        if path.name in ("literal.c", "read_model.c", "show.c", "assert_output.c"):
            continue
        for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', path.read_text(encoding="utf-8")):
            left = re.search(r"(?<!irrun )--[a-z][a-z-]+", in_python(re.sub(r"%(s|zu|d|\.0f)", "7", text)))
            assert left is None, f"{path}: {text}"
