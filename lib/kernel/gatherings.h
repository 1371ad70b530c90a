/* Collects the outputs of a body over its iterations, to stack them into one tensor. */
#ifndef KERNEL_GATHERINGS_H
#define KERNEL_GATHERINGS_H

#include "kernel/support.h"

/* Initialize with {0}. */
struct gathering {
    struct value *items;
    size_t count, room;
};

/* Takes ownership of the value, also on failure; the list counts in the budget. */
enum opshift_status gathering_add(struct gathering *gathering, struct budget *budget, struct value value,
                                  struct opshift_error *error);
/* The same of `count` values, one to each list; after a failure, the values are dropped. Returns the status, or the
 * first failure. */
enum opshift_status gatherings_add(struct gathering *gatherings, uint32_t count, struct budget *budget,
                                   struct value *values, enum opshift_status status, struct opshift_error *error);
/* Sets output `position`: the items stacked along an axis, in reverse order if reversed. Without items: a tensor of
 * size 0 along the axis, as the body declares its output. */
enum opshift_status gathering_stack(struct kernel_call *call, uint32_t position, const struct gathering *gathering,
                                    uint32_t body_output, int64_t axis, bool reversed, struct opshift_error *error);
void gatherings_free(struct gathering *gatherings, struct budget *budget, size_t count);

#endif
