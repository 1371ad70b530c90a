/* Compares the planned nodes of one node with the nodes that give its outputs in the second model. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "infer/infer.h"
#include "schema/schema.h"
#include "verify/expect.h"
#include "verify/expect_graph.h"

/* An output of the plan's nodes that has a name. */
struct planned_output {
    name_id name;
    uint32_t record, place;
};

/* Each record has at most one partner and is compared with it once, so the cost does not depend on the depth of the
 * graph. */
struct matching {
    struct comparison *comparison;
    const struct graph_pair *pair;
    struct node *node; /* of the first model */
    struct arena *arena;
    Onnx__NodeProto **records;
    const struct node **partners; /* by record; NULL: none yet */
    uint32_t *waiting;            /* records with a partner that are not yet compared */
    uint32_t record_count, waiting_count;
    bool replaced;                  /* the records are nodes of other operators, with subgraphs of their own */
    struct planned_output *outputs; /* by name */
    size_t output_count;
    bool other_operator; /* the node's outputs come from other operators than planned */
    const char *what;    /* the first difference from the plan; NULL: none yet */
    const char *beyond;  /* the first difference whose effect a run need not show */
};

/* shows: random inputs show the effect of the difference. */
static void say(struct matching *matching, bool shows, const char *what)
{
    const char *words = what == NULL ? "no memory for the reason" : what;
    if (matching->what == NULL)
        matching->what = words;
    if (matching->beyond == NULL && !shows)
        matching->beyond = words;
}

/* ---- names ---- */

/* The id of a name of the plan; NAME_NO_MEMORY: the first model does not have it. */
static name_id planned_name(const struct matching *matching, const ProtobufCBinaryData *text)
{
    name_id name;
    bool found = names_find(matching->comparison->before.model->names, text->data, text->len, &name);
    return found ? name : NAME_NO_MEMORY;
}

static bool is_defined_before(const struct matching *matching, name_id name)
{
    return name != NAME_NO_MEMORY &&
           scope_find(matching->comparison->before.scopes, matching->pair->before, name).kind != DEFINED_NOWHERE;
}

/* The same name in the second model; NAME_NO_MEMORY: it does not have it. */
static name_id counterpart(const struct matching *matching, name_id planned)
{
    const struct side *before = &matching->comparison->before;
    return planned < before->other_count ? before->other[planned] : NAME_NO_MEMORY;
}

/* Is a name of both models defined at the same nesting level, seen from the pair of graphs? */
static bool is_same_place(const struct matching *matching, name_id before, name_id after)
{
    const struct comparison *comparison = matching->comparison;
    struct definition was = scope_find(comparison->before.scopes, matching->pair->before, before);
    struct definition is = scope_find(comparison->after.scopes, matching->pair->after, after);
    const struct graph *left = matching->pair->before, *right = matching->pair->after;
    if (was.kind == DEFINED_NOWHERE || is.kind == DEFINED_NOWHERE)
        return was.kind == is.kind;
    while (left != NULL && right != NULL && left != was.graph && right != is.graph) {
        left = left->parent;
        right = right->parent;
    }
    return left == was.graph && right == is.graph;
}

/* Can this name be a new one? Then the first model does not define it. */
static bool is_fresh(const struct matching *matching, name_id after)
{
    name_id known = matching->comparison->after.other[after];
    return after != NAME_NONE && (known == NAME_NO_MEMORY || !is_defined_before(matching, known));
}

/* ---- constants ---- */

/* Integers are counts or positions; testing dims near them shows a difference. */
static bool is_whole(const struct tensor *tensor)
{
    return tensor->type == OPSHIFT_TYPE_INT64 || tensor->type == OPSHIFT_TYPE_INT32;
}

static enum opshift_status after_is_constant(struct matching *matching, name_id after, const struct tensor *wanted,
                                             bool *same, bool *shows, struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    struct comparison *comparison = matching->comparison;
    enum opshift_status status =
        fold_constant(comparison->after.fold, matching->pair->after, after, &tensor, NULL, error);
    *same = status == OPSHIFT_OK && tensor != NULL && tensor_equal(tensor, wanted);
    *shows = tensor != NULL && is_whole(tensor) && is_whole(wanted);
    return status;
}

