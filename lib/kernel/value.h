/* What flows between the nodes of a running graph: a tensor, a sequence of tensors, or an optional that holds nothing.
 */
#ifndef KERNEL_VALUE_H
#define KERNEL_VALUE_H

#include "kernel/budget.h"
#include "model/tensor.h"

/* Owns the memory of one node's outputs, and lives as long as one of them is in use. */
struct holder;

/* An optional that holds something is that something. */
enum value_kind { VALUE_ABSENT, VALUE_TENSOR, VALUE_SEQUENCE, VALUE_NONE };

struct value {
    enum value_kind kind;
    const struct tensor *tensor;
    const struct sequence *sequence;
    struct holder *holder; /* what keeps it alive; NULL: whoever gave it */
};

/* Tensors of one type; type is UNDEFINED while it is empty and nobody said which. */
struct sequence {
    enum opshift_type type;
    size_t count;
    const struct value *items;
};

/* One owner so far. NULL: no memory. */
struct holder *holder_new(struct budget *budget);
struct arena *holder_arena(struct holder *holder);
/* Counts what the arena took since, and the holder itself; false: above the limit. */
bool holder_settle(struct holder *holder);
/* Keeps another alive as long as this one lives. False: no memory. */
bool holder_hold(struct holder *holder, struct holder *other);
/* The same for its elements alone: of a view only what that holds is held, so that a long row of views does not keep
 * every one of them. */
bool holder_share(struct holder *holder, struct holder *other);
/* Keeps what each item of a sequence is held by; the items lie in its own arena. */
bool holder_hold_items(struct holder *holder, const struct value *items, size_t count);
/* Its values are shapes over elements that it holds. */
void holder_set_view(struct holder *holder);
void holder_drop(struct holder *holder);

static inline struct value value_of(const struct tensor *tensor)
{
    return (struct value){.kind = tensor == NULL ? VALUE_ABSENT : VALUE_TENSOR, .tensor = tensor};
}

/* One more owner. */
struct value value_keep(struct value value);
/* One owner less; the value becomes absent. */
void value_drop(struct value *value);
void values_drop(struct value *values, size_t count);
/* Would value_take give its arena? */
bool value_is_whole(const struct value *value);
/* The arena of a tensor that has one owner, depends on nothing else and takes most of that arena: it is its new owner's
 * then, and the value becomes absent; the tensor stays where it is. NULL: it is to be copied. */
struct arena *value_take(struct value *value);
/* "a tensor", "a sequence", ... */
const char *value_kind_name(enum value_kind kind);

#endif
