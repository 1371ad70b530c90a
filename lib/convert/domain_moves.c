/* Reads the opsets of other domains than ai.onnx to which a goal moves a model. */
#include "convert/domain_moves.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of versions between source and target. */
#define STEPS_MOST 1000

/* "ai.onnx.ml=3" */
static enum opshift_status text_read(const char *text, size_t *size, int64_t *opset, struct opshift_error *error)
{
    const char *equals = strrchr(text, '=');
    char *end = NULL;
    long number = 0;
    if (equals && equals[1] >= '0' && equals[1] <= '9')
        number = strtol(equals + 1, &end, 10);
    if (end == NULL || *end != '\0' || equals == text || number < 1 || number > INT32_MAX)
        return opshift_fail(error, OPSHIFT_USAGE, "'%.80s' is no opset of a domain; write DOMAIN=N, as in ai.onnx.ml=3",
                            text);
    *size = (size_t)(equals - text);
    *opset = number;
    return OPSHIFT_OK;
}

static bool is_domain(const char *text, size_t size, const char *domain)
{
    return strlen(domain) == size && memcmp(text, domain, size) == 0;
}

enum opshift_status domain_goals_check(const char *const *domains, size_t count, struct opshift_error *error)
{
    for (size_t i = 0; i < count; i++) {
        size_t size = 0, other_size = 0;
        int64_t opset, other;
        enum opshift_status status = text_read(domains[i], &size, &opset, error);
        if (status)
            return status;
        if (is_domain(domains[i], size, "ai.onnx"))
            return opshift_fail(error, OPSHIFT_USAGE, "'%.80s': ai.onnx is no other domain; give its number alone",
                                domains[i]);
        if (is_domain(domains[i], size, "ai.onnx.ml") && opset > schema_newest("ai.onnx.ml"))
            return opshift_fail(error, OPSHIFT_USAGE, "ai.onnx.ml has no opset %" PRId64 "; give one of 1 to %" PRId64,
                                opset, schema_newest("ai.onnx.ml"));
        for (size_t k = 0; k < i; k++)
            if (text_read(domains[k], &other_size, &other, error) == OPSHIFT_OK && other_size == size &&
                memcmp(domains[k], domains[i], size) == 0)
                return opshift_fail(error, OPSHIFT_USAGE,
                                    "the domain '%.*s' is given twice, with %" PRId64 " and with %" PRId64
                                    "; give each domain once",
                                    (int)(size < 80 ? size : 80), domains[i], other, opset);
    }
    return OPSHIFT_OK;
}

static enum opshift_status source_check(const struct domain_move *move, struct opshift_error *error)
{
    int64_t newest = schema_newest(move->text);
    if (move->source > newest)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "the model's opset %" PRId64 " of %.80s is not known; known are 1 to %" PRId64,
                            move->source, move->text, newest);
    if (move->source && llabs(move->source - move->target) > STEPS_MOST)
        return opshift_fail(error, OPSHIFT_USAGE,
                            "%.80s would move from %" PRId64 " to %" PRId64 ", by more than %d versions at once",
                            move->text, move->source, move->target, STEPS_MOST);
    return OPSHIFT_OK;
}

static enum opshift_status move_add(struct conversion_plan *plan, const char *text, struct opshift_error *error)
{
    const struct opshift_model *model = plan->model;
    struct domain_move move = {.domain = NAME_NONE};
    size_t size = 0;
    enum opshift_status status = text_read(text, &size, &move.target, error);
    if (status)
        return status;
    char *domain = (char *)arena_bytes(plan->arena, size + 1);
    if (domain == NULL)
        return opshift_no_memory(error);
    memcpy(domain, text, size);
    domain[size] = '\0';
    move.text = domain;
    if (names_find(model->names, text, size, &move.domain))
        move.source = graph_opset(model, model->main, move.domain);
    move.up = move.source < move.target;
    plan->moves[plan->move_count++] = move;
    return source_check(&move, error);
}

enum opshift_status domain_moves_read(struct conversion_plan *plan, const struct opshift_goal *goal,
                                      struct opshift_error *error)
{
    enum opshift_status status = domain_goals_check(goal->domains, goal->domain_count, error);
    plan->moves = arena_alloc(plan->arena, goal->domain_count + 1, sizeof(*plan->moves));
    if (plan->moves == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < goal->domain_count; i++)
        status = move_add(plan, goal->domains[i], error);
    return status;
}

const struct domain_move *domain_move_find(const struct conversion_plan *plan, name_id domain)
{
    for (uint32_t i = 0; i < plan->move_count; i++)
        if (plan->moves[i].domain == domain && plan->moves[i].source)
            return &plan->moves[i];
    return NULL;
}
