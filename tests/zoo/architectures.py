"""Lists the architectures of the zoo. Each comes from a package of PyPI, with weights drawn at random; nothing comes
from a hub. Sizes are small, but a head of attention, a channel or an image has its usual size."""
import dataclasses
import importlib
import typing

SEED = 1
TEXT = 96  # tokens of a text
WORDS = 1000  # size of vocabularies
MASKED = 8  # tokens at the end of a text that the mask hides


@dataclasses.dataclass
class Architecture:
    family: str
    name: str
    module: typing.Callable  # makes the network
    inputs: typing.Callable  # makes a tuple of tensors
    call: typing.Callable = lambda model, tensors: model(*tensors)
    open_axes: tuple = ()  # axes of all inputs whose sizes stay open in the IR
    unordered: bool = False  # rows with tied scores can come in any order
    quantize: str = ''  # 'cnn', 'transformer' or a mode of weight compression: what NNCF does

    @property
    def path(self):
        return f'{self.family}/{self.name}'

    def shapes(self, inputs):
        return [[-1 if axis in self.open_axes else size for axis, size in enumerate(tensor.shape)] for tensor in inputs]


# ---- inputs ----


def randoms(*shapes):
    def make():
        import torch
        generator = torch.Generator().manual_seed(SEED)
        return tuple(torch.rand(shape, generator=generator) for shape in shapes)
    return make


def texts(*lengths, mask=True):
    """Makes token ids, each text followed by its mask."""
    def make():
        import torch
        generator, tensors = torch.Generator().manual_seed(SEED), []
        for length in lengths:
            tensors.append(torch.randint(3, WORDS, (1, length), generator=generator))
            if mask:
                tensors.append((torch.arange(length) < length - MASKED).long()[None])
        return tuple(tensors)
    return make


# ---- torchvision and timm ----


def torchvision(family, names, *shapes, **more):
    """`names` is a text; NAME:SIZE has another size of images."""
    options = more.pop('options', {})
    for word in names.split():
        name, _, size = word.partition(':')
        sized = [[*shape[:-2], int(size), int(size)] if size else shape for shape in shapes]

        def module(name=name):
            return importlib.import_module('torchvision.models').get_model(name, weights=None, **options)
        yield Architecture(family, name, module, randoms(*sized), **more)


def timm(family, names):
    for name in names.split():
        def module(name=name):
            return importlib.import_module('timm').create_model(name, pretrained=False)

        def inputs(name=name):
            return randoms([1, *importlib.import_module('timm').get_pretrained_cfg(name).input_size])()
        yield Architecture(family, name, module, inputs, open_axes=(0,))


CLASSIFIERS = '''alexnet convnext_tiny densenet121 efficientnet_b0 efficientnet_v2_s googlenet inception_v3:299 maxvit_t
    mnasnet1_0 mobilenet_v2 mobilenet_v3_small regnet_y_400mf resnet18 resnet50 resnext50_32x4d shufflenet_v2_x1_0
    squeezenet1_1 swin_t swin_v2_t vgg11 vit_b_32'''
SEGMENTERS = 'deeplabv3_mobilenet_v3_large deeplabv3_resnet50 fcn_resnet50 lraspp_mobilenet_v3_large'
RCNNS = 'fasterrcnn_mobilenet_v3_large_320_fpn fasterrcnn_resnet50_fpn keypointrcnn_resnet50_fpn maskrcnn_resnet50_fpn'
SSDS = 'ssd300_vgg16:300 ssdlite320_mobilenet_v3_large:320'
NO_WEIGHTS = {'weights_backbone': None}



def detections(model, tensors):
    return model(list(tensors[0]))


