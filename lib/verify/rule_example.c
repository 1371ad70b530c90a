/* Checks a rule's example: its nodes become a model, which is converted and compared with the expected nodes. */
#include "verify/rule_example.h"

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "convert/convert.h"
#include "kernel/facts.h"
#include "model/text.h"
#include "verify/rule_variant.h"
#include "wire/wire.h"

/* Old enough that constants are initializers at every opset, new enough for every element type. */
#define EXAMPLE_IR_VERSION 10

/* A model with the tables that resolve its names. */
struct example_side {
    uint8_t *bytes; /* the serialized model */
    struct opshift_output *output;
    struct opshift_model *model;
    struct surroundings around;
    Onnx__NodeProto **nodes; /* without nodes that only hold a constant */
    size_t node_count;
};

/* An example and how it is converted. */
struct rule_case {
    const struct opshift_rules *rules;
    const struct rule *rule;
    const struct example *example;
    const struct opshift_goal *goal;
    int64_t from;
};

/* Corresponding names of both sides, by rising id of the left one. */
struct pairing {
    struct example_side *wanted, *seen;
    struct arena *arena;
    name_id *partner; /* by the expected side's names; NAME_NONE: the name itself */
};

static void side_free(struct example_side *side)
{
    surroundings_close(&side->around);
    opshift_model_free(side->model);
    opshift_output_free(side->output);
    free(side->bytes);
}

/* ---- from nodes to a model -------------------------------------------------------------------------------------- */

/* With the type that the example declares, if any. */
static Onnx__ValueInfoProto *value_new(struct arena *arena, ProtobufCBinaryData name, const Onnx__GraphProto *declared)
{
    Onnx__ValueInfoProto *value;

    for (size_t i = 0; declared != NULL && i < declared->n_input; i++)
        if (bytes_same(bytes_of(declared->input[i]->name), bytes_of(name)))
            return declared->input[i];
    value = arena_alloc(arena, 1, sizeof(*value));
    if (value != NULL) {
        onnx__value_info_proto__init(value);
        value->has_name = 1;
        value->name = name;
    }
    return value;
}

/* Adds a value for each new name. */
static bool values_add(struct arena *arena, struct names *met, const ProtobufCBinaryData *names, size_t count,
                       const Onnx__GraphProto *declared, Onnx__ValueInfoProto **values, size_t *value_count)
{
    for (size_t i = 0; i < count; i++) {
        name_id id;

        if (names[i].len == 0 || names_find(met, names[i].data, names[i].len, &id))
            continue;
        if (names_add(met, names[i].data, names[i].len) == NAME_NO_MEMORY)
            return false;
        if (values != NULL && (values[(*value_count)++] = value_new(arena, names[i], declared)) == NULL)
            return false;
    }
    return true;
}

/* Values without a producer are inputs; outputs of nodes are outputs, except constants, which may be removed. */
static bool graph_values(struct arena *arena, Onnx__GraphProto *graph, const char *op_type,
                         const Onnx__GraphProto *declared)
{
    struct names *met = names_new();
    size_t inputs = 0, outputs = 0;
    bool done = met != NULL;

    for (size_t i = 0; i < graph->n_node; i++) {
        inputs += graph->node[i]->n_input;
        outputs += graph->node[i]->n_output;
    }
    graph->input = arena_alloc(arena, inputs + 1, sizeof(*graph->input));
    graph->output = arena_alloc(arena, outputs + 1, sizeof(*graph->output));
    done = done && graph->input != NULL && graph->output != NULL;
    for (size_t i = 0; done && i < graph->n_node; i++) {
        const Onnx__NodeProto *node = graph->node[i];
        bool constant = bytes_are(bytes_of(node->op_type), "Constant") && strcmp(op_type, "Constant") != 0;

        done = values_add(arena, met, node->output, node->n_output, NULL, constant ? NULL : graph->output,
                          &graph->n_output);
    }
    for (size_t i = 0; done && i < graph->n_node; i++)
        done = values_add(arena, met, graph->node[i]->input, graph->node[i]->n_input, declared, graph->input,
                          &graph->n_input);
    names_free(met);
    return done;
}

