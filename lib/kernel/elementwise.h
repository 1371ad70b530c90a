/* Elementwise operators: on one tensor, or on several broadcast to a common shape. The operator's row holds the
 * function. */
#ifndef KERNEL_ELEMENTWISE_H
#define KERNEL_ELEMENTWISE_H

#include "kernel/support.h"
#include "model/number.h"

/* A function of a real number with up to CURVE_PARAMETERS attributes. */
#define CURVE_PARAMETERS 2
struct curve {
    double (*function)(double x, const float *parameters);
    size_t count;
    enum attribute_id parameters[CURVE_PARAMETERS];
};

/* unary.c: functions that are also activations of recurrent layers; p: alpha and beta. */
double curve_sigmoid(double x);
double curve_softplus(double x);
double curve_softsign(double x);
double curve_elu(double x, const float *p);
double curve_hard_sigmoid(double x, const float *p);
double curve_leaky_relu(double x, const float *p);
double curve_thresholded_relu(double x, const float *p);

/* Returned by a map or combination when an integer result has wrapped around; its other results are NULL or an error
 * text. */
extern const char elementwise_overflow[];

/* how.combine: two numeric inputs; before opset 7 the second is broadcast as attributes broadcast and axis specify. */
enum opshift_status elementwise_two(struct kernel_call *call, struct opshift_error *error);
/* how.combine: one or more inputs, combined from left to right; before opset 8 all of one shape. */
enum opshift_status elementwise_all(struct kernel_call *call, struct opshift_error *error);
/* how.test: two inputs of numbers or bool; the output is bool. */
enum opshift_status elementwise_compare(struct kernel_call *call, struct opshift_error *error);
/* how.logic: two bool inputs; the output is bool. */
enum opshift_status elementwise_bools(struct kernel_call *call, struct opshift_error *error);
/* how.map: one numeric input. */
enum opshift_status elementwise_one(struct kernel_call *call, struct opshift_error *error);
/* how.function: one real input. */
enum opshift_status elementwise_real(struct kernel_call *call, struct opshift_error *error);
/* how.curve: one real input. */
enum opshift_status elementwise_curve(struct kernel_call *call, struct opshift_error *error);

/* Fails if an integer computation has overflowed and call->exact or call->defined is set. */
enum opshift_status elementwise_overflowed(const struct kernel_call *call, const struct number_type *type,
                                           struct opshift_error *error);

/* Loads the numbers of a tensor from element `at` on, at most ELEMENTWISE_RUN; returns how many. */
#define ELEMENTWISE_RUN 256u
size_t elementwise_load(union number *numbers, const struct number_type *type, const struct tensor *tensor,
                        uint64_t at);

/* The two operands with the shapes to broadcast from; in opsets 1 to 6 the second's dims are aligned by attribute
 * axis. */
enum opshift_status elementwise_operands(struct kernel_call *call, const struct tensor **pair,
                                         struct opshift_error *error);

/* Integer arithmetic in 64 bits. False: the result has wrapped around. */
bool whole_add(enum number_kind kind, union number a, union number b, union number *result);
bool whole_subtract(enum number_kind kind, union number a, union number b, union number *result);
bool whole_multiply(enum number_kind kind, union number a, union number b, union number *result);
/* Is the integer in the type's range? */
bool whole_fits(const struct number_type *type, union number value);

#endif
