/* TreeEnsembleRegressor, TreeEnsembleClassifier and TreeEnsemble of ai.onnx.ml. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/learned.h"

enum branch { BRANCH_LEQ, BRANCH_LT, BRANCH_GTE, BRANCH_GT, BRANCH_EQ, BRANCH_NEQ, BRANCH_MEMBER, BRANCH_LEAF };
enum aggregate { AGGREGATE_AVERAGE, AGGREGATE_SUM, AGGREGATE_MIN, AGGREGATE_MAX };

/* A node that asks a feature; its two ways lead to nodes, or (is_leaf) to leaves. */
struct tree_branch {
    enum branch mode;
    bool missing_is_true;
    uint64_t feature;
    double split;
    const double *members; /* BRANCH_MEMBER */
    uint64_t member_count;
    uint64_t sides[2]; /* false, true */
    bool is_leaf[2];
};

/* What a leaf adds to a target. */
struct tree_weight {
    uint64_t next; /* of the same leaf, counted from 1; 0: none */
    uint64_t target;
    double weight;
};

struct ensemble {
    struct tree_branch *branches;
    uint64_t branch_count;
    uint64_t *first; /* by leaf: its first weight, counted from 1; 0: none */
    uint64_t leaf_count;
    struct tree_weight *weights;
    uint64_t weight_count;
    uint64_t *roots;
    bool *root_is_leaf;
    uint64_t root_count;
    uint64_t targets;
    enum aggregate aggregate;
    enum post_transform post;
    const double *base; /* NULL, or one for each target */
    struct feature_rows rows;
    double *scores; /* [rows, targets] */
};

/* ---- attributes -------------------------------------------------------------------------------------------------- */

/* A list of floats or, by NAME_as_tensor, of floats or doubles; count 0: neither. `name` may be that of the tensor. */
static enum opshift_status numbers_read(const struct kernel_call *call, enum attribute_id name,
                                        enum attribute_id tensor_name, double **values, uint64_t *count,
                                        struct opshift_error *error)
{
    const Onnx__AttributeProto *attribute = kernel_message(call, tensor_name);
    struct float_list floats = kernel_floats(call, name);
    struct tensor *tensor = NULL;
    enum opshift_status status = OPSHIFT_OK;
    *count = 0;
    *values = NULL;
    if (attribute && attribute->t) {
        status = kernel_room_for(call, attribute->t->data_type, attribute->t->n_dims, attribute->t->dims, error);
        if (status == OPSHIFT_OK)
            status = tensor_decode(call->arena, attribute->t, &tensor, error);
        if (status == OPSHIFT_OK)
            status = reals_load(call, tensor, values, error);
        *count = status == OPSHIFT_OK ? tensor->count : 0;
        return status;
    }
    if (floats.count)
        status = reals_new(call, floats.count, values, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < floats.count; i++)
        (*values)[i] = (double)floats.values[i];
    *count = status == OPSHIFT_OK ? floats.count : 0;
    return status;
}

static enum opshift_status check_count(const struct kernel_call *call, enum attribute_id id, uint64_t count,
                                       uint64_t wanted, struct opshift_error *error)
{
    if (count == wanted)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_MALFORMED, "attribute '%s' has %llu entries, must have %llu",
                        schema_attribute(call->operation.schema, id)->name, (unsigned long long)count,
                        (unsigned long long)wanted);
}

/* A list of integers with this many entries. */
static enum opshift_status ints_read(const struct kernel_call *call, enum attribute_id id, uint64_t count,
                                     struct int_list *list, struct opshift_error *error)
{
    *list = kernel_ints(call, id);
    return check_count(call, id, list->count, count, error);
}

static enum opshift_status branches_new(const struct kernel_call *call, struct ensemble *ensemble, uint64_t branches,
                                        uint64_t leaves, uint64_t weights, struct opshift_error *error)
{
    void *rooms[3] = {NULL, NULL, NULL};
    ensemble->branch_count = branches;
    ensemble->leaf_count = leaves;
    ensemble->weight_count = weights;
    enum opshift_status status = kernel_scratch(call, branches, sizeof(*ensemble->branches), &rooms[0], error);
    if (status == OPSHIFT_OK)
        status = kernel_scratch(call, leaves, sizeof(*ensemble->first), &rooms[1], error);
    if (status == OPSHIFT_OK)
        status = kernel_scratch(call, weights, sizeof(*ensemble->weights), &rooms[2], error);
    ensemble->branches = rooms[0];
    ensemble->first = rooms[1];
    ensemble->weights = rooms[2];
    return status;
}

