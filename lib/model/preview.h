/* The edited model as another model over the same bytes, without writing it. */
#ifndef MODEL_PREVIEW_H
#define MODEL_PREVIEW_H

#include "model/model.h"

/* Opens the model as it would be saved. The preview reads the source of the model (or of the model that this one is a
 * preview of) and must be freed before it; its added bytes are in the arena. UNSUPPORTED, MALFORMED, IO, MEMORY. */
enum opshift_status model_preview(struct opshift_model *model, struct arena *arena, struct opshift_model **preview,
                                  struct opshift_error *error);
/* Replaces the model's edits by those that make it equal to a preview of it, or to a preview of that. */
enum opshift_status model_adopt(struct opshift_model *model, const struct opshift_model *preview,
                                struct opshift_error *error);

/* A replacement of bytes of the source. */
struct splice {
    uint64_t offset, removed;
    struct bytes added;
};

/* The edits and the changed lengths as splices of the source, sorted by offset, without overlaps. They and their bytes
 * are in the arena. */
enum opshift_status model_splices(struct opshift_model *model, struct arena *arena, struct splice **splices,
                                  size_t *count, struct opshift_error *error);

#endif
