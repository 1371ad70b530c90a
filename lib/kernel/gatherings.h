/* What a body gives round after round, to become one tensor at the end. */
#ifndef KERNEL_GATHERINGS_H
#define KERNEL_GATHERINGS_H

#include "kernel/support.h"

/* Start with {0}. */
struct gathering {
    struct value *items;
    size_t count, room;
};

/* Takes the value over, also when this fails; what the list of them takes counts in the budget. */
enum opshift_status gathering_add(struct gathering *gathering, struct budget *budget, struct value value,
                                  struct opshift_error *error);
/* Output `position`: the items stacked along an axis, from the last to the first when reversed. Of no items: a tensor
 * of 0 along the axis, as the body's output is declared. */
enum opshift_status gathering_stack(struct kernel_call *call, uint32_t position, const struct gathering *gathering,
                                    uint32_t body_output, int64_t axis, bool reversed, struct opshift_error *error);
void gatherings_free(struct gathering *gatherings, struct budget *budget, size_t count);

#endif
