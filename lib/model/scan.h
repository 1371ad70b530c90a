/* The one pass over a file that builds a model's index. */
#ifndef MODEL_SCAN_H
#define MODEL_SCAN_H

#include "model/model.h"
#include "wire/wire.h"

/* Fills the model's index from its source; name, limits, arena and names are set. */
enum opshift_status model_scan(struct opshift_model *model, struct opshift_error *error);

/* Fails (MALFORMED) unless a known field is written as its type is. */
enum opshift_status field_check_wire(const ProtobufCMessageDescriptor *message, const ProtobufCFieldDescriptor *known,
                                     const struct wire_field *field, struct opshift_error *error);

#endif
