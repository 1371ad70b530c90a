/* GRF: declared types of values, compared with the actual ones. */
#include <inttypes.h>
#include <stdlib.h>

#include "check/family.h"
#include "check/fix.h"
#include "check/tables.h"
#include "infer/clash.h"
#include "schema/split_cut.h"

static enum opshift_status outputs_there(struct checking *checking, const struct subject *subject,
                                         struct opshift_error *error)
{
    const struct graph *graph = subject->graph;
    if (graph->output_count || (graph->kind != GRAPH_MAIN && graph->kind != GRAPH_FUNCTION))
        return OPSHIFT_OK;
    return finding_add(checking, subject, NULL, error, "the %s has no outputs; list the intended ones",
                       graph->kind == GRAPH_MAIN ? "graph" : "function");
}

static enum opshift_status graph_named(struct checking *checking, const struct subject *subject,
                                       struct opshift_error *error)
{
    if (subject->graph->name != NAME_NONE || subject->graph->kind == GRAPH_TRAINING)
        return OPSHIFT_OK;
    return finding_add(checking, subject, NULL, error, "the %s has no name; give it one",
                       subject->graph->kind == GRAPH_FUNCTION ? "function" : "graph");
}

/* ---- declared and inferred types ---- */

static bool types_differ(const struct value_type *declared, const struct value_type *found)
{
    return declared->type && found->type && declared->is_tensor && found->is_tensor && declared->type != found->type;
}

static enum opshift_status initializers_fit(struct checking *checking, const struct subject *subject,
                                            struct opshift_error *error)
{
    struct graph *graph = subject->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->initializer_count; i++) {
        const struct initializer *initializer = &graph->initializers[i];
        const struct value_type found = {.type = initializer->type < OPSHIFT_TYPE_COUNT ? initializer->type : 0,
                                         .rank = (int32_t)initializer->rank,
                                         .dims = initializer->dims,
                                         .is_tensor = true};
        struct definition definition = scope_find(checking->scopes, graph, initializer->name);
        struct value_type declared;
        char there[SHAPE_TEXT_SIZE], here[SHAPE_TEXT_SIZE];
        if (initializer->sparse || definition.kind != DEFINED_INITIALIZER || definition.index != i)
            continue;
        status = types_declared(checking->types, graph, initializer->name, &declared, error);
        if (status == OPSHIFT_OK && types_differ(&declared, &found))
            status = finding_add(checking, subject, &initializer->range, error,
                                 "initializer '%s' is %s, and %s is declared; correct the declaration",
                                 checking_text(checking, initializer->name), type_name(found.type),
                                 type_name(declared.type));
        else if (status == OPSHIFT_OK && shapes_differ(&declared, &found))
            status = finding_add(checking, subject, &initializer->range, error,
                                 "initializer '%s' has the shape %s, and %s is declared; correct the declaration",
                                 checking_text(checking, initializer->name), shape_text(&found, here),
                                 shape_text(&declared, there));
    }
    return status;
}

/* Compares the declared type of each output of a node with the inferred one. */
static enum opshift_status outputs_compare(struct checking *checking, const struct subject *subject, bool shapes,
                                           struct opshift_error *error)
{
    const struct type_pair *outputs;
    enum opshift_status status = checking_outputs(checking, subject, &outputs, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < subject->node->output_count; i++) {
        const struct value_type *declared = outputs[i].declared, *found = outputs[i].found;
        char there[SHAPE_TEXT_SIZE], here[SHAPE_TEXT_SIZE];
        if (declared == NULL || declared == found)
            continue;
        const char *name = checking_text(checking, node_outputs(subject->node)[i]);
        if (!shapes && types_differ(declared, found))
            status = finding_add(checking, subject, NULL, error,
                                 "output '%s' is %s, and %s is declared; correct the declaration", name,
                                 type_name(found->type), type_name(declared->type));
        else if (shapes && shapes_differ(declared, found))
            status = finding_add(checking, subject, NULL, error,
                                 "output '%s' has the shape %s, and %s is declared; correct the declaration", name,
                                 shape_text(found, here), shape_text(declared, there));
    }
    return status;
}

static enum opshift_status output_types_fit(struct checking *checking, const struct subject *subject,
                                            struct opshift_error *error)
{
    return outputs_compare(checking, subject, false, error);
}

static enum opshift_status output_shapes_fit(struct checking *checking, const struct subject *subject,
                                             struct opshift_error *error)
{
    /* SPL016 reports this for Split, with the split lengths. */
    if (node_is(checking->model, subject->node, "Split"))
        return OPSHIFT_OK;
    return outputs_compare(checking, subject, true, error);
}

static enum opshift_status value_infos_unique(struct checking *checking, const struct subject *subject,
                                              struct opshift_error *error)
{
    const struct graph *graph = subject->graph;
    enum opshift_status status = OPSHIFT_OK;
    tables_list_begin(checking->tables);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->value_count; i++) {
        if (!tables_list_add(checking->tables, graph->values[i].name))
            status = finding_add(checking, subject, &graph->values[i].range, error,
                                 "there are two value infos for '%s'; remove one of them",
                                 checking_text(checking, graph->values[i].name));
    }
    return status;
}

