/* The opsets that a model can reach: a plan for each, and the blockers of the others. */
#include <inttypes.h>
#include <string.h>

#include "base/option_struct.h"
#include "base/report.h"
#include "convert/blockers.h"
#include "convert/convert.h"

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void print_group(const json_t *group, struct buffer *out)
{
    json_int_t count = json_integer_value(json_object_get(group, "count"));
    json_int_t from = json_integer_value(json_object_get(group, "from"));
    json_int_t to = json_integer_value(json_object_get(group, "to"));
    buffer_print(out, "%" JSON_INTEGER_FORMAT " %s", count, report_text_of(group, "operator"));
    if (from != to)
        buffer_print(out, ", opset %" JSON_INTEGER_FORMAT " to %" JSON_INTEGER_FORMAT, from, to);
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

/* Prints a range of opsets with equal results. */
static void print_opsets(const json_t *entry, json_int_t first, json_int_t last, struct report_table *table,
                         struct buffer *words)
{
    char opsets[48];
    bool reachable = json_is_true(json_object_get(entry, "reachable"));
    const json_t *blockers = json_object_get(entry, "blockers"), *group, *option;
    size_t i;
    snprintf(opsets, sizeof(opsets),
             first == last ? "%" JSON_INTEGER_FORMAT : "%" JSON_INTEGER_FORMAT "-%" JSON_INTEGER_FORMAT, first, last);
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
        buffer_print(words, "reachable with %s", json_string_value(option));
        add_row(table, "", "", words);
    }
}

static void print(const json_t *root, struct buffer *out)
{
    static const char *const heads[] = {"OPSET", "REACHABLE", "WHAT IS DONE, OR IN THE WAY"};
    struct report_table *table = report_table_new(COUNT(heads), heads);
    const json_t *list = json_object_get(root, "opsets");
    struct buffer words = {0};
    for (size_t first = 0, last; first < json_array_size(list); first = last + 1) {
        const json_t *entry = json_array_get(list, first);
        for (last = first; last + 1 < json_array_size(list) && is_same(entry, json_array_get(list, last + 1)); last++)
            ;
        print_opsets(entry, json_integer_value(json_object_get(entry, "opset")),
                     json_integer_value(json_object_get(json_array_get(list, last), "opset")), table, &words);
    }
    out->failed |= words.failed;
    buffer_free(&words);
    report_table_print(table, out);
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */

/* State of planning for all opsets. */
struct reaching {
    struct opshift_model *model;
    const struct opshift_goal *goal;
    double done; /* progress before the current plan */
};

#define SHARE (1.0 / OPSHIFT_OPSET_NEWEST)

static bool progress_share(void *data, double done)
{
    const struct reaching *reaching = data;
    return reaching->goal->progress(reaching->goal->progress_data, reaching->done + SHARE * done);
}

static json_t *groups_tree(const struct blocker_groups *groups)
{
    json_t *list = json_array();
    for (size_t i = 0; i < groups->count; i++) {
        const struct blocker_group *group = &groups->list[i];
        json_t *entry = json_object();
        report_set(&entry, "operator", report_string(group->op_type, strlen(group->op_type)));
        report_set(&entry, "count", json_integer(group->count));
        report_set(&entry, "from", json_integer(group->from));
        report_set(&entry, "to", json_integer(group->to));
        report_set(&entry, "why", report_string(group->why, strlen(group->why)));
        report_set(&entry, "node", report_string(group->place, strlen(group->place)));
        report_append(&list, entry);
    }
    return list;
}

static uint32_t count_replaced(const struct conversion_plan *plan)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < plan->model->graph_count; g++) {
        const struct graph *graph = plan->model->graphs[g];
        for (uint32_t i = 0; plan->graphs[g] && i < graph->node_count; i++) {
            const struct plan_entry *entry = plan_entry_find(plan, graph, &graph->nodes[i]);
            count += entry && entry->fate == NODE_REWRITTEN && entry->replaced;
        }
    }
    return count;
}

