"""Changes of a model, which is then written as an IR."""

import os
from collections.abc import Iterable

from irrun._native import Handles, encoded, ffi, lib, new, sized, whole
from irrun._run import check
from irrun._session import warn
from irrun._types import take_diagnostics


def edit(
    model: str | os.PathLike[str],
    edits: Iterable[str],
    output: str | os.PathLike[str],
    weights: str | os.PathLike[str] | None = None,
) -> None:
    """Writes the edited model to `output`, NAME.xml, and its constants to NAME.bin.

    `edits` are such as "data: u8 nhwc mean=127.5", in the words of the program's option --edit. `weights` is the .bin;
    None: the one beside the model. Raises Error, and writes nothing, if an edit cannot be done or the result has an error.
    """
    if isinstance(edits, str):
        raise TypeError("edits are a list of texts, not one text")
    handles, path = Handles(), whole(os.fsencode(output))
    context = handles.keep(lib.irrun_context_create(ffi.NULL), lib.irrun_context_free)
    texts = [new("char[]", encoded(text)) for text in edits]
    read, edited = new("irrun_model **"), new("irrun_edit **")
    beside = ffi.NULL if weights is None else whole(os.fsencode(weights))
    status = lib.irrun_model_read(context, whole(os.fsencode(model)), beside, lib.IRRUN_TO_CONVERT, read)
    source = handles.keep(read[0], lib.irrun_model_free)
    if source == ffi.NULL:
        check(context, status)
    if status in (lib.IRRUN_OK, lib.IRRUN_INVALID):  # an edit can mend an invalid model, and finds what stays
        lib.irrun_context_clear_diagnostics(context)
    check(context, lib.irrun_edit_create(source, new("char *[]", texts), len(texts), path, edited))
    handles.keep(edited[0], lib.irrun_edit_free)
    check(context, lib.irrun_edit_write(edited[0], path, sized("irrun_conversion")))
    warn(take_diagnostics(context))
