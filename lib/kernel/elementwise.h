/* Operators that combine the elements of two tensors one by one, stretched to a common shape. */
#ifndef KERNEL_ELEMENTWISE_H
#define KERNEL_ELEMENTWISE_H

#include "model/number.h"
#include "kernel/support.h"

/* One operation on two numbers of a kind. Gives NULL, or what is wrong. */
typedef const char *elementwise_combine(enum number_kind kind, union number a, union number b, union number *result);

/* Exactly two inputs. */
enum opshift_status elementwise_two(struct kernel_call *call, elementwise_combine *combine,
                                    struct opshift_error *error);
/* One input or more, combined from left to right. */
enum opshift_status elementwise_all(struct kernel_call *call, elementwise_combine *combine,
                                    struct opshift_error *error);

#endif
