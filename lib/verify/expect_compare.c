/* Compares the planned nodes of one node with the nodes that give its outputs in the second model. */
#include <inttypes.h>
#include <stdlib.h>

#include "infer/infer.h"
#include "schema/operation.h"
#include "verify/expect.h"
#include "verify/expect_graph.h"
#include "verify/expect_record.h"
#include "wire/wire.h"

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
    const struct node *node;           /* of the first model */
    struct attribute_list *attributes; /* of the node and of its partner */
    struct arena *arena;
    struct planned_record *records;
    const struct node **partners; /* by record; NULL: none yet */
    uint32_t *waiting;            /* records with a partner that are not yet compared */
    uint32_t record_count, waiting_count;
    bool replaced;                  /* the records are nodes of other operators, with subgraphs of their own */
    struct planned_output *outputs; /* by name */
    size_t output_count;
    bool other_operator; /* other operators than planned give the node's outputs, or compute what it reads */
    bool same_head;
    const char *what;   /* the first difference from the plan; NULL: none yet */
    const char *beyond; /* the first difference whose effect a run need not show */
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
        fold_constant_briefly(comparison->after.fold, matching->pair->after, after, &tensor, NULL, error);
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
        status = fold_constant_briefly(comparison->before.fold, matching->pair->before, planned, &tensor, NULL, error);
    if (status == OPSHIFT_OK && tensor != NULL)
        return after_is_constant(matching, after, tensor, same, shows, error);
    /* Values known only at run time: random inputs show a difference, unless other nodes compute them. So may what is
     * a constant in the second model, if it is too large to compute it for the first. */
    if (status == OPSHIFT_OK)
        status = fold_constant_briefly(comparison->after.fold, matching->pair->after, after, &tensor, NULL, error);
    *shows = tensor == NULL;
    struct definition found = scope_find(comparison->before.scopes, matching->pair->before, planned);
    bool computed = is_defined_before(matching, planned) && found.kind == DEFINED_NODE;
    matching->other_operator |= tensor == NULL ? is_fresh(matching, after) : computed;
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

static enum opshift_status match_input(struct matching *matching, name_id planned, name_id after, bool *same,
                                       bool *shows, struct opshift_error *error)
{
    *shows = false;
    *same = planned == NAME_NONE && after == NAME_NONE;
    if (planned == NAME_NONE || after == NAME_NONE || planned == NAME_NO_MEMORY)
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

static enum opshift_status match_inputs(struct matching *matching, const struct planned_record *record,
                                        const struct node *after, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (record->input_count != after->input_count)
        say(matching, false, "the number of inputs");
    for (uint32_t i = 0; status == OPSHIFT_OK && i < after->input_count && i < record->input_count; i++) {
        bool same = false, shows = false;
        status = match_input(matching, record->inputs[i], node_inputs(after)[i], &same, &shows, error);
        if (status == OPSHIFT_OK && !same)
            say(matching, shows, arena_print(matching->arena, "input %" PRIu32, i));
    }
    return status;
}

/* ---- outputs ---- */

static bool same_output(const struct matching *matching, name_id planned, name_id after)
{
    if (planned == NAME_NONE || after == NAME_NONE)
        return planned == NAME_NONE && after == NAME_NONE;
    if (is_defined_before(matching, planned))
        return counterpart(matching, planned) == after;
    return planned != NAME_NO_MEMORY && is_fresh(matching, after);
}

static void match_outputs(struct matching *matching, const struct planned_record *record, const struct node *after)
{
    if (record->output_count != after->output_count)
        say(matching, false, "the number of outputs");
    for (uint32_t i = 0; i < after->output_count && i < record->output_count; i++)
        if (!same_output(matching, record->outputs[i], node_outputs(after)[i]))
            say(matching, false, arena_print(matching->arena, "output %" PRIu32, i));
}

/* ---- attributes ---- */

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
    const struct comparison *comparison = matching->comparison;
    name_id name, other;
    bool shows;
    if (!names_find(comparison->before.model->names, planned->data, planned->len, &name))
        name = NAME_NO_MEMORY;
    *same = names_find(comparison->after.model->names, after->data, after->len, &other);
    return *same ? match_input(matching, name, other, same, &shows, error) : OPSHIFT_OK;
}

/* Decodes an attribute that both have, and compares the messages. */
static enum opshift_status same_decoded(struct matching *matching, const struct planned_record *record,
                                        struct planned_attribute *planned, struct attribute_list *after, size_t index,
                                        bool *same, struct opshift_error *error)
{
    Onnx__AttributeProto *message = NULL;
    const struct outer_values outer = {match_outer, matching};
    enum opshift_status status = record_decode(record, planned, matching->arena, error);
    if (status == OPSHIFT_OK)
        status = attribute_list_decode(after, index, &message, error);
    if (status == OPSHIFT_OK && attribute_is_graph(planned->type))
        return expect_same_graphs(planned->message, message, &outer, matching->arena, same, error);
    *same = status == OPSHIFT_OK && wire_same_messages(matching->arena, &planned->message->base, &message->base);
    return status;
}

