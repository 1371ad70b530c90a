/* Random values, reproducible from the printed seed. */
#include "verify/run.h"

#include <math.h>
#include <string.h>

#include "model/number.h"
#include "run/draw.h"

enum special_kind { SPECIAL_BITS, SPECIAL_SMALL, SPECIAL_EXTREME, SPECIAL_FRACTION, SPECIAL_PLACE, SPECIAL_EDGE };

static enum opshift_status fill_strings(struct arena *arena, struct tensor *tensor, uint64_t *seed,
                                        struct opshift_error *error)
{
    for (uint64_t i = 0; i < tensor->count; i++) {
        char *text = arena_print(arena, "%llx", (unsigned long long)(draw_next(seed) >> (i % 40)));
        if (text == NULL)
            return opshift_no_memory(error);
        tensor->strings[i] = (struct bytes){(const uint8_t *)text, strlen(text)};
    }
    return OPSHIFT_OK;
}

enum opshift_status sample_tensor(struct arena *arena, enum opshift_type type, uint32_t rank, const int64_t *dims,
                                  uint64_t *seed, struct tensor **tensor, struct opshift_error *error)
{
    enum opshift_status status = tensor_new(arena, type, rank, dims, tensor, error);
    if (status != OPSHIFT_OK)
        return status;
    if (type == OPSHIFT_TYPE_STRING)
        return fill_strings(arena, *tensor, seed, error);
    uint64_t size = type_size(type, (*tensor)->count);
    uint8_t *bytes = (*tensor)->data;
    for (uint64_t at = 0; at < size; at += 8) {
        uint64_t value = draw_next(seed);
        memcpy(bytes + at, &value, size - at < 8 ? (size_t)(size - at) : 8);
    }
    for (uint64_t i = 0; type == OPSHIFT_TYPE_BOOL && i < size; i++)
        bytes[i] &= 1;
    return OPSHIFT_OK;
}

/* Larger reals make sums and products overflow, or hide what is added to them. */
#define EDGE_MAX 40.0

/* One element of a kind. */
static union number special(const struct number_type *type, uint32_t kind, const struct constant_list *constants,
                            uint64_t random)
{
    bool real = type->kind == NUMBER_REAL;
    union number number = {.i = 0};
    int64_t small = (int64_t)(random % 7) - 3;
    if (kind == SPECIAL_EXTREME || kind == SPECIAL_EDGE)
        number = draw_edge(type, constants->items, constants->count, random);
    else if (kind == SPECIAL_FRACTION && real)
        number.d = (double)(int64_t)(random % 65) / 16 - 2;
    else if (kind == SPECIAL_PLACE && real)
        number.d = (double)(random % 3);
    else if (kind == SPECIAL_PLACE)
        number.i = (int64_t)(random % 3) - (int64_t)(random >> 8 & 1);
    else if (real)
        number.d = (double)small;
    else
        number.i = small;
    if (kind == SPECIAL_EDGE && real && !(fabs(number.d) <= EDGE_MAX))
        number.d = (double)small;
    return number;
}

bool sample_is_extreme(uint32_t attempt)
{
    uint32_t kind = attempt % SPECIAL_ROUND;
    return kind == SPECIAL_BITS || kind == SPECIAL_EXTREME;
}

enum opshift_status sample_special(struct arena *arena, enum opshift_type type, uint32_t rank, const int64_t *dims,
                                   const struct draw_style *style, uint64_t *seed, struct tensor **tensor,
                                   struct opshift_error *error)
{
    static const struct constant_list none = {.count = 0};
    const struct constant_list *constants = style->constants == NULL ? &none : style->constants;
    const struct number_type *numbers = number_type(type);
    uint32_t kind = style->attempt % SPECIAL_ROUND;
    if (numbers == NULL || type == OPSHIFT_TYPE_BOOL || kind == SPECIAL_BITS)
        return sample_tensor(arena, type, rank, dims, seed, tensor, error);
    enum opshift_status status = tensor_new(arena, type, rank, dims, tensor, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < (*tensor)->count; i++)
        numbers->store((char *)(*tensor)->data + i * numbers->size,
                       special(numbers, kind, constants, draw_next(seed) >> 16));
    return status;
}

int64_t *sample_lengths(struct arena *arena, size_t count, int64_t sum, uint64_t *seed)
{
    int64_t *lengths = arena_alloc(arena, count + 1, sizeof(*lengths));
    for (size_t i = 0; lengths != NULL && i < count; i++) {
        lengths[i] = i + 1 == count ? sum : (int64_t)(draw_next(seed) % ((uint64_t)sum + 1));
        sum -= lengths[i];
    }
    return lengths;
}
