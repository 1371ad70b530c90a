/* Views that pick places along each axis for itself: Slice, Split, Gather of constants, Pad, Tile, Expand, and Concat
 * of such parts of one value. The places of an axis are runs: a first index, a step, and how many. */
#include "equal/view.h"

#include <string.h>

#define LIST_MOST     4096u
#define SEQUENCE_MOST 64u
/* Runs of an axis. */
#define RUNS_MOST 1024u
/* In place of an index: an element that is filled in. */
#define FILLED INT64_MIN

struct part_run {
    int64_t start, step, count;
};

/* An axis of the base. */
struct axis {
    struct part_run *runs;
    uint32_t run_count;
    int64_t length;
    bool all;     /* all of it, which may be unknown */
    bool dropped; /* of length 1, and no axis of the value */
};

struct parts {
    term_id base, fill; /* fill TERM_NONE: zeros, or nothing is filled in */
    bool has_fill;
    uint32_t base_rank, rank;
    int64_t base_dims[TENSOR_RANK_MAX];
    struct axis axes[TENSOR_RANK_MAX];
    uint32_t places[TENSOR_RANK_MAX]; /* by axis of the value: that of the base */
    struct arena *arena;
    bool failed, known; /* no memory; it is such a view */
};

/* ---- runs ---- */

/* Adds places. Equal lists of places have equal runs: each is as long as it can be, from the first on. */
static void run_add(struct parts *parts, struct axis *axis, struct part_run run)
{
    struct part_run *last = axis->run_count > 0 ? &axis->runs[axis->run_count - 1] : NULL;
    if (run.count <= 0 || axis->runs == NULL || parts->failed || !parts->known)
        return;
    axis->length += run.count;
    run.step = run.count == 1 || run.start == FILLED ? 0 : run.step;
    bool fits = last != NULL && (last->start == FILLED) == (run.start == FILLED);
    int64_t step = fits && last->count == 1 && run.start != FILLED ? run.start - last->start : fits ? last->step : 0;
    if (fits && run.start == last->start + (run.start == FILLED ? 0 : step * last->count)) {
        bool whole = run.count == 1 || run.step == step;
        last->step = step;
        last->count += whole ? run.count : 1;
        if (whole)
            return;
        run.start += run.step;
        run.count--;
        run.step = run.count == 1 ? 0 : run.step;
    }
    if (axis->run_count == RUNS_MOST) {
        parts->known = false;
        return;
    }
    axis->runs[axis->run_count++] = run;
}

static struct part_run *runs_new(struct parts *parts)
{
    struct part_run *runs = arena_alloc(parts->arena, RUNS_MOST, sizeof(*runs));
    parts->failed = parts->failed || runs == NULL;
    return runs;
}

/* An axis of known length as runs. */
static void axis_open(struct parts *parts, struct axis *axis)
{
    if (!axis->all)
        return;
    int64_t length = axis->length;
    axis->all = false;
    axis->runs = runs_new(parts);
    axis->run_count = 0;
    axis->length = 0;
    run_add(parts, axis, (struct part_run){0, 1, length});
}

/* Adds what a run of places of one axis is in the base. */
static void run_through(struct parts *parts, const struct axis *from, struct axis *to, struct part_run run)
{
    if (run.start == FILLED) {
        run_add(parts, to, run);
        return;
    }
    while (run.count > 0 && !parts->failed && parts->known) {
        int64_t before = 0, many = run.count;
        uint32_t at = 0;
        while (at < from->run_count && run.start >= before + from->runs[at].count)
            before += from->runs[at++].count;
        if (at == from->run_count || run.start < 0) {
            parts->known = false;
            return;
        }
        const struct part_run *inner = &from->runs[at];
        int64_t place = run.start - before, room = run.step < 0 ? place : inner->count - 1 - place;
        int64_t step = run.step < 0 ? -run.step : run.step;
        if (step > 0 && room / step + 1 < many)
            many = room / step + 1;
        bool filled = inner->start == FILLED;
        run_add(parts, to,
                (struct part_run){filled ? FILLED : inner->start + inner->step * place,
                                  filled ? 0 : inner->step * run.step, many});
        run.start += run.step * many;
        run.count -= many;
    }
}

