/* Answers queries of drafts and checks about the surroundings of a node. */
#ifndef KERNEL_FACTS_H
#define KERNEL_FACTS_H

#include "kernel/fold.h"
#include "model/draft.h"
#include "model/scope.h"
#include "infer/types.h"

struct parameters; /* parameter.c: the values that calls give to function parameters */

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
    struct parameters *parameters; /* by function; NULL: not yet needed */
    struct buffer *relied;         /* struct reliance, of drafts; NULL: not recorded */
};

/* Tables for a whole model. After a failure, surroundings must still be closed. */
enum opshift_status surroundings_open(struct surroundings *around, struct opshift_model *model,
                                      bool freeze_initializers, struct opshift_error *error);
void surroundings_close(struct surroundings *around);
/* The query functions; `around` must outlive them. */
struct draft_facts surroundings_facts(struct surroundings *around);
/* The same for checks: a constant that is malformed or defined twice counts as unknown, as another check reports it. */
struct draft_facts surroundings_facts_lenient(struct surroundings *around);

/* The attribute reference of the Constant<value_ints = @x> that defines a name; size 0: none. In the arena. */
enum opshift_status reference_find(const struct surroundings *around, struct graph *graph, name_id name,
                                   struct arena *arena, struct bytes *reference, struct opshift_error *error);

/* The integer that a function's attribute parameter has in all calls, through calls in other functions too
 * (parameter.c). Its text is in the arena. */
enum opshift_status parameter_find(struct surroundings *around, const struct function *function, struct bytes name,
                                   struct arena *arena, struct draft_parameter *parameter, struct opshift_error *error);
/* *given: some call gives the parameter, or it has a default, or there is no call. *omitted: some call omits it and
 * there is no default, so that an attribute that refers to it is absent there (IR.md). */
enum opshift_status parameter_given(struct surroundings *around, const struct function *function, struct bytes name,
                                    bool *given, bool *omitted, struct opshift_error *error);
void parameters_free(struct surroundings *around);

#endif
