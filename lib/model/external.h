/* Tensors whose data lies in another file, inside the model's folder and nowhere else. */
#ifndef MODEL_EXTERNAL_H
#define MODEL_EXTERNAL_H

#include "base/sha1.h"
#include "model/tensor.h"

/* The tensor, its elements read from the file that external_data names. folder NULL: there is none to look in. */
enum opshift_status external_read(const char *folder, enum opshift_external_policy policy,
                                  const Onnx__TensorProto *message, struct arena *arena, struct tensor **tensor,
                                  struct opshift_error *error);

/* The file alone, open for reading, and where in it the tensor's bytes lie: all of them are there. */
enum opshift_status external_open(const char *folder, enum opshift_external_policy policy,
                                  const Onnx__TensorProto *message, int *descriptor, uint64_t *offset, uint64_t *size,
                                  struct opshift_error *error);

/* What external_data says: a location below the folder, as far as its words go. */
#define EXTERNAL_LOCATION_SIZE 4096u
enum opshift_status external_location(const Onnx__TensorProto *message, char location[EXTERNAL_LOCATION_SIZE],
                                      struct opshift_error *error);
/* The same, and where in the file the tensor's bytes lie, as many as its dims need. */
enum opshift_status external_place(const Onnx__TensorProto *message, char location[EXTERNAL_LOCATION_SIZE],
                                   uint64_t *offset, uint64_t *size, struct opshift_error *error);
/* The SHA-1 of the file, as the tensor gives it, in small letters; "": it gives none, or something else. */
void external_checksum(const Onnx__TensorProto *message, char checksum[SHA1_TEXT_SIZE]);
/* The file, whole; *descriptor -1: it is not open, which is OK where there is none. */
enum opshift_status external_open_location(const char *folder, enum opshift_external_policy policy,
                                           const char *location, int *descriptor, struct opshift_error *error);

#endif
