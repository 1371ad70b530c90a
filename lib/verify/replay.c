/* Repeats the verification of a certificate: the same files give the same verdicts, or the changes are reported. */
#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"
#include "base/report.h"

#define CERTIFICATE_BYTES_MAX ((size_t)1 << 30)

/* ---- reading ---- */

static enum opshift_status parse(const char *text, size_t size, json_t **root, const json_t **certificate,
                                 struct opshift_error *error)
{
    json_error_t found = {0};
    if (size > CERTIFICATE_BYTES_MAX)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED, "has %zu bytes, more than the %zu that are read", size,
                            CERTIFICATE_BYTES_MAX);
    *root = report_parse(text, size, &found);
    if (*root == NULL && found.text[0] == '\0')
        return opshift_no_memory(error);
    if (*root == NULL)
        return opshift_fail(error, OPSHIFT_MALFORMED, "line %d: %s; it is no certificate", found.line, found.text);
    const json_t *inner = json_object_get(*root, "verify");
    *certificate = inner == NULL ? *root : inner;
    if (strcmp(report_text_of(*certificate, "kind"), "verify") != 0 ||
        !json_is_array(json_object_get(*certificate, "pieces")) ||
        !json_is_array(json_object_get(*certificate, "differences")))
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "it is JSON, but no certificate: write one with verify --report FILE");
    return OPSHIFT_OK;
}

/* The caller chooses the engine, since it runs foreign code: certificates may come from anywhere. */
static enum opshift_status engine_check(const json_t *certificate, const struct opshift_run_options *wanted,
                                        struct opshift_error *error)
{
    const char *engine = json_string_value(json_object_get(json_object_get(certificate, "options"), "engine"));
    const char *chosen = wanted && wanted->engine ? wanted->engine : "";
    if (engine == NULL || strcmp(engine, "builtin") == 0 || strcmp(engine, chosen) == 0)
        return OPSHIFT_OK;
    return opshift_fail(error, OPSHIFT_USAGE,
                        "the models were run by engine '%.64s', which a certificate cannot choose; add --engine %.64s",
                        engine, engine);
}

/* Lists of texts of a certificate. */
struct replay_texts {
    const char **shapes, **given_shapes, **given_dims;
    struct opshift_given given;
};

/* Freed by free. NULL: no memory. */
static const char **take_texts(const json_t *options, const char *key, size_t *count)
{
    const json_t *listed = json_object_get(options, key);
    const char **texts = calloc(json_array_size(listed) + 1, sizeof(*texts));
    *count = 0;
    for (size_t i = 0; texts && i < json_array_size(listed); i++)
        if (json_is_string(json_array_get(listed, i)))
            texts[(*count)++] = json_string_value(json_array_get(listed, i));
    return texts;
}

/* False: no memory. */
static bool take_lists(const json_t *certificate, struct opshift_verify_options *how, struct replay_texts *texts)
{
    const json_t *options = json_object_get(certificate, "options");
    texts->shapes = take_texts(options, "shapes", &how->shape_count);
    texts->given_shapes = take_texts(options, "given_shapes", &texts->given.shape_count);
    texts->given_dims = take_texts(options, "given_dims", &texts->given.dim_count);
    texts->given.shapes = texts->given_shapes;
    texts->given.dims = texts->given_dims;
    how->shapes = texts->shapes;
    how->given = &texts->given;
    return texts->shapes && texts->given_shapes && texts->given_dims;
}

static void replay_texts_free(struct replay_texts *texts)
{
    free(texts->shapes);
    free(texts->given_shapes);
    free(texts->given_dims);
}

/* The certificate's options; options of the engine come from the caller. */
static void take_options(const json_t *certificate, struct opshift_verify_options *how,
                         struct opshift_run_options *whole, struct opshift_tolerance *tolerance)
{
    const json_t *options = json_object_get(certificate, "options");
    const json_t *apart = json_object_get(options, "tolerance");
    const char *engine = json_string_value(json_object_get(options, "engine"));
    json_int_t draws = json_integer_value(json_object_get(options, "draws"));
    how->seed = strtoull(report_text_of(certificate, "seed"), NULL, 10);
    how->freeze_initializers = json_is_true(json_object_get(options, "freeze_initializers"));
    how->computation = json_is_true(json_object_get(options, "computation"));
    how->exact = json_is_true(json_object_get(options, "exact"));
    how->strict = json_is_true(json_object_get(options, "strict"));
    *tolerance = (struct opshift_tolerance){.exact = apart == NULL,
                                            .relative = json_number_value(json_array_get(apart, 0)),
                                            .absolute = json_number_value(json_array_get(apart, 1))};
    how->tolerance = tolerance;
    how->draws = draws > 0 && draws <= 1000 ? (unsigned)draws : 0;
    how->brief = false;
    if (how->whole != NULL)
        *whole = *how->whole;
    whole->engine = engine;
    how->whole = engine == NULL ? NULL : whole;
}

