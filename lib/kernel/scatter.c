/* Scatter operators: write elements into a copy of a tensor, or combine them with its elements. */
#include "kernel/elementwise.h"

#include <math.h>

#include "kernel/walk.h"

enum scatter_reduction { SCATTER_SET, SCATTER_ADD, SCATTER_MUL, SCATTER_MAX, SCATTER_MIN };

struct scattering {
    enum scatter_reduction reduction;
    const struct number_type *type; /* NULL if elements are only assigned */
    bool overflows;                 /* an integer has overflowed */
};

static enum opshift_status start(struct kernel_call *call, struct scattering *scattering, struct opshift_error *error)
{
    scattering->reduction = (enum scatter_reduction)kernel_choice(call, ATTRIBUTE_REDUCTION);
    const struct tensor *data = call->inputs[0];
    scattering->type = scattering->reduction == SCATTER_SET ? NULL : number_type(data->type);
    if (scattering->reduction != SCATTER_SET && scattering->type == NULL)
        return kernel_no_number(data->type, error);
    enum opshift_status status = kernel_output(call, 0, data->type, data->rank, data->dims, error);
    if (status == OPSHIFT_OK)
        kernel_copy(call->outputs[0], 0, data, 0, data->count);
    return status;
}

static union number join_reals(enum scatter_reduction reduction, double a, double b)
{
    if (reduction == SCATTER_ADD || reduction == SCATTER_MUL)
        return (union number){.d = reduction == SCATTER_ADD ? a + b : a * b};
    if (isnan(a) || isnan(b))
        return (union number){.d = (double)NAN};
    return (union number){.d = (a < b) == (reduction == SCATTER_MIN) ? a : b};
}

/* False: an integer has wrapped around. */
static bool join(const struct scattering *scattering, union number a, union number b, union number *joined)
{
    enum number_kind kind = scattering->type->kind;
    bool less = number_order(kind, a, b) < 0, fits = true;
    if (kind == NUMBER_REAL)
        *joined = join_reals(scattering->reduction, a.d, b.d);
    else if (scattering->reduction == SCATTER_ADD)
        fits = whole_add(kind, a, b, joined);
    else if (scattering->reduction == SCATTER_MUL)
        fits = whole_multiply(kind, a, b, joined);
    else
        *joined = less == (scattering->reduction == SCATTER_MIN) ? a : b;
    return fits && whole_fits(scattering->type, *joined);
}

static void put(struct scattering *scattering, struct tensor *to, uint64_t to_at, const struct tensor *from,
                uint64_t from_at, uint64_t count)
{
    const struct number_type *type = scattering->type;
    if (scattering->reduction == SCATTER_SET) {
        kernel_copy(to, to_at, from, from_at, count);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        char *place = (char *)to->data + (to_at + i) * type->size;
        union number joined;
        bool fits = join(scattering, type->load(place),
                         type->load((const char *)from->data + (from_at + i) * type->size), &joined);
        scattering->overflows = scattering->overflows || !fits;
        type->store(place, joined);
    }
}

static enum opshift_status finish(const struct kernel_call *call, const struct scattering *scattering,
                                  struct opshift_error *error)
{
    return scattering->overflows ? elementwise_overflowed(call, scattering->type, error) : OPSHIFT_OK;
}

struct putting {
    struct scattering *scattering;
    struct kernel_call *call;
};

static void put_element(void *context, uint64_t number, uint64_t place)
{
    const struct putting *putting = context;
    put(putting->scattering, putting->call->outputs[0], place, putting->call->inputs[2], number, 1);
}

