/* A type as a TypeProto, and in words. */
#ifndef INFER_DECLARE_H
#define INFER_DECLARE_H

#include "base/buffer.h"
#include "model/model.h"

/* Can it be written as a TypeProto: an element type is known? */
bool type_is_declarable(const struct value_type *type);
/* What a sequence or optional holds in the end, or the tensor itself; NULL: unknown. */
const struct value_type *type_innermost(const struct value_type *type);
/* Puts it into a message, in arena; denotations stay. model: has the names of dims; NULL: they have none. False: no
 * memory. */
bool type_declare(struct arena *arena, const struct opshift_model *model, const struct value_type *type,
                  Onnx__ValueInfoProto *info);
/* A value's message with such a type; type NULL: none. NULL: no memory. */
Onnx__ValueInfoProto *value_info_new(struct arena *arena, const struct opshift_model *model, ProtobufCBinaryData name,
                                     const struct value_type *type);
/* "float[2,N,?]"; "float[]" where the rank is unknown, "?" where the element type is. */
void type_print(const struct opshift_model *model, const struct value_type *type, struct buffer *out);

#endif