def vision():
    yield from torchvision('classifiers', CLASSIFIERS, [1, 3, 224, 224])
    yield from torchvision('segmenters', SEGMENTERS, [1, 3, 192, 192], options=NO_WEIGHTS)
    # The scores of random heads are low.
    for names, more in ((RCNNS, {'box_score_thresh': 0.02}), ('fcos_resnet50_fpn retinanet_resnet50_fpn', {'score_thresh': 0.005})):
        yield from torchvision('detectors', names, [1, 3, 240, 320], call=detections, unordered=True,
                               options={**NO_WEIGHTS, 'min_size': 240, 'max_size': 320, **more})
    yield from torchvision('detectors', SSDS, [1, 3, 320, 320], call=detections, unordered=True, options=NO_WEIGHTS)
    yield from torchvision('video', 'mc3_18 r2plus1d_18 r3d_18 swin3d_t', [1, 3, 8, 112, 112])
    yield from torchvision('video', 's3d', [1, 3, 16, 224, 224])
    yield from torchvision('flow', 'raft_small raft_large', [1, 3, 128, 160], [1, 3, 128, 160])


TIMM = '''beit_base_patch16_224 halonet26t eca_botnext26ts_256 lambda_resnet26t mobileone_s0 gernet_s cait_xxs24_224
    coat_lite_tiny convit_tiny convmixer_768_32 convnext_atto cpubone_nano crossvit_tiny_240 csatv2 cspresnet50
    cspnext_tiny davit_tiny deit_tiny_patch16_224 densenetblur121d dla46_c dpn48b edgenext_xx_small efficientformer_l1
    efficientformerv2_s0 efficientnet_lite0 efficientvim_m1 efficientvit_b0 efficientvit_m0 eva02_tiny_patch14_224
    fasternet_t0 fastvit_t8 focalnet_tiny_srf gcvit_xxtiny gemma4_vit_167m ghostnet_100 ghostnetv3_050 hardcorenas_a
    hgnetv2_b0 hiera_tiny_224 sam2_hiera_tiny hrnet_w18_small iformer_t inception_next_atto inception_resnet_v2
    inception_v4 lcnetv2_small levit_128s lowformer_b0 mambaout_femto coatnet_pico_rw_224 maxvit_tiny_tf_224
    poolformer_s12 caformer_s18 mixer_s32_224 gmlp_ti16_224 resmlp_12_224 mobilenetv3_small_100 lcnet_050
    mobilenetv4_conv_small mobilevit_xxs mobilevitv2_050 mvitv2_tiny naflexvit_base_patch16_gap nest_tiny
    nextvit_small nf_regnet_b0 eca_nfnet_l0 pit_ti_224 pvt_v2_b0 qwen3_vit_88m rdnet_tiny regnetx_002 regnety_002
    repghostnet_050 repvit_m1 res2net50_14w_8s resnest14d resnet10t resnetv2_18 rexnet_100 selecsls42
    legacy_seresnet18 sequencer2d_s shvit_s1 skresnet18 starnet_s050 swiftformer_xs swin_tiny_patch4_window7_224
    swinv2_tiny_window8_256 swinv2_cr_tiny_224 tiny_vit_5m_224 tnt_s_patch16_224 tresnet_m twins_svt_small vgg11_bn
    visformer_tiny vit_tiny_patch16_224 vit_small_r26_s32_224 vit_relpos_small_patch16_224 samvit_base_patch16_224
    vitamin_small_224 volo_d1_224 ese_vovnet19b_slim legacy_xception xception41 xcit_nano_12_p16_224'''


# ---- transformers ----

USUAL = {'vocab_size': WORDS, 'hidden_size': 256, 'num_hidden_layers': 3, 'num_attention_heads': 4, 'intermediate_size': 1024}
GROUPS = {**USUAL, 'num_key_value_heads': 2}
EXPERTS = {**GROUPS, 'moe_intermediate_size': 256, 'num_experts': 4, 'num_experts_per_tok': 2}
TWO_SIDED = {'vocab_size': WORDS, 'd_model': 256, 'encoder_layers': 2, 'decoder_layers': 2, 'encoder_attention_heads': 4,
             'decoder_attention_heads': 4, 'encoder_ffn_dim': 1024, 'decoder_ffn_dim': 1024}
VISION = {'hidden_size': 256, 'num_hidden_layers': 3, 'num_attention_heads': 4, 'intermediate_size': 1024}
SPEECH = {**USUAL, 'num_conv_pos_embeddings': 32, 'num_conv_pos_embedding_groups': 4}

