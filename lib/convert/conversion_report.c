/* The report of a conversion, as text and as JSON. */
#include "convert/conversion_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "base/shown.h"
#include "convert/unlock.h"

struct conversion_report *conversion_report_new(bool brief)
{
    struct arena *arena = arena_new(0);
    struct conversion_report *conversion = arena ? arena_alloc(arena, 1, sizeof(*conversion)) : NULL;
    if (conversion == NULL) {
        arena_free(arena);
        return NULL;
    }
    conversion->arena = arena;
    conversion->brief = brief;
    return conversion;
}

void conversion_report_free(struct conversion_report *conversion)
{
    if (conversion == NULL)
        return;
    buffer_free(&conversion->raw);
    buffer_free(&conversion->shown);
    arena_free(conversion->arena);
}

const char *conversion_report_text_like(struct conversion_report *conversion, const void *data, size_t size,
                                        const char *likely)
{
    struct buffer *shown = &conversion->shown;
    shown->size = 0;
    shown_add(shown, data, size);
    buffer_add_byte(shown, '\0');
    if (likely && !shown->failed && strcmp((const char *)shown->data, likely) == 0)
        return likely;
    char *text = shown->failed ? NULL : (char *)arena_bytes(conversion->arena, shown->size);
    return text ? memcpy(text, shown->data, shown->size) : NULL;
}

const char *conversion_report_text(struct conversion_report *conversion, const void *data, size_t size)
{
    return conversion_report_text_like(conversion, data, size, NULL);
}

/* Returns the message of the previous remark if it is equal, else a copy in the arena. NULL: no memory. */
static const struct remark_message *remark_message_keep(struct arena *arena, const struct remark *last,
                                                        const struct remark_message *message)
{
    const struct remark_message *kept = last ? last->message : NULL;
    if (kept && kept->operator_type == message->operator_type && kept->from == message->from &&
        kept->to == message->to && kept->words == message->words && kept->replaced == message->replaced &&
        kept->domain == message->domain)
        return kept;
    return arena_copy(arena, message, sizeof(*message));
}

