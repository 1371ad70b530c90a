/* Finds the kernel of an operator at an opset, and runs it. */
#include "kernel/support.h"

#include <assert.h>
#include <stdio.h>

#define VARIABLES_MAX   16u /* type variables of a schema */
#define TYPES_TEXT_SIZE 64u

/* The tables of all families, and the list of them; both follow lib/kernel/Makefile.inc. */
#define KERNELS(family) extern const struct kernel kernels_##family[];
#include "kernel/kernel_list.h"
#undef KERNELS

#define KERNELS(family) kernels_##family,
static const struct kernel *const families[] = {
#include "kernel/kernel_list.h"
};
#undef KERNELS

const struct kernel *kernel_find(const struct schema *schema, int64_t opset)
{
    if (schema == NULL || (*schema->domain == '\0' && opset > OPSHIFT_OPSET_NEWEST))
        return NULL;
    for (size_t i = 0; i < COUNT(families); i++)
        for (const struct kernel *row = families[i]; row->id != OPERATOR_NONE; row++)
            if (row->id == schema->id && row->since <= opset && opset <= row->until)
                return row;
    return NULL;
}

/* Must the input be a tensor? */
static bool takes_tensors_only(const struct schema *schema, uint32_t position)
{
    const struct schema_parameter *parameter = schema_input(schema, position);
    return parameter != NULL && schema_types(schema, parameter)->others == NULL;
}

/* Must the input be present? One of many of one type must. */
static bool is_required(const struct schema *schema, uint32_t position)
{
    const struct schema_parameter *parameter = schema_input(schema, position);
    if (parameter != NULL && parameter->option == PARAMETER_VARIADIC)
        return parameter->homogeneous || position < schema->input_min;
    return parameter != NULL && parameter->option == PARAMETER_SINGLE;
}

static enum opshift_status check_inputs(const struct kernel_call *call, struct opshift_error *error)
{
    const struct schema *schema = call->operation.schema;
    if (call->input_count > schema->input_max)
        return opshift_fail(error, OPSHIFT_MALFORMED, "has %u inputs, takes at most %u at opset %lld",
                            call->input_count, schema->input_max, (long long)call->operation.opset);
    for (uint32_t i = 0; call->values != NULL && i < call->input_count; i++)
        if (call->values[i].kind != VALUE_TENSOR && call->values[i].kind != VALUE_ABSENT &&
            takes_tensors_only(schema, i))
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is %s, must be a tensor", i,
                                value_kind_name(call->values[i].kind));
    for (uint32_t i = 0; i < call->input_count || i < schema->input_min; i++)
        if (is_required(schema, i) && kernel_value(call, i).kind == VALUE_ABSENT)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is required and absent", i);
    return OPSHIFT_OK;
}

/* ---- element types ---- */

#define TYPE(name) (UINT64_C(1) << OPSHIFT_TYPE_##name)
#define REALS      (TYPE(FLOAT) | TYPE(FLOAT16) | TYPE(DOUBLE) | TYPE(BFLOAT16))
#define UNSIGNED   (TYPE(UINT2) | TYPE(UINT4) | TYPE(UINT8) | TYPE(UINT16) | TYPE(UINT32) | TYPE(UINT64))
#define SIGNED     (TYPE(INT2) | TYPE(INT4) | TYPE(INT8) | TYPE(INT16) | TYPE(INT32) | TYPE(INT64))

/* The types that an input has in any version: a kernel computes the nodes of one opset that are meant as a later one,
 * too. */
static uint64_t types_of(const struct schema *schema, uint32_t position)
{
    uint32_t count;
    uint64_t set = 0;
    const struct schema *versions = schema_versions(schema->domain, schema->op_type, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct schema_parameter *parameter = schema_input(&versions[i], position);
        set |= parameter ? schema_types(&versions[i], parameter)->tensor : 0;
    }
    return set;
}

