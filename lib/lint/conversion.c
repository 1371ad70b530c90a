/* Asks lib/convert what would block a conversion, and hands it to the checks. */
#include "lint/conversion.h"

#include "convert/convert.h"

static enum opshift_status hear(void *data, enum said said, struct graph *graph, const struct node *node,
                                const char *steps, const char *words, struct opshift_error *error)
{
    static const enum conversion_word kinds[] = {
        [SAID_BLOCKED] = CONVERSION_BLOCKED, [SAID_DOUBT] = CONVERSION_DOUBT, [SAID_NOTE] = CONVERSION_NOTE};
    return conversion_heard(data, kinds[said], graph, node, steps, words, error);
}

/* It reads external data where a conversion would: lengths that lie there. */
enum opshift_status survey_conversion(struct checking *checking, struct opshift_error *error)
{
    const struct opshift_goal goal = {.opset = checking->options->to, .rules = checking->options->rules};
    const struct listener listener = {hear, checking};
    struct opshift_error why = {0};
    const char *folder = checking->model->folder;
    checking->model->folder = checking->folder;
    enum opshift_status status = conversion_survey(checking->model, &goal, &listener, &why);
    checking->model->folder = folder;
    if (status == OPSHIFT_OK || status == OPSHIFT_NO)
        return OPSHIFT_OK;
    if (status != OPSHIFT_MEMORY && status != OPSHIFT_CANCELLED)
        return conversion_heard(checking, CONVERSION_FAILED, NULL, NULL, "", why.text, error);
    if (error)
        *error = why;
    return status;
}
