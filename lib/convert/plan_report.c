/* Makes the report of a plan: rewritten nodes, blockers, assumptions. */
#include "convert/convert.h"

#include <string.h>

#include "convert/account.h"
#include "convert/blockers.h"
#include "convert/domain_moves.h"
#include "model/text.h"

/* State of writing a plan to an account. */
struct reporting {
    const struct conversion_plan *plan;
    struct account *account;
    struct arena *arena; /* reset for each node */
    struct plan_walk at;
};

static enum opshift_status remark_add(struct reporting *reporting, struct remarks *remarks, struct phrase phrase,
                                      struct opshift_error *error)
{
    struct account *account = reporting->account;
    const struct phrase *last = remarks->last ? remarks->last->phrase : NULL;
    struct bytes type = names_bytes(reporting->plan->model->names, reporting->at.node->op_type);
    struct buffer *place = &account->raw;
    place->size = 0;
    node_place_add(reporting->plan->model, reporting->at.graph, reporting->at.node, place);
    if (place->failed)
        return opshift_no_memory(error);
    phrase.words =
        phrase.words ? account_text_like(account, phrase.words, strlen(phrase.words), last ? last->words : NULL) : NULL;
    phrase.operator_type = account_text_like(account, type.data, type.size, last ? last->operator_type : NULL);
    name_id domain = node_domain(reporting->at.node);
    if (domain != NAME_NONE) {
        struct bytes text = names_bytes(reporting->plan->model->names, domain);
        phrase.domain = account_text_like(account, text.data, text.size, last ? last->domain : NULL);
    }
    return account_add(account, remarks, account_text(account, place->data, place->size), &phrase, error);
}

/* A node in textual syntax, cut to one line, without subgraphs, names and doc_string. The text is in the arena.
 * NULL: no memory. */
static const char *node_text(struct arena *arena, struct bytes record)
{
    Onnx__NodeProto shown = ONNX__NODE_PROTO__INIT;
    const Onnx__NodeProto *node = onnx__node_proto__unpack(arena_allocator(arena), record.size, record.data);
    if (node == NULL || (shown.attribute = arena_alloc(arena, node->n_attribute, sizeof(*shown.attribute))) == NULL)
        return NULL;
    shown.has_op_type = 1;
    shown.op_type = node->op_type;
    shown.n_input = node->n_input;
    shown.input = node->input;
    shown.n_output = node->n_output;
    shown.output = node->output;
    for (size_t i = 0; i < node->n_attribute; i++)
        if (!attribute_is_graph(node->attribute[i]->type))
            shown.attribute[shown.n_attribute++] = node->attribute[i];
    struct buffer text = {0};
    text_print_node(&text, &shown);
    while (text.size && text.data[text.size - 1] == '\n')
        text.size--;
    const char *copy = text.failed ? NULL : arena_copy(arena, text.data, text.size);
    buffer_free(&text);
    return copy;
}

static enum opshift_status report_rewritten(struct reporting *reporting, struct opshift_error *error)
{
    const struct conversion_plan *plan = reporting->plan;
    const struct domain_move *move = domain_move_find(plan, node_domain(reporting->at.node));
    struct phrase phrase = {.from = move ? move->source : plan->source, .to = move ? move->target : plan->target};
    struct planned_node found;
    if (reporting->at.entry->replaced)
        phrase.replaced = replacement_kind_name(reporting->at.entry->replaced_as);
    if (reporting->at.entry->words)
        phrase.words = reporting->at.entry->words->became;
    if (phrase.words == NULL) {
        enum opshift_status status =
            plan_find(plan, reporting->at.graph, reporting->at.node, reporting->arena, &found, error);
        if (status)
            return status;
        phrase.words = node_text(reporting->arena, found.records[found.record_count - 1]);
    }
    return remark_add(reporting, &reporting->account->rewritten, phrase, error);
}

static enum opshift_status report_words(struct reporting *reporting, const struct plan_words *words,
                                        struct opshift_error *error)
{
    struct planned_node found = {0};
    enum opshift_status status = plan_words_find(reporting->plan, words, reporting->arena, &found, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < found.note_count; i++)
        status = remark_add(reporting, &reporting->account->notes, (struct phrase){.words = found.notes[i]}, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < found.assumption_count; i++)
        status = remark_add(reporting, &reporting->account->assumptions, (struct phrase){.words = found.assumptions[i]},
                            error);
    return status;
}

