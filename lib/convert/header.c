/* Edits the opset imports and the IR version of the model. */
#include "convert/convert.h"
#include "convert/domain_moves.h"
#include "convert/planner.h"

#include <inttypes.h>
#include <string.h>

#include "wire/wire.h"

enum { MODEL_IR_VERSION = 1, MODEL_OPSET_IMPORT = 8, IMPORT_VERSION = 2, FUNCTION_OPSET_IMPORT = 9 };

#define IMPORT_SIZE 16u /* bytes of an import that are compared at once */

/* IR version of the ONNX release that introduced each opset, from opset 1 (onnx, docs/Versioning.md, "Released
 * Versions"). */
static const uint8_t release_ir[OPSHIFT_OPSET_NEWEST] = {3, 3, 3, 3, 3, 3, 3,  3,  4,  5,  6,  7,  7,  7,
                                                         8, 8, 8, 8, 9, 9, 10, 10, 11, 12, 13, 13, 14, 14};

/* The same for ai.onnx.ml. */
static const uint8_t ml_release_ir[OPSHIFT_ML_OPSET_NEWEST] = {3, 6, 8, 9, 10};

/* The least IR version that has all features of the model, and the feature that needs it. */
static int64_t needed_ir(const struct opshift_model *model, const char **what)
{
    static const struct {
        enum opshift_type first, last;
        int64_t version;
    } walls[] = {
        {OPSHIFT_TYPE_FLOAT8E4M3FN, OPSHIFT_TYPE_FLOAT8E5M2FNUZ, 9},
        {OPSHIFT_TYPE_UINT4, OPSHIFT_TYPE_INT4, 10},
        {OPSHIFT_TYPE_FLOAT4E2M1, OPSHIFT_TYPE_FLOAT4E2M1, 11},
        {OPSHIFT_TYPE_FLOAT8E8M0, OPSHIFT_TYPE_FLOAT8E8M0, 12},
        {OPSHIFT_TYPE_UINT2, OPSHIFT_TYPE_INT2, 13},
    };
    int64_t needed = 0;
    *what = "";
    for (uint32_t i = 0; i < model->function_count; i++)
        if (needed < (model->functions[i].overload != NAME_NONE ? 10 : 8)) {
            needed = model->functions[i].overload != NAME_NONE ? 10 : 8;
            *what = needed == 10 ? "overloaded functions" : "model-local functions";
        }
    for (uint32_t g = 0; g < model->graph_count; g++)
        for (uint32_t i = 0; i < model->graphs[g]->initializer_count; i++)
            for (size_t wall = 0; wall < COUNT(walls); wall++) {
                enum opshift_type type = model->graphs[g]->initializers[i].type;
                if (type >= walls[wall].first && type <= walls[wall].last && needed < walls[wall].version) {
                    needed = walls[wall].version;
                    *what = "initializers of a newer element type";
                }
            }
    return needed;
}

/* Is there an initializer that is not a graph input? Below IR 4 each one must be. */
static bool has_lone_initializer(const struct planner *planner)
{
    const struct opshift_model *model = planner->model;
    for (uint32_t g = 0; g < model->graph_count; g++)
        for (uint32_t i = 0; i < model->graphs[g]->initializer_count; i++)
            if (!scope_is_input(planner->around.scopes, model->graphs[g], model->graphs[g]->initializers[i].name))
                return true;
    return false;
}

/* The IR version of the release that introduced the target's opsets. */
static int64_t match_ir(const struct conversion_plan *plan)
{
    int64_t version = release_ir[plan->target - 1];
    for (uint32_t i = 0; i < plan->move_count; i++) {
        const struct domain_move *move = &plan->moves[i];
        if (move->source && strcmp(move->text, "ai.onnx.ml") == 0 && ml_release_ir[move->target - 1] > version)
            version = ml_release_ir[move->target - 1];
    }
    return version;
}

static enum opshift_status choose_ir(struct planner *planner, struct opshift_error *error)
{
    int64_t goal = planner->goal->ir_version, now = planner->model->ir_version;
    if (goal == OPSHIFT_IR_KEEP) {
        planner->plan->ir_version = now;
        return OPSHIFT_OK;
    }
    planner->plan->ir_version = goal == OPSHIFT_IR_MATCH ? match_ir(planner->plan) : goal;
    if (planner->plan->ir_version < 3 || planner->plan->ir_version > 14)
        return opshift_fail(error, OPSHIFT_USAGE, "IR version %" PRId64 " is not known; give one of 3 to 14, or match",
                            planner->plan->ir_version);
    const char *what;
    int64_t needed = needed_ir(planner->model, &what);
    if (planner->plan->ir_version < 4 && needed < 4 && now >= 4 && has_lone_initializer(planner)) {
        needed = 4;
        what = "initializers that are no graph inputs";
    }
    if (planner->plan->ir_version >= needed)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_NO,
                        "the model has %s, which IR version %" PRId64 " does not know; it needs %" PRId64, what,
                        planner->plan->ir_version, needed);
}

/* A model without opset imports (IR < 3) is at opset 1; at another opset it must import it. */
enum opshift_status header_plan(struct planner *planner, struct opshift_error *error)
{
    struct conversion_plan *plan = planner->plan;
    enum opshift_status status = choose_ir(planner, error);
    if (plan->source != plan->target && plan->model->import_count == 0 && plan->ir_version < 3)
        plan->ir_version = 3;
    return status;
}

/* An import before and after the change of its version. */
struct import {
    uint8_t before[IMPORT_SIZE];
    size_t size; /* 0: not filled yet */
    struct bytes after;
};

