/* How a SplitToSequence splits, and the reasons why a Split cannot do the same. */
#include <inttypes.h>
#include <string.h>

#include "check/sequence_view.h"
#include "convert/sequence_plan.h"

/* State of judging one SplitToSequence. */
struct judging {
    struct planner *planner;
    struct sequence_plan *sequence;
    struct draft *draft;
    struct sequence_cut cut;
    bool keep_known;     /* keepdims is known */
    const char *lengths; /* the name of the second input */
};

/* Records the first reason. NO: it was recorded. */
static enum opshift_status refuse(struct judging *judging, const char *why, struct opshift_error *error)
{
    judging->sequence->why = why;
    return why ? OPSHIFT_NO : opshift_no_memory(error);
}

#define REFUSE(...) refuse(judging, arena_print(judging->planner->scratch, __VA_ARGS__), error)

/* Other attributes would be lost. */
static enum opshift_status judge_attributes(struct judging *judging, struct opshift_error *error)
{
    const struct draft *draft = judging->draft;
    for (uint32_t i = 0; i < draft->attribute_count; i++) {
        const Onnx__AttributeProto *message = draft->attributes[i].message;
        const char *name = (const char *)message->name.data;
        bool known = name && (strcmp(name, "axis") == 0 || strcmp(name, "keepdims") == 0);
        if (!known || message->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT)
            return REFUSE("attribute '%.80s' is none of SplitToSequence's, or not an integer; take it away",
                          name ? name : "");
    }
    if (draft->input_count > 2 || draft->output_count != 1 || !draft_input_present(draft, 0) ||
        judging->sequence->name == NAME_NONE)
        return REFUSE("SplitToSequence has one or two inputs and one output; fix the node first");
    return OPSHIFT_OK;
}

/* Checks the input's type; the source model may be invalid. */
static enum opshift_status judge_type(struct judging *judging, struct opshift_error *error)
{
    enum opshift_type type = judging->cut.cut.type;
    const struct schema *schema = schema_find("", "SplitToSequence", judging->planner->plan->source);
    if (schema == NULL || type == OPSHIFT_TYPE_UNDEFINED || schema_types(schema, schema->inputs)->tensor >> type & 1)
        return OPSHIFT_OK;
    opshift_fail(error, OPSHIFT_NO, "'%.80s' is %s, which SplitToSequence-%u does not take; insert a Cast before",
                 names_text(judging->planner->model->names, judging->draft->inputs[0].name),
                 type_name(type) ? type_name(type) : "of no known type", schema->since);
    return check_cite(OPS015, error);
}

static void take_axis(struct judging *judging)
{
    const struct split_cut *cut = &judging->cut.cut;
    judging->sequence->rank = cut->rank;
    judging->sequence->by_rank = cut->axis < 0 && cut->front >= 0;
    judging->sequence->axis = cut->front >= 0 ? cut->front : cut->axis;
}

static enum opshift_status judge_count(struct judging *judging, int64_t count, struct opshift_error *error)
{
    if (count > SEQUENCE_COUNT_MAX)
        return REFUSE("its sequence has %" PRId64 " tensors, and a Split of more than %d outputs is not written; leave "
                      "this model's sequences as they are",
                      count, SEQUENCE_COUNT_MAX);
    judging->sequence->count = count;
    return OPSHIFT_OK;
}

/* Chunks of `chunk` and a remainder: their number follows from the dim. */
static enum opshift_status judge_chunks(struct judging *judging, int64_t chunk, struct opshift_error *error)
{
    struct sequence_plan *sequence = judging->sequence;
    int64_t dim = judging->cut.cut.dim;
    if (dim < 0)
        return REFUSE("the dim that it cuts is unknown, and with it how many tensors there are; give the input a shape "
                      "in the model or by --shape");
    if (dim == 0)
        return REFUSE("the dim that it cuts is 0: its sequence is empty, and a Split has at least one output; leave "
                      "this model's sequences as they are");
    sequence->by_dim = true;
    enum opshift_status status = judge_count(judging, split_chunk(dim, chunk), error);
    struct tensor *lengths = NULL;
    if (status == OPSHIFT_OK)
        status = tensor_new(judging->planner->scratch, OPSHIFT_TYPE_INT64, 1, &sequence->count, &lengths, error);
    for (int64_t i = 0; status == OPSHIFT_OK && i < sequence->count; i++)
        ((int64_t *)lengths->data)[i] = i + 1 < sequence->count ? chunk : dim - i * chunk;
    sequence->lengths = lengths;
    return status;
}

