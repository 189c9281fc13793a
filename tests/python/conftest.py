"""No test takes cffi's lock, which a signal's handler could wait for: all is looked up when irrun is imported."""

from irrun._native import ffi

ffi._lock = None
