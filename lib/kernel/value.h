/* Values of a running graph: a tensor, a sequence of tensors, or an empty optional. */
#ifndef KERNEL_VALUE_H
#define KERNEL_VALUE_H

#include "kernel/budget.h"
#include "model/tensor.h"

/* Owns the memory of one node's outputs; freed when none of them is in use. */
struct holder;

/* A non-empty optional is represented by its content. */
enum value_kind { VALUE_ABSENT, VALUE_TENSOR, VALUE_SEQUENCE, VALUE_NONE };

struct value {
    enum value_kind kind;
    const struct tensor *tensor;
    const struct sequence *sequence;
    struct holder *holder; /* owner of the memory; NULL: the caller */
};

/* Tensors of one type; type is UNDEFINED while the sequence is empty and has no declared type. */
struct sequence {
    enum opshift_type type;
    size_t count;
    const struct value *items;
};

/* Starts with one reference. NULL: no memory. */
struct holder *holder_new(struct budget *budget);
struct arena *holder_arena(struct holder *holder);
/* Counts what was allocated in the arena since, and the holder itself; false: the limit is exceeded. */
bool holder_finish(struct holder *holder);
/* Keeps another holder alive as long as this one. False: no memory. */
bool holder_hold(struct holder *holder, struct holder *other);
/* The same for the elements only: for a view, holds the view's source, so that chains of views do not accumulate. */
bool holder_share(struct holder *holder, struct holder *other);
/* Holds the holder of each item of a sequence; the items are in its own arena. */
bool holder_hold_items(struct holder *holder, const struct value *items, size_t count);
/* Marks the holder as a view: its values are shapes over elements of another holder. */
void holder_set_view(struct holder *holder);
void holder_drop(struct holder *holder);

static inline struct value value_of(const struct tensor *tensor)
{
    return (struct value){.kind = tensor == NULL ? VALUE_ABSENT : VALUE_TENSOR, .tensor = tensor};
}

/* Adds a reference. */
struct value value_keep(struct value value);
/* Drops a reference; the value becomes absent. */
void value_drop(struct value *value);
void values_drop(struct value *values, size_t count);
/* Would value_take return its arena? */
bool value_is_whole(const struct value *value);
/* The arena of a tensor that has one reference, depends on nothing else and takes most of the arena. The caller then
 * owns the arena, and the value becomes absent. NULL: the tensor must be copied. */
struct arena *value_take(struct value *value);
/* "a tensor", "a sequence", ... */
const char *value_kind_name(enum value_kind kind);

#endif
