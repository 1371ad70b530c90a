/* Random values, reproducible from the printed seed. */
#include "verify/side_run.h"

#include <math.h>
#include <string.h>

#include "model/number.h"
#include "run/draw.h"

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
    if (status)
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
/* Larger integers do the same beside reals, or are none in float. */
#define WHOLE_TAME  UINT64_C(66)
#define WHOLE_MIXED (UINT64_C(1) << 24)
/* Constants that a sweep draws, with the numbers beside them. */
#define SWEPT_CONSTANTS 6u

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

/* The edge of one element in a sweep. Of two inputs of equal size, the elements at one place are all pairs. */
static union number swept(const struct number_type *type, const struct constant_list *constants,
                          const struct draw_style *style, uint32_t input, uint64_t at)
{
    uint32_t used = constants->count < SWEPT_CONSTANTS ? constants->count : SWEPT_CONSTANTS;
    uint64_t count = draw_edge_count(type, used);
    uint64_t place = input % 2 == 0 ? at : at / count + at;
    union number number = draw_edge_at(type, constants->items, used, place % count);
    if (type->kind == NUMBER_REAL && style->tame && !(fabs(number.d) <= EDGE_MAX))
        number.d = (double)(place % 7) - 3;
    uint64_t most = style->tame ? WHOLE_TAME : WHOLE_MIXED;
    if (type->kind != NUMBER_REAL && style->mixed && number.u + most > 2 * most)
        number.i = (int64_t)(place % 7) - 3;
    return number;
}

/* Positive; numbers of a later input are larger. */
static union number modest(const struct number_type *type, uint32_t input, uint64_t random)
{
    uint64_t whole = 1 + input + random % 2;
    return type->kind == NUMBER_REAL ? (union number){.d = (double)(1 + input) + (double)(random % 16) / 16}
                                     : (union number){.u = whole};
}

static union number element(const struct number_type *type, const struct constant_list *constants,
                            const struct draw_style *style, uint32_t input, uint64_t at, uint64_t random)
{
    if (style->modest)
        return modest(type, input, random);
    if (style->sweeps)
        return swept(type, constants, style, input, at);
    return special(type, style->attempt % SPECIAL_ROUND, constants, random);
}

enum opshift_status sample_special(struct arena *arena, enum opshift_type type, uint32_t rank, const int64_t *dims,
                                   const struct draw_style *style, uint32_t input, uint64_t *seed,
                                   struct tensor **tensor, struct opshift_error *error)
{
    static const struct constant_list none = {.count = 0};
    const struct constant_list *constants = style->constants == NULL ? &none : style->constants;
    const struct number_type *numbers = number_type(type);
    bool bits = style->attempt % SPECIAL_ROUND == SPECIAL_BITS && !style->modest;
    if (numbers == NULL || type == OPSHIFT_TYPE_BOOL || bits)
        return sample_tensor(arena, type, rank, dims, seed, tensor, error);
    enum opshift_status status = tensor_new(arena, type, rank, dims, tensor, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < (*tensor)->count; i++) {
        uint64_t at = style->uniform ? style->turn : style->turn * (*tensor)->count + i;
        numbers->store((char *)(*tensor)->data + i * numbers->size,
                       element(numbers, constants, style, input, at, draw_next(seed) >> 16));
    }
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
