/* Listens to what the rules and checks of a node ask of its surroundings, and asks the same of another node. */
#include "convert/twin_parts.h"

#include <stdlib.h>

#define CONSTANT_MAX 1024u /* bytes of one that is kept */

static bool listens(const struct twins *twins)
{
    return twins->subject.plain && !twins->lost;
}

static void hear(struct twins *twins, const struct draft *draft, name_id name, enum opshift_status status,
                 struct question heard)
{
    const struct node *node = draft->node;
    uint32_t count = node->input_count + node->output_count;
    for (heard.position = 0; heard.position < count && node->names[heard.position] != name;)
        heard.position++;
    for (uint32_t i = 0; i < twins->heard_count; i++)
        if (twins->heard[i].kind == heard.kind && twins->heard[i].position == heard.position)
            return;
    bool comparable = heard.kind == ASKED_CONSTANT
                          ? heard.constant && heard.constant->type != OPSHIFT_TYPE_STRING &&
                                type_size(heard.constant->type, heard.constant->count) <= CONSTANT_MAX
                          : heard.type.other == NULL && heard.type.rank <= (int32_t)TENSOR_RANK_MAX;
    if (status || heard.position == count || !comparable || twins->heard_count == TWIN_QUESTIONS_MAX)
        twins->lost = true;
    else
        twins->heard[twins->heard_count++] = heard;
}

static enum opshift_status hear_constant(void *data, const struct draft *draft, name_id name,
                                         const struct tensor **tensor, const char **why, struct opshift_error *error)
{
    struct twins *twins = data;
    enum opshift_status status = twins->facts.constant(twins->facts.data, draft, name, tensor, why, error);
    if (listens(twins))
        hear(twins, draft, name, status,
             (struct question){.kind = ASKED_CONSTANT, .constant = status ? NULL : *tensor});
    return status;
}

static enum opshift_status hear_type(void *data, const struct draft *draft, name_id name, struct value_type *type,
                                     struct opshift_error *error)
{
    struct twins *twins = data;
    enum opshift_status status = twins->facts.type(twins->facts.data, draft, name, type, error);
    if (listens(twins))
        hear(twins, draft, name, status, (struct question){.kind = ASKED_TYPE, .type = *type});
    return status;
}

static enum opshift_status hear_declared(void *data, const struct draft *draft, name_id name, struct value_type *type,
                                         struct opshift_error *error)
{
    struct twins *twins = data;
    enum opshift_status status = twins->facts.declared(twins->facts.data, draft, name, type, error);
    if (listens(twins))
        hear(twins, draft, name, status, (struct question){.kind = ASKED_DECLARED, .type = *type});
    return status;
}

/* What a function's attribute gives is another value in each function: only where it gives none are nodes alike. */
static enum opshift_status hear_reference(void *data, const struct draft *draft, name_id name, struct bytes *reference,
                                          struct opshift_error *error)
{
    struct twins *twins = data;
    enum opshift_status status = twins->facts.reference(twins->facts.data, draft, name, reference, error);
    if (status == OPSHIFT_OK && reference->size > 0)
        twins->lost = true;
    if (listens(twins))
        hear(twins, draft, name, status, (struct question){.kind = ASKED_REFERENCE});
    return status;
}

static enum opshift_status lose_parameter(void *data, const struct draft *draft, struct bytes name,
                                          struct draft_parameter *parameter, struct opshift_error *error)
{
    struct twins *twins = data;
    twins->lost = true;
    return twins->facts.parameter(twins->facts.data, draft, name, parameter, error);
}

enum opshift_status twins_open(struct conversion *conversion, struct opshift_error *error)
{
    const struct opshift_goal *goal = conversion->goal;
    if (report_lists(conversion) || conversion->listener || goal->sequences != OPSHIFT_SEQUENCES_KEEP)
        return OPSHIFT_OK;
    struct twins *twins = arena_alloc(conversion->scratch, 1, sizeof(*twins));
    if (twins == NULL)
        return opshift_no_memory(error);
    twins->facts = conversion->facts;
    conversion->facts =
        (struct draft_facts){hear_constant, hear_reference, hear_type, hear_declared, lose_parameter, twins};
    conversion->twins = twins;
    return OPSHIFT_OK;
}

void twins_close(struct twins *twins)
{
    if (twins)
        free(twins->record);
}

static bool same_type(const struct value_type *a, const struct value_type *b)
{
    if (a->type != b->type || a->rank != b->rank || a->is_tensor != b->is_tensor || a->other != b->other)
        return false;
    for (int32_t i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i] || a->params[i] != b->params[i])
            return false;
    return true;
}

bool hears_same(const struct twins *twins, const struct question *question, const struct draft *draft)
{
    const struct draft_facts *facts = &twins->facts;
    name_id name = draft->node->names[question->position];
    const struct tensor *constant;
    struct value_type type;
    struct bytes reference;
    const char *why;
    switch (question->kind) {
    case ASKED_CONSTANT:
        return facts->constant(facts->data, draft, name, &constant, &why, NULL) == OPSHIFT_OK && constant &&
               tensor_equal(constant, question->constant);
    case ASKED_REFERENCE:
        return facts->reference(facts->data, draft, name, &reference, NULL) == OPSHIFT_OK && reference.size == 0;
    case ASKED_TYPE:
        return facts->type(facts->data, draft, name, &type, NULL) == OPSHIFT_OK && same_type(&type, &question->type);
    default:
        return facts->declared(facts->data, draft, name, &type, NULL) == OPSHIFT_OK &&
               same_type(&type, &question->type);
    }
}
