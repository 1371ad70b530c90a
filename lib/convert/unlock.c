/* Finds the options that make a blocked conversion possible, by planning again with them. */
#include "convert/unlock.h"

#include <string.h>

#include "convert/plan.h"
#include "infer/types.h"
#include "model/scope.h"

#define INPUTS_MOST 16u /* inputs that are given shapes */
/* Maximum number of plans for one model, and of nodes in all of them unless that is fewer than PLANS_LEAST. A
 * replacement that is converted costs as much as some nodes, and so do many
 * inputs and outputs. */
#define PLANS_MOST         256u
#define PLANS_LEAST        16u
#define NODES_MOST         UINT64_C(4000000)
#define NODES_PER_FRAGMENT 1000u
#define VALUES_PER_NODE    4u
#define DIMS_MOST          32 /* of such an input */
#define RANK_TRIED         4  /* ranks from this one down to 1 are tried for inputs without a rank */

/* An input of the main graph whose shape is not wholly declared. */
struct open_input {
    const char *name;
    int32_t rank;      /* -1: unknown */
    bool wanted;       /* it is given a shape, */
    uint32_t open;     /* a bit for each dim without a declared size */
    uint32_t left_out; /* those of them that are not given */
    int64_t *dims;     /* declared ones, and sizes for the others */
};

struct unlock {
    struct opshift_model *model;
    struct arena *arena;
    bool listed; /* inputs are filled in */
    struct open_input inputs[INPUTS_MOST];
    uint32_t count;
    int32_t rank;   /* of those that declare none */
    bool known;     /* the shapes helped once: they are tried first */
    uint32_t plans; /* made so far */
    uint64_t nodes; /* that a plan costs without replacements */
    uint64_t spent; /* nodes in all plans */
};

static uint64_t nodes_cost(const struct opshift_model *model)
{
    uint64_t values = 0, nodes = 1;
    for (uint32_t i = 0; i < model->graph_count; i++) {
        const struct graph *graph = model->graphs[i];
        for (uint32_t k = 0; k < graph->node_count; k++)
            values += graph->nodes[k].input_count + graph->nodes[k].output_count;
        nodes += graph->node_count;
    }
    return nodes + values / VALUES_PER_NODE;
}

static void plan_charge(struct unlock *unlock, const struct conversion_plan *plan)
{
    unlock->spent += unlock->nodes + (plan ? plan->fragment_count * NODES_PER_FRAGMENT : 0);
}

struct unlock *unlock_new(struct opshift_model *model)
{
    struct arena *arena = arena_new(0);
    struct unlock *unlock = arena ? arena_alloc(arena, 1, sizeof(*unlock)) : NULL;
    if (unlock == NULL) {
        arena_free(arena);
        return NULL;
    }
    unlock->model = model;
    unlock->nodes = nodes_cost(model);
    unlock->arena = arena;
    return unlock;
}

void unlock_free(struct unlock *unlock)
{
    if (unlock)
        arena_free(unlock->arena);
}

/* ---- inputs without a whole shape -------------------------------------------------------------------------------- */

/* An example: sizes above 1, so that nothing depends on a dim that is 1. */
static int64_t example_size(int32_t rank, int32_t at)
{
    if (rank >= 4 && at >= 2)
        return 224;
    return rank >= 4 && at == 1 ? 3 : at == 0 ? 2 : 16;
}

/* Is the name plain in a shell, and in a shape? */
static bool is_plain(const char *name)
{
    for (const char *at = name; *at; at++)
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/-", *at) == NULL)
            return false;
    return *name != '\0';
}

static bool is_given(const struct opshift_goal *goal, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; goal->given && i < goal->given->shape_count; i++)
        if (strncmp(goal->given->shapes[i], name, size) == 0 && goal->given->shapes[i][size] == '=')
            return true;
    return false;
}

/* Symbolic dims, and the sizes that stand for them. */
struct open_names {
    name_id names[64];
    int64_t sizes[64];
    size_t count;
};

