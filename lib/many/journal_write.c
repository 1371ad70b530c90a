/* The formats of a summary. */
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/shown.h"
#include "many/summary.h"

static void shown_text(struct buffer *out, const char *text)
{
    shown_add(out, text, strlen(text));
}

/* Must it be run again? */
static bool is_open(const struct summary_model *model)
{
    return model->kind >= SUMMARY_KILLED || (model->kind == SUMMARY_FAILED && model->result.status != OPSHIFT_USAGE);
}

static const char *message_of(const struct summary_model *model)
{
    if (model->kind == SUMMARY_UNFINISHED)
        return "begun, and not ended";
    return model->kind == SUMMARY_MISSING ? "in no journal" : model->result.message;
}

/* ---- text ---- */

static void text_reasons(const struct opshift_tally *summary, struct buffer *out)
{
    for (uint32_t i = 0; i < summary->reason_count; i++) {
        const struct summary_reason *reason = &summary->reasons[i];
        buffer_print(out, "%llu model%s: ", (unsigned long long)reason->count, reason->count == 1 ? "" : "s");
        shown_text(out, reason->text);
        buffer_add_text(out, reason->count == 1 ? " (" : " (first: ");
        shown_text(out, reason->first);
        buffer_add_text(out, ")\n");
    }
}

/* Messages begin with the path mostly. */
static void text_models(const struct opshift_tally *summary, struct buffer *out)
{
    for (uint32_t i = 0; i < summary->count; i++) {
        const struct summary_model *model = &summary->models[i];
        bool grouped = model->kind == SUMMARY_REFUSED && json_object_get(model->root, "reasons");
        if ((model->kind == SUMMARY_DONE || grouped) && !summary->options.verbose)
            continue;
        buffer_print(out, "%s: ", outcome_names[model->kind]);
        shown_text(out, model->name);
        if (*message_of(model)) {
            buffer_add_text(out, ": ");
            shown_text(out, message_of(model));
        }
        buffer_add_byte(out, '\n');
    }
}

static void text_table(const struct opshift_tally *summary, struct buffer *out)
{
    for (size_t i = 0; i < SUMMARY_KINDS; i++)
        if (summary->counts[i] > 0 || i <= SUMMARY_FAILED)
            buffer_print(out, "%-10s %llu\n", outcome_names[i], (unsigned long long)summary->counts[i]);
}

static void write_text(const struct opshift_tally *summary, struct buffer *out)
{
    text_reasons(summary, out);
    text_models(summary, out);
    text_table(summary, out);
    if (summary->entries.torn)
        buffer_print(out, "%llu line%s cannot be read\n", (unsigned long long)summary->entries.torn,
                     summary->entries.torn == 1 ? "" : "s");
}

/* ---- JSON and CSV ---- */

static json_t *model_json(const struct summary_model *model)
{
    json_t *made = json_object();
    const json_t *reasons = json_object_get(model->root, "reasons");
    report_set(&made, "name", report_string(model->name, strlen(model->name)));
    report_set(&made, "outcome", json_string(outcome_names[model->kind]));
    report_set(&made, "status", json_integer(model->result.status));
    report_set(&made, "attempts", json_integer((json_int_t)model->attempts));
    report_set(&made, "seconds", json_real(model->result.seconds));
    report_set(&made, "memory", json_integer((json_int_t)model->result.memory));
    report_set(&made, "hash", json_string(model->result.hash));
    report_set(&made, "output_hash", json_string(model->result.output_hash));
    report_set(&made, "counts", json_string(model->result.counts ? model->result.counts : ""));
    report_set(&made, "message", report_string(message_of(model), strlen(message_of(model))));
    if (reasons)
        report_set(&made, "reasons", json_deep_copy(reasons));
    return made;
}

