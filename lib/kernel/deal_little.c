/* Split of few bytes in few runs, which takes no longer than a copy for each run: no list of the parts is made. */
#include "kernel/deal.h"

#include "base/processor.h"
#include "kernel/rows_copy.h"

#define SIZE_LITTLE 0xffff /* bytes; the product of four such numbers has 64 bits */
#define RUNS_FEW    32     /* more of them are dealt out faster in other ways, */
#define RUN_SHORT   16     /* if they have fewer bytes on average */
#define SIZE_LONG   64     /* bytes of a run for which memcpy may know wider registers than all processors have */

#define REQUEST                                                                                                        \
    const void *input, size_t element_size, uint64_t outer, uint64_t dim, uint64_t inner, const int64_t *lengths,      \
        size_t count, void *const *outputs, const struct opshift_split_options *options, struct opshift_error *error
#define SAME_REQUEST input, element_size, outer, dim, inner, lengths, count, outputs, options, error

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

ROWS_COPY_INLINE enum opshift_status split(REQUEST, size_t long_size)
{
    if (!is_little(element_size, outer, dim, inner, lengths, count))
        return deal_split(SAME_REQUEST);
    const uint8_t *from = input;
    size_t unit = element_size * inner, row = unit * dim;
    for (size_t i = 0; i < count; i++) {
        size_t size = (size_t)lengths[i] * unit;
        if (outputs[i] != NULL && outer == 1)
            rows_copy(outputs[i], 0, from, 0, size, 1, long_size);
        else if (outputs[i] != NULL)
            rows_copy(outputs[i], size, from, (ptrdiff_t)row, size, outer, long_size);
        from += size;
    }
    return OPSHIFT_OK;
}

enum opshift_status deal_split_plain(REQUEST)
{
    return split(SAME_REQUEST, SIZE_LONG);
}

#ifdef DEAL_X86
__attribute__((target("avx2"))) static enum opshift_status split_wide(REQUEST)
{
    return split(SAME_REQUEST, 0);
}
#endif

enum opshift_status opshift_split(REQUEST)
{
#ifdef DEAL_X86
    if (processor_has_avx2())
        return split_wide(SAME_REQUEST);
#endif
    return deal_split_plain(SAME_REQUEST);
}