/* "int32 or int64"; of more than two, what they have in common and the type has not. NULL: nothing, or no tensors. */
static const char *types_text(uint64_t set, enum opshift_type type, char text[TYPES_TEXT_SIZE])
{
    static const struct {
        uint64_t within;
        const char *words;
    } kinds[] = {{REALS, "of a floating-point type"},
                 {UNSIGNED, "of an unsigned integer type"},
                 {UNSIGNED | SIGNED, "of an integer type"},
                 {SIGNED | REALS, "of a signed type"},
                 {UNSIGNED | SIGNED | REALS, "of a type of numbers"}};
    size_t kind = 0, used = 0;
    if (__builtin_popcountll(set) > 2) {
        while (kind < COUNT(kinds) && (set & ~kinds[kind].within || kinds[kind].within >> type & 1))
            kind++;
        return kind < COUNT(kinds) ? kinds[kind].words : NULL;
    }
    for (int one = 0; one < OPSHIFT_TYPE_COUNT; one++)
        if (set >> one & 1)
            used += (size_t)snprintf(text + used, TYPES_TEXT_SIZE - used, "%s%s", used ? " or " : "",
                                     type_name((enum opshift_type)one));
    return used ? text : NULL;
}

static enum opshift_status type_refuse(const struct schema *schema, uint32_t position, enum opshift_type type,
                                       struct opshift_error *error)
{
    char text[TYPES_TEXT_SIZE];
    const char *words = types_text(schema_types(schema, schema_input(schema, position))->tensor, type, text);
    if (words)
        return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is %s, must be %s", position, type_name(type), words);
    return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is %s, which %s-%u does not take", position,
                        type_name(type), schema->op_type, schema->since);
}

/* Requires each tensor to be of a type of its parameter, and those of one type variable to be of one type. */
static enum opshift_status check_types(const struct kernel_call *call, struct opshift_error *error)
{
    const struct schema *schema = call->operation.schema;
    uint32_t first[VARIABLES_MAX] = {0}; /* the input that gives the variable its type */
    bool bound[VARIABLES_MAX] = {false};
    assert(schema->variable_count <= VARIABLES_MAX);
    for (uint32_t i = 0; i < call->input_count; i++) {
        const struct schema_parameter *parameter = schema_input(schema, i);
        if (call->inputs[i] == NULL || parameter == NULL ||
            (parameter->option == PARAMETER_VARIADIC && !parameter->homogeneous))
            continue;
        enum opshift_type type = call->inputs[i]->type;
        uint64_t set = schema_types(schema, parameter)->tensor;
        if (!(set >> type & 1) && (call->strict || !(types_of(schema, i) >> type & 1)))
            return type_refuse(schema, i, type, error);
        if (!bound[parameter->variable])
            first[parameter->variable] = i;
        bound[parameter->variable] = true;
        enum opshift_type wanted = call->inputs[first[parameter->variable]]->type;
        if (type != wanted)
            return opshift_fail(error, OPSHIFT_MALFORMED, "input %u is %s, must be %s as input %u", i, type_name(type),
                                type_name(wanted), first[parameter->variable]);
    }
    return OPSHIFT_OK;
}

/* ---- the call ---- */

static enum opshift_status check_outputs(const struct kernel_call *call, struct opshift_error *error)
{
    uint32_t least = call->operation.schema->output_min, most = call->operation.schema->output_max;
    if (call->output_count >= least && call->output_count <= most)
        return OPSHIFT_OK;
    if (least == most)
        return opshift_fail(error, OPSHIFT_MALFORMED, "has %u outputs, gives exactly %u", call->output_count, least);
    return opshift_fail(error, OPSHIFT_MALFORMED, "has %u outputs, gives %u to %u", call->output_count, least, most);
}

enum opshift_status kernel_call(const struct kernel *kernel, struct kernel_call *call, struct opshift_error *error)
{
    struct arena *scratch = NULL;
    enum opshift_status status = check_outputs(call, error);
    if (status == OPSHIFT_OK)
        status = check_inputs(call, error);
    if (status == OPSHIFT_OK)
        status = check_types(call, error);
    if (status == OPSHIFT_OK)
        status = operation_check(&call->operation, error);
    if (status)
        return status;
    call->operation.id = call->operation.schema->id;
    call->how = kernel->how;
    call->scratch = &scratch;
    status = kernel->run(call, error);
    call->scratch = NULL;
    arena_free(scratch);
    return status;
}

enum opshift_status kernel_run(struct kernel_call *call, struct opshift_error *error)
{
    call->operation.schema = schema_find("", call->op_type, call->operation.opset);
    const struct kernel *kernel = kernel_find(call->operation.schema, call->operation.opset);
    if (kernel == NULL)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "there is no built-in kernel for %s at opset %lld",
                            call->op_type, (long long)call->operation.opset);
    enum opshift_status status = kernel_call(kernel, call, error);
    return status == OPSHIFT_OK ? OPSHIFT_OK : opshift_within(error, status, "%s", call->op_type);
}
