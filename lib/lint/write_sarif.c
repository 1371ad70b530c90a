/* sarif: Static Analysis Results Interchange Format 2.1.0 (OASIS), as accepted by GitHub code scanning. Results come
 * first, as they are found; their rules and the run's notifications follow, so that memory stays constant. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "lint/explain.h"
#include "lint/written.h"

#define SCHEMA      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
#define RESULTS_MAX 25000 /* GitHub rejects a run with more */
#define ROOT        "%SRCROOT%"

/* ---- places ---- */

/* The path as a URI: absolute ones with a scheme, others relative to the working directory. */
static void add_artifact(struct buffer *out, const char *name)
{
    bool absolute = *name == '/';
    buffer_add_text(out, absolute ? "{\"uri\":\"file://" : "{\"uri\":\"");
    shown_add_uri(out, written_path(name));
    buffer_add_text(out, absolute ? "\"}" : "\",\"uriBaseId\":\"" ROOT "\"}");
}

static const char *location_kind(const char *location)
{
    const char *last = strrchr(location, '/');
    last = last ? last + 1 : location;
    if (strncmp(last, "node[", 5) == 0)
        return "element";
    return strncmp(last, "function[", 9) == 0 ? "function" : "module";
}

static void add_location(struct buffer *out, const struct opshift_findings *findings,
                         const struct opshift_finding *finding)
{
    buffer_add_text(out, "{\"physicalLocation\":{\"artifactLocation\":");
    add_artifact(out, findings->name);
    buffer_print(out, ",\"region\":{\"startLine\":1,\"byteOffset\":%" PRIu64 ",\"byteLength\":%" PRIu64 "}}",
                 finding->offset, finding->size);
    written_member(out, ",\"logicalLocations\":[{\"fullyQualifiedName\":", finding->location);
    written_member(out, ",\"kind\":", location_kind(finding->location));
    buffer_add_text(out, "}]}");
}

/* ---- results ---- */

/* The index of the check among the rules, added if new. */
static size_t rule_index(struct opshift_lint_writer *writer, const struct opshift_check *check)
{
    for (size_t i = 0; i < writer->rule_count; i++)
        if (writer->rules[i] == check)
            return i;
    const struct opshift_check **grown = realloc(writer->rules, (writer->rule_count + 1) * sizeof(*grown));
    if (grown == NULL) {
        writer->out.failed = true;
        return 0;
    }
    writer->rules = grown;
    writer->rules[writer->rule_count] = check;
    return writer->rule_count++;
}

/* Braces are doubled (SARIF 3.11.5), and "](" is split, so that no name becomes a link (3.11.6). */
static void add_words(struct buffer *text, const char *words)
{
    for (; *words; words++) {
        buffer_add_byte(text, (uint8_t)*words);
        if (*words == '{' || *words == '}')
            buffer_add_byte(text, (uint8_t)*words);
        if (*words == ']' && words[1] == '(')
            buffer_add_byte(text, ' ');
    }
}

/* A message: {"text":"PLACE: WORDS"} */
static void add_message(struct buffer *out, const char *place, const char *words)
{
    struct buffer text = {0};
    add_words(&text, place);
    add_words(&text, *place ? ": " : "");
    add_words(&text, words);
    char *whole = buffer_take(&text);
    out->failed |= whole == NULL;
    if (whole)
        written_member(out, "{\"text\":", whole);
    buffer_add_byte(out, '}');
    free(whole);
}

static void add_result(struct opshift_lint_writer *writer, const struct opshift_findings *findings,
                       const struct opshift_finding *finding)
{
    struct buffer *out = &writer->out;
    written_member(out, "{\"ruleId\":", finding->check->id);
    buffer_print(out, ",\"ruleIndex\":%zu", rule_index(writer, finding->check));
    written_member(out, ",\"level\":", severity_name(finding->severity));
    buffer_add_text(out, ",\"message\":");
    add_message(out, finding->place, finding->message);
    buffer_add_text(out, ",\"locations\":[");
    add_location(out, findings, finding);
    buffer_add_byte(out, ']');
    if (finding->fingerprint) {
        written_member(out, ",\"partialFingerprints\":{\"opshiftFinding/v1\":", finding->fingerprint);
        buffer_add_byte(out, '}');
    }
    if (writer->lint->options.baseline)
        written_member(out, ",\"baselineState\":", finding->known ? "unchanged" : "new");
    if (finding->suppressed) {
        written_member(out, ",\"suppressions\":[{\"kind\":\"inSource\",\"status\":\"accepted\",\"justification\":",
                       finding->suppressed);
        buffer_add_text(out, "}]");
    }
    buffer_add_byte(out, '}');
}

/* ---- the run ---- */

