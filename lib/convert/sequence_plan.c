/* Plans the replacement of sequences: each SplitToSequence, its readers, and the blockers. */
#include "convert/sequence_plan.h"

#include <inttypes.h>
#include <string.h>

/* State of the planning. */
struct planning {
    struct planner *planner;
    struct sequences *sequences;
    name_id op_type; /* SplitToSequence; NAME_NONE: the model has none */
    uint8_t *named;  /* by name, a bit each: some graph has a sequence of this name */
    name_id name_count;
};

static const char *text_of(const struct planner *planner, name_id name)
{
    return names_text(planner->model->names, name);
}

const struct sequence_mark *sequence_mark_find(const struct planner *planner, const struct graph *graph,
                                               const struct node *node)
{
    const struct sequences *sequences = planner->sequences;
    if (sequences == NULL || sequences->marks[graph->number] == NULL)
        return NULL;
    const struct sequence_mark *mark = &sequences->marks[graph->number][node - graph->nodes];
    return mark->made || mark->use ? mark : NULL;
}

/* NULL: no memory. */
static struct sequence_mark *mark_at(struct planning *planning, const struct graph *graph, uint32_t index)
{
    struct sequence_mark **marks = &planning->sequences->marks[graph->number];
    if (*marks == NULL)
        *marks = arena_alloc(planning->planner->scratch, graph->node_count, sizeof(**marks));
    return *marks ? *marks + index : NULL;
}

/* ---- the sequences ---- */

/* The sequence behind a name as seen from a graph; NULL: it is not a sequence. */
static struct sequence_plan *sequence_of(const struct planning *planning, struct graph *graph, name_id name)
{
    if (name == NAME_NONE || !(planning->named[name / 8] >> name % 8 & 1))
        return NULL;
    struct definition found = scope_find(planning->planner->around.scopes, graph, name);
    if (found.kind != DEFINED_NODE || planning->sequences->marks[found.graph->number] == NULL)
        return NULL;
    return planning->sequences->marks[found.graph->number][found.index].made;
}

static bool is_split_to_sequence(const struct planning *planning, const struct node *node)
{
    return planning->op_type != NAME_NONE && node->op_type == planning->op_type && node_domain(node) == NAME_NONE &&
           scope_callee(planning->planner->around.scopes, node) == NULL;
}

static bool is_sequence(const struct planning *planning, const struct node *node)
{
    return is_split_to_sequence(planning, node) || sequence_is_list(planning->planner, node);
}

static enum opshift_status add_sequence(struct planning *planning, struct graph *graph, uint32_t index,
                                        struct opshift_error *error)
{
    struct sequence_plan *sequence = arena_alloc(planning->planner->scratch, 1, sizeof(*sequence));
    struct sequence_mark *mark = mark_at(planning, graph, index);
    if (sequence == NULL || mark == NULL)
        return opshift_no_memory(error);
    sequence->graph = graph;
    sequence->node = &graph->nodes[index];
    sequence->name = sequence->node->output_count ? node_outputs(sequence->node)[0] : NAME_NONE;
    mark->made = sequence;
    planning->named[sequence->name / 8] |= (uint8_t)(1 << sequence->name % 8);
    planning->sequences->all[planning->sequences->count++] = sequence;
    if (is_split_to_sequence(planning, sequence->node))
        return OPSHIFT_OK;
    struct sequence_plan *source =
        sequence->node->input_count ? sequence_of(planning, graph, node_inputs(sequence->node)[0]) : NULL;
    return sequence_list(planning->planner, sequence, source, error);
}

static uint64_t count_sequences(const struct planning *planning)
{
    const struct opshift_model *model = planning->planner->model;
    uint64_t count = 0;
    for (uint32_t i = 0; i < model->graph_count; i++)
        for (uint32_t k = 0; k < model->graphs[i]->node_count; k++)
            count += is_sequence(planning, &model->graphs[i]->nodes[k]);
    return count;
}

