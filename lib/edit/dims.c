/* --dim, --batch and --shape: frees or fixes dims of inputs, rewrites nodes that hold the old size, and declares anew
 * what follows. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "edit/dims.h"
#include "infer/annotate.h"

/* A dim of an input, and what it becomes. */
struct wanted_dim {
    uint32_t input;
    int32_t dim;
    const char *text; /* a number or a name */
    bool done;
};

struct dims {
    struct editing *editing;
    struct wanted_dim *list;
    uint32_t count, room;
    const char **named, **shapes,
        **fixes; /* sizes of dims that have names; shapes that free; sizes of what was freed */
    uint32_t named_count, shape_count, fix_count, named_room, shape_room, fix_room;
    struct opshift_error *error;
};

static bool is_number(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == '\0';
}

static enum opshift_status text_add(struct dims *dims, const char ***list, uint32_t *count, uint32_t *room,
                                    const char *text)
{
    if (text == NULL || !arena_list_grow(dims->editing->arena, list, *count, room, sizeof(**list)))
        return opshift_no_memory(dims->error);
    for (uint32_t i = 0; i < *count; i++)
        if (strcmp((*list)[i], text) == 0)
            return OPSHIFT_OK;
    (*list)[(*count)++] = text;
    return OPSHIFT_OK;
}

/* ---- what is asked for ---- */

static enum opshift_status dim_want(struct dims *dims, uint32_t input, int32_t dim, const char *text)
{
    if (strcmp(text, "?") == 0)
        return OPSHIFT_OK;
    if (!arena_list_grow(dims->editing->arena, &dims->list, dims->count, &dims->room, sizeof(*dims->list)))
        return opshift_no_memory(dims->error);
    dims->list[dims->count++] = (struct wanted_dim){input, dim, text, false};
    return OPSHIFT_OK;
}

static enum opshift_status input_type(const struct dims *dims, uint32_t input, struct value_type *type)
{
    struct opshift_model *model = dims->editing->model;
    return value_info_type(model, &model->main->inputs[input], dims->editing->arena, type, dims->error);
}

/* The input of this name; the count of inputs: none. */
static uint32_t input_find(const struct dims *dims, const char *name, size_t size)
{
    const struct opshift_model *model = dims->editing->model;
    uint32_t i = 0;
    while (i < model->main->input_count && !bytes_same(names_bytes(model->names, model->main->inputs[i].name),
                                                       (struct bytes){(const uint8_t *)name, size}))
        i++;
    return i;
}

/* "x.0=N", else "N=4". */
static enum opshift_status dim_read(struct dims *dims, const char *step)
{
    const char *equals = strrchr(step, '='), *dot = equals;
    while (dot && dot > step && *dot != '.')
        dot--;
    uint32_t input = dot > step ? input_find(dims, step, (size_t)(dot - step)) : UINT32_MAX;
    struct value_type type;
    if (dot <= step || input >= dims->editing->model->main->input_count || equals[1] == '\0')
        return text_add(dims, &dims->named, &dims->named_count, &dims->named_room, step);
    enum opshift_status status = input_type(dims, input, &type);
    long dim = strtol(dot + 1, NULL, 10);
    if (status == OPSHIFT_OK && (dim < 0 || dim >= type.rank || dot + 1 == equals))
        return opshift_fail(dims->error, OPSHIFT_USAGE, "dim '%.200s': the input has %" PRId32 " dims, from 0", step,
                            type.rank < 0 ? 0 : type.rank);
    return status ? status : dim_want(dims, input, (int32_t)dim, equals + 1);
}

static enum opshift_status batch_read(struct dims *dims, const char *step)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < dims->editing->model->main->input_count; i++) {
        struct value_type type;
        if (!opshift_model_input_is_required(dims->editing->model, i))
            continue;
        status = input_type(dims, i, &type);
        if (status == OPSHIFT_OK && type.rank > 0)
            status = dim_want(dims, i, 0, step);
    }
    return status == OPSHIFT_OK && dims->count == 0
               ? opshift_fail(dims->error, OPSHIFT_USAGE, "batch '%.200s': no input has a dim", step)
               : status;
}

/* "x=1x3x?x?": as infer reads it, where the rank is not declared. */
static enum opshift_status shape_read(struct dims *dims, const char *step)
{
    const char *equals = strrchr(step, '='), *at = equals ? equals + 1 : "";
    uint32_t input = equals ? input_find(dims, step, (size_t)(equals - step)) : UINT32_MAX;
    struct value_type type = {.rank = -1};
    const char *separators = strchr(at, ',') ? "," : "x";
    enum opshift_status status = OPSHIFT_OK;
    if (input < dims->editing->model->main->input_count)
        status = input_type(dims, input, &type);
    int32_t count = *at != '\0';
    for (const char *c = at; *c; c++)
        count += *c == *separators;
    if (status || type.rank != count)
        return status ? status : text_add(dims, &dims->shapes, &dims->shape_count, &dims->shape_room, step);
    for (int32_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        size_t size = strcspn(at, separators);
        const char *text = arena_print(dims->editing->arena, "%.*s", (int)size, at);
        status = text ? dim_want(dims, input, i, text) : opshift_no_memory(dims->error);
        at += size + (at[size] != '\0');
    }
    return status;
}

