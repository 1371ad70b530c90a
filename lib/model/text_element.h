/* The representation of each element type in TensorProto and in ONNX's textual syntax. */
#ifndef MODEL_TEXT_ELEMENT_H
#define MODEL_TEXT_ELEMENT_H

#include "model/tensor.h"

enum text_field { FIELD_NONE, FIELD_INT32, FIELD_INT64, FIELD_UINT64, FIELD_FLOAT, FIELD_DOUBLE, FIELD_STRING };

struct text_element {
    enum text_field field;      /* the typed field of TensorProto that holds it */
    uint8_t bits;               /* bits of one number in raw_data; 0 for strings */
    uint8_t per_element;        /* numbers written for one element: 2 when complex */
    int64_t least, greatest;    /* range of a number in int32_data or uint64_data (there up to 2^63 - 1, or -1: all) */
    uint8_t exponent, mantissa; /* bits of a small float that may be written as a decimal; else 0 */
};

/* NULL: not an element type. */
const struct text_element *text_element(int32_t type);

/* Product of dims; false when one is negative or it overflows. */
bool text_count(const int64_t *dims, size_t rank, uint64_t *count);

#endif
