/* Makes the report of a plan: rewritten nodes, blockers, assumptions. */
#include "convert/convert.h"

#include <string.h>

#include "convert/conversion_report.h"
#include "convert/blockers.h"
#include "convert/domain_moves.h"
#include "model/text.h"

/* State of writing a plan to the report. */
struct reporting {
    const struct conversion_plan *plan;
    struct conversion_report *conversion;
    struct arena *arena; /* reset for each node */
    struct plan_walk at;
};

static enum opshift_status remark_add(struct reporting *reporting, struct remarks *remarks,
                                      struct remark_message message, struct opshift_error *error)
{
    struct conversion_report *conversion = reporting->conversion;
    const struct remark_message *last = remarks->last ? remarks->last->message : NULL;
    struct bytes type = names_bytes(reporting->plan->model->names, reporting->at.node->op_type);
    struct buffer *place = &conversion->raw;
    place->size = 0;
    node_place_add(reporting->plan->model, reporting->at.graph, reporting->at.node, place);
    if (place->failed)
        return opshift_no_memory(error);
    message.words = message.words ? conversion_report_text_like(conversion, message.words, strlen(message.words),
                                                                last ? last->words : NULL)
                                  : NULL;
    message.operator_type =
        conversion_report_text_like(conversion, type.data, type.size, last ? last->operator_type : NULL);
    name_id domain = node_domain(reporting->at.node);
    if (domain != NAME_NONE) {
        struct bytes text = names_bytes(reporting->plan->model->names, domain);
        message.domain = conversion_report_text_like(conversion, text.data, text.size, last ? last->domain : NULL);
    }
    return conversion_report_add(conversion, remarks, conversion_report_text(conversion, place->data, place->size),
                                 &message, error);
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
    struct remark_message message = {.from = move ? move->source : plan->source,
                                     .to = move ? move->target : plan->target};
    struct planned_node found;
    if (reporting->at.entry->replaced)
        message.replaced = replacement_kind_name(reporting->at.entry->replaced_as);
    if (reporting->at.entry->words)
        message.words = reporting->at.entry->words->became;
    if (message.words == NULL) {
        enum opshift_status status =
            plan_find(plan, reporting->at.graph, reporting->at.node, reporting->arena, &found, error);
        if (status)
            return status;
        message.words = node_text(reporting->arena, found.records[found.record_count - 1]);
    }
    return remark_add(reporting, &reporting->conversion->rewritten, message, error);
}

static enum opshift_status report_words(struct reporting *reporting, const struct plan_words *words,
                                        struct opshift_error *error)
{
    struct planned_node found = {0};
    enum opshift_status status = plan_words_find(reporting->plan, words, reporting->arena, &found, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < found.note_count; i++)
        status = remark_add(reporting, &reporting->conversion->notes, (struct remark_message){.words = found.notes[i]},
                            error);
    for (size_t i = 0; status == OPSHIFT_OK && i < found.assumption_count; i++)
        status = remark_add(reporting, &reporting->conversion->assumptions,
                            (struct remark_message){.words = found.assumptions[i]}, error);
    return status;
}

static enum opshift_status report_node(struct reporting *reporting, struct opshift_error *error)
{
    const struct plan_entry *entry = reporting->at.entry;
    const struct plan_words *words = entry->words;
    enum opshift_status status = OPSHIFT_OK;
    arena_clear(reporting->arena);
    if (entry->fate == OPSHIFT_BLOCKED && words && words->why)
        status = remark_add(reporting, &reporting->conversion->blockers,
                            (struct remark_message){.from = words->from, .to = words->to, .words = words->why}, error);
    bool changed = entry->fate == OPSHIFT_REWRITTEN || (entry->fate == OPSHIFT_REMOVED && words && words->became);
    if (changed && !reporting->conversion->brief)
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
    struct conversion_report *conversion = reporting->conversion;
    struct blocker_groups groups;
    arena_clear(reporting->arena);
    enum opshift_status status = blockers_group(reporting->plan, reporting->arena, &groups, error);
    conversion->group_counts =
        arena_alloc(conversion->arena, status ? 0 : groups.count, sizeof(*conversion->group_counts));
    if (status == OPSHIFT_OK && conversion->group_counts == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < groups.count; i++) {
        const struct blocker_group *group = &groups.list[i];
        const struct remark_message message = {
            .operator_type = conversion_report_text(conversion, group->op_type, strlen(group->op_type)),
            .domain = *group->domain ? conversion_report_text(conversion, group->domain, strlen(group->domain)) : NULL,
            .from = group->from,
            .to = group->to,
            .words = conversion_report_text(conversion, group->why, strlen(group->why))};
        conversion->group_counts[i] = group->count;
        status = conversion_report_add(conversion, &conversion->groups,
                                       conversion_report_text(conversion, group->place, strlen(group->place)), &message,
                                       error);
    }
    return status;
}

static enum opshift_status report_model(struct conversion_report *conversion, const struct conversion_plan *plan,
                                        struct opshift_error *error)
{
    const char *name = plan->model->name;
    conversion->model = conversion_report_text(conversion, name, strlen(name));
    conversion->source_opset = plan->source;
    conversion->target_opset = plan->target;
    conversion->source_ir = plan->model->ir_version;
    conversion->target_ir = plan->ir_version;
    conversion->foreign = plan->foreign;
    conversion->moves = arena_alloc(conversion->arena, plan->move_count, sizeof(*conversion->moves));
    if (conversion->moves == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < plan->move_count; i++) {
        const struct domain_move *move = &plan->moves[i];
        conversion->moves[conversion->move_count++] = (struct conversion_report_move){
            conversion_report_text(conversion, move->text, strlen(move->text)), move->source, move->target};
        if (conversion->moves[i].domain == NULL)
            return opshift_no_memory(error);
    }
    conversion->ir_alone = plan->ir_alone;
    if (plan->ir_note &&
        (conversion->ir_note = conversion_report_text(conversion, plan->ir_note, strlen(plan->ir_note))) == NULL)
        return opshift_no_memory(error);
    conversion->nearest_opset = plan->nearest;
    conversion->options = arena_alloc(conversion->arena, json_array_size(plan->options), sizeof(*conversion->options));
    if (conversion->options == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < json_array_size(plan->options); i++) {
        const char *way = json_string_value(json_array_get(plan->options, i));
        conversion->options[conversion->option_count++] = conversion_report_text(conversion, way, strlen(way));
        if (conversion->options[i] == NULL)
            return opshift_no_memory(error);
    }
    conversion->blocker_count = plan->blocker_count;
    conversion->rewritten_count = plan->rewritten_count;
    plan_count_replaced(plan, conversion->replaced_counts);
    conversion->added_count = plan->added_count;
    conversion->removed_count = plan->removed_count;
    return conversion->model ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status plan_report(const struct conversion_plan *plan, bool brief, struct opshift_report **report,
                                struct opshift_error *error)
{
    struct reporting reporting = {.plan = plan, .conversion = conversion_report_new(brief), .arena = arena_new(0)};
    enum opshift_status status = reporting.conversion && reporting.arena ? OPSHIFT_OK : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = report_model(reporting.conversion, plan, error);
    if (status == OPSHIFT_OK)
        status = report_nodes(&reporting, error);
    if (status == OPSHIFT_OK && plan->blocker_count)
        status = report_groups(&reporting, error);
    arena_free(reporting.arena);
    if (status) {
        conversion_report_free(reporting.conversion);
        return status;
    }
    *report = conversion_report_finish(reporting.conversion);
    return *report ? OPSHIFT_OK : opshift_no_memory(error);
}
