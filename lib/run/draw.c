/* Random inputs: shapes from the model and the caller, elements from a seed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/element.h"
#include "run/inputs.h"

/* One input may take so many elements. */
#define ELEMENTS_MAX (UINT64_C(1) << 28)

struct drawing {
    struct opshift_model *model;
    struct opshift_values *values;
    const struct opshift_draw_options *options;
    struct sizes bindings;
    uint64_t seed;
};

/* splitmix64: the same numbers everywhere. */
static uint64_t next(uint64_t *seed)
{
    uint64_t value = *seed += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

/* Reals in [-1, 1), whole numbers in [-8, 8) or [0, 16) as far as the type goes, texts of a letter and a number. */
static enum opshift_status fill(struct tensor *tensor, struct arena *arena, uint64_t *seed, struct opshift_error *error)
{
    const struct element_rounding rounding = {.saturate = true};
    for (uint64_t i = 0; i < tensor->count; i++) {
        uint64_t bits = next(seed);
        double real = (double)(bits >> 11) * ldexp(1, -52) - 1;
        union number number = {.u = bits & 15};
        if (tensor->type == OPSHIFT_TYPE_STRING) {
            char *text = arena_print(arena, "s%u", (unsigned)(bits % 1000));
            if (text == NULL)
                return opshift_no_memory(error);
            tensor->strings[i] = (struct bytes){(const uint8_t *)text, strlen(text)};
        } else if (tensor->type == OPSHIFT_TYPE_COMPLEX64) {
            ((float *)tensor->data)[2 * i] = (float)real;
            ((float *)tensor->data)[2 * i + 1] = (float)((double)(next(seed) >> 11) * ldexp(1, -52) - 1);
        } else if (tensor->type == OPSHIFT_TYPE_COMPLEX128) {
            ((double *)tensor->data)[2 * i] = real;
            ((double *)tensor->data)[2 * i + 1] = (double)(next(seed) >> 11) * ldexp(1, -52) - 1;
        } else {
            if (element_kind(tensor->type) == NUMBER_REAL)
                number.d = tensor->type == OPSHIFT_TYPE_FLOAT8E8M0 ? fabs(real) : real;
            else if (tensor->type == OPSHIFT_TYPE_BOOL)
                number.u = bits & 1;
            else if (element_kind(tensor->type) == NUMBER_SIGNED)
                number.i = (int64_t)(bits & 15) - 8;
            element_store(tensor, i, number, &rounding);
        }
    }
    return OPSHIFT_OK;
}

/* ---- shapes ---- */

/* "2x3" or "". */
static bool read_shape(const char *text, int64_t *dims, uint32_t *rank)
{
    *rank = 0;
    while (*text != '\0') {
        char *end;
        if (*text < '0' || *text > '9' || *rank == TENSOR_RANK_MAX)
            return false;
        dims[(*rank)++] = strtoll(text, &end, 10);
        if (*end != '\0' && (*end != 'x' || end[1] == '\0'))
            return false;
        text = *end == 'x' ? end + 1 : end;
    }
    return true;
}

/* The shape that the caller gives for a name; NULL: none. */
static const char *given_shape(const struct drawing *drawing, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < drawing->options->shape_count; i++) {
        const char *text = drawing->options->shapes[i];
        if (strncmp(text, name, size) == 0 && text[size] == '=')
            return text + size + 1;
    }
    return NULL;
}

static bool is_input(const struct opshift_model *model, name_id name)
{
    for (uint32_t i = 0; i < model->main->input_count; i++)
        if (model->main->inputs[i].name == name)
            return true;
    return false;
}

/* Does an input declare a dim of this name? */
static enum opshift_status has_param(struct drawing *drawing, name_id name, bool *found, struct opshift_error *error)
{
    struct opshift_model *model = drawing->model;
    for (uint32_t i = 0; i < model->main->input_count && !*found; i++) {
        struct declared declared;
        enum opshift_status status = declared_read(model, &model->main->inputs[i], &declared, error);
        if (status != OPSHIFT_OK)
            return status;
        for (int32_t k = 0; k < declared.rank; k++)
            *found = *found || declared.params[k] == name;
    }
    return OPSHIFT_OK;
}

