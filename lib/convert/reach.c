/* The opsets that a model can reach: a plan for each, and the blockers of the others. */
#include <inttypes.h>
#include <string.h>

#include "base/option_struct.h"
#include "base/report.h"
#include "convert/blockers.h"
#include "convert/unlock.h"
#include "rule/rule.h"

/* Opsets of another domain that are planned. */
#define OPSETS_MOST 64

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void print_group(const json_t *group, struct buffer *out)
{
    json_int_t count = json_integer_value(json_object_get(group, "count"));
    json_int_t from = json_integer_value(json_object_get(group, "from"));
    json_int_t to = json_integer_value(json_object_get(group, "to"));
    buffer_print(out, "%" JSON_INTEGER_FORMAT " %s", count, report_text_of(group, "operator"));
    const char *domain = json_string_value(json_object_get(group, "domain"));
    if (from != to)
        buffer_print(out, ", %s %" JSON_INTEGER_FORMAT " to %" JSON_INTEGER_FORMAT, domain ? domain : "opset", from,
                     to);
    buffer_print(out, ": %s", report_text_of(group, "why"));
    if (count > 1)
        buffer_print(out, " (first: %s)", report_text_of(group, "node"));
}

/* "2 rewritten, 3 replaced" */
static void print_reached(const json_t *entry, struct buffer *out)
{
    static const char *const keys[] = {"rewritten_count", "replaced_count", "assumption_count"};
    static const char *const words[] = {"rewritten", "replaced", "assumptions"};
    for (size_t i = 0, shown = 0; i < COUNT(keys); i++) {
        json_int_t count = json_integer_value(json_object_get(entry, keys[i]));
        if (count)
            buffer_print(out, "%s%" JSON_INTEGER_FORMAT " %s", shown++ ? ", " : "", count, words[i]);
    }
}

static bool is_same(const json_t *one, const json_t *other)
{
    static const char *const keys[] = {
        "reachable", "blockers", "why", "with", "is_source", "rewritten_count", "replaced_count", "assumption_count"};
    for (size_t i = 0; i < COUNT(keys); i++) {
        const json_t *left = json_object_get(one, keys[i]), *right = json_object_get(other, keys[i]);
        if ((left == NULL) != (right == NULL) ||
            (left && !json_equal((json_t *)(uintptr_t)left, (json_t *)(uintptr_t)right)))
            return false;
    }
    return true;
}

static void add_row(struct report_table *table, const char *opsets, const char *answer, struct buffer *words)
{
    buffer_add_byte(words, '\0');
    const char *const cells[] = {opsets, answer, words->failed ? "" : (const char *)words->data};
    report_table_row(table, cells);
    words->size = 0;
}

/* Prints a range of opsets with equal results; domain "": ai.onnx. */
static void print_opsets(const char *domain, const json_t *entry, json_int_t first, json_int_t last,
                         struct report_table *table, struct buffer *words)
{
    char opsets[128];
    const char *space = *domain ? " " : "";
    bool reachable = json_is_true(json_object_get(entry, "reachable"));
    const json_t *blockers = json_object_get(entry, "blockers"), *group, *option;
    size_t i;
    snprintf(opsets, sizeof(opsets),
             first == last ? "%.60s%s%" JSON_INTEGER_FORMAT : "%.60s%s%" JSON_INTEGER_FORMAT "-%" JSON_INTEGER_FORMAT,
             domain, space, first, last);
    if (json_is_true(json_object_get(entry, "is_source")))
        buffer_add_text(words, "the model's own");
    else if (reachable)
        print_reached(entry, words);
    else if (json_object_get(entry, "why"))
        buffer_add_text(words, report_text_of(entry, "why"));
    if (words->size || json_array_size(blockers) == 0)
        add_row(table, opsets, reachable ? "yes" : "no", words);
    json_array_foreach(blockers, i, group)
    {
        print_group(group, words);
        add_row(table, i ? "" : opsets, i ? "" : "no", words);
    }
    json_array_foreach(json_object_get(entry, "with"), i, option)
    {
        unlock_print(json_string_value(option), words);
        add_row(table, "", "", words);
    }
}

static void print_list(const char *domain, const json_t *list, struct report_table *table, struct buffer *words)
{
    for (size_t first = 0, last; first < json_array_size(list); first = last + 1) {
        const json_t *entry = json_array_get(list, first);
        for (last = first; last + 1 < json_array_size(list) && is_same(entry, json_array_get(list, last + 1)); last++)
            ;
        print_opsets(domain, entry, json_integer_value(json_object_get(entry, "opset")),
                     json_integer_value(json_object_get(json_array_get(list, last), "opset")), table, words);
    }
}

