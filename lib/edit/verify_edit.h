/* Does an edited model compute what the first one does? */
#ifndef EDIT_VERIFY_EDIT_H
#define EDIT_VERIFY_EDIT_H

#include "edit/edit.h"
#include "model/weights_file.h"

/* What the steps make of the name of a value; in the arena. NULL: no memory. */
const char *renamed_by(const struct opshift_edit_options *options, struct arena *arena, const char *name);

/* Finds the bytes of a weight. *part.size 0: it has none that could be moved. In the arena. */
enum opshift_status weight_part_find(struct opshift_model *model, const struct initializer *initializer,
                                     struct arena *arena, struct weight_part *part, struct opshift_error *error);

/* Are both models one but for names, descriptions and where weights are: the same nodes with the same attributes, wired
 * alike, and weights of the same bytes? *why: the first thing that differs, in the arena. IO, MALFORMED, MEMORY. */
enum opshift_status models_same(struct opshift_model *before, struct opshift_model *after,
                                const struct opshift_edit_options *options, struct arena *arena, bool *same,
                                const char **why, struct opshift_error *error);

#endif
