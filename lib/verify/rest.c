/* Everything that is no rewritten node: it has to be the same on both sides, or to belong to a rewritten node. */
#include "verify/verify.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "wire/wire.h"

/* Where the children of one kind stand, by name; one pair of tables serves all graphs, the stamp says whose it is. */
struct places {
    uint32_t *stamp, *place;
    uint32_t now;
};

struct rest {
    struct comparison *comparison;
    struct graph_pair pair;
    const char *where; /* the pair of graphs, for people */
    struct places before, after;
};

void rest_difference(struct comparison *comparison, const char *place, const char *format, ...)
{
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof(words), format, arguments);
    va_end(arguments);
    json_t *entry = json_object();
    if (json_object_set_new(entry, "place", report_string(place, strlen(place))) != 0 ||
        json_object_set_new(entry, "what", report_string(words, strlen(words))) != 0)
        comparison->out_of_memory = true;
    if (json_array_append_new(comparison->differences, entry) != 0)
        comparison->out_of_memory = true;
}

enum opshift_status rest_same_bytes(const struct comparison *comparison, struct range before, struct range after,
                                    bool *same, struct opshift_error *error)
{
    struct source *left = comparison->before.model->source, *right = comparison->after.model->source;
    *same = before.size == after.size;
    if (left == right && before.offset == after.offset)
        return OPSHIFT_OK;
    for (uint64_t at = 0; *same && at < before.size;) {
        uint8_t copy[4096];
        size_t part = before.size - at < sizeof(copy) ? (size_t)(before.size - at) : sizeof(copy);
        enum opshift_status status = source_read(left, before.offset + at, copy, part, error);
        if (status != OPSHIFT_OK)
            return status;
        const uint8_t *window = source_window(right, after.offset + at, part, error);
        if (window == NULL)
            return error == NULL ? OPSHIFT_IO : error->status;
        *same = memcmp(copy, window, part) == 0;
        at += part;
    }
    return OPSHIFT_OK;
}

/* ---- fields that nothing here reads: compared one after the other ---- */

/* Fields below 32 that are compared in another way. */
#define SKIP(number) (UINT32_C(1) << (number))

static bool is_skipped(uint32_t number, uint32_t skipped)
{
    return number < 32 && (skipped >> number & 1) != 0;
}

static enum opshift_status next_other(struct wire_cursor *cursor, uint32_t skipped, struct wire_field *field,
                                      bool *found, struct opshift_error *error)
{
    enum opshift_status status;
    do
        status = wire_next(cursor, field, found, error);
    while (status == OPSHIFT_OK && *found && is_skipped(field->number, skipped));
    return status;
}

static const char *field_name(const ProtobufCMessageDescriptor *descriptor, uint32_t number)
{
    const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field(descriptor, number);
    return field == NULL ? "that is unknown" : field->name;
}

static enum opshift_status same_fields(const struct comparison *comparison, const struct wire_field fields[2],
                                       bool *same, struct opshift_error *error)
{
    *same = fields[0].number == fields[1].number && fields[0].type == fields[1].type;
    if (*same && fields[0].type != WIRE_BYTES) {
        *same = fields[0].value == fields[1].value;
        return OPSHIFT_OK;
    }
    struct range ranges[2];
    for (int i = 0; i < 2; i++)
        ranges[i] = (struct range){fields[i].record, fields[i].offset, fields[i].size};
    return *same ? rest_same_bytes(comparison, ranges[0], ranges[1], same, error) : OPSHIFT_OK;
}