/* Takes these places of an axis of the value in place of all. */
static void axis_take(struct parts *parts, uint32_t number, const struct part_run *runs, uint32_t count)
{
    struct axis *axis = &parts->axes[parts->places[number]];
    if (axis->length < 0) {
        parts->known = false;
        return;
    }
    axis_open(parts, axis);
    struct axis taken = {.runs = runs_new(parts)};
    for (uint32_t i = 0; i < count; i++)
        run_through(parts, axis, &taken, runs[i]);
    *axis = taken;
}

/* ---- from a term, and to one ---- */

/* What a term is of its base: all of itself, if it is no such view. */
static void parts_start(struct equal_work *work, term_id term, const struct value_type *type, struct parts *parts)
{
    const struct view *view = term == TERM_NONE ? NULL : view_of(work, term, VIEW_PART);
    *parts = (struct parts){.base = view == NULL ? term : view->base,
                            .fill = view == NULL ? TERM_NONE : view->fill,
                            .has_fill = view != NULL && view->has_fill,
                            .base_rank = view == NULL ? (uint32_t)type->rank : view->base_rank,
                            .arena = work->scratch,
                            .known = term != TERM_NONE && type->rank >= 0};
    const int64_t *next = view == NULL ? NULL : view->dims;
    for (uint32_t i = 0; parts->known && i < parts->base_rank; i++) {
        struct axis *axis = &parts->axes[i];
        parts->base_dims[i] = view == NULL ? type->dims[i] : view->base_dims[i];
        *axis = (struct axis){.all = true, .length = parts->base_dims[i]};
        if (next != NULL) {
            axis->all = next[0] == 1;
            axis->dropped = next[0] == 2;
            uint32_t count = (uint32_t)next[1];
            next += 2;
            axis->length = axis->all ? axis->length : 0;
            axis->runs = axis->all ? NULL : runs_new(parts);
            for (uint32_t k = 0; k < count && !parts->failed; k++, next += 3)
                run_add(parts, axis, (struct part_run){next[0], next[1], next[2]});
        }
        if (!axis->dropped)
            parts->places[parts->rank++] = i;
    }
    parts->known = parts->known && parts->rank == (uint32_t)type->rank;
}

static enum opshift_status parts_end(struct equal_work *work, const struct node_use *use, uint32_t output,
                                     struct parts *parts, struct opshift_error *error)
{
    struct view view = {.kind = VIEW_PART,
                        .base = parts->base,
                        .rank = parts->rank,
                        .base_rank = parts->base_rank,
                        .base_dims = parts->base_dims};
    int64_t *out =
        arena_alloc(work->scratch, 2 * TENSOR_RANK_MAX + 3 * UINT64_C(1) * RUNS_MOST * TENSOR_RANK_MAX, sizeof(*out));
    bool all = true;
    if (parts->failed || out == NULL)
        return opshift_no_memory(error);
    view.dims = out;
    for (uint32_t i = 0; i < parts->base_rank; i++) {
        struct axis *axis = &parts->axes[i];
        bool whole =
            axis->all || (!axis->dropped && axis->run_count == 1 && axis->runs[0].start == 0 &&
                          (axis->runs[0].step == 1 || axis->length == 1) && axis->length == parts->base_dims[i]);
        all = all && whole;
        *out++ = whole ? 1 : axis->dropped ? 2 : 0;
        *out++ = whole ? 0 : axis->run_count;
        for (uint32_t k = 0; !whole && k < axis->run_count; k++) {
            *out++ = axis->runs[k].start;
            *out++ = axis->runs[k].step;
            *out++ = axis->runs[k].count;
            view.has_fill = view.has_fill || axis->runs[k].start == FILLED;
        }
    }
    view.size = (uint32_t)(out - view.dims);
    view.fill = view.has_fill ? parts->fill : TERM_NONE;
    if (!all)
        return view_find(work, use, output, &view, error);
    use->outputs[output] = view.base;
    return OPSHIFT_OK;
}

/* ---- lists ---- */

