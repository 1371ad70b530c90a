/* What a model will be with its edits, without writing it: another model, over the same bytes. */
#ifndef MODEL_PREVIEW_H
#define MODEL_PREVIEW_H

#include "model/model.h"

/* Opens the model as it would be saved. It reads the source of the model, or of the model that this one is a preview
 * of, and is freed before them; what it consists of beyond that is in the arena. UNSUPPORTED, MALFORMED, IO, MEMORY. */
enum opshift_status model_preview(struct opshift_model *model, struct arena *arena, struct opshift_model **preview,
                                  struct opshift_error *error);
/* Lays on the model the edits that make it what a preview of it, or a preview of such a preview, is; in the place of
 * those that it has. */
enum opshift_status model_adopt(struct opshift_model *model, const struct opshift_model *preview,
                                struct opshift_error *error);

/* Bytes of the source replaced by others. */
struct splice {
    uint64_t offset, removed;
    struct bytes added;
};

/* The edits as splices of the source, by rising place, none overlapping the next, the lengths around them too. They and
 * their bytes are in the arena. */
enum opshift_status model_splices(struct opshift_model *model, struct arena *arena, struct splice **splices,
                                  size_t *count, struct opshift_error *error);

#endif