/* The first field that is not the same, and how; *field NULL: there is none. */
static enum opshift_status different_field(const struct comparison *comparison, struct range before, struct range after,
                                           uint32_t skipped, const ProtobufCMessageDescriptor *descriptor,
                                           const char **field, const char **how, struct opshift_error *error)
{
    struct wire_cursor cursors[2] = {
        {comparison->before.model->source, before.offset, before.offset + before.size},
        {comparison->after.model->source, after.offset, after.offset + after.size},
    };
    *field = NULL;
    for (;;) {
        struct wire_field fields[2];
        bool found[2] = {false, false}, same = false;
        enum opshift_status status = OPSHIFT_OK;
        for (int i = 0; i < 2 && status == OPSHIFT_OK; i++)
            status = next_other(&cursors[i], skipped, &fields[i], &found[i], error);
        if (status != OPSHIFT_OK || (!found[0] && !found[1]))
            return status;
        if (found[0] && found[1])
            status = same_fields(comparison, fields, &same, error);
        if (status != OPSHIFT_OK)
            return status;
        if (same)
            continue;
        *field = field_name(descriptor, fields[found[0] ? 0 : 1].number);
        *how = !found[0] ? "new" : !found[1] ? "lost" : "another";
        return OPSHIFT_OK;
    }
}

static enum opshift_status compare_fields(struct comparison *comparison, const struct message *before,
                                          const struct message *after, uint32_t skipped,
                                          const ProtobufCMessageDescriptor *descriptor, const char *place,
                                          struct opshift_error *error)
{
    const char *field, *how = "";
    struct range ranges[2] = {{before->record, before->offset, before->size},
                              {after->record, after->offset, after->size}};
    enum opshift_status status =
        different_field(comparison, ranges[0], ranges[1], skipped, descriptor, &field, &how, error);
    if (status == OPSHIFT_OK && field != NULL)
        rest_difference(comparison, place, "the field %s is %s", field, how);
    return status;
}

