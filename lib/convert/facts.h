/* What a draft, or a check, asks about the surroundings of a node. */
#ifndef CONVERT_FACTS_H
#define CONVERT_FACTS_H

#include "kernel/fold.h"
#include "model/draft.h"
#include "model/scope.h"
#include "schema/types.h"

struct surroundings {
    struct opshift_model *model;
    struct scopes *scopes;
    struct types *types;
    struct folder *folder;
};

/* Tables for a whole model; on a failure too, what was made is there to be freed. */
enum opshift_status surroundings_open(struct surroundings *around, struct opshift_model *model,
                                      bool freeze_initializers, struct opshift_error *error);
void surroundings_close(struct surroundings *around);
/* The answers; around must outlive them. */
struct draft_facts surroundings_facts(struct surroundings *around);

#endif
