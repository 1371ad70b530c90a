/* Split of few bytes in few runs, which takes no longer than a copy for each run: no list of the parts is made, and the
 * processor is asked what it can do only where that can gain more than the question costs. */
#include "kernel/deal.h"

#include "base/processor.h"
#include "kernel/rows_copy.h"

#define SIZE_LITTLE 0xffff /* bytes; the product of four such numbers has 64 bits */
#define RUNS_FEW    32     /* more of them are dealt out faster in other ways, */
#define RUN_SHORT   16     /* if they have fewer bytes on average */
#define SIZE_WIDE   192    /* bytes, and of a run on average: for fewer no wide registers are asked for */
#define RUN_WIDE    32

#define REQUEST                                                                                                        \
    const void *input, size_t element_size, uint64_t outer, uint64_t dim, uint64_t inner, const int64_t *lengths,      \
        size_t count, void *const *outputs, const struct opshift_split_options *options, struct opshift_error *error
#define SAME_REQUEST input, element_size, outer, dim, inner, lengths, count, outputs, options, error

/* What is left of a little request; so few that they are handed on in registers. */
#define LITTLE const uint8_t *from, size_t unit, const int64_t *lengths, size_t count, void *const *outputs

/* Is there nothing to say about a request, and not much to do? */
static inline bool is_little(size_t element_size, uint64_t outer, uint64_t dim, uint64_t inner, const int64_t *lengths,
                             size_t count)
{
    uint64_t sum = 0, any = 0, runs = outer * count, size = (element_size * inner) * (dim * outer);
    if ((element_size | outer | dim | inner | count) > SIZE_LITTLE || size - 1 >= SIZE_LITTLE ||
        (runs > RUNS_FEW && runs * RUN_SHORT > size))
        return false;
    for (size_t i = 0; i < count; i++) {
        sum += (uint64_t)lengths[i];
        any |= (uint64_t)lengths[i];
    }
    return sum == dim && any <= SIZE_LITTLE;
}

ROWS_COPY_INLINE enum opshift_status copy_row(LITTLE, bool wide)
{
    for (const int64_t *end = lengths + count; lengths < end; lengths++, outputs++) {
        size_t size = (size_t)*lengths * unit;
        if (*outputs != NULL)
            rows_copy(*outputs, 0, from, 0, size, 1, wide);
        from += size;
    }
    return OPSHIFT_OK;
}

ROWS_COPY_INLINE enum opshift_status copy_rows(LITTLE, uint64_t rows, size_t row, bool wide)
{
    for (size_t i = 0; i < count; i++) {
        size_t size = (size_t)lengths[i] * unit;
        if (outputs[i] != NULL)
            rows_copy(outputs[i], size, from, (ptrdiff_t)row, size, rows, wide);
        from += size;
    }
    return OPSHIFT_OK;
}

/* Functions of their own, else one row would pay for the registers that several of them need. */
#define APART __attribute__((noinline)) static

APART enum opshift_status rows_plain(LITTLE, uint64_t rows, size_t row)
{
    return copy_rows(from, unit, lengths, count, outputs, rows, row, false);
}

ROWS_COPY_INLINE enum opshift_status split_plain(LITTLE, uint64_t rows, size_t row)
{
    return rows == 1 ? copy_row(from, unit, lengths, count, outputs, false)
                     : rows_plain(from, unit, lengths, count, outputs, rows, row);
}

#ifdef DEAL_X86
#define AVX2 __attribute__((target("avx2")))

AVX2 APART enum opshift_status row_wide(LITTLE)
{
    return copy_row(from, unit, lengths, count, outputs, true);
}

AVX2 APART enum opshift_status rows_wide(LITTLE, uint64_t rows, size_t row)
{
    return copy_rows(from, unit, lengths, count, outputs, rows, row, true);
}

enum opshift_status opshift_split(REQUEST)
{
    if (!is_little(element_size, outer, dim, inner, lengths, count))
        return deal_split(SAME_REQUEST);
    size_t unit = element_size * inner, row = unit * dim;
    if (row < count * RUN_WIDE || row * outer < SIZE_WIDE || !processor_has_avx2())
        return split_plain(input, unit, lengths, count, outputs, outer, row);
    if (outer == 1)
        return row_wide(input, unit, lengths, count, outputs);
    return rows_wide(input, unit, lengths, count, outputs, outer, row);
}
#endif

enum opshift_status deal_split_plain(REQUEST)
{
    size_t unit = element_size * inner;
    if (!is_little(element_size, outer, dim, inner, lengths, count))
        return deal_split(SAME_REQUEST);
    return split_plain(input, unit, lengths, count, outputs, outer, unit * dim);
}

#ifndef DEAL_X86
enum opshift_status opshift_split(REQUEST)
{
    return deal_split_plain(SAME_REQUEST);
}
#endif