enum opshift_status rest_same_head(const struct comparison *comparison, const struct node *before,
                                   const struct node *after, const char **what, struct opshift_error *error)
{
    const char *field, *how = "";
    enum opshift_status status =
        different_field(comparison, before->range, after->range, SKIP(1) | SKIP(2) | SKIP(4) | SKIP(5) | SKIP(7),
                        &onnx__node_proto__descriptor, &field, &how, error);
    *what = NULL;
    if (status != OPSHIFT_OK || field == NULL)
        return status;
    *what = arena_print(comparison->arena, "the field %s is %s", field, how);
    return *what == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* ---- names ---- */

static const char *named(const struct rest *rest, const struct side *side, const char *what, name_id name)
{
    const char *place =
        arena_print(rest->comparison->arena, "%s%s '%s'", rest->where, what, names_text(side->model->names, name));
    return place == NULL ? what : place;
}

/* Is the name of one side defined as seen from a graph of the other? */
static bool is_defined(const struct side *side, name_id name, const struct side *other, struct graph *other_graph)
{
    return side->other[name] != NAME_NO_MEMORY &&
           scope_find(other->scopes, other_graph, side->other[name]).kind != DEFINED_NOWHERE;
}

/* Somebody reads it, and none but rewritten nodes do. */
static bool belongs_to_changed(const struct side *side, name_id name)
{
    return side->changed_uses[name] > 0 && side->changed_uses[name] == scope_uses(side->scopes, name);
}

static void place_start(struct places *places)
{
    places->now++;
}

static void place_put(struct places *places, name_id name, uint32_t place)
{
    places->stamp[name] = places->now;
    places->place[name] = place;
}

/* The place of a name of the other side; UINT32_MAX: none. */
static uint32_t place_of(const struct places *places, name_id name)
{
    return name == NAME_NO_MEMORY || places->stamp[name] != places->now ? UINT32_MAX : places->place[name];
}

/* ---- initializers ---- */

/* What was an initializer may be a Constant node now, or the other way round, if the value is the same. */
static enum opshift_status same_constant(struct rest *rest, name_id before, bool *same, struct opshift_error *error)
{
    struct side *sides[2] = {&rest->comparison->before, &rest->comparison->after};
    const struct tensor *values[2] = {NULL, NULL};
    name_id after = sides[0]->other[before];
    enum opshift_status status = fold_constant(sides[0]->folder, rest->pair.before, before, &values[0], NULL, error);
    if (status == OPSHIFT_OK)
        status = fold_constant(sides[1]->folder, rest->pair.after, after, &values[1], NULL, error);
    *same = values[0] != NULL && values[1] != NULL && tensor_equal(values[0], values[1]);
    return status;
}

static enum opshift_status compare_initializer(struct rest *rest, const struct initializer *initializer,
                                               struct opshift_error *error)
{
    struct comparison *comparison = rest->comparison;
    uint32_t place = place_of(&rest->after, comparison->before.other[initializer->name]);
    const char *wrong = "is another";
    bool same = true;
    enum opshift_status status = OPSHIFT_OK;
    if (place != UINT32_MAX) {
        status =
            rest_same_bytes(comparison, initializer->range, rest->pair.after->initializers[place].range, &same, error);
    } else if (is_defined(&comparison->before, initializer->name, &comparison->after, rest->pair.after)) {
        status = same_constant(rest, initializer->name, &same, error);
    } else {
        wrong = "is lost";
        same = belongs_to_changed(&comparison->before, initializer->name);
    }
    if (status == OPSHIFT_OK && !same)
        rest_difference(comparison, named(rest, &comparison->before, "initializer", initializer->name), "%s", wrong);
    return status;
}

static enum opshift_status compare_initializers(struct rest *rest, struct opshift_error *error)
{
    struct comparison *comparison = rest->comparison;
    const struct graph *before = rest->pair.before, *after = rest->pair.after;
    enum opshift_status status = OPSHIFT_OK;
    place_start(&rest->before);
    place_start(&rest->after);
    for (uint32_t i = 0; i < before->initializer_count; i++)
        place_put(&rest->before, before->initializers[i].name, i);
    for (uint32_t i = 0; i < after->initializer_count; i++)
        place_put(&rest->after, after->initializers[i].name, i);
    for (uint32_t i = 0; i < before->initializer_count && status == OPSHIFT_OK; i++)
        status = compare_initializer(rest, &before->initializers[i], error);
    for (uint32_t i = 0; i < after->initializer_count && status == OPSHIFT_OK; i++) {
        name_id name = after->initializers[i].name, other = comparison->after.other[name];
        bool same = belongs_to_changed(&comparison->after, name);
        if (place_of(&rest->before, other) != UINT32_MAX)
            continue;
        if (is_defined(&comparison->after, name, &comparison->before, rest->pair.before))
            status = same_constant(rest, other, &same, error);
        if (status == OPSHIFT_OK && !same)
            rest_difference(comparison, named(rest, &comparison->after, "initializer", name),
                            "is new, and no rewritten node alone reads it");
    }
    return status;
}

/* ---- inputs, outputs, value infos ---- */

static enum opshift_status compare_value(struct rest *rest, const char *what, const struct value_info *before,
                                         const struct value_info *after, struct opshift_error *error)
{
    bool same = true;
    enum opshift_status status = rest_same_bytes(rest->comparison, before->range, after->range, &same, error);
    if (status == OPSHIFT_OK && !same)
        rest_difference(rest->comparison, named(rest, &rest->comparison->before, what, before->name), "is another");
    return status;
}

/* Below IR 4 an initializer had to be listed as an input too: it comes to both lists and leaves both together. */
static bool goes_with_initializer(const struct side *side, struct graph *graph, name_id name)
{
    struct definition definition = scope_find(side->scopes, graph, name);
    return side->model->ir_version > 0 && side->model->ir_version < 4 && definition.kind == DEFINED_INITIALIZER &&
           definition.graph == graph && belongs_to_changed(side, name);
}

/* Inputs and outputs are positional: the same names in the same order. */
static enum opshift_status compare_formals(struct rest *rest, const char *what, const struct value_info *before,
                                           uint32_t before_count, const struct value_info *after, uint32_t after_count,
                                           struct opshift_error *error)
{
    struct comparison *comparison = rest->comparison;
    enum opshift_status status = OPSHIFT_OK;
    uint32_t i = 0, k = 0;
    while (status == OPSHIFT_OK && (i < before_count || k < after_count)) {
        if (i < before_count && k < after_count && comparison->before.other[before[i].name] == after[k].name) {
            status = compare_value(rest, what, &before[i++], &after[k++], error);
        } else if (i < before_count && goes_with_initializer(&comparison->before, rest->pair.before, before[i].name)) {
            i++;
        } else if (k < after_count && goes_with_initializer(&comparison->after, rest->pair.after, after[k].name)) {
            k++;
        } else {
            bool lost = i < before_count;
            rest_difference(comparison,
                            lost ? named(rest, &comparison->before, what, before[i].name)
                                 : named(rest, &comparison->after, what, after[k].name),
                            lost ? "is lost or elsewhere" : "is new");
            return OPSHIFT_OK;
        }
    }
    return status;
}

static enum opshift_status compare_values(struct rest *rest, struct opshift_error *error)
{
    struct comparison *comparison = rest->comparison;
    const struct graph *before = rest->pair.before, *after = rest->pair.after;
    enum opshift_status status = OPSHIFT_OK;
    place_start(&rest->before);
    place_start(&rest->after);
    for (uint32_t i = 0; i < before->value_count; i++)
        place_put(&rest->before, before->values[i].name, i);
    for (uint32_t i = 0; i < after->value_count; i++)
        place_put(&rest->after, after->values[i].name, i);
    for (uint32_t i = 0; i < before->value_count && status == OPSHIFT_OK; i++) {
        name_id name = before->values[i].name;
        uint32_t place = place_of(&rest->after, comparison->before.other[name]);
        if (place != UINT32_MAX)
            status = compare_value(rest, "value info", &before->values[i], &after->values[place], error);
        else if (is_defined(&comparison->before, name, &comparison->after, rest->pair.after))
            rest_difference(comparison, named(rest, &comparison->before, "value info", name), "is lost");
    }
    for (uint32_t i = 0; i < after->value_count && status == OPSHIFT_OK; i++) {
        name_id name = after->values[i].name;
        if (place_of(&rest->before, comparison->after.other[name]) == UINT32_MAX &&
            is_defined(&comparison->after, name, &comparison->before, rest->pair.before))
            rest_difference(comparison, named(rest, &comparison->after, "value info", name), "is new");
    }
    return status;
}

/* ---- nodes without a counterpart ---- */

/* A node that stands on one side alone must serve rewritten nodes and nobody else. */
static bool serves_changed(const struct side *side, const struct node *node)
{
    bool read = false;
    for (uint32_t i = 0; i < node->output_count; i++) {
        name_id name = node_outputs(node)[i];
        if (name == NAME_NONE)
            continue;
        if (side->changed_uses[name] != scope_uses(side->scopes, name))
            return false;
        read = read || side->changed_uses[name] > 0;
    }
    return read && node->subgraph_count == 0;
}

static void compare_lone_nodes(struct rest *rest, struct side *side, struct graph *graph, const struct side *other,
                               struct graph *other_graph, const char *word)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        struct node *node = &graph->nodes[i];
        bool alone = side->changed[graph->number][i];
        for (uint32_t k = 0; k < node->output_count && alone; k++)
            alone = node_outputs(node)[k] == NAME_NONE || !is_defined(side, node_outputs(node)[k], other, other_graph);
        if (!alone || serves_changed(side, node))
            continue;
        const char *place = node_place(side->model, graph, node);
        rest_difference(rest->comparison, place == NULL ? "a node" : place,
                        "is %s, and no rewritten node alone reads it", word);
    }
}

