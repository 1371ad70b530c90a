/* Reads a Split node from what is known of it, and computes the lengths of its parts. */
#include "schema/split_cut.h"

#include <math.h>
#include <string.h>

/* Largest range of integers that are exact in double. */
#define WHOLE_MAX 9007199254740992.0

struct split_cut split_cut_start(uint32_t since, uint32_t output_count)
{
    return (struct split_cut){.since = since,
                              .output_count = output_count,
                              .axis_known = true,
                              .front = -1,
                              .rank = -1,
                              .dim = -1,
                              .parts_known = true,
                              .parts = output_count,
                              .length_count = -1,
                              .input_rank = -1,
                              .fraction = -1};
}

void split_cut_data(struct split_cut *cut, const struct value_type *data)
{
    cut->type = data->type;
    cut->rank = data->rank;
    if (!cut->axis_known || cut->axis < -cut->rank || cut->axis >= cut->rank)
        return;
    cut->front = cut->axis < 0 ? cut->axis + cut->rank : cut->axis;
    cut->dim = data->dims[cut->front];
}

void split_cut_count(struct split_cut *cut, bool known, int64_t parts)
{
    if (cut->since < 18)
        return;
    cut->form = SPLIT_COUNTED;
    cut->counted = true;
    cut->parts_known = known;
    cut->parts = parts;
}

void split_cut_list(struct split_cut *cut, enum split_form from, const int64_t *lengths, int64_t count)
{
    static const int64_t none;
    if (from == SPLIT_ATTRIBUTE ? cut->since >= 13 : cut->since >= 2 && cut->since < 13)
        return;
    cut->form = cut->counted ? SPLIT_COUNTED : from;
    cut->listed_twice = cut->listed;
    cut->listed = true;
    cut->length_count = count;
    cut->lengths = from == SPLIT_ATTRIBUTE && count == 0 ? &none : lengths;
}

void split_cut_computed(struct split_cut *cut, const struct value_type *type)
{
    cut->input_type = type->type;
    cut->input_rank = type->rank;
    split_cut_list(cut, SPLIT_INPUT, NULL, type->rank == 1 ? type->dims[0] : -1);
}

enum opshift_status split_whole_numbers(const struct tensor *tensor, struct arena *arena, const int64_t **numbers,
                                        uint64_t *fraction, struct opshift_error *error)
{
    *numbers = tensor->data;
    if (tensor->type == OPSHIFT_TYPE_INT64)
        return OPSHIFT_OK;
    int64_t *list = arena_alloc(arena, tensor->count + 1, sizeof(*list));
    if (list == NULL)
        return opshift_no_memory(error);
    *numbers = list;
    for (uint64_t i = 0; i < tensor->count && *numbers; i++) {
        double number = tensor_number(tensor, i);
        if (!(fabs(number) <= WHOLE_MAX) || number != floor(number)) {
            *numbers = NULL;
            *fraction = i;
        } else {
            list[i] = (int64_t)number;
        }
    }
    return OPSHIFT_OK;
}

enum opshift_status split_cut_constant(struct split_cut *cut, const struct tensor *constant, struct arena *arena,
                                       struct opshift_error *error)
{
    const int64_t *lengths = NULL;
    uint64_t fraction = UINT64_MAX;
    enum opshift_status status = OPSHIFT_OK;
    cut->constant = constant;
    cut->input_type = constant->type;
    cut->input_rank = (int32_t)constant->rank;
    bool ranked = constant->rank == 1 || (cut->since == 0 && constant->rank == 0);
    if (ranked && (cut->since <= 1 || constant->type == OPSHIFT_TYPE_INT64))
        status = split_whole_numbers(constant, arena, &lengths, &fraction, error);
    cut->fraction = (int64_t)fraction;
    split_cut_list(cut, SPLIT_INPUT, lengths, ranked ? (int64_t)constant->count : -1);
    return status;
}

bool split_same_axis(const struct split_cut *one, const struct split_cut *other)
{
    return one->axis_known && other->axis_known &&
           (one->axis == other->axis || (one->front >= 0 && one->front == other->front && one->rank == other->rank));
}

int64_t split_chunk(int64_t dim, int64_t parts)
{
    return dim / parts + (dim % parts != 0);
}

int64_t split_last(int64_t dim, int64_t parts)
{
    int64_t chunk = split_chunk(dim, parts);
    /* chunk * (parts - 1) <= dim + parts, both int64: no overflow where parts <= INT32_MAX, which arity ensures. */
    return dim - chunk * (parts - 1);
}

int64_t split_part_count(const struct split_cut *cut)
{
    return split_is_listed(cut) ? cut->length_count : cut->parts_known ? cut->parts : -1;
}

int64_t split_length(const struct split_cut *cut, int64_t part)
{
    int64_t dim = cut->dim, parts = split_part_count(cut);
    if (part >= parts || parts < cut->output_count || parts > INT32_MAX)
        return -1;
    if (split_is_listed(cut))
        return cut->lengths ? cut->lengths[part] : -1;
    if (dim < 0 || (cut->form == SPLIT_EQUAL && (cut->since >= 18 || dim % parts != 0)) || split_last(dim, parts) < 0)
        return -1;
    return part + 1 == parts ? split_last(dim, parts) : split_chunk(dim, parts);
}

enum opshift_status split_lengths(const struct split_cut *cut, struct arena *arena, const int64_t **lengths,
                                  struct opshift_error *error)
{
    int64_t parts = split_part_count(cut);
    *lengths = split_is_listed(cut) ? cut->lengths : NULL;
    if (split_is_listed(cut) || split_length(cut, 0) < 0)
        return OPSHIFT_OK;
    int64_t *list = arena_alloc(arena, (size_t)parts, sizeof(*list));
    if (list == NULL)
        return opshift_no_memory(error);
    for (int64_t i = 0; i < parts; i++)
        list[i] = split_length(cut, i);
    *lengths = list;
    return OPSHIFT_OK;
}

int64_t split_sum(const int64_t *lengths, int64_t count)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++)
        if (lengths[i] < 0 || __builtin_add_overflow(sum, lengths[i], &sum))
            return -1;
    return sum;
}

bool split_are_chunks(const int64_t *lengths, int64_t count, bool equal)
{
    int64_t sum = split_sum(lengths, count);
    if (sum < 0 || count < 1 || count > INT32_MAX || (equal && sum % count != 0))
        return false;
    for (int64_t i = 0; i + 1 < count; i++)
        if (lengths[i] != split_chunk(sum, count))
            return false;
    return lengths[count - 1] == split_last(sum, count);
}