static enum opshift_status find_sequences(struct planning *planning, struct opshift_error *error)
{
    struct planner *planner = planning->planner;
    struct opshift_model *model = planner->model;
    enum opshift_status status = OPSHIFT_OK;
    uint64_t count = count_sequences(planning);
    if (count == 0)
        return OPSHIFT_OK;
    planning->name_count = names_count(model->names);
    planning->named = arena_alloc(planner->scratch, planning->name_count / 8 + 1, 1);
    planning->sequences = arena_alloc(planner->scratch, 1, sizeof(*planning->sequences));
    if (planning->named == NULL || planning->sequences == NULL)
        return opshift_no_memory(error);
    planning->sequences->marks = arena_alloc(planner->scratch, model->graph_count, sizeof(*planning->sequences->marks));
    planning->sequences->all = arena_alloc(planner->scratch, count, sizeof(*planning->sequences->all));
    if (planning->sequences->marks == NULL || planning->sequences->all == NULL)
        return opshift_no_memory(error);
    planner->sequences = planning->sequences;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++)
        for (uint32_t k = 0; status == OPSHIFT_OK && k < model->graphs[i]->node_count; k++)
            if (is_sequence(planning, &model->graphs[i]->nodes[k]))
                status = add_sequence(planning, model->graphs[i], k, error);
    return status;
}

/* ---- their readers ---- */

static enum sequence_reader reader_of(const struct planning *planning, const struct node *node, uint32_t input)
{
    const char *op_type = text_of(planning->planner, node->op_type);
    if (node_domain(node) != NAME_NONE || scope_callee(planning->planner->around.scopes, node) || input != 0 ||
        node->output_count != 1 || node_outputs(node)[0] == NAME_NONE)
        return READER_OTHER;
    if (strcmp(op_type, "SequenceAt") == 0 && node->input_count == 2)
        return READER_AT;
    if (strcmp(op_type, "SequenceLength") == 0 && node->input_count == 1)
        return READER_LENGTH;
    return strcmp(op_type, "ConcatFromSequence") == 0 && node->input_count == 1 ? READER_CONCAT : READER_OTHER;
}

/* A node that reads several sequences is listed for the first; none of them can then become a Split. */
static enum opshift_status add_use(struct planning *planning, struct graph *graph, uint32_t index, uint32_t input,
                                   struct sequence_plan *sequence, struct opshift_error *error)
{
    struct sequence_use_plan *use = arena_alloc(planning->planner->scratch, 1, sizeof(*use));
    struct sequence_mark *mark = mark_at(planning, graph, index);
    if (use == NULL || mark == NULL)
        return opshift_no_memory(error);
    if (mark->use) {
        mark->use->reader = READER_OTHER;
        if (sequence != mark->use->sequence)
            sequence->why = "a node that reads its sequence reads another one too, and needs both as a whole; read its "
                            "tensors with SequenceAt at constant positions";
        return OPSHIFT_OK;
    }
    use->sequence = sequence;
    use->graph = graph;
    use->node = &graph->nodes[index];
    use->reader = mark->made && mark->made->source == sequence ? READER_LIST : reader_of(planning, use->node, input);
    mark->use = use;
    *(sequence->last ? &sequence->last->next : &sequence->first) = use;
    sequence->last = use;
    return OPSHIFT_OK;
}

static enum opshift_status find_uses(struct planning *planning, struct graph *graph, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct node *node = &graph->nodes[i];
        for (uint32_t k = 0; status == OPSHIFT_OK && k < node->input_count; k++) {
            struct sequence_plan *sequence = sequence_of(planning, graph, node_inputs(node)[k]);
            if (sequence)
                status = add_use(planning, graph, i, k, sequence, error);
        }
        if (status)
            return status;
    }
    for (uint32_t i = 0; i < graph->output_count; i++) {
        struct sequence_plan *sequence = sequence_of(planning, graph, graph->outputs[i].name);
        if (sequence == NULL || sequence->why)
            continue;
        status = sequence_refuse(
            &sequence->why,
            arena_print(planning->planner->scratch,
                        "its sequence '%.80s' is an output of %s%s; give out the tensors instead, each read with "
                        "SequenceAt",
                        text_of(planning->planner, sequence->name),
                        graph->kind == GRAPH_SUB        ? "a subgraph"
                        : graph->kind == GRAPH_FUNCTION ? "the function"
                                                        : "the graph",
                        sequence->is_list ? "" : ", and a Split gives none"),
            error);
        if (status)
            return status;
    }
    return OPSHIFT_OK;
}