static enum opshift_status side_open(struct example_side *side, struct arena *arena, Onnx__GraphProto *graph,
                                     const Onnx__GraphProto *declared, const struct rule *rule, int64_t opset,
                                     struct opshift_error *error)
{
    struct opshift_open_options options = {.name = rule->file};
    Onnx__OperatorSetIdProto import = ONNX__OPERATOR_SET_ID_PROTO__INIT, plain = ONNX__OPERATOR_SET_ID_PROTO__INIT;
    Onnx__OperatorSetIdProto *imports[] = {&import, &plain};
    Onnx__ModelProto model = ONNX__MODEL_PROTO__INIT;
    size_t size;

    if (!graph_values(arena, graph, rule->op_type, declared))
        return opshift_no_memory(error);
    import.has_domain = import.has_version = 1;
    import.domain = binary_of(rule->domain);
    import.version = opset;
    plain.has_domain = plain.has_version = 1;
    plain.version = OPSHIFT_OPSET_NEWEST;
    model.has_ir_version = 1;
    model.ir_version = EXAMPLE_IR_VERSION;
    model.n_opset_import = *rule->domain ? 2 : 1;
    model.opset_import = imports;
    model.graph = graph;
    size = onnx__model_proto__get_packed_size(&model);
    side->bytes = malloc(size);
    if (side->bytes == NULL)
        return opshift_no_memory(error);
    onnx__model_proto__pack(&model, side->bytes);
    return opshift_model_open_memory(side->bytes, size, &options, &side->model, error);
}

/* Errors in an example are errors in the rule file. */
static enum opshift_status as_usage(enum opshift_status status, struct opshift_error *error)
{
    if (status != OPSHIFT_MALFORMED)
        return status;
    if (error != NULL)
        error->status = OPSHIFT_USAGE;
    return OPSHIFT_USAGE;
}

/* The types of the example's inputs, parsed as a graph with inputs only, at their place in the file. */
static enum opshift_status declare_inputs(struct arena *arena, const struct rule *rule, const struct example *example,
                                          Onnx__GraphProto **declared, struct opshift_error *error)
{
    struct buffer text = {0};
    Onnx__ModelProto *model = NULL;
    enum opshift_status status;

    *declared = NULL;
    if (example->inputs == NULL)
        return OPSHIFT_OK;
    for (unsigned i = 2; i < example->inputs_line; i++)
        buffer_add_text(&text, "\n");
    buffer_add_text(&text, "<ir_version: 8> g (\n");
    for (unsigned i = 1; i < example->inputs_column; i++)
        buffer_add_text(&text, " ");
    buffer_print(&text, "%s\n) => () {}", example->inputs);
    status = text.failed ? opshift_no_memory(error)
                         : text_parse_model((const char *)text.data, text.size, rule->file, arena, &model, error);
    buffer_free(&text);
    if (status == OPSHIFT_OK)
        *declared = model->graph;
    return as_usage(status, error);
}

static enum opshift_status nodes_parse(struct arena *arena, const struct rule *rule, const char *text, unsigned line,
                                       Onnx__GraphProto *graph, struct opshift_error *error)
{
    onnx__graph_proto__init(graph);
    graph->has_name = 1;
    graph->name = binary_of("example");
    return as_usage(text_parse_nodes(text, strlen(text), rule->file, line, arena, &graph->node, &graph->n_node, error),
                    error);
}

static enum opshift_status side_parse(struct example_side *side, struct arena *arena, const struct rule *rule,
                                      const Onnx__GraphProto *declared, const char *text, unsigned line, int64_t opset,
                                      struct opshift_error *error)
{
    Onnx__GraphProto graph;
    enum opshift_status status = nodes_parse(arena, rule, text, line, &graph, error);

    return status == OPSHIFT_OK ? side_open(side, arena, &graph, declared, rule, opset, error) : status;
}

/* ---- comparing -------------------------------------------------------------------------------------------------- */

static enum opshift_status side_tables(struct example_side *side, struct arena *arena, const char *op_type,
                                       struct opshift_error *error)
{
    struct graph *graph = side->model->main;
    enum opshift_status status = surroundings_open(&side->around, side->model, false, error);
    side->nodes = arena_alloc(arena, (size_t)graph->node_count + 1, sizeof(*side->nodes));
    if (status == OPSHIFT_OK && side->nodes == NULL)
        status = opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++) {
        Onnx__NodeProto *node = NULL;

        status = range_decode(side->model, graph->nodes[i].range, &onnx__node_proto__descriptor, arena, &node, error);
        if (status == OPSHIFT_OK &&
            (!bytes_are(bytes_of(node->op_type), "Constant") || strcmp(op_type, "Constant") == 0))
            side->nodes[side->node_count++] = node;
    }
    return status;
}

