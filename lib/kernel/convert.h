/* Elements of one type as elements of another: what Cast and CastLike share. */
#ifndef KERNEL_CONVERT_H
#define KERNEL_CONVERT_H

#include "kernel/element.h"

/* The attributes saturate and round_mode, where the opset has them. */
enum opshift_status convert_rounding(const struct kernel_call *call, struct element_rounding *rounding,
                                     struct opshift_error *error);
/* Output 0 becomes input 0 in the type. */
enum opshift_status convert_elements(struct kernel_call *call, enum opshift_type to,
                                     const struct element_rounding *rounding, struct opshift_error *error);

#endif
