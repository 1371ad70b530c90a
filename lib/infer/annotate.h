/* Writes what follows from given shapes into a model's declarations. */
#ifndef INFER_ANNOTATE_H
#define INFER_ANNOTATE_H

#include "model/model.h"

/* Edits the declarations of the given inputs, and of all values whose type follows from them; none is added. *count: of
 * declarations that changed. Fails as opshift_infer does. */
enum opshift_status given_declare(struct opshift_model *model, const struct opshift_given *given, uint64_t *count,
                                  struct opshift_error *error);

#endif