static enum opshift_status report_node(struct reporting *reporting, struct opshift_error *error)
{
    const struct plan_entry *entry = reporting->at.entry;
    const struct plan_words *words = entry->words;
    enum opshift_status status = OPSHIFT_OK;
    arena_clear(reporting->arena);
    if (entry->fate == OPSHIFT_BLOCKED && words && words->why)
        status = remark_add(reporting, &reporting->account->blockers,
                            (struct phrase){.from = words->from, .to = words->to, .words = words->why}, error);
    bool changed = entry->fate == OPSHIFT_REWRITTEN || (entry->fate == OPSHIFT_REMOVED && words && words->became);
    if (changed && !reporting->account->brief)
        status = report_rewritten(reporting, error);
    return status == OPSHIFT_OK && words ? report_words(reporting, words, error) : status;
}

static enum opshift_status report_nodes(struct reporting *reporting, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    while (status == OPSHIFT_OK && plan_walk_next(reporting->plan, &reporting->at))
        status = report_node(reporting, error);
    return status;
}

/* Reports blockers grouped by operator and reason. */
static enum opshift_status report_groups(struct reporting *reporting, struct opshift_error *error)
{
    struct account *account = reporting->account;
    struct blocker_groups groups;
    arena_clear(reporting->arena);
    enum opshift_status status = blockers_group(reporting->plan, reporting->arena, &groups, error);
    account->group_counts = arena_alloc(account->arena, status ? 0 : groups.count, sizeof(*account->group_counts));
    if (status == OPSHIFT_OK && account->group_counts == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < groups.count; i++) {
        const struct blocker_group *group = &groups.list[i];
        const struct phrase phrase = {
            .operator_type = account_text(account, group->op_type, strlen(group->op_type)),
            .domain = *group->domain ? account_text(account, group->domain, strlen(group->domain)) : NULL,
            .from = group->from,
            .to = group->to,
            .words = account_text(account, group->why, strlen(group->why))};
        account->group_counts[i] = group->count;
        status = account_add(account, &account->groups, account_text(account, group->place, strlen(group->place)),
                             &phrase, error);
    }
    return status;
}

static enum opshift_status report_model(struct account *account, const struct conversion_plan *plan,
                                        struct opshift_error *error)
{
    const char *name = plan->model->name;
    account->model = account_text(account, name, strlen(name));
    account->source_opset = plan->source;
    account->target_opset = plan->target;
    account->source_ir = plan->model->ir_version;
    account->target_ir = plan->ir_version;
    account->foreign = plan->foreign;
    account->moves = arena_alloc(account->arena, plan->move_count, sizeof(*account->moves));
    if (account->moves == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < plan->move_count; i++) {
        const struct domain_move *move = &plan->moves[i];
        account->moves[account->move_count++] =
            (struct account_move){account_text(account, move->text, strlen(move->text)), move->source, move->target};
        if (account->moves[i].domain == NULL)
            return opshift_no_memory(error);
    }
    account->ir_alone = plan->ir_alone;
    if (plan->ir_note && (account->ir_note = account_text(account, plan->ir_note, strlen(plan->ir_note))) == NULL)
        return opshift_no_memory(error);
    account->nearest_opset = plan->nearest;
    account->ways = arena_alloc(account->arena, json_array_size(plan->options), sizeof(*account->ways));
    if (account->ways == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < json_array_size(plan->options); i++) {
        const char *way = json_string_value(json_array_get(plan->options, i));
        account->ways[account->way_count++] = account_text(account, way, strlen(way));
        if (account->ways[i] == NULL)
            return opshift_no_memory(error);
    }
    account->blocker_count = plan->blocker_count;
    account->rewritten_count = plan->rewritten_count;
    plan_count_replaced(plan, account->replaced_counts);
    account->added_count = plan->added_count;
    account->removed_count = plan->removed_count;
    return account->model ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status plan_report(const struct conversion_plan *plan, bool brief, struct opshift_report **report,
                                struct opshift_error *error)
{
    struct reporting reporting = {.plan = plan, .account = account_new(brief), .arena = arena_new(0)};
    enum opshift_status status = reporting.account && reporting.arena ? OPSHIFT_OK : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = report_model(reporting.account, plan, error);
    if (status == OPSHIFT_OK)
        status = report_nodes(&reporting, error);
    if (status == OPSHIFT_OK && plan->blocker_count)
        status = report_groups(&reporting, error);
    arena_free(reporting.arena);
    if (status) {
        account_free(reporting.account);
        return status;
    }
    *report = account_report(reporting.account);
    return *report ? OPSHIFT_OK : opshift_no_memory(error);
}
