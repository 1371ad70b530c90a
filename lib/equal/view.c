/* Views: nodes that give their input, or its elements in another shape, in another order of axes, or some of them.
 * What is known of types is what follows from facts alone, so that it holds for every input that is accepted. */
#include "equal/align.h"
#include "equal/view.h"
#include "model/number.h"

enum opshift_status known_type(const struct node_use *use, name_id name, struct value_type *type,
                               struct opshift_error *error)
{
    struct type_assumption shape = {0}, element = {0};
    struct types *types = use->side->types;
    *type = (struct value_type){.rank = -1};
    if (use->opening != NULL || name == NAME_NONE)
        return OPSHIFT_OK;
    enum opshift_status status = types_find(types, use->graph, name, type, error);
    if (status == OPSHIFT_OK)
        status = types_assumption(types, use->graph, name, TYPE_PART_SHAPE, &shape, error);
    if (status == OPSHIFT_OK)
        status = types_assumption(types, use->graph, name, TYPE_PART_ELEMENT, &element, error);
    if (shape.graph != NULL && use->side->given_holds && types_is_given(types, shape.graph, shape.name))
        shape.graph = NULL;
    if (shape.graph != NULL || !type->is_tensor || type->rank > TENSOR_RANK_MAX)
        type->rank = -1;
    if (element.graph != NULL)
        type->type = OPSHIFT_TYPE_UNDEFINED;
    return status;
}

enum opshift_status input_type(const struct equal_work *work, const struct node_use *use, uint32_t input,
                               struct value_type *type, struct opshift_error *error)
{
    const struct equal_term *term = use->inputs[input] == TERM_NONE ? NULL : &work->terms[use->inputs[input]];
    const struct equal_side *first = &work->sides[0];
    *type = (struct value_type){.rank = -1};
    if (use->opening == NULL || term == NULL)
        return known_type(use, node_inputs(use->node)[input], type, error);
    if (term->kind == TERM_MADE)
        return known_type(term->use, node_outputs(term->use->node)[term->output], type, error);
    if (term->kind == TERM_CONSTANT)
        type->type = term->tensor != NULL ? term->tensor->type : term->initializer->type;
    struct node_use at = {.side = first, .graph = first->model->main};
    return term->kind == TERM_INPUT ? known_type(&at, first->model->main->inputs[term->input].name, type, error)
                                    : OPSHIFT_OK;
}

/* ---- terms of views ---- */

enum opshift_status view_find(struct equal_work *work, const struct node_use *use, uint32_t output,
                              const struct view *view, struct opshift_error *error)
{
    bool made;
    uint32_t count = view->kind == VIEW_PART ? view->size : view->rank;
    key_start(work, 'v');
    key_number(work, view->kind);
    key_number(work, view->base);
    key_number(work, view->kind == VIEW_PART ? view->fill : TERM_NONE);
    key_bytes(work, view->dims, count * sizeof(*view->dims));
    enum opshift_status status = term_find(work, TERM_MADE, &use->outputs[output], &made, error);
    if (status != OPSHIFT_OK || !made)
        return status;
    struct equal_term *term = &work->terms[use->outputs[output]];
    struct view *copy = arena_copy(work->arena, view, sizeof(*view));
    if (copy == NULL)
        return opshift_no_memory(error);
    copy->dims = arena_copy(work->arena, view->dims, count * sizeof(*view->dims));
    copy->base_dims = arena_copy(work->arena, view->base_dims, view->base_rank * sizeof(*view->base_dims));
    if (copy->dims == NULL || copy->base_dims == NULL)
        return opshift_no_memory(error);
    term->use = use;
    term->output = output;
    term->view = copy;
    return OPSHIFT_OK;
}

const struct view *view_of(const struct equal_work *work, term_id term, enum view_kind kind)
{
    const struct view *view = work->terms[term].view;
    return view != NULL && view->kind == kind ? view : NULL;
}

/* ---- shapes ---- */

