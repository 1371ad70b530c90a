/* Random values that a printed seed gives again. */
#include "verify/run.h"

#include <string.h>

uint64_t sample_next(uint64_t *seed)
{
    uint64_t value = *seed += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

static enum opshift_status fill_strings(struct arena *arena, struct tensor *tensor, uint64_t *seed,
                                        struct opshift_error *error)
{
    for (uint64_t i = 0; i < tensor->count; i++) {
        char *text = arena_print(arena, "%llx", (unsigned long long)(sample_next(seed) >> (i % 40)));
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
        uint64_t value = sample_next(seed);
        memcpy(bytes + at, &value, size - at < 8 ? (size_t)(size - at) : 8);
    }
    for (uint64_t i = 0; type == OPSHIFT_TYPE_BOOL && i < size; i++)
        bytes[i] &= 1;
    return OPSHIFT_OK;
}

int64_t *sample_lengths(struct arena *arena, size_t count, int64_t sum, uint64_t *seed)
{
    int64_t *lengths = arena_alloc(arena, count + 1, sizeof(*lengths));
    for (size_t i = 0; lengths != NULL && i < count; i++) {
        lengths[i] = i + 1 == count ? sum : (int64_t)(sample_next(seed) % ((uint64_t)sum + 1));
        sum -= lengths[i];
    }
    return lengths;
}