/* The size for a dim; the same for dims of one name. */
static int64_t open_size(struct open_names *open, name_id name, int64_t example)
{
    for (size_t i = 0; name != NAME_NONE && i < open->count; i++)
        if (open->names[i] == name)
            return open->sizes[i];
    if (name != NAME_NONE && open->count < COUNT(open->names)) {
        open->names[open->count] = name;
        open->sizes[open->count++] = example;
    }
    return example;
}

/* Adds the input unless its shape is known. False: no memory. */
static bool input_add(struct unlock *unlock, const char *name, const struct value_type *type, struct open_names *open)
{
    struct open_input *input = &unlock->inputs[unlock->count];
    *input =
        (struct open_input){.name = arena_copy(unlock->arena, name, strlen(name)), .rank = type->rank, .wanted = true};
    input->dims = arena_alloc(unlock->arena, (size_t)(type->rank < 0 ? 0 : type->rank) + 1, sizeof(*input->dims));
    for (int32_t i = 0; input->dims && i < type->rank; i++) {
        name_id symbol = type->params ? type->params[i] : NAME_NONE;
        bool is_open = type->dims[i] < 0;
        input->dims[i] = is_open ? open_size(open, symbol, example_size(type->rank, i)) : type->dims[i];
        input->open |= is_open && i < DIMS_MOST ? UINT32_C(1) << i : 0;
    }
    unlock->count += (type->rank < 0 || input->open) && type->rank <= DIMS_MOST;
    return input->dims && input->name;
}

/* Lists the tensors among the inputs whose shape is open, unless the goal gives it. */
static enum opshift_status inputs_list(struct unlock *unlock, const struct opshift_goal *goal,
                                       struct opshift_error *error)
{
    struct opshift_model *model = unlock->model;
    const struct graph *graph = model->main;
    struct open_names open = {.count = 0};
    struct scopes *scopes = NULL;
    struct types *types = NULL;
    enum opshift_status status = scopes_new(model, &scopes, error);
    if (status == OPSHIFT_OK)
        status = types_new(model, scopes, &types, error);
    if (status == OPSHIFT_OK)
        status = types_give(types, goal->given, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->input_count && unlock->count < INPUTS_MOST; i++) {
        struct value_type type;
        const char *name = names_text(model->names, graph->inputs[i].name);
        bool constant = scope_find(scopes, model->main, graph->inputs[i].name).kind != DEFINED_INPUT;
        if (constant || !is_plain(name) || is_given(goal, name))
            continue;
        status = types_find(types, model->main, graph->inputs[i].name, &type, error);
        if (status == OPSHIFT_OK && type.type != OPSHIFT_TYPE_UNDEFINED && !input_add(unlock, name, &type, &open))
            status = opshift_no_memory(error);
    }
    types_free(types);
    scopes_free(scopes);
    unlock->listed = true;
    return status;
}

static bool progress_hold(void *data, double done)
{
    const struct opshift_goal *goal = data;
    (void)done;
    return goal->progress(goal->progress_data, 1);
}

struct opshift_goal goal_held(const struct opshift_goal *goal)
{
    struct opshift_goal held = *goal;
    held.progress = goal->progress ? progress_hold : NULL;
    held.progress_data = (void *)(uintptr_t)goal;
    return held;
}

/* ---- one more plan ----------------------------------------------------------------------------------------------- */

/* Has the plan of the goal no blockers? What is wrong with the goal or the model counts as a blocker, and so does a
 * plan too many. */
static enum opshift_status reaches(struct unlock *unlock, const struct opshift_goal *goal, bool *yes,
                                   struct opshift_error *error)
{
    struct conversion_plan *plan = NULL;
    struct opshift_error why;
    struct opshift_goal held = goal_held(goal);
    *yes = false;
    if (unlock->plans == PLANS_MOST || (unlock->plans >= PLANS_LEAST && unlock->spent >= NODES_MOST))
        return OPSHIFT_OK;
    unlock->plans++;
    enum opshift_status status = plan_ask(unlock->model, &held, &plan, &why);
    plan_charge(unlock, plan);
    *yes = status == OPSHIFT_OK && plan_blocker_count(plan) == 0;
    plan_free(plan);
    if (status != OPSHIFT_CANCELLED && status != OPSHIFT_MEMORY && status != OPSHIFT_IO)
        return OPSHIFT_OK;
    return error_give(error, status, &why);
}

