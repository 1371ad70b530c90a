/* Reads what a model declares about its inputs and outputs, and checks values against it. */
#ifndef RUN_INPUTS_H
#define RUN_INPUTS_H

#include "base/table.h"
#include "model/model.h"
#include "run/values.h"

/* A declared type. */
struct declared_type {
    enum value_kind kind; /* ABSENT: undeclared; else TENSOR or SEQUENCE */
    bool optional;
    enum opshift_type type;        /* of the elements; UNDEFINED: undeclared */
    int32_t rank;                  /* of a tensor, or of each in a sequence; -1: undeclared */
    int64_t dims[TENSOR_RANK_MAX]; /* -1: undeclared */
    name_id params[TENSOR_RANK_MAX];
};

enum opshift_status declared_read(struct opshift_model *model, const struct value_info *info,
                                  struct declared_type *declared, struct opshift_error *error);

/* Sizes of symbolic dims, by name. */
struct dim_size {
    name_id name;
    int64_t size;
    const char *by; /* the input that gave the size */
};

struct sizes {
    struct dim_size *items; /* in arena */
    uint32_t count, room;
    struct table table; /* the items by name */
    struct arena *arena;
    bool ignored; /* shapes are not checked */
};

/* Checks a value against the input's declaration, and records the sizes of its named dims. USAGE: they differ. */
enum opshift_status inputs_check(struct opshift_model *model, const char *name, const struct declared_type *declared,
                                 const struct value *value, struct sizes *bindings, struct opshift_error *error);
/* Checks the values for a run: all inputs without a default are given, and as declared. matched: gets each value, in
 * the order of the main graph's inputs; may be NULL. USAGE. */
enum opshift_status inputs_match(struct opshift_model *model, const struct opshift_values *inputs, bool ignore_shapes,
                                 struct value *matched, struct opshift_error *error);
/* NULL: not found. */
const struct dim_size *sizes_find(const struct sizes *bindings, name_id name);
bool sizes_add(struct sizes *bindings, name_id name, int64_t size, const char *by);

/* By name id: has the main graph an initializer of this name? In the arena. NULL: no memory. */
bool *inputs_defaults(const struct opshift_model *model, struct arena *arena);
/* "; did you mean 'x'?" or "; the inputs are 'x', 'y'", in the arena. */
const char *inputs_hint(struct opshift_model *model, struct arena *arena, const char *name);

#endif