/* The product of the known dims, and how many are not known. 0: a dim is 0, or it is too large. */
static uint64_t known_product(const int64_t *dims, uint32_t rank, uint32_t *unknown)
{
    uint64_t product = 1;
    *unknown = 0;
    for (uint32_t i = 0; i < rank; i++) {
        if (dims[i] < 0)
            ++*unknown;
        else if (__builtin_mul_overflow(product, (uint64_t)dims[i], &product))
            return 0;
    }
    return product;
}

/* The symbol of a dim that is not known: where its name is first declared among the inputs of the first model, so that
 * both models have the same; 0: none. */
static int64_t dim_symbol(const struct equal_work *work, const struct node_use *use, const struct value_type *type,
                          uint32_t axis)
{
    const struct opshift_model *model = use->side->model;
    name_id name = type->params == NULL ? NAME_NONE : type->params[axis];
    struct value_type declared;
    for (uint32_t i = 0; name != NAME_NONE && use->opening == NULL && i < model->main->input_count; i++) {
        uint32_t number = use->side == &work->sides[0] ? i : work->input_of == NULL ? UINT32_MAX : align_input(work, i);
        struct node_use at = {.side = use->side, .graph = model->main};
        if (number == UINT32_MAX || known_type(&at, model->main->inputs[i].name, &declared, NULL) != OPSHIFT_OK)
            continue;
        for (int32_t k = 0; declared.params != NULL && k < declared.rank; k++)
            if (declared.dims[k] < 0 && declared.params[k] == name)
                return 2 + (int64_t)number * TENSOR_RANK_MAX + k;
    }
    return 0;
}

/* Names unknown dims by their symbols, below -1. False: one has none. */
static bool dims_name(const struct equal_work *work, const struct node_use *use, const struct value_type *type,
                      int64_t *dims)
{
    bool named = true;
    for (int32_t i = 0; i < type->rank; i++) {
        dims[i] = type->dims[i] >= 0 ? type->dims[i] : -dim_symbol(work, use, type, (uint32_t)i);
        named = named && dims[i] != 0;
        dims[i] = dims[i] == 0 && type->dims[i] != 0 ? -1 : dims[i];
    }
    return named;
}

/* Have both the same number of elements, whatever the unknown dims are? */
static bool products_are_same(const int64_t *one, uint32_t rank, const int64_t *other, uint32_t other_rank)
{
    uint32_t unknown, other_unknown, found = 0;
    bool met[TENSOR_RANK_MAX] = {false};
    uint64_t product = known_product(one, rank, &unknown);
    if (product == 0 || product != known_product(other, other_rank, &other_unknown) || unknown != other_unknown)
        return false;
    for (uint32_t i = 0; i < rank; i++)
        for (uint32_t k = 0; one[i] < -1 && k < other_rank; k++)
            if (!met[k] && other[k] == one[i]) {
                met[k] = true;
                found++;
                break;
            }
    return found == unknown;
}

/* Does a Reshape have one dim that follows from the others? */
static bool has_open_dim(const struct equal_work *work, const struct node_use *use)
{
    int64_t dims[TENSOR_RANK_MAX];
    size_t count = 0;
    bool open = false;
    if (use->node->input_count < 2 || !content_integers(work, use->inputs[1], TENSOR_RANK_MAX, dims, &count))
        return false;
    for (size_t i = 0; i < count; i++)
        open = open || dims[i] == -1;
    return open;
}

/* May a shape between the base and this one be left out? It must accept what this one accepts. */
static bool may_skip(const struct view *inner, const int64_t *dims, uint32_t rank)
{
    uint32_t unknown, inner_unknown;
    uint64_t product = known_product(dims, rank, &unknown);
    uint64_t between = known_product(inner->dims, inner->rank, &inner_unknown);
    if (inner->accepts_all)
        return true;
    if (between == 0 || inner_unknown > 1 || unknown > 1)
        return false;
    return inner_unknown == 0 ? unknown == 0 && between == product : product % between == 0;
}

