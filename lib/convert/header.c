/* Edits the opset imports and the IR version of the model. */
#include "convert/convert.h"
#include "convert/domain_moves.h"
#include "convert/planner.h"

#include <inttypes.h>
#include <string.h>

#include "check/check.h"
#include "model/fields.h"
#include "schema/release.h"
#include "wire/wire.h"

/* The IR version of the first release that has this opset of ai.onnx.ml. */
static int64_t ir_of_ml(int64_t opset)
{
    const struct onnx_release *release = onnx_releases;
    while (release->name && release->ml < opset)
        release++;
    return release->ir_version;
}

/* The same for the opset of ai.onnx.ml that the plan moves to; 0: it moves none. */
static int64_t ml_ir(const struct conversion_plan *plan)
{
    int64_t version = 0;
    for (uint32_t i = 0; i < plan->move_count; i++) {
        const struct domain_move *move = &plan->moves[i];
        if (move->source && strcmp(move->text, "ai.onnx.ml") == 0 && ir_of_ml(move->target) > version)
            version = ir_of_ml(move->target);
    }
    return version;
}

/* The IR version that the goal names. */
static enum opshift_status goal_ir(const struct planner *planner, int64_t *version, struct opshift_error *error)
{
    int64_t goal = planner->goal->ir_version, target = planner->plan->target;
    const struct onnx_release *release = release_of_opset(target);
    *version = goal;
    if (goal == OPSHIFT_IR_MATCH && release == NULL)
        return opshift_fail(error, OPSHIFT_NO,
                            "opset %" PRId64 " is of no known release of ONNX; give the IR version as a number",
                            target);
    if (goal == OPSHIFT_IR_MATCH)
        *version = release->ir_version > ml_ir(planner->plan) ? release->ir_version : ml_ir(planner->plan);
    if (*version >= IR_VERSION_OLDEST && *version <= IR_VERSION_NEWEST)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_USAGE, "IR version %" PRId64 " is not known; give one of %d to %d, or match",
                        *version, IR_VERSION_OLDEST, IR_VERSION_NEWEST);
}

/* The two versions are independent, but runtimes are made with a release, which has both. */
static enum opshift_status note_release(struct conversion_plan *plan, struct opshift_error *error)
{
    const struct onnx_release *release = release_of_opset(plan->target);
    if (plan->foreign || release == NULL || release->ir_version <= plan->ir_version)
        return OPSHIFT_OK;
    plan->ir_note = arena_print(plan->arena,
                                "opset %" PRId64 " came with IR version %d (ONNX %s): a runtime that takes no IR "
                                "version above %" PRId64 " may not take this opset",
                                plan->target, release->ir_version, release->name, plan->ir_version);
    return plan->ir_note ? OPSHIFT_OK : opshift_no_memory(error);
}

static enum opshift_status choose_ir(struct planner *planner, struct opshift_error *error)
{
    struct conversion_plan *plan = planner->plan;
    int64_t now = planner->model->ir_version;
    plan->ir_version = now;
    if (planner->goal->ir_version == OPSHIFT_IR_KEEP)
        return OPSHIFT_OK;
    enum opshift_status status = goal_ir(planner, &plan->ir_version, error);
    if (status || plan->ir_version == now)
        return status;
    const struct ir_question question = {.version = plan->ir_version,
                                         .frozen = planner->goal->freeze_initializers,
                                         .imports = plan->source != plan->target};
    status = check_ir_version(planner->model, planner->around.scopes, &question, error);
    if (status == OPSHIFT_NO) {
        struct opshift_error why = *error;
        return opshift_fail(error, OPSHIFT_NO, "IR version %" PRId64 " is not enough: %s", plan->ir_version, why.text);
    }
    return status ? status : note_release(plan, error);
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

/* Puts a record in the place of others; frees it. */
static enum opshift_status edit_record(struct opshift_model *model, struct message *parent, uint64_t offset,
                                       uint64_t removed, struct buffer *record, struct opshift_error *error)
{
    struct bytes bytes = {record->data, record->size};
    enum opshift_status status =
        record->failed ? opshift_no_memory(error) : model_edit(model, parent, offset, removed, bytes, error);
    buffer_free(record);
    return status;
}

/* Writes an import with another version; its other fields are unchanged. */
static enum opshift_status import_edit(struct opshift_model *model, struct message *parent, uint32_t number,
                                       struct range range, int64_t version, struct opshift_error *error)
{
    struct buffer payload = {0}, record = {0};
    struct wire_cursor cursor = {model->source, range_offset(range), range_end(range)};
    struct wire_field field;
    bool found, written = false;
    enum opshift_status status;
    while ((status = wire_next(&cursor, &field, &found, error)) == OPSHIFT_OK && found) {
        if (field.number == IMPORT_VERSION && field.type == WIRE_VARINT) {
            wire_add_int(&payload, IMPORT_VERSION, (uint64_t)version);
            written = true;
        } else if ((status = wire_copy_field(model->source, &field, &payload, error))) {
            break;
        }
    }
    if (!written)
        wire_add_int(&payload, IMPORT_VERSION, (uint64_t)version);
    wire_add_bytes(&record, number, payload.data, payload.size);
    record.failed |= payload.failed;
    buffer_free(&payload);
    if (status == OPSHIFT_OK)
        return edit_record(model, parent, range_record(range), range_length(range), &record, error);
    buffer_free(&record);
    return status;
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
                                        const struct opset_import *imports, uint32_t count, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        int64_t target = import_target(plan, &imports[i]);
        if (imports[i].stamped != target)
            status = import_edit(plan->model, parent, number, imports[i].range, target, error);
    }
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
    return edit_record(model, model->message, model->message->size, 0, &record, error);
}

static enum opshift_status edit_ir_version(const struct conversion_plan *plan, struct opshift_error *error)
{
    struct opshift_model *model = plan->model;
    if (plan->ir_version == model->ir_version)
        return OPSHIFT_OK;
    struct buffer record = {0};
    wire_add_int(&record, MODEL_IR_VERSION, (uint64_t)plan->ir_version);
    struct range range = model->ir_range;
    return edit_record(model, model->message, range_record(range), range_size(range) ? range_length(range) : 0, &record,
                       error);
}

static enum opshift_status function_remove(struct opshift_model *model, const struct function *function,
                                           struct opshift_error *error)
{
    uint64_t record = message_record(function->message), end = function->message->offset + function->message->size;
    return model_edit(model, model->message, record, end - record, (struct bytes){0}, error);
}

enum opshift_status header_apply(const struct conversion_plan *plan, struct opshift_error *error)
{
    struct opshift_model *model = plan->model;
    enum opshift_status status = OPSHIFT_OK;
    model->is_stamped = true;
    if (plan->source != plan->target || plan->move_count || model->read_as) {
        status = edit_imports(plan, model->message, MODEL_OPSET_IMPORT, model->imports, model->import_count, error);
        if (status == OPSHIFT_OK && model->import_count == 0 && plan->source != plan->target)
            status = add_import(plan, error);
        for (uint32_t i = 0; status == OPSHIFT_OK && i < model->function_count; i++)
            status = plan_removes(plan, &model->functions[i])
                         ? function_remove(model, &model->functions[i], error)
                         : edit_imports(plan, model->functions[i].message, FUNCTION_OPSET_IMPORT,
                                        model->functions[i].imports, model->functions[i].import_count, error);
    }
    return status ? status : edit_ir_version(plan, error);
}