static enum opshift_status roots_new(const struct kernel_call *call, struct ensemble *ensemble, uint64_t count,
                                     struct opshift_error *error)
{
    void *rooms[2] = {NULL, NULL};
    enum opshift_status status = kernel_scratch(call, count, sizeof(*ensemble->roots), &rooms[0], error);
    if (status == OPSHIFT_OK)
        status = kernel_scratch(call, count, sizeof(*ensemble->root_is_leaf), &rooms[1], error);
    ensemble->roots = rooms[0];
    ensemble->root_is_leaf = rooms[1];
    return status;
}

static enum opshift_status add_weight(struct ensemble *ensemble, uint64_t at, uint64_t leaf, int64_t target,
                                      double weight, struct opshift_error *error)
{
    if (target < 0 || (uint64_t)target >= ensemble->targets)
        return opshift_fail(error, OPSHIFT_MALFORMED, "weight %llu is for target %lld of %llu", (unsigned long long)at,
                            (long long)target, (unsigned long long)ensemble->targets);
    ensemble->weights[at] = (struct tree_weight){ensemble->first[leaf], (uint64_t)target, weight};
    ensemble->first[leaf] = at + 1;
    return OPSHIFT_OK;
}

/* ---- trees of versions 1 to 4: nodes named by tree and number ---------------------------------------------------- */

struct named_node {
    int64_t tree, number;
    uint64_t at;
};