/* Writes an import with another version; its other fields are unchanged. */
static enum opshift_status import_set(struct opshift_model *model, uint32_t number, struct range range, int64_t version,
                                      struct bytes *bytes, struct opshift_error *error)
{
    struct buffer payload = {0}, record = {0};
    struct wire_cursor cursor = {model->source, range_offset(range), range_end(range)};
    struct wire_field field;
    bool found, written = false;
    enum opshift_status status;
    while ((status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found) {
        uint64_t size = field.offset + field.size - field.record;
        if (field.number == IMPORT_VERSION && field.type == WIRE_VARINT) {
            wire_add_int(&payload, IMPORT_VERSION, (uint64_t)version);
            written = true;
            continue;
        }
        uint8_t *copy = arena_alloc(model->arena, (size_t)size, 1);
        if (copy == NULL)
            status = opshift_no_memory(error);
        else
            status = source_read(model->source, field.record, copy, (size_t)size, error);
        if (status)
            break;
        buffer_add(&payload, copy, (size_t)size);
    }
    if (!written)
        wire_add_int(&payload, IMPORT_VERSION, (uint64_t)version);
    wire_add_bytes(&record, number, payload.data, payload.size);
    uint8_t *copy = payload.failed || record.failed ? NULL : arena_copy(model->arena, record.data, record.size);
    *bytes = (struct bytes){copy, record.size};
    buffer_free(&payload);
    buffer_free(&record);
    return status ? status : copy ? OPSHIFT_OK : opshift_no_memory(error);
}

/* The same with a cache, since many functions have the same import. */
static enum opshift_status import_find(struct opshift_model *model, uint32_t number, struct range range,
                                       int64_t version, struct import *last, struct opshift_error *error)
{
    uint64_t size = range_size(range);
    const uint8_t *bytes = NULL;
    if (size > 0 && size <= sizeof(last->before))
        bytes = source_window(model->source, range_offset(range), size);
    if (bytes && size == last->size && memcmp(bytes, last->before, (size_t)size) == 0)
        return OPSHIFT_OK;
    last->size = bytes ? (size_t)size : 0;
    if (bytes)
        memcpy(last->before, bytes, last->size);
    return import_set(model, number, range, version, &last->after, error);
}

/* The opset that an import gets. */
static int64_t import_target(const struct conversion_plan *plan, const struct opset_import *import)
{
    if (import->domain == NAME_NONE)
        return plan->source != plan->target ? plan->target : import->version;
    const struct domain_move *move = domain_move_find(plan, import->domain);
    return move ? move->target : import->version;
}

static enum opshift_status edit_imports(const struct conversion_plan *plan, struct message *parent, uint32_t number,
                                        const struct opset_import *imports, uint32_t count, struct import *last,
                                        struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        struct range range = imports[i].range;
        int64_t target = import_target(plan, &imports[i]);
        if (imports[i].version == target)
            continue;
        status = import_find(plan->model, number, range, target, last, error);
        if (status == OPSHIFT_OK)
            status = model_edit(plan->model, parent, range_record(range), range_length(range), last->after, error);
    }
    return status;
}

static enum opshift_status add_record(struct opshift_model *model, uint64_t offset, uint64_t removed,
                                      struct buffer *record, struct opshift_error *error)
{
    struct bytes bytes = {record->data, record->size};
    enum opshift_status status =
        record->failed ? opshift_no_memory(error) : model_edit(model, model->message, offset, removed, bytes, error);
    buffer_free(record);
    return status;
}

static enum opshift_status add_import(const struct conversion_plan *plan, struct opshift_error *error)
{
    struct opshift_model *model = plan->model;
    struct buffer import = {0}, record = {0};
    wire_add_bytes(&import, 1, "", 0);
    wire_add_int(&import, IMPORT_VERSION, (uint64_t)plan->target);
    wire_add_bytes(&record, MODEL_OPSET_IMPORT, import.data, import.size);
    record.failed |= import.failed;
    buffer_free(&import);
    return add_record(model, model->message->size, 0, &record, error);
}

static enum opshift_status edit_ir_version(const struct conversion_plan *plan, struct opshift_error *error)
{
    struct opshift_model *model = plan->model;
    if (plan->ir_version == model->ir_version)
        return OPSHIFT_OK;
    struct buffer record = {0};
    wire_add_int(&record, MODEL_IR_VERSION, (uint64_t)plan->ir_version);
    struct range range = model->ir_range;
    return add_record(model, range_record(range), range_size(range) ? range_length(range) : 0, &record, error);
}

enum opshift_status header_apply(const struct conversion_plan *plan, struct opshift_error *error)
{
    struct opshift_model *model = plan->model;
    enum opshift_status status = OPSHIFT_OK;
    struct import of_model = {.size = 0}, of_function = {.size = 0};
    if (plan->source != plan->target || plan->move_count) {
        status = edit_imports(plan, model->message, MODEL_OPSET_IMPORT, model->imports, model->import_count, &of_model,
                              error);
        if (status == OPSHIFT_OK && model->import_count == 0 && plan->source != plan->target)
            status = add_import(plan, error);
        for (uint32_t i = 0; status == OPSHIFT_OK && i < model->function_count; i++)
            status = edit_imports(plan, model->functions[i].message, FUNCTION_OPSET_IMPORT, model->functions[i].imports,
                                  model->functions[i].import_count, &of_function, error);
    }
    return status ? status : edit_ir_version(plan, error);
}