/* The integers of an input, in the scratch arena. *count SIZE_MAX: it is absent; *known false: it is no constant. */
static enum opshift_status list_read(struct equal_work *work, const struct node_use *use, uint32_t input,
                                     const int64_t **values, size_t *count, const struct tensor **read, bool *known,
                                     struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    *count = SIZE_MAX;
    *read = NULL;
    if (input >= use->node->input_count || node_inputs(use->node)[input] == NAME_NONE)
        return OPSHIFT_OK;
    const struct equal_term *term = use->inputs[input] == TERM_NONE ? NULL : &work->terms[use->inputs[input]];
    *known = *known && term != NULL && term->kind == TERM_CONSTANT;
    enum opshift_status status = *known ? content_load(term, work->scratch, &tensor, error) : OPSHIFT_OK;
    const struct number_type *type = tensor == NULL ? NULL : number_type(tensor->type);
    *known = *known && type != NULL && type->kind == NUMBER_SIGNED && type->size >= 4 && tensor->count <= LIST_MOST;
    if (status != OPSHIFT_OK || !*known)
        return status;
    int64_t *list = arena_alloc(work->scratch, tensor->count + 1, sizeof(*list));
    if (list == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < tensor->count; i++)
        list[i] = type->load((const char *)tensor->data + i * type->size).i;
    *values = list;
    *count = (size_t)tensor->count;
    *read = tensor;
    return OPSHIFT_OK;
}

static bool axis_turn(int64_t *axis, uint32_t rank)
{
    *axis += *axis < 0 ? (int64_t)rank : 0;
    return *axis >= 0 && *axis < (int64_t)rank;
}

static int64_t clamp(int64_t index, int64_t least, int64_t most)
{
    return index < least ? least : index > most ? most : index;
}

/* ---- operators ---- */

static enum opshift_status slice_parts(struct equal_work *work, const struct node_use *use, struct parts *parts,
                                       struct opshift_error *error)
{
    static const char *const names[] = {"starts", "ends", "axes", "steps"};
    const int64_t *lists[COUNT(names)] = {NULL};
    size_t counts[COUNT(names)];
    const struct tensor *tensor;
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < COUNT(names) && status == OPSHIFT_OK; i++)
        status = use->node->input_count == 1
                     ? use_ints(work, use, names[i], &lists[i], &counts[i], error)
                     : list_read(work, use, i + 1, &lists[i], &counts[i], &tensor, &parts->known, error);
    parts->known = parts->known && status == OPSHIFT_OK && counts[0] != SIZE_MAX && counts[1] == counts[0] &&
                   (counts[2] == SIZE_MAX || counts[2] == counts[0]) &&
                   (counts[3] == SIZE_MAX || counts[3] == counts[0]);
    for (size_t i = 0; parts->known && i < counts[0]; i++) {
        int64_t axis = counts[2] == SIZE_MAX ? (int64_t)i : lists[2][i], step = counts[3] == SIZE_MAX ? 1 : lists[3][i];
        int64_t start = lists[0][i], end = lists[1][i];
        parts->known = axis_turn(&axis, parts->rank) && step != 0 && step > INT32_MIN && step < INT32_MAX;
        if (!parts->known || (start == 0 && step == 1 && end >= INT32_MAX))
            continue;
        int64_t dim = parts->axes[parts->places[axis]].length;
        start = start < 0 ? (start < -dim ? -1 : start + dim) : start;
        end = end < 0 ? (end < -dim ? -1 : end + dim) : end;
        start = step > 0 ? clamp(start, 0, dim) : clamp(start, dim > 0 ? 0 : -1, dim - 1);
        end = step > 0 ? clamp(end, 0, dim) : clamp(end, -1, dim - 1);
        int64_t count = step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / -step;
        axis_take(parts, (uint32_t)axis, &(struct part_run){start, step, end == start || count < 0 ? 0 : count}, 1);
    }
    return status;
}

