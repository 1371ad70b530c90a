/* Merges journals: what became of each model, and which are missing. */
#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"
#include "base/report.h"
#include "many/model_list.h"
#include "many/summary.h"

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct summary_model *)a)->name, ((const struct summary_model *)b)->name);
}

static int by_count(const void *a, const void *b)
{
    const struct summary_reason *one = a, *other = b;
    if (one->count != other->count)
        return one->count > other->count ? -1 : 1;
    return strcmp(one->text, other->text);
}

static enum opshift_status journal_add(struct opshift_tally *summary, const char *path, struct opshift_error *error)
{
    char *text = NULL;
    size_t size = 0;
    enum opshift_status status = opshift_file_read(path, &text, &size, error);
    if (status == OPSHIFT_OK)
        status = entries_read(&summary->entries, text, size, error);
    opshift_text_free(text);
    return status;
}

/* Those that were expected and are in no journal. */
static enum opshift_status missing_add(struct opshift_tally *summary, const struct opshift_models *expected,
                                       struct opshift_error *error)
{
    for (size_t i = 0; expected && i < expected->count; i++) {
        const char *name = expected->items[i].name;
        if (entries_find(&summary->entries, name) == NULL && entries_add(&summary->entries, name) == NULL)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

static void kind_count(struct opshift_tally *summary, enum summary_kind kind, enum opshift_status status)
{
    enum opshift_status grave = kind >= SUMMARY_KILLED ? OPSHIFT_IO : status;
    summary->counts[kind]++;
    summary->gravest = grave > summary->gravest ? grave : summary->gravest;
}

static enum opshift_status model_read(struct opshift_tally *summary, const struct journal_entry *entry,
                                      struct opshift_error *error)
{
    struct summary_model *model = &summary->models[summary->count++];
    model->name = entry->name;
    model->attempts = entry->attempts;
    if (entry->line && !line_read(entry->line, entry->line_size, &model->root, &model->result))
        return opshift_no_memory(error);
    model->kind = entry->line == NULL ? entry->attempts ? SUMMARY_UNFINISHED : SUMMARY_MISSING
                  : entry->open       ? SUMMARY_UNFINISHED
                                      : (enum summary_kind)model->result.outcome;
    summary->seconds += model->result.seconds;
    summary->bytes += model->result.output_size;
    kind_count(summary, model->kind, model->result.status);
    return OPSHIFT_OK;
}

/* ---- reasons ---- */

static enum opshift_status reason_add(struct opshift_tally *summary, const char *text, const char *name,
                                      struct opshift_error *error)
{
    uint64_t hash = table_hash(&summary->reason_table, text, strlen(text));
    for (uint32_t at = 0, item; (item = table_next(&summary->reason_table, hash, &at)) != TABLE_NONE;)
        if (strcmp(summary->reasons[item].text, text) == 0) {
            summary->reasons[item].count++;
            return OPSHIFT_OK;
        }
    char *copy = strdup(text), *first = strdup(name);
    if (copy == NULL || first == NULL || !table_reserve(&summary->reason_table, 1) ||
        !list_grow(&summary->reasons, summary->reason_count, &summary->reason_room, sizeof(*summary->reasons))) {
        free(copy);
        free(first);
        return opshift_no_memory(error);
    }
    table_put(&summary->reason_table, table_hash(&summary->reason_table, text, strlen(text)), summary->reason_count);
    summary->reasons[summary->reason_count++] = (struct summary_reason){copy, first, 1};
    return OPSHIFT_OK;
}

static enum opshift_status reasons_find(struct opshift_tally *summary, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; i < summary->count; i++) {
        const struct summary_model *model = &summary->models[i];
        const json_t *reasons = model->kind == SUMMARY_REFUSED ? json_object_get(model->root, "reasons") : NULL;
        for (size_t at = 0; status == OPSHIFT_OK && at < json_array_size(reasons); at++) {
            const char *reason = json_string_value(json_array_get(reasons, at));
            status = reason ? reason_add(summary, reason, model->name, error) : OPSHIFT_OK;
        }
    }
    return status;
}

static void reasons_sort(struct opshift_tally *summary)
{
    if (summary->reason_count > 1)
        qsort(summary->reasons, summary->reason_count, sizeof(*summary->reasons), by_count);
}

static void summary_free(struct opshift_tally *summary)
{
    for (uint32_t i = 0; i < summary->count; i++)
        json_decref(summary->models[i].root);
    for (uint32_t i = 0; i < summary->reason_count; i++) {
        free(summary->reasons[i].text);
        free(summary->reasons[i].first);
    }
    free(summary->models);
    free(summary->reasons);
    table_free(&summary->reason_table);
    entries_free(&summary->entries);
}

static enum opshift_status summary_make(struct opshift_tally *summary, const char *const *paths, size_t path_count,
                                        struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < path_count; i++)
        status = journal_add(summary, paths[i], error);
    if (status == OPSHIFT_OK && summary->options.expected)
        status = opshift_models_check_names(summary->options.expected, error);
    if (status == OPSHIFT_OK)
        status = missing_add(summary, summary->options.expected, error);
    if (status == OPSHIFT_OK && summary->entries.count == 0 && summary->entries.command == NULL)
        return opshift_fail(error, OPSHIFT_USAGE, "%.512s: is not a journal; a run with --journal FILE writes one",
                            path_count ? paths[0] : "");
    if (status == OPSHIFT_OK) {
        summary->models = calloc(summary->entries.count + 1, sizeof(*summary->models));
        status = summary->models ? OPSHIFT_OK : opshift_no_memory(error);
    }
    for (uint32_t i = 0; status == OPSHIFT_OK && i < summary->entries.count; i++)
        status = model_read(summary, &summary->entries.list[i], error);
    if (status == OPSHIFT_OK && summary->count > 1)
        qsort(summary->models, summary->count, sizeof(*summary->models), by_name);
    if (status == OPSHIFT_OK)
        status = reasons_find(summary, error);
    if (status == OPSHIFT_OK)
        reasons_sort(summary);
    return status;
}

