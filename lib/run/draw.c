/* Random inputs: shapes from the model and the caller, elements from a seed and from what consuming nodes require. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"
#include "kernel/element.h"
#include "run/draw.h"

/* Limit on the work of analysing consuming nodes; beyond it, elements are drawn without it. */
#define STEPS_MAX (UINT64_C(1) << 30)
/* Bytes of a value besides its elements. */
#define VALUE_SIZE 1400u
/* Tensors in a sequence. */
#define ITEMS 3u
/* Bytes of a string and its pointer. */
#define TEXT_SIZE UINT64_C(32)

uint64_t draw_next(uint64_t *seed)
{
    uint64_t value = *seed += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

/* ---- elements ---- */

/* In [0, 1). */
static double unit_of(uint64_t bits)
{
    return (double)(bits >> 11) * ldexp(1, -53);
}

/* Integers of an unsigned type are not negative. */
static union number whole_of(enum opshift_type type, double value)
{
    bool is_signed = element_kind(type) == NUMBER_SIGNED;
    value = value < 0 && !is_signed ? 0 : value;
    return value > -0x1p63 && value < 0x1p63 ? (union number){.i = (int64_t)value} : (union number){.i = 0};
}

/* Within the bounds, if any; else reals in [-1, 1), integers in [-8, 8) or [0, 16), within the type's range. */
static union number draw_number(enum opshift_type type, uint64_t bits, const struct element_bounds *bounds, uint64_t at)
{
    bool real = element_kind(type) == NUMBER_REAL;
    double unit = unit_of(bits), width = bounds->most - bounds->least;
    if (bounds->list != NULL)
        return real ? (union number){.d = bounds->list[at]} : whole_of(type, bounds->list[at]);
    if (bounds->ranged && real)
        return (union number){.d = bounds->least + width * unit};
    if (bounds->ranged)
        return whole_of(type, bounds->least + floor((width + 1) * unit));
    if (real)
        return (union number){.d = type == OPSHIFT_TYPE_FLOAT8E8M0 ? fabs(2 * unit - 1) : 2 * unit - 1};
    if (type == OPSHIFT_TYPE_BOOL)
        return (union number){.u = bits & 1};
    return element_kind(type) == NUMBER_SIGNED ? (union number){.i = (int64_t)(bits & 15) - 8}
                                               : (union number){.u = bits & 15};
}

/* Numbers as in draw_number; strings are a letter and a number. */
static enum opshift_status fill(struct tensor *tensor, struct arena *arena, uint64_t *seed,
                                const struct element_bounds *bounds, struct opshift_error *error)
{
    const struct element_rounding rounding = {.saturate = true};
    for (uint64_t i = 0; i < tensor->count; i++) {
        uint64_t bits = draw_next(seed);
        double real = 2 * unit_of(bits) - 1;
        if (tensor->type == OPSHIFT_TYPE_STRING) {
            char *text = arena_print(arena, "%s%u", bounds->numerals ? "" : "s", (unsigned)(bits % 1000));
            if (text == NULL)
                return opshift_no_memory(error);
            tensor->strings[i] = (struct bytes){(const uint8_t *)text, strlen(text)};
        } else if (tensor->type == OPSHIFT_TYPE_COMPLEX64) {
            ((float *)tensor->data)[2 * i] = (float)real;
            ((float *)tensor->data)[2 * i + 1] = (float)(2 * unit_of(draw_next(seed)) - 1);
        } else if (tensor->type == OPSHIFT_TYPE_COMPLEX128) {
            ((double *)tensor->data)[2 * i] = real;
            ((double *)tensor->data)[2 * i + 1] = 2 * unit_of(draw_next(seed)) - 1;
        } else {
            element_store(tensor, i, draw_number(tensor->type, bits, bounds, i), &rounding);
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
        if (*end != '\0' && ((*end != 'x' && *end != ',') || end[1] == '\0'))
            return false;
        text = *end != '\0' ? end + 1 : end;
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

/* Has an input a dim of this name? */
static bool has_param(const struct drawing *drawing, name_id name)
{
    for (uint32_t i = 0; i < drawing->model->main->input_count; i++)
        for (uint32_t k = 0; k < drawing->inputs[i].rank; k++)
            if (drawing->inputs[i].params[k] == name)
                return true;
    return false;
}

/* Every given shape must name an input, or a symbolic dim with its size. */
static enum opshift_status read_given(struct drawing *drawing, struct opshift_error *error)
{
    for (size_t i = 0; i < drawing->options->shape_count; i++) {
        const char *text = drawing->options->shapes[i], *equals = strrchr(text, '=');
        int64_t dims[TENSOR_RANK_MAX];
        uint32_t rank = 0;
        if (equals == NULL || !read_shape(equals + 1, dims, &rank))
            return opshift_fail(error, OPSHIFT_USAGE, "shape '%s': must be written as NAME=2x3", text);
        name_id name = names_add(drawing->model->names, text, (size_t)(equals - text));
        if (name == NAME_NO_MEMORY)
            return opshift_no_memory(error);
        if (is_input(drawing->model, name))
            continue;
        if (!has_param(drawing, name))
            return opshift_fail(
                error, OPSHIFT_USAGE, "shape '%s': there is no input and no symbolic dim of that name%s", text,
                inputs_hint(drawing->model, drawing->bindings.arena, names_text(drawing->model->names, name)));
        if (rank != 1)
            return opshift_fail(error, OPSHIFT_USAGE, "shape '%s': a symbolic dim has one size", text);
        if (sizes_find(&drawing->bindings, name) == NULL && !sizes_add(&drawing->bindings, name, dims[0], NULL))
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

/* Takes the sizes of symbolic dims from the shapes given for inputs. */
static enum opshift_status bind_given(struct drawing *drawing, struct opshift_error *error)
{
    struct opshift_model *model = drawing->model;
    for (uint32_t i = 0; i < model->main->input_count; i++) {
        struct drawn *input = &drawing->inputs[i];
        const char *name = names_text(model->names, input->info->name), *shape = given_shape(drawing, name);
        const struct opshift_value *value = opshift_values_find(drawing->values, name);
        int64_t dims[TENSOR_RANK_MAX];
        struct tensor tensor = {.type = input->type, .dims = dims};
        struct declared_type declared;
        if (value == NULL && (shape == NULL || !read_shape(shape, dims, &tensor.rank)))
            continue;
        struct value known = value == NULL ? value_of(&tensor) : value->value;
        enum opshift_status status = declared_read(model, input->info, &declared, error);
        if (status)
            return status;
        declared.kind = value == NULL && declared.kind == VALUE_SEQUENCE ? VALUE_TENSOR : declared.kind;
        status = inputs_check(model, name, &declared, &known, &drawing->bindings, error);
        if (status)
            return status;
        input->open = false;
        if (known.kind == VALUE_TENSOR) {
            input->rank = known.tensor->rank;
            input->dims = arena_copy(drawing->arena, known.tensor->dims, input->rank * sizeof(*input->dims));
        }
        input->params = arena_alloc(drawing->arena, input->rank + UINT64_C(1), sizeof(*input->params));
        if (input->params == NULL || input->dims == NULL)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

/* Every dim now has a size, and the elements are within the limits. */
static enum opshift_status check_dims(struct drawing *drawing, const struct drawn *input, struct opshift_error *error)
{
    const char *name = names_text(drawing->model->names, input->info->name);
    uint64_t count = 1;
    if (input->open && drawing->options->attempt == 0)
        return opshift_fail(error, OPSHIFT_USAGE, "input '%s' declares no shape; give one: --shape %s=2x3", name, name);
    for (uint32_t i = 0; i < input->rank; i++) {
        const char *param = names_text(drawing->model->names, input->params[i]);
        if (input->dims[i] < 0 && param[0] != '\0')
            return opshift_fail(error, OPSHIFT_USAGE,
                                "input '%s': dim %u is '%s', which has no size; give one: --dim %s=4", name, i, param,
                                param);
        if (input->dims[i] < 0)
            return opshift_fail(error, OPSHIFT_USAGE, "input '%s': dim %u has no size; give the shape: --shape %s=2x3",
                                name, i, name);
        if (__builtin_mul_overflow(count, (uint64_t)input->dims[i], &count))
            count = UINT64_MAX;
    }
    uint64_t size = type_size(input->type, count);
    if (input->type == OPSHIFT_TYPE_STRING && __builtin_mul_overflow(count, TEXT_SIZE, &size))
        size = UINT64_MAX;
    if (__builtin_mul_overflow(size, input->kind == VALUE_SEQUENCE ? ITEMS : 1, &size) ||
        __builtin_add_overflow(size, VALUE_SIZE, &size) || budget_bytes(&drawing->budget, size, NULL) != OPSHIFT_OK)
        return opshift_fail(
            error, OPSHIFT_UNSUPPORTED,
            "input '%s' cannot be drawn: all drawn inputs may take %llu MiB; raise it with --max-memory", name,
            (unsigned long long)(drawing->budget.bytes_max >> 20));
    return OPSHIFT_OK;
}

/* Sets the dims that the model or the caller gives. */
static void bind_dims(struct drawing *drawing, struct drawn *input)
{
    for (uint32_t i = 0; i < input->rank; i++) {
        const struct dim_size *bound =
            input->params[i] == NAME_NONE ? NULL : sizes_find(&drawing->bindings, input->params[i]);
        if (input->dims[i] < 0 && bound != NULL)
            input->dims[i] = bound->size;
    }
}

static enum opshift_status find_shapes(struct drawing *drawing, struct opshift_error *error)
{
    uint32_t count = drawing->model->main->input_count;
    enum opshift_status status = read_given(drawing, error);
    if (status == OPSHIFT_OK)
        status = bind_given(drawing, error);
    for (uint32_t i = 0; i < count && status == OPSHIFT_OK; i++)
        bind_dims(drawing, &drawing->inputs[i]);
    if (status == OPSHIFT_OK && drawing->options->attempt > 0)
        dims_complete(drawing);
    if (status == OPSHIFT_OK)
        status = drawing->status;
    for (uint32_t i = 0; i < count && status == OPSHIFT_OK; i++)
        if (drawing->inputs[i].wanted)
            status = check_dims(drawing, &drawing->inputs[i], error);
    return status;
}

/* ---- inputs ---- */

static enum opshift_status draw_tensor(struct drawing *drawing, const struct drawn *input, struct arena *arena,
                                       struct tensor **tensor, struct opshift_error *error)
{
    struct element_bounds bounds;
    element_bounds_find(drawing, input, &bounds);
    if (drawing->status)
        return drawing->status;
    enum opshift_status status = tensor_new(arena, input->type, input->rank, input->dims, tensor, error);
    return status == OPSHIFT_OK ? fill(*tensor, arena, &drawing->seed, &bounds, error) : status;
}

static enum opshift_status draw_input(struct drawing *drawing, const struct drawn *input, struct opshift_error *error)
{
    struct opshift_value *value = NULL;
    struct tensor *items[ITEMS];
    bool sequence = input->kind == VALUE_SEQUENCE;
    enum opshift_status status = value_new(&value, error);
    for (size_t i = 0; i < (sequence ? ITEMS : 1) && status == OPSHIFT_OK; i++)
        status = draw_tensor(drawing, input, value->arena, &items[i], error);
    if (status == OPSHIFT_OK && sequence)
        status = value_set_sequence(value, input->type, items, ITEMS, error);
    else if (status == OPSHIFT_OK)
        value_set_tensor(value, items[0]);
    if (status == OPSHIFT_OK)
        return opshift_values_add(drawing->values, names_text(drawing->model->names, input->info->name), value, error);
    opshift_value_free(value);
    return status;
}

/* ---- all inputs ---- */

/* Reads the declaration of one input, and whether it is to be drawn. */
static enum opshift_status start_input(struct drawing *drawing, uint32_t index, const bool *defaults,
                                       struct opshift_error *error)
{
    const struct graph *graph = drawing->model->main;
    struct drawn *input = &drawing->inputs[index];
    const char *name = names_text(drawing->model->names, graph->inputs[index].name);
    struct declared_type declared;
    input->info = &graph->inputs[index];
    enum opshift_status status = declared_read(drawing->model, input->info, &declared, error);
    if (status)
        return status;
    input->kind = declared.kind;
    input->type = declared.type;
    input->wanted = opshift_values_find(drawing->values, name) == NULL && !defaults[input->info->name];
    input->open = declared.rank < 0;
    input->rank = input->open ? 0 : (uint32_t)declared.rank;
    uint32_t room = input->open ? RANK_OPEN_MAX : input->rank;
    input->params = arena_alloc(drawing->arena, room + UINT64_C(1), sizeof(*input->params));
    input->dims = arena_alloc(drawing->arena, room + UINT64_C(1), sizeof(*input->dims));
    if (input->params == NULL || input->dims == NULL)
        return opshift_no_memory(error);
    memcpy(input->params, declared.params, input->rank * sizeof(*input->params));
    for (uint32_t i = 0; i < room; i++)
        input->dims[i] = i < input->rank ? declared.dims[i] : -1;
    if (input->wanted && (declared.kind == VALUE_ABSENT || declared.type == OPSHIFT_TYPE_UNDEFINED))
        return opshift_fail(error, OPSHIFT_USAGE,
                            "input '%s' is no tensor or sequence whose type is known; give it with --input", name);
    return OPSHIFT_OK;
}

static enum opshift_status start(struct drawing *drawing, struct opshift_error *error)
{
    uint32_t count = drawing->model->main->input_count;
    drawing->seed = drawing->options->seed;
    drawing->budget.bytes_max = drawing->options->memory == 0 ? BUDGET_MEMORY_DEFAULT : drawing->options->memory;
    drawing->budget.steps_max = STEPS_MAX;
    drawing->arena = drawing->bindings.arena = drawing->numbers.arena = arena_new(0);
    drawing->scratch = arena_new(0);
    if (drawing->arena == NULL || drawing->scratch == NULL)
        return opshift_no_memory(error);
    drawing->inputs = arena_alloc(drawing->arena, count + UINT64_C(1), sizeof(*drawing->inputs));
    const bool *defaults = inputs_defaults(drawing->model, drawing->arena);
    enum opshift_status status = drawing->inputs && defaults ? OPSHIFT_OK : opshift_no_memory(error);
    for (uint32_t i = 0; i < count && status == OPSHIFT_OK; i++)
        status = start_input(drawing, i, defaults, error);
    if (status == OPSHIFT_OK)
        status = surroundings_open(&drawing->around, drawing->model, false, error);
    return status == OPSHIFT_OK ? readers_new(drawing->model, drawing->arena, &drawing->readers, error) : status;
}

enum opshift_status opshift_values_draw(struct opshift_values *values, struct opshift_model *model,
                                        const struct opshift_draw_options *options, struct opshift_error *error)
{
    struct opshift_draw_options full;
    struct drawing drawing = {.model = model, .values = values, .options = &full, .error = error};
    enum opshift_status status = OPTIONS_COPY(options, &full, error);
    if (status == OPSHIFT_OK)
        status = start(&drawing, error);
    if (status == OPSHIFT_OK)
        status = find_shapes(&drawing, error);
    for (uint32_t i = 0; i < model->main->input_count && status == OPSHIFT_OK; i++)
        if (drawing.inputs[i].wanted)
            status = draw_input(&drawing, &drawing.inputs[i], error);
    surroundings_close(&drawing.around);
    arena_free(drawing.arena);
    arena_free(drawing.scratch);
    return status == OPSHIFT_OK ? OPSHIFT_OK : opshift_within(error, status, "%s", model->name);
}
