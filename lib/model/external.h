/* Tensors whose data lies in another file, inside the model's folder and nowhere else. */
#ifndef MODEL_EXTERNAL_H
#define MODEL_EXTERNAL_H

#include <sys/stat.h>

#include "base/sha1.h"
#include "model/tensor.h"

/* What becomes of opening a file that external data names. Whoever opens one goes by this. */
enum external_state {
    EXTERNAL_THERE,   /* it is open, and a regular file */
    EXTERNAL_REFUSED, /* the policy allows none: nothing was looked at */
    EXTERNAL_MISSING, /* there is none */
    EXTERNAL_LINK,    /* a link is on the way, which the policy does not follow */
    EXTERNAL_OUTSIDE, /* it lies outside the folder, by its name or behind a link */
    EXTERNAL_NO_FILE, /* a folder, a device or a pipe */
    EXTERNAL_FAILED,  /* for a reason that does not lie in the model or its files, and may pass */
};

struct external_file {
    enum external_state state;
    int descriptor;    /* -1: it is not open */
    int why;           /* the errno */
    bool linked;       /* a link was followed on the way */
    struct stat about; /* of what is THERE, or NO_FILE */
};

/* The one way to a file of external data. The descriptor is the caller's to close. */
void external_look(const char *folder, enum opshift_external_policy policy, const char *location,
                   struct external_file *file);
/* The words for what is not THERE: IO for what is MISSING or FAILED, MEMORY, else UNSUPPORTED. OK where it is. */
enum opshift_status external_refuse(const struct external_file *file, enum opshift_external_policy policy,
                                    const char *location, struct opshift_error *error);

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