enum opshift_status opshift_journal_summary(const char *const *paths, size_t path_count,
                                            const struct opshift_summary_options *options, char **text, size_t *size,
                                            enum opshift_status *gravest, struct opshift_error *error)
{
    struct opshift_tally summary = {0};
    struct buffer out = {0};
    *text = NULL;
    enum opshift_status status = OPTIONS_COPY(options, &summary.options, error);
    if (status == OPSHIFT_OK)
        status = summary_make(&summary, paths, path_count, error);
    if (status == OPSHIFT_OK)
        status = summary_write(&summary, &out, error);
    if (gravest)
        *gravest = summary.gravest;
    *size = out.size;
    status = buffer_finish(&out, status, text, error);
    summary_free(&summary);
    return status;
}

/* ---- counts while the models are done ---- */

enum opshift_status opshift_tally_new(struct opshift_tally **tally, struct opshift_error *error)
{
    *tally = calloc(1, sizeof(**tally));
    return *tally ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status opshift_tally_add(struct opshift_tally *tally, const struct opshift_result *result,
                                      struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    kind_count(tally, (enum summary_kind)result->outcome, result->status);
    for (const char *at = result->reasons; status == OPSHIFT_OK && *at;) {
        size_t size = strcspn(at, "\n");
        char *reason = strndup(at, size);
        status = reason ? reason_add(tally, reason, result->name, error) : opshift_no_memory(error);
        free(reason);
        at += size + (at[size] == '\n');
    }
    return status;
}

enum opshift_status opshift_tally_text(struct opshift_tally *tally, char **text, struct opshift_error *error)
{
    struct buffer out = {0};
    reasons_sort(tally);
    enum opshift_status status = summary_write(tally, &out, error);
    return buffer_finish(&out, status, text, error);
}

enum opshift_status opshift_tally_status(const struct opshift_tally *tally)
{
    return tally->gravest;
}

void opshift_tally_free(struct opshift_tally *tally)
{
    if (tally)
        summary_free(tally);
    free(tally);
}
