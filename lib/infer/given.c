/* Parses shapes and dims given by the caller ("x=1x3x224x224", "N=4"), and checks them against the model. */
#include "infer/given.h"

#include <inttypes.h>
#include <string.h>

#include "base/list.h"
#include "base/option_struct.h"

#define PROBE_FACTOR 8191 /* a prime that no model has */

/* State of the parser. */
struct given_reader {
    struct opshift_model *model;
    struct given *given;
    const char *text;
    struct opshift_error *error;
};

/* ---- sizes of dims ---- */

/* The size or name given for a dim, else NULL. */
static const struct given_dim *dim_find(const struct given *given, name_id name)
{
    const struct given_dim *found = NULL;
    for (size_t i = 0; name != NAME_NONE && i < given->dim_count; i++)
        if (given->dims[i].name == name && (found == NULL || found->size < 0))
            found = &given->dims[i];
    return found;
}

/* Binds a name to a size or another name; conflicts fail. */
static enum opshift_status dim_bind(struct given_reader *reader, name_id name, int64_t size, name_id other)
{
    struct given *given = reader->given;
    const struct given_dim *known = dim_find(given, name);
    if (known && size < 0)
        return OPSHIFT_OK;
    if (known && known->size != size && known->size >= 0)
        return opshift_fail(reader->error, OPSHIFT_USAGE,
                            "'%.200s': the dim '%.80s' is %" PRId64 " by this, and %" PRId64
                            " by '%.200s'; give it one size",
                            reader->text, names_text(reader->model->names, name), size, known->size, known->text);
    if (known && known->size >= 0)
        return OPSHIFT_OK;
    if (!arena_list_grow(given->arena, &given->dims, given->dim_count, &given->dim_room, sizeof(*given->dims)))
        return opshift_no_memory(reader->error);
    given->dims[given->dim_count++] = (struct given_dim){name, other, size, reader->text};
    return OPSHIFT_OK;
}

/* "12". False: not a size. */
static bool size_read(struct bytes text, int64_t *size)
{
    *size = 0;
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] < '0' || text.data[i] > '9' || __builtin_mul_overflow(*size, 10, size) ||
            __builtin_add_overflow(*size, text.data[i] - '0', size))
            return false;
    return text.size > 0;
}

static bool is_digits(struct bytes text)
{
    size_t at = 0;
    while (at < text.size && text.data[at] >= '0' && text.data[at] <= '9')
        at++;
    return at == text.size;
}

/* "N=4": splits at the last "=". */
static bool text_cut(const char *text, struct bytes *name, struct bytes *value)
{
    const char *equals = strrchr(text, '=');
    if (equals == NULL || equals == text)
        return false;
    *name = (struct bytes){(const uint8_t *)text, (size_t)(equals - text)};
    *value = (struct bytes){(const uint8_t *)equals + 1, strlen(equals + 1)};
    return true;
}

static enum opshift_status infos_have(struct given_reader *reader, const struct value_info *infos, uint32_t count,
                                      name_id name, bool *has)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && !*has && i < count; i++) {
        struct value_type type;
        struct arena *arena = arena_new(0);
        if (arena == NULL)
            return opshift_no_memory(reader->error);
        status = value_info_type(reader->model, &infos[i], arena, &type, reader->error);
        if (status == OPSHIFT_MALFORMED || status == OPSHIFT_UNSUPPORTED)
            status = OPSHIFT_OK; /* reported by a check */
        else
            for (int32_t k = 0; status == OPSHIFT_OK && k < type.rank; k++)
                *has = *has || (type.dims[k] < 0 && type.params[k] == name);
        arena_free(arena);
    }
    return status;
}

/* Does the model declare a dim of this name? */
static enum opshift_status model_has_dim(struct given_reader *reader, name_id name, bool *has)
{
    const struct opshift_model *model = reader->model;
    enum opshift_status status = OPSHIFT_OK;
    *has = false;
    for (uint32_t i = 0; status == OPSHIFT_OK && !*has && i < model->graph_count; i++) {
        const struct graph *graph = model->graphs[i];
        if (graph->function)
            continue;
        status = infos_have(reader, graph->inputs, graph->input_count, name, has);
        status = status ? status : infos_have(reader, graph->outputs, graph->output_count, name, has);
        status = status ? status : infos_have(reader, graph->values, graph->value_count, name, has);
    }
    return status;
}