static enum opshift_status same_constant(struct matching *matching, name_id planned, name_id after, bool *same,
                                         bool *shows, struct opshift_error *error)
{
    struct comparison *comparison = matching->comparison;
    const struct tensor *tensor = NULL;
    enum opshift_status status = OPSHIFT_OK;
    *same = false;
    if (is_defined_before(matching, planned))
        status = fold_constant(comparison->before.fold, matching->pair->before, planned, &tensor, NULL, error);
    if (status == OPSHIFT_OK && tensor != NULL)
        return after_is_constant(matching, after, tensor, same, shows, error);
    /* Values known only at run time: random inputs show a difference. */
    if (status == OPSHIFT_OK)
        status = fold_constant(comparison->after.fold, matching->pair->after, after, &tensor, NULL, error);
    *shows = tensor == NULL;
    return status;
}

/* ---- inputs ---- */

static int by_name(const void *left, const void *right)
{
    const struct planned_output *a = left, *b = right;
    return (a->name > b->name) - (a->name < b->name);
}

/* NULL: no record has this output. */
static const struct planned_output *output_find(const struct matching *matching, name_id name)
{
    const struct planned_output key = {.name = name};
    return matching->output_count == 0 ? NULL
                                       : bsearch(&key, matching->outputs, matching->output_count, sizeof(key), by_name);
}

/* The producer of a planned name must match the producer of the other name in the second model. */
static void match_output(struct matching *matching, const struct planned_output *output, name_id after)
{
    struct comparison *comparison = matching->comparison;
    struct definition found = scope_find(comparison->after.scopes, matching->pair->after, after);
    if (found.kind != DEFINED_NODE || found.graph != matching->pair->after) {
        say(matching, true, "the operator");
        matching->other_operator = true;
        return;
    }
    const struct node *maker = &found.graph->nodes[found.index];
    const struct node **partner = &matching->partners[output->record];
    if (found.output != output->place || (*partner != NULL && *partner != maker))
        say(matching, false,
            arena_print(matching->arena, "what gives '%s'", names_text(comparison->after.model->names, after)));
    if (*partner == NULL)
        matching->waiting[matching->waiting_count++] = output->record;
    *partner = maker;
}

static enum opshift_status match_input(struct matching *matching, const ProtobufCBinaryData *text, name_id after,
                                       bool *same, bool *shows, struct opshift_error *error)
{
    name_id planned = planned_name(matching, text);
    *shows = false;
    *same = text->len == 0 && after == NAME_NONE;
    if (text->len == 0 || after == NAME_NONE || planned == NAME_NO_MEMORY)
        return OPSHIFT_OK;
    const struct plan_constant *added = plan_constant_find(matching->comparison->plan, planned);
    if (added != NULL)
        return after_is_constant(matching, after, added->tensor, same, shows, error);
    const struct planned_output *output = output_find(matching, planned);
    if (output != NULL) { /* a difference there is reported for that node */
        *same = true;
        match_output(matching, output, after);
        return OPSHIFT_OK;
    }
    *same = counterpart(matching, planned) == after && is_same_place(matching, planned, after);
    return *same ? OPSHIFT_OK : same_constant(matching, planned, after, same, shows, error);
}

static enum opshift_status match_inputs(struct matching *matching, const Onnx__NodeProto *record,
                                        const struct node *after, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (record->n_input != after->input_count)
        say(matching, false, "the number of inputs");
    for (uint32_t i = 0; status == OPSHIFT_OK && i < after->input_count && i < record->n_input; i++) {
        bool same = false, shows = false;
        status = match_input(matching, &record->input[i], node_inputs(after)[i], &same, &shows, error);
        if (status == OPSHIFT_OK && !same)
            say(matching, shows, arena_print(matching->arena, "input %" PRIu32, i));
    }
    return status;
}

/* ---- outputs ---- */

static bool same_output(struct matching *matching, const ProtobufCBinaryData *text, name_id after)
{
    name_id planned = planned_name(matching, text);
    if (text->len == 0 || after == NAME_NONE)
        return text->len == 0 && after == NAME_NONE;
    if (is_defined_before(matching, planned))
        return counterpart(matching, planned) == after;
    return planned != NAME_NO_MEMORY && is_fresh(matching, after);
}

