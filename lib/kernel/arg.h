/* Operators that say where along an axis the best element is. */
#ifndef KERNEL_ARG_H
#define KERNEL_ARG_H

#include "model/number.h"
#include "kernel/support.h"

enum opshift_status arg_run(struct kernel_call *call,
                            bool (*is_better)(enum number_kind kind, union number a, union number b),
                            struct opshift_error *error);

#endif
