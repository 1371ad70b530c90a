/* Puts into the plan what a conversion decides. */
#include <stdlib.h>
#include <string.h>

#include "convert/convert.h"
#include "convert/record.h"

/* How many records there are in bytes that hold nothing else. */
static uint32_t count_records(struct bytes nodes)
{
    uint32_t count = 0;
    const uint8_t *at = nodes.data, *end = nodes.data + nodes.size;
    while (at != end) {
        size_t size = 0;
        unsigned shift = 0;
        do {
            size |= (size_t)(*++at & 0x7f) << shift;
            shift += 7;
        } while (*at & 0x80);
        at += 1 + size;
        count++;
    }
    return count;
}

enum opshift_status plan_rewritten(struct conversion *conversion, const struct draft *draft, struct bytes nodes,
                                   struct opshift_error *error)
{
    struct conversion_plan *plan = conversion->plan;
    if (plan == NULL)
        return OPSHIFT_OK;
    struct plan_entry *entry = plan_entry_add(plan, draft->graph, draft->node);
    if (entry == NULL)
        return opshift_no_memory(error);
    entry->fate = NODE_REWRITTEN;
    entry->records = plan->records.size;
    entry->record_count = count_records(nodes);
    entry->origin = plan_origin_find(plan, conversion->files, conversion->file_count);
    buffer_add(&plan->records, nodes.data, nodes.size);
    for (size_t at = 0; at < conversion->read_constants.size; at += sizeof(const struct plan_constant *)) {
        const struct plan_constant *constant;
        memcpy(&constant, conversion->read_constants.data + at, sizeof(constant));
        if (!plan_entry_reads(plan, entry, constant))
            return opshift_no_memory(error);
    }
    enum opshift_status status = OPSHIFT_OK;
    if (!draft->slices && !draft->sequence) {
        status = record_write(draft, &plan->records, error);
        entry->record_count++;
    }
    entry->size = (uint32_t)(plan->records.size - entry->records);
    return status || (entry->origin && !plan->records.failed) ? status : opshift_no_memory(error);
}

enum opshift_status plan_removed(struct conversion *conversion, const struct graph *graph, const struct node *node,
                                 struct opshift_error *error)
{
    struct plan_entry *entry = conversion->plan ? plan_entry_add(conversion->plan, graph, node) : NULL;
    if (entry)
        entry->fate = NODE_REMOVED;
    return entry || conversion->plan == NULL ? OPSHIFT_OK : opshift_no_memory(error);
}

/* NULL: no memory. */
static struct plan_words *words_of(struct conversion_plan *plan, const struct graph *graph, const struct node *node)
{
    struct plan_entry *entry = plan_entry_add(plan, graph, node);
    return entry ? plan_words_of(plan, entry) : NULL;
}

enum opshift_status plan_blocked(struct conversion *conversion, const struct graph *graph, const struct node *node,
                                 int64_t from, int64_t to, const char *why, struct opshift_error *error)
{
    struct conversion_plan *plan = conversion->plan;
    struct plan_words *words = plan ? words_of(plan, graph, node) : NULL;
    if (plan == NULL)
        return OPSHIFT_OK;
    if (words)
        words->why = arena_copy(plan->arena, why, strlen(why));
    if (words == NULL || words->why == NULL)
        return opshift_no_memory(error);
    words->from = from;
    words->to = to;
    plan_entry_add(plan, graph, node)->fate = NODE_BLOCKED;
    return OPSHIFT_OK;
}

enum opshift_status plan_said(struct conversion *conversion, enum said said, const struct graph *graph,
                              const struct node *node, const char *text, struct opshift_error *error)
{
    struct conversion_plan *plan = conversion->plan;
    struct plan_words *words = plan ? words_of(plan, graph, node) : NULL;
    if (plan == NULL)
        return OPSHIFT_OK;
    if (words && plan_text_add(plan, said == SAID_DOUBT ? &words->assumptions : &words->notes, text))
        return OPSHIFT_OK;
    return opshift_no_memory(error);
}
