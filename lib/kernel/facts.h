/* What is known about the surroundings of a node, for drafts and checks. */
#ifndef KERNEL_FACTS_H
#define KERNEL_FACTS_H

#include "kernel/fold.h"
#include "model/draft.h"
#include "model/scope.h"
#include "infer/types.h"

/* The INT values of a function's attribute parameter in its calls. */
struct draft_parameter {
    bool agreed;         /* the same in every call */
    bool known;          /* known in every call, the same or different ones */
    int64_t least;       /* the least of them */
    const char *missing; /* a call gives none and there is no default, in words; NULL: none does so */
};

/* An INT attribute of a draft. */
struct draft_int {
    bool given;          /* the node has it, and it is an INT */
    bool known;          /* its value is: a function's attribute where all calls agree */
    int64_t value;       /* 0: not known */
    const char *missing; /* as in struct draft_parameter */
};

/* The property of a value on which a rewriting depends. */
enum draft_reliance {
    RELIES_ON_ELEMENT,
    RELIES_ON_RANK,
    RELIES_ON_SHAPE,
    RELIES_ON_CONSTANT /* its value, computed from constants and shapes */
};

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
    bool lenient; /* for checks: a constant that is malformed or defined twice counts as unknown, as another check
                     reports it */
};

/* Tables for a whole model. After a failure, surroundings must still be closed. */
enum opshift_status surroundings_open(struct surroundings *around, struct opshift_model *model,
                                      bool freeze_initializers, struct opshift_error *error);
void surroundings_close(struct surroundings *around);

/* ---- constants ---- */

/* The value of a name if it is constant. NULL: it is not, and *why describes what it is. */
enum opshift_status fact_constant(struct surroundings *around, struct graph *graph, name_id name,
                                  const struct tensor **tensor, const char **why, struct opshift_error *error);
/* The attribute reference of the Constant<value_ints = @x> that defines a name; size 0: none. In the arena. */
enum opshift_status reference_find(const struct surroundings *around, struct graph *graph, name_id name,
                                   struct arena *arena, struct bytes *reference, struct opshift_error *error);

/* ---- parameters of functions ---- */

/* The integer that a function's attribute parameter has in all calls, through calls in other functions too
 * (parameter.c). Its text is in the arena. */
enum opshift_status parameter_find(struct surroundings *around, const struct function *function, struct bytes name,
                                   struct arena *arena, struct draft_parameter *parameter, struct opshift_error *error);
/* *given: some call gives the parameter, or it has a default, or there is no call. *omitted: some call omits it and
 * there is no default, so that an attribute that refers to it is absent there (IR.md). */
enum opshift_status parameter_given(struct surroundings *around, const struct function *function, struct bytes name,
                                    bool *given, bool *omitted, struct opshift_error *error);
/* The value of any type that the parameter has in all calls, or by its default; in the arena. *message NULL: calls
 * differ or omit it, or it is not known. */
enum opshift_status parameter_message(struct surroundings *around, const struct function *function, struct bytes name,
                                      struct arena *arena, Onnx__AttributeProto **message, struct opshift_error *error);
/* Do the calls of a function give one of its inputs? */
enum input_presence { INPUT_GIVEN, INPUT_LEFT_OUT, INPUT_MIXED };
/* The same of a name in a graph of a function; other values are given. */
enum opshift_status input_presence_find(struct surroundings *around, struct graph *graph, name_id name,
                                        enum input_presence *presence, struct opshift_error *error);
void parameters_free(struct surroundings *around);

/* ---- the same for a draft: names are those of its graph, results are in its arena ---- */

enum opshift_status draft_constant(const struct draft *draft, name_id name, const struct tensor **tensor,
                                   const char **why, struct opshift_error *error);
/* Size 0: no reference. */
enum opshift_status draft_reference(const struct draft *draft, name_id name, struct bytes *reference,
                                    struct opshift_error *error);
/* Its type and dims as far as known (unknown ones are not a failure). */
enum opshift_status draft_type(const struct draft *draft, name_id name, struct value_type *type,
                               struct opshift_error *error);
/* The same, only as declared by the model. */
enum opshift_status draft_declared(const struct draft *draft, name_id name, struct value_type *type,
                                   struct opshift_error *error);
/* Unknown if there is no call. */
enum opshift_status draft_parameter(const struct draft *draft, struct bytes name, struct draft_parameter *parameter,
                                    struct opshift_error *error);
enum opshift_status draft_int_read(const struct draft *draft, const char *attribute, struct draft_int *number,
                                   struct opshift_error *error);
/* Is the name neither read nor a graph output? */
enum opshift_status draft_unread(const struct draft *draft, name_id name, bool *unread, struct opshift_error *error);
/* Records that the draft depends on this property of the value, for the list of assumptions. */
void draft_relies(const struct draft *draft, name_id name, enum draft_reliance on);

#endif
