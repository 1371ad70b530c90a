/* Nodes of the same bytes under another version of their operator, which the rules keep: listed by operator and rules.
 */
#include <string.h>

#include "base/report.h"
#include "verify/expect.h"

static bool is_entry(const json_t *entry, const char *op_type, const char *verdict, const char *rules)
{
    return strcmp(report_text_of(entry, "operator"), op_type) == 0 &&
           strcmp(report_text_of(entry, "verdict"), verdict) == 0 && strcmp(report_text_of(entry, "rules"), rules) == 0;
}

/* The entry of an operator that was kept for these reasons. NULL: no memory. */
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

enum opshift_status kept_report(struct comparison *comparison, const struct graph_pair *pair, const struct node *node,
                                const struct expectation *expectation, struct opshift_error *error)
{
    struct opshift_model *model = comparison->before.model;
    const char *place = node_place_find(model, pair->before, node), *assumed = expectation->assumed;
    enum verdict verdict = assumed != NULL ? VERDICT_ASSUMED : VERDICT_BY_RULE;
    json_t *entry = entry_find(comparison, names_text(model->names, node->op_type), verdict,
                               expectation->rules == NULL ? "" : expectation->rules);
    comparison->counts[verdict]++;
    if (place == NULL || entry == NULL ||
        json_array_append_new(json_object_get(entry, "nodes"), report_string(place, strlen(place))) != 0)
        return opshift_no_memory(error);
    if (assumed == NULL)
        return OPSHIFT_OK;
    json_t *list = json_object_get(entry, "assumed");
    if (list == NULL && json_object_set_new(entry, "assumed", list = json_array()) != 0)
        return opshift_no_memory(error);
    return json_array_append_new(list, report_string(assumed, strlen(assumed))) == 0 ? OPSHIFT_OK
                                                                                     : opshift_no_memory(error);
}
