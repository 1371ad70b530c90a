/* Elementwise operators: on one tensor, or on several broadcast to a common shape. */
#include "kernel/elementwise.h"

#include <string.h>

#include "kernel/walk.h"

const char elementwise_overflow[] = "overflow";

/* ---- integers ---- */

bool whole_add(enum number_kind kind, union number a, union number b, union number *result)
{
    return kind == NUMBER_SIGNED ? !__builtin_add_overflow(a.i, b.i, &result->i)
                                 : !__builtin_add_overflow(a.u, b.u, &result->u);
}

bool whole_subtract(enum number_kind kind, union number a, union number b, union number *result)
{
    return kind == NUMBER_SIGNED ? !__builtin_sub_overflow(a.i, b.i, &result->i)
                                 : !__builtin_sub_overflow(a.u, b.u, &result->u);
}

bool whole_multiply(enum number_kind kind, union number a, union number b, union number *result)
{
    return kind == NUMBER_SIGNED ? !__builtin_mul_overflow(a.i, b.i, &result->i)
                                 : !__builtin_mul_overflow(a.u, b.u, &result->u);
}

bool whole_fits(const struct number_type *type, union number value)
{
    unsigned bits = 8u * type->size;
    if (type->kind == NUMBER_REAL || bits == 64)
        return true;
    if (type->kind == NUMBER_UNSIGNED)
        return value.u >> bits == 0;
    return value.i >= -(INT64_C(1) << (bits - 1)) && value.i < INT64_C(1) << (bits - 1);
}

enum opshift_status elementwise_overflowed(const struct kernel_call *call, const struct number_type *type,
                                           struct opshift_error *error)
{
    if (!call->exact && !call->defined)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_UNSUPPORTED, "a result is beyond %s, where runtimes differ",
                        type_name(type->type));
}

/* ---- broadcasting ---- */

/* Opset 1 to 6: the second operand has the first's shape, or with broadcast = 1 a contiguous part of its dims from
 * axis on (the last dims if axis is absent). */
static enum opshift_status align_second(struct kernel_call *call, const struct tensor **pair,
                                        struct opshift_error *error)
{
    const struct tensor *a = pair[0], *b = pair[1];
    int64_t broadcast = kernel_int(call, ATTRIBUTE_BROADCAST), dims[TENSOR_RANK_MAX];
    int64_t axis = kernel_gives(call, ATTRIBUTE_AXIS) ? kernel_int(call, ATTRIBUTE_AXIS) : (int64_t)a->rank - b->rank;
    axis = broadcast == 0 ? 0 : axis < 0 ? axis + a->rank : axis;
    bool fits = (broadcast != 0 || a->rank == b->rank) && axis >= 0 && axis <= (int64_t)a->rank - b->rank;
    for (uint32_t i = 0; i < b->rank && fits; i++)
        fits = b->dims[i] == a->dims[axis + i] || (broadcast != 0 && b->dims[i] == 1);
    if (!fits)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input 1 of shape %s does not fit %s from axis %lld on%s",
                            kernel_dims_text(call->arena, b->rank, b->dims),
                            kernel_dims_text(call->arena, a->rank, a->dims), (long long)axis,
                            broadcast == 0 ? "; attribute 'broadcast' is 0" : "");
    for (uint32_t i = 0; i < a->rank; i++)
        dims[i] = i >= axis && i < axis + b->rank ? b->dims[i - axis] : 1;
    struct tensor *aligned = arena_copy(call->arena, b, sizeof(*b));
    int64_t *copy = arena_copy(call->arena, dims, a->rank * sizeof(*dims));
    if (aligned == NULL || copy == NULL)
        return opshift_no_memory(error);
    aligned->rank = a->rank;
    aligned->dims = copy;
    pair[1] = aligned;
    return OPSHIFT_OK;
}

enum opshift_status elementwise_operands(struct kernel_call *call, const struct tensor **pair,
                                         struct opshift_error *error)
{
    pair[0] = call->inputs[0];
    pair[1] = call->inputs[1];
    return call->operation.opset < 7 ? align_second(call, pair, error) : OPSHIFT_OK;
}

/* A run of numbers of both operands within a row, at most ELEMENTWISE_RUN. */
struct element_run {
    struct walk walk;
    struct walk_row row;
    uint64_t row_at; /* output position of the row */
    uint64_t at;     /* output position of the run */
    size_t count;
    union number a[ELEMENTWISE_RUN], b[ELEMENTWISE_RUN];
};

