/* What a draft, or a check, asks about the surroundings of a node. */
#ifndef KERNEL_FACTS_H
#define KERNEL_FACTS_H

#include "kernel/fold.h"
#include "model/draft.h"
#include "model/scope.h"
#include "infer/types.h"

struct parameters; /* parameter.c: what the calls of a function give */

/* A part of a value's type that a draft relied on. */
struct reliance {
    struct graph *graph;
    name_id name;
    enum draft_reliance on;
};

struct surroundings {
    struct opshift_model *model;
    struct scopes *scopes;
    struct types *types;
    struct fold *fold;
    struct parameters *parameters; /* by function; NULL: none was asked for */
    struct buffer *relied;         /* struct reliance, of drafts; NULL: nobody wants to know */
};

/* Tables for a whole model; on a failure too, what was made is there to be freed. */
enum opshift_status surroundings_open(struct surroundings *around, struct opshift_model *model,
                                      bool freeze_initializers, struct opshift_error *error);
void surroundings_close(struct surroundings *around);
/* The answers; around must outlive them. */
struct draft_facts surroundings_facts(struct surroundings *around);
/* The same for checks: a constant that does not read, or of a name that is defined twice, is not known. What is wrong
 * with it is a finding where it stands. */
struct draft_facts surroundings_facts_lenient(struct surroundings *around);

/* What Constant<value_ints = @x> refers to, behind a name; size 0: nothing such. It is in arena. */
enum opshift_status reference_find(const struct surroundings *around, struct graph *graph, name_id name,
                                   struct arena *arena, struct bytes *reference, struct opshift_error *error);

/* The integer that a function's attribute parameter has at all calls, and at the calls of the functions that hand it on
 * (parameter.c). What it has in words is in arena. */
enum opshift_status parameter_find(struct surroundings *around, const struct function *function, struct bytes name,
                                   struct arena *arena, struct draft_parameter *parameter, struct opshift_error *error);
/* *given: some call gives the parameter, or its default does, or there is no call. *omitted: some call leaves it out
 * and there is no default, so that a node's attribute that refers to it is absent there (IR.md). */
enum opshift_status parameter_given(struct surroundings *around, const struct function *function, struct bytes name,
                                    bool *given, bool *omitted, struct opshift_error *error);
void parameters_free(struct surroundings *around);

#endif
