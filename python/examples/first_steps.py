"""A first look: what is wrong with a model, what is in it, what it computes, and where a change of it shows."""

# %% A model and its layers.
import sys
from pathlib import Path

import numpy as np

import irrun

models = Path(sys.argv[1] if len(sys.argv) > 1 else "models")
model = irrun.load(models / "demo" / "pool.xml")
for layer in model.layers:
    print(f"{layer.name:5} {layer.type}-{layer.version}  {[value.shape for value in layer.outputs]}")

# %% It computes means of windows that reach over the border.
x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
y = model.run({"x": x})["y"]
print(y[0, 0])

# %% The statistics of every layer's result; stats() has those of constants.
for name, stats in model.stats({"x": x}).items():
    print(f"{name:5} {stats.type} {stats.shape} {stats.min:g}..{stats.max:g}, mean {stats.mean:g}")
assert model.stats() == {}

# %% The same in NumPy: windows of 2x2, and a divisor that counts only what lies in the input.
padded, ones = np.pad(x[0, 0], 1), np.pad(np.ones((4, 4)), 1)
windows = np.lib.stride_tricks.sliding_window_view
sums, counts = (windows(a, (2, 2))[::2, ::2].sum((2, 3)) for a in (padded, ones))
assert np.array_equal(y[0, 0], sums / counts)

# %% Results can be written where they are wanted; nothing is copied.
place = np.empty_like(y)
assert model.run({"x": x}, out={"y": place})["y"] is place and np.array_equal(place, y)

# %% The same model, as bytes, with another attribute: its means count the border too.
text = (models / "demo" / "pool.xml").read_bytes()
other = irrun.load(text.replace(b'exclude-pad="true"', b'exclude-pad="false"'))
print(other.run({"x": x})["y"][0, 0])

# %% A model with a fault can be looked at; to run it is an error that says where the fault is.
faulty = irrun.load(models / "spec" / "P1.xml")
for diagnostic in faulty.check():
    print(f"line {diagnostic.line}: {diagnostic.rule} {diagnostic.slug}, {diagnostic.severity}")
try:
    faulty.run({"x": np.zeros((1, 3, 32, 32), np.float32)})
except irrun.Error as error:
    print(error.status.name, "-", error.diagnostics[-1].message)