ENCODERS = {
    **dict.fromkeys(['bert', 'camembert', 'convbert', 'electra', 'fnet', 'ibert', 'layoutlm', 'mpnet', 'rembert', 'roberta', 'roformer'], USUAL),
    'albert': {**USUAL, 'embedding_size': 128},
    'big_bird': {**USUAL, 'attention_type': 'original_full'},
    'deberta-v2': {**USUAL, 'relative_attention': True, 'pos_att_type': ['p2c', 'c2p'], 'position_buckets': 32},
    'distilbert': {**USUAL, 'hidden_dim': 1024},
    'esm': {**USUAL, 'position_embedding_type': 'rotary', 'pad_token_id': 1, 'mask_token_id': 2},
    'mobilebert': {'vocab_size': WORDS, 'num_hidden_layers': 3},
    'modernbert': {**USUAL, 'pad_token_id': 0},
    'nystromformer': {**USUAL, 'num_landmarks': TEXT, 'segment_means_seq_len': TEXT},
    'squeezebert': {**USUAL, 'embedding_size': 256},
    'xlnet': {'vocab_size': WORDS, 'd_model': 256, 'n_layer': 3, 'n_head': 4, 'd_inner': 1024},
}
UNMASKED = ['fnet']
DECODERS = {
    **dict.fromkeys(['cohere', 'granite', 'llama', 'olmo2', 'phi', 'qwen2', 'stablelm', 'starcoder2'], GROUPS),
    'bloom': {**USUAL, 'n_layer': 3, 'n_head': 4},
    'deepseek_v3': {**GROUPS, 'num_key_value_heads': 4, 'n_routed_experts': 4, 'n_group': 1, 'topk_group': 1, 'num_experts_per_tok': 2,
                    'moe_intermediate_size': 256, 'first_k_dense_replace': 1, 'q_lora_rank': 64, 'kv_lora_rank': 32},
    'falcon': {**USUAL, 'new_decoder_architecture': False},
    'gemma': {**GROUPS, 'head_dim': 64},
    'gemma2': {**GROUPS, 'head_dim': 64, 'sliding_window': 32},
    'gemma3_text': {**GROUPS, 'head_dim': 64, 'sliding_window': 32},
    'glm4': {**GROUPS, 'head_dim': 64, 'pad_token_id': 0},
    'gpt2': {**USUAL, 'n_inner': 1024},
    'gpt_neo': {**USUAL, 'attention_types': [[['global', 'local', 'global'], 1]]},
    'gpt_neox': USUAL,
    'gpt_oss': {**GROUPS, 'num_local_experts': 4, 'num_experts_per_tok': 2, 'head_dim': 64, 'sliding_window': 32},
    'gptj': {**USUAL, 'rotary_dim': 32, 'n_inner': 1024},
    'mamba': {'vocab_size': WORDS, 'hidden_size': 128, 'num_hidden_layers': 2},
    'mistral': {**GROUPS, 'sliding_window': 32},
    'mixtral': {**GROUPS, 'num_local_experts': 4},
    'mpt': {'vocab_size': WORDS, 'd_model': 256, 'n_heads': 4, 'n_layers': 3},
    'opt': {**USUAL, 'ffn_dim': 1024, 'word_embed_proj_dim': 256},
    'phi3': {**GROUPS, 'pad_token_id': 0},
    'qwen2_moe': {**EXPERTS, 'shared_expert_intermediate_size': 256},
    'qwen3': {**GROUPS, 'head_dim': 64},
    'qwen3_moe': {**EXPERTS, 'head_dim': 64},
    'smollm3': {**GROUPS, 'pad_token_id': 0},
}
T5 = {'vocab_size': WORDS, 'd_model': 256, 'd_kv': 64, 'd_ff': 1024, 'num_layers': 2, 'num_heads': 4}
BOTH_SIDES = {
    **dict.fromkeys(['bart', 'blenderbot', 'm2m_100', 'mbart', 'pegasus'], TWO_SIDED),
    'marian': {**TWO_SIDED, 'pad_token_id': 0},
    't5': T5,
    'umt5': T5,
}
FOUR_STAGES = {'depths': [1, 1, 2, 1]}
IMAGES = {
    **dict.fromkeys(['deit', 'siglip_vision_model', 'vit', 'vit_msn'], VISION),
    **dict.fromkeys(['mobilenet_v2', 'mobilevit', 'segformer'], {}),
    **dict.fromkeys(['poolformer', 'regnet', 'resnet', 'swin', 'swinv2'], FOUR_STAGES),
    'beit': {**VISION, 'use_relative_position_bias': True},
    'convnext': {**FOUR_STAGES, 'hidden_sizes': [48, 96, 192, 384]},
    'data2vec-vision': {**VISION, 'use_relative_position_bias': True},
    'dinov2': {**VISION, 'image_size': 224},
    'hiera': {**FOUR_STAGES, 'embed_dim': 48},
    'levit': {'depths': [1, 1, 1]},
    'pvt': {'depths': [1, 1, 1, 1]},
}
SOUNDS = ['data2vec-audio', 'hubert', 'sew', 'unispeech', 'wav2vec2', 'wavlm']


