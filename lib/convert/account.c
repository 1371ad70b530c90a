/* The report of a conversion, as text and as JSON. */
#include "convert/account.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "base/shown.h"
#include "convert/unlock.h"

struct account *account_new(bool brief)
{
    struct arena *arena = arena_new(0);
    struct account *account = arena ? arena_alloc(arena, 1, sizeof(*account)) : NULL;
    if (account == NULL) {
        arena_free(arena);
        return NULL;
    }
    account->arena = arena;
    account->brief = brief;
    return account;
}

void account_free(struct account *account)
{
    if (account == NULL)
        return;
    buffer_free(&account->raw);
    buffer_free(&account->shown);
    arena_free(account->arena);
}

const char *account_text_like(struct account *account, const void *data, size_t size, const char *likely)
{
    struct buffer *shown = &account->shown;
    shown->size = 0;
    shown_add(shown, data, size);
    buffer_add_byte(shown, '\0');
    if (likely && !shown->failed && strcmp((const char *)shown->data, likely) == 0)
        return likely;
    char *text = shown->failed ? NULL : (char *)arena_bytes(account->arena, shown->size);
    return text ? memcpy(text, shown->data, shown->size) : NULL;
}

const char *account_text(struct account *account, const void *data, size_t size)
{
    return account_text_like(account, data, size, NULL);
}

/* Returns the phrase of the previous remark if it is equal, else a copy in the arena. NULL: no memory. */
static const struct phrase *phrase_keep(struct arena *arena, const struct remark *last, const struct phrase *phrase)
{
    const struct phrase *kept = last ? last->phrase : NULL;
    if (kept && kept->operator_type == phrase->operator_type && kept->from == phrase->from && kept->to == phrase->to &&
        kept->words == phrase->words && kept->replaced == phrase->replaced && kept->domain == phrase->domain)
        return kept;
    return arena_copy(arena, phrase, sizeof(*phrase));
}

enum opshift_status account_add(struct account *account, struct remarks *remarks, const char *place,
                                const struct phrase *phrase, struct opshift_error *error)
{
    struct remark *added = arena_alloc(account->arena, 1, sizeof(*added));
    if (added == NULL || place == NULL || phrase->operator_type == NULL || phrase->words == NULL)
        return opshift_no_memory(error);
    *added = (struct remark){NULL, place, phrase_keep(account->arena, remarks->last, phrase)};
    if (added->phrase == NULL)
        return opshift_no_memory(error);
    *(remarks->last ? &remarks->last->next : &remarks->first) = added;
    remarks->last = added;
    remarks->count++;
    return OPSHIFT_OK;
}

/* "opset 12 to 11"; with another domain than ai.onnx, which is NULL: "ai.onnx.ml 3 to 2" */
static void print_steps(const char *before, const char *domain, int64_t from, int64_t to, struct buffer *out)
{
    buffer_add_text(out, before);
    buffer_add_text(out, domain ? domain : "opset");
    buffer_add_byte(out, ' ');
    buffer_add_decimal(out, from);
    buffer_add_text(out, " to ");
    buffer_add_decimal(out, to);
}

static void print_remarks(const struct remarks *remarks, const char *what, struct buffer *out)
{
    for (const struct remark *remark = remarks->first; remark != NULL; remark = remark->next) {
        buffer_add_text(out, what);
        buffer_add_text(out, remark->place);
        if (remark->phrase->from != remark->phrase->to)
            print_steps(": ", remark->phrase->domain, remark->phrase->from, remark->phrase->to, out);
        buffer_add_text(out, ": ");
        buffer_add_text(out, remark->phrase->words);
        buffer_add_byte(out, '\n');
    }
}

/* "2 nodes rewritten" */
static void print_count(uint32_t count, const char *what, const char *done, struct buffer *out)
{
    buffer_add_decimal(out, count);
    buffer_add_byte(out, ' ');
    buffer_add_text(out, what);
    buffer_add_text(out, count == 1 ? " " : "s ");
    buffer_add_text(out, done);
}

