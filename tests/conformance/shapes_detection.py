"""Draws ops of boxes, regions and proposals."""

import openvino as ov
from openvino import opset16 as ops
from openvino.utils.node_factory import NodeFactory

from draw_shapes import DRAWING, FLOATS, constant, model_of, open_dims, parameter, standing_for


def node_of(opset, op, inputs, attributes):
    return NodeFactory(f"opset{opset}").create(op, [i.output(0) if isinstance(i, ov.Node) else i for i in inputs], attributes)


def model(opset, op, inputs, attributes):
    parameters = [i for i in inputs if isinstance(i, ov.op.Parameter)]
    return model_of(node_of(opset, op, inputs, attributes), parameters)


def sometimes(rng, attributes, chance=0.6):
    return {name: value for name, value in attributes.items() if rng.random() < chance}


def numbers(rng, least, most):
    return [round(rng.uniform(1, 9), 1) for _ in range(rng.randint(least, most))]


# ---- boxes around the cells of a grid, whose sizes are a constant or an input ----


def grid_model(rng, opset, op, attributes):
    kind = rng.choice(["i32", "i64"])
    image = constant([300, 400], kind)
    if rng.random() < 0.4:
        return model(opset, op, [constant([rng.randint(1, 40), rng.randint(1, 40)], kind), image], attributes)
    if rng.random() < 0.2:
        return model(opset, op, [standing_for(parameter(rng, kind, [2], 0), [rng.randint(1, 9), 7]), image], attributes)
    features = parameter(rng, "f32", [1, 3, rng.randint(1, 40), rng.randint(1, 40)])
    sizes = ops.strided_slice(ops.shape_of(features, kind), constant([2]), constant([4]), constant([1]), [0], [0])
    node = node_of(opset, op, [sizes, image], attributes)
    return model_of(node, [features])


def prior_box(opset):
    def draw(rng):
        more = {"min_size": numbers(rng, 1, 3), "max_size": numbers(rng, 0, 2), "aspect_ratio": rng.sample([1.0, 2.0, 3.0, 0.5, 1.5], 3)}
        fixed = rng.randint(1, 2)
        dense = {"density": [float(rng.randint(1, 3)) for _ in range(fixed)], "fixed_size": numbers(rng, fixed, fixed)} if rng.random() < 0.5 else {}
        more |= {"fixed_ratio": numbers(rng, 1, 3)}
        more |= {"flip": rng.random() < 0.5, "clip": True, "scale_all_sizes": rng.random() < 0.5, "step": 16.0, "variance": [0.1]}
        return grid_model(rng, opset, "PriorBox", {"offset": 0.5, "min_size": [4.0], **dense, **sometimes(rng, more)})

    return draw


def prior_box_clustered(rng):
    n = rng.randint(1, 5)
    attributes = {"width": numbers(rng, n, n), "height": numbers(rng, n, n), "offset": 0.5}
    return grid_model(rng, 1, "PriorBoxClustered", attributes | sometimes(rng, {"step": 8.0, "step_w": 8.0, "clip": False}))


def detection_output(opset):
    def draw(rng):
        images, priors, classes = rng.randint(1, 3), rng.randint(1, 9), rng.randint(1, 4)
        share, normalized, encoded = rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.5
        attributes = {"keep_top_k": [rng.choice([-1, 5, 7])], "top_k": rng.choice([-1, 3]), "nms_threshold": 0.5, "share_location": share}
        attributes |= {"normalized": normalized, "variance_encoded_in_target": encoded}
        if opset == 1:
            attributes["num_classes"] = classes
        locations = [images, priors * (1 if share else classes) * 4]
        sizes = [locations, [images, priors * classes], [rng.choice([1, images]), 1 if encoded else 2, priors * (4 if normalized else 5)]]
        if rng.random() < 0.3:
            sizes += [[images, priors * 2], locations]
        kind = rng.choice(FLOATS)
        kinds = [kind, kind, rng.choice([kind, "f32"]), kind, kind]
        inputs = [parameter(rng, k, s) for k, s in zip(kinds, sizes)]
        return model(opset, "DetectionOutput", inputs, attributes)

    return draw


def region_yolo(rng):
    attributes = {"axis": rng.choice([1, 1, -3, 0, 2]), "end_axis": rng.choice([3, -1, 2, 1]), "coords": 4, "classes": rng.randint(0, 5), "num": 3}
    attributes |= {"do_softmax": rng.random() < 0.5, "mask": list(range(rng.randint(0, 3))), **sometimes(rng, {"anchors": [1.0, 2.0]})}
    boxes = 3 if attributes["do_softmax"] else len(attributes["mask"])
    channels = rng.choice([24, max(1, boxes) * (attributes["classes"] + 5)])
    return model(1, "RegionYolo", [parameter(rng, rng.choice(FLOATS), [rng.randint(1, 2), channels, 3, 5])], attributes)


