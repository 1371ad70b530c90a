/* Limits shared by everything that one run computes: bytes allocated at a time, and steps of work. */
#include "kernel/budget.h"

/* Steps between two calls of the progress callback. */
#define STEPS_ASKED UINT64_C(20000000)

static bool is_wanted(struct budget *budget)
{
    if (budget->progress == NULL || budget->steps - budget->asked < STEPS_ASKED)
        return true;
    budget->asked = budget->steps;
    return budget->progress(budget->progress_data, (double)budget->steps / (double)budget->steps_max);
}

enum opshift_status budget_steps(struct budget *budget, uint64_t count, uint64_t each, struct opshift_error *error)
{
    uint64_t steps;
    if (budget == NULL)
        return OPSHIFT_OK;
    if (!__builtin_mul_overflow(count, each, &steps) && steps <= budget->steps_max &&
        budget->steps <= budget->steps_max - steps) {
        budget->steps += steps;
        return is_wanted(budget) ? OPSHIFT_OK : opshift_fail(error, OPSHIFT_CANCELLED, "cancelled");
    }
    budget->met = BUDGET_STEPS;
    return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                        "computing takes more than the limit of %llu steps; raise it with --max-steps",
                        (unsigned long long)budget->steps_max);
}

uint64_t budget_left(const struct budget *budget)
{
    return budget->bytes < budget->bytes_max ? budget->bytes_max - budget->bytes : 0;
}

enum opshift_status budget_no_bytes(struct budget *budget, struct opshift_error *error)
{
    budget->met = BUDGET_BYTES;
    return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                        "the values take more than the limit of %llu MiB; raise it with --max-memory",
                        (unsigned long long)(budget->bytes_max >> 20));
}

enum opshift_status budget_bytes(struct budget *budget, uint64_t size, struct opshift_error *error)
{
    if (size > budget_left(budget))
        return budget_no_bytes(budget, error);
    budget->bytes += size;
    return OPSHIFT_OK;
}

void budget_return(struct budget *budget, uint64_t size)
{
    budget->bytes -= size;
}