/* ---- as shapes that infer takes ---- */

/* A shape that changes one dim of an input, and leaves the others. */
static const char *shape_of(const struct dims *dims, const struct wanted_dim *wanted, int32_t rank, const char *text)
{
    const struct opshift_model *model = dims->editing->model;
    struct buffer out = {0};
    buffer_print(&out, "%s=", names_text(model->names, model->main->inputs[wanted->input].name));
    for (int32_t i = 0; i < rank; i++)
        buffer_print(&out, "%s%s", i ? "," : "", i == wanted->dim ? text : "?");
    char *made = out.failed ? NULL : arena_print(dims->editing->arena, "%.*s", (int)out.size, (const char *)out.data);
    buffer_free(&out);
    return made;
}

static enum opshift_status declare(struct dims *dims, const char *const *shapes, size_t shape_count,
                                   const char *const *sizes, size_t size_count, uint64_t *count)
{
    const struct opshift_given given = {
        .shapes = shapes, .shape_count = shape_count, .dims = sizes, .dim_count = size_count};
    uint64_t changed = 0;
    if (shape_count + size_count == 0)
        return OPSHIFT_OK;
    enum opshift_status status = given_declare(dims->editing->model, &given, &changed, dims->error);
    *count += changed;
    return status ? status : edit_settle(dims->editing, dims->error);
}

/* Sizes that become a name, all inputs with the same old and new one together. */
static enum opshift_status group_free(struct dims *dims, const struct wanted_dim *first, int64_t old, uint64_t *count,
                                      uint64_t *rewritten)
{
    struct arena *arena = dims->editing->arena;
    const char *name = first->text, **shapes = NULL;
    uint32_t shape_count = 0, room = 0;
    enum opshift_status status = OPSHIFT_OK;
    if (is_number(first->text)) {
        name = arena_print(arena, "opshift_%" PRId64 "_to_%s", old, first->text);
        const char *fix = name ? arena_print(arena, "%s=%s", name, first->text) : NULL;
        status = text_add(dims, &dims->fixes, &dims->fix_count, &dims->fix_room, fix);
    }
    for (struct wanted_dim *one = dims->list; status == OPSHIFT_OK && one < dims->list + dims->count; one++) {
        struct value_type type;
        status = input_type(dims, one->input, &type);
        one->done =
            one->done || (status == OPSHIFT_OK && !strcmp(one->text, first->text) && type.dims[one->dim] == old);
        if (one->done && type.dims[one->dim] == old)
            status = text_add(dims, &shapes, &shape_count, &room, shape_of(dims, one, type.rank, name));
    }
    /* infer takes one shape of an input: dims of one input are freed one after another */
    for (uint32_t i = 0; status == OPSHIFT_OK && i < shape_count;) {
        uint32_t taken = 1;
        while (i + taken < shape_count &&
               strncmp(shapes[i], shapes[i + taken], (size_t)(strrchr(shapes[i], '=') - shapes[i]) + 1) != 0)
            taken++;
        status = sizes_rewrite(dims->editing, &shapes[i], taken, rewritten, dims->error);
        if (status == OPSHIFT_OK)
            status = declare(dims, &shapes[i], taken, NULL, 0, count);
        i += taken;
    }
    return status;
}

static enum opshift_status dims_apply(struct dims *dims, uint64_t *count, uint64_t *rewritten)
{
    enum opshift_status status = declare(dims, dims->shapes, dims->shape_count, dims->named, dims->named_count, count);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < dims->count; i++) {
        const struct wanted_dim *wanted = &dims->list[i];
        struct value_type type;
        if (wanted->done)
            continue;
        status = input_type(dims, wanted->input, &type);
        int64_t old = status == OPSHIFT_OK ? type.dims[wanted->dim] : -1;
        if (status || (old >= 0 && is_number(wanted->text) && strtoll(wanted->text, NULL, 10) == old))
            continue;
        const char *shape = shape_of(dims, wanted, type.rank, wanted->text);
        if (old >= 0)
            status = group_free(dims, wanted, old, count, rewritten);
        else
            status = shape ? declare(dims, &shape, 1, NULL, 0, count) : opshift_no_memory(dims->error);
    }
    return status ? status : declare(dims, NULL, 0, dims->fixes, dims->fix_count, count);
}

enum opshift_status dims_edit(struct editing *editing, struct opshift_error *error)
{
    static const struct {
        const char *name;
        enum opshift_status (*read)(struct dims *dims, const char *step);
    } steps[] = {{"dim", dim_read}, {"batch", batch_read}, {"shape", shape_read}};
    struct dims dims = {.editing = editing, .error = error};
    uint64_t count = 0, rewritten = 0;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; i < COUNT(steps); i++) {
        size_t at = 0;
        for (const char *step; status == OPSHIFT_OK && (step = edit_next(editing, steps[i].name, &at)) != NULL;)
            status = steps[i].read(&dims, step);
    }
    if (status == OPSHIFT_OK)
        status = dims_apply(&dims, &count, &rewritten);
    return status || count + rewritten == 0
               ? status
               : edit_tell(editing, "dim", count, error,
                           "%" PRIu64 " declaration%s changed, %" PRIu64 " node%s that held the old size rewritten",
                           count, count == 1 ? "" : "s", rewritten, rewritten == 1 ? "" : "s");
}