/* ---- comparing ---- */

struct changes {
    json_t *list;
    bool failed;
};

/* Certificate texts are untrusted: escapes them, and repairs a character that was cut. */
static json_t *shown(const char *text)
{
    return report_string(text, strlen(text));
}

static void add_change(struct changes *changes, const char *what, const char *was, const char *is)
{
    json_t *entry = json_pack("{s:o,s:o,s:o}", "what", shown(what), "was", shown(was), "is", shown(is));
    if (json_array_append_new(changes->list, entry) != 0)
        changes->failed = true;
}

static void compare_text(struct changes *changes, const char *what, const char *was, const char *is)
{
    if (strcmp(was, is) != 0)
        add_change(changes, what, was[0] == '\0' ? "not there" : was, is[0] == '\0' ? "not there" : is);
}

/* Compares both files, and their external files, by hash. */
static void compare_files(struct changes *changes, const json_t *old, const json_t *new)
{
    static const char *const sides[] = {"before", "after"};
    for (size_t i = 0; i < COUNT(sides); i++) {
        const json_t *was = json_object_get(old, sides[i]), *is = json_object_get(new, sides[i]);
        const json_t *files[2] = {json_object_get(was, "external"), json_object_get(is, "external")};
        char what[300];
        snprintf(what, sizeof(what), "file %s", sides[i]);
        compare_text(changes, what, report_text_of(was, "sha256"), report_text_of(is, "sha256"));
        for (size_t k = 0; k < json_array_size(files[0]) || k < json_array_size(files[1]); k++) {
            const json_t *pair[2] = {json_array_get(files[0], k), json_array_get(files[1], k)};
            snprintf(what, sizeof(what), "external data '%.200s' %s",
                     report_text_of(pair[pair[1] == NULL ? 0 : 1], "location"), sides[i]);
            compare_text(changes, what, report_text_of(pair[0], "sha256"), report_text_of(pair[1], "sha256"));
        }
    }
}

/* The input values given by the caller must be those of the certificate. */
static void compare_inputs(struct changes *changes, const json_t *old, const json_t *new)
{
    const json_t *was = json_object_get(json_object_get(old, "options"), "inputs");
    const json_t *is = json_object_get(json_object_get(new, "options"), "inputs");
    for (size_t i = 0; i < json_array_size(was) || i < json_array_size(is); i++) {
        const json_t *pair[2] = {json_array_get(was, i), json_array_get(is, i)};
        char what[300];
        compare_text(changes, "input", report_text_of(pair[0], "name"), report_text_of(pair[1], "name"));
        snprintf(what, sizeof(what), "input '%.200s'", report_text_of(pair[1], "name"));
        if (strcmp(report_text_of(pair[0], "name"), report_text_of(pair[1], "name")) == 0)
            compare_text(changes, what, report_text_of(pair[0], "sha256"), report_text_of(pair[1], "sha256"));
    }
}

static void compare_verdicts(struct changes *changes, const json_t *old, const json_t *new)
{
    static const struct {
        const char *key, *what;
    } lists[] = {{"differences", "other differences"}, {"unknown", "parts not compared"}, {"invalid", "errors"}};
    const json_t *was = json_object_get(old, "pieces"), *is = json_object_get(new, "pieces");
    char counts[2][24];
    for (size_t i = 0; i < json_array_size(was) || i < json_array_size(is); i++) {
        const json_t *pair[2] = {json_array_get(was, i), json_array_get(is, i)};
        compare_text(changes, "node", report_text_of(pair[0], "node"), report_text_of(pair[1], "node"));
        if (strcmp(report_text_of(pair[0], "node"), report_text_of(pair[1], "node")) == 0)
            compare_text(changes, report_text_of(pair[0], "node"), report_text_of(pair[0], "verdict"),
                         report_text_of(pair[1], "verdict"));
    }
    for (size_t i = 0; i < COUNT(lists); i++) {
        snprintf(counts[0], sizeof(counts[0]), "%zu", json_array_size(json_object_get(old, lists[i].key)));
        snprintf(counts[1], sizeof(counts[1]), "%zu", json_array_size(json_object_get(new, lists[i].key)));
        compare_text(changes, lists[i].what, counts[0], counts[1]);
    }
    compare_text(changes, "whole model", report_text_of(json_object_get(old, "whole"), "verdict"),
                 report_text_of(json_object_get(new, "whole"), "verdict"));
}

static const char *answer_of(const json_t *certificate)
{
    return json_is_true(json_object_get(certificate, "same")) ? "the same" : "not shown to be the same";
}

