/* Random programs that move elements, in pairs, against an evaluator that knows nothing of maps: two that differ for
 * some size are never called the same. PROGRAMS=n and PROGRAMS_SEED=n run more of them. */
#include "tests/equal/compared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "tests/tap/tap.h"

#define RANK_MOST  5
#define OPS_MOST   7
#define SIZE_MOST  4096
#define LIST_MOST  12
#define PAIRS      300
#define SIZES_MOST 40

enum kind {
    SLICE,
    SPLIT,
    CONCAT,
    RESHAPE,
    TRANSPOSE,
    GATHER,
    PAD,
    TILE,
    EXPAND,
    GATHER_ND,
    DEPTH,
    NEG,
    ADD,
    UNSQUEEZE,
    KINDS
};

struct op {
    enum kind kind;
    int in[2]; /* values: 0 is the input */
    int64_t p[LIST_MOST];
    int count;    /* of p */
    int64_t dims; /* SPLIT: of its axis */
};
struct program {
    struct op ops[OPS_MOST];
    int count;
};
struct array {
    int rank;
    int64_t dims[RANK_MOST];
    float data[SIZE_MOST];
};
enum program_outcome { FINE, REFUSED, UNCLEAR };

static uint64_t state;

static unsigned below(unsigned most)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % most;
}

static int64_t between(int64_t least, int64_t most)
{
    return least + below((unsigned)(most - least + 1));
}

/* ---- the evaluator ---- */

static int64_t count_of(const struct array *array)
{
    int64_t count = 1;
    for (int i = 0; i < array->rank; i++)
        count *= array->dims[i];
    return count;
}

/* Fills the result by where each of its elements is in the source; -1: 0. */
static void fill(const struct array *from, struct array *to,
                 void (*where)(const int64_t *at, int64_t *source, const void *how), const void *how)
{
    int64_t count = count_of(to);
    for (int64_t i = 0; i < count; i++) {
        int64_t at[RANK_MOST + 1] = {0}, source[RANK_MOST + 1] = {0}, place = 0, rest = i;
        for (int k = to->rank; k-- > 0; rest /= to->dims[k])
            at[k] = rest % to->dims[k];
        where(at, source, how);
        for (int k = 0; k < from->rank; k++)
            place = source[k] < 0 || place < 0 ? -1 : place * from->dims[k] + source[k];
        to->data[i] = place < 0 ? 0 : from->data[place];
    }
}

struct moving {
    const struct op *op;
    const struct array *from, *to;
    int64_t start, step;
};

static void where_slice(const int64_t *at, int64_t *source, const void *how)
{
    const struct moving *moving = how;
    for (int k = 0; k < moving->from->rank; k++)
        source[k] = k == moving->op->p[0] ? moving->start + at[k] * moving->step : at[k];
}

static void where_turned(const int64_t *at, int64_t *source, const void *how)
{
    const struct moving *moving = how;
    for (int k = 0; k < moving->from->rank; k++)
        source[moving->op->p[k]] = at[k];
}

static void where_gathered(const int64_t *at, int64_t *source, const void *how)
{
    const struct moving *moving = how;
    const int64_t *p = moving->op->p;
    int64_t dim = moving->from->dims[p[0]];
    for (int k = 0; k < moving->from->rank; k++)
        source[k] = k != p[0] ? at[k] : p[1 + at[k]] < 0 ? p[1 + at[k]] + dim : p[1 + at[k]];
}

static void where_padded(const int64_t *at, int64_t *source, const void *how)
{
    const struct moving *moving = how;
    const int64_t *p = moving->op->p;
    for (int k = 0; k < moving->from->rank; k++) {
        int64_t dim = moving->from->dims[k], place = at[k] - p[1 + k];
        bool outside = place < 0 || place >= dim;
        if (outside && p[0] == 1)
            place = place < 0 ? 0 : dim - 1;
        else if (outside && p[0] == 2)
            place = place < 0 ? -place : 2 * (dim - 1) - place;
        else if (outside)
            place = -1;
        source[k] = place;
    }
}

static void where_repeated(const int64_t *at, int64_t *source, const void *how)
{
    const struct moving *moving = how;
    int more = moving->to->rank - moving->from->rank;
    for (int k = 0; k < moving->from->rank; k++)
        source[k] = moving->from->dims[k] == 0 ? 0 : at[k + more] % moving->from->dims[k];
}

