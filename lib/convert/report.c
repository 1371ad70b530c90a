/* What a conversion did, or what blocks it: for people and for machines. */
#include "convert/convert.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "model/text.h"

static json_t *node_entry(struct conversion *conversion, struct graph *graph, const struct node *node)
{
    struct opshift_model *model = conversion->model;
    json_t *entry = json_object();
    const char *place = node ? node_place(model, graph, node) : "";
    struct bytes op_type = node ? names_bytes(model->names, node->op_type) : (struct bytes){0};
    report_set(&entry, "node", report_string(place, place ? strlen(place) : 0));
    report_set(&entry, "operator", report_string(op_type.data, op_type.size));
    return entry;
}

static enum opshift_status tell(const struct conversion *conversion, enum said said, struct graph *graph,
                                const struct node *node, const char *steps, const char *words,
                                struct opshift_error *error)
{
    const struct listener *listener = conversion->listener;
    return listener ? listener->hear(listener->data, said, graph, node, steps, words, error) : OPSHIFT_OK;
}

enum opshift_status report_blocker(struct conversion *conversion, struct graph *graph, const struct node *node,
                                   int64_t from, int64_t to, const char *why, struct opshift_error *error)
{
    char steps[64] = "";
    conversion->blocker_count++;
    if (from != to)
        snprintf(steps, sizeof(steps), "opset %" PRId64 " to %" PRId64, from, to);
    enum opshift_status status = tell(conversion, SAID_BLOCKED, graph, node, steps, why, error);
    if (status)
        return status;
    /* The last one reported is the first one in the model: it stays in the error. */
    const char *place = node_place(conversion->model, graph, node);
    if (error && from == to)
        opshift_fail(error, OPSHIFT_NO, "%s: %s", place, why);
    else if (error)
        opshift_fail(error, OPSHIFT_NO, "%s: %" PRId64 " to %" PRId64 ": %s", place, from, to, why);
    /* As many as a lint keeps: nodes of two bytes each must not take a thousand times as much here. */
    if (conversion->blockers == NULL || json_array_size(conversion->blockers) >= conversion->model->limits.findings)
        return OPSHIFT_OK;
    json_t *entry = node_entry(conversion, graph, node);
    report_set(&entry, "from", json_integer(from));
    report_set(&entry, "to", json_integer(to));
    report_set(&entry, "why", report_string(why, strlen(why)));
    return json_array_append_new(conversion->blockers, entry) ? opshift_no_memory(error) : OPSHIFT_OK;
}

static ProtobufCBinaryData name_data(const struct draft *draft, name_id name)
{
    struct bytes bytes = names_bytes(draft->model->names, name);
    return (ProtobufCBinaryData){bytes.size, (uint8_t *)(uintptr_t)bytes.data};
}

/* What the draft says now, in the textual syntax. NULL: no memory. */
static json_t *draft_text(const struct draft *draft)
{
    Onnx__NodeProto node = ONNX__NODE_PROTO__INIT;
    node.has_op_type = 1;
    node.op_type = (ProtobufCBinaryData){strlen(draft->op_type), (uint8_t *)(uintptr_t)draft->op_type};
    node.n_input = draft->input_count;
    node.n_output = draft->output_count;
    node.input = arena_alloc(draft->arena, node.n_input, sizeof(*node.input));
    node.output = arena_alloc(draft->arena, node.n_output, sizeof(*node.output));
    node.attribute = arena_alloc(draft->arena, draft->attribute_count, sizeof(*node.attribute));
    if (node.input == NULL || node.output == NULL || node.attribute == NULL)
        return NULL;
    for (uint32_t i = 0; i < draft->input_count; i++)
        node.input[i] = name_data(draft, draft->inputs[i].name);
    for (uint32_t i = 0; i < draft->output_count; i++)
        node.output[i] = name_data(draft, draft->outputs[i]);
    /* A subgraph is not decoded in a draft, and would not fit into a line. */
    for (uint32_t i = 0; i < draft->attribute_count; i++) {
        Onnx__AttributeProto *message = draft->attributes[i].message;
        if (message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH &&
            message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPHS)
            node.attribute[node.n_attribute++] = message;
    }
    struct buffer text = {0};
    text_print_node(&text, &node, 0);
    while (text.size && text.data[text.size - 1] == '\n')
        text.size--;
    json_t *string = text.failed ? NULL : report_string(text.data, text.size);
    buffer_free(&text);
    return string;
}