/* Of a shape with one unknown dim it follows from the number of elements; of more, each is one of the base's. */
static enum opshift_status shape_view(struct equal_work *work, const struct node_use *use, enum operator_id id,
                                      bool *found, struct opshift_error *error)
{
    struct value_type from, to;
    uint32_t unknown, base_unknown;
    int64_t dims[TENSOR_RANK_MAX], base_dims[TENSOR_RANK_MAX];
    if (use->node->output_count != 1 || use->inputs[0] == TERM_NONE)
        return OPSHIFT_OK;
    enum opshift_status status = input_type(work, use, 0, &from, error);
    if (status == OPSHIFT_OK)
        status = known_type(use, node_outputs(use->node)[0], &to, error);
    if (status != OPSHIFT_OK || from.rank < 0 || to.rank < 0)
        return status;
    dims_name(work, use, &from, base_dims);
    dims_name(work, use, &to, dims);
    uint64_t product = known_product(dims, (uint32_t)to.rank, &unknown);
    uint64_t base = known_product(base_dims, (uint32_t)from.rank, &base_unknown);
    bool one = unknown == 1 && base_unknown == 1 && base != 0 && product == base;
    bool all = one || products_are_same(base_dims, (uint32_t)from.rank, dims, (uint32_t)to.rank);
    bool follows = id == OPERATOR_RESHAPE   ? unknown == 0 || has_open_dim(work, use)
                   : id == OPERATOR_FLATTEN ? true
                                            : unknown == base_unknown;
    if (product == 0 || !(all || (unknown <= 1 && follows)))
        return OPSHIFT_OK;
    bool divides = unknown == 1 && base_unknown == 1 && base != 0 && base % product == 0 && follows;
    for (int32_t i = 0; unknown == 1 && i < to.rank; i++)
        dims[i] = dims[i] < 0 ? -1 : dims[i];
    struct view view = {.kind = VIEW_SHAPE,
                        .base = use->inputs[0],
                        .rank = (uint32_t)to.rank,
                        .dims = dims,
                        .base_rank = (uint32_t)from.rank,
                        .base_dims = base_dims,
                        .accepts_all = all || divides || (id == OPERATOR_FLATTEN && follows)};
    if (view.accepts_all)
        status = part_squeeze(work, use, &from, &to, found, error);
    if (status != OPSHIFT_OK || *found)
        return status;
    const struct view *inner = view_of(work, view.base, VIEW_SHAPE);
    if (inner != NULL && may_skip(inner, dims, view.rank)) {
        view.base = inner->base;
        view.base_rank = inner->base_rank;
        view.base_dims = inner->base_dims;
        view.accepts_all = view.accepts_all && inner->accepts_all;
    }
    *found = true;
    bool same_rank = view.rank == view.base_rank, same = same_rank && view.accepts_all;
    uint32_t open = 0;
    for (uint32_t i = 0; same_rank && i < view.rank; i++) {
        same =
            same && (view.dims[i] == view.base_dims[i] || (view.dims[i] < 0 && view.base_dims[i] < 0 && unknown == 1));
        open += view.base_dims[i] < 0;
    }
    if (same && open == unknown) {
        use->outputs[0] = view.base;
        return OPSHIFT_OK;
    }
    return view_find(work, use, 0, &view, error);
}

/* ---- orders of axes ---- */

static enum opshift_status turn_view(struct equal_work *work, const struct node_use *use, bool *found,
                                     struct opshift_error *error)
{
    const int64_t *perm = NULL;
    int64_t turned[TENSOR_RANK_MAX];
    size_t count = SIZE_MAX;
    bool stays = true;
    struct value_type type = {.rank = -1};
    enum opshift_status status = use_ints(work, use, "perm", &perm, &count, error);
    if (status == OPSHIFT_OK)
        status = input_type(work, use, 0, &type, error);
    if (count == SIZE_MAX && type.rank >= 0)
        count = (size_t)type.rank;
    if (status != OPSHIFT_OK || type.rank < 0 || count != (size_t)type.rank || use->inputs[0] == TERM_NONE)
        return status; /* one of another rank is refused */
    const struct view *inner = view_of(work, use->inputs[0], VIEW_TURN);
    if (inner != NULL && inner->rank != count)
        return OPSHIFT_OK;
    for (size_t i = 0; i < count; i++) {
        int64_t from = perm == NULL ? (int64_t)(count - 1 - i) : perm[i];
        if (from < 0 || (size_t)from >= count)
            return OPSHIFT_OK;
        turned[i] = inner == NULL ? from : inner->dims[from];
        stays = stays && turned[i] == (int64_t)i;
    }
    struct view view = {.kind = VIEW_TURN,
                        .base = inner == NULL ? use->inputs[0] : inner->base,
                        .rank = (uint32_t)count,
                        .dims = turned,
                        .base_dims = turned};
    *found = true;
    if (!stays)
        return view_find(work, use, 0, &view, error);
    use->outputs[0] = view.base;
    return OPSHIFT_OK;
}

