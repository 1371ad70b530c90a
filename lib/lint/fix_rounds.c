/* Fixes findings that have one right fix, in rounds: a round makes all fixes that do not overlap, the next one
 * checks the resulting model. */
#include "lint/fix_rounds.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "model/preview.h"

/* Overlapping fixes are made in separate rounds; after the last round findings are only reported. */
#define ROUNDS_MAX 32

struct opshift_fixes {
    struct arena *arena;
    struct opshift_fix *list; /* grown with realloc */
    uint32_t count, room;
    uint64_t fixed; /* findings: one fix may fix several */
    struct opshift_findings *findings;
};

/* Bytes that a fix of this round changes; empty: an insertion point. */
struct claim {
    uint64_t start, end;
};

/* A graph in which one fix fixed all findings of a check. */
struct fixed_graph {
    const struct check *check;
    const struct graph *graph;
};

struct round {
    struct opshift_fixes *fixes;
    struct claim *claims; /* by rising start; none overlaps the next */
    uint32_t claim_count, claim_room;
    struct fixed_graph *wholes;
    uint32_t whole_count, whole_room;
    size_t laid;
};

/* ---- ranges changed in this round ---- */

/* The first claim that ends at or after a place. */
static size_t claim_find(const struct round *round, uint64_t start)
{
    size_t low = 0, high = round->claim_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (round->claims[middle].end <= start && round->claims[middle].start < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Does the fix overlap another fix of this round? Two insertions at one place are allowed. */
static bool is_claimed(const struct round *round, const struct fixing *fixing)
{
    for (size_t i = 0; i < fixing->count; i++) {
        uint64_t start = fixing->list[i].record, end = start + fixing->list[i].size;
        for (size_t at = claim_find(round, start); at < round->claim_count && round->claims[at].start <= end; at++) {
            const struct claim *claim = &round->claims[at];
            bool same = claim->start == start && claim->end == end && end > start;
            if (same || (claim->start < end && start < claim->end))
                return true;
        }
    }
    return false;
}

/* Is the part of the finding inside a range that another fix of this round changes? Then its own fix overlaps, too. */
static bool is_part_claimed(const struct round *round, const struct finding *finding)
{
    uint64_t start = range_record(finding->range), end = range_end(finding->range);
    size_t at = claim_find(round, start);
    return finding->check->scope == CHECK_PART && at < round->claim_count && round->claims[at].start <= start &&
           end <= round->claims[at].end;
}

static enum opshift_status claims_add(struct round *round, const struct fixing *fixing, struct opshift_error *error)
{
    for (size_t i = 0; i < fixing->count; i++) {
        struct claim claim = {fixing->list[i].record, fixing->list[i].record + fixing->list[i].size};
        size_t at = claim_find(round, claim.start);
        while (at < round->claim_count && round->claims[at].start <= claim.start && round->claims[at].end < claim.end)
            at++;
        if (!list_grow(&round->claims, round->claim_count, &round->claim_room, sizeof(*round->claims)))
            return opshift_no_memory(error);
        memmove(round->claims + at + 1, round->claims + at, (round->claim_count - at) * sizeof(*round->claims));
        round->claims[at] = claim;
        round->claim_count++;
    }
    return OPSHIFT_OK;
}

static bool is_fixed_whole(const struct round *round, const struct finding *finding)
{
    for (size_t i = round->whole_count; finding->check->fixes_graph && i-- > 0;)
        if (round->wholes[i].check == finding->check && round->wholes[i].graph == finding->graph)
            return true;
    return false;
}

static enum opshift_status whole_add(struct round *round, const struct finding *finding, struct opshift_error *error)
{
    if (!finding->check->fixes_graph)
        return OPSHIFT_OK;
    if (!list_grow(&round->wholes, round->whole_count, &round->whole_room, sizeof(*round->wholes)))
        return opshift_no_memory(error);
    round->wholes[round->whole_count++] = (struct fixed_graph){finding->check, finding->graph};
    return OPSHIFT_OK;
}

/* ---- one fix ---- */

static enum opshift_status fix_note(struct opshift_fixes *fixes, struct checking *checking, uint32_t first,
                                    const struct opshift_finding *listed, struct opshift_error *error)
{
    if (!list_grow(&fixes->list, fixes->count, &fixes->room, sizeof(*fixes->list)))
        return opshift_no_memory(error);
    struct opshift_fix *fix = &fixes->list[fixes->count];
    *fix = (struct opshift_fix){
        .check = listed->check,
        .place = arena_copy(fixes->arena, listed->place, strlen(listed->place)),
        .message = arena_copy(fixes->arena, listed->message, strlen(listed->message)),
    };
    if (fix->place == NULL || fix->message == NULL)
        return opshift_no_memory(error);
    fixes->count++;
    return fix_tell(checking, first, fixes->arena, fix, error);
}

/* Adds the edits of a fix; none if the fix does not apply, or not in this round. */
static enum opshift_status fix_lay(struct round *round, struct checking *checking, const struct finding *finding,
                                   const struct opshift_finding *listed, struct opshift_error *error)
{
    struct opshift_model *model = checking->model;
    struct edits_mark first = model_edits_mark(model);
    if (is_part_claimed(round, finding))
        return OPSHIFT_OK;
    checking->fixing->count = 0;
    checking->check = finding->check;
    enum opshift_status status = finding->check->fix(checking, finding, error);
    if (status == OPSHIFT_IO || status == OPSHIFT_MEMORY)
        return status;
    error_forget(error);
    if (status || is_claimed(round, checking->fixing))
        model_edits_cut(model, first);
    if (model->edit_count == first.count)
        return OPSHIFT_OK;
    round->laid++;
    round->fixes->fixed++;
    fixing_sort(checking->fixing);
    status = claims_add(round, checking->fixing, error);
    if (status == OPSHIFT_OK)
        status = whole_add(round, finding, error);
    return status ? status : fix_note(round->fixes, checking, first.count, listed, error);
}

static bool is_wanted(const struct opshift_finding *listed, const struct finding *finding)
{
    return finding->check->fix && !listed->known && listed->suppressed == NULL;
}

static enum opshift_status round_lay(void *data, struct checking *checking, struct opshift_findings *findings,
                                     struct opshift_error *error)
{
    struct round *round = data;
    struct fixing fixing = {0};
    size_t ahead = findings->count - findings->from_count;
    enum opshift_status status = OPSHIFT_OK;
    if (findings->failure || checking->malformed)
        return OPSHIFT_OK;
    checking->fixing = &fixing;
    for (size_t i = 0; status == OPSHIFT_OK && i < findings->from_count; i++) {
        const struct opshift_finding *listed = &findings->list[ahead + i];
        if (!is_wanted(listed, findings->from[i]))
            continue;
        if (is_fixed_whole(round, findings->from[i])) {
            round->fixes->fixed++;
            continue;
        }
        status = checking_clear(checking, error);
        if (status == OPSHIFT_OK)
            status = fix_lay(round, checking, findings->from[i], listed, error);
    }
    checking->fixing = NULL;
    free(fixing.list);
    return status;
}

/* ---- rounds ---- */

/* Checks the model; if something was fixed, *next is the fixed model. */
static enum opshift_status round_run(const struct opshift_lint *lint, struct opshift_fixes *fixes, bool apply,
                                     struct opshift_model *model, struct opshift_model **next,
                                     struct opshift_error *error)
{
    struct round round = {.fixes = fixes};
    *next = NULL;
    opshift_findings_free(fixes->findings);
    fixes->findings = findings_new(lint, opshift_model_name(model));
    if (fixes->findings == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = findings_make(lint, model, fixes->findings, apply ? round_lay : NULL, &round, error);
    if (status == OPSHIFT_OK && round.laid)
        status = model_preview(model, fixes->arena, next, error);
    free(round.claims);
    free(round.wholes);
    return status;
}

enum opshift_status opshift_lint_fix(const struct opshift_lint *lint, struct opshift_model *model,
                                     struct opshift_fixes **result, struct opshift_error *error)
{
    struct opshift_model *current = model, *next;
    struct opshift_fixes *fixes = calloc(1, sizeof(*fixes));
    enum opshift_status status = outputs_check(lint, model, error);
    bool edited = lint->options.edited && model->edit_count > 0;
    if (!edited)
        model_edits_clear(model);
    *result = NULL;
    if (fixes)
        fixes->arena = arena_new(0);
    if (status == OPSHIFT_OK && (fixes == NULL || fixes->arena == NULL))
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK && edited) {
        status = model_preview(model, fixes->arena, &next, error);
        current = status ? model : next;
    }
    for (int round = 0; status == OPSHIFT_OK; round++) {
        status = round_run(lint, fixes, round < ROUNDS_MAX, current, &next, error);
        if (next == NULL)
            break;
        if (current != model)
            opshift_model_free(current);
        current = next;
    }
    if (status || fixes->count > 0 || !edited)
        model_edits_clear(model);
    if (status == OPSHIFT_OK && current != model && fixes->count > 0)
        status = model_adopt(model, current, error);
    if (current != model)
        opshift_model_free(current);
    if (status) {
        opshift_fixes_free(fixes);
        return status;
    }
    fixes->findings->fixed = fixes->fixed;
    *result = fixes;
    return OPSHIFT_OK;
}

size_t opshift_fixes_count(const struct opshift_fixes *fixes)
{
    return fixes->count;
}

const struct opshift_fix *opshift_fixes_at(const struct opshift_fixes *fixes, size_t index)
{
    return index < fixes->count ? &fixes->list[index] : NULL;
}

const struct opshift_findings *opshift_fixes_findings(const struct opshift_fixes *fixes)
{
    return fixes->findings;
}

void opshift_fixes_free(struct opshift_fixes *fixes)
{
    if (fixes == NULL)
        return;
    opshift_findings_free(fixes->findings);
    arena_free(fixes->arena);
    free(fixes->list);
    free(fixes);
}
