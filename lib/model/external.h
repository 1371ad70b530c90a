/* External data: a tensor's bytes in a file of their own, below the model's folder and nowhere else. */
#ifndef MODEL_EXTERNAL_H
#define MODEL_EXTERNAL_H

#include "model/model.h"

/* Reads size bytes of a tensor into the caller's memory, as its external_data entries say (IR.md, "External Tensor
 * Data"). MALFORMED: keys missing, twice or not to be read. UNSUPPORTED: the location is absolute, leaves the folder,
 * is or passes a symbolic link, or is no regular file. IO: the file is missing or too short. */
enum opshift_status external_read(const struct opshift_model *model, const Onnx__TensorProto *message, void *into,
                                  uint64_t size, struct opshift_error *error);

#endif
