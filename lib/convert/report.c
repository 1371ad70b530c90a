/* A conversion's account of itself: what became of each node, or what blocks it. */
#include "convert/convert.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "convert/account.h"
#include "model/text.h"

#define NAME_MOST 120u /* bytes of a value's name in a note */

/* The phrase that was said last; NULL: none was. */
static const struct phrase *last_phrase(const struct remarks *remarks)
{
    return remarks->first ? remarks->first->phrase : NULL;
}

/* node NULL: it is about none. What is said is the account's already, but for the operator. */
static enum opshift_status remark_add(struct conversion *conversion, struct remarks *remarks, struct graph *graph,
                                      const struct node *node, const char *value, struct phrase phrase,
                                      struct opshift_error *error)
{
    struct account *account = conversion->account;
    const struct phrase *last = last_phrase(remarks);
    struct buffer *place = &account->raw;
    place->size = 0;
    if (node)
        node_place_add(conversion->model, graph, node, place);
    if (place->failed)
        return opshift_no_memory(error);
    struct bytes type = node ? names_bytes(conversion->model->names, node->op_type) : (struct bytes){0};
    phrase.operator_type = account_text_like(account, type.data, type.size, last ? last->operator_type : NULL);
    return account_add(account, remarks, account_text(account, place->data, place->size), value, &phrase, error);
}

static enum opshift_status tell(const struct conversion *conversion, enum said said, struct graph *graph,
                                const struct node *node, const char *steps, const char *words,
                                struct opshift_error *error)
{
    const struct listener *listener = conversion->listener;
    return listener ? listener->hear(listener->data, said, graph, node, steps, words, error) : OPSHIFT_OK;
}

enum opshift_status report_blocker(struct conversion *conversion, struct graph *graph, const struct node *node,
                                   int64_t from, int64_t to, const char *why, struct opshift_error *error)
{
    char steps[64] = "";
    conversion->blocker_count++;
    if (from != to)
        snprintf(steps, sizeof(steps), "opset %" PRId64 " to %" PRId64, from, to);
    enum opshift_status status = tell(conversion, SAID_BLOCKED, graph, node, steps, why, error);
    if (status == OPSHIFT_OK)
        status = plan_blocked(conversion, graph, node, from, to, why, error);
    if (status)
        return status;
    /* The last one reported is the first one in the model: it stays in the error. */
    const char *place = node_place(conversion->model, graph, node);
    if (error && from == to)
        opshift_fail(error, OPSHIFT_NO, "%s: %s", place, why);
    else if (error)
        opshift_fail(error, OPSHIFT_NO, "%s: %" PRId64 " to %" PRId64 ": %s", place, from, to, why);
    /* As many as a lint keeps: nodes of two bytes each must not take a thousand times as much here. */
    struct account *account = conversion->account;
    if (account == NULL || account->blockers.count >= conversion->model->limits.findings)
        return OPSHIFT_OK;
    struct phrase phrase = {.from = from, .to = to, .words = account_text(account, why, strlen(why))};
    return remark_add(conversion, &account->blockers, graph, node, NULL, phrase, error);
}

static ProtobufCBinaryData name_data(const struct draft *draft, name_id name)
{
    struct bytes bytes = names_bytes(draft->model->names, name);
    return (ProtobufCBinaryData){bytes.size, (uint8_t *)(uintptr_t)bytes.data};
}

/* What the draft says now, in the textual syntax. NULL: no memory. */
static const char *draft_text(struct account *account, const struct draft *draft)
{
    Onnx__NodeProto node = ONNX__NODE_PROTO__INIT;
    node.has_op_type = 1;
    node.op_type = (ProtobufCBinaryData){strlen(draft->op_type), (uint8_t *)(uintptr_t)draft->op_type};
    node.n_input = draft->input_count;
    node.n_output = draft->output_count;
    node.input = arena_alloc(draft->arena, node.n_input, sizeof(*node.input));
    node.output = arena_alloc(draft->arena, node.n_output, sizeof(*node.output));
    node.attribute = arena_alloc(draft->arena, draft->attribute_count, sizeof(*node.attribute));
    if (node.input == NULL || node.output == NULL || node.attribute == NULL)
        return NULL;
    for (uint32_t i = 0; i < draft->input_count; i++)
        node.input[i] = name_data(draft, draft->inputs[i].name);
    for (uint32_t i = 0; i < draft->output_count; i++)
        node.output[i] = name_data(draft, draft->outputs[i]);
    /* A subgraph is not decoded in a draft, and would not fit into a line. */
    for (uint32_t i = 0; i < draft->attribute_count; i++) {
        Onnx__AttributeProto *message = draft->attributes[i].message;
        if (message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH &&
            message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPHS)
            node.attribute[node.n_attribute++] = message;
    }
    struct buffer text = {0};
    text_print_node(&text, &node, 0);
    while (text.size && text.data[text.size - 1] == '\n')
        text.size--;
    const char *shown = text.failed ? NULL : account_text(account, text.data, text.size);
    buffer_free(&text);
    return shown;
}

