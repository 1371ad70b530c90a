/* The report: a tree for programs, and grouped lines of text. */
#include <string.h>

#include "base/report.h"
#include "diff/diff.h"

static const char *const change_names[] = {"added", "removed", "changed", "moved"};
static const char change_marks[] = {'+', '-', '~', '>'};

/* ---- places ---- */

/* Bytes of a name around the place, which many differences repeat. */
#define OUTER_NAME_MAX 120u

static void add_name(struct diff *diff, struct buffer *out, name_id name, size_t most)
{
    struct bytes bytes = names_bytes(diff->keys, name);
    buffer_add(out, bytes.data, bytes.size < most ? bytes.size : most);
    if (bytes.size > most)
        buffer_add_text(out, "...");
}

static void add_level(struct diff *diff, struct buffer *out, const struct diff_place *place, size_t most)
{
    buffer_add_text(out, place->what);
    if (place->key != NAME_NONE) {
        buffer_add_text(out, " '");
        add_name(diff, out, place->key, most);
        buffer_add_byte(out, '\'');
    } else if (place->index >= 0) {
        buffer_print(out, " %lld", (long long)place->index);
    }
    if (place->op_type != NAME_NONE) {
        buffer_add_text(out, " (");
        add_name(diff, out, place->op_type, most);
        buffer_add_byte(out, ')');
    }
}

/* Prints from the outermost level inwards. Recursion depth is bounded by the nesting limit of models. */
static void add_place(struct diff *diff, struct buffer *out, const struct diff_place *place, size_t most)
{
    if (place == NULL)
        return;
    add_place(diff, out, place->parent, place->what ? OUTER_NAME_MAX : most);
    if (place->what == NULL)
        return;
    if (out->size > 0)
        buffer_add_text(out, ": ");
    add_level(diff, out, place, most);
}

static json_t *place_json(struct diff *diff, const struct diff_place *place)
{
    struct buffer shown = {0};
    add_place(diff, &shown, place, SIZE_MAX);
    json_t *text = shown.failed ? NULL : report_string(shown.data, shown.size);
    buffer_free(&shown);
    return text;
}

/* ---- entries ---- */

static bool set_words(json_t *entry, const char *key, struct words *words)
{
    bool good = true;
    if (words == NULL)
        return true;
    if (words->given)
        good = !words->buffer.failed &&
               json_object_set_new(entry, key, report_string(words->buffer.data, words->buffer.size)) == 0;
    buffer_free(&words->buffer);
    return good;
}

void diff_add(struct diff *diff, const struct diff_place *place, enum change change, const char *what,
              struct words *before, struct words *after, const char *detail)
{
    bool listed = diff->count < DIFF_LISTED_MAX, good = true;
    json_t *entry = listed ? json_object() : NULL;
    diff->count++;
    diff->counts[change]++;
    good = !listed || json_object_set_new(entry, "group", json_string(place->group ? place->group : "header")) == 0;
    good = good && (!listed || json_object_set_new(entry, "change", json_string(change_names[change])) == 0);
    good = good && (!listed || json_object_set_new(entry, "place", place_json(diff, place)) == 0);
    if (listed && what != NULL)
        good = good && json_object_set_new(entry, "what", json_string(what)) == 0;
    /* A missing entry takes no texts, but they are freed. */
    good = set_words(entry, "before", before) + !listed && good;
    good = set_words(entry, "after", after) + !listed && good;
    if (listed && detail != NULL)
        good = good && json_object_set_new(entry, "detail", json_string(detail)) == 0;
    if (listed && json_array_append_new(diff->differences, entry) != 0)
        good = false;
    if (!good)
        diff->out_of_memory = true;
}

void diff_add_moved(struct diff *diff, const struct diff_place *place, size_t from, size_t to)
{
    struct words before = {.given = true}, after = {.given = true};
    buffer_print(&before.buffer, "%zu", from);
    buffer_print(&after.buffer, "%zu", to);
    diff_add(diff, place, CHANGE_MOVED, "position", &before, &after, NULL);
}

void diff_note(struct diff *diff, const struct diff_place *place, const char *words)
{
    if (json_array_size(diff->notes) >= DIFF_LISTED_MAX)
        return;
    json_t *entry = json_pack("{s:o,s:s}", "place", place_json(diff, place), "what", words);
    if (json_array_append_new(diff->notes, entry) != 0)
        diff->out_of_memory = true;
}