static enum opshift_status run_elements(struct kernel_call *call, struct opshift_error *error)
{
    struct scattering scattering = {0};
    uint32_t place = 0;
    enum opshift_status status = start(call, &scattering, error);
    if (status == OPSHIFT_OK)
        status = kernel_axis(kernel_int(call, ATTRIBUTE_AXIS), call->inputs[0]->rank, &place, error);
    if (status)
        return status;
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1], *updates = call->inputs[2];
    bool fits = data->rank == indices->rank && data->rank == updates->rank;
    for (uint32_t i = 0; i < data->rank && fits; i++)
        fits = (i == place || indices->dims[i] <= data->dims[i]) && indices->dims[i] == updates->dims[i];
    if (fits)
        status = walk_indices(call, data, indices, place, put_element, &(struct putting){&scattering, call}, error);
    if (fits)
        return status == OPSHIFT_OK ? finish(call, &scattering, error) : status;
    return opshift_fail(error, OPSHIFT_MALFORMED, "indices of shape %s and updates of shape %s do not fit %s",
                        kernel_dims_text(call->arena, indices->rank, indices->dims),
                        kernel_dims_text(call->arena, updates->rank, updates->dims),
                        kernel_dims_text(call->arena, data->rank, data->dims));
}

/* ---- ScatterND: writes slices addressed by rows of indices ---- */

/* Updates have the indices' shape without the last axis, followed by the data's dims from `width` on. */
static enum opshift_status check_shapes(const struct kernel_call *call, struct opshift_error *error)
{
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1], *updates = call->inputs[2];
    int64_t width = indices->rank == 0 ? 0 : indices->dims[indices->rank - 1];
    bool fits = indices->rank > 0 && width <= (int64_t)data->rank &&
                (int64_t)updates->rank == (int64_t)indices->rank - 1 + data->rank - width;
    for (uint32_t i = 0; fits && i < updates->rank; i++)
        fits = updates->dims[i] ==
               (i < indices->rank - 1 ? indices->dims[i] : data->dims[i - (indices->rank - 1) + width]);
    if (fits)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "indices of shape %s and updates of shape %s do not fit %s",
                        kernel_dims_text(call->arena, indices->rank, indices->dims),
                        kernel_dims_text(call->arena, updates->rank, updates->dims),
                        kernel_dims_text(call->arena, data->rank, data->dims));
}

static enum opshift_status run_nd(struct kernel_call *call, struct opshift_error *error)
{
    struct scattering scattering = {0};
    enum opshift_status status = start(call, &scattering, error);
    if (status == OPSHIFT_OK)
        status = check_shapes(call, error);
    if (status)
        return status;
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1];
    uint32_t width = (uint32_t)indices->dims[indices->rank - 1];
    uint64_t slice = 1, rows = 1;
    for (uint32_t i = width; i < data->rank; i++)
        slice *= (uint64_t)data->dims[i];
    for (uint32_t i = 0; i + 1 < indices->rank; i++)
        rows *= (uint64_t)indices->dims[i];
    status = kernel_work(call, indices->count, STEPS_COMPUTE, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, call->inputs[2]->count, STEPS_MOVE, error);
    if (status)
        return status;
    for (uint64_t row = 0; row < rows && call->inputs[2]->count > 0; row++) {
        uint64_t to = 0;
        for (uint32_t i = 0; i < width; i++) {
            int64_t index = kernel_index(indices, row * width + i), length = data->dims[i];
            if (index < -length || index >= length)
                return opshift_fail(error, OPSHIFT_MALFORMED, "index %lld is outside axis %u of %lld elements",
                                    (long long)index, i, (long long)length);
            to = to * (uint64_t)length + (uint64_t)(index < 0 ? index + length : index);
        }
        put(&scattering, call->outputs[0], to * slice, call->inputs[2], row * slice, slice);
    }
    return finish(call, &scattering, error);
}

/* Before opset 11, ScatterElements was named Scatter. */
const struct kernel kernels_scatter[] = {
    {OPERATOR_SCATTER, 9, 10, run_elements, {0}},
    {OPERATOR_SCATTER_ELEMENTS, 11, KERNEL_ANY, run_elements, {0}},
    {OPERATOR_SCATTER_ND, 11, KERNEL_ANY, run_nd, {0}},
    {0},
};