static void write_json(const struct opshift_tally *summary, struct buffer *out)
{
    json_t *root = json_object(), *counts = json_object(), *models = json_array(), *reasons = json_array();
    for (size_t i = 0; i < SUMMARY_KINDS; i++)
        report_set(&counts, outcome_names[i], json_integer((json_int_t)summary->counts[i]));
    for (uint32_t i = 0; i < summary->reason_count; i++) {
        json_t *reason = json_object();
        report_set(&reason, "models", json_integer((json_int_t)summary->reasons[i].count));
        report_set(&reason, "first", report_string(summary->reasons[i].first, strlen(summary->reasons[i].first)));
        report_set(&reason, "reason", report_string(summary->reasons[i].text, strlen(summary->reasons[i].text)));
        report_append(&reasons, reason);
    }
    for (uint32_t i = 0; i < summary->count; i++)
        report_append(&models, model_json(&summary->models[i]));
    report_set(&root, "kind", json_string("journal"));
    report_set(&root, "counts", counts);
    report_set(&root, "seconds", json_real(summary->seconds));
    report_set(&root, "output_bytes", json_integer((json_int_t)summary->bytes));
    report_set(&root, "unreadable_lines", json_integer((json_int_t)summary->entries.torn));
    report_set(&root, "reasons", reasons);
    report_set(&root, "models", models);
    char *text = root ? json_dumps(root, JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6)) : NULL;
    buffer_add_text(out, text ? text : "");
    out->failed = out->failed || text == NULL;
    buffer_add_byte(out, '\n');
    free(text);
    json_decref(root);
}

/* RFC 4180: always quoted, so that no name needs a case of its own. */
static void csv_cell(struct buffer *out, const char *text)
{
    struct buffer shown = {0};
    shown_text(&shown, text);
    out->failed = out->failed || shown.failed;
    buffer_add_byte(out, '"');
    for (size_t i = 0; i < shown.size; i++) {
        if (shown.data[i] == '"')
            buffer_add_byte(out, '"');
        buffer_add_byte(out, shown.data[i]);
    }
    buffer_add_byte(out, '"');
    buffer_free(&shown);
}

static void write_csv(const struct opshift_tally *summary, struct buffer *out)
{
    buffer_add_text(out, "name,outcome,status,attempts,seconds,memory,hash,output_hash,message\r\n");
    for (uint32_t i = 0; i < summary->count; i++) {
        const struct summary_model *model = &summary->models[i];
        csv_cell(out, model->name);
        buffer_print(out, ",%s,%d,%llu,%.6f,%llu,%s,%s,", outcome_names[model->kind], (int)model->result.status,
                     (unsigned long long)model->attempts, model->result.seconds,
                     (unsigned long long)model->result.memory, model->result.hash, model->result.output_hash);
        csv_cell(out, message_of(model));
        buffer_add_text(out, "\r\n");
    }
}

/* ---- JUnit and SARIF ---- */

static void write_junit(const struct opshift_tally *summary, struct buffer *out)
{
    uint64_t errors = summary->count - summary->counts[SUMMARY_DONE] - summary->counts[SUMMARY_REFUSED];
    buffer_add_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    buffer_print(out, "<testsuite name=\"opshift %s\" tests=\"%u\" failures=\"%llu\" errors=\"%llu\" time=\"%.3f\">\n",
                 summary->entries.command ? summary->entries.command : "", summary->count,
                 (unsigned long long)summary->counts[SUMMARY_REFUSED], (unsigned long long)errors, summary->seconds);
    for (uint32_t i = 0; i < summary->count; i++) {
        const struct summary_model *model = &summary->models[i];
        const char *element = model->kind == SUMMARY_REFUSED ? "failure" : "error";
        buffer_add_text(out, "<testcase classname=\"opshift\" name=\"");
        shown_add_xml(out, model->name);
        buffer_print(out, "\" time=\"%.3f\"", model->result.seconds);
        if (model->kind == SUMMARY_DONE) {
            buffer_add_text(out, "/>\n");
            continue;
        }
        buffer_print(out, "><%s type=\"%s\" message=\"", element, outcome_names[model->kind]);
        shown_add_xml(out, message_of(model));
        buffer_add_text(out, "\"/></testcase>\n");
    }
    buffer_add_text(out, "</testsuite>\n</testsuites>\n");
}

static json_t *sarif_result(const struct summary_model *model)
{
    const char *message = *message_of(model) ? message_of(model) : outcome_names[model->kind];
    struct buffer uri = {0};
    shown_add_uri(&uri, model->name);
    char *place = buffer_take(&uri);
    json_t *result =
        json_pack("{s:s, s:i, s:s, s:{s:o}, s:[{s:{s:{s:s, s:s}}}]}", "ruleId", outcome_names[model->kind], "ruleIndex",
                  (int)model->kind, "level", "error", "message", "text", report_string(message, strlen(message)),
                  "locations", "physicalLocation", "artifactLocation", "uri", place, "uriBaseId", "%SRCROOT%");
    free(place);
    return result;
}

