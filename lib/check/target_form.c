/* What standards demand of every node (features of target_feature.c): attributes written, axes from the front, types
 * declared, no automatic padding; and how that is written. */
#include "check/target_form.h"

#include <string.h>

#include "check/tables.h"
#include "infer/declare.h"
#include "kernel/facts.h"
#include "model/fields.h"
#include "schema/operation.h"
#include "wire/wire.h"

#define INTS_MOST 64

struct ints {
    int64_t list[INTS_MOST];
    size_t count;
};

static enum opshift_status input_type(const struct draft *draft, uint32_t position, struct value_type *type,
                                      struct opshift_error *error)
{
    *type = (struct value_type){.rank = -1};
    if (!draft_input_present(draft, position))
        return OPSHIFT_OK;
    return draft_type(draft, draft->inputs[position].name, type, error);
}

/* ---- defaults ---- */

static void ints_fill(struct ints *ints, size_t count, int64_t value)
{
    for (size_t i = 0; i < count && i < INTS_MOST; i++)
        ints->list[i] = value;
    ints->count = count;
}

static bool text_is(const struct draft *draft, const char *name, const char *text)
{
    const struct draft_attribute *attribute = draft_attribute_find(draft, name);
    return attribute && !attribute->message->has_ref_attr_name && attribute->message->has_s &&
           attribute->message->s.len == strlen(text) && memcmp(attribute->message->s.data, text, strlen(text)) == 0;
}

static bool is_explicit(const struct draft *draft)
{
    return draft_attribute_find(draft, "auto_pad") == NULL || text_is(draft, "auto_pad", "NOTSET") ||
           text_is(draft, "auto_pad", "VALID");
}

/* The list that a window's attribute, or perm, has where it is left out. *has: there is one, ints->count 0: of which
 * the values are not known. */
static enum opshift_status ints_default(const struct draft *draft, enum attribute_id id, bool *has, struct ints *ints,
                                        struct opshift_error *error)
{
    struct value_type data, weights;
    bool of_q = strcmp(draft->op_type, "QLinearConv") == 0;
    *has = id == ATTRIBUTE_KERNEL_SHAPE || id == ATTRIBUTE_STRIDES || id == ATTRIBUTE_DILATIONS ||
           id == ATTRIBUTE_OUTPUT_PADDING || id == ATTRIBUTE_PADS || id == ATTRIBUTE_PERM;
    ints->count = 0;
    if (id == ATTRIBUTE_PADS && (!is_explicit(draft) || draft_attribute_find(draft, "output_shape")))
        *has = false;
    if (!*has)
        return OPSHIFT_OK;
    enum opshift_status status = input_type(draft, 0, &data, error);
    if (status == OPSHIFT_OK)
        status = input_type(draft, of_q ? 3 : 1, &weights, error);
    if (status || (data.rank < 0 && weights.rank < 0) || data.rank > INTS_MOST / 2 || weights.rank > INTS_MOST / 2)
        return status;
    size_t rank = (size_t)(data.rank >= 0 ? data.rank : weights.rank), axes = rank >= 2 ? rank - 2 : 0;
    if (id == ATTRIBUTE_PERM) {
        ints_fill(ints, data.rank >= 0 ? rank : 0, 0);
        for (size_t i = 0; i < ints->count; i++)
            ints->list[i] = (int64_t)(rank - 1 - i);
    } else if (id == ATTRIBUTE_KERNEL_SHAPE) {
        bool known = weights.rank == (int32_t)rank;
        for (size_t i = 0; known && i < axes; i++) {
            ints->list[i] = weights.dims[i + 2];
            known = weights.dims[i + 2] > 0;
        }
        ints->count = known ? axes : 0;
    } else {
        bool zero = id == ATTRIBUTE_PADS || id == ATTRIBUTE_OUTPUT_PADDING;
        ints_fill(ints, id == ATTRIBUTE_PADS ? 2 * axes : axes, !zero);
    }
    return OPSHIFT_OK;
}

