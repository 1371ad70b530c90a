/* Elements put into a copy of a tensor, or joined to those that are there. */
#include "kernel/scattering.h"

#include <math.h>
#include <string.h>

#include "kernel/walk.h"

static enum opshift_status find_way(const struct kernel_call *call, struct scattering *scattering,
                                    struct opshift_error *error)
{
    static const struct {
        const char *name;
        int64_t since;
    } ways[] = {[SCATTER_SET] = {"none", 16},
                [SCATTER_ADD] = {"add", 16},
                [SCATTER_MUL] = {"mul", 16},
                [SCATTER_MAX] = {"max", 18},
                [SCATTER_MIN] = {"min", 18}};
    struct bytes name = {(const uint8_t *)"none", 4};
    enum opshift_status status = kernel_text(call, "reduction", &name, error);
    if (status != OPSHIFT_OK)
        return status;
    for (size_t i = 0; i < COUNT(ways); i++)
        if (name.size == strlen(ways[i].name) && memcmp(name.data, ways[i].name, name.size) == 0 &&
            (i == SCATTER_SET || call->opset >= ways[i].since)) {
            scattering->way = (enum scattering_way)i;
            return OPSHIFT_OK;
        }
    return opshift_fail(error, OPSHIFT_MALFORMED, "attribute 'reduction' is '%.*s', which opset %lld does not have",
                        (int)(name.size < 40 ? name.size : 40), (const char *)name.data, (long long)call->opset);
}

enum opshift_status scattering_start(struct kernel_call *call, struct scattering *scattering,
                                     struct opshift_error *error)
{
    enum opshift_status status = kernel_arity(call, 3, 3, error);
    if (status == OPSHIFT_OK)
        status = find_way(call, scattering, error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *data = call->inputs[0], *updates = call->inputs[2];
    if (updates->type != data->type)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input 2 is %s, must be %s as input 0", type_name(updates->type),
                            type_name(data->type));
    scattering->type = scattering->way == SCATTER_SET ? NULL : number_type(data->type);
    if (scattering->way != SCATTER_SET && scattering->type == NULL)
        return kernel_no_number(data->type, error);
    status = kernel_output(call, 0, data->type, data->rank, data->dims, error);
    if (status == OPSHIFT_OK)
        kernel_copy(call->outputs[0], 0, data, 0, data->count);
    return status;
}

static union number join_reals(enum scattering_way way, double a, double b)
{
    if (way == SCATTER_ADD || way == SCATTER_MUL)
        return (union number){.d = way == SCATTER_ADD ? a + b : a * b};
    if (isnan(a) || isnan(b))
        return (union number){.d = (double)NAN};
    return (union number){.d = (a < b) == (way == SCATTER_MIN) ? a : b};
}

static union number join(const struct scattering *scattering, union number a, union number b)
{
    bool less = scattering->type->kind == NUMBER_SIGNED ? a.i < b.i : a.u < b.u;
    if (scattering->type->kind == NUMBER_REAL)
        return join_reals(scattering->way, a.d, b.d);
    switch (scattering->way) {
    case SCATTER_ADD:
        return (union number){.u = a.u + b.u};
    case SCATTER_MUL:
        return (union number){.u = a.u * b.u};
    default:
        return less == (scattering->way == SCATTER_MIN) ? a : b;
    }
}

void scattering_put(const struct scattering *scattering, struct tensor *to, uint64_t to_at, const struct tensor *from,
                    uint64_t from_at, uint64_t count)
{
    const struct number_type *type = scattering->type;
    if (scattering->way == SCATTER_SET) {
        kernel_copy(to, to_at, from, from_at, count);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        char *place = (char *)to->data + (to_at + i) * type->size;
        type->store(place, join(scattering, type->load(place),
                                type->load((const char *)from->data + (from_at + i) * type->size)));
    }
}

struct putting {
    const struct scattering *scattering;
    struct kernel_call *call;
};

static void put_element(void *context, uint64_t number, uint64_t place)
{
    const struct putting *putting = context;
    scattering_put(putting->scattering, putting->call->outputs[0], place, putting->call->inputs[2], number, 1);
}

enum opshift_status scattering_elements(struct kernel_call *call, struct opshift_error *error)
{
    struct scattering scattering = {0};
    int64_t axis = 0;
    uint32_t place = 0;
    enum opshift_status status = scattering_start(call, &scattering, error);
    if (status == OPSHIFT_OK)
        status = kernel_int(call, "axis", &axis, error);
    if (status == OPSHIFT_OK)
        status = kernel_axis(axis, call->inputs[0]->rank, &place, error);
    if (status == OPSHIFT_OK)
        status = kernel_indices(call, 1, "the indices", error);
    if (status != OPSHIFT_OK)
        return status;
    const struct tensor *data = call->inputs[0], *indices = call->inputs[1], *updates = call->inputs[2];
    bool fits = data->rank == indices->rank && data->rank == updates->rank;
    for (uint32_t i = 0; i < data->rank && fits; i++)
        fits = (i == place || indices->dims[i] <= data->dims[i]) && indices->dims[i] == updates->dims[i];
    if (fits)
        return walk_indices(call, data, indices, place, put_element, &(struct putting){&scattering, call}, error);
    return opshift_fail(error, OPSHIFT_MALFORMED, "indices of shape %s and updates of shape %s do not fit %s",
                        kernel_dims_text(call->arena, indices->rank, indices->dims),
                        kernel_dims_text(call->arena, updates->rank, updates->dims),
                        kernel_dims_text(call->arena, data->rank, data->dims));
}