/* Reports a value info without a type. */
static enum opshift_status untyped_report(struct checking *checking, const struct subject *subject, const char *what,
                                          const struct value_info *value, struct opshift_error *error)
{
    Onnx__ValueInfoProto *message;
    enum opshift_status status = range_try_decode(checking->model, value->range, &onnx__value_info_proto__descriptor,
                                                  checking->scratch, &message, error);
    if (status || message == NULL || message->type)
        return status;
    return finding_add(checking, subject, &value->range, error, "graph %s '%s' has no type; declare it", what,
                       checking_text(checking, value->name));
}

static enum opshift_status values_typed(struct checking *checking, const struct subject *subject,
                                        struct opshift_error *error)
{
    const struct graph *graph = subject->graph;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && graph->kind == GRAPH_MAIN && i < graph->input_count; i++)
        status = untyped_report(checking, subject, "input", &graph->inputs[i], error);
    for (uint32_t i = 0; status == OPSHIFT_OK && graph->kind == GRAPH_MAIN && i < graph->output_count; i++)
        status = untyped_report(checking, subject, "output", &graph->outputs[i], error);
    return status;
}

/* In a Loop body, a value may be both carried and stacked. */
static enum opshift_status outputs_listed_once(struct checking *checking, const struct subject *subject,
                                               struct opshift_error *error)
{
    const struct graph *graph = subject->graph;
    enum opshift_status status = OPSHIFT_OK;
    tables_list_begin(checking->tables);
    for (uint32_t i = 0; status == OPSHIFT_OK && graph->kind == GRAPH_MAIN && i < graph->output_count; i++) {
        if (!tables_list_add(checking->tables, graph->outputs[i].name))
            status = finding_add(checking, subject, &graph->outputs[i].range, error,
                                 "output '%s' is listed twice; list it once",
                                 checking_text(checking, graph->outputs[i].name));
    }
    return status;
}

static int value_info_order(const void *a, const void *b)
{
    const uint64_t *record = a;
    const struct value_info *value = b;
    return *record < range_record(value->range) ? -1 : *record > range_record(value->range);
}

/* Removes a value info that equals the first one of its name. */
static enum opshift_status value_info_unite(struct checking *checking, const struct finding *finding,
                                            struct opshift_error *error)
{
    const struct graph *graph = finding->graph;
    uint64_t record = range_record(finding->range);
    const struct value_info *first = NULL;
    const struct value_info *own =
        bsearch(&record, graph->values, graph->value_count, sizeof(*graph->values), value_info_order);
    bool same = false;
    if (own == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = value_info_first(checking, graph, own->name, &first, error);
    if (status || first == NULL || first == own)
        return status;
    status = fix_is_same(checking, first->range, finding->range, &same, error);
    return status || !same ? status : fix_remove(checking, finding, finding->range, error);
}

static enum opshift_status initializers_are_inputs(struct checking *checking, const struct subject *subject,
                                                   struct opshift_error *error)
{
    const struct graph *graph = subject->graph;
    int64_t version = checking->model->ir_version;
    enum opshift_status status = OPSHIFT_OK;
    if (graph->kind != GRAPH_MAIN || version <= 0 || version >= 4)
        return OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->initializer_count; i++) {
        const struct range *where = &graph->initializers[i].range;
        const char *name = checking_text(checking, graph->initializers[i].name);
        if (scope_is_input(checking->scopes, graph, graph->initializers[i].name))
            continue;
        status = finding_add(checking, subject, where, error,
                             "initializer '%s' is not among the inputs, as IR version %" PRId64
                             " requires; list it there, or raise the IR version to 4",
                             name, version);
    }
    return status;
}

const struct check checks_graph_value[] = {
    {CHECK(GRF028), .scope = CHECK_GRAPH, .find = outputs_there},
    {CHECK(GRF029), .scope = CHECK_GRAPH, .find = graph_named},
    {CHECK(GRF031), .scope = CHECK_GRAPH, .find = initializers_fit},
    {CHECK(GRF032), .scope = CHECK_NODE, .by_types = true, .round = 2,
     .relies_on = IDS(GRF001, GRF038, GRF039, GRF040, OPS008, OPS009, OPS012, OPS013, OPS014, OPS015, OPS016, OPS017,
                      OPS018, OPS019, OPS020),
     .find = output_types_fit},
    {CHECK(GRF033), .scope = CHECK_NODE, .by_types = true, .round = 2,
     .relies_on =
         IDS(GRF001, GRF032, OPS008, OPS009, OPS012, OPS013, OPS014, OPS015, OPS016, OPS017, OPS018, OPS019, OPS020),
     .find = output_shapes_fit},
    {CHECK(GRF034), .scope = CHECK_GRAPH, FIXED_BY(value_info_unite), .find = value_infos_unique},
    {CHECK(GRF035), .scope = CHECK_GRAPH, .harmless = true, .find = initializers_are_inputs},
    {CHECK(GRF041), .scope = CHECK_GRAPH, .find = values_typed},
    {CHECK(GRF042), .scope = CHECK_GRAPH, .find = outputs_listed_once},
    {0},
};