/* The attribute as it is where the node leaves it out. *has: there is one; *message NULL: its value is not known. */
static enum opshift_status default_find(const struct draft *draft, const struct schema_attribute *attribute, bool *has,
                                        Onnx__AttributeProto **message, struct opshift_error *error)
{
    struct ints ints;
    *message = NULL;
    *has = attribute->fallback != NULL;
    if (attribute->fallback) {
        *message = attribute_default(attribute, draft->arena);
        return *message ? OPSHIFT_OK : opshift_no_memory(error);
    }
    if (attribute->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS || attribute->required)
        return OPSHIFT_OK;
    enum opshift_status status = ints_default(draft, attribute->id, has, &ints, error);
    if (status || ints.count == 0)
        return status;
    *message = attribute_new(draft->arena, attribute->name, attribute->type);
    if (*message == NULL)
        return opshift_no_memory(error);
    (*message)->n_ints = ints.count;
    (*message)->ints = arena_copy(draft->arena, ints.list, ints.count * sizeof(*ints.list));
    return (*message)->ints ? OPSHIFT_OK : opshift_no_memory(error);
}

/* The names of what is left out, as one text in the draft's arena; records: what fills it in, may be NULL. */
static enum opshift_status defaults_gather(const struct draft *draft, const struct schema *schema, uint32_t *count,
                                           const char **names, struct buffer *records, struct opshift_error *error)
{
    *count = 0;
    *names = "";
    for (uint32_t i = 0; i < schema->attribute_count; i++) {
        const struct schema_attribute *attribute = &schema->attributes[i];
        Onnx__AttributeProto *message;
        bool has;
        if (draft_attribute_find(draft, attribute->name))
            continue;
        enum opshift_status status = default_find(draft, attribute, &has, &message, error);
        if (status)
            return status;
        if (!has)
            continue;
        *names = arena_print(draft->arena, "%s%s%s", *names, (*count)++ ? ", " : "", attribute->name);
        if (*names == NULL)
            return opshift_no_memory(error);
        if (records && message)
            wire_add_message(records, NODE_ATTRIBUTE, &message->base);
    }
    return OPSHIFT_OK;
}

enum opshift_status form_defaults(const struct subject *subject, uint32_t *count, const char **names,
                                  struct opshift_error *error)
{
    return defaults_gather(subject->draft, subject->schema, count, names, NULL, error);
}

/* ---- axes ---- */

struct axes {
    struct draft_attribute *attribute; /* NULL: an input */
    uint32_t position;                 /* of that input */
    struct ints ints;
    bool negative;
    int64_t rank; /* that they count; -1: not known */
};

static void axes_take(struct axes *axes, const int64_t *values, size_t count)
{
    axes->ints.count = count < INTS_MOST ? count : INTS_MOST;
    for (size_t i = 0; i < axes->ints.count; i++) {
        axes->ints.list[i] = values[i];
        axes->negative = axes->negative || values[i] < 0;
    }
}

/* The axes of a node that count from the end, in an attribute or a constant input. */
static enum opshift_status axes_find(const struct draft *draft, const struct schema *schema, struct axes *axes,
                                     struct opshift_error *error)
{
    struct value_type data;
    enum opshift_status status = input_type(draft, 0, &data, error);
    *axes = (struct axes){.rank = status == OPSHIFT_OK && data.is_tensor ? data.rank : -1};
    for (uint32_t i = 0; status == OPSHIFT_OK && !axes->negative && i < draft->attribute_count; i++) {
        Onnx__AttributeProto *message = draft->attributes[i].message;
        struct bytes name = {message->name.data, message->name.len};
        if (message->has_ref_attr_name || !(bytes_are(name, "axis") || bytes_are(name, "axes")))
            continue;
        axes->attribute = &draft->attributes[i];
        if (message->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT)
            axes_take(axes, &message->i, 1);
        else if (message->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS)
            axes_take(axes, message->ints, message->n_ints);
    }
    for (uint32_t i = 1; status == OPSHIFT_OK && !axes->negative && i < draft->input_count; i++) {
        const struct schema_parameter *parameter = schema_input(schema, i);
        const struct tensor *tensor;
        const char *why;
        if (parameter == NULL || strcmp(parameter->name, "axes") != 0 || !draft_input_present(draft, i))
            continue;
        axes->attribute = NULL;
        axes->position = i;
        status = draft_constant(draft, draft->inputs[i].name, &tensor, &why, error);
        if (status == OPSHIFT_OK && tensor && tensor->type == OPSHIFT_TYPE_INT64 && tensor->rank == 1 && tensor->data &&
            tensor->count <= INTS_MOST) {
            int64_t values[INTS_MOST];
            memcpy(values, tensor->data, tensor->count * sizeof(*values));
            axes_take(axes, values, tensor->count);
        }
    }
    if (axes->rank >= 0 && strcmp(draft->op_type, "Unsqueeze") == 0)
        axes->rank += (int64_t)axes->ints.count;
    if (axes->rank >= 0 && strcmp(draft->op_type, "OneHot") == 0)
        axes->rank++;
    return status;
}

