/* Reference counting of values in a running graph; memory is freed after the last use. */
#include "kernel/value.h"

#include <stdlib.h>

/* Holding another twice is harmless: only the last few are compared. */
#define HELD_LOOKED_AT 16u

struct held {
    struct holder *holder;     /* NULL: the holders of the items */
    const struct value *items; /* of a sequence: held individually, without searching for duplicates */
    size_t item_count;
    struct held *next;
};

struct holder {
    struct arena *arena;
    struct budget *budget;
    uint64_t counted; /* bytes counted in budget->bytes */
    struct held *held;
    struct holder *next; /* list of holders to be freed */
    size_t owners;
    bool is_view;
};

struct holder *holder_new(struct budget *budget)
{
    struct holder *holder = malloc(sizeof(*holder));
    if (holder == NULL)
        return NULL;
    /* One byte more than the budget, to distinguish its limit from a lack of memory. */
    *holder = (struct holder){.arena = arena_new(budget_left(budget) + 1), .budget = budget, .owners = 1};
    if (holder->arena == NULL) {
        free(holder);
        return NULL;
    }
    return holder;
}

struct arena *holder_arena(struct holder *holder)
{
    return holder->arena;
}

bool holder_finish(struct holder *holder)
{
    uint64_t size = arena_held(holder->arena) + sizeof(*holder);
    holder->budget->bytes += size - holder->counted;
    holder->counted = size;
    return holder->budget->bytes <= holder->budget->bytes_max;
}

bool holder_hold(struct holder *holder, struct holder *other)
{
    if (other == NULL || other == holder)
        return true;
    const struct held *last = holder->held;
    for (unsigned i = 0; last != NULL && i < HELD_LOOKED_AT; i++, last = last->next)
        if (last->holder == other)
            return true;
    struct held *held = malloc(sizeof(*held));
    if (held == NULL)
        return false;
    *held = (struct held){.holder = other, .next = holder->held};
    holder->held = held;
    other->owners++;
    return true;
}

bool holder_hold_items(struct holder *holder, const struct value *items, size_t count)
{
    struct held *held = malloc(sizeof(*held));
    if (held == NULL)
        return false;
    *held = (struct held){.items = items, .item_count = count, .next = holder->held};
    holder->held = held;
    for (size_t i = 0; i < count; i++)
        if (items[i].holder != NULL)
            items[i].holder->owners++;
    return true;
}

bool holder_share(struct holder *holder, struct holder *other)
{
    if (other == NULL || !other->is_view)
        return holder_hold(holder, other);
    for (const struct held *held = other->held; held != NULL; held = held->next)
        if (!holder_hold(holder, held->holder))
            return false;
    return true;
}

void holder_set_view(struct holder *holder)
{
    holder->is_view = true;
}

/* Drops a reference; a holder without references is added to the list to be freed. */
static void owner_leaves(struct holder *holder, struct holder **waiting)
{
    if (holder == NULL || --holder->owners > 0)
        return;
    holder->next = *waiting;
    *waiting = holder;
}

/* Freeing a holder may free others: uses a list instead of recursion, as chains may be long. */
void holder_drop(struct holder *holder)
{
    struct holder *waiting = NULL;
    owner_leaves(holder, &waiting);
    while (waiting != NULL) {
        struct holder *gone = waiting;
        waiting = gone->next;
        for (struct held *held = gone->held, *next; held != NULL; held = next) {
            next = held->next;
            owner_leaves(held->holder, &waiting);
            for (size_t i = 0; i < held->item_count; i++)
                owner_leaves(held->items[i].holder, &waiting);
            free(held);
        }
        budget_return(gone->budget, gone->counted);
        arena_free(gone->arena);
        free(gone);
    }
}

struct value value_keep(struct value value)
{
    if (value.holder != NULL)
        value.holder->owners++;
    return value;
}

void value_drop(struct value *value)
{
    struct holder *holder = value->holder;
    *value = (struct value){0};
    holder_drop(holder);
}

void values_drop(struct value *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        value_drop(&values[i]);
}

bool value_is_whole(const struct value *value)
{
    const struct holder *holder = value->holder;
    const struct tensor *tensor = value->tensor;
    return value->kind == VALUE_TENSOR && tensor->type != OPSHIFT_TYPE_STRING && holder != NULL &&
           holder->owners == 1 && holder->held == NULL && arena_owns(holder->arena, tensor) &&
           arena_owns(holder->arena, tensor->dims) && arena_owns(holder->arena, tensor->data) &&
           type_size(tensor->type, tensor->count) >= arena_size(holder->arena) / 2;
}

struct arena *value_take(struct value *value)
{
    struct holder *holder = value->holder;
    if (!value_is_whole(value))
        return NULL;
    struct arena *arena = holder->arena;
    budget_return(holder->budget, holder->counted);
    free(holder);
    *value = (struct value){0};
    return arena;
}

const char *value_kind_name(enum value_kind kind)
{
    static const char *const names[] = {
        [VALUE_ABSENT] = "absent",
        [VALUE_TENSOR] = "a tensor",
        [VALUE_SEQUENCE] = "a sequence",
        [VALUE_NONE] = "an optional that holds nothing",
    };
    return names[kind];
}
