/* Computes operators. Each family has a file with a table; each operator is a row. */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include "kernel/value.h"
#include "model/model.h"
#include "model/number.h"
#include "schema/operation.h"

/* Limit on one output without a smaller budget. */
#define KERNEL_BYTES_MAX (UINT64_C(1) << 32)

struct running_node;
struct kernel_call;

/* ---- execute.c: the graphs in a running node's attributes ---- */

/* The number of a body's inputs and outputs. UNSUPPORTED: bodies cannot be run here. */
enum opshift_status body_measure(const struct kernel_call *call, const char *attribute, uint32_t *input_count,
                                 uint32_t *output_count, struct opshift_error *error);
/* The declared type of an output; in arena. */
enum opshift_status body_declared(const struct running_node *running, const char *attribute, uint32_t output,
                                  struct arena *arena, struct value_type *type, struct opshift_error *error);
/* The caller keeps the inputs, and owns the outputs, which it must drop. */
enum opshift_status body_run(const struct running_node *running, const char *attribute, const struct value *inputs,
                             uint32_t input_count, struct value *outputs, uint32_t output_count,
                             struct opshift_error *error);

/* ---- kernels ---- */

struct reduction;
struct curve;

/* The function on numbers; see the family's header. */
union kernel_how {
    const char *(*map)(enum number_kind kind, union number a, union number *result);
    const char *(*combine)(enum number_kind kind, union number a, union number b, union number *result);
    bool (*test)(enum number_kind kind, union number a, union number b);
    bool (*logic)(bool a, bool b);
    double (*function)(double x);
    bool (*is_true)(double x, const int64_t *asked);
    void (*line)(const double *from, double *to, uint64_t count);
    const struct curve *curve;
    const struct reduction *reduction;
};

struct kernel_call {
    union kernel_how how;       /* from the kernel's row */
    struct operation operation; /* opset and messages are set by the caller; kernel_run finds the schema */
    const char *op_type;
    const struct tensor *const *inputs; /* NULL: absent */
    uint32_t input_count;
    struct tensor **outputs; /* set by the kernel; allocated in arena */
    const bool *wanted;      /* per output: is it named? NULL: all are */
    uint32_t output_count;
    struct arena *arena;    /* freed after the outputs */
    struct arena **scratch; /* set by kernel_call: freed after the call; created on first use */
    struct budget *budget;  /* NULL: no limit */
    bool exact;             /* refuse integer overflow, and integers that some runtimes compute in double */
    bool defined;           /* refuse what the standard does not define, such as integer overflow */
    bool strict;            /* refuse types that the operator does not take at this opset, but at another */
    /* Only when a graph runs, not when constants are folded: */
    const struct value *values; /* the inputs, including sequences and optionals; NULL: all inputs are tensors */
    struct value *results;      /* outputs that are not tensors, or not of this call; NULL: tensors only */
    const struct running_node *running; /* NULL: bodies cannot be run */
};

/* A row of a family's table. */
struct kernel {
    enum operator_id id;
    int16_t since, until; /* opsets it computes, both included; until INT16_MAX: no upper limit */
    enum opshift_status (*run)(struct kernel_call *call, struct opshift_error *error);
    union kernel_how how;
};

/* NULL: no kernel for this operator at its domain's opset; schema may be NULL. */
const struct kernel *kernel_find(const struct schema *schema, int64_t opset);
/* Runs a kernel that was found, after inputs, outputs and attributes are checked against the schema. */
enum opshift_status kernel_call(const struct kernel *kernel, struct kernel_call *call, struct opshift_error *error);
/* Finds and runs a kernel; UNSUPPORTED if there is none, MALFORMED if the inputs violate the operator's
 * specification. */
enum opshift_status kernel_run(struct kernel_call *call, struct opshift_error *error);

#endif