/* ---- text ---- */

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void print_values(const json_t *entry, struct buffer *out)
{
    const char *before = text_of(entry, "before"), *after = text_of(entry, "after"), *detail = text_of(entry, "detail");
    bool changed = strcmp(text_of(entry, "change"), "changed") == 0 || strcmp(text_of(entry, "change"), "moved") == 0;
    if (changed && (before != NULL || after != NULL))
        buffer_print(out, "%s -> %s", before == NULL ? "absent" : before, after == NULL ? "absent" : after);
    else if (before != NULL || after != NULL)
        buffer_add_text(out, before == NULL ? after : before);
    if (detail != NULL)
        buffer_print(out, "%s%s", before != NULL || after != NULL ? "; " : "", detail);
}

static void print_entry(const json_t *entry, struct buffer *out)
{
    const char *change = text_of(entry, "change"), *what = text_of(entry, "what"), *place = text_of(entry, "place");
    char mark = '?';
    for (size_t i = 0; i < COUNT(change_names); i++)
        if (strcmp(change, change_names[i]) == 0)
            mark = change_marks[i];
    struct buffer values = {0};
    print_values(entry, &values);
    out->failed = out->failed || values.failed;
    buffer_print(out, "  %c %s", mark, place);
    if (what != NULL)
        buffer_print(out, "%s%s", place[0] == '\0' ? "" : ": ", what);
    if (values.size > 0) {
        buffer_add_text(out, place[0] == '\0' && what == NULL ? "" : ": ");
        buffer_add(out, values.data, values.size);
    }
    buffer_add_byte(out, '\n');
    buffer_free(&values);
}

/* Groups in the order of the report; other groups are not printed. */
static const char *const groups[] = {"header",       "opset imports", "metadata",    "configurations",
                                     "functions",    "inputs",        "outputs",     "nodes",
                                     "initializers", "value infos",   "annotations", "training"};

/* Distributes the entries to a list per group in one pass. */
static void print_groups(const json_t *differences, struct buffer *out)
{
    json_t *lists = json_object(), *entry, *list;
    size_t index;
    for (size_t i = 0; i < COUNT(groups); i++)
        if (json_object_set_new(lists, groups[i], json_array()) != 0)
            out->failed = true;
    json_array_foreach(differences, index, entry) if (json_array_append(json_object_get(lists, text_of(entry, "group")),
                                                                        entry) != 0) out->failed = true;
    for (size_t i = 0; i < COUNT(groups); i++) {
        list = json_object_get(lists, groups[i]);
        if (json_array_size(list) > 0)
            buffer_print(out, "%s\n", groups[i]);
        json_array_foreach(list, index, entry) print_entry(entry, out);
    }
    json_decref(lists);
}

static void print(const json_t *root, struct buffer *out)
{
    const json_t *differences = json_object_get(root, "differences"), *counts = json_object_get(root, "counts");
    json_int_t unlisted = json_integer_value(json_object_get(root, "unlisted"));
    json_t *note, *count;
    size_t index;
    const char *name;
    print_groups(differences, out);
    if (unlisted > 0)
        buffer_print(out, "and %" JSON_INTEGER_FORMAT " more\n", unlisted);
    json_array_foreach(json_object_get(root, "notes"), index, note)
        buffer_print(out, "note: %s: %s\n", text_of(note, "place"), text_of(note, "what"));
    buffer_print(out, "%s and %s: %s", text_of(json_object_get(root, "before"), "file"),
                 text_of(json_object_get(root, "after"), "file"),
                 json_is_true(json_object_get(root, "same")) ? "no difference" : "they differ");
    json_object_foreach((json_t *)counts, name, count) if (json_integer_value(count) > 0)
        buffer_print(out, ", %" JSON_INTEGER_FORMAT " %s", json_integer_value(count), name);
    buffer_add_byte(out, '\n');
}

static json_t *describe(const struct opshift_model *model)
{
    return json_pack("{s:o,s:I,s:I,s:I}", "file", report_string(model->name, strlen(model->name)), "size",
                     (json_int_t)opshift_model_size(model), "ir_version", (json_int_t)opshift_model_ir_version(model),
                     "opset", (json_int_t)opshift_model_opset(model));
}

struct opshift_report *diff_report(struct diff *diff)
{
    json_t *counts = json_object();
    uint64_t listed = json_array_size(diff->differences);
    for (size_t i = 0; i < COUNT(change_names); i++)
        if (json_object_set_new(counts, change_names[i], json_integer((json_int_t)diff->counts[i])) != 0)
            diff->out_of_memory = true;
    json_t *root = json_pack("{s:s,s:s,s:b,s:o,s:o,s:o,s:O,s:I,s:O}", "kind", "diff", "version", opshift_version(),
                             "same", diff->count == 0, "before", describe(diff->models[0]), "after",
                             describe(diff->models[1]), "counts", counts, "differences", diff->differences, "unlisted",
                             (json_int_t)(diff->count - listed), "notes", diff->notes);
    return root == NULL || diff->out_of_memory ? (json_decref(root), NULL) : report_new(root, print);
}
