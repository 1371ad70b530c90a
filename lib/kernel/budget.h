/* What computing may take, of all that share it: bytes held at a time and steps done. A step is about a nanosecond. */
#ifndef KERNEL_BUDGET_H
#define KERNEL_BUDGET_H

#include "base/error.h"

/* What a run may take where nobody says otherwise. */
#define BUDGET_MEMORY_DEFAULT (UINT64_C(192) << 20)
#define BUDGET_STEPS_DEFAULT  UINT64_C(6000000000)

enum budget_limit { BUDGET_NONE, BUDGET_STEPS, BUDGET_BYTES };

struct budget {
    uint64_t bytes, bytes_max;
    uint64_t steps, steps_max;
    enum budget_limit met; /* the limit that the last failure was about */
};

/* Steps that each of these costs, beside its elements. */
#define STEPS_NODE  1000u /* a node, a call of a function, a round of a body */
#define STEPS_ITEM  100u  /* a tensor that a node makes beside its outputs */
#define STEPS_ENTRY 8u    /* an input, an output, an attribute, an item of a list */
/* Steps for an element of the input or the output. */
#define STEPS_COMPUTE 8u   /* loaded, computed with, stored */
#define STEPS_MOVE    12u  /* copied alone */
#define STEPS_CURVE   20u  /* a function of real numbers */
#define STEPS_READ    200u /* a number read from a text, or a whole one printed */
#define STEPS_PRINT   4000u

/* Counts work before it is done. UNSUPPORTED: there are not so many steps left. budget NULL: there is no limit. */
enum opshift_status budget_steps(struct budget *budget, uint64_t count, uint64_t each, struct opshift_error *error);
/* Takes bytes, until budget_return. UNSUPPORTED: there are not so many left, and none are taken. */
enum opshift_status budget_bytes(struct budget *budget, uint64_t size, struct opshift_error *error);
void budget_return(struct budget *budget, uint64_t size);
/* UNSUPPORTED, in the words of budget_bytes. */
enum opshift_status budget_no_bytes(struct budget *budget, struct opshift_error *error);
/* Bytes that may be taken still. */
uint64_t budget_left(const struct budget *budget);

#endif