/* "x=?x3x224x224". NULL: no memory. */
static const char *shape_text(const struct unlock *unlock, const struct open_input *input, struct arena *arena)
{
    struct buffer text = {0};
    int32_t rank = input->rank < 0 ? unlock->rank : input->rank;
    buffer_print(&text, "%s=", input->name);
    for (int32_t i = 0; i < rank; i++) {
        int64_t size = input->rank < 0 ? example_size(rank, i) : input->dims[i];
        buffer_add_text(&text, i ? "x" : "");
        if (input->left_out >> i & 1)
            buffer_add_byte(&text, '?');
        else
            buffer_add_decimal(&text, size);
    }
    buffer_add_byte(&text, '\0');
    const char *copy = text.failed ? NULL : arena_copy(arena, text.data, text.size);
    buffer_free(&text);
    return copy;
}

/* The goal's shapes and those of the wanted inputs. */
static enum opshift_status shapes_give(const struct unlock *unlock, const struct opshift_goal *goal,
                                       struct opshift_given *given, struct arena *arena, struct opshift_error *error)
{
    size_t before = goal->given ? goal->given->shape_count : 0;
    const char **shapes = arena_alloc(arena, before + unlock->count + 1, sizeof(*shapes));
    *given = goal->given ? *goal->given : (struct opshift_given){.size = sizeof(*given)};
    if (shapes == NULL)
        return opshift_no_memory(error);
    given->shapes = shapes;
    for (size_t i = 0; i < before; i++)
        shapes[i] = goal->given->shapes[i];
    given->shape_count = before;
    for (uint32_t i = 0; i < unlock->count; i++) {
        if (!unlock->inputs[i].wanted)
            continue;
        shapes[given->shape_count] = shape_text(unlock, &unlock->inputs[i], arena);
        if (shapes[given->shape_count++] == NULL)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

/* Does the goal with the shapes of the wanted inputs have no blockers? */
static enum opshift_status shapes_reach(struct unlock *unlock, const struct opshift_goal *goal, bool *yes,
                                        struct opshift_error *error)
{
    struct opshift_goal shaped = *goal;
    struct opshift_given given;
    struct arena *arena = arena_new(0);
    enum opshift_status status = arena ? shapes_give(unlock, goal, &given, arena, error) : opshift_no_memory(error);
    shaped.given = &given;
    if (status == OPSHIFT_OK)
        status = reaches(unlock, &shaped, yes, error);
    arena_free(arena);
    return status;
}

/* ---- the least of it --------------------------------------------------------------------------------------------- */

/* Leaves out inputs, and dims, without which the opset is reached, too. */
static enum opshift_status shapes_shrink(struct unlock *unlock, const struct opshift_goal *goal,
                                         struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    bool yes;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < unlock->count; i++) {
        struct open_input *input = &unlock->inputs[i];
        input->wanted = false;
        status = shapes_reach(unlock, goal, &yes, error);
        input->wanted = status == OPSHIFT_OK && !yes;
        for (int32_t k = 0; status == OPSHIFT_OK && input->wanted && k < input->rank; k++) {
            if ((input->open >> k & 1) == 0)
                continue;
            input->left_out |= UINT32_C(1) << k;
            status = shapes_reach(unlock, goal, &yes, error);
            if (!yes)
                input->left_out &= ~(UINT32_C(1) << k);
        }
    }
    return status;
}

static bool has_open_rank(const struct unlock *unlock)
{
    bool open = false;
    for (uint32_t i = 0; i < unlock->count; i++)
        open |= unlock->inputs[i].rank < 0;
    return open;
}

/* All inputs, wholly. */
static void shapes_reset(struct unlock *unlock)
{
    for (uint32_t i = 0; i < unlock->count; i++) {
        unlock->inputs[i].wanted = true;
        unlock->inputs[i].left_out = 0;
    }
}

/* *yes: the shapes of the wanted inputs are enough, and none can be left out. */
static enum opshift_status shapes_find(struct unlock *unlock, const struct opshift_goal *goal, bool *yes,
                                       struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    *yes = false;
    if (!unlock->listed)
        status = inputs_list(unlock, goal, error);
    if (status || unlock->count == 0)
        return status;
    if (unlock->known)
        status = shapes_reach(unlock, goal, yes, error);
    if (status || *yes)
        return status;
    shapes_reset(unlock);
    for (unlock->rank = RANK_TRIED; status == OPSHIFT_OK && !*yes && unlock->rank > 0; unlock->rank--) {
        status = shapes_reach(unlock, goal, yes, error);
        if (*yes || !has_open_rank(unlock))
            break;
    }
    unlock->known = *yes;
    return status || !*yes ? status : shapes_shrink(unlock, goal, error);
}

/* ---- sets of options ---- */

enum { WITH_SHAPES = 1, WITH_APPROXIMATE = 2, WITH_FREEZE = 4 };

/* "--shape x=?x3x224x224 --allow-approximate" */
static enum opshift_status options_add(const struct unlock *unlock, int with, json_t *list, struct opshift_error *error)
{
    struct buffer text = {0};
    for (uint32_t i = 0; with & WITH_SHAPES && i < unlock->count; i++) {
        if (!unlock->inputs[i].wanted)
            continue;
        const char *shape = shape_text(unlock, &unlock->inputs[i], unlock->arena);
        buffer_print(&text, "%s--shape %s", text.size ? " " : "", shape ? shape : "");
        text.failed |= shape == NULL;
    }
    if (with & WITH_APPROXIMATE)
        buffer_print(&text, "%s--allow-approximate", text.size ? " " : "");
    if (with & WITH_FREEZE)
        buffer_print(&text, "%s--freeze-initializers", text.size ? " " : "");
    json_t *options = text.failed ? NULL : report_string((const char *)text.data, text.size);
    buffer_free(&text);
    return json_array_append_new(list, options) == 0 ? OPSHIFT_OK : opshift_no_memory(error);
}

static struct opshift_goal goal_with(const struct opshift_goal *goal, int with)
{
    struct opshift_goal other = *goal;
    other.allow_approximate |= (with & WITH_APPROXIMATE) != 0;
    other.freeze_initializers |= (with & WITH_FREEZE) != 0;
    return other;
}

/* Tries some options; if the opset is reached with them, they are added to the list. */
static enum opshift_status options_try(struct unlock *unlock, const struct opshift_goal *goal, int with, json_t *list,
                                       struct opshift_error *error)
{
    struct opshift_goal other = goal_with(goal, with);
    bool yes = false;
    enum opshift_status status =
        with & WITH_SHAPES ? shapes_find(unlock, &other, &yes, error) : reaches(unlock, &other, &yes, error);
    return status || !yes ? status : options_add(unlock, with, list, error);
}

enum opshift_status unlock_find(struct unlock *unlock, const struct opshift_goal *goal,
                                const struct conversion_plan *plan, json_t *list, struct opshift_error *error)
{
    static const int sets[] = {WITH_SHAPES,
                               WITH_APPROXIMATE,
                               WITH_FREEZE,
                               WITH_SHAPES | WITH_APPROXIMATE,
                               WITH_SHAPES | WITH_FREEZE,
                               WITH_APPROXIMATE | WITH_FREEZE,
                               WITH_SHAPES | WITH_APPROXIMATE | WITH_FREEZE};
    const size_t single = 3;
    int given = (goal->allow_approximate ? WITH_APPROXIMATE : 0) | (goal->freeze_initializers ? WITH_FREEZE : 0);
    enum opshift_status status = OPSHIFT_OK;
    if (plan->hopeless)
        return OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < COUNT(sets) && (i < single || json_array_size(list) == 0); i++)
        if ((sets[i] & given) == 0)
            status = options_try(unlock, goal, sets[i], list, error);
    return status;
}

void unlock_print(const char *options, struct buffer *out)
{
    buffer_print(out, "reachable with %s", options);
    if (strstr(options, "--shape"))
        buffer_add_text(out, " (sizes as an example; ? keeps a dim as it is)");
}