static void write_sarif(const struct opshift_tally *summary, struct buffer *out)
{
    json_t *results = json_array(), *rules = json_array();
    for (size_t i = 0; i < SUMMARY_KINDS; i++)
        report_append(&rules, json_pack("{s:s}", "id", outcome_names[i]));
    for (uint32_t i = 0; i < summary->count; i++)
        if (summary->models[i].kind != SUMMARY_DONE)
            report_append(&results, sarif_result(&summary->models[i]));
    json_t *root =
        json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:{s:{s:{s:s}}}, s:o}]}", "version", "2.1.0", "$schema",
                  "https://json.schemastore.org/sarif-2.1.0.json", "runs", "tool", "driver", "name", "opshift",
                  "version", opshift_version(), "rules", rules, "originalUriBaseIds", "%SRCROOT%", "description",
                  "text", "the directory that names are relative to", "results", results);
    char *text = root ? json_dumps(root, JSON_INDENT(2) | JSON_ENSURE_ASCII) : NULL;
    buffer_add_text(out, text ? text : "");
    buffer_add_byte(out, '\n');
    out->failed = out->failed || text == NULL;
    free(text);
    json_decref(root);
}

/* ---- what to run again ---- */

static void write_again(const struct opshift_tally *summary, struct buffer *out, char end)
{
    for (uint32_t i = 0; i < summary->count; i++)
        if (is_open(&summary->models[i])) {
            buffer_add_text(out, summary->models[i].name);
            buffer_add_byte(out, (uint8_t)end);
        }
}

/* Marks the shards of the models that must be run again. */
static bool shards_mark(const struct opshift_tally *summary, bool *open, uint32_t count)
{
    bool any = false;
    for (uint32_t i = 0; i < summary->count; i++)
        if (is_open(&summary->models[i])) {
            open[opshift_shard_of(summary->models[i].name, count) - 1] = true;
            any = true;
        }
    return any;
}

/* sbatch's options: the tasks, and the array that they are of. */
static enum opshift_status write_slurm(const struct opshift_tally *summary, struct buffer *out,
                                       struct opshift_error *error)
{
    long long least = 0, most = 0, step = 1;
    uint32_t count = summary->entries.shard.count;
    const char *array = summary->entries.array;
    if (array == NULL || count == 0 || sscanf(array, "%9lld-%9lld:%9lld", &least, &most, &step) < 2 || step < 1)
        return opshift_fail(error, OPSHIFT_USAGE,
                            "no journal is of an array of Slurm; -f names prints the models to run again");
    bool *open = calloc(count + 1, sizeof(*open));
    if (open == NULL)
        return opshift_no_memory(error);
    if (shards_mark(summary, open, count)) {
        buffer_add_text(out, "--array=");
        for (uint32_t i = 0, printed = 0; i < count; i++)
            if (open[i])
                buffer_print(out, "%s%lld", printed++ ? "," : "", least + (long long)i * step);
        buffer_print(out, " --export=ALL,OPSHIFT_ARRAY=%lld-%lld:%lld\n", least, most, step);
    }
    free(open);
    return OPSHIFT_OK;
}

enum opshift_status summary_write(struct opshift_tally *summary, struct buffer *out, struct opshift_error *error)
{
    const char *format = summary->options.format ? summary->options.format : "text";
    if (strcmp(format, "slurm") == 0)
        return write_slurm(summary, out, error);
    if (strcmp(format, "text") == 0)
        write_text(summary, out);
    else if (strcmp(format, "json") == 0)
        write_json(summary, out);
    else if (strcmp(format, "csv") == 0)
        write_csv(summary, out);
    else if (strcmp(format, "junit") == 0)
        write_junit(summary, out);
    else if (strcmp(format, "sarif") == 0)
        write_sarif(summary, out);
    else if (strcmp(format, "names") == 0 || strcmp(format, "names0") == 0)
        write_again(summary, out, format[5] ? '\0' : '\n');
    else
        return opshift_fail(error, OPSHIFT_USAGE, "there is no format '%.64s' of a journal", format);
    return OPSHIFT_OK;
}
