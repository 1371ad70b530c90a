/* A model's file changed where it stands: only the bytes that differ are written, which takes no time whatever the
 * weights, and leaves a broken file behind where the machine stops in between. */
#ifndef MODEL_IN_PLACE_H
#define MODEL_IN_PLACE_H

#include "model/plan.h"

struct in_place;

/* What is to be written into the file at path, which must be the one that the model was read from. Nothing is written
 * yet. USAGE, UNSUPPORTED (too much would move), IO, MEMORY. Messages name the path. */
enum opshift_status in_place_open(struct plan *plan, const char *path, struct in_place **in_place,
                                  struct opshift_error *error);
/* Writes it. IO. */
enum opshift_status in_place_commit(struct in_place *in_place, bool sync, struct opshift_error *error);
void in_place_free(struct in_place *in_place);

#endif
