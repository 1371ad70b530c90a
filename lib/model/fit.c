/* Where filler is needed, how much of it, and which edit carries it. */
#include "model/fit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FILLER_LEAST 4 /* bytes: a tag of three, a length of 0 */
#define LENGTH_MOST  5 /* bytes of a length that every reader takes */
#define ROUNDS       8 /* filler makes lengths longer, which moves what lies behind them; this settles at once or twice */

/* A record's tag and its length, in bytes; 0: it does not start with those of bytes. */
static size_t header_read(struct bytes record, size_t *tag, uint64_t *length)
{
    size_t at = 0, shift = 0;
    while (at < record.size && record.data[at] >= 0x80)
        at++;
    *tag = at + 1;
    if (*tag >= record.size || (record.data[0] & 7) != WIRE_BYTES)
        return 0;
    *length = 0;
    for (at = *tag; at < record.size && at - *tag < LENGTH_MOST; at++, shift += 7) {
        *length |= (uint64_t)(record.data[at] & 0x7f) << shift;
        if (record.data[at] < 0x80)
            return at + 1;
    }
    return 0;
}

/* Can the length of the first record be made so many bytes longer? */
static bool can_widen(struct bytes record, uint32_t by)
{
    size_t tag;
    uint64_t length;
    size_t header = header_read(record, &tag, &length);
    return header > 0 && header - tag + by <= LENGTH_MOST;
}

static void add_widened(struct buffer *to, struct bytes record, uint32_t by)
{
    size_t tag = 0;
    uint64_t length = 0;
    size_t header = header_read(record, &tag, &length);
    buffer_add(to, record.data, tag);
    wire_add_varint_wide(to, length, header - tag + by);
    buffer_add(to, record.data + header, record.size - header);
}

static void add_filler(struct buffer *to, uint32_t size)
{
    static const uint8_t zeros[256] = {0};
    size_t width = 1, tag = FILLER_LEAST - width;
    while (size - tag - width >= (uint64_t)1 << 7 * width)
        width++;
    size_t left = size - tag - width;
    wire_add_tag(to, FIT_FIELD, WIRE_BYTES);
    wire_add_varint_wide(to, left, width);
    for (size_t count; left > 0; left -= count) {
        count = left < sizeof(zeros) ? left : sizeof(zeros);
        buffer_add(to, zeros, count);
    }
}

bool fit_fill(struct fit *fit, uint32_t edit, struct bytes added, struct arena *arena)
{
    uint32_t size = fit->fills[edit];
    fit->live[edit] = true;
    fit->added[edit] = added;
    struct buffer filled = {0};
    if (size == 0)
        return true;
    if (size < FILLER_LEAST) {
        add_widened(&filled, added, size);
    } else {
        buffer_add(&filled, added.data, added.size);
        add_filler(&filled, size);
    }
    added = (struct bytes){filled.failed ? NULL : arena_copy(arena, filled.data, filled.size), filled.size};
    fit->added[edit] = added;
    buffer_free(&filled);
    return added.data != NULL;
}

void fit_free(struct fit *fit)
{
    if (fit == NULL)
        return;
    free(fit->fills);
    free(fit->added);
    free(fit->live);
    free(fit);
}

/* The edits between two long ranges: [first, end) of the model's. */
struct gap {
    uint32_t first, end;
    uint64_t start, stop; /* the bytes between the two */
};

static bool can_carry(const struct plan *plan, uint32_t edit, uint32_t size)
{
    const struct opshift_model *model = plan->model;
    return plan->fit->live[edit] && (size >= FILLER_LEAST || can_widen(edit_added(model, &model->edits[edit]), size));
}

/* So many bytes of filler in the gap, which may have some from the round before. false: nothing there can carry it. */
static bool gap_fill(const struct plan *plan, const struct gap *gap, int64_t more)
{
    struct fit *fit = plan->fit;
    int64_t size = more;
    for (uint32_t i = gap->first; i < gap->end; i++) {
        size += fit->fills[i];
        fit->fills[i] = 0;
    }
    if (fit->block > 0)
        size &= (int64_t)fit->block - 1;
    if (fit->block > 0 && size > 0 && size < FILLER_LEAST)
        size += (int64_t)fit->block;
    if (size <= 0 || size > INT32_MAX)
        return size == 0;
    for (uint32_t i = gap->end; i-- > gap->first;)
        if (can_carry(plan, i, (uint32_t)size)) {
            fit->fills[i] = (uint32_t)size;
            return true;
        }
    return false;
}

static enum opshift_status refuse(const struct gap *gap, int64_t more, struct opshift_error *error)
{
    if (more < 0)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "cannot be changed in place: what changes between bytes %" PRIu64 " and %" PRIu64
                            " needs %" PRId64 " bytes more than are there, and what follows would have to move; write "
                            "a new file",
                            gap->start, gap->stop, -more);
    return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                        "cannot be changed in place: between bytes %" PRIu64 " and %" PRIu64 " are %" PRId64
                        " bytes too many, and nothing there can be made longer; write a new file",
                        gap->start, gap->stop, more);
}

/* Looks at each long range of the plan; *fits: all lie where they should. */
static enum opshift_status fit_round(struct plan *plan, bool *fits, struct opshift_error *error)
{
    const struct opshift_model *model = plan->model;
    const struct fit *fit = plan->fit;
    struct gap gap = {0};
    int64_t shift = 0; /* of what follows, with what this round fills */
    *fits = true;
    struct plan_walk walk = {0};
    struct splice splice = {0};
    for (bool found = true; found;) {
        found = plan_next(plan, &walk, &splice);
        uint64_t end = found ? splice.offset : source_size(model->source);
        if (end - gap.stop >= FIT_LONG) {
            int64_t more = fit->block ? (int64_t)((uint64_t)-shift & (fit->block - 1)) : -shift;
            while (gap.end < model->edit_count && model->edits[gap.end].offset <= gap.stop)
                gap.end++;
            if (more != 0 && gap_fill(plan, &gap, more)) {
                shift += more;
                *fits = false;
            } else if (more != 0 && fit->block == 0) {
                return refuse(&gap, more, error);
            }
            gap = (struct gap){gap.end, gap.end, end, end};
        }
        if (found) {
            gap.stop = end + splice.removed;
            shift += (int64_t)splice.added.size - (int64_t)splice.removed;
        }
    }
    return OPSHIFT_OK;
}

enum opshift_status fit_make(struct plan *plan, uint64_t block, struct opshift_error *error)
{
    plan->fit = calloc(1, sizeof(*plan->fit));
    if (plan->fit == NULL)
        return opshift_no_memory(error);
    size_t room = (size_t)plan->model->edit_count + 1;
    plan->fit->fills = calloc(room, sizeof(*plan->fit->fills));
    plan->fit->added = calloc(room, sizeof(*plan->fit->added));
    plan->fit->live = calloc(room, sizeof(*plan->fit->live));
    if (plan->fit->fills == NULL || plan->fit->added == NULL || plan->fit->live == NULL)
        return opshift_no_memory(error);
    plan->fit->block = block;
    bool fits = false;
    enum opshift_status status = OPSHIFT_OK;
    for (int round = 0; status == OPSHIFT_OK && !fits && round < ROUNDS; round++) {
        status = plan_make(plan, error);
        if (status == OPSHIFT_OK)
            status = fit_round(plan, &fits, error);
    }
    if (status == OPSHIFT_OK && !fits && block == 0)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "cannot be changed in place: no filler makes its parts fit; write a new file");
    return status;
}
