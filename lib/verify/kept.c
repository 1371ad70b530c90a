/* Nodes of the same bytes under another version of their operator: the rules say whether they mean the same. */
#include <string.h>

#include "base/report.h"
#include "rule/rule.h"
#include "verify/expect.h"

/* The entry of an operator that was kept for these reasons. NULL: no memory. */
static json_t *entry_find(struct comparison *comparison, const char *op_type, const char *rules)
{
    size_t index;
    json_t *entry;
    json_array_foreach(comparison->kept, index,
                       entry) if (strcmp(json_string_value(json_object_get(entry, "operator")), op_type) == 0 &&
                                  strcmp(json_string_value(json_object_get(entry, "rules")), rules) == 0) return entry;
    entry = json_pack("{s:o,s:s,s:s,s:[]}", "operator", report_string(op_type, strlen(op_type)), "verdict",
                      verdict_name(VERDICT_BY_RULE), "rules", rules, "nodes");
    return json_array_append_new(comparison->kept, entry) == 0 ? entry : NULL;
}

static bool report_kept(struct comparison *comparison, const struct graph_pair *pair, const struct node *node,
                        const char *rules)
{
    struct opshift_model *model = comparison->before.model;
    const char *place = node_place_find(model, pair->before, node);
    json_t *entry = entry_find(comparison, names_text(model->names, node->op_type), rules);
    comparison->counts[VERDICT_BY_RULE]++;
    return place != NULL && entry != NULL &&
           json_array_append_new(json_object_get(entry, "nodes"), report_string(place, strlen(place))) == 0;
}

/* What an input or output may be, as a set; nothing is said of one that the operator does not have. */
static uint64_t types_at(const struct schema *schema, const struct node *node, uint32_t place)
{
    const struct schema_parameter *parameter = NULL;
    if (schema != NULL && place < node->input_count)
        parameter = schema_input(schema, place);
    else if (schema != NULL)
        parameter = schema_output(schema, place - node->input_count);
    return parameter == NULL ? 0 : schema_types(schema, parameter)->tensor;
}

/* Does the operator still take all types of this node that it took? */
static enum opshift_status has_its_types(struct comparison *comparison, const struct graph_pair *pair,
                                         const struct node *node, bool *has, struct opshift_error *error)
{
    const struct side *after = &comparison->after;
    const char *op_type = names_text(comparison->before.model->names, node->op_type);
    const struct schema *schema = schema_find("", op_type, graph_opset(after->model, pair->after, NAME_NONE));
    const struct schema *source =
        schema_find("", op_type, graph_opset(comparison->before.model, pair->before, NAME_NONE));
    enum opshift_status status = OPSHIFT_OK;
    *has = schema != NULL;
    for (uint32_t i = 0; status == OPSHIFT_OK && *has && i < node->input_count + node->output_count; i++) {
        uint64_t lost = types_at(source, node, i) & ~types_at(schema, node, i);
        struct value_type type = {0};
        if (node->names[i] == NAME_NONE || lost == 0)
            continue;
        status = types_element(comparison->before.types, pair->before, node->names[i], &type, error);
        *has = type.type == OPSHIFT_TYPE_UNDEFINED || (lost >> type.type & 1) == 0;
    }
    return status;
}

enum opshift_status kept_node(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                              bool *settled, struct opshift_error *error)
{
    struct expectation expectation;
    struct arena *arena = arena_new(0);
    *settled = false;
    if (arena == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = expect_read(comparison, pair, node, arena, &expectation, error);
    if (status == OPSHIFT_OK && (expectation.kind == EXPECT_KEPT || expectation.kind == EXPECT_SAME))
        status = has_its_types(comparison, pair, node, settled, error);
    if (status == OPSHIFT_OK && *settled && expectation.kind == EXPECT_KEPT &&
        !report_kept(comparison, pair, node, expectation.rules))
        status = opshift_no_memory(error);
    arena_free(arena);
    return status;
}