bool report_lists(const struct conversion *conversion)
{
    return conversion->account != NULL && !conversion->account->brief;
}

enum opshift_status report_became(struct conversion *conversion, struct graph *graph, const struct node *node,
                                  int64_t from, int64_t to, const char *words, struct opshift_error *error)
{
    conversion->rewritten_count++;
    if (!report_lists(conversion))
        return OPSHIFT_OK;
    struct account *account = conversion->account;
    struct phrase phrase = {.from = from, .to = to, .words = account_text(account, words, strlen(words))};
    return remark_add(conversion, &account->rewritten, graph, node, NULL, phrase, error);
}

enum opshift_status report_rewritten(struct conversion *conversion, const struct draft *draft, int64_t from, int64_t to,
                                     struct opshift_error *error)
{
    conversion->rewritten_count++;
    if (!report_lists(conversion))
        return OPSHIFT_OK;
    const char *becomes = draft->slices     ? "Slice nodes, one for each output"
                          : draft->sequence ? "a SplitToSequence, and a SequenceAt for each output"
                                            : draft_text(conversion->account, draft);
    struct phrase phrase = {.from = from, .to = to, .words = becomes};
    return remark_add(conversion, &conversion->account->rewritten, draft->graph, draft->node, NULL, phrase, error);
}

enum opshift_status report_note(struct conversion *conversion, enum said said, struct graph *graph,
                                const struct node *node, const char *words, struct opshift_error *error)
{
    enum opshift_status status = tell(conversion, said, graph, node, "", words, error);
    if (status == OPSHIFT_OK)
        status = plan_said(conversion, said, graph, node, words, error);
    struct account *account = conversion->account;
    if (status || account == NULL)
        return status;
    const struct phrase *last = last_phrase(&account->notes);
    struct phrase phrase = {.words = account_text_like(account, words, strlen(words), last ? last->words : NULL)};
    return remark_add(conversion, &account->notes, graph, node, NULL, phrase, error);
}

/* NULL: no memory. */
static const char *unknown_rest(struct account *account, const struct schema *target)
{
    struct buffer *rest = &account->raw;
    rest->size = 0;
    buffer_add_text(rest, "' is unknown; taken as one that ");
    buffer_add_text(rest, target->op_type);
    buffer_add_byte(rest, '-');
    buffer_add_decimal(rest, target->since);
    buffer_add_text(rest, " allows");
    return rest->failed ? NULL : account_text(account, rest->data, rest->size);
}

enum opshift_status report_unknown(struct conversion *conversion, struct graph *graph, const struct node *node,
                                   const char *value, const struct schema *target, struct opshift_error *error)
{
    static const char before[] = "the type of '";
    struct account *account = conversion->account;
    size_t size = strnlen(value, NAME_MOST);
    if (conversion->listener || conversion->plan || account == NULL) {
        char words[256];
        snprintf(words, sizeof(words), "%s%.*s' is unknown; taken as one that %s-%u allows", before, (int)size, value,
                 target->op_type, target->since);
        return report_note(conversion, SAID_DOUBT, graph, node, words, error);
    }
    if (conversion->unknown.target != target)
        conversion->unknown = (struct unknown){target, unknown_rest(account, target)};
    struct phrase phrase = {.words = before, .rest = conversion->unknown.rest};
    const char *shown = account_text(account, value, size);
    if (phrase.rest == NULL || shown == NULL)
        return opshift_no_memory(error);
    return remark_add(conversion, &account->notes, graph, node, shown, phrase, error);
}

struct opshift_report *conversion_report(struct conversion *conversion)
{
    struct account *account = conversion->account;
    account->model = account_text(account, conversion->model->name, strlen(conversion->model->name));
    account->source_opset = conversion->source;
    account->target_opset = conversion->target;
    account->source_ir = conversion->model->ir_version;
    account->target_ir = conversion->ir_version;
    account->foreign = conversion->foreign;
    account->blocker_count = conversion->blocker_count;
    account->rewritten_count = conversion->rewritten_count;
    account->added_count = conversion->added_count;
    account->removed_count = conversion->removed_count;
    account->unknown_count = conversion->unknown_count;
    if (account->model == NULL)
        return NULL;
    conversion->account = NULL; /* the report's */
    return account_report(account);
}
