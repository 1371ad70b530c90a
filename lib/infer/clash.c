/* Reports what is wrong with a node, and which nodes have such a report. */
#include "infer/clash.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "infer/result.h"

#define CLASHES_MAX 8u /* of a node */

/* ---- reports ---- */

static void clash_add(struct inference *inference, enum clash_kind kind, struct range range, const char *format,
                      va_list arguments) __attribute__((format(printf, 4, 0)));
static void clash_add(struct inference *inference, enum clash_kind kind, struct range range, const char *format,
                      va_list arguments)
{
    char words[OPSHIFT_ERROR_SIZE];
    if (inference->clashes == NULL)
        inference->clashes = inference_alloc(inference, CLASHES_MAX, sizeof(*inference->clashes));
    if (inference->clashes == NULL || inference->clash_count == CLASHES_MAX)
        return;
    vsnprintf(words, sizeof(words), format, arguments);
    const char *kept = arena_copy(inference->arena, words, strlen(words) + 1);
    if (kept == NULL && inference->status == OPSHIFT_OK)
        inference->status = opshift_no_memory(inference->error);
    if (kept != NULL)
        inference->clashes[inference->clash_count++] = (struct clash){kind, range, kept};
}

void shape_clash(struct inference *inference, enum clash_kind kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    clash_add(inference, kind, (struct range){0}, format, arguments);
    va_end(arguments);
}

void attribute_clash(struct inference *inference, const char *name, const char *format, ...)
{
    size_t count;
    const struct attribute_range *attributes = inference_attributes(inference, &count);
    struct range range = {0};
    va_list arguments;
    for (size_t i = 0; i < count; i++)
        if (names_is(inference->model->names, attributes[i].name, name, strlen(name)))
            range = attributes[i].range;
    va_start(arguments, format);
    clash_add(inference, CLASH_VALUE, range, format, arguments);
    va_end(arguments);
}

const struct value_type *input_peek(const struct inference *inference, uint32_t position)
{
    if (!inference_has_input(inference, position))
        return NULL;
    const struct value_type *type = &inference->inputs[position];
    return type->rank < 0 || type->rank > TENSOR_RANK_MAX ? NULL : type;
}

bool broadcasts_to(struct inference *inference, uint32_t position, const struct value_type *shape)
{
    const struct value_type *input = input_peek(inference, position);
    char one[SHAPE_TEXT_SIZE], other[SHAPE_TEXT_SIZE];
    if (input == NULL || shape == NULL)
        return true;
    int32_t shift = shape->rank - input->rank;
    bool fits = shift >= 0;
    for (int32_t i = 0; fits && i < input->rank; i++)
        fits = input->dims[i] == 1 || !dims_clash(input->dims[i], shape->dims[shift + i]);
    if (!fits)
        shape_clash(inference, CLASH_SHAPES,
                    "input %u has the shape %s, which does not broadcast to %s; make each of its last axes 1 or equal",
                    position, shape_text(input, one), shape_text(shape, other));
    return fits;
}

bool shapes_agree(struct inference *inference, uint32_t a, uint32_t b)
{
    const struct value_type *one = input_peek(inference, a), *other = input_peek(inference, b);
    char text[SHAPE_TEXT_SIZE], other_text[SHAPE_TEXT_SIZE];
    if (one == NULL || other == NULL || !shapes_differ(one, other))
        return true;
    shape_clash(inference, CLASH_SHAPES, "input %u has the shape %s and input %u %s; they must be equal", a,
                shape_text(one, text), b, shape_text(other, other_text));
    return false;
}

bool dim_fits(struct inference *inference, uint32_t position, int32_t axis, int64_t wanted)
{
    const struct value_type *input = input_peek(inference, position);
    const struct schema_parameter *parameter = schema_input(inference->operation.schema, position);
    char text[SHAPE_TEXT_SIZE];
    if (input == NULL || axis >= input->rank || !dims_clash(input->dims[axis], wanted))
        return true;
    shape_clash(inference, CLASH_SHAPES,
                "input %u ('%s') of %s-%u has the shape %s; its axis %d must be %" PRId64 " long", position,
                parameter ? parameter->name : "", inference->operation.schema->op_type,
                inference->operation.schema->since, shape_text(input, text), axis, wanted);
    return false;
}