static enum opshift_status gather_parts(struct equal_work *work, const struct node_use *use, enum operator_id id,
                                        struct parts *parts, struct opshift_error *error)
{
    const int64_t *indices = NULL;
    int64_t axis = 0, batch = 0;
    size_t count = SIZE_MAX;
    const struct tensor *tensor = NULL;
    enum opshift_status status = use_int(work, use, "axis", &axis, error);
    if (status == OPSHIFT_OK)
        status = use_int(work, use, "batch_dims", &batch, error);
    if (status == OPSHIFT_OK)
        status = list_read(work, use, 1, &indices, &count, &tensor, &parts->known, error);
    parts->known = parts->known && status == OPSHIFT_OK && count != SIZE_MAX && axis_turn(&axis, parts->rank);
    if (parts->known && id == OPERATOR_GATHER_ND) /* rows of one index each */
        parts->known = batch == 0 && axis == 0 && tensor->rank == 2 && tensor->dims[1] == 1;
    else
        parts->known = parts->known && tensor->rank <= 1;
    if (!parts->known)
        return status;
    struct part_run *runs = arena_alloc(work->scratch, count + 1, sizeof(*runs));
    int64_t dim = parts->axes[parts->places[axis]].length;
    if (runs == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        int64_t index = indices[i] + (indices[i] < 0 ? dim : 0);
        runs[i] = (struct part_run){index, 0, 1};
        parts->known = parts->known && index >= 0 && index < dim;
    }
    if (!parts->known)
        return OPSHIFT_OK;
    axis_take(parts, (uint32_t)axis, runs, (uint32_t)count);
    if (tensor->rank == 0) {
        parts->axes[parts->places[axis]].dropped = true;
        parts->rank--;
    }
    return OPSHIFT_OK;
}

/* The elements that a Pad fills in: zeros, or one constant. */
static enum opshift_status fill_read(struct equal_work *work, const struct node_use *use, struct parts *parts,
                                     term_id *fill, struct opshift_error *error)
{
    const Onnx__AttributeProto *value = NULL;
    enum opshift_status status = use_attribute(work, use, "value", &value, error);
    *fill = TERM_NONE;
    parts->known = parts->known && (value == NULL || (value->has_f && value->f == 0.0f));
    if (status != OPSHIFT_OK || use->node->input_count < 3 || node_inputs(use->node)[2] == NAME_NONE)
        return status;
    const struct equal_term *term = use->inputs[2] == TERM_NONE ? NULL : &work->terms[use->inputs[2]];
    parts->known = parts->known && term != NULL && term->kind == TERM_CONSTANT && term->tensor != NULL &&
                   term->tensor->count == 1 && term->tensor->type != OPSHIFT_TYPE_STRING;
    if (!parts->known)
        return OPSHIFT_OK;
    static const uint8_t zeros[16];
    uint64_t size = type_size(term->tensor->type, 1);
    if (size > sizeof(zeros) || memcmp(term->tensor->data, zeros, size) != 0)
        *fill = use->inputs[2];
    return OPSHIFT_OK;
}

static void pad_axis(struct parts *parts, uint32_t number, int64_t begin, int64_t end, struct bytes mode)
{
    int64_t dim = parts->axes[parts->places[number]].length;
    bool constant = mode.size == 0 || bytes_are(mode, "constant"), edge = bytes_are(mode, "edge");
    if (begin == 0 && end == 0)
        return;
    bool fits = dim > 0 && begin < INT32_MAX && end < INT32_MAX && begin >= -dim && end >= -dim && begin + end >= -dim;
    fits = fits && (constant || (begin >= 0 && end >= 0 && (edge || (begin < dim && end < dim))));
    if (!fits || !(constant || edge || bytes_are(mode, "reflect"))) {
        parts->known = false;
        return;
    }
    int64_t first = begin < 0 ? -begin : 0, count = dim - first - (end < 0 ? -end : 0);
    const struct part_run runs[] = {{constant ? FILLED
                                     : edge   ? 0
                                              : begin,
                                     constant || edge ? 0 : -1, begin},
                                    {first, 1, count},
                                    {constant ? FILLED
                                     : edge   ? dim - 1
                                              : dim - 2,
                                     constant || edge ? 0 : -1, end}};
    axis_take(parts, number, runs, COUNT(runs));
}

