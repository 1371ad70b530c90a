/* What is spliced into a source's bytes when its model is saved. */
#ifndef MODEL_PLAN_H
#define MODEL_PLAN_H

#include "model/preview.h"

/* Start with {.model = }. */
struct plan {
    struct opshift_model *model;
    struct arena *arena;    /* owns what is below */
    struct splice *splices; /* by rising place; none overlaps the next */
    size_t count;
    int64_t *growth; /* of each of the model's messages */
    uint32_t near;   /* the message that was asked for before */
    uint64_t size;   /* of the new file */
    struct fit *fit; /* NULL: nothing is to keep its place */
};

/* Also anew, when fit has changed. UNSUPPORTED, IO, MEMORY. */
enum opshift_status plan_make(struct plan *plan, struct opshift_error *error);
void plan_free(struct plan *plan);

#endif