enum opshift_status form_axes(const struct subject *subject, bool *negative, struct opshift_error *error)
{
    struct axes axes;
    enum opshift_status status = axes_find(subject->draft, subject->schema, &axes, error);
    *negative = axes.negative;
    return status;
}

/* ---- declarations ---- */

static bool is_complete(const struct value_type *type)
{
    if (type->other)
        return true;
    if (type->type == OPSHIFT_TYPE_UNDEFINED || type->rank < 0)
        return false;
    for (int32_t i = 0; i < type->rank; i++)
        if (type->dims[i] < 0 && type->params[i] == NAME_NONE)
            return false;
    return true;
}

enum opshift_status form_undeclared(struct checking *checking, const struct subject *subject, name_id *first,
                                    struct opshift_error *error)
{
    const struct node *node = subject->node;
    *first = NAME_NONE;
    for (uint32_t i = 0; i < node->input_count + node->output_count; i++) {
        name_id name = node->names[i];
        struct value_type type;
        if (name == NAME_NONE ||
            (i < node->input_count && (!scope_is_input(checking->scopes, subject->graph, name) ||
                                       scope_find(checking->scopes, subject->graph, name).kind != DEFINED_INPUT)))
            continue;
        enum opshift_status status = types_declared(checking->types, subject->graph, name, &type, error);
        if (status)
            return status;
        if (!is_complete(&type)) {
            *first = name;
            return OPSHIFT_OK;
        }
    }
    return OPSHIFT_OK;
}

/* ---- what is written ---- */

/* Reads the finding's node. *draft NULL: it is malformed, or of an unknown operator. */
static enum opshift_status node_read(struct checking *checking, const struct finding *finding, struct draft **draft,
                                     const struct schema **schema, struct opshift_error *error)
{
    const struct node *node = finding->node;
    enum opshift_status status =
        checking_draft(checking, finding->graph, finding->node, checking->scratch, draft, error);
    if (status || *draft == NULL)
        return status;
    int64_t opset = graph_opset(checking->model, finding->graph, node_domain(node));
    *schema = schema_find((*draft)->domain, (*draft)->op_type, opset);
    if (*schema == NULL)
        *draft = NULL;
    else
        (*draft)->opset = (*draft)->target = opset;
    return OPSHIFT_OK;
}

enum opshift_status form_fix_defaults(struct checking *checking, const struct finding *finding,
                                      struct opshift_error *error)
{
    struct draft *draft;
    const struct schema *schema;
    const char *names;
    uint32_t count;
    struct buffer records = {0};
    enum opshift_status status = node_read(checking, finding, &draft, &schema, error);
    if (status == OPSHIFT_OK && draft)
        status = defaults_gather(draft, schema, &count, &names, &records, error);
    if (status == OPSHIFT_OK && records.size > 0)
        return fix_node_field(checking, finding, NODE_ATTRIBUTE, UINT32_MAX, &records, error);
    buffer_free(&records);
    return status;
}