/* ", ai.onnx.ml 1 to 3"; false: no domain moves. */
static bool print_moves(const struct account *account, struct buffer *out)
{
    bool moved = false;
    for (uint32_t i = 0; i < account->move_count; i++) {
        const struct account_move *move = &account->moves[i];
        if (move->source == 0)
            buffer_print(out, ", no opset of %s is imported", move->domain);
        else if (move->source == move->target)
            buffer_print(out, ", %s is at %" PRId64 " already", move->domain, move->target);
        else
            print_steps(", ", move->domain, move->source, move->target, out);
        moved |= move->source && move->source != move->target;
    }
    return moved;
}

/* "opset 11, ai.onnx.ml 1": the opsets that cannot be reached */
static void print_targets(const struct account *account, struct buffer *out)
{
    const char *sign = "";
    if (account->source_opset != account->target_opset || account->move_count == 0) {
        buffer_print(out, "opset %" PRId64, account->target_opset);
        sign = ", ";
    }
    for (uint32_t i = 0; i < account->move_count; i++)
        if (account->moves[i].source != account->moves[i].target && account->moves[i].source) {
            buffer_print(out, "%s%s %" PRId64, sign, account->moves[i].domain, account->moves[i].target);
            sign = ", ";
        }
}

static const enum replacement_kind kinds[] = {REPLACED_EXACTLY, REPLACED_BY_DEFINITION, REPLACED_APPROXIMATELY};

/* " (3 replaced: 2 exact, 1 definition)" */
static void print_replaced(const struct account *account, struct buffer *out)
{
    uint32_t all = 0;
    const char *sign = ": ";
    for (size_t i = 0; i < COUNT(kinds); i++)
        all += account->replaced_counts[i];
    if (all == 0)
        return;
    buffer_print(out, " (%" PRIu32 " replaced", all);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        uint32_t count = account->replaced_counts[kinds[i]];
        if (count)
            buffer_print(out, "%s%" PRIu32 " %s", sign, count, replacement_kind_name(kinds[i]));
        sign = count ? ", " : sign;
    }
    buffer_add_byte(out, ')');
}

/* The summary line. */
static void print_done(const struct account *account, struct buffer *out)
{
    int64_t from = account->source_opset, to = account->target_opset;
    if (account->ir_alone) {
        if (account->source_ir == account->target_ir)
            buffer_print(out, "is of IR version %" PRId64 " already: nothing to do\n", account->target_ir);
        else
            buffer_print(out, "IR version %" PRId64 " to %" PRId64 ": nothing else changes\n", account->source_ir,
                         account->target_ir);
        return;
    }
    if (account->foreign)
        buffer_add_text(out, "no node needs an opset of ai.onnx");
    else if (from == to && account->rewritten_count)
        buffer_print(out, "stays at opset %" PRId64, to);
    else if (from == to)
        buffer_print(out, "is at opset %" PRId64 " already", to);
    else
        print_steps("", NULL, from, to, out);
    bool moved = print_moves(account, out);
    if (account->source_ir != account->target_ir)
        print_steps(", ", "IR version", account->source_ir, account->target_ir, out);
    buffer_add_text(out, ": ");
    if (account->rewritten_count == 0 && !moved && (account->foreign || from == to) &&
        account->source_ir == account->target_ir) {
        buffer_add_text(out, "nothing to do\n");
        return;
    }
    if (account->rewritten_count == 0)
        buffer_add_text(out, "no node had to be rewritten");
    else
        print_count(account->rewritten_count, "node", "rewritten", out);
    print_replaced(account, out);
    if (account->added_count) {
        buffer_add_text(out, ", ");
        print_count(account->added_count, "constant", "added", out);
    }
    if (account->removed_count) {
        buffer_add_text(out, ", ");
        print_count(account->removed_count, "unread value", "removed", out);
    }
    if (account->assumptions.count)
        buffer_print(out, ", %zu assumption%s", account->assumptions.count, account->assumptions.count == 1 ? "" : "s");
    buffer_add_byte(out, '\n');
}

/* From this number of blockers on, the text report groups them. */
#define GROUPED_LEAST 10u

static void print_groups(const struct account *account, struct buffer *out)
{
    size_t at = 0;
    for (const struct remark *remark = account->groups.first; remark != NULL; remark = remark->next, at++) {
        buffer_print(out, "in the way: %" PRIu32 " %s", account->group_counts[at], remark->phrase->operator_type);
        if (remark->phrase->from != remark->phrase->to)
            print_steps(": ", remark->phrase->domain, remark->phrase->from, remark->phrase->to, out);
        buffer_print(out, ": %s\n", remark->phrase->words);
    }
}