static enum opshift_status dim_read(struct given_reader *reader)
{
    struct bytes name, value;
    int64_t size;
    bool has = false;
    if (!text_cut(reader->text, &name, &value) || !size_read(value, &size))
        return opshift_fail(reader->error, OPSHIFT_USAGE, "dim '%.200s': must be written as NAME=4", reader->text);
    name_id id = names_add(reader->model->names, name.data, name.size);
    if (id == NAME_NO_MEMORY)
        return opshift_no_memory(reader->error);
    enum opshift_status status = model_has_dim(reader, id, &has);
    if (status == OPSHIFT_OK && !has)
        return opshift_fail(reader->error, OPSHIFT_USAGE,
                            "dim '%.200s': the model declares no dim of that name; name one of its inputs with --shape",
                            reader->text);
    return status ? status : dim_bind(reader, id, size, NAME_NONE);
}

/* ---- shapes of inputs ---- */

/* One dim: a number, a name, or "?". */
static enum opshift_status shape_dim(struct given_reader *reader, struct given_input *input, struct bytes text)
{
    int32_t at = input->rank;
    if (text.size == 0 || at == TENSOR_RANK_MAX)
        return opshift_fail(reader->error, OPSHIFT_USAGE,
                            "shape '%.200s': must be written as NAME=1x3x224x224, with names or ? for dims without a "
                            "size",
                            reader->text);
    input->params[at] = NAME_NONE;
    if (!size_read(text, &input->dims[at])) {
        if (is_digits(text))
            return opshift_fail(reader->error, OPSHIFT_USAGE, "shape '%.200s': '%.*s' is too large for a dim",
                                reader->text, text.size < 80 ? (int)text.size : 80, (const char *)text.data);
        input->dims[at] = -1;
        if (text.size != 1 || text.data[0] != '?')
            input->params[at] = names_add(reader->model->names, text.data, text.size);
    }
    input->rank++;
    return input->params[at] == NAME_NO_MEMORY ? opshift_no_memory(reader->error) : OPSHIFT_OK;
}

/* "1x3xN" or "1,3,max_len". */
static enum opshift_status shape_dims(struct given_reader *reader, struct given_input *input, struct bytes text)
{
    uint8_t separator = text.size > 0 && memchr(text.data, ',', text.size) ? ',' : 'x';
    enum opshift_status status = OPSHIFT_OK;
    input->dims = arena_alloc(reader->given->arena, TENSOR_RANK_MAX, sizeof(*input->dims));
    input->params = arena_alloc(reader->given->arena, TENSOR_RANK_MAX, sizeof(*input->params));
    if (input->dims == NULL || input->params == NULL)
        return opshift_no_memory(reader->error);
    input->rank = 0;
    for (size_t start = 0, at = 0; status == OPSHIFT_OK && text.size > 0 && at <= text.size; at++)
        if (at == text.size || text.data[at] == separator) {
            status = shape_dim(reader, input, (struct bytes){text.data + start, at - start});
            start = at + 1;
        }
    return status;
}

static bool freed_add(struct given_reader *reader, name_id name, int64_t size)
{
    struct given *given = reader->given;
    if (!arena_list_grow(given->arena, &given->freed, given->freed_count, &given->freed_room, sizeof(*given->freed)))
        return false;
    given->freed[given->freed_count++] = (struct given_dim){.name = name, .size = size, .text = reader->text};
    return true;
}