enum opshift_status form_fix_axes(struct checking *checking, const struct finding *finding, struct opshift_error *error)
{
    struct draft *draft;
    const struct schema *schema;
    struct axes axes = {0};
    enum opshift_status status = node_read(checking, finding, &draft, &schema, error);
    if (status == OPSHIFT_OK && draft)
        status = axes_find(draft, schema, &axes, error);
    /* In a function, the rank is known only for its current calls. */
    if (status || draft == NULL || !axes.negative || axes.rank < 0 || finding->graph->function)
        return status;
    for (size_t i = 0; i < axes.ints.count; i++)
        axes.ints.list[i] += axes.ints.list[i] < 0 ? axes.rank : 0;
    if (axes.attribute == NULL)
        return fix_ints_to_input(checking, finding, (struct range){0}, axes.ints.list, axes.ints.count, axes.position,
                                 "axes", error);
    Onnx__AttributeProto *message = axes.attribute->message;
    struct buffer record = {0};
    message->i = axes.ints.list[0];
    if (message->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS) {
        message->i = 0;
        memcpy(message->ints, axes.ints.list, axes.ints.count * sizeof(*message->ints));
    }
    wire_add_message(&record, NODE_ATTRIBUTE, &message->base);
    return fix_node(checking, finding, axes.attribute->range, &record, error);
}

/* The pads of SAME_UPPER and SAME_LOWER, and of VALID. */
static enum opshift_status pads_find(const struct draft *draft, struct ints *pads, struct opshift_error *error)
{
    static const enum attribute_id ids[] = {ATTRIBUTE_KERNEL_SHAPE, ATTRIBUTE_STRIDES, ATTRIBUTE_DILATIONS};
    static const char *const names[] = {"kernel_shape", "strides", "dilations"};
    bool same = !text_is(draft, "auto_pad", "VALID"), has;
    struct ints lists[COUNT(ids)];
    struct value_type data;
    pads->count = 0;
    enum opshift_status status = input_type(draft, 0, &data, error);
    if (status || data.rank < 2 || data.rank > INTS_MOST / 2)
        return status;
    size_t axes = (size_t)data.rank - 2;
    for (size_t i = 0; status == OPSHIFT_OK && i < COUNT(ids); i++) {
        const struct draft_attribute *given = draft_attribute_find(draft, names[i]);
        if (given && given->message->n_ints == axes && !given->message->has_ref_attr_name) {
            memcpy(lists[i].list, given->message->ints, axes * sizeof(int64_t));
            lists[i].count = axes;
        } else {
            status = ints_default(draft, ids[i], &has, &lists[i], error);
        }
        if (status == OPSHIFT_OK && lists[i].count != axes)
            return OPSHIFT_OK;
    }
    if (status)
        return status;
    for (size_t i = 0; i < axes; i++) {
        int64_t dim = data.dims[i + 2], stride = lists[1].list[i];
        int64_t window = (lists[0].list[i] - 1) * lists[2].list[i] + 1;
        if (same && (dim < 0 || dim > INT32_MAX || stride < 1 || window < 1 || window > INT32_MAX))
            return OPSHIFT_OK;
        int64_t all = same ? ((dim + stride - 1) / stride - 1) * stride + window - dim : 0;
        int64_t less = all > 0 ? all / 2 : 0, more = all > 0 ? all - less : 0;
        bool lower = text_is(draft, "auto_pad", "SAME_LOWER");
        pads->list[i] = lower ? more : less;
        pads->list[i + axes] = lower ? less : more;
    }
    pads->count = 2 * axes;
    return OPSHIFT_OK;
}

