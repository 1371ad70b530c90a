/* Checks a Split node before a conversion; fails with the first of lint's errors, under its id. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check/family.h"
#include "check/split_view.h"

/* Fails with the id and slug of a check of another family. */
static enum opshift_status refuse(struct opshift_error *error, enum check_id id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static enum opshift_status refuse(struct opshift_error *error, enum check_id id, const char *format, ...)
{
    char words[OPSHIFT_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof(words), format, arguments);
    va_end(arguments);
    opshift_fail(error, OPSHIFT_NO, "%s", words);
    return check_cite(id, error);
}

/* ---- checks of OPS and GRF for all operators ---- */

static enum opshift_status check_attributes(const struct draft *draft, const struct schema *schema,
                                            struct opshift_error *error)
{
    for (uint32_t i = 0; i < draft->attribute_count; i++) {
        const Onnx__AttributeProto *message = draft->attributes[i].message;
        const char *name = arena_copy(draft->arena, message->name.data, message->name.len);
        if (name == NULL)
            return opshift_no_memory(error);
        if (strlen(name) != message->name.len)
            return refuse(error, OPS007, "the name of attribute '%s' contains a NUL character", name);
        const struct schema_attribute *known = schema_attribute_find(schema, name);
        if (known == NULL)
            return refuse(error, OPS007, "Split has no attribute '%s' at opset %" PRId64 " (Split-%u)", name,
                          draft->opset, schema->since);
        if (draft_attribute_find(draft, name) != &draft->attributes[i])
            return refuse(error, OPS010, "attribute '%s' is given twice", name);
        if (message->type != known->type)
            return refuse(error, OPS009, "attribute '%s' has attribute type %d; Split-%u wants %s", name,
                          (int)message->type, schema->since,
                          known->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT ? "INT" : "INTS");
    }
    return OPSHIFT_OK;
}

static enum opshift_status check_outputs(const struct draft *draft, struct opshift_error *error)
{
    if (draft->output_count == 0)
        return refuse(error, OPS014, "Split has no outputs");
    /* Duplicates among many outputs are found by sorting their ids. */
    name_id *sorted = arena_copy(draft->arena, draft->outputs, draft->output_count * sizeof(*sorted));
    if (sorted == NULL)
        return opshift_no_memory(error);
    names_sort(sorted, draft->output_count);
    for (uint32_t i = 1; i < draft->output_count; i++)
        if (sorted[i] != NAME_NONE && sorted[i] == sorted[i - 1])
            return refuse(error, GRF001, "output '%s' is given twice", names_text(draft->model->names, sorted[i]));
    return OPSHIFT_OK;
}

static enum opshift_status check_type(const struct split_view *view, const char *what, enum opshift_type type,
                                      uint32_t input, struct opshift_error *error)
{
    const struct schema *schema = view->schema;
    const struct schema_parameter *parameter = schema_input(schema, input);
    if (type == OPSHIFT_TYPE_UNDEFINED || schema_types(schema, parameter)->tensor >> type & 1)
        return OPSHIFT_OK;
    return refuse(error, OPS015, "%s %s, which is not a type of Split-%u's input '%s'", what, type_name(type),
                  schema->since, parameter->name);
}

static enum opshift_status check_types(const struct split_view *view, struct opshift_error *error)
{
    enum opshift_type data = view->cut.type, lengths = view->cut.input_type;
    enum opshift_status status = check_type(view, "the data is", data, 0, error);
    if (status || !draft_input_present(view->draft, 1))
        return status;
    if (view->schema->since == 1 && data && lengths && data != lengths)
        return refuse(error, OPS015, "the lengths are %s; Split-1 wants the data's type, %s", type_name(lengths),
                      type_name(data));
    return check_type(view, "the lengths are", lengths, 1, error);
}

static enum opshift_status check_generic(const struct draft *draft, const struct schema *schema,
                                         struct opshift_error *error)
{
    if (draft->input_count < schema->input_min || draft->input_count > schema->input_max ||
        !draft_input_present(draft, 0))
        return refuse(error, OPS012, "Split has %u inputs at opset %" PRId64 "; Split-%u takes %u to %u",
                      draft->input_count, draft->opset, schema->since, schema->input_min, schema->input_max);
    enum opshift_status status = check_attributes(draft, schema, error);
    return status ? status : check_outputs(draft, error);
}

/* ---- all checks ---- */

static enum opshift_status check_own(struct split_view *view, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (const struct check *check = checks_split; status == OPSHIFT_OK && check->id; check++) {
        status = split_judge(check, view, error);
        if (status == OPSHIFT_OK && view->fault)
            return refuse(error, check->id, "%s", view->fault);
    }
    return status;
}

enum opshift_status check_split(const struct draft *draft, const struct schema *schema, struct opshift_error *error)
{
    struct split_view *view;
    if (schema == NULL)
        return refuse(error, OPS003, "there is no Split at opset %" PRId64, draft->opset);
    enum opshift_status status = check_generic(draft, schema, error);
    if (status == OPSHIFT_OK)
        status = split_view_read(draft, schema, &view, error);
    if (status == OPSHIFT_OK)
        status = check_types(view, error);
    return status ? status : check_own(view, error);
}