/* A given size must equal a declared one; "?" keeps the declared dim; a name replaces it. */
static enum opshift_status shape_check(struct given_reader *reader, struct given_input *input, const char *name,
                                       const struct value_type *declared)
{
    if (!declared->is_tensor && declared->other)
        return opshift_fail(reader->error, OPSHIFT_USAGE,
                            "shape '%.200s': input '%.80s' is no tensor, but %.80s; only tensors can be given a shape",
                            reader->text, name, declared->other);
    input->has_rank = declared->rank < 0;
    if (input->has_rank)
        return OPSHIFT_OK;
    if (declared->rank != input->rank)
        return opshift_fail(reader->error, OPSHIFT_USAGE,
                            "shape '%.200s': the model declares input '%.80s' with %" PRId32 " dims, not %" PRId32
                            "; give as many",
                            reader->text, name, declared->rank, input->rank);
    for (int32_t i = 0; i < input->rank; i++) {
        int64_t here = input->dims[i], there = declared->dims[i];
        if (here >= 0 && there >= 0 && here != there)
            return opshift_fail(reader->error, OPSHIFT_USAGE,
                                "shape '%.200s': the model declares dim %" PRId32 " of input '%.80s' as %" PRId64
                                ", not %" PRId64 "; give %" PRId64 ", or ? to leave it",
                                reader->text, i, name, there, here, there);
        if (here < 0 && there >= 0 && input->params[i] != NAME_NONE) {
            input->is_freed = true;
            if (!freed_add(reader, input->params[i], there))
                return opshift_no_memory(reader->error);
        }
        bool named = there < 0 && declared->params[i] != NAME_NONE;
        bool renamed = named && here < 0 && input->params[i] != NAME_NONE && input->params[i] != declared->params[i];
        enum opshift_status status = renamed || (named && here >= 0)
                                         ? dim_bind(reader, declared->params[i], here, input->params[i])
                                         : OPSHIFT_OK;
        if (status)
            return status;
        if (here < 0 && input->params[i] == NAME_NONE) {
            input->dims[i] = there;
            input->params[i] = declared->params[i];
        }
    }
    return OPSHIFT_OK;
}

static enum opshift_status no_input(struct given_reader *reader, const char *name)
{
    const struct graph *graph = reader->model->main;
    const char **names = arena_alloc(reader->given->arena, graph->input_count + 1u, sizeof(*names));
    if (names == NULL)
        return opshift_no_memory(reader->error);
    for (uint32_t i = 0; i < graph->input_count; i++)
        names[i] = names_text(reader->model->names, graph->inputs[i].name);
    const char *nearest = opshift_text_nearest(name, names, graph->input_count);
    if (nearest == NULL && graph->input_count > 0)
        nearest = names[0];
    return opshift_fail(reader->error, OPSHIFT_USAGE, "shape '%.200s': the model has no input of that name%s%.80s%s",
                        reader->text, nearest ? "; there is '" : "", nearest ? nearest : "", nearest ? "'" : "");
}

/* "N=4": not an input, but a dim of that name. */
static bool names_dim(struct given_reader *reader, struct bytes name, struct bytes value)
{
    int64_t size;
    bool has = false;
    name_id id = names_add(reader->model->names, name.data, name.size);
    return size_read(value, &size) && id != NAME_NO_MEMORY && model_has_dim(reader, id, &has) == OPSHIFT_OK && has;
}

static enum opshift_status shape_read(struct given_reader *reader)
{
    struct bytes name, value;
    if (!text_cut(reader->text, &name, &value))
        return opshift_fail(reader->error, OPSHIFT_USAGE, "shape '%.200s': must be written as NAME=1x3x224x224",
                            reader->text);
    const struct graph *graph = reader->model->main;
    char *shown = arena_print(reader->given->arena, "%.*s", (int)name.size, (const char *)name.data);
    name_id id;
    uint32_t at = graph->input_count;
    if (shown == NULL)
        return opshift_no_memory(reader->error);
    if (names_find(reader->model->names, name.data, name.size, &id))
        for (at = 0; at < graph->input_count && graph->inputs[at].name != id;)
            at++;
    if (at == graph->input_count)
        return names_dim(reader, name, value) ? dim_read(reader) : no_input(reader, shown);
    struct given_input *input = &reader->given->inputs[at];
    struct value_type declared;
    if (input->rank >= 0)
        return opshift_fail(reader->error, OPSHIFT_USAGE,
                            "shape '%.200s': a shape of '%.80s' is already given; give one", reader->text, shown);
    enum opshift_status status =
        value_info_type(reader->model, &graph->inputs[at], reader->given->arena, &declared, reader->error);
    if (status == OPSHIFT_OK)
        status = shape_dims(reader, input, value);
    return status ? status : shape_check(reader, input, shown, &declared);
}

/* ---- all of them ---- */

/* Marks the inputs that differ from their declaration. */
static enum opshift_status inputs_mark(struct given_reader *reader)
{
    struct given *given = reader->given;
    const struct graph *graph = reader->model->main;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->input_count; i++) {
        given->inputs[i].is_changed = given->inputs[i].rank >= 0;
        for (size_t k = 0; status == OPSHIFT_OK && !given->inputs[i].is_changed && k < given->dim_count; k++)
            status = infos_have(reader, &graph->inputs[i], 1, given->dims[k].name, &given->inputs[i].is_changed);
    }
    return status;
}

