/* Limits of irrun. Counts and lengths from a file are compared with them before memory is allocated. */
#ifndef IR_LIMITS_H
#define IR_LIMITS_H

#include <stdint.h>

#define IR_MAX_RANK        16  /* axes of a tensor; OpenVINO's pools have at most 5, nGraph's files 8 */
#define IR_MAX_AXES        32  /* items of an input with axes: each axis from the front and from the end */
#define IR_MAX_DEPTH       256 /* depth of XML elements, or JSON arrays and objects; models need about 8 */
#define IR_MAX_LAYERS      (INT64_C(1) << 24) /* layers of a graph: 30 times those of the largest known model */
#define IR_MAX_PORTS       (INT64_C(1) << 16) /* ports of one layer */
#define IR_MAX_EDGES       (INT64_C(1) << 26)
#define IR_MAX_BODIES      (INT64_C(1) << 12)  /* bodies of If, Loop and TensorIterator in one model */
#define IR_MAX_BODY_DEPTH  32                  /* depth of nested bodies */
#define IR_MAX_AGAIN       (INT64_C(1) << 20)  /* repeated inferences of layers, because a back edge changed a shape */
#define IR_MAX_LAYER_NAME  4096                /* bytes of a layer's name and those of the layers around it */
#define IR_MAX_IO_NAMES    (INT64_C(1) << 25)  /* bytes of tensor names of inputs and outputs; each counts 64 more */
#define IR_MAX_RT_PATHS    (INT64_C(1) << 25)  /* bytes of the paths of all values in <rt_info>; a check reads none */
#define IR_MAX_ATTRIBUTES  512                 /* attributes of one XML element */
#define IR_MAX_ITEMS       (INT64_C(1) << 16)  /* items of one attribute list */
#define IR_MAX_MODEL_BYTES INT64_C(0xffffffff) /* bytes of a model's text: 4 GiB, because ir_at has 32 bits */
#define IR_MAX_STREAM_TEXT (INT64_C(1) << 26)  /* bytes of text from a stream, which can be endless: 64 MiB */
#define IR_MAX_JSON_VALUES (INT64_C(1) << 25)  /* JSON values of a model; each needs 100 bytes during reading */
#define IR_MAX_JSON_NUMBER 63                  /* characters of a JSON number; cJSON has the same limit */
#define IR_MAX_ARENA_BYTES (INT64_C(1) << 35)  /* bytes in the arena of one model */
#define IR_MAX_DIAGNOSTICS 10000               /* diagnostics that are stored, errors first; more are only counted */
#define IR_MAX_MESSAGE     4096                /* bytes of one message, after characters were escaped */
#define IR_MAX_XML_NAME    10000000            /* bytes of a name that a conversion writes; many parsers read no more */
#define IR_MAX_NPY_HEADER  (INT64_C(1) << 20)  /* bytes of a .npy header; numpy accepts 10,000 by default */
#define IR_MAX_NPZ_MEMBERS (INT64_C(1) << 20)
#define IR_MAX_ROUNDS      (INT64_C(1) << 24) /* iterations of one Loop or TensorIterator; models have thousands */
#define IR_MAX_SAMPLES     (INT64_C(1) << 10) /* samples per axis in one bin of ROIAlign and similar; models have 2 */
#define IR_MAX_KNOWN_BYTES (INT64_C(1) << 20) /* bytes of contents that inference reads; weights are larger */
#define IR_MAX_KNOWN_WORK  (INT64_C(1) << 26) /* work to find contents: operations, and bytes read or stored */

#endif