void attributes_check(struct inference *inference)
{
    size_t count;
    const struct attribute_range *attributes = inference_attributes(inference, &count);
    for (size_t i = 0; i < count; i++) {
        const char *name = names_text(inference->model->names, attributes[i].name);
        if (schema_attribute_find(inference->operation.schema, name) == NULL)
            shape_clash(inference, CLASH_FORM,
                        "%s has no attribute '%.80s' at opset %" PRId64 "; write it as in this version",
                        inference->operation.schema->op_type, name, inference->operation.opset);
    }
}

bool axis_check(struct inference *inference, int64_t axis, int64_t rank, size_t *index)
{
    if (axis_resolve(axis, (size_t)rank, index))
        return true;
    if (rank == 0)
        shape_clash(inference, CLASH_AXIS, "axis %" PRId64 " is given, and a scalar has no axes", axis);
    else
        shape_clash(inference, CLASH_AXIS,
                    "axis %" PRId64 " is outside [%" PRId64 ", %" PRId64 "]; use an axis in this range", axis, -rank,
                    rank - 1);
    return false;
}

bool axes_check(struct inference *inference, const int64_t *axes, size_t count, int64_t rank, bool *marked)
{
    memset(marked, 0, TENSOR_RANK_MAX * sizeof(*marked));
    for (size_t i = 0; i < count; i++) {
        size_t axis;
        if (!axis_check(inference, axes[i], rank, &axis))
            return false;
        if (marked[axis]) {
            shape_clash(inference, CLASH_AXIS, "axis %" PRId64 " is listed twice; list it once", axes[i]);
            return false;
        }
        marked[axis] = true;
    }
    return true;
}

const char *shape_text(const struct value_type *type, char buffer[SHAPE_TEXT_SIZE])
{
    size_t used = 0;
    buffer[used++] = '[';
    for (int32_t i = 0; i < type->rank; i++) {
        const char *comma = i ? "," : "";
        if (used + 32 > SHAPE_TEXT_SIZE) {
            used += (size_t)snprintf(buffer + used, SHAPE_TEXT_SIZE - used, ",...");
            break;
        }
        if (type->dims[i] >= 0)
            used += (size_t)snprintf(buffer + used, SHAPE_TEXT_SIZE - used, "%s%" PRId64, comma, type->dims[i]);
        else
            used += (size_t)snprintf(buffer + used, SHAPE_TEXT_SIZE - used, "%s?", comma);
    }
    snprintf(buffer + used, SHAPE_TEXT_SIZE - used, "]");
    return buffer;
}

/* ---- nodes with reports ---- */

bool types_clashed(const struct types *types, const struct graph *graph, uint32_t index)
{
    const uint8_t *bits = types->clashed ? types->clashed[graph->number] : NULL;
    return bits && bits[index / 8] >> index % 8 & 1;
}

bool types_set_clashed(struct types *types, const struct graph *graph, uint32_t index)
{
    if (types->clashed == NULL)
        types->clashed = arena_alloc(types->arena, types->model->graph_count, sizeof(*types->clashed));
    if (types->clashed == NULL)
        return false;
    uint8_t **bits = &types->clashed[graph->number];
    if (*bits == NULL)
        *bits = arena_alloc(types->arena, graph->node_count / 8 + 1u, 1);
    if (*bits)
        (*bits)[index / 8] |= (uint8_t)(1u << index % 8);
    return *bits != NULL;
}

enum opshift_status types_clashes(struct types *types, struct graph *graph, uint32_t index, struct arena *arena,
                                  const struct clash **clashes, size_t *count, struct opshift_error *error)
{
    struct inference inference;
    *count = 0;
    enum opshift_status status = types_all(types, error);
    if (status || !types_clashed(types, graph, index))
        return status;
    status = inference_open(&inference, types, graph, &graph->nodes[index], arena, error);
    if (status == OPSHIFT_OK && inference.operation.schema != NULL)
        inference_run(&inference);
    if (status == OPSHIFT_OK && inference.status == OPSHIFT_OK) {
        *clashes = inference.clashes;
        *count = inference.clash_count;
    }
    return status ? status : inference.status;
}
