"""Exports architectures by optimum-intel, or compresses the weights of exported ones by NNCF.
usage: make_models.py FOLDER MODEL...
MODEL is ARCHITECTURE/f32 or ARCHITECTURE/COMPRESSION of architectures.py. Prints the models that a package refuses,
with the reason; all that the packages print goes to stderr."""

import logging
import os
import pathlib
import shutil
import sys
import tempfile
import warnings

import architectures

os.environ["HF_HUB_OFFLINE"] = "1"  # a package that looks for a file elsewhere fails
NOISE = 0.1


def export(name, folder):
    """Exports an architecture of random weights. A norm's weights of 1 and biases of 0 get noise."""
    import torch
    import transformers
    from optimum.exporters.openvino import export_from_model

    torch.set_num_threads(1)
    torch.manual_seed(1)
    architecture = architectures.ARCHITECTURES[name]
    config = getattr(transformers, architecture.config)(**architecture.sizes)
    module = transformers.AutoModelForCausalLM.from_config(config).eval()
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() == 1:
                parameter.add_(NOISE * torch.randn_like(parameter))
    # A module that was saved and read has the configuration of a published one.
    module.save_pretrained(folder / "saved")
    module = transformers.AutoModelForCausalLM.from_pretrained(folder / "saved", dtype=torch.float32).eval()
    export_from_model(module, folder, task="text-generation-with-past", stateful=True, compression_option="fp32")
    shutil.rmtree(folder / "saved")
    for suffix in (".xml", ".bin"):
        (folder / f"openvino_model{suffix}").rename(folder / f"model{suffix}")


def compress(source, weights, folder):
    import nncf
    import openvino

    model, options = openvino.Core().read_model(source / "model.xml"), dict(architectures.COMPRESSIONS[weights])
    if options:
        model = nncf.compress_weights(model, mode=nncf.CompressWeightsMode(options.pop("mode")), **options)
    openvino.save_model(model, folder / "model.xml", compress_to_fp16=weights == "f16")


def make(folder, model):
    """Makes a model in a scratch folder, so that one that is there is whole."""
    name, weights = model.split("/")
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        made = pathlib.Path(scratch, "model")
        made.mkdir()
        if weights == "f32":
            export(name, made)
        else:
            compress(folder / name / "f32", weights, made)
        (made / "recipe").write_text(architectures.recipe(model), encoding="utf-8")
        (folder / name).mkdir(exist_ok=True)
        made.rename(folder / model)


def main():
    refused = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    folder = pathlib.Path(sys.argv[1])
    for model in sys.argv[2:]:
        try:
            make(folder, model)
        except Exception as error:  # pylint: disable=broad-except # any exception of a package is a reason
            reason = " ".join(str(error).split())
            print(f"{model}: not made: {type(error).__name__}: {reason}", file=refused, flush=True)


if __name__ == "__main__":
    main()
