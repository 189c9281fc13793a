"""Makes models with faults in ops that detect, sort and select, and in ops on sequences."""
from cases.case import case
from cases.layouts import listed
from cases.parts import floats, math_model


def op(name, inputs, attrs=None, opset=1, **more):
    return math_model(name, inputs, attrs, opset=f'opset{opset}', **more)


def ints(shape, declared=None, tag='<port'):
    return 'i32', shape, declared, tag


GRID = [ints('2'), ints('2')]
case('IR322_prior_box_sizes', op('PriorBox', [ints('3', '{IR322|3}'), ints('2')], 'offset="0.5" min_size="4"'))
case('IR207_prior_box_ratio', op('PriorBox', GRID, 'offset="0.5" min_size="4" aspect_ratio="2.0,{IR207|-1.0}"'))
case('IR322_prior_box_clustered', op('PriorBoxClustered', GRID, 'offset="0.5" width="1,2" height="{IR322|1,2,3}"'))

KEPT = 'num_classes="2" nms_threshold="0.4" normalized="true" '
case('IR322_detection_output_priors', op('DetectionOutput', [floats('1,40', '1,{IR322|40}'), floats('1,22'), floats('1,2,44')], KEPT + 'keep_top_k="5"'))
case('IR322_detection_output_images', op('DetectionOutput', [floats('1,40'), floats('2,20', '{IR322|2},20'), floats('1,2,40')], KEPT + 'keep_top_k="5"'))
case('IR322_detection_output_multiple', op('DetectionOutput', [floats('1,40'), floats('1,20'), floats('1,2,42', '1,2,{IR322|42}')], KEPT + 'keep_top_k="5"'))
case('IR208_detection_output_keep_top_k', op('DetectionOutput', [floats('1,40'), floats('1,20'), floats('1,2,40')], KEPT + 'keep_top_k="{IR208|}"'))
case('IR110_detection_output_four_inputs', op('DetectionOutput', [floats('1,40'), floats('1,20'), floats('1,2,40'), floats('1,20')],
                                              KEPT + 'keep_top_k="5"', layer='{IR110|<layer}'))

case('IR322_reorg_yolo', op('ReorgYolo', [floats('1,64,26,25', '1,64,26,{IR322|25}')], 'stride="2"', 2))
case('IR207_region_yolo_axis', op('RegionYolo', [floats('1,125,13,13')], 'axis="{IR207|4}" coords="4" classes="20" end_axis="3" num="5" do_softmax="1"'))
PROPOSED = 'base_size="16" pre_nms_topn="10" post_nms_topn="5" nms_thresh="0.5" feat_stride="16" min_size="4" ratio="1" scale="2"'
case('IR322_proposal_anchors', op('Proposal', [floats('1,4,3,5'), floats('1,6,3,5', '1,{IR322|6},3,5'), floats('3')], PROPOSED))
case('IR207_roi_pooling_scale', op('ROIPooling', [floats('1,4,8,8'), floats('7,5')], 'pooled_h="2" pooled_w="2" spatial_scale="{IR207|0}"', 2))
case('IR322_roi_align_batches', op('ROIAlign', [floats('1,4,8,8'), floats('7,4'), ints('6', '{IR322|6}')],
                                   'pooled_h="2" pooled_w="2" sampling_ratio="2" spatial_scale="1" mode="avg"', 3))
case('IR322_psroi_pooling_channels', op('PSROIPooling', [floats('1,35,8,8', '1,{IR322|35},8,8'), floats('7,5')],
                                        'output_dim="4" group_size="3" spatial_scale="1" mode="average"'))
case('IR212_prior_grid_generator', op('ExperimentalDetectronPriorGridGenerator', [floats('3,4'), floats('1,2,5,6'), floats('1,3,50,60')],
                                      opset=6, layer='{w:IR212|<layer}'))

case('IR322_nms_boxes', op('NonMaxSuppression', [floats('1,10,4'), floats('1,3,9', '1,3,{IR322|9}')]))
case('IR322_nms_coordinates', op('NonMaxSuppression', [floats('1,10,5', '1,10,{IR322|5}'), floats('1,3,10')], opset=9))
case('IR303_multiclass_nms', op('MulticlassNms', [floats('3,10,4'), floats('3,10', tag='{IR303|<port}')], opset=9))
case('IR322_top_k', *listed('TopK', '5,6', [9], ' axis="1" mode="max" sort="value"', tag='{IR322|<port}', length=''))
case('IR207_top_k_axis', *listed('TopK', '5,6', [2], ' axis="{IR207|2}" mode="max" sort="value"', length=''))
case('IR315_unique', *listed('Unique', '5,6', [2], tag='{IR315|<port}', opset=10))
case('IR322_search_sorted', op('SearchSorted', [floats('5,6'), floats('5', tag='{IR322|<port}')], opset=15))

COND = ('boolean', '2,3', None, '<port')
case('IR316_select', op('Select', [COND, floats('2,3'), floats('2', tag='{IR316|<port}')]))
case('IR306_select', op('Select', [COND, floats('2,3'), ints('2,3', tag='{IR306|<port}')]))
case('IR322_ctc_greedy_decoder', op('CTCGreedyDecoder', [floats('20,3,7'), floats('20,4', '20,{IR322|4}')]))
