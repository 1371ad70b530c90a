/* SequenceInsert: a sequence with one tensor more, at the end or before a position. */
#include "kernel/sequence.h"

#include <string.h>

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    const struct sequence *sequence = NULL;
    enum opshift_status status = sequence_arity(call, 2, 3, error);
    if (status == OPSHIFT_OK)
        status = kernel_sequence(call, 0, &sequence, error);
    if (status == OPSHIFT_OK)
        status = sequence_joins(call, 1, sequence->count == 0 ? OPSHIFT_TYPE_UNDEFINED : sequence->type, error);
    if (status != OPSHIFT_OK)
        return status;
    size_t count = sequence->count, place = count;
    /* A position may be that after the last: it is one of a sequence of one more, counted from the end of the old. */
    if (kernel_value(call, 2).kind != VALUE_ABSENT) {
        struct int_list list;
        status = kernel_vector(call, kernel_input(call, 2), "the position", &list, error);
        bool is_end = status == OPSHIFT_OK && list.count == 1 && list.values[0] == (int64_t)count;
        if (status == OPSHIFT_OK && !is_end)
            status = sequence_position(call, 2, count, &place, error);
    }
    struct value *items = NULL;
    if (status == OPSHIFT_OK)
        status = sequence_copy(call, 0, sequence, &items, error);
    if (status != OPSHIFT_OK)
        return status;
    memmove(items + place + 1, items + place, (count - place) * sizeof(*items));
    items[place] = kernel_value(call, 1);
    return kernel_sequence_result(call, 0, items[place].tensor->type, items, count + 1, error);
}

const struct kernel kernel_sequence_insert[] = {{"SequenceInsert", 11, KERNEL_ANY, run}, {0}};
