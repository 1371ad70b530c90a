/* Split on plain buffers: checks the request, chooses the way. */
#include "kernel/deal.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define SIZE_FEW    1024 /* bytes; choosing a way for fewer costs more than it saves */
#define PARTS_STACK 16   /* parts that need no memory of their own */

static bool always(const struct deal *deal)
{
    return true;
}

const struct deal_path deal_paths[] = {
#ifdef DEAL_X86
    /* name, can, pays, run */
    {"stream", deal_stream_can, deal_stream_pays, deal_stream},
    {"group", deal_group_can, deal_group_pays, deal_group},
    {"shuffle", deal_shuffle_can, deal_shuffle_pays, deal_shuffle},
#endif
#ifdef DEAL_STRING
    {"string", deal_string_can, deal_string_pays, deal_string},
#endif
#ifdef DEAL_X86
    {"wide", deal_wide_can, deal_wide_pays, deal_wide},
#endif
    {"plain", always, always, deal_plain},
};
const size_t deal_path_count = sizeof(deal_paths) / sizeof(*deal_paths);

const struct deal_path *deal_path_find(const struct deal *deal)
{
    const struct deal_path *path = deal_paths;
    while (!path->pays(deal) || !path->can(deal))
        path++;
    return path;
}

static void run(struct deal *deal, const struct opshift_split_options *options)
{
    deal->past_cache = deal->size >= DEAL_PAST_CACHE;
    if (deal->size < SIZE_FEW)
        deal_plain(deal, 0, deal->rows);
    else
        deal_share(deal, deal_path_find(deal), options);
}

void deal_rows(void *to, const void *from, ptrdiff_t step, size_t size, uint64_t rows, uint64_t all)
{
    if (rows > 0 && (rows == 1 || step == (ptrdiff_t)size)) {
        size *= rows;
        step = (ptrdiff_t)size;
        rows = 1;
    }
    if (size * rows < SIZE_FEW || step < (ptrdiff_t)size) {
        deal_plain_rows(to, from, step, size, rows);
        return;
    }
    /* Of the last one of several rows there may be no more than is copied; a deal may read whole rows. */
    uint64_t whole = rows > 1 ? rows - 1 : 1;
    struct deal_part part = {to, 0, size};
    struct deal deal = {.from = from, .rows = whole, .row = (size_t)step, .parts = &part, .count = 1, .size = all};
    deal.least = deal.most = size;
    deal.aligned = (uintptr_t)to % 64 == 0;
    deal.past_cache = all >= DEAL_PAST_CACHE;
    deal_path_find(&deal)->run(&deal, 0, whole);
    if (rows > 1)
        memcpy((uint8_t *)to + whole * size, (const uint8_t *)from + (ptrdiff_t)whole * step, size);
}

static enum opshift_status check_lengths(const int64_t *lengths, size_t count, uint64_t dim,
                                         struct opshift_error *error)
{
    uint64_t left = dim;
    for (size_t i = 0; i < count; i++) {
        if (lengths[i] < 0)
            return opshift_fail(error, OPSHIFT_USAGE, "length %zu is %lld, below 0", i, (long long)lengths[i]);
        if ((uint64_t)lengths[i] > left)
            return opshift_fail(error, OPSHIFT_USAGE, "the lengths sum to more than the axis has, which is %llu",
                                (unsigned long long)dim);
        left -= (uint64_t)lengths[i];
    }
    if (left > 0)
        return opshift_fail(error, OPSHIFT_USAGE, "the lengths sum to %llu, the axis has %llu",
                            (unsigned long long)(dim - left), (unsigned long long)dim);
    return OPSHIFT_OK;
}

/* Only the parts that are wanted and have bytes. */
static void add_parts(struct deal *deal, struct deal_part *parts, size_t unit, const int64_t *lengths, size_t count,
                      void *const *outputs)
{
    size_t start = 0;
    deal->least = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t size = (size_t)lengths[i] * unit;
        if (size > 0 && outputs[i] != NULL) {
            parts[deal->count++] = (struct deal_part){outputs[i], start, size};
            deal->least = size < deal->least ? size : deal->least;
            deal->most = size > deal->most ? size : deal->most;
            deal->size += size * deal->rows;
            deal->aligned = deal->aligned && (uintptr_t)outputs[i] % 64 == 0;
        }
        start += size;
    }
}

/* *unit: bytes of one place along the axis; 0: there is nothing in the input. */
static enum opshift_status check_request(size_t element_size, uint64_t outer, uint64_t dim, uint64_t inner,
                                         const int64_t *lengths, size_t count, size_t *unit,
                                         struct opshift_error *error)
{
    size_t row, all;
    enum opshift_status status = check_lengths(lengths, count, dim, error);
    *unit = 0;
    if (status != OPSHIFT_OK)
        return status;
    if (element_size == 0)
        return opshift_fail(error, OPSHIFT_USAGE, "an element has 0 bytes, must have at least 1");
    if (outer == 0 || dim == 0 || inner == 0)
        return OPSHIFT_OK;
    if (__builtin_mul_overflow(element_size, inner, unit) || __builtin_mul_overflow(*unit, dim, &row) ||
        __builtin_mul_overflow(row, outer, &all) || all > PTRDIFF_MAX)
        return opshift_fail(error, OPSHIFT_USAGE, "%llu times %llu times %llu elements of %zu bytes fit no memory",
                            (unsigned long long)outer, (unsigned long long)dim, (unsigned long long)inner,
                            element_size);
    return OPSHIFT_OK;
}

enum opshift_status deal_split(const void *input, size_t element_size, uint64_t outer, uint64_t dim, uint64_t inner,
                               const int64_t *lengths, size_t count, void *const *outputs,
                               const struct opshift_split_options *options, struct opshift_error *error)
{
    struct deal_part few[PARTS_STACK], *parts = few;
    struct deal deal = {.from = input, .rows = outer, .aligned = true};
    size_t unit;
    enum opshift_status status = check_request(element_size, outer, dim, inner, lengths, count, &unit, error);
    if (status != OPSHIFT_OK)
        return status;
    if (unit == 0 || outer == 0 || dim == 0)
        return OPSHIFT_OK;
    deal.row = unit * (size_t)dim;
    if (count > PARTS_STACK && (parts = calloc(count, sizeof(*parts))) == NULL)
        return opshift_no_memory(error);
    add_parts(&deal, parts, unit, lengths, count, outputs);
    deal.parts = parts;
    if (deal.count > 0)
        run(&deal, options);
    if (parts != few)
        free(parts);
    return OPSHIFT_OK;
}

enum opshift_status opshift_split_views(const void *input, size_t element_size, uint64_t outer, uint64_t dim,
                                        uint64_t inner, const int64_t *lengths, size_t count, const void **views,
                                        struct opshift_error *error)
{
    size_t unit, start = 0;
    enum opshift_status status = check_request(element_size, outer, dim, inner, lengths, count, &unit, error);
    if (status != OPSHIFT_OK)
        return status;
    if (outer > 1 && unit > 0)
        return OPSHIFT_NO;
    for (size_t i = 0; i < count; i++) {
        views[i] = (const uint8_t *)input + start;
        start += (size_t)lengths[i] * unit;
    }
    return OPSHIFT_OK;
}