/* ---- graphs, functions, the model ---- */

static void compare_imports(struct comparison *comparison, const char *place, const struct opset_import *before,
                            uint32_t before_count, const struct opset_import *after, uint32_t after_count)
{
    const struct names *names = comparison->before.model->names;
    uint32_t others = 0;
    for (uint32_t i = 0; i < before_count; i++) {
        if (before[i].domain == NAME_NONE)
            continue;
        uint32_t k = 0;
        while (k < after_count && after[k].domain != comparison->before.other[before[i].domain])
            k++;
        others++;
        if (k == after_count)
            rest_difference(comparison, place, "the opset import of '%s' is lost", names_text(names, before[i].domain));
        else if (after[k].version != before[i].version)
            rest_difference(comparison, place, "the opset import of '%s' was %" PRId64 " and is %" PRId64,
                            names_text(names, before[i].domain), before[i].version, after[k].version);
    }
    for (uint32_t k = 0; k < after_count; k++)
        others -= after[k].domain != NAME_NONE;
    if (others != 0)
        rest_difference(comparison, place, "the opset imports of other domains are not the same");
}

static const char *graph_words(struct comparison *comparison, struct graph *graph)
{
    struct opshift_model *model = comparison->before.model;
    const char *words = NULL;
    switch (graph->kind) {
    case GRAPH_SUB:
        words = node_place(model, graph->parent, &graph->parent->nodes[graph->owner]);
        words = arena_print(comparison->arena, "%s: %s: ", words == NULL ? "node" : words,
                            names_text(model->names, graph->owner_attribute));
        break;
    case GRAPH_FUNCTION:
        words = arena_print(comparison->arena, "function '%s': ", names_text(model->names, graph->function->name));
        break;
    case GRAPH_TRAINING:
        words = "training graph: ";
        break;
    case GRAPH_MAIN:
        words = "";
        break;
    }
    return words == NULL ? "" : words;
}

