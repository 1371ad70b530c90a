/* PRT: fixes duplicates, and adds values that follow from others. */
#include "check/fix.h"
#include "check/protobuf.h"
#include "model/fields.h"

/* Removes the second of two equal entries. */
enum opshift_status metadata_unite(struct checking *checking, const struct finding *finding,
                                   struct opshift_error *error)
{
    struct range entry;
    bool copied = false;
    enum opshift_status status = fix_around(checking, finding, finding->range, &entry, error);
    if (status == OPSHIFT_OK && range_size(entry))
        status = fix_has_copy(checking, finding, entry, &copied, error);
    return status || !copied ? status : fix_remove_inside(checking, finding, entry, error);
}

/* Removes a duplicate import, unless a third one contradicts it. */
enum opshift_status import_unite(struct checking *checking, const struct finding *finding, struct opshift_error *error)
{
    const struct opshift_model *model = checking->model;
    const struct function *function = finding->graph ? finding->graph->function : NULL;
    const struct opset_import *imports = function ? function->imports : model->imports, *own = NULL;
    uint32_t count = function ? function->import_count : model->import_count;
    for (uint32_t i = 0; i < count; i++)
        if (range_record(imports[i].range) == range_record(finding->range))
            own = &imports[i];
    for (uint32_t i = 0; own && i < count; i++)
        if (imports[i].domain == own->domain && imports[i].version != own->version)
            return OPSHIFT_OK;
    return own ? fix_remove(checking, finding, own->range, error) : OPSHIFT_OK;
}

/* The type of an attribute's only value; UNDEFINED: no or several values, or a graph. */
static enum opshift_status type_held(struct checking *checking, struct range attribute, int *type,
                                     struct opshift_error *error)
{
    struct wire_cursor cursor = {checking->model->source, range_offset(attribute), range_end(attribute)};
    bool clear = true;
    *type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED;
    for (bool found = true; found;) {
        struct wire_field field;
        enum opshift_status status = wire_next(&cursor, &field, &found, error);
        if (status)
            return status;
        int held = found ? attribute_field_type(field.number) : 0;
        clear = clear && !(found && field.number == ATTRIBUTE_FIELD_TYPE) && !(held && *type && held != *type);
        if (held)
            *type = held;
    }
    if (!clear || attribute_is_graph(*type))
        *type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED;
    return OPSHIFT_OK;
}

enum opshift_status attribute_type_add(struct checking *checking, const struct finding *finding,
                                       struct opshift_error *error)
{
    int type;
    struct buffer field = {0};
    enum opshift_status status = type_held(checking, finding->range, &type, error);
    if (status || type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED)
        return status;
    wire_add_int(&field, ATTRIBUTE_FIELD_TYPE, (uint64_t)type);
    return fix_append(checking, finding, finding->range, &field, error);
}

/* Many frameworks write an unknown dim as -1. */
enum opshift_status negative_dim_remove(struct checking *checking, const struct finding *finding,
                                        struct opshift_error *error)
{
    struct wire_cursor cursor = {checking->model->source, range_record(finding->range), range_end(finding->range)};
    struct wire_field field;
    bool found;
    enum opshift_status status = wire_next(&cursor, &field, &found, error);
    if (status || !found || (int64_t)field.value != -1)
        return status;
    return fix_remove_inside(checking, finding, finding->range, error);
}