/* Adds an option that is not given to the list, if the opset can be reached with it. */
static enum opshift_status try_option(const struct reaching *reaching, struct opshift_goal goal, const char *option,
                                      json_t **list, struct opshift_error *error)
{
    struct conversion_plan *plan = NULL;
    enum opshift_status status = plan_new(reaching->model, &goal, &plan, error);
    if (status == OPSHIFT_OK && plan_blocker_count(plan) == 0)
        report_append(list, json_string(option));
    plan_free(plan);
    return status;
}

static enum opshift_status add_options(const struct reaching *reaching, const struct opshift_goal *goal, json_t **entry,
                                       struct opshift_error *error)
{
    json_t *list = json_array();
    struct opshift_goal other = *goal;
    enum opshift_status status = OPSHIFT_OK;
    other.allow_approximate = true;
    if (!goal->allow_approximate)
        status = try_option(reaching, other, "--allow-approximate", &list, error);
    other = *goal;
    other.freeze_initializers = true;
    if (status == OPSHIFT_OK && !goal->freeze_initializers)
        status = try_option(reaching, other, "--freeze-initializers", &list, error);
    if (list == NULL || json_array_size(list))
        report_set(entry, "with", list);
    else
        json_decref(list);
    return status;
}

static enum opshift_status add_plan(const struct reaching *reaching, const struct opshift_goal *goal,
                                    const struct conversion_plan *plan, json_t **entry, struct opshift_error *error)
{
    uint32_t blocked = plan_blocker_count(plan), replaced = count_replaced(plan);
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
    return status ? status : add_options(reaching, goal, entry, error);
}

/* Plans for one opset. A model that cannot be converted as a whole is no failure. */
static enum opshift_status reach(struct reaching *reaching, int64_t opset, json_t **list, struct opshift_error *error)
{
    struct conversion_plan *plan = NULL;
    struct opshift_goal goal = *reaching->goal;
    struct opshift_error why;
    json_t *entry = json_object();
    goal.opset = opset;
    goal.progress = goal.progress ? progress_share : NULL;
    goal.progress_data = reaching;
    report_set(&entry, "opset", json_integer(opset));
    report_set(&entry, "is_source", json_boolean(opset == opshift_model_opset(reaching->model)));
    enum opshift_status status = plan_new(reaching->model, &goal, &plan, &why);
    if (status == OPSHIFT_NO) {
        report_set(&entry, "reachable", json_false());
        report_set(&entry, "why", report_string(why.text, strlen(why.text)));
        status = OPSHIFT_OK;
    } else if (status == OPSHIFT_OK) {
        goal.progress = NULL;
        status = add_plan(reaching, &goal, plan, &entry, &why);
    }
    plan_free(plan);
    report_append(list, entry);
    return error_give(error, status, &why);
}

enum opshift_status opshift_how_far(struct opshift_model *model, const struct opshift_goal *goal,
                                    struct opshift_report **report, struct opshift_error *error)
{
    struct opshift_goal full;
    struct reaching reaching = {.model = model, .goal = &full};
    json_t *root = json_object(), *list = json_array();
    *report = NULL;
    enum opshift_status status = OPTIONS_COPY(goal, &full, error);
    for (int64_t opset = 1; status == OPSHIFT_OK && opset <= OPSHIFT_OPSET_NEWEST; opset++) {
        status = reach(&reaching, opset, &list, error);
        reaching.done += SHARE;
    }
    report_set(&root, "kind", json_string("how far"));
    report_set(&root, "version", json_string(opshift_version()));
    report_set(&root, "model", report_string(model->name, strlen(model->name)));
    report_set(&root, "opset", json_integer(opshift_model_opset(model)));
    report_set(&root, "opsets", list);
    if (status) {
        json_decref(root);
        return opshift_within(error, status, "%.256s", model->name);
    }
    *report = root ? report_new(root, print) : NULL;
    return *report ? OPSHIFT_OK : opshift_no_memory(error);
}
