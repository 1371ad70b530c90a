/* External data of tensors, only in files below the model's directory. */
#ifndef MODEL_EXTERNAL_H
#define MODEL_EXTERNAL_H

#include <sys/stat.h>

#include "base/sha1.h"
#include "model/tensor.h"

/* Result of opening a file of external data; all code that opens one uses this. */
enum external_state {
    EXTERNAL_THERE,   /* it is open, and a regular file */
    EXTERNAL_REFUSED, /* the policy allows no external data: nothing was opened */
    EXTERNAL_MISSING, /* no such file */
    EXTERNAL_LINK,    /* the path contains a link that another policy allows */
    EXTERNAL_OUTSIDE, /* the path, or a link in it, leads out of the directory */
    EXTERNAL_NO_FILE, /* a directory, a device or a pipe */
    EXTERNAL_FAILED,  /* for a temporary reason, independent of the model and its files */
};

struct external_file {
    enum external_state state;
    int descriptor;                     /* -1: not open */
    int why;                            /* errno */
    bool linked;                        /* the path contains a link */
    enum opshift_external_policy needs; /* the strictest policy by which the file opens; NONE: by none */
    struct stat about;                  /* for THERE and NO_FILE */
};

/* Opens a file of external data; the only function that does. The caller closes the descriptor. */
void external_look(const char *directory, enum opshift_external_policy policy, const char *location,
                   struct external_file *file);
/* The word for INSIDE and HF_CACHE. */
const char *external_policy_word(enum opshift_external_policy policy);
/* Fails unless the file is THERE: IO for MISSING and FAILED, MEMORY, else UNSUPPORTED. */
enum opshift_status external_refuse(const struct external_file *file, enum opshift_external_policy policy,
                                    const char *location, struct opshift_error *error);

/* Reads a tensor with its elements from the file that external_data names. directory NULL: none is known, which fails.
 */
enum opshift_status external_read(const char *directory, enum opshift_external_policy policy,
                                  const Onnx__TensorProto *message, struct arena *arena, struct tensor **tensor,
                                  struct opshift_error *error);

/* Opens the file for reading and gives the range of the tensor's bytes, which lies inside the file. */
enum opshift_status external_open(const char *directory, enum opshift_external_policy policy,
                                  const Onnx__TensorProto *message, int *descriptor, uint64_t *offset, uint64_t *size,
                                  struct opshift_error *error);

/* Reads the location from external_data and checks that it is a relative path below the directory (links are not
 * checked).
 */
#define EXTERNAL_LOCATION_SIZE 4096u
enum opshift_status external_location(const Onnx__TensorProto *message, char location[EXTERNAL_LOCATION_SIZE],
                                      struct opshift_error *error);
/* The same, and the range of the tensor's bytes in the file, whose length fits the dims. */
enum opshift_status external_place(const Onnx__TensorProto *message, char location[EXTERNAL_LOCATION_SIZE],
                                   uint64_t *offset, uint64_t *size, struct opshift_error *error);
/* The SHA-1 that the tensor declares for the file, in lower case; "": none, or not a SHA-1. */
void external_checksum(const Onnx__TensorProto *message, char checksum[SHA1_TEXT_SIZE]);
/* Opens the file; *descriptor -1 with OK: no such file. */
enum opshift_status external_open_location(const char *directory, enum opshift_external_policy policy,
                                           const char *location, int *descriptor, struct opshift_error *error);

#endif