def reorg_yolo(rng):
    stride = rng.randint(1, 3)
    sizes = [rng.randint(1, 2), stride * stride * rng.randint(1, 3) + rng.choice([0, 0, 1]), stride * rng.randint(1, 5), stride * rng.randint(1, 5)]
    return model(2, "ReorgYolo", [parameter(rng, rng.choice(FLOATS + ["i32", "u8"]), sizes)], {"stride": [stride]})


def proposal(opset):
    def draw(rng):
        batch, ratios, scales, kind = rng.randint(1, 3), rng.randint(1, 2), rng.randint(1, 2), rng.choice(FLOATS)
        anchors = ratios * scales
        attributes = {"base_size": 16, "pre_nms_topn": 10, "post_nms_topn": rng.randint(1, 9), "nms_thresh": 0.5, "feat_stride": 16}
        attributes |= {"min_size": 4, "ratio": [1.0, 0.5][:ratios], "scale": [2.0, 4.0][:scales]}
        attributes |= sometimes(rng, {"framework": "tensorflow", "normalize": True})
        sizes = [[batch, 2 * anchors, 3, 5], [batch, 4 * anchors, 3, 5], [rng.choice([3, 4])]]
        return model(opset, "Proposal", [parameter(rng, kind, s) for s in sizes], attributes)

    return draw


# ---- regions of feature maps ----


def roi_inputs(rng, n_columns, channels, has_batches):
    kind, n = rng.choice(FLOATS), rng.randint(1, 9)
    inputs = [parameter(rng, kind, [rng.randint(1, 2), channels, 3, 5]), parameter(rng, kind, [n, n_columns])]
    return inputs + [parameter(rng, rng.choice(["i32", "i64", "u8"]), [n])] * has_batches


def pooled(rng):
    return {"pooled_h": rng.randint(1, 4), "pooled_w": rng.randint(1, 4), "spatial_scale": 0.5}


def roi_pooling(rng):
    return model(2, "ROIPooling", roi_inputs(rng, 5, 4, False), {**pooled(rng), "method": rng.choice(["max", "bilinear"])})


def psroi_pooling(rng):
    mode, group, bins, channels = rng.choice(["average", "bilinear"]), rng.randint(1, 3), (rng.randint(1, 3), rng.randint(1, 3)), rng.randint(1, 4)
    parts = group * group if mode == "average" else bins[0] * bins[1]
    attributes = {"output_dim": channels, "group_size": group, "spatial_scale": 0.5, "mode": mode}
    if mode == "bilinear" or rng.random() < 0.5:
        attributes |= {"spatial_bins_x": bins[0], "spatial_bins_y": bins[1]}
    return model(1, "PSROIPooling", roi_inputs(rng, 5, parts * channels, False), attributes)


def deformable_psroi_pooling(rng):
    channels, group, part = rng.randint(1, 4), rng.randint(1, 4), rng.randint(1, 3)
    attributes = {"output_dim": channels, "group_size": group, "spatial_scale": 0.5, "part_size": part, "trans_std": 0.1}
    attributes |= {"spatial_bins_x": rng.randint(1, 3), "spatial_bins_y": rng.randint(1, 3)}
    inputs = roi_inputs(rng, 5, channels * group * group, False)
    if rng.random() < 0.5:
        n_rois = inputs[1].get_output_partial_shape(0).to_shape()[0] if not DRAWING["open"] else 3
        inputs.append(ops.parameter(open_dims(rng, [n_rois, 2, part, part]), inputs[0].get_element_type()))
    return model(1, "DeformablePSROIPooling", inputs, attributes)


def roi_align(opset):
    def draw(rng):
        more = {"aligned_mode": rng.choice(["asymmetric", "half_pixel_for_nn", "half_pixel"])} if opset == 9 else {}
        attributes = {**pooled(rng), "sampling_ratio": rng.randint(0, 2), "mode": rng.choice(["avg", "max"]), **more}
        return model(opset, "ROIAlign", roi_inputs(rng, 4, 4, True), attributes)

    return draw


def roi_align_rotated(rng):
    return model(15, "ROIAlignRotated", roi_inputs(rng, 5, 4, True), {**pooled(rng), "sampling_ratio": 2, "clockwise_mode": rng.random() < 0.5})