enum opshift_status conversion_report_add(struct conversion_report *conversion, struct remarks *remarks,
                                          const char *place, const struct remark_message *message,
                                          struct opshift_error *error)
{
    struct remark *added = arena_alloc(conversion->arena, 1, sizeof(*added));
    if (added == NULL || place == NULL || message->operator_type == NULL || message->words == NULL)
        return opshift_no_memory(error);
    *added = (struct remark){NULL, place, remark_message_keep(conversion->arena, remarks->last, message)};
    if (added->message == NULL)
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
        if (remark->message->from != remark->message->to)
            print_steps(": ", remark->message->domain, remark->message->from, remark->message->to, out);
        buffer_add_text(out, ": ");
        buffer_add_text(out, remark->message->words);
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
static bool print_moves(const struct conversion_report *conversion, struct buffer *out)
{
    bool moved = false;
    for (uint32_t i = 0; i < conversion->move_count; i++) {
        const struct conversion_report_move *move = &conversion->moves[i];
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
static void print_targets(const struct conversion_report *conversion, struct buffer *out)
{
    const char *sign = "";
    if (conversion->source_opset != conversion->target_opset || conversion->move_count == 0) {
        buffer_print(out, "opset %" PRId64, conversion->target_opset);
        sign = ", ";
    }
    for (uint32_t i = 0; i < conversion->move_count; i++)
        if (conversion->moves[i].source != conversion->moves[i].target && conversion->moves[i].source) {
            buffer_print(out, "%s%s %" PRId64, sign, conversion->moves[i].domain, conversion->moves[i].target);
            sign = ", ";
        }
}

static const enum replacement_kind kinds[] = {REPLACED_EXACTLY, REPLACED_BY_DEFINITION, REPLACED_APPROXIMATELY};

/* " (3 replaced: 2 exact, 1 definition)" */
static void print_replaced(const struct conversion_report *conversion, struct buffer *out)
{
    uint32_t all = 0;
    const char *sign = ": ";
    for (size_t i = 0; i < COUNT(kinds); i++)
        all += conversion->replaced_counts[i];
    if (all == 0)
        return;
    buffer_print(out, " (%" PRIu32 " replaced", all);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        uint32_t count = conversion->replaced_counts[kinds[i]];
        if (count)
            buffer_print(out, "%s%" PRIu32 " %s", sign, count, replacement_kind_name(kinds[i]));
        sign = count ? ", " : sign;
    }
    buffer_add_byte(out, ')');
}

/* The summary line. */
static void print_done(const struct conversion_report *conversion, struct buffer *out)
{
    int64_t from = conversion->source_opset, to = conversion->target_opset;
    if (conversion->ir_alone) {
        if (conversion->source_ir == conversion->target_ir)
            buffer_print(out, "is of IR version %" PRId64 " already: nothing to do\n", conversion->target_ir);
        else
            buffer_print(out, "IR version %" PRId64 " to %" PRId64 ": nothing else changes\n", conversion->source_ir,
                         conversion->target_ir);
        return;
    }
    if (conversion->foreign)
        buffer_add_text(out, "no node needs an opset of ai.onnx");
    else if (from == to && conversion->rewritten_count)
        buffer_print(out, "stays at opset %" PRId64, to);
    else if (from == to)
        buffer_print(out, "is at opset %" PRId64 " already", to);
    else
        print_steps("", NULL, from, to, out);
    bool moved = print_moves(conversion, out);
    if (conversion->source_ir != conversion->target_ir)
        print_steps(", ", "IR version", conversion->source_ir, conversion->target_ir, out);
    buffer_add_text(out, ": ");
    if (conversion->rewritten_count == 0 && !moved && (conversion->foreign || from == to) &&
        conversion->source_ir == conversion->target_ir) {
        buffer_add_text(out, "nothing to do\n");
        return;
    }
    if (conversion->rewritten_count == 0)
        buffer_add_text(out, "no node had to be rewritten");
    else
        print_count(conversion->rewritten_count, "node", "rewritten", out);
    print_replaced(conversion, out);
    if (conversion->added_count) {
        buffer_add_text(out, ", ");
        print_count(conversion->added_count, "constant", "added", out);
    }
    if (conversion->removed_count) {
        buffer_add_text(out, ", ");
        print_count(conversion->removed_count, "unread value", "removed", out);
    }
    if (conversion->assumptions.count)
        buffer_print(out, ", %zu assumption%s", conversion->assumptions.count,
                     conversion->assumptions.count == 1 ? "" : "s");
    buffer_add_byte(out, '\n');
}

/* From this number of blockers on, the text report groups them. */
#define GROUPED_LEAST 10u

static void print_groups(const struct conversion_report *conversion, struct buffer *out)
{
    size_t at = 0;
    for (const struct remark *remark = conversion->groups.first; remark != NULL; remark = remark->next, at++) {
        buffer_print(out, "in the way: %" PRIu32 " %s", conversion->group_counts[at], remark->message->operator_type);
        if (remark->message->from != remark->message->to)
            print_steps(": ", remark->message->domain, remark->message->from, remark->message->to, out);
        buffer_print(out, ": %s\n", remark->message->words);
    }
}

static void print(const void *content, struct buffer *out)
{
    const struct conversion_report *conversion = content;
    size_t listed = conversion->blockers.count, blocked = conversion->blocker_count;
    char which[64] = "";
    if (blocked > listed)
        snprintf(which, sizeof(which), ", of which the last %zu are named", listed);
    print_remarks(&conversion->blockers, "blocked: ", out);
    /* With blockers, nothing is converted: the rewrites are not listed. */
    if (blocked == 0)
        print_remarks(&conversion->rewritten, "rewritten: ", out);
    if (blocked == 0)
        print_remarks(&conversion->notes, "note: ", out);
    if (blocked == 0 && conversion->ir_note)
        buffer_print(out, "note: %s\n", conversion->ir_note);
    if (blocked == 0)
        print_remarks(&conversion->assumptions, "assumed: ", out);
    if (blocked >= GROUPED_LEAST)
        print_groups(conversion, out);
    buffer_add_text(out, conversion->model);
    buffer_add_text(out, ": ");
    if (blocked == 0)
        print_done(conversion, out);
    else {
        buffer_add_text(out, "cannot be converted to ");
        print_targets(conversion, out);
        buffer_print(out, ": %zu node%s in the way%s; nothing is written\n", blocked, blocked == 1 ? "" : "s", which);
    }
    if (blocked && conversion->nearest_opset) {
        buffer_add_text(out, conversion->model);
        buffer_print(out, ": opset %" PRId64 " is the nearest that can be reached\n", conversion->nearest_opset);
    }
    for (size_t i = 0; i < conversion->option_count; i++) {
        buffer_print(out, "%s: ", conversion->model);
        print_targets(conversion, out);
        buffer_add_text(out, " is ");
        unlock_print(conversion->options[i], out);
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
        report_set(&entry, "operator", json_string(remark->message->operator_type));
        if (remark->message->domain)
            report_set(&entry, "domain", json_string(remark->message->domain));
        if (steps) {
            report_set(&entry, "from", json_integer(remark->message->from));
            report_set(&entry, "to", json_integer(remark->message->to));
        }
        report_set(&entry, words, json_string(remark->message->words));
        if (remark->message->replaced)
            report_set(&entry, "replaced", json_string(remark->message->replaced));
        report_append(&list, entry);
    }
    return list;
}

static json_t *groups_tree(const struct conversion_report *conversion)
{
    json_t *list = remarks_tree(&conversion->groups, true, "why");
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *entry = json_incref(json_array_get(list, i));
        if (json_object_set_new(entry, "count", json_integer(conversion->group_counts[i]))) {
            json_decref(list);
            list = NULL;
        }
        json_decref(entry);
    }
    return list;
}

static json_t *moves_tree(const struct conversion_report *conversion)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < conversion->move_count; i++) {
        const struct conversion_report_move *move = &conversion->moves[i];
        json_t *entry = json_object();
        report_set(&entry, "domain", json_string(move->domain));
        report_set(&entry, "source_opset", move->source ? json_integer(move->source) : json_null());
        report_set(&entry, "target_opset", json_integer(move->target));
        report_append(&list, entry);
    }
    return list;
}