static enum opshift_status pad_parts(struct equal_work *work, const struct node_use *use, struct parts *parts,
                                     struct opshift_error *error)
{
    const Onnx__AttributeProto *mode = NULL;
    const int64_t *pads = NULL, *axes = NULL;
    size_t count = SIZE_MAX, axis_count = SIZE_MAX;
    const struct tensor *tensor;
    term_id fill = TERM_NONE;
    enum opshift_status status = use_attribute(work, use, "mode", &mode, error);
    if (status == OPSHIFT_OK)
        status = use->node->input_count == 1 ? use_ints(work, use, "pads", &pads, &count, error)
                                             : list_read(work, use, 1, &pads, &count, &tensor, &parts->known, error);
    if (status == OPSHIFT_OK)
        status = list_read(work, use, 3, &axes, &axis_count, &tensor, &parts->known, error);
    if (status == OPSHIFT_OK)
        status = fill_read(work, use, parts, &fill, error);
    size_t padded = axis_count == SIZE_MAX ? parts->rank : axis_count;
    parts->known =
        parts->known && status == OPSHIFT_OK && count == 2 * padded && (!parts->has_fill || parts->fill == fill);
    for (size_t i = 0; parts->known && i < padded; i++) {
        int64_t axis = axis_count == SIZE_MAX ? (int64_t)i : axes[i];
        parts->known = axis_turn(&axis, parts->rank);
        if (parts->known)
            pad_axis(parts, (uint32_t)axis, pads[i], pads[padded + i],
                     mode == NULL ? (struct bytes){0} : bytes_of(mode->s));
    }
    if (parts->known)
        parts->fill = fill;
    return status;
}

/* Tile, and Expand of axes of length 1. */
static enum opshift_status repeat_parts(struct equal_work *work, const struct node_use *use, enum operator_id id,
                                        struct parts *parts, struct opshift_error *error)
{
    const int64_t *list = NULL;
    size_t count = SIZE_MAX;
    const struct tensor *tensor;
    enum opshift_status status = list_read(work, use, 1, &list, &count, &tensor, &parts->known, error);
    parts->known = parts->known && status == OPSHIFT_OK && count != SIZE_MAX && use->node->input_count == 2 &&
                   (id == OPERATOR_TILE ? count == parts->rank : count <= parts->rank);
    for (size_t i = 0; parts->known && i < count; i++) {
        uint32_t axis = parts->rank - (uint32_t)count + (uint32_t)i;
        int64_t length = parts->axes[parts->places[axis]].length;
        if (list[i] == 1 || (id == OPERATOR_EXPAND && length > 1 && list[i] == length))
            continue;
        parts->known =
            list[i] >= 0 && list[i] < INT32_MAX && (id == OPERATOR_EXPAND ? length == 1 : list[i] <= RUNS_MOST);
        if (parts->known && id == OPERATOR_EXPAND) {
            axis_take(parts, axis, &(struct part_run){0, 0, list[i]}, 1);
        } else if (parts->known) {
            struct part_run *runs = arena_alloc(work->scratch, (uint64_t)list[i] + 1, sizeof(*runs));
            if (runs == NULL)
                return opshift_no_memory(error);
            for (int64_t k = 0; k < list[i]; k++)
                runs[k] = (struct part_run){0, 1, length};
            axis_take(parts, axis, runs, (uint32_t)list[i]);
        }
    }
    return status;
}

static enum opshift_status split_view(struct equal_work *work, const struct node_use *use,
                                      const struct value_type *type, bool *found, struct opshift_error *error)
{
    int64_t axis = 0, start = 0;
    const struct node *node = use->node;
    struct value_type part;
    struct parts parts;
    enum opshift_status status = use_int(work, use, "axis", &axis, error);
    if (status != OPSHIFT_OK || type->rank <= 0 || !axis_turn(&axis, (uint32_t)type->rank) || type->dims[axis] < 0)
        return status;
    for (int pass = 0; pass < 2; pass++) { /* first only looks whether all lengths are known */
        start = 0;
        for (uint32_t i = 0; i < node->output_count && status == OPSHIFT_OK; i++) {
            status = known_type(use, node_outputs(node)[i], &part, error);
            if (status != OPSHIFT_OK || part.rank != type->rank || part.dims[axis] < 0)
                return status;
            if (pass == 1) {
                parts_start(work, use->inputs[0], type, &parts);
                axis_take(&parts, (uint32_t)axis, &(struct part_run){start, 1, part.dims[axis]}, 1);
                if (!parts.known)
                    return OPSHIFT_OK;
                status = parts_end(work, use, i, &parts, error);
            }
            start += part.dims[axis];
        }
        if (start != type->dims[axis])
            return status;
    }
    *found = true;
    return status;
}

/* ---- Concat ---- */

