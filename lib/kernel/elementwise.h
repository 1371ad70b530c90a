/* Operators that work on elements one by one: of one tensor, or of several stretched to a common shape. */
#ifndef KERNEL_ELEMENTWISE_H
#define KERNEL_ELEMENTWISE_H

#include "model/number.h"
#include "kernel/support.h"

/* One operation on two numbers of a kind. Gives NULL, or what is wrong. */
typedef const char *elementwise_combine(enum number_kind kind, union number a, union number b, union number *result);
/* The same on one number. */
typedef const char *elementwise_map(enum number_kind kind, union number a, union number *result);
/* An answer about two numbers of a kind. */
typedef bool elementwise_test(enum number_kind kind, union number a, union number b);
typedef bool elementwise_logic(bool a, bool b);
/* A function of a real number with what attributes say. */
typedef double elementwise_curve(double x, const float *parameters);

struct elementwise_parameter {
    const char *name;
    float value; /* where the attribute is absent */
};

/* Exactly two inputs; before opset 7 the second is stretched only as attributes broadcast and axis say. */
enum opshift_status elementwise_two(struct kernel_call *call, elementwise_combine *combine,
                                    struct opshift_error *error);
/* One input or more, combined from left to right; before opset 8 all of one shape. */
enum opshift_status elementwise_all(struct kernel_call *call, elementwise_combine *combine,
                                    struct opshift_error *error);
/* Two inputs of numbers or bool, the output bool. */
enum opshift_status elementwise_compare(struct kernel_call *call, elementwise_test *test, struct opshift_error *error);
/* Two inputs of bool, the output too. */
enum opshift_status elementwise_bools(struct kernel_call *call, elementwise_logic *logic, struct opshift_error *error);
/* One input of numbers. */
enum opshift_status elementwise_one(struct kernel_call *call, elementwise_map *map, struct opshift_error *error);
/* One input of reals. */
enum opshift_status elementwise_real(struct kernel_call *call, double (*function)(double), struct opshift_error *error);
/* One input of reals, and at most two attributes. */
enum opshift_status elementwise_shaped(struct kernel_call *call, elementwise_curve *curve,
                                       const struct elementwise_parameter *parameters, size_t count,
                                       struct opshift_error *error);

/* The numbers of a tensor from element `at` on, as many as are taken at once or are left: how many. */
#define ELEMENTWISE_RUN 256u
size_t elementwise_load(union number *numbers, const struct number_type *type, const struct tensor *tensor,
                        uint64_t at);

/* Of a pair: the sum; whole numbers wrap around. */
elementwise_combine elementwise_add;

/* The two operands with the shapes that they are stretched from: the second's dims aligned where opset 1 to 6 say so.
 */
enum opshift_status elementwise_operands(struct kernel_call *call, const struct tensor **pair,
                                         struct opshift_error *error);

#endif
