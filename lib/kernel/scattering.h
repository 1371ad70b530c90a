/* Elements put into a copy of a tensor, or joined to those that are there. */
#ifndef KERNEL_SCATTERING_H
#define KERNEL_SCATTERING_H

#include "model/number.h"
#include "kernel/support.h"

enum scattering_way { SCATTER_SET, SCATTER_ADD, SCATTER_MUL, SCATTER_MAX, SCATTER_MIN };

struct scattering {
    enum scattering_way way;
    const struct number_type *type; /* NULL where elements are only set */
};

/* What attribute 'reduction' says; output 0 becomes a copy of input 0, of one type with the updates, input 2. */
enum opshift_status scattering_start(struct kernel_call *call, struct scattering *scattering,
                                     struct opshift_error *error);
void scattering_put(const struct scattering *scattering, struct tensor *to, uint64_t to_at, const struct tensor *from,
                    uint64_t from_at, uint64_t count);
/* ScatterElements, and what it was called before. */
enum opshift_status scattering_elements(struct kernel_call *call, struct opshift_error *error);

#endif