static name_id side_name(const struct example_side *side, ProtobufCBinaryData name)
{
    name_id id = NAME_NONE;

    names_find(side->model->names, name.data, name.len, &id);
    return id;
}

static int attribute_compare(const void *one, const void *other)
{
    const ProtobufCBinaryData a = (*(Onnx__AttributeProto *const *)one)->name;
    const ProtobufCBinaryData b = (*(Onnx__AttributeProto *const *)other)->name;
    size_t size = a.len < b.len ? a.len : b.len;
    int order = size == 0 ? 0 : memcmp(a.data, b.data, size);

    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* Tensors can be written in several forms; all else is compared by its packed bytes. */
static bool attribute_equal(struct arena *arena, const Onnx__AttributeProto *one, const Onnx__AttributeProto *other)
{
    struct tensor *tensor, *twin;

    if (one->t != NULL && other->t != NULL)
        return bytes_same(bytes_of(one->name), bytes_of(other->name)) &&
               tensor_decode(arena, one->t, &tensor, NULL) == OPSHIFT_OK &&
               tensor_decode(arena, other->t, &twin, NULL) == OPSHIFT_OK && tensor_equal(tensor, twin);
    return wire_same_messages(arena, &one->base, &other->base);
}

/* The same attributes, in any order. */
static bool attributes_equal(struct arena *arena, Onnx__NodeProto *one, Onnx__NodeProto *other)
{
    bool equal = one->n_attribute == other->n_attribute;

    if (one->n_attribute > 0)
        qsort(one->attribute, one->n_attribute, sizeof(*one->attribute), attribute_compare);
    if (other->n_attribute > 0)
        qsort(other->attribute, other->n_attribute, sizeof(*other->attribute), attribute_compare);
    for (size_t i = 0; equal && i < one->n_attribute; i++)
        equal = attribute_equal(arena, one->attribute[i], other->attribute[i]);
    return equal;
}

/* Inputs are equal if they are the same constant or output, or have the same name. */
static enum opshift_status input_equal(struct pairing *pairing, ProtobufCBinaryData wanted, ProtobufCBinaryData seen,
                                       bool *equal, struct opshift_error *error)
{
    struct example_side *left = pairing->wanted, *right = pairing->seen;
    name_id left_id = side_name(left, wanted), right_id = side_name(right, seen);
    const struct tensor *one = NULL, *other = NULL;
    enum opshift_status status;

    *equal = wanted.len == 0 && seen.len == 0;
    if (wanted.len == 0 || seen.len == 0)
        return OPSHIFT_OK;
    status = fold_constant(left->around.fold, left->model->main, left_id, &one, NULL, error);
    if (status == OPSHIFT_OK)
        status = fold_constant(right->around.fold, right->model->main, right_id, &other, NULL, error);
    if (one != NULL && other != NULL)
        *equal = tensor_equal(one, other);
    else if (one == NULL && other == NULL && pairing->partner[left_id] != NAME_NONE)
        *equal = pairing->partner[left_id] == right_id;
    else
        *equal = one == NULL && other == NULL && bytes_same(bytes_of(wanted), bytes_of(seen));
    return status;
}

static enum opshift_status node_equal(struct pairing *pairing, Onnx__NodeProto *wanted, Onnx__NodeProto *seen,
                                      bool *equal, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;

    *equal = bytes_same(bytes_of(wanted->op_type), bytes_of(seen->op_type)) &&
             bytes_same(bytes_of(wanted->domain), bytes_of(seen->domain)) &&
             bytes_same(bytes_of(wanted->overload), bytes_of(seen->overload)) && wanted->n_input == seen->n_input &&
             wanted->n_output == seen->n_output && attributes_equal(pairing->arena, wanted, seen);
    for (size_t i = 0; status == OPSHIFT_OK && *equal && i < wanted->n_input; i++)
        status = input_equal(pairing, wanted->input[i], seen->input[i], equal, error);
    for (size_t i = 0; *equal && i < wanted->n_output; i++) {
        *equal = (wanted->output[i].len == 0) == (seen->output[i].len == 0);
        if (wanted->output[i].len > 0)
            pairing->partner[side_name(pairing->wanted, wanted->output[i])] = side_name(pairing->seen, seen->output[i]);
    }
    return status;
}

/* All in one line: a; b; c */
static void print_nodes(const struct example_side *side, struct buffer *words)
{
    for (uint32_t i = 0; i < side->node_count; i++) {
        struct buffer line = {0};

        text_print_node(&line, side->nodes[i]);
        while (line.size > 0 && line.data[line.size - 1] == '\n')
            line.size--;
        buffer_add_text(words, i == 0 ? "" : "; ");
        buffer_add(words, line.data, line.size);
        words->failed |= line.failed;
        buffer_free(&line);
    }
}

static enum opshift_status sides_compare(struct example_side *wanted, struct example_side *seen, const char *op_type,
                                         struct arena *arena, struct buffer *words, struct opshift_error *error)
{
    struct pairing pairing = {.wanted = wanted, .seen = seen, .arena = arena};
    enum opshift_status status = side_tables(wanted, arena, op_type, error);
    bool equal;

    if (status == OPSHIFT_OK)
        status = side_tables(seen, arena, op_type, error);
    if (status)
        return status;
    equal = wanted->node_count == seen->node_count;
    pairing.partner = arena_alloc(arena, names_count(wanted->model->names), sizeof(*pairing.partner));
    if (pairing.partner == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && equal && i < wanted->node_count; i++)
        status = node_equal(&pairing, wanted->nodes[i], seen->nodes[i], &equal, error);
    if (status || equal)
        return status;
    buffer_add_text(words, "what comes out differs (constants left out): ");
    print_nodes(seen, words);
    return OPSHIFT_NO;
}

/* ---- one example ------------------------------------------------------------------------------------------------ */

/* Converts `before` and opens the result. */
static enum opshift_status convert_side(struct example_side *before, struct example_side *seen,
                                        const struct opshift_goal *goal, struct buffer *words,
                                        struct opshift_error *error)
{
    struct opshift_error blocked;
    enum opshift_status status = model_convert(before->model, goal, NULL, &blocked);

    if (status == OPSHIFT_NO)
        buffer_print(words, "it is refused: %s", blocked.text);
    else
        error_give(error, status, &blocked);
    /* "-" is an unnamed file until it is committed; this one never is. */
    if (status == OPSHIFT_OK)
        status = opshift_model_write(before->model, "-", NULL, &seen->output, error);
    return status == OPSHIFT_OK ? opshift_output_open(seen->output, &seen->model, error) : status;
}

/* An example that is to be refused. */
static enum opshift_status refusal_check(struct example_side *before, const struct opshift_goal *goal,
                                         const char *refused, struct buffer *words, struct opshift_error *error)
{
    struct opshift_error blocked = {0};
    enum opshift_status status = model_convert(before->model, goal, NULL, &blocked);

    if (status == OPSHIFT_OK) {
        buffer_print(words, "it is converted; the example wants a refusal with the words: %s", refused);
        return OPSHIFT_NO;
    }
    if (status == OPSHIFT_NO && strstr(blocked.text, refused) != NULL)
        return OPSHIFT_OK;
    if (status == OPSHIFT_NO)
        buffer_print(words, "it is refused with other words than '%s': %s", refused, blocked.text);
    else
        error_give(error, status, &blocked);
    return status;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

/* The verdict of one node in the report. NO: the two sides differ. */
static enum opshift_status judge_piece(const json_t *piece, struct buffer *words)
{
    const char *why = json_string_value(json_object_get(piece, "why"));
    const char *node = json_string_value(json_object_get(piece, "node"));
    const char *not_run = why == NULL ? NULL : strstr(why, "not run: ");

    if (json_object_get(piece, "replaced") == NULL || node == NULL || why == NULL)
        return OPSHIFT_OK;
    if (strcmp(json_string_value(json_object_get(piece, "verdict")), "differs") == 0) {
        buffer_print(words, "what comes out computes something else: %s: %s", node, why);
        return OPSHIFT_NO;
    }
    if (not_run != NULL)
        buffer_print(words, "%s%s: %s", words->size == 0 ? "" : "; ", node, not_run);
    return OPSHIFT_OK;
}

/* Verifies both sides. *report NULL: it failed. */
static enum opshift_status sides_verify(const struct example_side *before, const struct example_side *seen,
                                        const struct opshift_verify_options *how, struct opshift_report **report,
                                        struct opshift_error *error)
{
    enum opshift_status status = opshift_verify(before->model, seen->model, how, report, error);
    if (status == OPSHIFT_OK || status == OPSHIFT_NO)
        return error_forget(error);
    opshift_report_free(*report);
    *report = NULL;
    return status;
}

/* Runs both models as a whole, where a piece cannot be run alone: it reads a sequence, or has a graph that reads values
 * around it. The words say why, until the runs agree. */
static enum opshift_status wholes_run(const struct example_side *before, const struct example_side *seen,
                                      const struct opshift_rules *rules, struct buffer *words,
                                      struct opshift_error *error)
{
    static const struct opshift_run_options builtin = {0};
    static const struct opshift_tolerance near = {.relative = 1e-4, .absolute = 1e-4};
    const struct opshift_verify_options how = {.rules = rules, .whole = &builtin, .tolerance = &near, .draws = 8};
    struct opshift_report *report = NULL;
    enum opshift_status status = sides_verify(before, seen, &how, &report, error);
    if (status)
        return status;
    const json_t *whole = json_object_get(report->root, "whole");
    const char *verdict = json_string_value(json_object_get(whole, "verdict"));
    const char *why = json_string_value(json_object_get(whole, "why"));
    if (verdict && strcmp(verdict, "tested") == 0)
        words->size = 0;
    if (verdict && strcmp(verdict, "differs") == 0) {
        words->size = 0;
        buffer_print(words, "what comes out computes something else: %s", why);
        status = OPSHIFT_NO;
    }
    opshift_report_free(report);
    return status;
}

/* Runs replaced nodes before and after the conversion on random inputs. */
static enum opshift_status sides_run(const struct example_side *before, const struct example_side *seen,
                                     const struct opshift_rules *rules, struct buffer *words,
                                     struct opshift_error *error)
{
    const struct opshift_verify_options how = {.rules = rules};
    struct opshift_report *report = NULL;
    const json_t *piece;
    size_t i;
    enum opshift_status status = sides_verify(before, seen, &how, &report, error);

    if (status)
        return status;
    json_array_foreach(json_object_get(report->root, "pieces"), i, piece)
    {
        if (status == OPSHIFT_OK)
            status = judge_piece(piece, words);
    }
    opshift_report_free(report);
    if (status == OPSHIFT_OK && words->size > 0)
        status = wholes_run(before, seen, rules, words, error);
    return status;
}

/* ---- variants ---- */

/* Seeds that a variant is run with, since edges of several dims must meet. */
#define VARIANT_SEEDS 3u

/* Runs both sides. Only a difference counts: at edges an operator may refuse its inputs. */
static enum opshift_status variant_run(const struct example_side *before, const struct example_side *seen,
                                       const struct opshift_rules *rules, struct buffer *words,
                                       struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint64_t seed = 0; seed < VARIANT_SEEDS && status == OPSHIFT_OK; seed++) {
        const struct opshift_verify_options how = {.rules = rules, .seed = seed};
        struct opshift_report *report = NULL;
        size_t size = words->size, i;
        const json_t *piece;
        status = sides_verify(before, seen, &how, &report, error);
        json_array_foreach(report == NULL ? NULL : json_object_get(report->root, "pieces"), i, piece)
        {
            /* What ONNX leaves open at an edge may be computed in any way. */
            if (status == OPSHIFT_OK && json_object_get(piece, "undefined") == NULL)
                status = judge_piece(piece, words);
        }
        words->size = status == OPSHIFT_OK ? size : words->size;
        opshift_report_free(report);
    }
    return status;
}

/* A variant that is refused, or no valid model, is as good as none. */
static enum opshift_status variant_check(const struct rule_case *at, const struct rule_variant *variant,
                                         struct buffer *words, struct opshift_error *error)
{
    struct example_side before = {0}, seen = {0};
    struct opshift_goal goal = *at->goal;
    struct arena *arena = arena_new(0);
    Onnx__GraphProto *inputs = NULL, nodes;
    size_t size = words->size;
    enum opshift_status status =
        arena == NULL ? opshift_no_memory(error) : declare_inputs(arena, at->rule, at->example, &inputs, error);
    goal.strict = true; /* edges are what is assumed not to occur */
    if (status == OPSHIFT_OK)
        status = nodes_parse(arena, at->rule, at->example->before, at->example->before_line, &nodes, error);
    if (status == OPSHIFT_OK && !variant_apply(variant, arena, inputs, &nodes))
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = side_open(&before, arena, &nodes, inputs, at->rule, at->from, error);
    if (status == OPSHIFT_OK)
        status = convert_side(&before, &seen, &goal, words, error);
    words->size = size;
    variant_print(variant, words);
    if (status == OPSHIFT_OK)
        status = variant_run(&before, &seen, at->rules, words, error);
    else if (status == OPSHIFT_NO || status == OPSHIFT_MALFORMED)
        status = error_forget(error);
    words->size = status == OPSHIFT_NO ? words->size : size;
    side_free(&seen);
    side_free(&before);
    arena_free(arena);
    return status;
}

/* Not with sanitizers, under which the variants of the shipped rules take many minutes. */
static enum opshift_status variants_check(const struct rule_case *at, struct arena *arena, struct buffer *words,
                                          struct opshift_error *error)
{
#ifdef EXAMPLES_AS_WRITTEN
    return OPSHIFT_OK;
#endif
    struct rule_variant list[VARIANTS_MAX];
    Onnx__GraphProto *inputs = NULL, nodes;
    uint32_t count = 0;
    enum opshift_status status = declare_inputs(arena, at->rule, at->example, &inputs, error);
    if (status == OPSHIFT_OK)
        status = nodes_parse(arena, at->rule, at->example->before, at->example->before_line, &nodes, error);
    if (status == OPSHIFT_OK && inputs != NULL)
        count = variants_list(inputs, &nodes, list);
    for (uint32_t i = 0; i < count && status == OPSHIFT_OK; i++)
        status = variant_check(at, &list[i], words, error);
    return status;
}

enum opshift_status rule_example_check(const struct opshift_rules *rules, const struct rule *rule,
                                       const struct example *example, struct buffer *words, struct opshift_error *error)
{
    struct example_side before = {0}, wanted = {0}, seen = {0};
    int64_t from = example->up ? rule->opset - 1 : rule->opset;
    int64_t to = example->to;
    struct arena *arena = arena_new(0);
    const char *other = arena == NULL ? NULL : arena_print(arena, "%s=%d", rule->domain, (int)to);
    struct opshift_goal goal = {.rules = rules, .domains = &other, .domain_count = *rule->domain ? 1 : 0};
    Onnx__GraphProto *declared = NULL;
    enum opshift_status status = other == NULL ? opshift_no_memory(error) : OPSHIFT_OK;

    if (*rule->domain == '\0')
        goal.opset = to;
    goal.allow_approximate = example->refused == NULL;
    if (status == OPSHIFT_OK)
        status = declare_inputs(arena, rule, example, &declared, error);
    if (status == OPSHIFT_OK)
        status = side_parse(&before, arena, rule, declared, example->before, example->before_line, from, error);
    if (status == OPSHIFT_OK && example->after != NULL)
        status = side_parse(&wanted, arena, rule, declared, example->after, example->after_line, to, error);
    if (status == OPSHIFT_OK)
        status = example->refused != NULL ? refusal_check(&before, &goal, example->refused, words, error)
                                          : convert_side(&before, &seen, &goal, words, error);
    if (status == OPSHIFT_OK && example->after != NULL && example->refused == NULL)
        status = sides_compare(&wanted, &seen, rule->op_type, arena, words, error);
    bool replaced = example->refused == NULL && rule_replaces(rule, example->up ? DIRECTION_UP : DIRECTION_DOWN);
    if (status == OPSHIFT_OK && replaced)
        status = sides_run(&before, &seen, rules, words, error);
    if (status == OPSHIFT_OK && replaced)
        status = variants_check(&(struct rule_case){rules, rule, example, &goal, from}, arena, words, error);
    side_free(&seen);
    side_free(&wanted);
    side_free(&before);
    arena_free(arena);
    return status;
}
