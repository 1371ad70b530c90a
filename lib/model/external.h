/* Tensors whose data lies in another file, inside the model's folder and nowhere else. */
#ifndef MODEL_EXTERNAL_H
#define MODEL_EXTERNAL_H

#include "model/tensor.h"

/* The tensor, its elements read from the file that external_data names. folder NULL: there is none to look in. */
enum opshift_status external_read(const char *folder, const Onnx__TensorProto *message, struct arena *arena,
                                  struct tensor **tensor, struct opshift_error *error);

/* The file alone, open for reading, and where in it the tensor's bytes lie: all of them are there. */
enum opshift_status external_open(const char *folder, const Onnx__TensorProto *message, int *descriptor,
                                  uint64_t *offset, uint64_t *size, struct opshift_error *error);

#endif
