/* The stages of opshift_edit: each edits the model that the stages before it made. */
#ifndef EDIT_EDIT_H
#define EDIT_EDIT_H

#include <jansson.h>

#include "model/scope.h"

#define EDIT_NAME_MOST 120 /* bytes of a name in a message */

struct editing {
    struct opshift_model *model; /* a preview, after the stages so far */
    struct arena *arena;         /* of all stages */
    const struct opshift_edit_step *steps;
    size_t step_count;
    json_t *done;                 /* what the report lists */
    struct arena *lasting;        /* of the first model */
    struct weights_file *weights; /* that is saved with it; NULL: none */
};

/* The value of the next step of this name from *at on, which moves behind it. NULL: there is none. */
const char *edit_next(const struct editing *editing, const char *name, size_t *at);
bool edit_has(const struct editing *editing, const char *name);
/* The number of bytes that a step gives. */
enum opshift_status edit_number(const struct editing *editing, const char *name, uint64_t preset, uint64_t *number,
                                struct opshift_error *error);
/* Adds a line to the report. count: how many places, nodes, ... it is about. */
enum opshift_status edit_tell(struct editing *editing, const char *name, uint64_t count, struct opshift_error *error,
                              const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Makes the edits so far, so that what follows sees a model with them. */
enum opshift_status edit_settle(struct editing *editing, struct opshift_error *error);

/* The number of a NUL-terminated name; NAME_NONE: the model does not have it. */
name_id edit_name(const struct editing *editing, const char *text);
/* "'x=y': the model has no value 'x'; there is 'z'". bits: by name_id, those that it has. */
enum opshift_status edit_no_such(const struct editing *editing, const char *step, const char *value, const char *what,
                                 const char *name, const uint8_t *bits, struct opshift_error *error);
/* A bit for each name that stands in such a part (enum walk_part); names are added to the model's. */
enum opshift_status edit_names(struct editing *editing, unsigned part, uint8_t **bits, struct opshift_error *error);
/* The text of a report. */
void edit_text(const json_t *root, struct buffer *out);
/* Writes another IR version. */
enum opshift_status ir_version_set(struct opshift_model *model, int64_t version, struct opshift_error *error);
/* A bit for each name of a value: of all graphs outside of functions, or of the functions. NULL: no memory. */
uint8_t *edit_values(const struct editing *editing, bool functions);

static inline bool bit_has(const uint8_t *bits, uint32_t at)
{
    return bits[at / 8] >> at % 8 & 1;
}
static inline void bit_set(uint8_t *bits, uint32_t at)
{
    bits[at / 8] |= (uint8_t)(1u << at % 8);
}

/* Does a name match a pattern with at most one '*'? *part: what the '*' stands for. */
bool pattern_matches(struct bytes pattern, struct bytes name, struct bytes *part);
bool edit_matches(const char *pattern, struct bytes name, struct bytes *part);

typedef enum opshift_status edit_stage(struct editing *editing, struct opshift_error *error);
edit_stage inline_edit, extract_edit, outputs_edit, rename_edit, unique_edit, dims_edit, fold_edit, strip_edit,
    dedupe_edit, weights_edit, inputs_edit;

#endif