static void print(const void *told, struct buffer *out)
{
    const struct account *account = told;
    size_t listed = account->blockers.count, blocked = account->blocker_count;
    char which[64] = "";
    if (blocked > listed)
        snprintf(which, sizeof(which), ", of which the last %zu are named", listed);
    print_remarks(&account->blockers, "blocked: ", out);
    /* With blockers, nothing is converted: the rewrites are not listed. */
    if (blocked == 0)
        print_remarks(&account->rewritten, "rewritten: ", out);
    if (blocked == 0)
        print_remarks(&account->notes, "note: ", out);
    if (blocked == 0 && account->ir_note)
        buffer_print(out, "note: %s\n", account->ir_note);
    if (blocked == 0)
        print_remarks(&account->assumptions, "assumed: ", out);
    if (blocked >= GROUPED_LEAST)
        print_groups(account, out);
    buffer_add_text(out, account->model);
    buffer_add_text(out, ": ");
    if (blocked == 0)
        print_done(account, out);
    else {
        buffer_add_text(out, "cannot be converted to ");
        print_targets(account, out);
        buffer_print(out, ": %zu node%s in the way%s; nothing is written\n", blocked, blocked == 1 ? "" : "s", which);
    }
    if (blocked && account->nearest_opset) {
        buffer_add_text(out, account->model);
        buffer_print(out, ": opset %" PRId64 " is the nearest that can be reached\n", account->nearest_opset);
    }
    for (size_t i = 0; i < account->way_count; i++) {
        buffer_print(out, "%s: ", account->model);
        print_targets(account, out);
        buffer_add_text(out, " is ");
        unlock_print(account->ways[i], out);
        buffer_add_byte(out, '\n');
    }
}

/* words: the JSON key of the text. steps: also write the opsets of the step. */
static json_t *remarks_tree(const struct remarks *remarks, bool steps, const char *words)
{
    json_t *list = json_array();
    for (const struct remark *remark = remarks->first; remark != NULL; remark = remark->next) {
        json_t *entry = json_object();
        report_set(&entry, "node", json_string(remark->place));
        report_set(&entry, "operator", json_string(remark->phrase->operator_type));
        if (remark->phrase->domain)
            report_set(&entry, "domain", json_string(remark->phrase->domain));
        if (steps) {
            report_set(&entry, "from", json_integer(remark->phrase->from));
            report_set(&entry, "to", json_integer(remark->phrase->to));
        }
        report_set(&entry, words, json_string(remark->phrase->words));
        if (remark->phrase->replaced)
            report_set(&entry, "replaced", json_string(remark->phrase->replaced));
        report_append(&list, entry);
    }
    return list;
}

static json_t *groups_tree(const struct account *account)
{
    json_t *list = remarks_tree(&account->groups, true, "why");
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *entry = json_incref(json_array_get(list, i));
        if (json_object_set_new(entry, "count", json_integer(account->group_counts[i]))) {
            json_decref(list);
            list = NULL;
        }
        json_decref(entry);
    }
    return list;
}

static json_t *moves_tree(const struct account *account)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < account->move_count; i++) {
        const struct account_move *move = &account->moves[i];
        json_t *entry = json_object();
        report_set(&entry, "domain", json_string(move->domain));
        report_set(&entry, "source_opset", move->source ? json_integer(move->source) : json_null());
        report_set(&entry, "target_opset", json_integer(move->target));
        report_append(&list, entry);
    }
    return list;
}