static enum opshift_status same_attribute(struct matching *matching, const struct planned_record *record,
                                          struct planned_attribute *planned, struct attribute_list *after, size_t index,
                                          bool *same, struct opshift_error *error)
{
    const struct attribute_range *range = &after->ranges[index];
    *same = attribute_is_graph(range->type) == attribute_is_graph(planned->type);
    if (*same && attribute_is_graph(range->type) && !matching->replaced)
        *same = graphs_are_paired(matching, after->node);
    if (!*same || (attribute_is_graph(range->type) && !matching->replaced))
        return OPSHIFT_OK;
    if (attribute_is_graph(range->type))
        return same_decoded(matching, record, planned, after, index, same, error);
    enum opshift_status status = OPSHIFT_OK;
    *same = range_size(planned->range) == range_size(range->range);
    if (*same)
        status = sources_same(record->source, range_offset(planned->range), after->model->source,
                              range_offset(range->range), range_size(range->range), same, error);
    if (status == OPSHIFT_OK && !*same)
        status = same_decoded(matching, record, planned, after, index, same, error);
    return status;
}

/* Attributes whose effect shows in the shape, or in every run with dims near them. */
static bool attribute_shows(struct bytes name)
{
    static const char *const names[] = {"axis", "axes",  "ends",  "k",      "keepdims", "num_outputs", "pads",
                                        "perm", "shape", "split", "starts", "steps",    "to"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (bytes_are(name, names[i]))
            return true;
    return false;
}

static void say_attribute(struct matching *matching, struct bytes name)
{
    say(matching, attribute_shows(name),
        arena_print(matching->arena, "attribute '%.*s'", (int)(name.size < 80 ? name.size : 80),
                    (const char *)name.data));
}

/* Has an attribute that only the second model's node has. */
static enum opshift_status is_default_after(const struct schema *schema, struct attribute_list *after, size_t index,
                                            bool *same, struct opshift_error *error)
{
    Onnx__AttributeProto *message = NULL;
    const struct schema_attribute *known =
        schema_attribute_named(schema, names_bytes(after->model->names, after->ranges[index].name));
    enum opshift_status status = OPSHIFT_OK;
    if (known && known->fallback)
        status = attribute_list_decode(after, index, &message, error);
    *same = message != NULL && attribute_is_default(known, message);
    return status;
}

/* The same for an attribute that only the record has. */
static enum opshift_status is_default_planned(const struct matching *matching, const struct schema *schema,
                                              const struct planned_record *record, struct planned_attribute *attribute,
                                              bool *same, struct opshift_error *error)
{
    const struct schema_attribute *known = schema_attribute_named(schema, attribute->name);
    enum opshift_status status = OPSHIFT_OK;
    if (known && known->fallback)
        status = record_decode(record, attribute, matching->arena, error);
    *same = status == OPSHIFT_OK && known && known->fallback && attribute_is_default(known, attribute->message);
    return status;
}

static bool has_attribute(const struct attribute_list *attributes, struct bytes name)
{
    for (size_t i = 0; i < attributes->count; i++)
        if (names_is(attributes->model->names, attributes->ranges[i].name, name.data, name.size))
            return true;
    return false;
}

static enum opshift_status match_attributes(struct matching *matching, const struct planned_record *record,
                                            const struct node *after, struct opshift_error *error)
{
    struct opshift_model *model = matching->comparison->after.model;
    struct attribute_list other = {.model = model, .node = after, .arena = matching->arena};
    struct attribute_list *attributes = after == matching->attributes[1].node ? &matching->attributes[1] : &other;
    name_id domain = matching->comparison->after.other[node_domain(after)];
    int64_t opset = domain == NAME_NO_MEMORY ? 0 : match_opset_after(matching->comparison, matching->pair, domain);
    const struct schema *schema =
        schema_find(names_text(model->names, node_domain(after)), names_text(model->names, after->op_type), opset);
    size_t defaults = 0;
    enum opshift_status status = attribute_list_read(attributes, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < attributes->count; i++) {
        struct bytes name = names_bytes(model->names, attributes->ranges[i].name);
        struct planned_attribute *planned = record_attribute(record, name);
        bool same = false;
        status = planned == NULL ? is_default_after(schema, attributes, i, &same, error)
                                 : same_attribute(matching, record, planned, attributes, i, &same, error);
        defaults += planned == NULL && same;
        if (status == OPSHIFT_OK && !same)
            say_attribute(matching, name);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < record->attribute_count; i++) {
        struct planned_attribute *planned = &record->attributes[i];
        bool same = false;
        if (has_attribute(attributes, planned->name))
            continue;
        status = is_default_planned(matching, schema, record, planned, &same, error);
        if (status == OPSHIFT_OK && !same)
            say_attribute(matching, planned->name);
        defaults--; /* modulo: what the record has more */
    }
    if (status == OPSHIFT_OK && matching->what == NULL && attributes->count - defaults != record->attribute_count)
        say(matching, false, "the number of attributes");
    return status;
}

/* ---- nodes ---- */

static bool same_operator(const struct matching *matching, const struct planned_record *record,
                          const struct node *after)
{
    const struct names *names = matching->comparison->after.model->names;
    bool plain = record->domain.size == 0 || bytes_are(record->domain, "ai.onnx");
    return bytes_same(record->op_type, names_bytes(names, after->op_type)) &&
           (plain ? node_domain(after) == NAME_NONE
                  : bytes_same(record->domain, names_bytes(names, node_domain(after)))) &&
           bytes_same(record->overload, names_bytes(names, node_overload(after)));
}

/* The node's name, doc_string and metadata. New nodes may have any name. */
static enum opshift_status match_head(struct matching *matching, const struct planned_record *record,
                                      const struct node *after, struct opshift_error *error)
{
    struct comparison *comparison = matching->comparison;
    const char *what = NULL;
    if (matching->record_count > 1) {
        name_id name = node_name(comparison->before.model, matching->node);
        if (name == NAME_NO_MEMORY)
            return opshift_no_memory(error);
        if (name == NAME_NONE || !bytes_same(record->name, names_bytes(comparison->before.model->names, name)))
            return OPSHIFT_OK;
    }
    enum opshift_status status = rest_same_head(comparison, matching->node, after, &what, error);
    if (status == OPSHIFT_OK && what != NULL)
        say(matching, false, what);
    matching->same_head |= status == OPSHIFT_OK && what == NULL && after == matching->attributes[1].node;
    return status;
}

static enum opshift_status match_node(struct matching *matching, const struct planned_record *record,
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
    bool kept = planned->fate == OPSHIFT_KEPT;
    matching->record_count = kept ? 1 : (uint32_t)planned->record_count;
    matching->records = arena_alloc(matching->arena, matching->record_count, sizeof(*matching->records));
    if (matching->records == NULL)
        return opshift_no_memory(error);
    if (kept)
        return record_read_kept(matching->records, &matching->attributes[0], error);
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < matching->record_count && status == OPSHIFT_OK; i++)
        status =
            record_read(&matching->records[i], planned->records[i], &matching->attributes[0], matching->arena, error);
    return status;
}

