/* Where the bytes of weights are; a file of external data that is saved with a model. */
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
    uint64_t at;                 /* in the new file; rising */
    struct opshift_model *model; /* whose ranges these are; NULL: of the one that is saved */
};

/* In the model's arena. */
struct weights_file {
    const char *location;
    struct weight_part *parts;
    uint32_t count, room;
    uint64_t size;
};

/* Finds the bytes of a weight. *part.size 0: it has none that could be moved. In the arena. */
enum opshift_status weight_part_find(struct opshift_model *model, const struct initializer *initializer,
                                     struct arena *arena, struct weight_part *part, struct opshift_error *error);
/* Reads `size` of them, from `from` on, as they are in the file. IO, MEMORY, and as external_open_location. */
enum opshift_status weight_part_read(const struct weight_part *part, uint64_t from, void *bytes, size_t size,
                                     struct opshift_error *error);
/* Are they one range? Both of one model. */
bool weight_parts_same(const struct weight_part *a, const struct weight_part *b);
/* Are they the same bytes? pieces: room for two WEIGHT_PIECE. */
#define WEIGHT_PIECE (UINT64_C(1) << 18)
enum opshift_status weight_parts_compare(const struct weight_part *a, const struct weight_part *b, uint8_t *pieces,
                                         bool *same, struct opshift_error *error);
/* Is it a range of the file that will be saved with the model that this one is the result of? */
bool weights_find(const struct opshift_model *model, const char *location, uint64_t offset, uint64_t size,
                  struct weight_part *part);

/* Writes the model's file of weights to directory, under a temporary name. IO, MEMORY, and as external_open_location.
 */
enum opshift_status weights_write(struct opshift_model *model, const char *directory, bool sync,
                                  struct destination **destination, struct opshift_error *error);

#endif
