/* Attributes of a function's nodes that refer to its parameters, resolved for one call. */
#include "infer/frame.h"

#include "infer/result.h"

static enum answer default_find(struct inference *inference, const struct function *function, name_id name,
                                struct attribute_range *found)
{
    for (uint32_t i = 0; i < function->default_count; i++) {
        *found = (struct attribute_range){.range = function->defaults[i]};
        if (!inference_goes_on(inference, attribute_look(inference->model, found, inference_error(inference))))
            return ANSWER_UNKNOWN;
        if (found->name == name)
            return found->reference == NAME_NONE ? ANSWER_KNOWN : ANSWER_UNKNOWN;
    }
    return ANSWER_ABSENT;
}

/* The last attribute of this name that a call gives. False: it cannot be read. */
static bool given_find(struct inference *inference, const struct node *node, name_id name,
                       struct attribute_range *found, bool *is_given)
{
    struct attribute_range *given;
    size_t count;
    *is_given = false;
    if (!inference_goes_on(inference, node_attributes(inference->model, node, inference->arena, &given, &count,
                                                      inference_error(inference))))
        return false;
    for (size_t i = 0; i < count && (!*is_given || found->reference != NAME_NONE); i++)
        if (given[i].name == name) {
            *found = given[i];
            *is_given = true;
        }
    return true;
}

enum answer frame_attribute(struct inference *inference, const struct call_frame *frame, name_id name,
                            struct attribute_range *found)
{
    bool is_given;
    if (frame == NULL || !given_find(inference, frame->node, name, found, &is_given))
        return ANSWER_UNKNOWN;
    if (is_given && found->reference == NAME_NONE)
        return ANSWER_KNOWN;
    /* An attribute that the calling function does not have is absent in this call, too. */
    enum answer answer = is_given ? frame_attribute(inference, frame->outer, found->reference, found) : ANSWER_ABSENT;
    return answer == ANSWER_ABSENT ? default_find(inference, frame->callee, name, found) : answer;
}

void frame_resolve(struct inference *inference, struct attribute_range *attributes, size_t *count)
{
    const struct call_frame *frame = inference->types->frame;
    size_t kept = 0;
    if (frame == NULL || inference->graph->function != frame->callee)
        return;
    for (size_t i = 0; i < *count; i++) {
        struct attribute_range found;
        enum answer answer = attributes[i].reference == NAME_NONE
                                 ? ANSWER_UNKNOWN
                                 : frame_attribute(inference, frame, attributes[i].reference, &found);
        if (answer == ANSWER_ABSENT)
            continue;
        if (answer == ANSWER_KNOWN)
            found.name = attributes[i].name;
        attributes[kept++] = answer == ANSWER_KNOWN ? found : attributes[i];
    }
    *count = kept;
}
