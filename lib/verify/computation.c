/* Asks the value graphs (lib/equal) whether both models compute the same, where the plan does not explain the second
 * one; what else differs is then a change, and no difference. */
#include "verify/certificate.h"
#include "verify/piece_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "equal/equal.h"

/* Nodes of a side that an entry lists. */
#define REGION_NODES_MAX 64u
/* Operators of a side that a line names. */
#define NODES_SHOWN 4u

/* Have both models the same opset of each domain? Then no rule makes one of the other. */
static bool opsets_are_same(const struct opshift_model *before, const struct opshift_model *after)
{
    bool same = true;
    for (uint32_t i = 0; same && i < before->import_count; i++) {
        struct bytes domain = names_bytes(before->names, before->imports[i].domain);
        name_id there;
        same = names_find(after->names, domain.data, domain.size, &there) &&
               graph_opset(after, after->main, there) == before->imports[i].version;
    }
    return same;
}

/* Has each changed node of the main graphs a counterpart of the same operator? Then the nodes themselves are compared.
 */
static bool nodes_correspond(const struct comparison *comparison)
{
    struct graph *before = comparison->before.model->main, *after = comparison->after.model->main;
    bool all = before->node_count == after->node_count;
    for (uint32_t i = 0; all && i < before->node_count; i++) {
        const struct node *node = &before->nodes[i];
        if (!comparison->before.changed[before->number][i])
            continue;
        const struct node *partner = match_partner(&comparison->before, node, &comparison->after, after);
        all = partner != NULL && bytes_same(names_bytes(comparison->before.model->names, node->op_type),
                                            names_bytes(comparison->after.model->names, partner->op_type));
    }
    return all;
}

static bool anything_changed(const struct comparison *comparison)
{
    bool changed = json_array_size(comparison->differences) > 0;
    const struct opshift_model *models[] = {comparison->before.model, comparison->after.model};
    bool *const *marks[] = {comparison->before.changed, comparison->after.changed};
    for (int side = 0; side < 2; side++)
        for (uint32_t g = 0; g < models[side]->graph_count && !changed; g++)
            for (uint32_t i = 0; marks[side][g] != NULL && i < models[side]->graphs[g]->node_count && !changed; i++)
                changed = marks[side][g][i];
    return changed;
}

/* ---- the report ---- */

static enum verdict verdict_of(enum equal_verdict verdict)
{
    static const enum verdict verdicts[] = {VERDICT_PROVED, VERDICT_ROUNDING, VERDICT_TESTED, VERDICT_DIFFERS,
                                            VERDICT_NOT_SHOWN};
    return verdicts[verdict];
}

/* The node that stands for a region: the last of the first model, else of the second. */
static const struct node_use *head_of(const struct equal_region *region)
{
    int side = region->use_count[0] > 0 ? 0 : 1;
    return region->use_count[side] > 0 ? region->uses[side][region->use_count[side] - 1] : NULL;
}

/* The nodes of a side, the last of them if there are too many; returns how many are left out. */
static uint32_t nodes_of(const struct equal_region *region, int side, const struct node_use **uses, uint32_t most,
                         uint32_t *count)
{
    uint32_t left = region->use_count[side];
    *count = 0;
    for (; left > 0 && *count < most; left--) {
        const struct node_use *use = region->uses[side][left - 1];
        if (*count == 0 || equal_node(uses[*count - 1]) != equal_node(use))
            uses[(*count)++] = use;
    }
    for (uint32_t i = 0; i < *count / 2; i++) {
        const struct node_use *use = uses[i];
        uses[i] = uses[*count - 1 - i];
        uses[*count - 1 - i] = use;
    }
    return left;
}

static json_t *nodes_json(const struct equal_region *region, int side)
{
    const struct node_use *uses[REGION_NODES_MAX];
    json_t *list = json_array();
    uint32_t count;
    nodes_of(region, side, uses, REGION_NODES_MAX, &count);
    for (uint32_t i = 0; i < count; i++)
        report_append(&list, certificate_node(equal_model(uses[i]), equal_node(uses[i])));
    return list;
}

/* "Conv, BatchNormalization -> Conv: ..." */
static const char *detail_of(struct comparison *comparison, const struct equal_region *region)
{
    struct buffer words = {0};
    for (int side = 0; side < 2; side++) {
        const struct node_use *uses[NODES_SHOWN];
        uint32_t count, left = nodes_of(region, side, uses, NODES_SHOWN, &count);
        for (uint32_t i = 0; i < count; i++)
            buffer_print(&words, "%s%s", i > 0 ? ", " : "",
                         names_text(equal_model(uses[i])->names, equal_node(uses[i])->op_type));
        if (left > 0)
            buffer_print(&words, " and %u before", left);
        buffer_add_text(&words, count == 0 ? "constants" : "");
        buffer_add_text(&words, side == 0 ? " -> " : "");
    }
    buffer_print(&words, ": %s", region->why);
    const char *text = words.failed ? NULL : arena_copy(comparison->arena, words.data, words.size);
    buffer_free(&words);
    return text;
}