static bool axes_are_same(const struct axis *one, const struct axis *other)
{
    if (one->all || other->all || one->dropped != other->dropped || one->run_count != other->run_count)
        return one->all && other->all;
    return one->run_count == 0 || memcmp(one->runs, other->runs, one->run_count * sizeof(*one->runs)) == 0;
}

/* Adds what comes behind, along an axis. */
static void parts_append(struct parts *parts, struct parts *more, uint32_t number)
{
    uint32_t place = parts->places[number];
    parts->known = parts->known && more->known && more->base == parts->base && more->rank == parts->rank &&
                   more->places[number] == place && (!parts->has_fill || !more->has_fill || parts->fill == more->fill);
    for (uint32_t i = 0; parts->known && i < parts->base_rank; i++)
        parts->known = i == place ? parts->axes[i].length >= 0 && more->axes[i].length >= 0
                                  : axes_are_same(&parts->axes[i], &more->axes[i]);
    if (!parts->known)
        return;
    axis_open(parts, &parts->axes[place]);
    axis_open(more, &more->axes[place]);
    for (uint32_t k = 0; k < more->axes[place].run_count; k++)
        run_add(parts, &parts->axes[place], more->axes[place].runs[k]);
    if (more->has_fill)
        parts->fill = more->fill;
    parts->has_fill = parts->has_fill || more->has_fill;
    parts->failed = parts->failed || more->failed;
}

static enum opshift_status concat_parts(struct equal_work *work, const struct node_use *use, struct parts *parts,
                                        struct opshift_error *error)
{
    int64_t axis = 0;
    enum opshift_status status = use_int(work, use, "axis", &axis, error);
    parts->known = parts->known && status == OPSHIFT_OK && axis_turn(&axis, parts->rank);
    for (uint32_t i = 1; i < use->node->input_count && parts->known && status == OPSHIFT_OK; i++) {
        struct value_type type;
        struct parts more;
        status = input_type(work, use, i, &type, error);
        if (status != OPSHIFT_OK)
            return status;
        parts_start(work, use->inputs[i], &type, &more);
        parts_append(parts, &more, (uint32_t)axis);
    }
    return status;
}

/* ---- sequences ---- */

/* The start and the length of a tensor of a SplitToSequence. False: not known. */
static bool tensor_part(const struct equal_work *work, const struct node_use *cut, int64_t index, int64_t dim,
                        int64_t *start, int64_t *length)
{
    int64_t lengths[SEQUENCE_MOST], sum = 0;
    size_t count = 0;
    bool has_lengths = cut->node->input_count > 1 && node_inputs(cut->node)[1] != NAME_NONE;
    if (has_lengths && !content_integers(work, cut->inputs[1], SEQUENCE_MOST, lengths, &count))
        return false;
    if (has_lengths && work->terms[cut->inputs[1]].tensor->rank == 1) {
        index += index < 0 ? (int64_t)count : 0;
        if (index < 0 || (size_t)index >= count)
            return false;
        *start = 0;
        for (size_t i = 0; i < count; i++) {
            if (lengths[i] < 0 || lengths[i] > dim)
                return false;
            *start += (int64_t)i < index ? lengths[i] : 0;
            sum += lengths[i];
        }
        *length = lengths[index];
        return sum == dim;
    }
    int64_t each = has_lengths ? lengths[0] : 1;
    if (each <= 0 || (has_lengths && count != 1))
        return false;
    index += index < 0 ? (dim + each - 1) / each : 0;
    if (index < 0 || index > (dim - 1) / each || dim == 0)
        return false;
    *start = index * each;
    *length = dim - *start < each ? dim - *start : each;
    return true;
}

