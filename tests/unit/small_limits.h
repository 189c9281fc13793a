/* The limits of irrun, of which those that no test reaches in a second are small. limits_test is compiled with this
 * header before each source, and with the sources that compare a count with a small limit. */
#ifndef SMALL_LIMITS_H
#define SMALL_LIMITS_H

#include "base/limits.h"

#undef IR_MAX_LAYERS
#undef IR_MAX_EDGES
#undef IR_MAX_AGAIN
#undef IR_MAX_RT_PATHS
#undef IR_MAX_STREAM_TEXT
#undef IR_MAX_JSON_VALUES
#undef IR_MAX_ARENA_BYTES
#undef IR_MAX_NPZ_MEMBERS
#undef IR_MAX_ROUNDS
#undef IR_MAX_KNOWN_BYTES
#undef IR_MAX_KNOWN_WORK
#define IR_MAX_LAYERS      INT64_C(5000) /* above IR_MAX_BODIES */
#define IR_MAX_EDGES       (2 * IR_MAX_PORTS)
#define IR_MAX_AGAIN       INT64_C(12)
#define IR_MAX_RT_PATHS    INT64_C(4096)
#define IR_MAX_STREAM_TEXT (INT64_C(1) << 15) /* the capacity of a pipe is 64 KiB */
#define IR_MAX_JSON_VALUES (2 * IR_MAX_EDGES)
#define IR_MAX_ARENA_BYTES (INT64_C(1) << 25)
#define IR_MAX_NPZ_MEMBERS INT64_C(3)
#define IR_MAX_ROUNDS      INT64_C(5)
#define IR_MAX_KNOWN_BYTES INT64_C(64)
#define IR_MAX_KNOWN_WORK  (4 * IR_MAX_KNOWN_BYTES)

#endif