/* ---- what gives its input ---- */

/* Where it has a mask, its first output is its input all the same, though *found stays false. */
static enum opshift_status dropout_view(struct equal_work *work, const struct node_use *use, bool *found,
                                        struct opshift_error *error)
{
    int64_t opset = graph_opset(use->side->model, use->graph, NAME_NONE), is_test = 0;
    enum opshift_status status = OPSHIFT_OK;
    bool masked = use->node->output_count > 1 && node_outputs(use->node)[1] != NAME_NONE;
    bool trains = use->node->input_count > 2 && node_inputs(use->node)[2] != NAME_NONE;
    if (trains) {
        const struct tensor *mode = use->inputs[2] == TERM_NONE ? NULL : work->terms[use->inputs[2]].tensor;
        const struct tensor *ratio = use->inputs[1] == TERM_NONE ? NULL : work->terms[use->inputs[1]].tensor;
        trains = mode == NULL || mode->type != OPSHIFT_TYPE_BOOL || mode->count != 1 || *(const uint8_t *)mode->data;
        trains = trains && (ratio == NULL || ratio->count != 1 || tensor_number(ratio, 0) != 0);
    }
    if (opset < 7)
        status = use_int(work, use, "is_test", &is_test, error);
    if (status != OPSHIFT_OK || trains || (opset < 7 && is_test == 0))
        return status;
    *found = !masked;
    use->outputs[0] = use->inputs[0];
    return OPSHIFT_OK;
}

static enum opshift_status cast_view(struct equal_work *work, const struct node_use *use, bool *found,
                                     struct opshift_error *error)
{
    int64_t to = OPSHIFT_TYPE_UNDEFINED;
    struct value_type type = {0}, like = {0};
    enum opshift_status status = use_int(work, use, "to", &to, error);
    if (status == OPSHIFT_OK && use->node->input_count > 1)
        status = input_type(work, use, 1, &like, error);
    if (use->node->input_count > 1)
        to = like.type;
    if (status == OPSHIFT_OK)
        status = input_type(work, use, 0, &type, error);
    if (status != OPSHIFT_OK || to == OPSHIFT_TYPE_UNDEFINED || type.type != (enum opshift_type)to)
        return status;
    *found = true;
    use->outputs[0] = use->inputs[0];
    return OPSHIFT_OK;
}

enum opshift_status view_terms(struct equal_work *work, struct node_use *use, enum operator_id id, bool *found,
                               struct opshift_error *error)
{
    *found = false;
    if (use->node->input_count == 0 || use->node->output_count == 0 || use->inputs[0] == TERM_NONE)
        return OPSHIFT_OK;
    arena_clear(work->scratch);
    switch (id) {
    case OPERATOR_IDENTITY:
        *found = true;
        use->outputs[0] = use->inputs[0];
        return OPSHIFT_OK;
    case OPERATOR_DROPOUT:
        return dropout_view(work, use, found, error);
    case OPERATOR_CAST:
    case OPERATOR_CAST_LIKE:
        return cast_view(work, use, found, error);
    case OPERATOR_TRANSPOSE:
        return turn_view(work, use, found, error);
    case OPERATOR_RESHAPE:
    case OPERATOR_FLATTEN:
    case OPERATOR_SQUEEZE:
    case OPERATOR_UNSQUEEZE:
        return shape_view(work, use, id, found, error);
    default:
        return part_terms(work, use, id, found, error);
    }
}