static void where_nd(const int64_t *at, int64_t *source, const void *how)
{
    const struct moving *moving = how;
    const int64_t *p = moving->op->p;
    int width = (int)p[0];
    for (int k = 0; k < moving->from->rank; k++) {
        int64_t index = k < width ? p[1 + at[0] * width + k] : at[k - width + 1];
        source[k] = index < 0 ? index + moving->from->dims[k] : index;
    }
}

static void where_deep(const int64_t *at, int64_t *source, const void *how)
{
    const struct moving *moving = how;
    int64_t depth = moving->to->dims[1], block = (at[2] % 2) * 2 + at[3] % 2;
    source[0] = at[0];
    source[1] = moving->op->p[0] ? at[1] * 4 + block : block * depth + at[1];
    source[2] = at[2] / 2;
    source[3] = at[3] / 2;
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

static enum program_outcome slice_dims(struct moving *moving, struct array *to)
{
    const int64_t *p = moving->op->p;
    int64_t dim = to->dims[p[0]], step = p[3];
    int64_t start = p[1] < 0 ? p[1] + dim : p[1], end = p[2] < 0 ? p[2] + dim : p[2];
    start = step > 0 ? clamp(start, 0, dim) : clamp(start, 0, dim - 1);
    end = step > 0 ? clamp(end, 0, dim) : clamp(end, -1, dim - 1);
    int64_t count = step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / -step;
    to->dims[p[0]] = dim == 0 || count < 0 ? 0 : count;
    moving->start = start;
    moving->step = step;
    return FINE;
}

static enum program_outcome reshape_dims(const struct op *op, const struct array *from, struct array *to)
{
    int64_t product = 1, all = count_of(from);
    int open = -1;
    to->rank = op->count;
    for (int i = 0; i < op->count; i++) {
        to->dims[i] = op->p[i];
        if (op->p[i] == 0 && i >= from->rank)
            return REFUSED;
        if (op->p[i] == 0)
            to->dims[i] = from->dims[i];
        if (op->p[i] == -1)
            open = i;
        else
            product *= to->dims[i];
    }
    if (open >= 0 && product == 0)
        return UNCLEAR;
    if (open >= 0)
        to->dims[open] = all / product;
    return count_of(to) == all ? FINE : REFUSED;
}

static enum program_outcome one(const struct op *op, const struct array *values, struct array *to)
{
    const struct array *from = &values[op->in[0]], *other = &values[op->in[1]];
    struct moving moving = {op, from, to, 0, 1};
    enum program_outcome outcome = FINE;
    int64_t total = 0;
    to->rank = from->rank;
    memcpy(to->dims, from->dims, sizeof(to->dims));
    bool has_axis = op->kind == SLICE || op->kind == SPLIT || op->kind == CONCAT || op->kind == GATHER;
    if (has_axis && op->p[0] >= from->rank)
        return REFUSED;
    switch (op->kind) {
    case SLICE:
        outcome = slice_dims(&moving, to);
        break;
    case SPLIT: /* the part of p[2], at p[1] */
        if (from->dims[op->p[0]] != op->dims)
            return REFUSED;
        moving.start = op->p[2] == 0 ? 0 : op->p[1];
        to->dims[op->p[0]] = op->p[2] == 0 ? op->p[1] : op->dims - op->p[1];
        break;
    case CONCAT:
        if (other->rank != from->rank)
            return REFUSED;
        for (int k = 0; k < from->rank; k++)
            if (k != op->p[0] && from->dims[k] != other->dims[k])
                return REFUSED;
        to->dims[op->p[0]] += other->dims[op->p[0]];
        break;
    case RESHAPE:
        outcome = reshape_dims(op, from, to);
        break;
    case TRANSPOSE:
        if (op->count != from->rank)
            return REFUSED;
        for (int k = 0; k < from->rank; k++)
            to->dims[k] = from->dims[op->p[k]];
        break;
    case GATHER:
        for (int k = 1; k < op->count; k++)
            if (op->p[k] >= from->dims[op->p[0]] || op->p[k] < -from->dims[op->p[0]])
                return REFUSED;
        to->dims[op->p[0]] = op->count - 1;
        break;
    case PAD:
        if (op->count != 1 + 2 * from->rank)
            return REFUSED;
        for (int k = 0; k < from->rank; k++) {
            int64_t begin = op->p[1 + k], end = op->p[1 + from->rank + k], dim = from->dims[k];
            to->dims[k] += begin + end;
            if (to->dims[k] < 0)
                return REFUSED;
            if ((begin < 0 || end < 0) && (-begin > dim || -end > dim || op->p[0] != 0))
                return UNCLEAR;
            if ((op->p[0] == 2 && (begin >= dim || end >= dim) && (begin > 0 || end > 0)) ||
                (op->p[0] != 0 && dim == 0))
                return UNCLEAR;
        }
        break;
    case TILE:
        if (op->count != from->rank)
            return REFUSED;
        for (int k = 0; k < from->rank; k++)
            to->dims[k] *= op->p[k];
        break;
    case EXPAND:
        to->rank = op->count > from->rank ? op->count : from->rank;
        for (int k = 0; k < to->rank; k++) {
            int a = k - (to->rank - from->rank), b = k - (to->rank - op->count);
            int64_t dim = a < 0 ? 1 : from->dims[a], wanted = b < 0 ? 1 : op->p[b];
            if (dim != wanted && dim != 1 && wanted != 1)
                return REFUSED;
            to->dims[k] = dim == 1 ? wanted : dim;
        }
        break;
    case GATHER_ND:
        if (op->p[0] > from->rank)
            return REFUSED;
        for (int k = 1; k < op->count; k++) {
            int64_t dim = from->dims[(k - 1) % op->p[0]];
            if (op->p[k] >= dim || op->p[k] < -dim)
                return REFUSED;
        }
        to->rank = from->rank - (int)op->p[0] + 1;
        to->dims[0] = (op->count - 1) / op->p[0];
        for (int k = 1; k < to->rank; k++)
            to->dims[k] = from->dims[k + op->p[0] - 1];
        break;
    case DEPTH:
        if (from->rank != 4 || from->dims[1] % 4 != 0)
            return REFUSED;
        if (count_of(from) == 0)
            return UNCLEAR;
        to->dims[1] /= 4;
        to->dims[2] *= 2;
        to->dims[3] *= 2;
        break;
    case ADD:
        if (other->rank != from->rank || memcmp(other->dims, from->dims, (size_t)from->rank * sizeof(*from->dims)) != 0)
            return UNCLEAR; /* it may be broadcast */
        break;
    case UNSQUEEZE:
        if (from->rank == RANK_MOST || op->p[0] > from->rank)
            return REFUSED;
        to->rank++;
        for (int k = to->rank - 1; k > op->p[0]; k--)
            to->dims[k] = from->dims[k - 1];
        to->dims[op->p[0]] = 1;
        break;
    default:
        break;
    }
    if (outcome != FINE)
        return outcome;
    if (count_of(to) > SIZE_MOST)
        return UNCLEAR;
    switch (op->kind) {
    case SLICE:
    case SPLIT:
        fill(from, to, where_slice, &moving);
        break;
    case CONCAT:
        for (int k = 0; k <= op->p[0]; k++)
            total = k == 0 ? 1 : total * from->dims[k - 1];
        for (int64_t i = 0, at = 0; i < total; i++)
            for (int part = 0; part < 2; part++) {
                const struct array *array = part == 0 ? from : other;
                int64_t row = count_of(array) / total;
                memcpy(to->data + at, array->data + i * row, (size_t)row * sizeof(float));
                at += row;
            }
        break;
    case TRANSPOSE:
        fill(from, to, where_turned, &moving);
        break;
    case GATHER:
        fill(from, to, where_gathered, &moving);
        break;
    case PAD:
        fill(from, to, where_padded, &moving);
        break;
    case TILE:
    case EXPAND:
        fill(from, to, where_repeated, &moving);
        break;
    case GATHER_ND:
        fill(from, to, where_nd, &moving);
        break;
    case DEPTH:
        fill(from, to, where_deep, &moving);
        break;
    default:
        for (int64_t i = 0; i < count_of(to); i++)
            to->data[i] = op->kind == NEG   ? -from->data[i]
                          : op->kind == ADD ? from->data[i] + other->data[i]
                                            : from->data[i];
    }
    return FINE;
}

static enum program_outcome evaluate(const struct program *program, struct array *values)
{
    enum program_outcome outcome = FINE;
    for (int i = 0; i < program->count && outcome == FINE; i++)
        outcome = one(&program->ops[i], values, &values[i + 1]);
    return outcome;
}

/* ---- programs ---- */

static void op_draw(struct op *op, int values, const struct array *shapes)
{
    *op = (struct op){.kind = (enum kind)below(KINDS),
                      .in = {(int)below((unsigned)values), (int)below((unsigned)values)}};
    const struct array *from = &shapes[op->in[0]];
    int axis = from->rank == 0 ? 0 : (int)below((unsigned)from->rank);
    int64_t dim = from->rank == 0 ? 0 : from->dims[axis], all = count_of(from);
    op->p[0] = axis;
    switch (op->kind) {
    case SLICE:
        op->p[1] = between(-dim - 1, dim);
        op->p[2] = below(2) ? between(-dim - 1, dim + 1) : INT32_MAX;
        op->p[3] = below(3) ? 1 : between(0, 1) * 3 - 1;
        op->count = 4;
        break;
    case SPLIT:
        op->p[1] = between(0, dim);
        op->p[2] = below(2);
        op->dims = dim;
        op->count = 3;
        break;
    case RESHAPE:
        op->count = 1 + (int)below(3);
        for (int i = 0; i < op->count; i++) {
            int64_t part = between(1, 4);
            op->p[i] = i + 1 == op->count ? all : all % part == 0 ? part : 1;
            all /= op->p[i] == 0 ? 1 : op->p[i];
        }
        op->p[below((unsigned)op->count)] = -1;
        if (below(4) == 0)
            op->p[0] = 0;
        break;
    case TRANSPOSE:
        op->count = from->rank;
        for (int i = 0; i < from->rank; i++) {
            int other = (int)below((unsigned)i + 1);
            op->p[i] = op->p[other];
            op->p[other] = i;
        }
        break;
    case GATHER:
        op->count = 1 + (int)between(1, 4);
        for (int i = 1; i < op->count; i++)
            op->p[i] = below(3) == 0 ? between(-dim, dim) : i - 1;
        break;
    case PAD:
        op->p[0] = below(3);
        op->count = 1 + 2 * from->rank;
        for (int i = 1; i < op->count; i++)
            op->p[i] = below(2) ? 0 : between(op->p[0] == 0 ? -1 : 0, 2);
        break;
    case TILE:
        op->count = from->rank;
        for (int i = 0; i < op->count; i++)
            op->p[i] = between(1, 2);
        break;
    case EXPAND:
        op->count = from->rank + (from->rank < RANK_MOST && below(3) == 0);
        for (int i = 0; i < op->count; i++)
            op->p[i] = below(2) ? 1 : between(1, 3);
        break;
    case GATHER_ND:
        op->p[0] = between(1, from->rank > 1 ? 2 : 1);
        op->count = 1 + (int)(op->p[0] * between(1, 3));
        for (int i = 1; i < op->count; i++)
            op->p[i] = below(3) == 0 ? -1 : (int64_t)below(3);
        break;
    case UNSQUEEZE:
        op->p[0] = (int64_t)below((unsigned)from->rank + 1);
        op->count = 1;
        break;
    default:
        op->count = 1;
    }
}

static void program_draw(struct program *program, struct array *values)
{
    program->count = 0;
    for (int tries = 0; tries < 30 && program->count < 1 + (int)below(OPS_MOST); tries++) {
        struct op *op = &program->ops[program->count];
        op_draw(op, program->count + 1, values);
        program->count += one(op, values, &values[program->count + 1]) == FINE;
    }
}

/* Keeps what the last value is computed from: nothing else is compared. */
static void prune(struct program *program)
{
    bool live[OPS_MOST + 1] = {false};
    int places[OPS_MOST + 1] = {0}, kept = 0;
    live[program->count] = true;
    for (int i = program->count; i > 0; i--) {
        const struct op *op = &program->ops[i - 1];
        live[op->in[0]] = live[op->in[0]] || live[i];
        if (op->kind == CONCAT || op->kind == ADD)
            live[op->in[1]] = live[op->in[1]] || live[i];
    }
    for (int i = 1; i <= program->count; i++) {
        if (!live[i])
            continue;
        struct op op = program->ops[i - 1];
        op.in[0] = places[op.in[0]];
        op.in[1] = op.kind == CONCAT || op.kind == ADD ? places[op.in[1]] : 0;
        program->ops[kept++] = op;
        places[i] = kept;
    }
    program->count = kept;
}

/* The same in other words: a Slice by a Gather, a Transpose by two, ... */
static void reword(struct program *program, const struct array *values)
{
    int at = (int)below((unsigned)program->count);
    struct op *op = &program->ops[at];
    const struct array *from = &values[op->in[0]], *to = &values[at + 1];
    struct op was = *op;
    if ((op->kind == SLICE || op->kind == SPLIT) && to->dims[op->p[0]] < LIST_MOST - 1 && below(2)) {
        struct moving moving = {op, from, to, op->kind == SPLIT && op->p[2] ? op->p[1] : 0, 1};
        struct array dims = *from;
        if (op->kind == SLICE)
            slice_dims(&moving, &dims);
        op->kind = GATHER;
        op->count = 1 + (int)to->dims[op->p[0]];
        for (int i = 1; i < op->count; i++)
            op->p[i] = moving.start + (i - 1) * moving.step;
    } else if (op->kind == SPLIT) {
        op->kind = SLICE;
        op->count = 4;
        op->p[1] = was.p[2] ? was.p[1] : 0;
        op->p[2] = was.p[2] ? INT32_MAX : was.p[1];
        op->p[3] = 1;
    } else if (op->kind == GATHER && op->p[0] == 0) {
        op->kind = GATHER_ND;
        op->p[0] = 1;
    } else if (op->kind == UNSQUEEZE && to->rank <= LIST_MOST) {
        op->kind = RESHAPE;
        op->count = to->rank;
        for (int i = 0; i < to->rank; i++)
            op->p[i] = to->dims[i];
    } else if (op->kind == EXPAND && op->count == from->rank) {
        op->kind = TILE;
        for (int i = 0; i < op->count; i++)
            op->p[i] = from->dims[i] == 1 ? op->p[i] : 1;
    } else if (program->count + 2 <= OPS_MOST && from->rank > 1) { /* a Transpose and its inverse before it */
        memmove(op + 2, op, (size_t)(program->count - at) * sizeof(*op));
        program->count += 2;
        for (int i = at; i < program->count; i++)
            for (int k = 0; i >= at + 2 && k < 2; k++)
                program->ops[i].in[k] += program->ops[i].in[k] > at ? 2 : 0;
        for (int i = 0; i < 2; i++) {
            op[i] = (struct op){.kind = TRANSPOSE, .in = {i == 0 ? was.in[0] : at + 1, 0}, .count = from->rank};
            for (int k = 0; k < from->rank; k++)
                op[i].p[k] = from->rank - 1 - k;
        }
        op[2].in[0] = at + 2;
    }
}

static void spoil(struct program *program)
{
    int at = (int)below((unsigned)program->count);
    struct op *op = &program->ops[at];
    unsigned way = below(8);
    if (way < 6 && op->count > 0) {
        int place = (int)below((unsigned)op->count);
        bool is_axis =
            place == 0 && (op->kind == GATHER_ND || op->kind == PAD || op->kind == CONCAT || op->kind == DEPTH);
        if (is_axis || op->kind == TRANSPOSE)
            return;
        op->p[place] += below(2) ? 1 : -1;
        if (op->p[place] < 0 && (place == 0 || op->kind == TILE || op->kind == EXPAND || op->kind == SPLIT))
            op->p[place] = 0;
        if (op->kind == SPLIT && (op->p[1] > op->dims || op->p[2] > 1))
            op->p[1] = op->p[2] = 0;
        if (op->kind == SLICE && op->p[3] == 0)
            op->p[3] = 1;
    } else if (way == 6) {
        op->in[0] = (int)below((unsigned)at + 1);
    } else if (op->kind == CONCAT || op->kind == TRANSPOSE) {
        int first = op->in[0];
        op->in[0] = op->in[1];
        op->in[1] = op->kind == CONCAT ? first : op->in[1];
    }
}

/* ---- as text ---- */

static void print_list(struct buffer *out, const char *name, const int64_t *values, int count, int width)
{
    if (width > 0)
        buffer_print(out, ", int64[%d, %d] %s = {", count / width, width, name);
    else
        buffer_print(out, ", int64[%d] %s = {", count, name);
    for (int i = 0; i < count; i++)
        buffer_print(out, "%s%lld", i > 0 ? ", " : "", (long long)values[i]);
    buffer_add_text(out, "}");
}

static void print_constants(struct buffer *out, const struct op *op, int at)
{
    char name[8];
    int64_t lengths[] = {op->p[1], op->dims - op->p[1]};
    snprintf(name, sizeof(name), "c%d", at);
    if (op->kind == SLICE) {
        static const char *const names[] = {"a", "s", "e", "t"};
        for (int i = 0; i < 4; i++) {
            snprintf(name, sizeof(name), "%s%d", names[i], at);
            print_list(out, name, &op->p[i], 1, 0);
        }
    } else if (op->kind == SPLIT) {
        print_list(out, name, lengths, 2, 0);
    } else if (op->kind == GATHER || op->kind == PAD) {
        print_list(out, name, op->p + 1, op->count - 1, 0);
    } else if (op->kind == GATHER_ND) {
        print_list(out, name, op->p + 1, op->count - 1, (int)op->p[0]);
    } else if (op->kind == RESHAPE || op->kind == TILE || op->kind == EXPAND || op->kind == UNSQUEEZE) {
        print_list(out, name, op->p, op->count, 0);
    }
}

static void print_node(struct buffer *out, const struct op *op, int at)
{
    static const char *const modes[] = {"constant", "edge", "reflect"};
    int to = at + 1, a = op->in[0], b = op->in[1];
    long long axis = (long long)op->p[0];
    switch (op->kind) {
    case SLICE:
        buffer_print(out, " v%d = Slice (v%d, s%d, e%d, a%d, t%d)", to, a, at, at, at, at);
        break;
    case SPLIT:
        buffer_print(
            out, op->p[2] ? " u%d, v%d = Split <axis = %lld> (v%d, c%d)" : " v%d, u%d = Split <axis = %lld> (v%d, c%d)",
            to, to, axis, a, at);
        break;
    case CONCAT:
        buffer_print(out, " v%d = Concat <axis = %lld> (v%d, v%d)", to, axis, a, b);
        break;
    case TRANSPOSE:
        buffer_print(out, " v%d = Transpose <perm = [", to);
        for (int i = 0; i < op->count; i++)
            buffer_print(out, "%s%lld", i > 0 ? ", " : "", (long long)op->p[i]);
        buffer_print(out, "]> (v%d)", a);
        break;
    case GATHER:
        buffer_print(out, " v%d = Gather <axis = %lld> (v%d, c%d)", to, axis, a, at);
        break;
    case PAD:
        buffer_print(out, " v%d = Pad <mode = \"%s\"> (v%d, c%d)", to, modes[op->p[0]], a, at);
        break;
    case DEPTH:
        buffer_print(out, " v%d = DepthToSpace <blocksize = 2, mode = \"%s\"> (v%d)", to, op->p[0] ? "CRD" : "DCR", a);
        break;
    case NEG:
        buffer_print(out, " v%d = Neg (v%d)", to, a);
        break;
    case ADD:
        buffer_print(out, " v%d = Add (v%d, v%d)", to, a, b);
        break;
    default: {
        const char *name = op->kind == RESHAPE     ? "Reshape"
                           : op->kind == TILE      ? "Tile"
                           : op->kind == EXPAND    ? "Expand"
                           : op->kind == UNSQUEEZE ? "Unsqueeze"
                                                   : "GatherND";
        buffer_print(out, " v%d = %s (v%d, c%d)", to, name, a, at);
    }
    }
}

static char *program_text(const struct program *program, const struct array *input, const bool *open, int rank)
{
    struct buffer out = {0};
    buffer_add_text(&out, "<ir_version: 8, opset_import: [\"\" : 13]> g (float[");
    for (int i = 0; i < input->rank; i++)
        if (open[i])
            buffer_print(&out, "%sN%d", i > 0 ? ", " : "", i);
        else
            buffer_print(&out, "%s%lld", i > 0 ? ", " : "", (long long)input->dims[i]);
    buffer_add_text(&out, "] v0) => (float[");
    for (int i = 0; i < rank; i++)
        buffer_print(&out, "%sM%d", i > 0 ? ", " : "", i);
    buffer_add_text(&out, "] y) <int64[1] unused = {0}");
    for (int i = 0; i < program->count; i++)
        print_constants(&out, &program->ops[i], i);
    buffer_add_text(&out, "> {");
    for (int i = 0; i < program->count; i++)
        print_node(&out, &program->ops[i], i);
    buffer_print(&out, " y = Identity (v%d) }", program->count);
    return buffer_take(&out);
}

/* ---- pairs ---- */

struct program_tally {
    unsigned pairs, same, proved, missed, wrong;
};

/* Do both differ for a size of the open dims? */
static bool pair_differs(const struct program *first, const struct program *second, const struct array *shape,
                         const bool *open)
{
    static struct array one_values[OPS_MOST + 3], other_values[OPS_MOST + 3];
    for (int size = 0; size < SIZES_MOST; size++) {
        struct array *input = &one_values[0];
        *input = *shape;
        for (int i = 0; i < shape->rank; i++)
            input->dims[i] = open[i] && size > 0 ? between(0, 8) : shape->dims[i];
        if (count_of(input) > SIZE_MOST)
            continue;
        for (int64_t i = 0; i < count_of(input); i++)
            input->data[i] = (float)(i + 1);
        other_values[0] = *input;
        if (evaluate(first, one_values) != FINE)
            continue;
        enum program_outcome outcome = evaluate(second, other_values);
        const struct array *a = &one_values[first->count], *b = &other_values[second->count];
        if (outcome == REFUSED)
            return true;
        if (outcome == FINE &&
            (a->rank != b->rank || memcmp(a->dims, b->dims, (size_t)a->rank * sizeof(*a->dims)) != 0 ||
             memcmp(a->data, b->data, (size_t)count_of(a) * sizeof(float)) != 0))
            return true;
    }
    return false;
}

static void pair_check(struct program_tally *tally)
{
    static struct array values[OPS_MOST + 3];
    struct program first, second;
    struct compared result;
    bool open[RANK_MOST];
    values[0] = (struct array){.rank = 1 + (int)below(4)};
    for (int i = 0; i < values[0].rank; i++) {
        values[0].dims[i] = between(1, 4);
        open[i] = below(3) == 0;
    }
    if (values[0].rank == 4 && below(2))
        values[0].dims[1] = 4;
    program_draw(&first, values);
    prune(&first);
    if (first.count == 0 || evaluate(&first, values) != FINE)
        return;
    int rank = values[first.count].rank;
    second = first;
    for (unsigned times = below(3); times > 0; times--) {
        struct program before = second;
        reword(&second, values);
        if (evaluate(&second, values) != FINE)
            second = before;
        evaluate(&second, values);
    }
    if (below(3) > 0)
        spoil(&second);
    prune(&second);
    if (second.count == 0)
        return;
    int other_rank = evaluate(&second, values) == FINE ? values[second.count].rank : rank;
    char *texts[] = {program_text(&first, &values[0], open, rank), program_text(&second, &values[0], open, other_rank)};
    compare_texts(texts[0], texts[1], NULL, &result);
    bool same = result.verdict < EQUAL_DIFFERS, differs = pair_differs(&first, &second, &values[0], open);
    if (!result.opened || strncmp(result.text, "failed", 6) == 0)
        ok(false, "%s", result.text);
    tally->pairs++;
    tally->same += same;
    tally->proved += result.verdict == EQUAL_PROVED;
    tally->missed += !same && !differs;
    tally->wrong += same && differs;
    if (same && differs)
        ok(false, "%s (%s):\n%s\n%s", result.text, result.why, texts[0], texts[1]);
    if (!same && !differs && getenv("PROGRAMS_MISSED") != NULL)
        diag("%s (%s):\n%s\n%s", result.text, result.why, texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

int main(void)
{
    const char *more = getenv("PROGRAMS"), *seed = getenv("PROGRAMS_SEED");
    unsigned long count = more == NULL ? PAIRS : strtoul(more, NULL, 10);
    struct program_tally tally = {0};
    state = seed == NULL ? 1 : strtoul(seed, NULL, 10);
    while (tally.pairs < count)
        pair_check(&tally);
    diag("%u pairs: %u the same, %u of them proved; %u that agree at all sizes are not called the same", tally.pairs,
         tally.same, tally.proved, tally.missed);
    ok(tally.wrong == 0, "no pair that differs is called the same");
    ok(tally.same > tally.pairs / 4, "many are");
    return done();
}
