/* Operators of ONNX and what they are called in OpenVINO's IR. */
#ifndef DIALECT_OPENVINO_OPERATOR_H
#define DIALECT_OPENVINO_OPERATOR_H

#include "dialect/ir.h"

/* How attributes and inputs correspond. */
enum openvino_form {
    FORM_PLAIN,     /* the same inputs, no attributes of ONNX's */
    FORM_CONCAT,    /* an attribute axis */
    FORM_AXES,      /* axes: an attribute or an input; in the IR an input, optional */
    FORM_REDUCE,    /* the same, and keepdims; without axes over all of them */
    FORM_RESHAPE,   /* shape: an attribute or an input; allowzero */
    FORM_TRANSPOSE, /* perm: in the IR an input */
    FORM_CONST,
    FORM_CONVERT, /* to a type */
    FORM_SOFTMAX, /* an attribute axis, whose meaning changed with opset 13 */
    FORM_GATHER,  /* an attribute axis; in the IR an input */
    FORM_SHAPE,
    FORM_DIVIDE, /* integers are truncated */
    FORM_MOD,    /* fmod chooses the operator */
    FORM_MATMUL, /* the IR may transpose, too */
    FORM_COUNT
};

struct openvino_operator {
    const char *onnx, *type;
    const char *version;       /* as it is written */
    const char *also;          /* other versions that mean the same, separated by blanks; "": none */
    int64_t since;             /* the oldest opset of ONNX with this meaning */
    uint32_t inputs;           /* the number of inputs; 0: any */
    struct ir_setting setting; /* an attribute with only this value; NULL: none */
    enum openvino_form form;
};

/* NULL: it has no counterpart. */
const struct openvino_operator *openvino_operator_of_onnx(const char *op_type);
/* By the layer's type, in any case, and its version. NULL: there is none. */
const struct openvino_operator *openvino_operator_of_layer(const char *type, const char *version);

#endif