# ---- proposals and Detectron ----


def generate_proposals(rng):
    batch, anchors, kind = rng.randint(1, 3), rng.randint(1, 4), rng.choice(FLOATS)
    attributes = {"min_size": 0.0, "nms_threshold": 0.5, "pre_nms_count": 10, "post_nms_count": rng.randint(1, 9)}
    attributes |= sometimes(rng, {"normalized": False, "nms_eta": 0.5, "roi_num_type": "i32"})
    sizes = [[batch, rng.choice([3, 4])], [5, 6, anchors, 4], [batch, anchors * 4, 5, 6], [batch, anchors, 5, 6]]
    return model(9, "GenerateProposals", [parameter(rng, kind, s) for s in sizes], attributes)


def single_image(rng):
    anchors, kind = rng.randint(1, 4), rng.choice(FLOATS)
    attributes = {"min_size": 0.0, "nms_threshold": 0.5, "pre_nms_count": 10, "post_nms_count": rng.randint(0, 9)}
    sizes = [[3], [30 * anchors, 4], [anchors * 4, 5, 6], [anchors, 5, 6]]
    return model(6, "ExperimentalDetectronGenerateProposalsSingleImage", [parameter(rng, kind, s) for s in sizes], attributes)


def detectron_output(rng):
    rois, classes, kind = rng.randint(1, 9), rng.randint(1, 4), rng.choice(FLOATS)
    attributes = {"score_threshold": 0.5, "nms_threshold": 0.5, "num_classes": classes, "post_nms_count": 9}
    attributes |= {"max_detections_per_image": rng.randint(0, 9), "max_delta_log_wh": 4.0, "deltas_weights": [1.0, 1.0, 5.0, 5.0]}
    sizes = [[rois, 4], [rois, classes * 4], [rois, classes], [1, 3]]
    return model(6, "ExperimentalDetectronDetectionOutput", [parameter(rng, kind, s) for s in sizes], attributes)


def prior_grid(rng):
    kind, batch, rows, columns = rng.choice(FLOATS), rng.randint(1, 2), rng.randint(1, 6), rng.randint(1, 6)
    sizes = [[rng.randint(1, 4), 4], [batch, 2, rows, columns], [batch, 3, 50, 60]]
    attributes = {"flatten": rng.random() < 0.5, **sometimes(rng, {"h": rows, "w": columns, "stride_x": 4.0, "stride_y": 4.0})}
    return model(6, "ExperimentalDetectronPriorGridGenerator", [parameter(rng, kind, s) for s in sizes], attributes)


def roi_features(rng):
    kind, channels, levels = rng.choice(FLOATS), rng.randint(1, 5), rng.randint(1, 8)
    sizes = [[rng.randint(1, 9), 4]] + [[1, channels, 64 >> i, 64 >> i] for i in range(levels)]
    attributes = {"output_size": rng.randint(1, 7), "sampling_ratio": 2, "pyramid_scales": [4 << i for i in range(levels)]}
    return model(6, "ExperimentalDetectronROIFeatureExtractor", [parameter(rng, kind, s) for s in sizes], attributes)


def best_rois(rng):
    kind, n = rng.choice(FLOATS), rng.randint(1, 9)
    return model(6, "ExperimentalDetectronTopKROIs", [parameter(rng, kind, s) for s in ([n, 4], [n])], {"max_rois": rng.randint(0, 9)})


DRAWS = {
    "PriorBox-1": prior_box(1),
    "PriorBox-8": prior_box(8),
    "PriorBoxClustered-1": prior_box_clustered,
    "DetectionOutput-1": detection_output(1),
    "DetectionOutput-8": detection_output(8),
    "RegionYolo-1": region_yolo,
    "ReorgYolo-2": reorg_yolo,
    "Proposal-1": proposal(1),
    "Proposal-4": proposal(4),
    "ROIPooling-2": roi_pooling,
    "PSROIPooling-1": psroi_pooling,
    "DeformablePSROIPooling-1": deformable_psroi_pooling,
    "ROIAlign-3": roi_align(3),
    "ROIAlign-9": roi_align(9),
    "ROIAlignRotated-15": roi_align_rotated,
    "GenerateProposals-9": generate_proposals,
    "ExperimentalDetectronGenerateProposalsSingleImage-6": single_image,
    "ExperimentalDetectronDetectionOutput-6": detectron_output,
    "ExperimentalDetectronPriorGridGenerator-6": prior_grid,
    "ExperimentalDetectronROIFeatureExtractor-6": roi_features,
    "ExperimentalDetectronTopKROIs-6": best_rois,
}
