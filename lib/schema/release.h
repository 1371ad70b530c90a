/* The releases of ONNX: the opsets and the IR version of each. */
#ifndef SCHEMA_RELEASE_H
#define SCHEMA_RELEASE_H

#include <stdint.h>

struct onnx_release {
    const char *name; /* "1.16.0" */
    uint8_t ir_version;
    uint8_t opset;        /* ai.onnx */
    uint8_t ml, training; /* ai.onnx.ml, ai.onnx.training; 0: none */
};

/* All, oldest first; the last row's name is NULL. docs/releases.md is the same table. */
extern const struct onnx_release onnx_releases[];
/* The first release that has an opset of ai.onnx. NULL: none. */
const struct onnx_release *release_of_opset(int64_t opset);

#define IR_VERSION_OLDEST 3 /* that models are written with */
#define IR_VERSION_NEWEST 14

#endif
