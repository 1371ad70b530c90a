/* What is spliced into a source's bytes when its model is saved. */
#ifndef MODEL_PLAN_H
#define MODEL_PLAN_H

#include "model/preview.h"

/* Start with {.model = }. */
struct plan {
    struct opshift_model *model;
    struct arena *arena;    /* owns what is below */
    struct splice *lengths; /* of messages that grow or shrink, by rising place */
    size_t length_count;
    int64_t *growth; /* of each of the model's messages */
    uint32_t near;   /* the message that was asked for before */
    uint64_t size;   /* of the new file */
    struct fit *fit; /* NULL: nothing is to keep its place */
};

/* A walk over what is spliced in: the model's edits, as they are, and the lengths. Starts with {0}. */
struct plan_walk {
    uint32_t edit;
    size_t length;
    uint64_t start, end; /* what an edit removed last */
};

/* Also anew, when fit has changed. UNSUPPORTED, IO, MEMORY. */
enum opshift_status plan_make(struct plan *plan, struct opshift_error *error);
/* By rising place; none overlaps the next. false: there are no more. */
bool plan_next(const struct plan *plan, struct plan_walk *walk, struct splice *splice);
/* All of them, in the arena. MEMORY. */
enum opshift_status plan_splices(const struct plan *plan, struct arena *arena, struct splice **splices, size_t *count,
                                 struct opshift_error *error);
void plan_free(struct plan *plan);

#endif