static void print(const json_t *root, struct buffer *out)
{
    static const char *const heads[] = {"OPSET", "REACHABLE", "WHAT IS DONE, OR IN THE WAY"};
    struct report_table *table = report_table_new(COUNT(heads), heads);
    const json_t *domain;
    size_t i;
    struct buffer words = {0};
    print_list("", json_object_get(root, "opsets"), table, &words);
    json_array_foreach(json_object_get(root, "domains"), i, domain)
        print_list(report_text_of(domain, "domain"), json_object_get(domain, "opsets"), table, &words);
    out->failed |= words.failed;
    buffer_free(&words);
    report_table_print(table, out);
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */

/* State of planning for all opsets. */
struct reaching {
    struct opshift_model *model;
    const struct opshift_goal *goal;
    struct unlock *unlock;
    double done, share; /* progress before the current plan, and its share */
};

static bool progress_share(void *data, double done)
{
    const struct reaching *reaching = data;
    return reaching->goal->progress(reaching->goal->progress_data, reaching->done + reaching->share * done);
}

static json_t *groups_tree(const struct blocker_groups *groups)
{
    json_t *list = json_array();
    for (size_t i = 0; i < groups->count; i++) {
        const struct blocker_group *group = &groups->list[i];
        json_t *entry = json_object();
        report_set(&entry, "operator", report_string(group->op_type, strlen(group->op_type)));
        if (*group->domain)
            report_set(&entry, "domain", report_string(group->domain, strlen(group->domain)));
        report_set(&entry, "count", json_integer(group->count));
        report_set(&entry, "from", json_integer(group->from));
        report_set(&entry, "to", json_integer(group->to));
        report_set(&entry, "why", report_string(group->why, strlen(group->why)));
        report_set(&entry, "node", report_string(group->place, strlen(group->place)));
        report_append(&list, entry);
    }
    return list;
}

static enum opshift_status add_options(const struct reaching *reaching, const struct opshift_goal *goal,
                                       const struct conversion_plan *plan, json_t **entry, struct opshift_error *error)
{
    json_t *list = json_array();
    enum opshift_status status =
        list ? unlock_find(reaching->unlock, goal, plan, list, error) : opshift_no_memory(error);
    if (json_array_size(list))
        report_set(entry, "with", list);
    else
        json_decref(list);
    return status;
}

static enum opshift_status add_plan(const struct reaching *reaching, const struct opshift_goal *goal,
                                    const struct conversion_plan *plan, json_t **entry, struct opshift_error *error)
{
    uint32_t blocked = plan_blocker_count(plan), replaced = 0, kinds[REPLACEMENT_KINDS];
    plan_count_replaced(plan, kinds);
    for (size_t i = 0; i < COUNT(kinds); i++)
        replaced += kinds[i];
    report_set(entry, "reachable", json_boolean(blocked == 0));
    if (blocked == 0) {
        report_set(entry, "rewritten_count", json_integer(plan->rewritten_count - replaced));
        report_set(entry, "replaced_count", json_integer(replaced));
        report_set(entry, "assumption_count", json_integer(plan->assumption_count));
        return OPSHIFT_OK;
    }
    struct arena *arena = arena_new(0);
    struct blocker_groups groups = {0};
    enum opshift_status status = arena ? blockers_group(plan, arena, &groups, error) : opshift_no_memory(error);
    report_set(entry, "blocker_count", json_integer(blocked));
    report_set(entry, "blockers", groups_tree(&groups));
    arena_free(arena);
    return status ? status : add_options(reaching, goal, plan, entry, error);
}

/* Plans for one opset of a domain; NULL: ai.onnx. A model that cannot be converted as a whole is no failure. */
static enum opshift_status reach(struct reaching *reaching, const char *domain, int64_t source, int64_t opset,
                                 json_t **list, struct opshift_error *error)
{
    struct conversion_plan *plan = NULL;
    struct opshift_goal goal = *reaching->goal;
    struct opshift_error why;
    struct buffer text = {0};
    json_t *entry = json_object();
    buffer_print(&text, "%s=%" PRId64, domain ? domain : "", opset);
    buffer_add_byte(&text, '\0');
    if (text.failed || entry == NULL) {
        json_decref(entry);
        return opshift_no_memory(error);
    }
    const char *moved = (const char *)text.data;
    goal.opset = domain ? 0 : opset;
    goal.domains = &moved;
    goal.domain_count = domain ? 1 : 0;
    goal.progress = goal.progress ? progress_share : NULL;
    goal.progress_data = reaching;
    report_set(&entry, "opset", json_integer(opset));
    report_set(&entry, "is_source", json_boolean(opset == source));
    enum opshift_status status = plan_new(reaching->model, &goal, &plan, &why);
    if (status == OPSHIFT_NO) {
        report_set(&entry, "reachable", json_false());
        report_set(&entry, "why", report_string(why.text, strlen(why.text)));
        status = OPSHIFT_OK;
    } else if (status == OPSHIFT_OK) {
        status = add_plan(reaching, &goal, plan, &entry, &why);
    }
    plan_free(plan);
    buffer_free(&text);
    report_append(list, entry);
    reaching->done += reaching->share;
    if (status == OPSHIFT_OK && *list == NULL)
        return opshift_no_memory(error);
    return error_give(error, status, &why);
}

/* The newest opset of a domain that has schemas or rules; 0: none, or too many. */
static int64_t newest_of(const struct opshift_rules *rules, const char *domain)
{
    int64_t newest = 0;
    if (schema_knows(domain))
        return schema_newest(domain);
    for (uint32_t i = 0; rules && i < rules->rule_count; i++)
        if (!rules->rules[i].compatible && strcmp(rules->rules[i].domain, domain) == 0 &&
            rules->rules[i].opset > newest)
            newest = rules->rules[i].opset;
    return newest <= OPSETS_MOST ? newest : 0;
}

/* The last import of a domain counts. */
static bool is_last_import(const struct opshift_model *model, uint32_t index)
{
    for (uint32_t i = index + 1; i < model->import_count; i++)
        if (model->imports[i].domain == model->imports[index].domain)
            return false;
    return true;
}

/* The opsets of each other domain that the model imports: {"domain": ..., "opset": ..., "opsets": [...]}. */
static enum opshift_status reach_domains(struct reaching *reaching, json_t **list, struct opshift_error *error)
{
    const struct opshift_model *model = reaching->model;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->import_count; i++) {
        name_id id = model->imports[i].domain;
        const char *domain = names_whole(model->names, id);
        int64_t source = model->imports[i].version;
        int64_t newest = id == NAME_NONE || domain == NULL ? 0 : newest_of(reaching->goal->rules, domain);
        if (newest == 0 || source > newest || !is_last_import(model, i))
            continue;
        json_t *entry = json_object(), *opsets = json_array();
        for (int64_t opset = 1; status == OPSHIFT_OK && opset <= newest; opset++)
            status = reach(reaching, domain, source, opset, &opsets, error);
        report_set(&entry, "domain", report_string(domain, strlen(domain)));
        report_set(&entry, "opset", json_integer(source));
        report_set(&entry, "opsets", opsets);
        report_append(list, entry);
    }
    return status;
}

