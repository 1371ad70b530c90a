/* A file of external data that is saved with a model. */
#ifndef MODEL_WEIGHTS_FILE_H
#define MODEL_WEIGHTS_FILE_H

#include "base/destination.h"
#include "model/model.h"

/* The bytes of a weight: bytes in memory; else a range of a file of external data, or (location NULL) of the model's.
 */
struct weight_part {
    const uint8_t *bytes;
    const char *location;
    uint64_t offset, size;
    uint64_t at; /* in the new file; rising */
};

/* In the model's arena. */
struct weights_file {
    const char *location;
    struct weight_part *parts;
    uint32_t count, room;
    uint64_t size;
};

/* Writes the model's file of weights to directory, under a temporary name. IO, MEMORY, and as external_open_location.
 */
enum opshift_status weights_write(struct opshift_model *model, const char *directory, bool sync,
                                  struct destination **destination, struct opshift_error *error);

#endif