/* A tensor of a sequence that a SplitToSequence makes. */
static enum opshift_status sequence_view(struct equal_work *work, const struct node_use *use, bool *found,
                                         struct opshift_error *error)
{
    int64_t axis = 0, keeps = 1, index, start, length;
    size_t count;
    struct value_type type;
    struct parts parts;
    const struct node_use *cut = work->terms[use->inputs[0]].use;
    if (cut == NULL || cut->node->input_count == 0 || cut->inputs[0] == TERM_NONE || use->node->input_count != 2 ||
        !bytes_are(names_bytes(cut->side->model->names, cut->node->op_type), "SplitToSequence") ||
        node_domain(cut->node) != NAME_NONE || !content_integers(work, use->inputs[1], 1, &index, &count) || count != 1)
        return OPSHIFT_OK;
    enum opshift_status status = use_int(work, cut, "axis", &axis, error);
    if (status == OPSHIFT_OK)
        status = use_int(work, cut, "keepdims", &keeps, error);
    if (status == OPSHIFT_OK)
        status = input_type(work, cut, 0, &type, error);
    bool has_lengths = cut->node->input_count > 1 && node_inputs(cut->node)[1] != NAME_NONE;
    if (status != OPSHIFT_OK || type.rank <= 0 || (keeps == 0 && !has_lengths) ||
        !axis_turn(&axis, (uint32_t)type.rank) || type.dims[axis] < 0 ||
        !tensor_part(work, cut, index, type.dims[axis], &start, &length))
        return status;
    parts_start(work, cut->inputs[0], &type, &parts);
    axis_take(&parts, (uint32_t)axis, &(struct part_run){start, 1, length}, 1);
    *found = parts.known;
    return parts.known ? parts_end(work, use, 0, &parts, error) : OPSHIFT_OK;
}

/* ---- all ---- */

enum opshift_status part_squeeze(struct equal_work *work, const struct node_use *use, const struct value_type *from,
                                 const struct value_type *to, bool *found, struct opshift_error *error)
{
    struct parts parts;
    uint32_t kept = 0;
    if (view_of(work, use->inputs[0], VIEW_PART) == NULL || from->rank <= to->rank)
        return OPSHIFT_OK;
    parts_start(work, use->inputs[0], from, &parts);
    uint32_t places[TENSOR_RANK_MAX], left = (uint32_t)from->rank - (uint32_t)to->rank;
    for (uint32_t i = 0; parts.known && i < (uint32_t)from->rank; i++) {
        struct axis *axis = &parts.axes[parts.places[i]];
        bool stays = kept < (uint32_t)to->rank && from->dims[i] == to->dims[kept] &&
                     (from->dims[i] != 1 || axis->all || left == 0);
        if (stays) {
            places[kept++] = parts.places[i];
            continue;
        }
        parts.known = !axis->all && axis->length == 1 && left-- > 0;
        axis->dropped = true;
    }
    if (!parts.known || kept != (uint32_t)to->rank || left != 0)
        return OPSHIFT_OK;
    memcpy(parts.places, places, kept * sizeof(*places));
    parts.rank = kept;
    *found = true;
    return parts_end(work, use, 0, &parts, error);
}

enum opshift_status part_terms(struct equal_work *work, const struct node_use *use, enum operator_id id, bool *found,
                               struct opshift_error *error)
{
    struct value_type type;
    struct parts parts;
    enum opshift_status status = OPSHIFT_OK;
    if (id == OPERATOR_SEQUENCE_AT)
        return sequence_view(work, use, found, error);
    if (id != OPERATOR_SLICE && id != OPERATOR_SPLIT && id != OPERATOR_GATHER && id != OPERATOR_GATHER_ND &&
        id != OPERATOR_PAD && id != OPERATOR_TILE && id != OPERATOR_EXPAND && id != OPERATOR_CONCAT)
        return OPSHIFT_OK;
    if (id == OPERATOR_CONCAT && use->node->input_count == 1) {
        *found = true;
        use->outputs[0] = use->inputs[0];
        return OPSHIFT_OK;
    }
    status = input_type(work, use, 0, &type, error);
    if (status == OPSHIFT_OK && id == OPERATOR_SPLIT)
        return split_view(work, use, &type, found, error);
    parts_start(work, use->inputs[0], &type, &parts);
    if (status == OPSHIFT_OK && parts.known)
        status = id == OPERATOR_SLICE                           ? slice_parts(work, use, &parts, error)
                 : id == OPERATOR_CONCAT                        ? concat_parts(work, use, &parts, error)
                 : id == OPERATOR_PAD                           ? pad_parts(work, use, &parts, error)
                 : id == OPERATOR_TILE || id == OPERATOR_EXPAND ? repeat_parts(work, use, id, &parts, error)
                                                                : gather_parts(work, use, id, &parts, error);
    if (status != OPSHIFT_OK || !parts.known)
        return status;
    *found = true;
    return parts_end(work, use, 0, &parts, error);
}