enum opshift_status opshift_how_far(struct opshift_model *model, const struct opshift_goal *goal,
                                    struct opshift_report **report, struct opshift_error *error)
{
    struct opshift_goal full;
    struct reaching reaching = {.model = model, .goal = &full, .share = 1.0 / OPSHIFT_OPSET_NEWEST};
    json_t *root = json_object(), *list = json_array(), *domains = json_array();
    *report = NULL;
    enum opshift_status status = OPTIONS_COPY(goal, &full, error);
    if (status == OPSHIFT_OK && (reaching.unlock = unlock_new(model)) == NULL)
        status = opshift_no_memory(error);
    for (int64_t opset = 1; status == OPSHIFT_OK && opset <= OPSHIFT_OPSET_NEWEST; opset++)
        status = reach(&reaching, NULL, opshift_model_opset(model), opset, &list, error);
    reaching.share = 0;
    if (status == OPSHIFT_OK)
        status = reach_domains(&reaching, &domains, error);
    unlock_free(reaching.unlock);
    report_set(&root, "kind", json_string("how far"));
    report_set(&root, "version", json_string(opshift_version()));
    report_set(&root, "model", report_string(model->name, strlen(model->name)));
    report_set(&root, "opset", json_integer(opshift_model_opset(model)));
    report_set(&root, "opsets", list);
    if (domains == NULL || json_array_size(domains))
        report_set(&root, "domains", domains);
    else
        json_decref(domains);
    if (status) {
        json_decref(root);
        return opshift_within(error, status, "%.256s", model->name);
    }
    *report = root ? report_new(root, print) : NULL;
    return *report ? OPSHIFT_OK : opshift_no_memory(error);
}
