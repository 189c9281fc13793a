/* All limits in one place. Counts and lengths from a file are compared with them before memory is allocated. */
#ifndef IR_LIMITS_H
#define IR_LIMITS_H

#include <stdint.h>

#define IR_MAX_RANK        16                 /* axes of a tensor; OpenVINO's pools allow 5, nGraph's files 8 */
#define IR_MAX_AXES        32                 /* items of an axes input: each axis once from either end */
#define IR_MAX_DEPTH       256                /* nested XML elements, JSON arrays and objects; models need about 8 */
#define IR_MAX_LAYERS      (INT64_C(1) << 24) /* 16 million layers: 30 times the largest model known */
#define IR_MAX_PORTS       (INT64_C(1) << 16) /* ports of one layer */
#define IR_MAX_EDGES       (INT64_C(1) << 26)
#define IR_MAX_BODIES      (INT64_C(1) << 12)  /* bodies of If, Loop and TensorIterator in one model */
#define IR_MAX_BODY_DEPTH  32                  /* nesting of bodies */
#define IR_MAX_AGAIN       (INT64_C(1) << 20)  /* repeated inferences of layers whose shape a back edge changes */
#define IR_MAX_ATTRIBUTES  512                 /* attributes of one element */
#define IR_MAX_ITEMS       (INT64_C(1) << 16)  /* items of one attribute list */
#define IR_MAX_MODEL_BYTES INT64_C(0xffffffff) /* 4 GiB of model text: ir_at holds places in 32 bits */
#define IR_MAX_STREAM_TEXT (INT64_C(1) << 26)  /* 64 MiB of text from a stream, which may be endless */
#define IR_MAX_JSON_VALUES (INT64_C(1) << 25)  /* 33 million JSON values of 100 bytes each while a model is read */
#define IR_MAX_JSON_NUMBER 63                  /* characters of a number, as in cJSON */
#define IR_MAX_ARENA_BYTES (INT64_C(1) << 35)  /* bytes in the arena of one model */
#define IR_MAX_DIAGNOSTICS 10000               /* diagnostics kept, errors first; others are only counted */
#define IR_MAX_MESSAGE     4096                /* bytes of one message, after escaping */
#define IR_MAX_XML_NAME    10000000            /* bytes of an attribute's value; libxml2's own limit */
#define IR_MAX_NPY_HEADER  (INT64_C(1) << 20)  /* bytes; numpy itself refuses headers above 10,000 bytes by default */
#define IR_MAX_NPZ_MEMBERS (INT64_C(1) << 20)
#define IR_MAX_ROUNDS      (INT64_C(1) << 24) /* iterations of one Loop or TensorIterator; models have thousands */
#define IR_MAX_SAMPLES     (INT64_C(1) << 10) /* samples per axis in a bin of ROIAlign and similar; models have 2 */
#define IR_MAX_KNOWN_BYTES (INT64_C(1) << 20) /* bytes of contents that a check reads: shapes and axes, not weights */
#define IR_MAX_KNOWN_WORK  (INT64_C(1) << 26) /* work to find contents: additions, comparisons, bytes read and kept */

#endif