def transformer(family, name, options, inputs, words, **more):
    """`words` are the names of the inputs."""
    extra = more.pop('extra', {})
    kind = more.pop('kind', 'AutoModel')

    def module():
        transformers = importlib.import_module('transformers')
        # The usual implementation of experts calls aten::histc, which OpenVINO does not convert.
        return getattr(transformers, kind).from_config(transformers.AutoConfig.for_model(name, **options), experts_implementation='batched_mm')

    def call(model, tensors):
        return model(**dict(zip(words, tensors)), **extra)
    return Architecture(family, name, module, inputs, call, **more)


def transformers():
    masked, no_cache, text_axes = ['input_ids', 'attention_mask'], {'use_cache': False}, (0, 1)
    decoder = ['decoder_input_ids', 'decoder_attention_mask']
    for name, options in ENCODERS.items():
        yield transformer('encoders', name, options, texts(TEXT, mask=name not in UNMASKED), masked, open_axes=text_axes)
    for name, options in DECODERS.items():
        yield transformer('decoders', name, options, texts(TEXT), masked, open_axes=text_axes, kind='AutoModelForCausalLM', extra=no_cache)
    for name, options in BOTH_SIDES.items():
        yield transformer('encoder-decoders', name, options, texts(TEXT, TEXT // 2), [*masked, *decoder], open_axes=text_axes, extra=no_cache)
    for name, options in IMAGES.items():
        yield transformer('images', name, options, randoms([1, 3, 224, 224]), ['pixel_values'], open_axes=(0,))
    for name in SOUNDS:
        yield transformer('sounds', name, SPEECH, randoms([1, 16000]), ['input_values'], open_axes=text_axes)
    yield transformer('sounds', 'audio-spectrogram-transformer', {**VISION, 'max_length': 256}, randoms([1, 256, 128]), ['input_values'], open_axes=(0,))
    whisper = {**TWO_SIDED, 'max_source_positions': 250, 'pad_token_id': 0}
    yield transformer('sounds', 'whisper', whisper, sound_and_text, ['input_features', *decoder], open_axes=(0,), extra=no_cache)


def sound_and_text():
    return (*randoms([1, 80, 500])(), *texts(TEXT // 4)())


# ---- networks that NNCF quantizes ----

QUANTIZED = {
    **dict.fromkeys([f'classifiers/{name}' for name in ('efficientnet_b0', 'mobilenet_v2', 'regnet_y_400mf', 'resnet18', 'resnet50')], ['cnn']),
    **dict.fromkeys(['classifiers/vit_b_32', 'encoders/bert', 'images/swin'], ['transformer']),
    'decoders/llama': ['int8_asym', 'int8_sym', 'int4_sym', 'int4_asym', 'nf4'],
}


def all_architectures():
    plain = [*vision(), *timm('timm', TIMM), *transformers()]
    found = {architecture.path: architecture for architecture in plain}
    for path, kinds in QUANTIZED.items():
        for kind in kinds:
            base = found[path]
            plain.append(dataclasses.replace(base, family='quantized', name=f'{base.name}_{kind}', quantize=kind))
    return plain


def find(path):
    return next(architecture for architecture in all_architectures() if architecture.path == path)