static json_t *rule(const struct opshift_check *check)
{
    struct buffer text = {0}, markdown = {0};
    char family[4] = {0};
    memcpy(family, check->id, 3);
    explain_text(check, &text);
    explain_markdown(check, &markdown);
    char *plain = buffer_take(&text), *marked = buffer_take(&markdown);
    json_t *made = NULL;
    if (plain && marked)
        made = json_pack("{s:s, s:s, s:{s:s}, s:{s:s}, s:{s:s, s:s}, s:{s:s}, s:{s:[s, s]}}", "id", check->id, "name",
                         check->slug, "shortDescription", "text", check->summary, "fullDescription", "text",
                         check->why ? check->why : check->summary, "help", "text", plain, "markdown", marked,
                         "defaultConfiguration", "level", severity_name(check->severity), "properties", "tags", "onnx",
                         family);
    free(plain);
    free(marked);
    return made;
}

static json_t *tool(const struct opshift_lint_writer *writer)
{
    json_t *rules = json_array();
    for (size_t i = 0; i < writer->rule_count; i++)
        if (json_array_append_new(rules, rule(writer->rules[i])) != 0) {
            json_decref(rules);
            return NULL;
        }
    json_t *driver = json_pack("{s:s, s:s, s:o}", "name", "opshift", "version", opshift_version(), "rules", rules);
    if (*PACKAGE_URL && json_object_set_new(driver, "informationUri", json_string(PACKAGE_URL)) != 0) {
        json_decref(driver);
        return NULL;
    }
    return json_pack("{s:o}", "driver", driver);
}

/* name: of a file, or NULL. */
static void add_notification(struct opshift_lint_writer *writer, const char *level, const char *words, const char *name)
{
    struct buffer *out = &writer->later;
    written_member(out, out->size ? ",\n{\"level\":" : "{\"level\":", level);
    buffer_add_text(out, ",\"message\":");
    add_message(out, "", words);
    if (name) {
        buffer_add_text(out, ",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":");
        add_artifact(out, name);
        buffer_add_text(out, "}}]");
    }
    buffer_add_byte(out, '}');
}

/* The exit status of the command. */
static int exit_code(const struct opshift_lint_writer *writer)
{
    static const int codes[] = {
        [OPSHIFT_OK] = 0,          [OPSHIFT_NO] = 1, [OPSHIFT_USAGE] = 2,  [OPSHIFT_MALFORMED] = 3,
        [OPSHIFT_UNSUPPORTED] = 3, [OPSHIFT_IO] = 4, [OPSHIFT_MEMORY] = 4, [OPSHIFT_CANCELLED] = 4};
    return writer->options.exit_zero && writer->gravest == OPSHIFT_NO ? 0 : codes[writer->gravest];
}

static void sarif_begin(struct opshift_lint_writer *writer)
{
    buffer_print(&writer->out, "{\"$schema\":\"%s\",\n\"version\":\"2.1.0\",\n\"runs\":[{\n\"results\":[", SCHEMA);
}

static void sarif_file(struct opshift_lint_writer *writer, const struct opshift_findings *findings)
{
    if (findings->failure)
        add_notification(writer, "error", findings->failure, findings->name);
    for (size_t i = 0; i < findings->count; i++) {
        if (writer->written == RESULTS_MAX) {
            writer->left_out += findings->count - i;
            break;
        }
        buffer_add_text(&writer->out, writer->continued ? ",\n" : "\n");
        add_result(writer, findings, &findings->list[i]);
        writer->continued = true;
        writer->written++;
    }
}

static void sarif_end(struct opshift_lint_writer *writer)
{
    struct buffer *out = &writer->out;
    if (writer->left_out) {
        char words[160];
        snprintf(words, sizeof(words),
                 "%llu findings more than the %d that a SARIF file may hold are left out; ndjson has all of them",
                 (unsigned long long)writer->left_out, RESULTS_MAX);
        add_notification(writer, "warning", words, NULL);
    }
    buffer_add_text(out, "\n],\n\"tool\":");
    written_add(out, tool(writer));
    buffer_print(
        out, ",\n\"originalUriBaseIds\":{\"%s\":{\"description\":{\"text\":\"the directory that opshift ran in\"}}}",
        ROOT);
    buffer_print(out,
                 ",\n\"invocations\":[{\"executionSuccessful\":%s,\"exitCode\":%d,\"toolExecutionNotifications\":[",
                 writer->counts.unreadable ? "false" : "true", exit_code(writer));
    buffer_add(out, writer->later.data, writer->later.size);
    out->failed = out->failed || writer->later.failed;
    buffer_add_text(out, "]}]\n}]}\n");
}

const struct lint_format lint_format_sarif = {"sarif", sarif_begin, sarif_file, sarif_end};
