/* Decides whether a reader of a sequence can read the outputs of a Split. */

#include "check/sequence_view.h"
#include "convert/sequence_plan.h"

/* The reason is kept and reported when the node is planned. */
#define REFUSE(...) sequence_refuse(&use->why, arena_print(planner->scratch, __VA_ARGS__), error)

/* The error has what a check found. */
static enum opshift_status refuse_by(struct planner *planner, struct sequence_use_plan *use, enum check_id id,
                                     struct opshift_error *error)
{
    check_cite(id, error);
    enum opshift_status status = REFUSE("%s", error->text);
    return status ? status : error_forget(error);
}

static enum opshift_status judge_at(struct planner *planner, struct sequence_use_plan *use, struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    const char *what = NULL, *name = names_text(planner->model->names, use->sequence->name);
    name_id place = node_inputs(use->node)[1];
    enum opshift_status status = OPSHIFT_OK;
    if (place != NAME_NONE)
        status = fold_constant(planner->around.fold, use->graph, place, &tensor, &what, error);
    if (status)
        return status;
    if (tensor == NULL)
        return REFUSE(
            "it reads the sequence '%.80s' at a position that is known only at run time ('%.80s' is %.120s)%s; "
            "make the position constant",
            name, names_text(planner->model->names, place), what ? what : "not there",
            use->sequence->is_list ? "" : ", and which of a Split's outputs that is cannot be written");
    if (tensor->count != 1 || (tensor->type != OPSHIFT_TYPE_INT32 && tensor->type != OPSHIFT_TYPE_INT64))
        return REFUSE("its position '%.80s' is not one int32 or int64; make it one",
                      names_text(planner->model->names, place));
    int64_t position = sequence_length_at(tensor, 0), count = use->sequence->count;
    if (sequence_check_position(name, count, false, position, error))
        return refuse_by(planner, use, SEQ008, error);
    use->position = position < 0 ? position + count : position;
    return OPSHIFT_OK;
}

/* Concat's axis is non-negative below 11. */
static enum opshift_status judge_axis(struct planner *planner, struct sequence_use_plan *use, bool known,
                                      struct opshift_error *error)
{
    const struct sequence_plan *sequence = use->sequence;
    int64_t rank = sequence->rank < 0 ? -1 : sequence->rank - sequence->drops;
    if (!known)
        return REFUSE("its axis is not a known integer; write it into the node");
    if (sequence->count == 0)
        return REFUSE("the sequence '%.80s' is empty, and nothing can be concatenated; remove the node",
                      names_text(planner->model->names, sequence->name));
    if (rank >= 0 && sequence_check_axis(names_text(planner->model->names, sequence->name), rank, use->axis, error))
        return refuse_by(planner, use, SEQ012, error);
    if (use->axis < 0 && planner->plan->target < 11 && rank < 0)
        return REFUSE("its axis is negative and the rank of what it joins is unknown; give the input of the "
                      "SplitToSequence a shape, or write the axis non-negative");
    use->by_rank = use->axis < 0 && planner->plan->target < 11;
    if (use->by_rank)
        use->axis += rank;
    return OPSHIFT_OK;
}

static enum opshift_status judge_concat(struct planner *planner, struct sequence_use_plan *use,
                                        struct opshift_error *error)
{
    struct draft *draft;
    struct draft_int axis = {0}, stacks = {0};
    arena_clear(planner->node.arena);
    enum opshift_status status =
        draft_new(planner->model, use->graph, use->node, planner->node.arena, &planner->around, &draft, error);
    if (status == OPSHIFT_OK)
        status = draft_int_read(draft, "axis", &axis, error);
    if (status == OPSHIFT_OK)
        status = draft_int_read(draft, "new_axis", &stacks, error);
    if (status)
        return status;
    if (axis.missing || stacks.missing)
        return REFUSE("%s", axis.missing ? axis.missing : stacks.missing);
    use->axis = axis.value;
    use->stacks = stacks.known && stacks.value == 1 && use->sequence->is_list;
    if (!use->stacks && stacks.given && (!stacks.known || stacks.value != 0))
        return REFUSE(
            "it stacks the tensors of the sequence '%.80s' along a new axis, which Concat does not; read them "
            "with SequenceAt, Unsqueeze and Concat them",
            names_text(planner->model->names, use->sequence->name));
    return judge_axis(planner, use, axis.known, error);
}

enum opshift_status sequence_judge_use(struct planner *planner, struct sequence_use_plan *use,
                                       struct opshift_error *error)
{
    switch (use->reader) {
    case READER_AT:
        return judge_at(planner, use, error);
    case READER_CONCAT:
        return judge_concat(planner, use, error);
    case READER_LENGTH:
    case READER_LIST:
        return OPSHIFT_OK;
    case READER_OTHER:
        break;
    }
    return REFUSE("it reads the sequence '%.80s' as a whole%s; read its tensors with SequenceAt at constant positions",
                  names_text(planner->model->names, use->sequence->name),
                  use->sequence->is_list ? "" : ", and a Split gives none");
}