static enum opshift_status texts_read(struct given_reader *reader, const struct opshift_given *texts)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < texts->dim_count; i++) {
        reader->text = texts->dims[i];
        status = dim_read(reader);
    }
    for (size_t i = 0; status == OPSHIFT_OK && i < texts->shape_count; i++) {
        reader->text = texts->shapes[i];
        status = shape_read(reader);
    }
    return status ? status : inputs_mark(reader);
}

enum opshift_status given_read(struct opshift_model *model, const struct opshift_given *texts, struct given **given,
                               struct opshift_error *error)
{
    struct opshift_given full;
    *given = NULL;
    enum opshift_status status = OPTIONS_COPY(texts, &full, error);
    if (status || full.shape_count + full.dim_count == 0)
        return status;
    struct arena *arena = arena_new(0);
    struct given *made = arena ? arena_alloc(arena, 1, sizeof(*made)) : NULL;
    if (made) {
        made->arena = arena;
        made->inputs = arena_alloc(arena, model->main->input_count + 1u, sizeof(*made->inputs));
    }
    if (made == NULL || made->inputs == NULL) {
        arena_free(arena);
        return opshift_no_memory(error);
    }
    for (uint32_t i = 0; i < model->main->input_count; i++)
        made->inputs[i].rank = -1;
    struct given_reader reader = {.model = model, .given = made, .error = error};
    status = texts_read(&reader, &full);
    if (status) {
        given_free(made);
        return status;
    }
    *given = made;
    return OPSHIFT_OK;
}

void given_free(struct given *given)
{
    if (given)
        arena_free(given->arena);
}

bool given_changes(const struct given *given, uint32_t input)
{
    return given && given->inputs[input].is_changed;
}

bool given_has_rank(const struct given *given, uint32_t input)
{
    return given && given->inputs[input].has_rank;
}

bool given_frees(const struct given *given, uint32_t input)
{
    return given && given->inputs[input].is_freed;
}

enum opshift_status given_probe(struct opshift_model *model, struct given *given, const char **words,
                                struct opshift_error *error)
{
    struct given_reader reader = {.model = model, .given = given, .error = error};
    enum opshift_status status = OPSHIFT_OK;
    *words = "";
    for (uint32_t i = 0; status == OPSHIFT_OK && i < given->freed_count; i++) {
        const struct given_dim *freed = &given->freed[i], *known = dim_find(given, freed->name);
        int64_t size;
        if ((known && known->size >= 0) || __builtin_mul_overflow(freed->size ? freed->size : 1, PROBE_FACTOR, &size))
            continue;
        reader.text = freed->text;
        status = dim_bind(&reader, freed->name, size, NAME_NONE);
        *words = arena_print(given->arena, "%s%s%.80s = %" PRId64, *words, **words ? ", " : "",
                             names_text(model->names, freed->name), size);
        if (*words == NULL)
            return opshift_no_memory(error);
    }
    return status;
}

bool given_apply(const struct given *given, const struct opshift_model *model, const struct value_info *declared,
                 struct arena *arena, struct value_type *type)
{
    const struct graph *graph = model->main;
    bool is_input = given && declared >= graph->inputs && declared < graph->inputs + graph->input_count;
    const struct given_input *input = is_input ? &given->inputs[declared - graph->inputs] : NULL;
    if (given == NULL)
        return true;
    if (input && input->rank >= 0) {
        size_t rank = (size_t)input->rank;
        type->rank = input->rank;
        type->dims = arena_copy(arena, input->dims, rank * sizeof(*type->dims));
        type->params = arena_copy(arena, input->params, rank * sizeof(*type->params));
        type->is_tensor = true;
        if (type->dims == NULL || type->params == NULL)
            return false;
    }
    for (int32_t i = 0; i < type->rank; i++) {
        const struct given_dim *dim = type->dims[i] < 0 ? dim_find(given, type->params[i]) : NULL;
        if (dim) {
            type->dims[i] = dim->size;
            type->params[i] = dim->other;
        }
    }
    return true;
}
