/* Verifies pairs of models written as text. */
#include "tests/verify/pair.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/report.h"
#include "tests/tap/tap.h"

const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void check_report(const struct pair_case *one, const json_t *root)
{
    const json_t *piece = json_array_get(json_object_get(root, "pieces"), 0);
    const json_t *difference = json_array_get(json_object_get(root, "differences"), 0);
    char words[512] = "";
    is_string(one->verdict, text_of(piece, "verdict"), "%s: the verdict", one->what);
    is_string(one->why, text_of(piece, "why"), "%s: why", one->what);
    if (difference != NULL)
        snprintf(words, sizeof(words), "%s: %s", text_of(difference, "place"), text_of(difference, "what"));
    is_string(one->difference, difference == NULL ? NULL : words, "%s: other differences", one->what);
}

static void check(const struct pair_case *one)
{
    struct opened before, after = {0};
    struct opshift_report *report = NULL;
    struct opshift_error error = {0};
    bool expected =
        one->difference == NULL &&
        (one->verdict == NULL || (strcmp(one->verdict, "differs") != 0 && strcmp(one->verdict, "not shown") != 0));
    if (!text_open(one->before, "before", &before) || !text_open(one->after, "after", &after)) {
        ok(false, "%s: the models do not open", one->what);
    } else {
        enum opshift_status status =
            opshift_verify(before.model, after.model, &(struct opshift_verify_options){.seed = 7}, &report, &error);
        is_int(expected ? OPSHIFT_OK : OPSHIFT_NO, status, "%s: the answer (%s)", one->what, error.text);
        if (report != NULL)
            check_report(one, report->root);
    }
    opshift_report_free(report);
    text_close(&before);
    text_close(&after);
}

void check_pairs(const struct pair_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check(&cases[i]);
}
