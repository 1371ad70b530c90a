/* sarif: Static Analysis Results Interchange Format 2.1.0 (OASIS), as accepted by GitHub code scanning. Results come
 * first, as they are found; their rules and the run's notifications follow, so that memory stays constant. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "lint/explain.h"
#include "lint/written.h"

#define SCHEMA      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
#define RESULTS_MAX 25000 /* GitHub rejects a run with more */
#define ROOT        "%SRCROOT%"

/* ---- places ---- */

/* RFC 3986: characters that need no encoding in a path, including '/'; ':' would look like a scheme. */
static bool stays(unsigned char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           strchr("-._~/", letter) != NULL;
}

/* The path as a URI: absolute ones with a scheme, others relative to the working directory. */
static json_t *artifact(const char *name)
{
    struct buffer uri = {0};
    bool absolute = *name == '/';
    name = written_path(name);
    if (absolute)
        buffer_add_text(&uri, "file://");
    for (const char *at = name; *at; at++)
        if (stays((unsigned char)*at))
            buffer_add_byte(&uri, (uint8_t)*at);
        else
            buffer_print(&uri, "%%%02X", (unsigned char)*at);
    char *text = buffer_take(&uri);
    json_t *location = text == NULL ? NULL
                       : absolute   ? json_pack("{s:s}", "uri", text)
                                    : json_pack("{s:s, s:s}", "uri", text, "uriBaseId", ROOT);
    free(text);
    return location;
}

static const char *location_kind(const char *location)
{
    const char *last = strrchr(location, '/');
    last = last ? last + 1 : location;
    if (strncmp(last, "node[", 5) == 0)
        return "element";
    return strncmp(last, "function[", 9) == 0 ? "function" : "module";
}

static json_t *location(const struct opshift_findings *findings, const struct opshift_finding *finding)
{
    return json_pack("{s:{s:o, s:{s:i, s:I, s:I}}, s:[{s:o, s:s}]}", "physicalLocation", "artifactLocation",
                     artifact(findings->name), "region", "startLine", 1, "byteOffset", (json_int_t)finding->offset,
                     "byteLength", (json_int_t)finding->size, "logicalLocations", "fullyQualifiedName",
                     written_text(finding->location), "kind", location_kind(finding->location));
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

/* A message: {"text": ...}. Braces are doubled (SARIF 3.11.5), and "](" is split, so that no name becomes a link
 * (3.11.6). */
static json_t *message(const char *place, const char *words)
{
    struct buffer plain = {0}, text = {0};
    buffer_print(&plain, "%s%s%s", place, *place ? ": " : "", words);
    for (size_t i = 0; i < plain.size; i++) {
        uint8_t letter = plain.data[i];
        buffer_add_byte(&text, letter);
        if (letter == '{' || letter == '}')
            buffer_add_byte(&text, letter);
        if (letter == ']' && i + 1 < plain.size && plain.data[i + 1] == '(')
            buffer_add_byte(&text, ' ');
    }
    char *whole = plain.failed ? NULL : buffer_take(&text);
    json_t *made = whole ? json_pack("{s:o}", "text", written_text(whole)) : NULL;
    buffer_free(&plain);
    buffer_free(&text);
    free(whole);
    return made;
}

static json_t *result(struct opshift_lint_writer *writer, const struct opshift_findings *findings,
                      const struct opshift_finding *finding)
{
    json_t *made =
        json_pack("{s:s, s:I, s:s, s:o, s:[o]}", "ruleId", finding->check->id, "ruleIndex",
                  (json_int_t)rule_index(writer, finding->check), "level", severity_name(finding->severity), "message",
                  message(finding->place, finding->message), "locations", location(findings, finding));
    int failed = made == NULL;
    if (finding->fingerprint)
        failed |= json_object_set_new(made, "partialFingerprints",
                                      json_pack("{s:s}", "opshiftFinding/v1", finding->fingerprint));
    if (writer->lint->options.baseline)
        failed |= json_object_set_new(made, "baselineState", json_string(finding->known ? "unchanged" : "new"));
    if (finding->suppressed)
        failed |= json_object_set_new(made, "suppressions",
                                      json_pack("[{s:s, s:s, s:o}]", "kind", "inSource", "status", "accepted",
                                                "justification", written_text(finding->suppressed)));
    if (failed)
        writer->out.failed = true;
    return made;
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

static void add_notification(struct opshift_lint_writer *writer, json_t *notification)
{
    if (writer->later.size)
        buffer_add_text(&writer->later, ",\n");
    written_add(&writer->later, notification);
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
        add_notification(writer, json_pack("{s:s, s:o, s:[{s:{s:o}}]}", "level", "error", "message",
                                           message("", findings->failure), "locations", "physicalLocation",
                                           "artifactLocation", artifact(findings->name)));
    for (size_t i = 0; i < findings->count; i++) {
        if (writer->written == RESULTS_MAX) {
            writer->left_out += findings->count - i;
            break;
        }
        buffer_add_text(&writer->out, writer->continued ? ",\n" : "\n");
        written_add(&writer->out, result(writer, findings, &findings->list[i]));
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
        add_notification(writer, json_pack("{s:s, s:{s:s}}", "level", "warning", "message", "text", words));
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
