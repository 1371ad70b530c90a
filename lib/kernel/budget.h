/* Limits shared by everything that one run computes: bytes allocated at a time, and steps of work. A step is about a
 * nanosecond. */
#ifndef KERNEL_BUDGET_H
#define KERNEL_BUDGET_H

#include "base/error.h"

/* Default limits of a run. */
#define BUDGET_MEMORY_DEFAULT (UINT64_C(192) << 20)
#define BUDGET_STEPS_DEFAULT  UINT64_C(6000000000)

enum budget_limit { BUDGET_NONE, BUDGET_STEPS, BUDGET_BYTES };

struct budget {
    uint64_t bytes, bytes_max;
    uint64_t steps, steps_max;
    enum budget_limit met;     /* the limit that the last failure hit */
    opshift_progress progress; /* called after every few million steps; false: CANCELLED. NULL: none */
    void *progress_data;
    uint64_t asked; /* steps at its last call */
};

/* Steps for each of these, besides its elements. */
#define STEPS_NODE  1000u /* a node, a function call, an iteration of a body */
#define STEPS_ITEM  100u  /* a tensor that a node creates besides its outputs */
#define STEPS_ENTRY 8u    /* an input, an output, an attribute, an item of a list */
/* Steps per element of the input or the output. */
#define STEPS_COMPUTE 8u   /* loaded, computed, stored */
#define STEPS_MOVE    12u  /* copied only */
#define STEPS_CURVE   20u  /* a function of real numbers */
#define STEPS_READ    200u /* a number parsed from text, or an integer printed */
#define STEPS_PRINT   4000u

/* Counts work before it is done. UNSUPPORTED: the limit on steps is exceeded. CANCELLED. budget NULL: no limit. */
enum opshift_status budget_steps(struct budget *budget, uint64_t count, uint64_t each, struct opshift_error *error);
/* Reserves bytes until budget_return. UNSUPPORTED: the limit is exceeded, and nothing is reserved. */
enum opshift_status budget_bytes(struct budget *budget, uint64_t size, struct opshift_error *error);
void budget_return(struct budget *budget, uint64_t size);
/* UNSUPPORTED, with the message of budget_bytes. */
enum opshift_status budget_no_bytes(struct budget *budget, struct opshift_error *error);
/* Bytes still available. */
uint64_t budget_left(const struct budget *budget);

#endif