/* Every shape that is given names an input, or a symbolic dim whose size it is. */
static enum opshift_status read_given(struct drawing *drawing, struct opshift_error *error)
{
    for (size_t i = 0; i < drawing->options->shape_count; i++) {
        const char *text = drawing->options->shapes[i], *equals = strrchr(text, '=');
        int64_t dims[TENSOR_RANK_MAX];
        uint32_t rank = 0;
        bool found = false;
        if (equals == NULL || !read_shape(equals + 1, dims, &rank))
            return opshift_fail(error, OPSHIFT_USAGE, "shape '%s': must be written as NAME=2x3", text);
        name_id name = names_add(drawing->model->names, text, (size_t)(equals - text));
        if (name == NAME_NO_MEMORY)
            return opshift_no_memory(error);
        if (is_input(drawing->model, name))
            continue;
        enum opshift_status status = has_param(drawing, name, &found, error);
        if (status != OPSHIFT_OK)
            return status;
        if (!found)
            return opshift_fail(
                error, OPSHIFT_USAGE, "shape '%s': there is no input and no symbolic dim of that name%s", text,
                inputs_hint(drawing->model, drawing->bindings.arena, names_text(drawing->model->names, name)));
        if (rank != 1)
            return opshift_fail(error, OPSHIFT_USAGE, "shape '%s': a symbolic dim has one size", text);
        if (!sizes_add(&drawing->bindings, name, dims[0], NULL))
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

/* What was given for one input says what the symbolic dims of the others are. */
static enum opshift_status bind_given(struct drawing *drawing, struct opshift_error *error)
{
    struct opshift_model *model = drawing->model;
    for (uint32_t i = 0; i < model->main->input_count; i++) {
        const char *name = names_text(model->names, model->main->inputs[i].name), *shape = given_shape(drawing, name);
        const struct opshift_value *value = opshift_values_find(drawing->values, name);
        struct declared declared;
        int64_t dims[TENSOR_RANK_MAX];
        struct tensor tensor = {.dims = dims};
        if (value == NULL && (shape == NULL || !read_shape(shape, dims, &tensor.rank)))
            continue;
        enum opshift_status status = declared_read(model, &model->main->inputs[i], &declared, error);
        tensor.type = declared.type;
        struct value known = value == NULL ? value_of(&tensor) : value->value;
        if (status == OPSHIFT_OK)
            status = inputs_check(model, name, &declared, &known, &drawing->bindings, error);
        if (status != OPSHIFT_OK)
            return status;
    }
    return OPSHIFT_OK;
}

static enum opshift_status find_dims(struct drawing *drawing, const char *name, const struct declared *declared,
                                     uint32_t *rank, int64_t *dims, struct opshift_error *error)
{
    const char *shape = given_shape(drawing, name);
    uint64_t count = 1;
    if (shape != NULL)
        read_shape(shape, dims, rank);
    else if (declared->rank < 0)
        return opshift_fail(error, OPSHIFT_USAGE, "input '%s' declares no shape; give one: --shape %s=2x3", name, name);
    else
        *rank = (uint32_t)declared->rank;
    for (uint32_t i = 0; i < *rank; i++) {
        const struct dim_size *bound = shape == NULL ? sizes_find(&drawing->bindings, declared->params[i]) : NULL;
        if (shape == NULL)
            dims[i] = declared->dims[i] >= 0 ? declared->dims[i] : bound != NULL ? bound->size : -1;
        const char *param = shape == NULL ? names_text(drawing->model->names, declared->params[i]) : "";
        if (dims[i] < 0 && param[0] != '\0')
            return opshift_fail(error, OPSHIFT_USAGE,
                                "input '%s': dim %u is '%s', which has no size; give one: --shape %s=4", name, i, param,
                                param);
        if (dims[i] < 0)
            return opshift_fail(error, OPSHIFT_USAGE, "input '%s': dim %u has no size; give the shape: --shape %s=2x3",
                                name, i, name);
        if (__builtin_mul_overflow(count, (uint64_t)dims[i], &count))
            count = UINT64_MAX;
    }
    if (count > ELEMENTS_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "input '%s' would have more than %llu elements", name,
                            (unsigned long long)ELEMENTS_MAX);
    return OPSHIFT_OK;
}

static enum opshift_status draw_input(struct drawing *drawing, const struct value_info *info,
                                      struct opshift_error *error)
{
    const char *name = names_text(drawing->model->names, info->name);
    struct declared declared;
    struct opshift_value *value = NULL;
    struct tensor *tensor = NULL;
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank = 0;
    enum opshift_status status = declared_read(drawing->model, info, &declared, error);
    if (status == OPSHIFT_OK && (declared.kind != VALUE_TENSOR || declared.type == OPSHIFT_TYPE_UNDEFINED))
        status = opshift_fail(error, OPSHIFT_USAGE, "input '%s' is no tensor whose type is known; give it with --input",
                              name);
    if (status == OPSHIFT_OK)
        status = find_dims(drawing, name, &declared, &rank, dims, error);
    if (status == OPSHIFT_OK)
        status = value_new(&value, error);
    if (status == OPSHIFT_OK)
        status = tensor_new(value->arena, declared.type, rank, dims, &tensor, error);
    if (status == OPSHIFT_OK)
        status = fill(tensor, value->arena, &drawing->seed, error);
    if (status != OPSHIFT_OK) {
        opshift_value_free(value);
        return status;
    }
    value_set_tensor(value, tensor);
    return opshift_values_add(drawing->values, name, value, error);
}

enum opshift_status opshift_values_draw(struct opshift_values *values, struct opshift_model *model,
                                        const struct opshift_draw_options *options, struct opshift_error *error)
{
    static const struct opshift_draw_options defaults;
    struct drawing drawing = {.model = model, .values = values, .options = options == NULL ? &defaults : options};
    const struct graph *graph = model->main;
    drawing.seed = drawing.options->seed;
    drawing.bindings.arena = arena_new(0);
    enum opshift_status status = drawing.bindings.arena == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = read_given(&drawing, error);
    if (status == OPSHIFT_OK)
        status = bind_given(&drawing, error);
    for (uint32_t i = 0; i < graph->input_count && status == OPSHIFT_OK; i++)
        if (opshift_values_find(values, names_text(model->names, graph->inputs[i].name)) == NULL &&
            input_default(graph, graph->inputs[i].name) == NULL)
            status = draw_input(&drawing, &graph->inputs[i], error);
    arena_free(drawing.bindings.arena);
    return status == OPSHIFT_OK ? OPSHIFT_OK : opshift_within(error, status, "%s", model->name);
}