/* becomes: NULL: no memory. */
static enum opshift_status rewritten_add(struct conversion *conversion, struct graph *graph, const struct node *node,
                                         int64_t from, int64_t to, json_t *becomes, struct opshift_error *error)
{
    json_t *entry = node_entry(conversion, graph, node);
    report_set(&entry, "from", json_integer(from));
    report_set(&entry, "to", json_integer(to));
    report_set(&entry, "becomes", becomes);
    return json_array_append_new(conversion->rewritten, entry) ? opshift_no_memory(error) : OPSHIFT_OK;
}

enum opshift_status report_became(struct conversion *conversion, struct graph *graph, const struct node *node,
                                  int64_t from, int64_t to, const char *words, struct opshift_error *error)
{
    conversion->rewritten_count++;
    if (conversion->rewritten == NULL)
        return OPSHIFT_OK;
    return rewritten_add(conversion, graph, node, from, to, report_string(words, strlen(words)), error);
}

enum opshift_status report_rewritten(struct conversion *conversion, const struct draft *draft, int64_t from, int64_t to,
                                     struct opshift_error *error)
{
    conversion->rewritten_count++;
    if (conversion->rewritten == NULL)
        return OPSHIFT_OK;
    json_t *becomes = draft->slices     ? json_string("Slice nodes, one for each output")
                      : draft->sequence ? json_string("a SplitToSequence, and a SequenceAt for each output")
                                        : draft_text(draft);
    return rewritten_add(conversion, draft->graph, draft->node, from, to, becomes, error);
}

enum opshift_status report_note(struct conversion *conversion, enum said said, struct graph *graph,
                                const struct node *node, const char *words, struct opshift_error *error)
{
    enum opshift_status status = tell(conversion, said, graph, node, "", words, error);
    if (status || conversion->notes == NULL)
        return status;
    json_t *entry = node_entry(conversion, graph, node);
    report_set(&entry, "note", report_string(words, strlen(words)));
    return json_array_append_new(conversion->notes, entry) ? opshift_no_memory(error) : OPSHIFT_OK;
}

static int64_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static void print_list(const json_t *list, const char *what, const char *words, struct buffer *out)
{
    size_t index;
    json_t *entry;
    json_array_foreach(list, index, entry)
    {
        buffer_print(out, "%s: %s", what, report_text_of(entry, "node"));
        if (json_object_get(entry, "from") && number_of(entry, "from") != number_of(entry, "to"))
            buffer_print(out, ": opset %" PRId64 " to %" PRId64, number_of(entry, "from"), number_of(entry, "to"));
        buffer_print(out, ": %s\n", report_text_of(entry, words));
    }
}

static void print_count(int64_t count, const char *what, const char *done, struct buffer *out)
{
    buffer_print(out, "%" PRId64 " %s%s %s", count, what, count == 1 ? "" : "s", done);
}