static void match_outputs(struct matching *matching, const Onnx__NodeProto *record, const struct node *after)
{
    if (record->n_output != after->output_count)
        say(matching, false, "the number of outputs");
    for (uint32_t i = 0; i < after->output_count && i < record->n_output; i++)
        if (!same_output(matching, &record->output[i], node_outputs(after)[i]))
            say(matching, false, arena_print(matching->arena, "output %" PRIu32, i));
}

/* ---- attributes ---- */

static bool is_graph(Onnx__AttributeProto__AttributeType type)
{
    return type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH ||
           type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPHS;
}

static bool same_message(struct arena *arena, const ProtobufCMessage *a, const ProtobufCMessage *b)
{
    size_t size = protobuf_c_message_get_packed_size(a);
    if (size != protobuf_c_message_get_packed_size(b))
        return false;
    uint8_t *left = arena_alloc(arena, size + 1, 1), *right = arena_alloc(arena, size + 1, 1);
    if (left == NULL || right == NULL)
        return false;
    protobuf_c_message_pack(a, left);
    protobuf_c_message_pack(b, right);
    return memcmp(left, right, size) == 0;
}

static const Onnx__AttributeProto *attribute_named(const Onnx__NodeProto *record, struct bytes name)
{
    for (size_t i = 0; i < record->n_attribute; i++)
        if (record->attribute[i]->name.len == name.size &&
            (name.size == 0 || memcmp(record->attribute[i]->name.data, name.data, name.size) == 0))
            return record->attribute[i];
    return NULL;
}

/* Are the subgraphs of both paired, and so compared elsewhere? Only those of a node and its partner are. */
static bool graphs_are_paired(const struct matching *matching, const struct node *after)
{
    const struct comparison *comparison = matching->comparison;
    const struct node *partner =
        match_partner(&comparison->before, matching->node, &comparison->after, matching->pair->after);
    return partner == after && match_subgraphs(comparison, matching->node, after, NULL);
}

/* A value that a subgraph of a record reads from outside the record. */
static enum opshift_status match_outer(void *data, const ProtobufCBinaryData *planned, const ProtobufCBinaryData *after,
                                       bool *same, struct opshift_error *error)
{
    struct matching *matching = data;
    name_id name;
    bool shows;
    *same = names_find(matching->comparison->after.model->names, after->data, after->len, &name);
    return *same ? match_input(matching, planned, name, same, &shows, error) : OPSHIFT_OK;
}

static enum opshift_status same_graphs(struct matching *matching, const Onnx__AttributeProto *planned,
                                       const struct attribute_range *range, bool *same, struct opshift_error *error)
{
    Onnx__AttributeProto *message = NULL;
    const struct outer_values outer = {match_outer, matching};
    enum opshift_status status =
        attribute_decode(matching->comparison->after.model, range, matching->arena, &message, error);
    return status ? status : expect_same_graphs(planned, message, &outer, matching->arena, same, error);
}

static enum opshift_status same_attribute(struct matching *matching, const Onnx__NodeProto *record,
                                          const struct node *after, const struct attribute_range *range, bool *same,
                                          struct opshift_error *error)
{
    struct opshift_model *model = matching->comparison->after.model;
    const Onnx__AttributeProto *attribute = attribute_named(record, names_bytes(model->names, range->name));
    Onnx__AttributeProto *message = NULL;
    *same = attribute != NULL && is_graph(range->type) == is_graph(attribute->type);
    if (*same && is_graph(range->type) && matching->replaced)
        return same_graphs(matching, attribute, range, same, error);
    if (*same && is_graph(range->type))
        *same = graphs_are_paired(matching, after);
    if (!*same || is_graph(range->type))
        return OPSHIFT_OK;
    enum opshift_status status = attribute_decode(model, range, matching->arena, &message, error);
    *same = status == OPSHIFT_OK && same_message(matching->arena, &attribute->base, &message->base);
    return status;
}

