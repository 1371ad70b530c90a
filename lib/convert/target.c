/* Completes a conversion's goal by what its target profile takes. */
#include "check/target.h"

#include "convert/planner.h"

static int64_t between(int64_t number, int64_t least, int64_t most)
{
    return number < least ? least : number > most ? most : number;
}

/* The model's opset if the target takes it, else the nearest that it takes. Lengths are an attribute below 13, and an
 * input from there on. */
static int64_t opset_choose(const struct opshift_model *model, const struct target *target, int64_t *nearest)
{
    int64_t oldest = target->oldest_opset ? target->oldest_opset : 1;
    int64_t newest = target->opset ? target->opset : OPSHIFT_OPSET_NEWEST;
    int64_t own = opshift_model_opset(model), opset = own ? between(own, oldest, newest) : newest;
    *nearest = opset;
    bool wants_attribute = target->split_form == TARGET_SPLIT_ATTRIBUTE;
    bool wants_input =
        target->split_form == TARGET_SPLIT_LENGTHS && target_takes(target, FEATURE_ATTRIBUTE) == TARGET_NO;
    if (wants_attribute && opset > 12 && oldest <= 12)
        return 12;
    return wants_input && opset < 13 && newest >= 13 && model_has_operator(model, "Split") ? 13 : opset;
}

enum opshift_status target_goal(struct planner *planner, struct arena *arena, struct opshift_error *error)
{
    const struct opshift_goal *given = planner->goal;
    struct opshift_goal *goal = arena_copy(arena, given, sizeof(*given));
    struct target *target = NULL;
    if (goal == NULL)
        return opshift_no_memory(error);
    enum opshift_status status =
        target_load(given->target, given->target_directories, given->target_directory_count, arena, &target, error);
    if (status)
        return status;
    if (goal->opset == 0) {
        int64_t nearest;
        goal->opset = opset_choose(planner->model, target, &nearest);
        planner->plan->opset_else = nearest == goal->opset ? 0 : nearest;
    }
    if (goal->ir_version == OPSHIFT_IR_KEEP && target->ir_version && planner->model->ir_version > target->ir_version)
        goal->ir_version = target->ir_version;
    if (goal->sequences == OPSHIFT_SEQUENCES_KEEP && target_takes(target, FEATURE_SEQUENCES) == TARGET_NO)
        goal->sequences = OPSHIFT_SEQUENCES_TO_SPLIT;
    planner->goal = goal;
    planner->target = target;
    return OPSHIFT_OK;
}
