/* Uses of values outside of nodes. */
#ifndef MODEL_OUTSIDE_H
#define MODEL_OUTSIDE_H

#include "model/model.h"

/* A bit for each of the model's names that occurs in a training binding, a quantization annotation or a node's device
 * configuration; freed by the caller. NULL: there are none of these. IO, MEMORY. */
enum opshift_status outside_names(const struct opshift_model *model, uint8_t **bits, struct opshift_error *error);

#endif