static enum opshift_status compare_graph_fields(struct rest *rest, struct opshift_error *error)
{
    struct comparison *comparison = rest->comparison;
    const struct graph *before = rest->pair.before, *after = rest->pair.after;
    if (before->kind != GRAPH_FUNCTION)
        return compare_fields(comparison, before->message, after->message,
                              SKIP(1) | SKIP(5) | SKIP(11) | SKIP(12) | SKIP(13) | SKIP(15),
                              &onnx__graph_proto__descriptor, rest->where, error);
    compare_imports(comparison, rest->where, before->function->imports, before->function->import_count,
                    after->function->imports, after->function->import_count);
    return compare_fields(comparison, before->message, after->message, SKIP(7) | SKIP(9) | SKIP(12),
                          &onnx__function_proto__descriptor, rest->where, error);
}

static enum opshift_status compare_graphs(struct rest *rest, struct opshift_error *error)
{
    struct comparison *comparison = rest->comparison;
    struct graph *before = rest->pair.before, *after = rest->pair.after;
    rest->where = graph_words(comparison, before);
    enum opshift_status status = compare_graph_fields(rest, error);
    if (status == OPSHIFT_OK)
        status = compare_formals(rest, "input", before->inputs, before->input_count, after->inputs, after->input_count,
                                 error);
    if (status == OPSHIFT_OK)
        status = compare_formals(rest, "output", before->outputs, before->output_count, after->outputs,
                                 after->output_count, error);
    if (status == OPSHIFT_OK)
        status = compare_values(rest, error);
    if (status == OPSHIFT_OK)
        status = compare_initializers(rest, error);
    if (status != OPSHIFT_OK)
        return status;
    compare_lone_nodes(rest, &comparison->before, before, &comparison->after, after, "lost");
    compare_lone_nodes(rest, &comparison->after, after, &comparison->before, before, "new");
    return OPSHIFT_OK;
}

static bool make_places(struct comparison *comparison, const struct side *side, struct places *places)
{
    uint32_t count = names_count(side->model->names);
    places->stamp = arena_alloc(comparison->arena, count, sizeof(*places->stamp));
    places->place = arena_alloc(comparison->arena, count, sizeof(*places->place));
    return places->stamp != NULL && places->place != NULL;
}

enum opshift_status rest_compare(struct comparison *comparison, struct opshift_error *error)
{
    struct opshift_model *before = comparison->before.model, *after = comparison->after.model;
    struct rest rest = {.comparison = comparison};
    if (!make_places(comparison, &comparison->before, &rest.before) ||
        !make_places(comparison, &comparison->after, &rest.after))
        return opshift_no_memory(error);
    compare_imports(comparison, "model", before->imports, before->import_count, after->imports, after->import_count);
    enum opshift_status status =
        compare_fields(comparison, before->message, after->message, SKIP(1) | SKIP(7) | SKIP(8) | SKIP(20) | SKIP(25),
                       &onnx__model_proto__descriptor, "model", error);
    for (uint32_t i = 0; i < comparison->pair_count && status == OPSHIFT_OK; i++) {
        rest.pair = comparison->pairs[i];
        status = compare_graphs(&rest, error);
    }
    return status;
}