/* Attributes whose effect shows in the shape, or in every run with dims near them. */
static bool attribute_shows(struct bytes name)
{
    static const char *const names[] = {"axis", "axes",  "ends",  "k",      "keepdims", "num_outputs", "pads",
                                        "perm", "shape", "split", "starts", "steps",    "to"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (name.size == strlen(names[i]) && memcmp(name.data, names[i], name.size) == 0)
            return true;
    return false;
}

static void say_attribute(struct matching *matching, struct bytes name)
{
    say(matching, attribute_shows(name),
        arena_print(matching->arena, "attribute '%.*s'", (int)(name.size < 80 ? name.size : 80),
                    (const char *)name.data));
}

/* 0 and -0 are two values. */
static bool float_is(const json_t *number, float value)
{
    float wanted = (float)json_number_value(number);
    return json_is_number(number) && wanted == value && signbit(wanted) == signbit(value);
}

static bool number_is(const json_t *number, const Onnx__AttributeProto *attribute, size_t at)
{
    switch (attribute->type) {
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT:
        return json_is_integer(number) && json_integer_value(number) == attribute->i;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS:
        return json_is_integer(number) && json_integer_value(number) == attribute->ints[at];
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT:
        return float_is(number, attribute->f);
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS:
        return float_is(number, attribute->floats[at]);
    default:
        return false;
    }
}

/* The elements that belong to the attribute's type; in a damaged file they may stand in another field. */
static size_t list_size(const Onnx__AttributeProto *attribute)
{
    return attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS     ? attribute->n_ints
           : attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS ? attribute->n_floats
                                                                              : 0;
}

/* Has an attribute the value that its operator takes where it is absent? */
static bool is_default(const struct schema *schema, const Onnx__AttributeProto *attribute)
{
    const char *text = NULL;
    struct bytes name = {attribute->name.data, attribute->name.len};
    for (uint16_t i = 0; schema != NULL && i < schema->attribute_count; i++)
        if (bytes_are(name, schema->attributes[i].name))
            text = schema->attributes[i].default_text;
    json_t *value = text == NULL || attribute->ref_attr_name.len ? NULL : json_loads(text, JSON_DECODE_ANY, NULL);
    bool same = value != NULL;
    if (json_is_string(value)) {
        same = attribute->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING &&
               bytes_are((struct bytes){attribute->s.data, attribute->s.len}, json_string_value(value));
    } else if (json_is_array(value)) {
        same = json_array_size(value) == list_size(attribute);
        for (size_t i = 0; same && i < json_array_size(value); i++)
            same = number_is(json_array_get(value, i), attribute, i);
    } else if (value != NULL) {
        same = number_is(value, attribute, 0);
    }
    json_decref(value);
    return same;
}

/* The same for an attribute that only the second model's node has. */
static enum opshift_status is_default_after(struct matching *matching, const struct schema *schema,
                                            const struct attribute_range *range, bool *same,
                                            struct opshift_error *error)
{
    Onnx__AttributeProto *message = NULL;
    enum opshift_status status =
        attribute_decode(matching->comparison->after.model, range, matching->arena, &message, error);
    *same = status == OPSHIFT_OK && is_default(schema, message);
    return status;
}

static bool has_attribute(const struct opshift_model *model, const struct attribute_range *ranges, size_t count,
                          const ProtobufCBinaryData *name)
{
    for (size_t i = 0; i < count; i++)
        if (names_is(model->names, ranges[i].name, name->data, name->len))
            return true;
    return false;
}

static enum opshift_status match_attributes(struct matching *matching, const Onnx__NodeProto *record,
                                            const struct node *after, struct opshift_error *error)
{
    struct opshift_model *model = matching->comparison->after.model;
    name_id domain = matching->comparison->after.other[node_domain(after)];
    int64_t opset = domain == NAME_NO_MEMORY ? 0 : match_opset_after(matching->comparison, matching->pair, domain);
    const struct schema *schema =
        schema_find(names_text(model->names, node_domain(after)), names_text(model->names, after->op_type), opset);
    struct attribute_range *ranges = NULL;
    size_t count = 0, defaults = 0;
    enum opshift_status status = node_attributes(model, after, matching->arena, &ranges, &count, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        bool same = false, is_absent = attribute_named(record, names_bytes(model->names, ranges[i].name)) == NULL;
        status = is_absent ? is_default_after(matching, schema, &ranges[i], &same, error)
                           : same_attribute(matching, record, after, &ranges[i], &same, error);
        defaults += is_absent && same;
        if (status == OPSHIFT_OK && !same)
            say_attribute(matching, names_bytes(model->names, ranges[i].name));
    }
    for (size_t i = 0; status == OPSHIFT_OK && i < record->n_attribute; i++) {
        const Onnx__AttributeProto *attribute = record->attribute[i];
        if (has_attribute(model, ranges, count, &attribute->name))
            continue;
        if (!is_default(schema, attribute))
            say_attribute(matching, (struct bytes){attribute->name.data, attribute->name.len});
        defaults--; /* modulo: what the record has more */
    }
    if (status == OPSHIFT_OK && matching->what == NULL && count - defaults != record->n_attribute)
        say(matching, false, "the number of attributes");
    return status;
}

/* ---- nodes ---- */

static bool same_operator(const struct matching *matching, const Onnx__NodeProto *record, const struct node *after)
{
    const struct names *names = matching->comparison->after.model->names;
    bool plain = record->domain.len == 0 || bytes_are(bytes_of(record->domain), "ai.onnx");
    return bytes_same(bytes_of(record->op_type), names_bytes(names, after->op_type)) &&
           (plain ? node_domain(after) == NAME_NONE
                  : bytes_same(bytes_of(record->domain), names_bytes(names, node_domain(after)))) &&
           bytes_same(bytes_of(record->overload), names_bytes(names, node_overload(after)));
}

/* The node's name, doc_string and metadata. New nodes may have any name. */
static enum opshift_status match_head(struct matching *matching, const Onnx__NodeProto *record,
                                      const struct node *after, struct opshift_error *error)
{
    struct comparison *comparison = matching->comparison;
    name_id name = node_name(comparison->before.model, matching->node);
    const char *what = NULL;
    if (name == NAME_NO_MEMORY)
        return opshift_no_memory(error);
    if (matching->record_count > 1 &&
        (name == NAME_NONE || !bytes_same(bytes_of(record->name), names_bytes(comparison->before.model->names, name))))
        return OPSHIFT_OK;
    enum opshift_status status = rest_same_head(comparison, matching->node, after, &what, error);
    if (status == OPSHIFT_OK && what != NULL)
        say(matching, false, what);
    return status;
}

static enum opshift_status match_node(struct matching *matching, const Onnx__NodeProto *record,
                                      const struct node *after, struct opshift_error *error)
{
    if (!same_operator(matching, record, after)) {
        say(matching, true, "the operator");
        matching->other_operator = true;
        return OPSHIFT_OK;
    }
    match_outputs(matching, record, after);
    enum opshift_status status = match_inputs(matching, record, after, error);
    if (status == OPSHIFT_OK)
        status = match_attributes(matching, record, after, error);
    return status == OPSHIFT_OK ? match_head(matching, record, after, error) : status;
}

/* ---- the planned nodes ---- */

static enum opshift_status read_records(struct matching *matching, const struct planned_node *planned,
                                        struct opshift_error *error)
{
    ProtobufCAllocator *allocator = arena_allocator(matching->arena);
    matching->record_count = (uint32_t)planned->record_count;
    matching->records = arena_alloc(matching->arena, planned->record_count + 1, sizeof(*matching->records));
    if (matching->records == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < matching->record_count; i++) {
        matching->records[i] = onnx__node_proto__unpack(allocator, planned->records[i].size, planned->records[i].data);
        if (matching->records[i] == NULL)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

static bool set_text(ProtobufCBinaryData *text, const struct opshift_model *model, name_id name)
{
    struct bytes bytes = names_bytes(model->names, name);
    *text = (ProtobufCBinaryData){bytes.size, (uint8_t *)(uintptr_t)bytes.data};
    return true;
}

/* A kept node as a record, without its subgraphs. */
static enum opshift_status read_kept(struct matching *matching, struct opshift_error *error)
{
    struct opshift_model *model = matching->comparison->before.model;
    const struct node *node = matching->node;
    struct arena *arena = matching->arena;
    struct attribute_range *ranges = NULL;
    size_t count = 0;
    enum opshift_status status = node_attributes(model, node, arena, &ranges, &count, error);
    Onnx__NodeProto *record = arena_alloc(arena, 1, sizeof(*record));
    matching->records = arena_alloc(arena, 1, sizeof(*matching->records));
    if (status != OPSHIFT_OK || record == NULL || matching->records == NULL)
        return status != OPSHIFT_OK ? status : opshift_no_memory(error);
    onnx__node_proto__init(record);
    record->input = arena_alloc(arena, node->input_count + UINT64_C(1), sizeof(*record->input));
    record->output = arena_alloc(arena, node->output_count + UINT64_C(1), sizeof(*record->output));
    record->attribute = arena_alloc(arena, count + 1, sizeof(struct Onnx__AttributeProto *));
    if (record->input == NULL || record->output == NULL || record->attribute == NULL)
        return opshift_no_memory(error);
    set_text(&record->op_type, model, node->op_type);
    set_text(&record->domain, model, node_domain(node));
    set_text(&record->overload, model, node_overload(node));
    for (uint32_t i = 0; i < node->input_count; i++)
        set_text(&record->input[record->n_input++], model, node_inputs(node)[i]);
    for (uint32_t i = 0; i < node->output_count; i++)
        set_text(&record->output[record->n_output++], model, node_outputs(node)[i]);
    for (size_t i = 0; i < count && status == OPSHIFT_OK; i++) {
        Onnx__AttributeProto *attribute = arena_alloc(arena, 1, sizeof(*attribute));
        if (attribute == NULL)
            return opshift_no_memory(error);
        onnx__attribute_proto__init(attribute);
        set_text(&attribute->name, model, ranges[i].name);
        attribute->type = ranges[i].type;
        if (!is_graph(ranges[i].type))
            status = attribute_decode(model, &ranges[i], arena, &attribute, error);
        record->attribute[record->n_attribute++] = attribute;
    }
    matching->records[0] = record;
    matching->record_count = 1;
    return status;
}

static enum opshift_status list_outputs(struct matching *matching, struct opshift_error *error)
{
    size_t room = 0;
    for (uint32_t i = 0; i < matching->record_count; i++)
        room += matching->records[i]->n_output;
    matching->outputs = arena_alloc(matching->arena, room + 1, sizeof(*matching->outputs));
    matching->partners =
        arena_alloc(matching->arena, matching->record_count + UINT64_C(1), sizeof(*matching->partners));
    matching->waiting = arena_alloc(matching->arena, matching->record_count + UINT64_C(1), sizeof(*matching->waiting));
    if (matching->outputs == NULL || matching->partners == NULL || matching->waiting == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < matching->record_count; i++)
        for (uint32_t k = 0; k < matching->records[i]->n_output; k++) {
            name_id name = planned_name(matching, &matching->records[i]->output[k]);
            if (name != NAME_NO_MEMORY && name != NAME_NONE)
                matching->outputs[matching->output_count++] = (struct planned_output){name, i, k};
        }
    if (matching->output_count > 0)
        qsort(matching->outputs, matching->output_count, sizeof(*matching->outputs), by_name);
    return OPSHIFT_OK;
}

/* Compares every output that the records give and the first model has, then their inputs, and so on. */
static enum opshift_status match_all(struct matching *matching, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; i < matching->output_count; i++) {
        const struct planned_output *output = &matching->outputs[i];
        name_id after = counterpart(matching, output->name);
        if (!is_defined_before(matching, output->name))
            continue;
        if (after == NAME_NO_MEMORY)
            say(matching, false, "the outputs");
        else
            match_output(matching, output, after);
    }
    while (status == OPSHIFT_OK && matching->waiting_count > 0) {
        uint32_t record = matching->waiting[--matching->waiting_count];
        status = match_node(matching, matching->records[record], matching->partners[record], error);
    }
    for (uint32_t i = 0; matching->what == NULL && i < matching->record_count; i++)
        if (matching->partners[i] == NULL)
            say(matching, false, "a node that nothing reads");
    return status;
}

enum opshift_status expect_compare(struct comparison *comparison, const struct graph_pair *pair,
                                   const struct expectation *expectation, struct node *node, struct arena *arena,
                                   struct expected_difference *difference, struct opshift_error *error)
{
    struct matching matching = {.comparison = comparison, .pair = pair, .node = node, .arena = arena};
    const struct planned_node *planned = &expectation->planned;
    matching.replaced = planned->is_replaced;
    enum opshift_status status =
        planned->fate == NODE_KEPT ? read_kept(&matching, error) : read_records(&matching, planned, error);
    if (status == OPSHIFT_OK)
        status = list_outputs(&matching, error);
    if (status == OPSHIFT_OK)
        status = match_all(&matching, error);
    *difference = (struct expected_difference){matching.what, matching.beyond, matching.other_operator};
    return status;
}
