/* Split: parts of the input along an axis; lengths from an attribute, an input, or the number of outputs. */
#include "kernel/support.h"
#include "schema/split_cut.h"

/* Of this version, not of any as in kernel_call. */
static enum opshift_status check_type(const struct kernel_call *call, struct opshift_error *error)
{
    const struct schema *schema = call->operation.schema;
    enum opshift_type type = call->inputs[0]->type;
    if (schema_types(schema, schema_input(schema, 0))->tensor >> type & 1)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "the input is %s, which is not allowed at opset %lld",
                        type_name(type), (long long)call->operation.opset);
}

static void read_attributes(const struct kernel_call *call, struct split_cut *cut)
{
    struct int_list list = kernel_ints(call, ATTRIBUTE_SPLIT);
    cut->axis = kernel_int(call, ATTRIBUTE_AXIS);
    if (kernel_gives(call, ATTRIBUTE_NUM_OUTPUTS))
        split_cut_count(cut, true, kernel_int(call, ATTRIBUTE_NUM_OUTPUTS));
    if (list.present)
        split_cut_list(cut, SPLIT_ATTRIBUTE, list.values, (int64_t)list.count);
}

/* Fails with the node's first fault. */
static enum opshift_status read_cut(const struct kernel_call *call, struct split_cut *cut, struct opshift_error *error)
{
    const struct tensor *data = call->inputs[0], *split = kernel_input(call, 1);
    struct split_fault fault;
    *cut = split_cut_start(call->operation.schema->since, call->output_count);
    cut->data_name = "input";
    cut->lengths_name = "split";
    read_attributes(call, cut);
    enum opshift_status status = split ? split_cut_constant(cut, split, call->arena, error) : OPSHIFT_OK;
    if (status)
        return status;
    split_cut_data(cut, &(struct value_type){.type = data->type, .rank = (int32_t)data->rank, .dims = data->dims});
    return split_fault_first(cut, &fault) ? opshift_fail(error, OPSHIFT_MALFORMED, "%s", fault.words) : OPSHIFT_OK;
}

/* Allocates the named outputs and copies their parts. */
static enum opshift_status copy_parts(struct kernel_call *call, const struct split_cut *cut,
                                      struct opshift_error *error)
{
    const struct tensor *input = call->inputs[0];
    uint64_t outer = 1, inner = 1;
    int64_t dims[TENSOR_RANK_MAX],
        *lengths = arena_alloc(call->arena, call->output_count + UINT64_C(1), sizeof(*lengths));
    void **outputs = arena_alloc(call->arena, call->output_count + UINT64_C(1), sizeof(*outputs));
    if (lengths == NULL || outputs == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < input->rank; i++) {
        dims[i] = input->dims[i];
        if (i != cut->front)
            *(i < cut->front ? &outer : &inner) *= (uint64_t)input->dims[i];
    }
    enum opshift_status status = kernel_work(call, call->output_count, STEPS_ITEM, error);
    if (status == OPSHIFT_OK && input->count > 0)
        status = kernel_work(call, outer, (uint64_t)call->output_count * 2, error);
    if (status)
        return status;
    int64_t *rest = &lengths[call->output_count]; /* the parts whose outputs are left off at the end */
    *rest = cut->dim;
    for (uint32_t i = 0; i < call->output_count; i++) {
        dims[cut->front] = lengths[i] = split_length(cut, i);
        *rest -= lengths[i];
        if (call->wanted != NULL && !call->wanted[i])
            continue;
        status = kernel_output(call, i, input->type, input->rank, dims, error);
        if (status)
            return status;
        outputs[i] = call->outputs[i]->data;
    }
    return opshift_split(input->data, kernel_element(input->type), outer, (uint64_t)cut->dim, inner, lengths,
                         (size_t)call->output_count + 1, outputs, NULL, error);
}

static enum opshift_status run(struct kernel_call *call, struct opshift_error *error)
{
    struct split_cut cut;
    enum opshift_status status = kernel_attributes_known(call, error);
    if (status == OPSHIFT_OK)
        status = check_type(call, error);
    if (status == OPSHIFT_OK)
        status = read_cut(call, &cut, error);
    return status == OPSHIFT_OK ? copy_parts(call, &cut, error) : status;
}

const struct kernel kernels_split[] = {{OPERATOR_SPLIT, 1, KERNEL_ANY, run, {0}}, {0}};