enum opshift_status form_fix_padding(struct checking *checking, const struct finding *finding,
                                     struct opshift_error *error)
{
    struct draft *draft;
    const struct schema *schema;
    struct ints pads = {.count = 0};
    enum opshift_status status = node_read(checking, finding, &draft, &schema, error);
    if (status || draft == NULL || finding->graph->function || strcmp(draft->op_type, "ConvTranspose") == 0)
        return status;
    struct draft_attribute *auto_pad = draft_attribute_find(draft, "auto_pad"),
                           *old = draft_attribute_find(draft, "pads");
    if (auto_pad && !auto_pad->message->has_ref_attr_name)
        status = pads_find(draft, &pads, error);
    if (status || pads.count == 0 || auto_pad == NULL)
        return status;
    struct buffer record = {0};
    Onnx__AttributeProto *message = attribute_new(draft->arena, "pads", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
    if (message == NULL)
        return opshift_no_memory(error);
    message->n_ints = pads.count;
    message->ints = pads.list;
    auto_pad->message->s = (ProtobufCBinaryData){6, (uint8_t *)(uintptr_t) "NOTSET"};
    wire_add_message(&record, NODE_ATTRIBUTE, &auto_pad->message->base);
    wire_add_message(&record, NODE_ATTRIBUTE, &message->base);
    if (old)
        status = fix_node(checking, finding, old->range, NULL, error);
    if (status == OPSHIFT_OK)
        return fix_node(checking, finding, auto_pad->range, &record, error);
    buffer_free(&record);
    return status;
}

/* The declaration of a value in the graph that defines it: one of its inputs, outputs or value infos. NULL: none. */
static const struct value_info *declaration_find(const struct graph *graph, name_id name, uint32_t *number)
{
    const struct {
        const struct value_info *list;
        uint32_t count, number;
    } lists[] = {{graph->inputs, graph->input_count, GRAPH_INPUT},
                 {graph->outputs, graph->output_count, GRAPH_OUTPUT},
                 {graph->values, graph->value_count, GRAPH_VALUE_INFO}};
    for (size_t k = 0; k < COUNT(lists); k++)
        for (uint32_t i = 0; i < lists[k].count; i++)
            if (lists[k].list[i].name == name) {
                *number = lists[k].number;
                return &lists[k].list[i];
            }
    *number = GRAPH_VALUE_INFO;
    return NULL;
}

/* Declares one value, as far as its whole type is known. */
static enum opshift_status value_declare(struct checking *checking, const struct finding *finding, name_id name,
                                         struct opshift_error *error)
{
    Onnx__ValueInfoProto info = ONNX__VALUE_INFO_PROTO__INIT, *message = &info;
    struct graph *graph = finding->graph;
    struct value_type type;
    struct buffer record = {0};
    uint32_t number;
    enum opshift_status status = types_find(checking->types, graph, name, &type, error);
    if (status || !is_complete(&type) || !type_is_declarable(&type))
        return status;
    const struct value_info *old = declaration_find(graph, name, &number);
    struct bytes text = names_bytes(checking->model->names, name);
    info.has_name = 1;
    info.name = (ProtobufCBinaryData){text.size, (uint8_t *)(uintptr_t)text.data};
    if (old)
        status = range_decode(checking->model, old->range, &onnx__value_info_proto__descriptor, checking->scratch,
                              &message, error);
    if (status == OPSHIFT_OK && !type_declare(checking->scratch, checking->model, &type, message))
        status = opshift_no_memory(error);
    if (status)
        return status;
    wire_add_message(&record, number, &message->base);
    uint64_t place = graph->value_count ? range_end(graph->values[graph->value_count - 1].range)
                                        : graph->message->offset + graph->message->size;
    if (old) {
        place = range_record(old->range);
        status = fix_remove(checking, finding, old->range, error);
    }
    if (status == OPSHIFT_OK)
        return fix_insert(checking, graph, place, &record, error);
    buffer_free(&record);
    return status;
}

enum opshift_status form_fix_declarations(struct checking *checking, const struct finding *finding,
                                          struct opshift_error *error)
{
    const struct node *node = finding->node;
    enum opshift_status status = OPSHIFT_OK;
    if (finding->graph->kind == GRAPH_FUNCTION)
        return OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->output_count; i++) {
        name_id name = node_outputs(node)[i];
        struct value_type type;
        if (name == NAME_NONE)
            continue;
        status = types_declared(checking->types, finding->graph, name, &type, error);
        if (status == OPSHIFT_OK && !is_complete(&type))
            status = value_declare(checking, finding, name, error);
    }
    return status;
}
