/* Lists nodes with the same bytes that the rules keep although their operator has another version, by operator and
 * rules. */
#include <string.h>

#include "base/report.h"
#include "verify/expect.h"

static bool is_entry(const json_t *entry, const char *op_type, const char *verdict, const char *rules)
{
    return strcmp(report_text_of(entry, "operator"), op_type) == 0 &&
           strcmp(report_text_of(entry, "verdict"), verdict) == 0 && strcmp(report_text_of(entry, "rules"), rules) == 0;
}

/* The entry of an operator kept by these rules. NULL: no memory. */
static json_t *entry_find(struct comparison *comparison, const char *op_type, enum verdict verdict, const char *rules)
{
    size_t index;
    json_t *entry;
    json_array_foreach(comparison->kept, index,
                       entry) if (is_entry(entry, op_type, verdict_name(verdict), rules)) return entry;
    entry = json_pack("{s:o,s:s,s:s,s:[]}", "operator", report_string(op_type, strlen(op_type)), "verdict",
                      verdict_name(verdict), "rules", rules, "nodes");
    return json_array_append_new(comparison->kept, entry) == 0 ? entry : NULL;
}

/* The group of the node. NULL: no memory. */
static struct kept *kept_find(struct comparison *comparison, const struct graph_pair *pair, const struct node *node,
                              const struct expectation *expectation, struct arena *arena)
{
    name_id domain = node_domain(node);
    int64_t opset = graph_opset(comparison->before.model, pair->before, domain);
    enum verdict verdict = expectation->assumed != NULL ? VERDICT_ASSUMED : VERDICT_BY_RULE;
    for (struct kept *kept = comparison->kept_groups; kept != NULL; kept = kept->next)
        if (kept->op_type == node->op_type && kept->domain == domain && kept->opset == opset &&
            kept->verdict == verdict)
            return kept;
    const char *rules = expect_rules(comparison, pair, node, expectation, arena);
    const char *op_type = names_text(comparison->before.model->names, node->op_type);
    if (domain != NAME_NONE)
        op_type = arena_print(arena, "%s.%s", names_text(comparison->before.model->names, domain), op_type);
    struct kept *kept = arena_alloc(comparison->arena, 1, sizeof(*kept));
    json_t *entry = kept == NULL || op_type == NULL || arena_was_out(arena)
                        ? NULL
                        : entry_find(comparison, op_type, verdict, rules == NULL ? "" : rules);
    if (entry == NULL)
        return NULL;
    *kept = (struct kept){comparison->kept_groups,         domain, node->op_type, opset, verdict, entry,
                          json_object_get(entry, "nodes"), 0};
    return comparison->kept_groups = kept;
}

/* False: no memory. */
static bool add_text(json_t *entry, const char *key, const char *text)
{
    json_t *list = json_object_get(entry, key);
    if (list == NULL && json_object_set_new(entry, key, list = json_array()) != 0)
        return false;
    return json_array_append_new(list, text == NULL ? NULL : report_string(text, strlen(text))) == 0;
}

enum opshift_status kept_report(struct comparison *comparison, const struct graph_pair *pair, const struct node *node,
                                const struct expectation *expectation, struct arena *arena, struct opshift_error *error)
{
    struct kept *kept = kept_find(comparison, pair, node, expectation, arena);
    if (kept == NULL)
        return opshift_no_memory(error);
    comparison->counts[kept->verdict]++;
    if (comparison->options->brief && json_array_size(kept->nodes) == KEPT_SHOWN) {
        kept->more++;
        return OPSHIFT_OK;
    }
    bool done = add_text(kept->entry, "nodes", node_place_find(comparison->before.model, pair->before, node));
    if (expectation->assumed != NULL)
        done = done && add_text(kept->entry, "assumed", expectation->assumed);
    return done ? OPSHIFT_OK : opshift_no_memory(error);
}