/* What was done, in one line. */
static void print_done(const json_t *root, struct buffer *out)
{
    int64_t from = number_of(root, "source_opset"), to = number_of(root, "target_opset");
    int64_t old_ir = number_of(root, "source_ir_version"), new_ir = number_of(root, "target_ir_version");
    int64_t rewritten = number_of(root, "rewritten_count"), added = number_of(root, "added_count");
    int64_t removed = number_of(root, "removed_count");
    bool foreign = json_is_null(json_object_get(root, "source_opset"));
    if (foreign)
        buffer_add_text(out, "no node needs an opset of ai.onnx");
    else if (from == to && rewritten)
        buffer_print(out, "stays at opset %" PRId64, to);
    else if (from == to)
        buffer_print(out, "is at opset %" PRId64 " already", to);
    else
        buffer_print(out, "opset %" PRId64 " to %" PRId64, from, to);
    if (old_ir != new_ir)
        buffer_print(out, ", IR version %" PRId64 " to %" PRId64, old_ir, new_ir);
    buffer_add_text(out, ": ");
    if (rewritten == 0 && (foreign || from == to) && old_ir == new_ir) {
        buffer_add_text(out, "nothing to do\n");
        return;
    }
    if (rewritten == 0)
        buffer_add_text(out, "no node had to be rewritten");
    else
        print_count(rewritten, "node", "rewritten", out);
    if (added) {
        buffer_add_text(out, ", ");
        print_count(added, "constant", "added", out);
    }
    if (removed) {
        buffer_add_text(out, ", ");
        print_count(removed, "unread value", "removed", out);
    }
    buffer_add_text(out, "\n");
}

static void print(const json_t *root, struct buffer *out)
{
    size_t listed = json_array_size(json_object_get(root, "blockers"));
    size_t blocked = listed + (size_t)number_of(root, "blockers_left_out");
    char which[64] = "";
    if (blocked > listed)
        snprintf(which, sizeof(which), ", of which the last %zu are named", listed);
    print_list(json_object_get(root, "blockers"), "blocked", "why", out);
    /* What would have been done is not, and does not help. */
    if (blocked == 0)
        print_list(json_object_get(root, "rewritten"), "rewritten", "becomes", out);
    if (blocked == 0)
        print_list(json_object_get(root, "notes"), "note", "note", out);
    buffer_print(out, "%s: ", report_text_of(root, "model"));
    if (blocked == 0)
        print_done(root, out);
    else
        buffer_print(out, "cannot be converted to opset %" PRId64 ": %zu node%s in the way%s; nothing is written\n",
                     number_of(root, "target_opset"), blocked, blocked == 1 ? "" : "s", which);
}

/* Nodes are looked at from the last to the first; a report lists them as they stand. */
static void reverse(json_t *list)
{
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count / 2; i++) {
        json_t *low = json_incref(json_array_get(list, i)), *high = json_incref(json_array_get(list, count - 1 - i));
        json_array_set_new(list, i, high);
        json_array_set_new(list, count - 1 - i, low);
    }
}

struct opshift_report *conversion_report(struct conversion *conversion)
{
    reverse(conversion->blockers);
    reverse(conversion->rewritten);
    reverse(conversion->notes);
    json_t *root = json_pack(
        "{s:s, s:s, s:o, s:o, s:I, s:I, s:I, s:b, s:I, s:I, s:I, s:I, s:O, s:O*, s:O}", "kind", "convert", "version",
        opshift_version(), "model", report_string(conversion->model->name, strlen(conversion->model->name)),
        "source_opset", conversion->foreign ? json_null() : json_integer(conversion->source), "target_opset",
        (json_int_t)conversion->target, "source_ir_version", (json_int_t)conversion->model->ir_version,
        "target_ir_version", (json_int_t)conversion->ir_version, "convertible", conversion->blocker_count == 0,
        "rewritten_count", (json_int_t)conversion->rewritten_count, "added_count", (json_int_t)conversion->added_count,
        "removed_count", (json_int_t)conversion->removed_count, "unknown_types", (json_int_t)conversion->unknown_count,
        "blockers", conversion->blockers, "rewritten", conversion->rewritten, "notes", conversion->notes);
    size_t left_out = conversion->blocker_count - json_array_size(conversion->blockers);
    if (left_out > 0)
        report_set(&root, "blockers_left_out", json_integer((json_int_t)left_out));
    return root ? report_new(root, print) : NULL;
}
