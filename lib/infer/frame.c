/* Attributes of a function's nodes that refer to its parameters, resolved for one call. */
#include "infer/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "infer/result.h"

/* By name; a value before references, then as in the file. */
static int attribute_order(const void *a, const void *b)
{
    const struct attribute_range *left = a, *right = b;
    if (left->name != right->name)
        return left->name < right->name ? -1 : 1;
    if (!left->reference != !right->reference)
        return left->reference == NAME_NONE ? -1 : 1;
    uint64_t one = range_offset(left->range), other = range_offset(right->range);
    return one < other ? -1 : one > other;
}

static const struct attribute_range *list_find(const struct sorted_attributes *attributes, name_id name)
{
    uint32_t first = 0, end = attributes->count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (attributes->list[middle].name < name)
            first = middle + 1;
        else
            end = middle;
    }
    return first < attributes->count && attributes->list[first].name == name ? &attributes->list[first] : NULL;
}

static void defaults_read(struct inference *inference, const struct function *function,
                          struct sorted_attributes *defaults)
{
    defaults->is_read = true;
    defaults->list = calloc(function->default_count + 1u, sizeof(*defaults->list));
    if (defaults->list == NULL) {
        if (inference->status == OPSHIFT_OK)
            inference->status = opshift_no_memory(inference->error);
        return;
    }
    for (uint32_t i = 0; !defaults->is_broken && i < function->default_count; i++) {
        struct attribute_range *at = &defaults->list[defaults->count++];
        *at = (struct attribute_range){.range = function->defaults[i]};
        defaults->is_broken =
            !inference_goes_on(inference, attribute_look(inference->model, at, inference_error(inference)));
    }
    if (defaults->is_broken)
        defaults->count = 0;
    if (defaults->count > 1)
        qsort(defaults->list, defaults->count, sizeof(*defaults->list), attribute_order);
}

void frame_open(struct inference *inference, struct call_frame *frame, struct sorted_attributes *defaults)
{
    struct attribute_range *given;
    size_t count;
    if (!defaults->is_read)
        defaults_read(inference, frame->callee, defaults);
    frame->defaults = defaults;
    frame->given.is_broken =
        !inference_goes_on(inference, node_attributes(inference->model, frame->node, inference->arena, &given, &count,
                                                      inference_error(inference)));
    if (frame->given.is_broken || count == 0)
        return;
    frame->given.list = malloc(count * sizeof(*given));
    if (frame->given.list == NULL) {
        inference->status = opshift_no_memory(inference->error);
        return;
    }
    memcpy(frame->given.list, given, count * sizeof(*given));
    frame->given.count = (uint32_t)count;
    qsort(frame->given.list, count, sizeof(*given), attribute_order);
}

void frame_join(struct call_frame *frame, const struct call_frame *call, struct inference *inference)
{
    struct sorted_attributes *all = &frame->given;
    frame->defaults = call->defaults;
    all->is_broken |= call->given.is_broken;
    for (uint32_t i = 0; i < call->given.count; i++) {
        if (!list_grow(&all->list, all->count, &all->room, sizeof(*all->list))) {
            inference->status = opshift_no_memory(inference->error);
            return;
        }
        struct attribute_range *at = &all->list[all->count++];
        *at = call->given.list[i];
        at->reference = at->name; /* of a call around it that is not known */
    }
}

void frame_sort(struct call_frame *frame)
{
    if (frame->given.count > 1)
        qsort(frame->given.list, frame->given.count, sizeof(*frame->given.list), attribute_order);
}

void frame_close(struct call_frame *frame)
{
    free(frame->given.list);
    frame->given = (struct sorted_attributes){0};
}

enum setting_state frame_attribute(const struct call_frame *frame, name_id name, struct attribute_range *found)
{
    if (frame == NULL || frame->given.is_broken)
        return SETTING_UNKNOWN;
    const struct attribute_range *given = list_find(&frame->given, name);
    if (given) {
        *found = *given;
        /* An attribute that the calling function does not have is absent in this call, too. */
        enum setting_state answer =
            given->reference == NAME_NONE ? SETTING_GIVEN : frame_attribute(frame->outer, given->reference, found);
        if (answer != SETTING_ABSENT)
            return answer;
    }
    given = list_find(frame->defaults, name);
    if (given == NULL)
        return frame->defaults->is_broken ? SETTING_UNKNOWN : SETTING_ABSENT;
    *found = *given;
    return given->reference == NAME_NONE ? SETTING_GIVEN : SETTING_UNKNOWN;
}

void frame_resolve(struct inference *inference, struct attribute_range *attributes, size_t *count)
{
    const struct call_frame *frame = inference->types->frame;
    size_t kept = 0;
    if (frame == NULL || inference->graph->function != frame->callee)
        return;
    for (size_t i = 0; i < *count; i++) {
        struct attribute_range found;
        enum setting_state answer = attributes[i].reference == NAME_NONE
                                        ? SETTING_UNKNOWN
                                        : frame_attribute(frame, attributes[i].reference, &found);
        if (answer == SETTING_ABSENT)
            continue;
        if (answer >= SETTING_DEFAULT)
            found.name = attributes[i].name;
        attributes[kept++] = answer >= SETTING_DEFAULT ? found : attributes[i];
    }
    *count = kept;
}