/* The answer and the counts of verdicts, which readers of a certificate look at first. */
static void compare_answer(struct changes *changes, const json_t *old, const json_t *new)
{
    json_t *was = json_object_get(old, "counts"), *is = json_object_get(new, "counts"), *count;
    const char *verdict;
    compare_text(changes, "answer", answer_of(old), answer_of(new));
    json_object_foreach(is, verdict, count)
    {
        char what[64], counts[2][24];
        snprintf(what, sizeof(what), "count of '%s'", verdict);
        snprintf(counts[0], sizeof(counts[0]), "%" JSON_INTEGER_FORMAT,
                 json_integer_value(json_object_get(was, verdict)));
        snprintf(counts[1], sizeof(counts[1]), "%" JSON_INTEGER_FORMAT, json_integer_value(count));
        compare_text(changes, what, counts[0], counts[1]);
    }
}

/* ---- the report ---- */

static void print(const json_t *root, struct buffer *out)
{
    const json_t *changes = json_object_get(root, "changes"), *notes = json_object_get(root, "notes");
    size_t index;
    json_t *change;
    json_array_foreach(changes, index, change)
        buffer_print(out, "%s: was %s, is %s\n", report_text_of(change, "what"), report_text_of(change, "was"),
                     report_text_of(change, "is"));
    json_array_foreach(notes, index, change)
        buffer_print(out, "note: %s: was %s, is %s\n", report_text_of(change, "what"), report_text_of(change, "was"),
                     report_text_of(change, "is"));
    buffer_print(out, "%s: %" JSON_INTEGER_FORMAT " verdicts%s\n",
                 json_is_true(json_object_get(root, "same")) ? "the certificate holds"
                                                             : "the certificate does not hold",
                 json_integer_value(json_object_get(root, "verdicts")),
                 json_is_false(json_object_get(root, "equal")) ? "; the models are not shown to be the same" : "");
}

static enum opshift_status conclude(const json_t *old, const json_t *new, struct opshift_report **report,
                                    struct opshift_error *error)
{
    struct changes changes = {.list = json_array()}, notes = {.list = json_array()};
    compare_files(&changes, old, new);
    compare_inputs(&changes, old, new);
    if (json_array_size(changes.list) == 0)
        compare_verdicts(&changes, old, new);
    if (json_array_size(changes.list) == 0)
        compare_answer(&changes, old, new);
    compare_text(&notes, "opshift", report_text_of(old, "version"), report_text_of(new, "version"));
    compare_text(&notes, "rules", report_text_of(old, "rules_sha256"), report_text_of(new, "rules_sha256"));
    size_t count = json_array_size(changes.list);
    bool failed = changes.failed || notes.failed;
    if (report != NULL && !failed) {
        json_t *root = json_pack("{s:s,s:s,s:b,s:O,s:I,s:O,s:O}", "kind", "replay", "version", opshift_version(),
                                 "same", count == 0, "equal", json_object_get(new, "same"), "verdicts",
                                 (json_int_t)json_array_size(json_object_get(new, "pieces")), "changes", changes.list,
                                 "notes", notes.list);
        *report = root == NULL ? NULL : report_new(root, print);
        failed = *report == NULL;
    }
    json_decref(changes.list);
    json_decref(notes.list);
    if (failed)
        return opshift_no_memory(error);
    return count == 0
               ? OPSHIFT_OK
               : opshift_fail(error, OPSHIFT_NO, "the certificate does not hold in %zu %s; the report shows where",
                              count, count == 1 ? "place" : "places");
}

enum opshift_status opshift_verify_replay(struct opshift_model *before, struct opshift_model *after,
                                          const char *certificate, size_t size,
                                          const struct opshift_verify_options *options, struct opshift_report **report,
                                          struct opshift_error *error)
{
    struct opshift_verify_options how;
    struct opshift_run_options whole = {0};
    struct opshift_tolerance tolerance;
    struct replay_texts texts = {0};
    struct opshift_report *again = NULL;
    struct opshift_error found = {0};
    json_t *root = NULL;
    const json_t *old = NULL;
    if (report != NULL)
        *report = NULL;
    enum opshift_status status = OPTIONS_COPY(options, &how, error);
    if (status)
        return status;
    status = parse(certificate, size, &root, &old, error);
    if (status == OPSHIFT_OK && !take_lists(old, &how, &texts))
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = engine_check(old, how.whole, error);
    if (status == OPSHIFT_OK) {
        take_options(old, &how, &whole, &tolerance);
        status = opshift_verify(before, after, &how, &again, &found);
        /* The certificate may itself report a difference. */
        if (again != NULL && (status == OPSHIFT_OK || status == OPSHIFT_NO))
            status = conclude(old, again->root, report, error);
        else
            error_give(error, status, &found);
    }
    opshift_report_free(again);
    replay_texts_free(&texts);
    json_decref(root);
    return status;
}