static enum opshift_status list_outputs(struct matching *matching, struct opshift_error *error)
{
    size_t room = 0;
    for (uint32_t i = 0; i < matching->record_count; i++)
        room += matching->records[i].output_count;
    matching->outputs = arena_alloc(matching->arena, room + 1, sizeof(*matching->outputs));
    matching->partners =
        arena_alloc(matching->arena, matching->record_count + UINT64_C(1), sizeof(*matching->partners));
    matching->waiting = arena_alloc(matching->arena, matching->record_count + UINT64_C(1), sizeof(*matching->waiting));
    if (matching->outputs == NULL || matching->partners == NULL || matching->waiting == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < matching->record_count; i++)
        for (uint32_t k = 0; k < matching->records[i].output_count; k++) {
            name_id name = matching->records[i].outputs[k];
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
        status = match_node(matching, &matching->records[record], matching->partners[record], error);
    }
    for (uint32_t i = 0; matching->what == NULL && i < matching->record_count; i++)
        if (matching->partners[i] == NULL)
            say(matching, false, "a node that nothing reads");
    return status;
}

enum opshift_status expect_compare(struct comparison *comparison, const struct graph_pair *pair,
                                   const struct expectation *expectation, struct attribute_list pair_attributes[2],
                                   struct expected_difference *difference, struct opshift_error *error)
{
    struct matching matching = {.comparison = comparison,
                                .pair = pair,
                                .node = pair_attributes[0].node,
                                .attributes = pair_attributes,
                                .arena = pair_attributes[0].arena,
                                .replaced = expectation->planned.is_replaced};
    enum opshift_status status = read_records(&matching, &expectation->planned, error);
    if (status == OPSHIFT_OK)
        status = list_outputs(&matching, error);
    if (status == OPSHIFT_OK)
        status = match_all(&matching, error);
    *difference =
        (struct expected_difference){matching.what, matching.beyond, matching.other_operator, matching.same_head};
    return status;
}