/* An int64 list stays; an int32 list is replaced by an int64 constant. */
static enum opshift_status judge_list(struct judging *judging, struct opshift_error *error)
{
    const struct tensor *list = judging->cut.constant;
    struct tensor *lengths = NULL;
    enum opshift_status status = judge_count(judging, (int64_t)list->count, error);
    if (status == OPSHIFT_OK)
        status = tensor_new(judging->planner->scratch, OPSHIFT_TYPE_INT64, 1, list->dims, &lengths, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < list->count; i++)
        ((int64_t *)lengths->data)[i] = sequence_length_at(list, i);
    judging->sequence->lengths = lengths;
    judging->sequence->stands = list->type == OPSHIFT_TYPE_INT64;
    return status;
}

/* Lengths known only at run time: their number must be known. */
static enum opshift_status judge_computed(struct judging *judging, struct opshift_error *error)
{
    const struct sequence_cut *cut = &judging->cut;
    struct draft *draft = judging->draft;
    const struct tensor *tensor = NULL;
    const char *what = NULL;
    struct value_type type;
    enum opshift_status status = draft_constant(draft, draft->inputs[1].name, &tensor, &what, error);
    if (status == OPSHIFT_OK)
        status = draft_type(draft, draft->inputs[1].name, &type, error);
    if (status)
        return status;
    if (what == NULL)
        what = "no integer";
    if (cut->lengths_rank < 0)
        return REFUSE("whether '%.80s' is one length for all chunks or a list of lengths is not known (it is %.120s); "
                      "declare its shape",
                      judging->lengths, what);
    if (cut->lengths_rank == 0)
        return REFUSE("the length of all chunks is known only at run time ('%.80s' is %.120s), and with it how many "
                      "tensors there are; make it constant",
                      judging->lengths, what);
    if (cut->length_count < 1)
        return REFUSE("how many lengths there are is known only at run time ('%.80s' is %.120s); declare its shape, or "
                      "make it constant",
                      judging->lengths, what);
    if (judging->planner->plan->target < 13)
        return REFUSE("its lengths are known only at run time ('%.80s' is %.120s), and below opset 13 Split takes "
                      "constant ones; make them constant, or go to opset 13 or up",
                      judging->lengths, what);
    if (type.type != OPSHIFT_TYPE_INT64 && type.type != OPSHIFT_TYPE_INT32)
        return REFUSE("'%.80s' is not known to be int64 or int32; declare its type", judging->lengths);
    judging->sequence->stands = type.type == OPSHIFT_TYPE_INT64;
    judging->sequence->cast = type.type == OPSHIFT_TYPE_INT32;
    return judge_count(judging, cut->length_count, error);
}

static enum opshift_status judge_lengths(struct judging *judging, struct opshift_error *error)
{
    const struct sequence_cut *cut = &judging->cut;
    struct sequence_plan *sequence = judging->sequence;
    sequence->drops = !cut->given && cut->drops;
    sequence->ignores = cut->given && cut->drops;
    if (!cut->given && !judging->keep_known)
        return REFUSE("keepdims is the function's attribute, and its calls do not agree on it; write it into the "
                      "function");
    if (!cut->given)
        return judge_chunks(judging, 1, error);
    if (cut->constant == NULL)
        return judge_computed(judging, error);
    return cut->lengths_rank == 1 ? judge_list(judging, error)
                                  : judge_chunks(judging, sequence_length_at(cut->constant, 0), error);
}

static enum opshift_status read_keepdims(struct judging *judging, struct opshift_error *error)
{
    struct draft_int keep;
    enum opshift_status status = draft_int_read(judging->draft, "keepdims", &keep, error);
    judging->keep_known = keep.known || !keep.given; /* calls that omit it omit the attribute */
    return status;
}

enum opshift_status sequence_judge(struct planner *planner, struct sequence_plan *sequence, struct opshift_error *error)
{
    struct judging judging = {.planner = planner, .sequence = sequence};
    arena_clear(planner->node.arena);
    sequence->count = -1;
    enum opshift_status status = draft_new(planner->model, sequence->graph, sequence->node, planner->node.arena,
                                           &planner->around, &judging.draft, error);
    if (status == OPSHIFT_OK)
        status = judge_attributes(&judging, error);
    if (status == OPSHIFT_OK && draft_input_present(judging.draft, 1))
        judging.lengths = names_text(planner->model->names, judging.draft->inputs[1].name);
    if (status == OPSHIFT_OK)
        status = sequence_cut_read(judging.draft, &judging.cut, error);
    if (status == OPSHIFT_OK)
        status = read_keepdims(&judging, error);
    if (status == OPSHIFT_OK)
        status = judge_type(&judging, error);
    if (status == OPSHIFT_OK)
        status = sequence_check(&judging.cut, error);
    take_axis(&judging);
    if (status == OPSHIFT_OK)
        status = judge_lengths(&judging, error);
    if (status == OPSHIFT_NO && sequence->why == NULL)
        sequence->why = arena_print(planner->scratch, "%s", error->text);
    if (status == OPSHIFT_NO)
        return sequence->why ? error_forget(error) : opshift_no_memory(error);
    return status;
}