static int by_name(const void *left, const void *right)
{
    const struct named_node *a = left, *b = right;
    if (a->tree != b->tree)
        return a->tree < b->tree ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

struct named_nodes {
    struct named_node *items;
    uint64_t count;
    struct int_list trees, numbers;
};

static enum opshift_status names_read(const struct kernel_call *call, struct named_nodes *names,
                                      struct opshift_error *error)
{
    void *room = NULL;
    names->trees = kernel_ints(call, ATTRIBUTE_NODES_TREEIDS);
    names->count = names->trees.count;
    enum opshift_status status = ints_read(call, ATTRIBUTE_NODES_NODEIDS, names->count, &names->numbers, error);
    if (status == OPSHIFT_OK)
        status = kernel_work(call, names->count, STEPS_CURVE, error);
    if (status == OPSHIFT_OK)
        status = kernel_scratch(call, names->count, sizeof(*names->items), &room, error);
    names->items = room;
    for (uint64_t i = 0; status == OPSHIFT_OK && i < names->count; i++)
        names->items[i] = (struct named_node){names->trees.values[i], names->numbers.values[i], i};
    if (status == OPSHIFT_OK && names->count)
        qsort(names->items, names->count, sizeof(*names->items), by_name);
    return status;
}

static enum opshift_status name_find(const struct named_nodes *names, int64_t tree, int64_t number, uint64_t *at,
                                     struct opshift_error *error)
{
    const struct named_node key = {tree, number, 0};
    const struct named_node *found =
        names->count ? bsearch(&key, names->items, names->count, sizeof(key), by_name) : NULL;
    if (found == NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "tree %lld has no node %lld", (long long)tree, (long long)number);
    *at = found->at;
    return OPSHIFT_OK;
}

static enum opshift_status mode_find(ProtobufCBinaryData text, enum branch *mode, struct opshift_error *error)
{
    static const struct {
        const char *word;
        enum branch mode;
    } words[] = {{"BRANCH_LEQ", BRANCH_LEQ}, {"BRANCH_LT", BRANCH_LT}, {"BRANCH_GTE", BRANCH_GTE},
                 {"BRANCH_GT", BRANCH_GT},   {"BRANCH_EQ", BRANCH_EQ}, {"BRANCH_NEQ", BRANCH_NEQ},
                 {"LEAF", BRANCH_LEAF}};
    for (size_t i = 0; i < COUNT(words); i++)
        if (bytes_are(bytes_of(text), words[i].word)) {
            *mode = words[i].mode;
            return OPSHIFT_OK;
        }
    return opshift_fail(error, OPSHIFT_MALFORMED, "nodes_modes has '%.*s'", text.len < 40 ? (int)text.len : 40,
                        (const char *)text.data);
}

/* Each node is a branch or a leaf, both by its place. */
static enum opshift_status named_branches(const struct kernel_call *call, struct ensemble *ensemble,
                                          const struct named_nodes *names, struct opshift_error *error)
{
    struct int_list features, sides[2], missing = kernel_ints(call, ATTRIBUTE_NODES_MISSING_VALUE_TRACKS_TRUE);
    const Onnx__AttributeProto *modes = kernel_message(call, ATTRIBUTE_NODES_MODES);
    double *splits = NULL;
    uint64_t split_count = 0;
    enum opshift_status status = ints_read(call, ATTRIBUTE_NODES_FEATUREIDS, names->count, &features, error);
    if (status == OPSHIFT_OK)
        status = ints_read(call, ATTRIBUTE_NODES_FALSENODEIDS, names->count, &sides[0], error);
    if (status == OPSHIFT_OK)
        status = ints_read(call, ATTRIBUTE_NODES_TRUENODEIDS, names->count, &sides[1], error);
    if (status == OPSHIFT_OK && missing.count)
        status = check_count(call, ATTRIBUTE_NODES_MISSING_VALUE_TRACKS_TRUE, missing.count, names->count, error);
    if (status == OPSHIFT_OK)
        status =
            numbers_read(call, ATTRIBUTE_NODES_VALUES, ATTRIBUTE_NODES_VALUES_AS_TENSOR, &splits, &split_count, error);
    if (status == OPSHIFT_OK)
        status = check_count(call, ATTRIBUTE_NODES_VALUES, split_count, names->count, error);
    if (status == OPSHIFT_OK)
        status = check_count(call, ATTRIBUTE_NODES_MODES, modes ? modes->n_strings : 0, names->count, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < names->count; i++) {
        struct tree_branch *branch = &ensemble->branches[i];
        status = mode_find(modes->strings[i], &branch->mode, error);
        branch->feature = features.values[i] < 0 ? UINT64_MAX : (uint64_t)features.values[i];
        branch->split = splits[i];
        branch->missing_is_true = missing.count && missing.values[i];
        for (int side = 0; side < 2 && status == OPSHIFT_OK && branch->mode != BRANCH_LEAF; side++)
            status = name_find(names, names->trees.values[i], sides[side].values[i], &branch->sides[side], error);
    }
    for (uint64_t i = 0; status == OPSHIFT_OK && i < names->count; i++)
        for (int side = 0; side < 2 && ensemble->branches[i].mode != BRANCH_LEAF; side++)
            ensemble->branches[i].is_leaf[side] =
                ensemble->branches[ensemble->branches[i].sides[side]].mode == BRANCH_LEAF;
    return status;
}

/* A root is a node to which no other leads. */
static enum opshift_status named_roots(const struct kernel_call *call, struct ensemble *ensemble,
                                       struct opshift_error *error)
{
    void *room = NULL;
    enum opshift_status status = kernel_scratch(call, ensemble->branch_count, sizeof(bool), &room, error);
    if (status == OPSHIFT_OK)
        status = roots_new(call, ensemble, ensemble->branch_count, error);
    bool *is_child = room;
    for (uint64_t i = 0; status == OPSHIFT_OK && i < ensemble->branch_count; i++)
        for (int side = 0; side < 2 && ensemble->branches[i].mode != BRANCH_LEAF; side++)
            is_child[ensemble->branches[i].sides[side]] = true;
    for (uint64_t i = 0; status == OPSHIFT_OK && i < ensemble->branch_count; i++) {
        if (is_child[i])
            continue;
        ensemble->roots[ensemble->root_count] = i;
        ensemble->root_is_leaf[ensemble->root_count++] = ensemble->branches[i].mode == BRANCH_LEAF;
    }
    return status;
}

/* The attributes of the weights of targets or classes. */
struct weight_names {
    enum attribute_id weights, as_tensor, trees, nodes, targets;
};

static const struct weight_names target_weights = {ATTRIBUTE_TARGET_WEIGHTS, ATTRIBUTE_TARGET_WEIGHTS_AS_TENSOR,
                                                   ATTRIBUTE_TARGET_TREEIDS, ATTRIBUTE_TARGET_NODEIDS,
                                                   ATTRIBUTE_TARGET_IDS},
                                 class_weights = {ATTRIBUTE_CLASS_WEIGHTS, ATTRIBUTE_CLASS_WEIGHTS_AS_TENSOR,
                                                  ATTRIBUTE_CLASS_TREEIDS, ATTRIBUTE_CLASS_NODEIDS,
                                                  ATTRIBUTE_CLASS_IDS};

static enum opshift_status named_weights(const struct kernel_call *call, struct ensemble *ensemble,
                                         const struct named_nodes *names, const struct weight_names *ids,
                                         struct opshift_error *error)
{
    struct int_list trees, numbers, targets;
    double *weights = NULL;
    uint64_t count = 0;
    enum opshift_status status = numbers_read(call, ids->weights, ids->as_tensor, &weights, &count, error);
    if (status == OPSHIFT_OK)
        status = ints_read(call, ids->trees, count, &trees, error);
    if (status == OPSHIFT_OK)
        status = ints_read(call, ids->nodes, count, &numbers, error);
    if (status == OPSHIFT_OK)
        status = ints_read(call, ids->targets, count, &targets, error);
    if (status == OPSHIFT_OK)
        status = branches_new(call, ensemble, names->count, names->count, count, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        uint64_t leaf = 0;
        status = name_find(names, trees.values[i], numbers.values[i], &leaf, error);
        if (status == OPSHIFT_OK)
            status = add_weight(ensemble, i, leaf, targets.values[i], weights[i], error);
    }
    return status;
}

static enum opshift_status named_base(const struct kernel_call *call, struct ensemble *ensemble,
                                      struct opshift_error *error)
{
    double *base = NULL;
    uint64_t count = 0;
    enum opshift_status status =
        numbers_read(call, ATTRIBUTE_BASE_VALUES, ATTRIBUTE_BASE_VALUES_AS_TENSOR, &base, &count, error);
    if (status == OPSHIFT_OK && count)
        status = check_count(call, ATTRIBUTE_BASE_VALUES, count, ensemble->targets, error);
    ensemble->base = count ? base : NULL;
    return status;
}

static enum opshift_status named_trees(const struct kernel_call *call, struct ensemble *ensemble,
                                       const struct weight_names *ids, struct opshift_error *error)
{
    struct named_nodes names;
    enum opshift_status status = names_read(call, &names, error);
    if (status == OPSHIFT_OK)
        status = named_weights(call, ensemble, &names, ids, error);
    if (status == OPSHIFT_OK)
        status = named_branches(call, ensemble, &names, error);
    if (status == OPSHIFT_OK)
        status = named_roots(call, ensemble, error);
    if (status == OPSHIFT_OK)
        status = named_base(call, ensemble, error);
    return status == OPSHIFT_OK ? post_transform_read(call, &ensemble->post, error) : status;
}

/* ---- trees of version 5: nodes and leaves by their places -------------------------------------------------------- */

/* Gives each BRANCH_MEMBER its numbers, which NaN separate. */
static enum opshift_status give_members(struct ensemble *ensemble, const double *members, uint64_t count,
                                        struct opshift_error *error)
{
    uint64_t at = 0;
    for (uint64_t i = 0; i < ensemble->branch_count; i++) {
        struct tree_branch *branch = &ensemble->branches[i];
        if (branch->mode != BRANCH_MEMBER)
            continue;
        uint64_t start = at;
        while (at < count && !isnan(members[at]))
            at++;
        if (at == start)
            return opshift_fail(error, OPSHIFT_MALFORMED, "membership_values has no numbers for node %llu",
                                (unsigned long long)i);
        branch->members = members + start;
        branch->member_count = at++ - start;
    }
    return OPSHIFT_OK;
}

static enum opshift_status placed_side(const struct ensemble *ensemble, struct tree_branch *branch, int side,
                                       int64_t place, bool is_leaf, struct opshift_error *error)
{
    uint64_t most = is_leaf ? ensemble->leaf_count : ensemble->branch_count;
    if (place < 0 || (uint64_t)place >= most)
        return opshift_fail(error, OPSHIFT_MALFORMED, "a node leads to %s %lld of %llu", is_leaf ? "leaf" : "node",
                            (long long)place, (unsigned long long)most);
    branch->sides[side] = (uint64_t)place;
    branch->is_leaf[side] = is_leaf;
    return OPSHIFT_OK;
}

static enum opshift_status placed_branches(const struct kernel_call *call, struct ensemble *ensemble,
                                           const double *modes, const double *splits, struct opshift_error *error)
{
    struct int_list features, sides[2], leaves[2],
        missing = kernel_ints(call, ATTRIBUTE_NODES_MISSING_VALUE_TRACKS_TRUE);
    uint64_t count = ensemble->branch_count;
    enum opshift_status status = ints_read(call, ATTRIBUTE_NODES_FEATUREIDS, count, &features, error);
    if (status == OPSHIFT_OK)
        status = ints_read(call, ATTRIBUTE_NODES_FALSENODEIDS, count, &sides[0], error);
    if (status == OPSHIFT_OK)
        status = ints_read(call, ATTRIBUTE_NODES_TRUENODEIDS, count, &sides[1], error);
    if (status == OPSHIFT_OK)
        status = ints_read(call, ATTRIBUTE_NODES_FALSELEAFS, count, &leaves[0], error);
    if (status == OPSHIFT_OK)
        status = ints_read(call, ATTRIBUTE_NODES_TRUELEAFS, count, &leaves[1], error);
    if (status == OPSHIFT_OK && missing.count)
        status = check_count(call, ATTRIBUTE_NODES_MISSING_VALUE_TRACKS_TRUE, missing.count, count, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        struct tree_branch *branch = &ensemble->branches[i];
        if (!(modes[i] >= BRANCH_LEQ && modes[i] <= BRANCH_MEMBER))
            return opshift_fail(error, OPSHIFT_MALFORMED, "nodes_modes has %g", modes[i]);
        branch->mode = (enum branch)modes[i];
        branch->split = splits[i];
        branch->feature = features.values[i] < 0 ? UINT64_MAX : (uint64_t)features.values[i];
        branch->missing_is_true = missing.count && missing.values[i];
        for (int side = 0; side < 2 && status == OPSHIFT_OK; side++)
            status = placed_side(ensemble, branch, side, sides[side].values[i], leaves[side].values[i] != 0, error);
    }
    return status;
}

static enum opshift_status placed_roots(const struct kernel_call *call, struct ensemble *ensemble,
                                        struct opshift_error *error)
{
    struct int_list roots = kernel_ints(call, ATTRIBUTE_TREE_ROOTS);
    enum opshift_status status = roots_new(call, ensemble, roots.count, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < roots.count; i++) {
        if (roots.values[i] < 0 || (uint64_t)roots.values[i] >= ensemble->branch_count)
            return opshift_fail(error, OPSHIFT_MALFORMED, "tree_roots has node %lld of %llu",
                                (long long)roots.values[i], (unsigned long long)ensemble->branch_count);
        ensemble->roots[ensemble->root_count++] = (uint64_t)roots.values[i];
    }
    return status;
}

static enum opshift_status placed_trees(const struct kernel_call *call, struct ensemble *ensemble,
                                        struct opshift_error *error)
{
    struct int_list targets;
    double *modes, *splits, *weights, *members;
    uint64_t counts[4];
    enum opshift_status status =
        numbers_read(call, ATTRIBUTE_NODES_MODES, ATTRIBUTE_NODES_MODES, &modes, &counts[0], error);
    if (status == OPSHIFT_OK)
        status = numbers_read(call, ATTRIBUTE_NODES_SPLITS, ATTRIBUTE_NODES_SPLITS, &splits, &counts[1], error);
    if (status == OPSHIFT_OK)
        status = check_count(call, ATTRIBUTE_NODES_SPLITS, counts[1], counts[0], error);
    if (status == OPSHIFT_OK)
        status = numbers_read(call, ATTRIBUTE_LEAF_WEIGHTS, ATTRIBUTE_LEAF_WEIGHTS, &weights, &counts[2], error);
    if (status == OPSHIFT_OK)
        status = ints_read(call, ATTRIBUTE_LEAF_TARGETIDS, counts[2], &targets, error);
    if (status == OPSHIFT_OK)
        status =
            numbers_read(call, ATTRIBUTE_MEMBERSHIP_VALUES, ATTRIBUTE_MEMBERSHIP_VALUES, &members, &counts[3], error);
    if (status == OPSHIFT_OK)
        status = branches_new(call, ensemble, counts[0], counts[2], counts[2], error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < counts[2]; i++)
        status = add_weight(ensemble, i, i, targets.values[i], weights[i], error);
    if (status == OPSHIFT_OK)
        status = placed_branches(call, ensemble, modes, splits, error);
    if (status == OPSHIFT_OK)
        status = give_members(ensemble, members, counts[3], error);
    return status == OPSHIFT_OK ? placed_roots(call, ensemble, error) : status;
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

static bool is_true(const struct tree_branch *branch, double x)
{
    if (branch->missing_is_true && isnan(x))
        return true;
    switch (branch->mode) {
    case BRANCH_LEQ:
        return x <= branch->split;
    case BRANCH_LT:
        return x < branch->split;
    case BRANCH_GTE:
        return x >= branch->split;
    case BRANCH_GT:
        return x > branch->split;
    case BRANCH_EQ:
        return x == branch->split;
    case BRANCH_NEQ:
        return x != branch->split;
    default:
        for (uint64_t i = 0; i < branch->member_count; i++)
            if (x == branch->members[i])
                return true;
        return false;
    }
}

/* The leaf that a row reaches from a root. */
static enum opshift_status walk(const struct kernel_call *call, const struct ensemble *ensemble, uint64_t root,
                                const double *row, uint64_t *leaf, struct opshift_error *error)
{
    uint64_t at = ensemble->roots[root], steps = 0;
    bool is_leaf = ensemble->root_is_leaf[root];
    enum opshift_status status = kernel_work(call, 1, STEPS_MOVE, error);
    while (status == OPSHIFT_OK && !is_leaf) {
        const struct tree_branch *branch = &ensemble->branches[at];
        if (branch->feature >= ensemble->rows.width)
            return opshift_fail(error, OPSHIFT_MALFORMED, "node %llu asks a feature beyond the %llu of the input",
                                (unsigned long long)at, (unsigned long long)ensemble->rows.width);
        if (steps++ == ensemble->branch_count)
            return opshift_fail(error, OPSHIFT_MALFORMED, "a tree is a circle");
        status = kernel_work(call, STEPS_MOVE + branch->member_count, 1, error);
        bool side = status == OPSHIFT_OK && is_true(branch, row[branch->feature]);
        is_leaf = branch->is_leaf[side];
        at = branch->sides[side];
    }
    *leaf = at;
    return status;
}

static enum opshift_status gather(const struct kernel_call *call, const struct ensemble *ensemble, uint64_t leaf,
                                  double *scores, bool *has, struct opshift_error *error)
{
    uint64_t count = 0;
    for (uint64_t at = ensemble->first[leaf]; at; at = ensemble->weights[at - 1].next) {
        const struct tree_weight *weight = &ensemble->weights[at - 1];
        double *score = &scores[weight->target];
        if (!has[weight->target])
            *score = weight->weight;
        else if (ensemble->aggregate == AGGREGATE_MIN)
            *score = weight->weight < *score ? weight->weight : *score;
        else if (ensemble->aggregate == AGGREGATE_MAX)
            *score = weight->weight > *score ? weight->weight : *score;
        else
            *score += weight->weight;
        has[weight->target] = true;
        count++;
    }
    return kernel_work(call, count, STEPS_MOVE, error);
}

static enum opshift_status score_rows(struct kernel_call *call, struct ensemble *ensemble, struct opshift_error *error)
{
    void *room = NULL;
    uint64_t targets = ensemble->targets, count = kernel_times(ensemble->rows.count, targets);
    enum opshift_status status = reals_new(call, count, &ensemble->scores, error);
    if (status == OPSHIFT_OK)
        status = kernel_scratch(call, targets, sizeof(bool), &room, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < ensemble->rows.count; i++) {
        double *scores = ensemble->scores + i * targets;
        memset(room, 0, targets * sizeof(bool));
        for (uint64_t root = 0; status == OPSHIFT_OK && root < ensemble->root_count; root++) {
            uint64_t leaf = 0;
            status = walk(call, ensemble, root, ensemble->rows.values + i * ensemble->rows.width, &leaf, error);
            if (status == OPSHIFT_OK)
                status = gather(call, ensemble, leaf, scores, room, error);
        }
        for (uint64_t k = 0; status == OPSHIFT_OK && k < targets; k++) {
            if (ensemble->aggregate == AGGREGATE_AVERAGE && ensemble->root_count)
                scores[k] /= (double)ensemble->root_count;
            scores[k] += ensemble->base ? ensemble->base[k] : 0;
        }
    }
    return status;
}

static enum opshift_status give_scores(struct kernel_call *call, const struct ensemble *ensemble,
                                       enum opshift_type type, struct opshift_error *error)
{
    return scores_give(call, 0, type, ensemble->scores, ensemble->rows.count, ensemble->targets, ensemble->post, error);
}

static enum opshift_status targets_read(const struct kernel_call *call, struct ensemble *ensemble,
                                        struct opshift_error *error)
{
    int64_t targets = kernel_gives(call, ATTRIBUTE_N_TARGETS) ? kernel_int(call, ATTRIBUTE_N_TARGETS) : 1;
    if (targets < 1 || targets > INT32_MAX)
        return opshift_fail(error, OPSHIFT_MALFORMED, "n_targets is %lld, must be above 0", (long long)targets);
    ensemble->targets = (uint64_t)targets;
    return OPSHIFT_OK;
}

static enum opshift_status regressor(struct kernel_call *call, struct opshift_error *error)
{
    struct ensemble ensemble = {.aggregate = (enum aggregate)kernel_choice(call, ATTRIBUTE_AGGREGATE_FUNCTION)};
    enum opshift_status status = targets_read(call, &ensemble, error);
    if (status == OPSHIFT_OK)
        status = feature_rows_read(call, 0, &ensemble.rows, error);
    if (status == OPSHIFT_OK)
        status = named_trees(call, &ensemble, &target_weights, error);
    if (status == OPSHIFT_OK)
        status = score_rows(call, &ensemble, error);
    return status == OPSHIFT_OK ? give_scores(call, &ensemble, OPSHIFT_TYPE_FLOAT, error) : status;
}

/* Of two classes, runtimes choose the label in ways of their own. */
static enum opshift_status classifier(struct kernel_call *call, struct opshift_error *error)
{
    struct ensemble ensemble = {.aggregate = AGGREGATE_SUM};
    ensemble.targets = labels_count(call, ATTRIBUTE_CLASSLABELS_INT64S);
    if (ensemble.targets == 2)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "trees for two classes are not computed here");
    enum opshift_status status = feature_rows_read(call, 0, &ensemble.rows, error);
    if (status == OPSHIFT_OK)
        status = named_trees(call, &ensemble, &class_weights, error);
    if (status == OPSHIFT_OK)
        status = score_rows(call, &ensemble, error);
    return status ? status
                  : classes_give(call, ATTRIBUTE_CLASSLABELS_INT64S, ensemble.scores, ensemble.rows.count,
                                 ensemble.targets, ensemble.post, error);
}

static enum opshift_status tree_ensemble(struct kernel_call *call, struct opshift_error *error)
{
    struct ensemble ensemble = {0};
    int64_t aggregate = kernel_int(call, ATTRIBUTE_AGGREGATE_FUNCTION),
            post = kernel_int(call, ATTRIBUTE_POST_TRANSFORM);
    if (aggregate < AGGREGATE_AVERAGE || aggregate > AGGREGATE_MAX)
        return opshift_fail(error, OPSHIFT_MALFORMED, "aggregate_function is %lld, must be 0 to 3",
                            (long long)aggregate);
    if (post < POST_NONE || post > POST_SOFTMAX_ZERO)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "post_transform %lld is not computed here", (long long)post);
    ensemble.aggregate = (enum aggregate)aggregate;
    ensemble.post = (enum post_transform)post;
    enum opshift_status status = targets_read(call, &ensemble, error);
    if (status == OPSHIFT_OK)
        status = feature_rows_read(call, 0, &ensemble.rows, error);
    if (status == OPSHIFT_OK)
        status = placed_trees(call, &ensemble, error);
    if (status == OPSHIFT_OK)
        status = score_rows(call, &ensemble, error);
    return status == OPSHIFT_OK ? give_scores(call, &ensemble, call->inputs[0]->type, error) : status;
}

const struct kernel kernels_tree_ensemble[] = {
    {OPERATOR_TREE_ENSEMBLE, 5, KERNEL_ANY, tree_ensemble, {0}},
    {OPERATOR_TREE_ENSEMBLE_CLASSIFIER, 1, KERNEL_ANY, classifier, {0}},
    {OPERATOR_TREE_ENSEMBLE_REGRESSOR, 1, KERNEL_ANY, regressor, {0}},
    {0},
};
