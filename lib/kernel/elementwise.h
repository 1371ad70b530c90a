/* Operators that work on elements one by one: of one tensor, or of several stretched to a common shape. What is done
 * with them stands in the operator's row. */
#ifndef KERNEL_ELEMENTWISE_H
#define KERNEL_ELEMENTWISE_H

#include "kernel/support.h"
#include "model/number.h"

/* A function of a real number with what attributes say: at most CURVE_PARAMETERS. */
#define CURVE_PARAMETERS 2
struct curve {
    double (*function)(double x, const float *parameters);
    size_t count;
    struct {
        const char *name;
        float value; /* where the attribute is absent */
    } parameters[CURVE_PARAMETERS];
};

/* What a map or a combination gives besides NULL or the fault: the result has wrapped around. */
extern const char elementwise_overflow[];

/* how.combine: two inputs of numbers; before opset 7 the second is stretched only as attributes broadcast and axis say.
 */
enum opshift_status elementwise_two(struct kernel_call *call, struct opshift_error *error);
/* how.combine: one input or more, combined from left to right; before opset 8 all of one shape. */
enum opshift_status elementwise_all(struct kernel_call *call, struct opshift_error *error);
/* how.test: two inputs of numbers or bool, the output bool. */
enum opshift_status elementwise_compare(struct kernel_call *call, struct opshift_error *error);
/* how.logic: two inputs of bool, the output too. */
enum opshift_status elementwise_bools(struct kernel_call *call, struct opshift_error *error);
/* how.map: one input of numbers. */
enum opshift_status elementwise_one(struct kernel_call *call, struct opshift_error *error);
/* how.function: one input of reals. */
enum opshift_status elementwise_real(struct kernel_call *call, struct opshift_error *error);
/* how.curve: one input of reals. */
enum opshift_status elementwise_curve(struct kernel_call *call, struct opshift_error *error);

/* Fails where whole numbers of a type have overflowed and the call wants to know. */
enum opshift_status elementwise_overflowed(const struct kernel_call *call, const struct number_type *type,
                                           struct opshift_error *error);

/* The numbers of a tensor from element `at` on, as many as are taken at once or are left: how many. */
#define ELEMENTWISE_RUN 256u
size_t elementwise_load(union number *numbers, const struct number_type *type, const struct tensor *tensor,
                        uint64_t at);

/* The two operands with the shapes that they are stretched from: the second's dims aligned where opset 1 to 6 say so.
 */
enum opshift_status elementwise_operands(struct kernel_call *call, const struct tensor **pair,
                                         struct opshift_error *error);

/* Sums, products and so on of whole numbers in 64 bits. False: they have wrapped around. */
bool whole_add(enum number_kind kind, union number a, union number b, union number *result);
bool whole_subtract(enum number_kind kind, union number a, union number b, union number *result);
bool whole_multiply(enum number_kind kind, union number a, union number b, union number *result);
/* Is it a value of the type, which is whole? */
bool whole_fits(const struct number_type *type, union number value);

#endif