/* ---- decisions ---- */

static bool is_counted(const struct sequence_plan *sequence)
{
    for (const struct sequence_use_plan *use = sequence->first; use; use = use->next)
        if (use->reader != READER_LENGTH)
            return false;
    return true;
}

/* The Split's output takes the name of the first SequenceAt in the same graph; one in a subgraph cannot give its
 * name. */
static void take_names(struct sequence_plan *sequence)
{
    for (struct sequence_use_plan *use = sequence->first; use && !sequence->drops; use = use->next) {
        bool taken =
            use->reader != READER_AT || use->graph != sequence->graph || sequence->outputs[use->position] != NAME_NONE;
        if (!taken) {
            sequence->outputs[use->position] = node_outputs(use->node)[0];
            use->gives = true;
        }
    }
}

static enum opshift_status fresh_names(struct planner *planner, struct sequence_plan *sequence,
                                       struct opshift_error *error)
{
    struct bytes stem = names_bytes(planner->model->names, sequence->name);
    if (stem.size > SCOPE_STEM_MAX)
        stem.size = 0;
    for (int64_t i = 0; i < sequence->count; i++) {
        if (sequence->outputs[i] != NAME_NONE)
            continue;
        struct buffer text = {0};
        buffer_add(&text, stem.data, stem.size);
        buffer_print(&text, "_%" PRId64, i);
        if (!text.failed)
            sequence->outputs[i] = scope_fresh(planner->around.scopes, (const char *)text.data, text.size);
        bool failed = text.failed || sequence->outputs[i] == NAME_NO_MEMORY;
        buffer_free(&text);
        if (failed)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

/* Blocks the sequence if a name has another meaning where it will be read. */
static enum opshift_status judge_names(struct planner *planner, const struct sequence_plan *sequence,
                                       struct opshift_error *error)
{
    for (struct sequence_use_plan *use = sequence->first; use; use = use->next) {
        bool all = use->reader == READER_CONCAT || use->reader == READER_LIST;
        int64_t first = all ? 0 : use->position, end = all ? sequence->count : use->position + 1;
        if (use->graph == sequence->graph || use->reader == READER_LENGTH)
            continue;
        for (int64_t i = first; i < end && use->why == NULL; i++) {
            struct definition found = scope_find(planner->around.scopes, use->graph, sequence->outputs[i]);
            struct graph *meant = sequence->graph;
            if (sequence->is_list)
                meant = scope_find(planner->around.scopes, sequence->graph, sequence->outputs[i]).graph;
            if (found.kind == DEFINED_NOWHERE || found.graph == meant)
                continue;
            use->why = arena_print(planner->scratch,
                                   "'%.80s' is the name of one thing there and of another around it; give one of them "
                                   "another name",
                                   text_of(planner, sequence->outputs[i]));
            if (use->why == NULL)
                return opshift_no_memory(error);
        }
    }
    return OPSHIFT_OK;
}

static bool has_obstacle(const struct sequence_plan *sequence)
{
    for (const struct sequence_use_plan *use = sequence->first; use; use = use->next)
        if (use->why)
            return true;
    return sequence->why != NULL;
}

/* Limits the number of names: a small file could request more than fit in memory. */
static void count_names(struct sequences *sequences, struct sequence_plan *sequence)
{
    uint64_t count = (uint64_t)sequence->count;
    for (const struct sequence_use_plan *use = sequence->first; use; use = use->next)
        count += use->reader == READER_CONCAT ? (uint64_t)sequence->count : 1;
    sequences->written += count;
    if (sequences->written > SEQUENCE_NAMES_MAX)
        sequence->why = "its sequence and those before it have more tensors than are written out one by one; leave "
                        "this model's sequences as they are";
}

static enum opshift_status judge(struct planner *planner, struct sequence_plan *sequence, struct opshift_error *error)
{
    struct graph *graph = sequence->graph;
    struct node *node = sequence->node;
    enum opshift_status status = OPSHIFT_OK;
    if (sequence->why == NULL && !sequence->is_list)
        status = sequence_judge(planner, sequence, error);
    if (status == OPSHIFT_OK && sequence->why == NULL && sequence->first == NULL)
        status = sequence_refuse(&sequence->why,
                                 arena_print(planner->scratch, "its sequence '%.80s' is not used; remove the node",
                                             text_of(planner, sequence->name)),
                                 error);
    for (struct sequence_use_plan *use = sequence->first; status == OPSHIFT_OK && use && sequence->why == NULL;
         use = use->next) {
        graph = use->graph;
        node = use->node;
        status = sequence_judge_use(planner, use, error);
    }
    return status ? opshift_within(error, status, "%s", node_place(planner->model, graph, node)) : OPSHIFT_OK;
}

static enum opshift_status decide(struct planner *planner, struct sequences *sequences, struct sequence_plan *sequence,
                                  struct opshift_error *error)
{
    enum opshift_status status = judge(planner, sequence, error);
    if (status == OPSHIFT_OK && !has_obstacle(sequence))
        count_names(sequences, sequence);
    if (status || has_obstacle(sequence))
        return status;
    sequence->counted = is_counted(sequence);
    if (sequence->counted) {
        sequence->decided = true;
        return OPSHIFT_OK;
    }
    sequence->outputs = arena_alloc(planner->scratch, (size_t)sequence->count, sizeof(*sequence->outputs));
    if (sequence->outputs == NULL)
        return opshift_no_memory(error);
    take_names(sequence);
    status = fresh_names(planner, sequence, error);
    if (status == OPSHIFT_OK)
        status = judge_names(planner, sequence, error);
    sequence->decided = status == OPSHIFT_OK && !has_obstacle(sequence);
    return status;
}

/* A list stays where a reader cannot read its tensors; so does the list that it is made from. */
static enum opshift_status decide_list(struct planner *planner, struct sequence_plan *list, struct opshift_error *error)
{
    enum opshift_status status = judge(planner, list, error);
    if (status == OPSHIFT_OK && !has_obstacle(list))
        count_names(planner->sequences, list);
    if (status == OPSHIFT_OK && !has_obstacle(list))
        status = judge_names(planner, list, error);
    if (status)
        return status;
    list->decided = !has_obstacle(list);
    if (list->decided || list->source == NULL || list->source->why)
        return OPSHIFT_OK;
    return sequence_refuse(
        &list->source->why,
        arena_print(planner->scratch, "'%.80s' is made from it, and stays", text_of(planner, list->name)), error);
}

/* Lists that are made from others are decided before these. */
static enum opshift_status decide_lists(struct planner *planner, struct opshift_error *error)
{
    struct sequences *sequences = planner->sequences;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = sequences->count; status == OPSHIFT_OK && i-- > 0;)
        if (sequences->all[i]->is_list)
            status = decide_list(planner, sequences->all[i], error);
    return status;
}

enum opshift_status sequences_plan(struct planner *planner, struct opshift_error *error)
{
    struct planning planning = {.planner = planner};
    struct opshift_model *model = planner->model;
    if (!names_find(model->names, "SplitToSequence", strlen("SplitToSequence"), &planning.op_type))
        planning.op_type = NAME_NONE;
    enum opshift_status status = find_sequences(&planning, error);
    if (status || planning.sequences == NULL)
        return status;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < model->graph_count; i++)
        status = find_uses(&planning, model->graphs[i], error);
    if (status == OPSHIFT_OK)
        status = decide_lists(planner, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < planning.sequences->count; i++)
        if (!planning.sequences->all[i]->is_list)
            status = decide(planner, planning.sequences, planning.sequences->all[i], error);
    return status;
}
