/* Computes operators: a file for each family, with a row in its table for each operator. */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include "kernel/value.h"
#include "model/model.h"
#include "model/number.h"

/* What one output may take where no budget says less. */
#define KERNEL_BYTES_MAX (UINT64_C(1) << 32)

/* What runs the graphs that stand in a node's attributes. */
struct bodies {
    /* How many inputs and outputs a body has. */
    enum opshift_status (*measure)(struct bodies *bodies, const char *attribute, uint32_t *input_count,
                                   uint32_t *output_count, struct opshift_error *error);
    /* The type that an output is declared with; in arena. */
    enum opshift_status (*declared)(struct bodies *bodies, const char *attribute, uint32_t output, struct arena *arena,
                                    struct value_type *type, struct opshift_error *error);
    /* The inputs stay the caller's; the outputs become it, to be dropped. */
    enum opshift_status (*run)(struct bodies *bodies, const char *attribute, const struct value *inputs,
                               uint32_t input_count, struct value *outputs, uint32_t output_count,
                               struct opshift_error *error);
};

struct reduction;
struct curve;

/* What is done with numbers, each as its family's header says. */
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
    union kernel_how how; /* of the kernel's row */
    const char *op_type;
    int64_t opset; /* in force where the node stands */
    Onnx__AttributeProto *const *attributes;
    size_t attribute_count;
    const struct tensor *const *inputs; /* NULL: absent */
    uint32_t input_count;
    struct tensor **outputs; /* to be set; made in arena */
    const bool *wanted;      /* per output: has a name; NULL: all */
    uint32_t output_count;
    struct arena *arena;    /* lives as long as the outputs */
    struct arena **scratch; /* set by kernel_call: what goes when the call is done; made when it is first needed */
    struct budget *budget;  /* NULL: there is no limit */
    bool exact;             /* whole numbers that overflow are refused: runtimes differ in what comes out */
    /* Only where a graph runs, not where constants are folded: */
    const struct value *values; /* the inputs again, those too that are no tensors; NULL: inputs says it all */
    struct value *results;      /* outputs that came from elsewhere or are no tensors; NULL: tensors alone */
    struct bodies *bodies;      /* NULL: no graph in an attribute can be run */
};

/* A row of a family's table. */
struct kernel {
    const char *op_type;
    int16_t since, until; /* opsets it computes, both included; until INT16_MAX: and all newer known */
    enum opshift_status (*run)(struct kernel_call *call, struct opshift_error *error);
    union kernel_how how;
};

/* NULL: there is no kernel for this operator of ai.onnx at this opset. */
const struct kernel *kernel_find(const char *op_type, int64_t opset);
/* Runs one that was found. */
enum opshift_status kernel_call(const struct kernel *kernel, struct kernel_call *call, struct opshift_error *error);
/* Finds and runs; UNSUPPORTED when there is none. Fails with MALFORMED words when the inputs break the operator's
 * contract. */
enum opshift_status kernel_run(struct kernel_call *call, struct opshift_error *error);

#endif