static json_t *tree(const void *content)
{
    const struct conversion_report *conversion = content;
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:o, s:I, s:I, s:I, s:b, s:I, s:I, s:I, s:I, s:o}", "kind", "convert", "version",
        opshift_version(), "model", conversion->model, "source_opset",
        conversion->foreign ? json_null() : json_integer(conversion->source_opset), "target_opset",
        (json_int_t)conversion->target_opset, "source_ir_version", (json_int_t)conversion->source_ir,
        "target_ir_version", (json_int_t)conversion->target_ir, "convertible", conversion->blocker_count == 0,
        "rewritten_count", (json_int_t)conversion->rewritten_count, "added_count", (json_int_t)conversion->added_count,
        "removed_count", (json_int_t)conversion->removed_count, "unknown_types",
        (json_int_t)conversion->assumptions.count, "blockers", remarks_tree(&conversion->blockers, true, "why"));
    json_t *replaced = json_object();
    for (size_t i = 0; i < COUNT(kinds); i++)
        report_set(&replaced, replacement_kind_name(kinds[i]), json_integer(conversion->replaced_counts[kinds[i]]));
    report_set(&root, "replaced_counts", replaced);
    if (conversion->move_count)
        report_set(&root, "domains", moves_tree(conversion));
    if (!conversion->brief)
        report_set(&root, "rewritten", remarks_tree(&conversion->rewritten, true, "becomes"));
    report_set(&root, "notes", remarks_tree(&conversion->notes, false, "note"));
    report_set(&root, "assumptions", remarks_tree(&conversion->assumptions, false, "assumed"));
    if (conversion->ir_note)
        report_set(&root, "ir_version_note", json_string(conversion->ir_note));
    if (conversion->blocker_count)
        report_set(&root, "blocker_groups", groups_tree(conversion));
    if (conversion->option_count) {
        json_t *options = json_array();
        for (size_t i = 0; i < conversion->option_count; i++)
            report_append(&options, json_string(conversion->options[i]));
        report_set(&root, "with", options);
    }
    if (conversion->nearest_opset)
        report_set(&root, "nearest_opset", json_integer((json_int_t)conversion->nearest_opset));
    if (conversion->blocker_count > conversion->blockers.count)
        report_set(&root, "blockers_left_out",
                   json_integer((json_int_t)(conversion->blocker_count - conversion->blockers.count)));
    return root;
}

static void count_print(struct buffer *out, json_int_t count, const char *what)
{
    if (count > 0)
        buffer_print(out, "%s%" JSON_INTEGER_FORMAT " %s", out->size ? ", " : "", count, what);
}

static void release(void *content)
{
    conversion_report_free(content);
}

struct opshift_report *conversion_report_finish(struct conversion_report *conversion)
{
    static const struct report_kind kind = {print, tree, release};
    return report_new_content(conversion, &kind);
}

/* NULL: it is no conversion's. */
static const struct conversion_report *conversion_report_of(const struct opshift_report *report)
{
    return report && report->kind && report->kind->text == print ? report->content : NULL;
}

enum opshift_status opshift_report_reasons(const struct opshift_report *report, char **text,
                                           struct opshift_error *error)
{
    struct buffer out = {0};
    const struct conversion_report *conversion = conversion_report_of(report);
    for (const struct remark *remark = conversion ? conversion->groups.first : NULL; remark; remark = remark->next) {
        buffer_add_text(&out, out.size ? "\n" : "");
        if (*remark->message->operator_type)
            buffer_print(&out, "%s at opset %" PRId64 ": ", remark->message->operator_type, remark->message->to);
        buffer_add_text(&out, remark->message->words);
    }
    json_t *refused = json_object_get(report ? report->root : NULL, "refused"), *content = json_object(), *why;
    size_t i;
    json_array_foreach(refused, i, why)
    {
        const char *place = strstr(json_string_value(why), "): "), *words = place ? place + 3 : json_string_value(why);
        if (json_object_get(content, words) == NULL)
            buffer_print(&out, "%s%s", out.size ? "\n" : "", words);
        out.failed = out.failed || json_object_set_new(content, words, json_true()) != 0;
    }
    json_decref(content);
    return buffer_finish(&out, OPSHIFT_OK, text, error);
}

enum opshift_status opshift_report_counts(const struct opshift_report *report, char **text, struct opshift_error *error)
{
    struct buffer out = {0};
    const struct conversion_report *conversion = conversion_report_of(report);
    json_t *root = report ? report->root : NULL, *counts = json_object_get(root, "counts"), *count;
    const char *what;
    if (conversion) {
        count_print(&out, conversion->rewritten_count, "rewritten");
        count_print(&out, conversion->added_count, "added");
        count_print(&out, conversion->removed_count, "removed");
        count_print(&out, conversion->blocker_count, "blocked");
    }
    json_object_foreach(counts ? counts : root, what, count) count_print(&out, json_integer_value(count), what);
    return buffer_finish(&out, OPSHIFT_OK, text, error);
}