static json_t *tree(const void *told)
{
    const struct account *account = told;
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:o, s:I, s:I, s:I, s:b, s:I, s:I, s:I, s:I, s:o}", "kind", "convert", "version",
        opshift_version(), "model", account->model, "source_opset",
        account->foreign ? json_null() : json_integer(account->source_opset), "target_opset",
        (json_int_t)account->target_opset, "source_ir_version", (json_int_t)account->source_ir, "target_ir_version",
        (json_int_t)account->target_ir, "convertible", account->blocker_count == 0, "rewritten_count",
        (json_int_t)account->rewritten_count, "added_count", (json_int_t)account->added_count, "removed_count",
        (json_int_t)account->removed_count, "unknown_types", (json_int_t)account->assumptions.count, "blockers",
        remarks_tree(&account->blockers, true, "why"));
    json_t *replaced = json_object();
    for (size_t i = 0; i < COUNT(kinds); i++)
        report_set(&replaced, replacement_kind_name(kinds[i]), json_integer(account->replaced_counts[kinds[i]]));
    report_set(&root, "replaced_counts", replaced);
    if (account->move_count)
        report_set(&root, "domains", moves_tree(account));
    if (!account->brief)
        report_set(&root, "rewritten", remarks_tree(&account->rewritten, true, "becomes"));
    report_set(&root, "notes", remarks_tree(&account->notes, false, "note"));
    report_set(&root, "assumptions", remarks_tree(&account->assumptions, false, "assumed"));
    if (account->ir_note)
        report_set(&root, "ir_version_note", json_string(account->ir_note));
    if (account->blocker_count)
        report_set(&root, "blocker_groups", groups_tree(account));
    if (account->way_count) {
        json_t *ways = json_array();
        for (size_t i = 0; i < account->way_count; i++)
            report_append(&ways, json_string(account->ways[i]));
        report_set(&root, "with", ways);
    }
    if (account->nearest_opset)
        report_set(&root, "nearest_opset", json_integer((json_int_t)account->nearest_opset));
    if (account->blocker_count > account->blockers.count)
        report_set(&root, "blockers_left_out",
                   json_integer((json_int_t)(account->blocker_count - account->blockers.count)));
    return root;
}

static void count_print(struct buffer *out, json_int_t count, const char *what)
{
    if (count > 0)
        buffer_print(out, "%s%" JSON_INTEGER_FORMAT " %s", out->size ? ", " : "", count, what);
}

static void release(void *told)
{
    account_free(told);
}

struct opshift_report *account_report(struct account *account)
{
    static const struct report_kind kind = {print, tree, release};
    return report_new_told(account, &kind);
}

/* NULL: it is no conversion's. */
static const struct account *account_of(const struct opshift_report *report)
{
    return report && report->kind && report->kind->text == print ? report->told : NULL;
}

enum opshift_status opshift_report_reasons(const struct opshift_report *report, char **text,
                                           struct opshift_error *error)
{
    struct buffer out = {0};
    const struct account *account = account_of(report);
    for (const struct remark *remark = account ? account->groups.first : NULL; remark; remark = remark->next) {
        buffer_add_text(&out, out.size ? "\n" : "");
        if (*remark->phrase->operator_type)
            buffer_print(&out, "%s at opset %" PRId64 ": ", remark->phrase->operator_type, remark->phrase->to);
        buffer_add_text(&out, remark->phrase->words);
    }
    json_t *refused = json_object_get(report ? report->root : NULL, "refused"), *told = json_object(), *why;
    size_t i;
    json_array_foreach(refused, i, why)
    {
        const char *place = strstr(json_string_value(why), "): "), *words = place ? place + 3 : json_string_value(why);
        if (json_object_get(told, words) == NULL)
            buffer_print(&out, "%s%s", out.size ? "\n" : "", words);
        out.failed = out.failed || json_object_set_new(told, words, json_true()) != 0;
    }
    json_decref(told);
    return buffer_finish(&out, OPSHIFT_OK, text, error);
}

enum opshift_status opshift_report_counts(const struct opshift_report *report, char **text, struct opshift_error *error)
{
    struct buffer out = {0};
    const struct account *account = account_of(report);
    json_t *root = report ? report->root : NULL, *counts = json_object_get(root, "counts"), *count;
    const char *what;
    if (account) {
        count_print(&out, account->rewritten_count, "rewritten");
        count_print(&out, account->added_count, "added");
        count_print(&out, account->removed_count, "removed");
        count_print(&out, account->blocker_count, "blocked");
    }
    json_object_foreach(counts ? counts : root, what, count) count_print(&out, json_integer_value(count), what);
    return buffer_finish(&out, OPSHIFT_OK, text, error);
}