static enum opshift_status start_run(struct kernel_call *call, const struct tensor *const *pair, enum opshift_type type,
                                     struct element_run *run, struct opshift_error *error)
{
    enum opshift_status status = walk_inputs(call, pair, 2, type, STEPS_COMPUTE, &run->walk, error);
    run->row_at = run->at = 0;
    run->count = 0;
    if (status == OPSHIFT_OK)
        walk_take_row(&run->walk, &run->row);
    return status;
}

/* Loads the next run. False: the end. */
static bool run_next(struct element_run *run, const struct number_type *type, const struct tensor *const *pair,
                     uint64_t end)
{
    union number *const numbers[] = {run->a, run->b};
    run->at += run->count;
    if (run->at == end)
        return false;
    if (run->at == run->row_at + run->row.count) {
        walk_next(&run->walk);
        run->row_at = run->at;
    }
    uint64_t place = run->at - run->row_at, left = run->row.count - place;
    run->count = left < ELEMENTWISE_RUN ? (size_t)left : ELEMENTWISE_RUN;
    for (size_t k = 0; k < COUNT(numbers); k++) {
        int64_t first = run->walk.at[k] + (int64_t)place * run->row.step[k];
        type->load_run(numbers[k], (const uint8_t *)pair[k]->data + first * type->size,
                       (ptrdiff_t)run->row.step[k] * type->size, run->count);
    }
    return true;
}

/* ---- two operands ---- */

/* Sets output 0 to the combination of a and b. */
static enum opshift_status combine_pair(struct kernel_call *call, const struct tensor *const *pair,
                                        struct opshift_error *error)
{
    const struct number_type *type = number_type(pair[0]->type);
    struct element_run run;
    enum opshift_status status = start_run(call, pair, pair[0]->type, &run, error);
    if (status)
        return status;
    while (run_next(&run, type, pair, call->outputs[0]->count)) {
        bool fits = true;
        for (size_t i = 0; i < run.count; i++) {
            const char *wrong = call->how.combine(type->kind, run.a[i], run.b[i], &run.a[i]);
            if (wrong != NULL && wrong != elementwise_overflow)
                return opshift_fail(error, OPSHIFT_MALFORMED, "%s at element %llu", wrong,
                                    (unsigned long long)(run.at + i));
            fits = fits && wrong == NULL && whole_fits(type, run.a[i]);
        }
        if (!fits && elementwise_overflowed(call, type, error) != OPSHIFT_OK)
            return OPSHIFT_UNSUPPORTED;
        type->store_run((uint8_t *)call->outputs[0]->data + run.at * type->size, run.a, run.count);
    }
    return OPSHIFT_OK;
}

enum opshift_status elementwise_two(struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *pair[2];
    enum opshift_status status = elementwise_operands(call, pair, error);
    return status == OPSHIFT_OK ? combine_pair(call, pair, error) : status;
}

static enum opshift_status check_one_shape(const struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *first = call->inputs[0];
    for (uint32_t i = 1; i < call->input_count; i++) {
        const struct tensor *input = call->inputs[i];
        if (input->rank != first->rank || (first->rank > 0 && memcmp(input->dims, first->dims, first->rank * 8) != 0))
            return opshift_fail(error, OPSHIFT_MALFORMED,
                                "input %u of shape %s differs from %s; shapes do not stretch "
                                "before opset 8",
                                i, kernel_dims_text(call->arena, input->rank, input->dims),
                                kernel_dims_text(call->arena, first->rank, first->dims));
    }
    return OPSHIFT_OK;
}

enum opshift_status elementwise_all(struct kernel_call *call, struct opshift_error *error)
{
    enum opshift_status status = call->operation.opset < 8 ? check_one_shape(call, error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK && call->input_count == 1)
        return kernel_view(call, call->inputs[0], call->inputs[0]->rank, call->inputs[0]->dims, error);
    for (uint32_t i = 1; i < call->input_count && status == OPSHIFT_OK; i++) {
        const struct tensor *pair[] = {i == 1 ? call->inputs[0] : call->outputs[0], call->inputs[i]};
        status = combine_pair(call, pair, error);
    }
    return status;
}

/* ---- bool outputs ---- */

enum opshift_status elementwise_compare(struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *pair[2];
    struct element_run run;
    enum opshift_status status = elementwise_operands(call, pair, error);
    if (status)
        return status;
    const struct number_type *type = number_type(pair[0]->type);
    if (type == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "elements of type %s are not compared",
                            type_name(pair[0]->type));
    status = start_run(call, pair, OPSHIFT_TYPE_BOOL, &run, error);
    if (status)
        return status;
    while (run_next(&run, type, pair, call->outputs[0]->count)) {
        uint8_t *answers = (uint8_t *)call->outputs[0]->data + run.at;
        for (size_t i = 0, count = run.count; i < count; i++)
            answers[i] = call->how.test(type->kind, run.a[i], run.b[i]);
    }
    return OPSHIFT_OK;
}