static enum opshift_status region_list(struct comparison *comparison, const struct equal_region *region,
                                       const char *place, struct opshift_error *error)
{
    const struct node_use *head = head_of(region);
    const struct node *node = head == NULL ? NULL : equal_node(head);
    const char *operator= node == NULL ? "" : names_text(equal_model(head)->names, node->op_type);
    const char *why = detail_of(comparison, region);
    char seed[24];
    snprintf(seed, sizeof(seed), "%" PRIu64, comparison->options->seed);
    if (why == NULL)
        return opshift_no_memory(error);
    json_t *entry = json_pack(
        "{s:o,s:o,s:s,s:o,s:s,s:I,s:[],s:[],s:{s:o,s:o}}", "node", report_string(place, strlen(place)), "operator",
        report_string(operator, strlen(operator)), "verdict", verdict_name(verdict_of(region->verdict)), "why",
        report_string(why, strlen(why)), "seed", seed, "runs", (json_int_t)region->runs, "types", "shapes", "nodes",
        "before", nodes_json(region, 0), "after", nodes_json(region, 1));
    if (entry != NULL && region->types != NULL)
        json_array_append_new(json_object_get(entry, "shapes"), json_string(region->types));
    if (entry != NULL && region->absolute > 0) {
        report_set(&entry, "absolute", json_real(region->absolute));
        report_set(&entry, "relative", json_real(region->relative));
        report_set(&entry, "bound", json_real(region->bound));
    }
    return json_array_append_new(comparison->pieces, entry) ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status region_report(struct comparison *comparison, const struct equal_region *region,
                                         struct opshift_error *error)
{
    const struct node_use *head = head_of(region);
    const char *place = head == NULL
                            ? arena_print(comparison->arena, "value '%s'", region->output ? region->output : "")
                            : equal_place(head);
    if (place == NULL)
        return opshift_no_memory(error);
    comparison->counts[verdict_of(region->verdict)]++;
    comparison->piece_count++;
    if (!comparison->options->brief)
        return region_list(comparison, region, place, error);
    const char *why = detail_of(comparison, region);
    struct buffer *detail = &comparison->detail;
    detail->size = 0;
    if (why == NULL)
        return opshift_no_memory(error);
    if (report_detail(why, verdict_name(verdict_of(region->verdict)), (json_int_t)region->runs, detail) &&
        region->types != NULL)
        buffer_print(detail, ": %s", region->types);
    buffer_add_byte(detail, '\0');
    if (detail->failed)
        return opshift_no_memory(error);
    piece_rows_add(comparison->rows, place, verdict_name(verdict_of(region->verdict)), (const char *)detail->data);
    return OPSHIFT_OK;
}

/* What was found of single nodes gives way to what was found of regions. */
static enum opshift_status answer_take(struct comparison *comparison, const struct equal_answer *answer,
                                       struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    piece_rows_free(comparison->rows);
    comparison->rows = comparison->options->brief ? piece_rows_new(comparison->options->verbose) : NULL;
    json_array_clear(comparison->pieces);
    json_array_clear(comparison->kept);
    comparison->kept_groups = NULL;
    comparison->piece_count = 0;
    memset(comparison->counts, 0, sizeof(comparison->counts));
    comparison->counts[VERDICT_PROVED] = answer->proved;
    json_decref(comparison->changes);
    comparison->changes = json_array();
    if (comparison->changes == NULL || json_array_extend(comparison->changes, comparison->differences) != 0)
        return opshift_no_memory(error);
    json_array_clear(comparison->differences);
    if (json_array_extend(comparison->changes, comparison->unknown) != 0)
        return opshift_no_memory(error);
    json_array_clear(comparison->unknown);
    for (const struct equal_region *region = answer->regions; region != NULL && status == OPSHIFT_OK;
         region = region->next)
        status = region_report(comparison, region, error);
    return status;
}

static bool computation_progress(void *data, double done)
{
    const struct comparison *comparison = data;
    (void)done;
    return comparison->options->progress(comparison->options->progress_data, 0.5);
}

/* ---- which became which, and what differs ---- */

static json_t *places_json(const struct equal_group *group, int side)
{
    json_t *list = json_array();
    const struct node *last = NULL;
    for (uint32_t i = 0; i < group->use_count[side]; i++) {
        const struct node_use *use = group->uses[side][i];
        const char *place = equal_node(use) == last ? NULL : equal_place(use);
        if (equal_node(use) != last)
            report_append(&list, place == NULL ? NULL : report_string(place, strlen(place)));
        last = equal_node(use);
    }
    return list;
}

static json_t *map_json(const struct equal_answer *answer)
{
    json_t *list = json_array();
    for (const struct equal_group *group = answer->map; group != NULL; group = group->next) {
        json_t *entry = json_pack("{s:o,s:o}", "before", places_json(group, 0), "after", places_json(group, 1));
        if (entry != NULL && group->is_constant)
            report_set(&entry, "constant", json_true());
        report_append(&list, entry);
    }
    return list;
}

static json_t *reduced_json(const struct equal_answer *answer, const char *directory)
{
    if (answer->reduced == NULL)
        return json_pack("{s:s}", "why",
                         answer->not_reduced != NULL ? answer->not_reduced
                         : answer->why != NULL       ? answer->why
                                                     : "no region that was run differs");
    const struct node_use *head = head_of(answer->reduced);
    const char *place = head == NULL ? answer->reduced->output : equal_place(head);
    return json_pack("{s:o,s:o,s:[s,s,s]}", "directory", report_string(directory, strlen(directory)), "region",
                     place == NULL ? NULL : report_string(place, strlen(place)), "files", "before.onnx", "after.onnx",
                     "inputs.npz");
}

/* Keeps what was asked for beside the answer. */
static enum opshift_status more_take(struct comparison *comparison, const struct equal_answer *answer,
                                     struct opshift_error *error)
{
    const struct opshift_verify_options *options = comparison->options;
    if (options->map && comparison->map == NULL && (comparison->map = map_json(answer)) == NULL)
        return opshift_no_memory(error);
    if (options->reduce != NULL && answer->verdict >= EQUAL_DIFFERS && comparison->reduced == NULL &&
        (comparison->reduced = reduced_json(answer, options->reduce)) == NULL)
        return opshift_no_memory(error);
    return OPSHIFT_OK;
}

static enum opshift_status ask(struct comparison *comparison, struct equal_answer *answer, struct opshift_error *error)
{
    const struct side *sides[] = {&comparison->before, &comparison->after};
    const struct opshift_verify_options *options = comparison->options;
    struct equal_side *both = arena_alloc(comparison->arena, 2, sizeof(*both)); /* the answer refers to them */
    struct equal_options how = {.rules = comparison->rules,
                                .seed = options->seed,
                                .freeze_initializers = options->freeze_initializers,
                                .exact = options->exact,
                                .map = options->map,
                                .reduce = options->reduce,
                                .memory = options->memory,
                                .steps = options->steps,
                                .progress = options->progress ? computation_progress : NULL,
                                .progress_data = comparison};
    if (both == NULL)
        return opshift_no_memory(error);
    for (int i = 0; i < 2; i++)
        both[i] = (struct equal_side){sides[i]->model, sides[i]->scopes, sides[i]->types, sides[i]->fold, false};
    return equal_compare(both, &how, comparison->arena, answer, error);
}

/* A file that cannot be read is told by what compares files. */
static enum opshift_status ask_or_not(struct comparison *comparison, struct equal_answer *answer, bool *asked,
                                      struct opshift_error *error)
{
    struct opshift_error why = {0};
    enum opshift_status status = ask(comparison, answer, &why);
    *asked = status == OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = error_give(&why, answer->not_written.status, &answer->not_written);
    else if (status == OPSHIFT_IO)
        return OPSHIFT_OK;
    return status == OPSHIFT_OK ? more_take(comparison, answer, error) : error_give(error, status, &why);
}

static bool may_ask(const struct comparison *comparison)
{
    const struct opshift_given *given = comparison->options->given;
    return comparison->options->computation && json_array_size(comparison->invalid) == 0 &&
           (given == NULL || given->shape_count + given->dim_count == 0);
}

/* Takes the answer where both compute the same, or where no node corresponds to what differs. */
static enum opshift_status decide(struct comparison *comparison, enum equal_verdict weakest, bool *decided,
                                  struct opshift_error *error)
{
    struct equal_answer answer = {0};
    bool asked = false;
    comparison->asked = true;
    enum opshift_status status = ask_or_not(comparison, &answer, &asked, error);
    *decided = status == OPSHIFT_OK && asked &&
               (answer.verdict < EQUAL_DIFFERS ||
                (answer.verdict <= weakest && answer.regions != NULL && !nodes_correspond(comparison)));
    return *decided ? answer_take(comparison, &answer, error) : status;
}

enum opshift_status computation_first(struct comparison *comparison, bool *decided, struct opshift_error *error)
{
    bool ask_now = may_ask(comparison) && opsets_are_same(comparison->before.model, comparison->after.model) &&
                   anything_changed(comparison);
    *decided = false;
    return ask_now ? decide(comparison, EQUAL_NOT_SHOWN, decided, error) : OPSHIFT_OK;
}

enum opshift_status computation_last(struct comparison *comparison, bool *decided, struct opshift_error *error)
{
    *decided = false;
    return may_ask(comparison) && !comparison->asked ? decide(comparison, EQUAL_DIFFERS, decided, error) : OPSHIFT_OK;
}

enum opshift_status computation_more(struct comparison *comparison, struct opshift_error *error)
{
    const struct opshift_verify_options *options = comparison->options;
    bool differs = json_array_size(comparison->differences) + comparison->counts[VERDICT_DIFFERS] > 0;
    bool wanted = options->map || (options->reduce != NULL && differs);
    struct equal_answer answer = {0};
    bool asked = false;
    return wanted && !comparison->asked ? ask_or_not(comparison, &answer, &asked, error) : OPSHIFT_OK;
}
