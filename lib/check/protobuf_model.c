/* PRT: the model's header: IR version, and the opset imports of the model and its functions. */
#include <inttypes.h>

#include "check/protobuf.h"
#include "schema/release.h"

static struct range ir_record(const struct checking *checking)
{
    struct range range = checking->model->ir_range;
    return range_size(range) ? range : range_make(0, 0, 0);
}

enum opshift_status ir_version_missing(struct checking *checking, const struct subject *subject,
                                       struct opshift_error *error)
{
    struct range range = ir_record(checking);
    int64_t version = checking->model->ir_version;
    if (version > 0)
        return OPSHIFT_OK;
    if (range_size(range) == 0)
        return finding_add(checking, subject, &range, error,
                           "the model has no ir_version; add it (8 goes with opset 15 to 18)");
    return finding_add(checking, subject, &range, error,
                       "ir_version is %" PRId64 "; versions start at 1 (8 goes with opset 15 to 18)", version);
}

enum opshift_status ir_version_unknown(struct checking *checking, const struct subject *subject,
                                       struct opshift_error *error)
{
    struct range range = ir_record(checking);
    int64_t version = checking->model->ir_version;
    if (version <= IR_VERSION_NEWEST)
        return OPSHIFT_OK;
    return finding_add(checking, subject, &range, error,
                       "ir_version is %" PRId64
                       ", newer than the newest supported one (%d); its additions are not checked",
                       version, IR_VERSION_NEWEST);
}

enum opshift_status imports_missing(struct checking *checking, const struct subject *subject,
                                    struct opshift_error *error)
{
    const struct opshift_model *model = checking->model;
    if (checking_ir_version(checking) < 3 || model->import_count)
        return OPSHIFT_OK;
    return finding_add(checking, subject, NULL, error,
                       "no opset_import, which a model must have since ir_version 3; say which opset its operators "
                       "are of");
}

enum opshift_status imports_too_early(struct checking *checking, const struct subject *subject,
                                      struct opshift_error *error)
{
    const struct opshift_model *model = checking->model;
    int64_t version = checking_ir_version(checking);
    if (version <= 0 || version >= 3 || model->import_count == 0)
        return OPSHIFT_OK;
    return finding_add(checking, subject, &model->imports[0].range, error,
                       "an opset_import, but ir_version %" PRId64 " does not have them; raise ir_version to 3",
                       version);
}

uint64_t import_fields(const ProtobufCMessageDescriptor *kind)
{
    return kind == &onnx__model_proto__descriptor      ? UINT64_C(1) << 8
           : kind == &onnx__function_proto__descriptor ? UINT64_C(1) << 9
                                                       : 0;
}

/* The imports of the model or of a function. */
static const struct opset_import *imports_of(const struct part_context *context, const struct part *part,
                                             uint32_t *count)
{
    const struct opshift_model *model = context->checking->model;
    if (part->kind == &onnx__model_proto__descriptor) {
        *count = model->import_count;
        return model->imports;
    }
    *count = context->subject->graph->function->import_count;
    return context->subject->graph->function->imports;
}

static const char *domain_text(const struct checking *checking, name_id domain)
{
    return domain == NAME_NONE ? "ai.onnx" : names_text(checking->model->names, domain);
}

/* Calls the check for each import that is not the first of its domain; there are at most 1000 imports. */
static enum opshift_status each_twin(struct part_context *context, const struct part *part, bool same,
                                     struct opshift_error *error)
{
    uint32_t count;
    const struct opset_import *imports = imports_of(context, part, &count);
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 1; status == OPSHIFT_OK && i < count; i++) {
        uint32_t first = 0;
        while (imports[first].domain != imports[i].domain)
            first++;
        if (first == i || (imports[first].version == imports[i].version) != same)
            continue;
        const char *domain = domain_text(context->checking, imports[i].domain);
        if (same)
            status =
                context_add(context, part, &imports[i].range, error,
                            "opset %" PRId64 " of %s is imported twice; import it once", imports[i].version, domain);
        else
            status = context_add(context, part, &imports[i].range, error,
                                 "opset %" PRId64 " of %s is imported, but %" PRId64
                                 " is too; keep the one for which the nodes were written",
                                 imports[i].version, domain, imports[first].version);
    }
    return status;
}

enum opshift_status import_twice(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    return each_twin(context, part, true, error);
}

enum opshift_status import_conflict(struct part_context *context, const struct part *part, struct opshift_error *error)
{
    return each_twin(context, part, false, error);
}

enum opshift_status import_version_invalid(struct part_context *context, const struct part *part,
                                           struct opshift_error *error)
{
    uint32_t count;
    const struct opset_import *imports = imports_of(context, part, &count);
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++)
        if (imports[i].version <= 0)
            status = context_add(context, part, &imports[i].range, error,
                                 "the opset of %s is %" PRId64
                                 "; opsets start at 1; set the one for which the nodes were written",
                                 domain_text(context->checking, imports[i].domain), imports[i].version);
    return status;
}