enum opshift_status elementwise_bools(struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *pair[2];
    struct walk walk;
    struct walk_row row = {0};
    enum opshift_status status = elementwise_operands(call, pair, error);
    if (status == OPSHIFT_OK)
        status = walk_inputs(call, pair, 2, OPSHIFT_TYPE_BOOL, STEPS_COMPUTE, &walk, error);
    if (status)
        return status;
    walk_take_row(&walk, &row);
    const uint8_t *a = pair[0]->data, *b = pair[1]->data;
    uint8_t *answers = call->outputs[0]->data;
    for (uint64_t at = 0; at < call->outputs[0]->count; at += row.count, walk_next(&walk))
        for (int64_t i = 0; i < (int64_t)row.count; i++)
            answers[(int64_t)at + i] =
                call->how.logic(a[walk.at[0] + i * row.step[0]] != 0, b[walk.at[1] + i * row.step[1]] != 0);
    return OPSHIFT_OK;
}

/* ---- one operand ---- */

static enum opshift_status start_one(struct kernel_call *call, const struct number_type **type,
                                     struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    *type = number_type(input->type);
    if (*type == NULL || input->type == OPSHIFT_TYPE_BOOL)
        return kernel_no_number(input->type, error);
    return kernel_like(call, input->type, STEPS_COMPUTE, error);
}

size_t elementwise_load(union number *numbers, const struct number_type *type, const struct tensor *tensor, uint64_t at)
{
    size_t count = tensor->count - at < ELEMENTWISE_RUN ? (size_t)(tensor->count - at) : ELEMENTWISE_RUN;
    type->load_run(numbers, (const uint8_t *)tensor->data + at * type->size, type->size, count);
    return count;
}

enum opshift_status elementwise_one(struct kernel_call *call, struct opshift_error *error)
{
    const struct number_type *type = NULL;
    enum opshift_status status = start_one(call, &type, error);
    if (status)
        return status;
    const struct tensor *input = call->inputs[0];
    for (uint64_t at = 0; at < input->count; at += ELEMENTWISE_RUN) {
        union number numbers[ELEMENTWISE_RUN];
        size_t count = elementwise_load(numbers, type, input, at);
        bool fits = true;
        for (size_t i = 0; i < count; i++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): start_one() gives a type. */
            const char *wrong = call->how.map(type->kind, numbers[i], &numbers[i]);
            if (wrong != NULL && wrong != elementwise_overflow)
                return opshift_fail(error, OPSHIFT_MALFORMED, "%s", wrong);
            fits = fits && wrong == NULL && whole_fits(type, numbers[i]);
        }
        if (!fits && elementwise_overflowed(call, type, error) != OPSHIFT_OK)
            return OPSHIFT_UNSUPPORTED;
        type->store_run((uint8_t *)call->outputs[0]->data + at * type->size, numbers, count);
    }
    return OPSHIFT_OK;
}

static enum opshift_status start_real(struct kernel_call *call, const struct number_type **type,
                                      struct opshift_error *error)
{
    enum opshift_status status = start_one(call, type, error);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): start_one() gives a type. */
    if (status == OPSHIFT_OK && (*type)->kind != NUMBER_REAL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "elements of type %s are no real numbers",
                            type_name((*type)->type));
    return status == OPSHIFT_OK ? kernel_work(call, call->inputs[0]->count, STEPS_CURVE, error) : status;
}

/* curve NULL: how.function. */
static enum opshift_status run_real(struct kernel_call *call, const struct curve *curve, struct opshift_error *error)
{
    const struct number_type *type = NULL;
    float values[CURVE_PARAMETERS] = {0};
    enum opshift_status status = start_real(call, &type, error);
    for (size_t i = 0; curve != NULL && i < curve->count; i++)
        values[i] = kernel_float(call, curve->parameters[i]);
    for (uint64_t at = 0; status == OPSHIFT_OK && at < call->inputs[0]->count; at += ELEMENTWISE_RUN) {
        union number numbers[ELEMENTWISE_RUN];
        size_t run = elementwise_load(numbers, type, call->inputs[0], at);
        for (size_t i = 0; i < run; i++)
            numbers[i].d = curve ? curve->function(numbers[i].d, values) : call->how.function(numbers[i].d);
        type->store_run((uint8_t *)call->outputs[0]->data + at * type->size, numbers, run);
    }
    return status;
}

enum opshift_status elementwise_real(struct kernel_call *call, struct opshift_error *error)
{
    return run_real(call, NULL, error);
}

enum opshift_status elementwise_curve(struct kernel_call *call, struct opshift_error *error)
{
    return run_real(call, call->how.curve, error);
}
