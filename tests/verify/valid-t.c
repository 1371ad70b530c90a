/* The errors of both models, which are found in two threads where the models are large. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/report.h"
#include "tests/tap/tap.h"
#include "tests/verify/pair.h"

#define MANY 1500

/* A chain of nodes, whose last one has an attribute that its operator does not have. */
static char *chain(unsigned count, const char *attribute)
{
    struct buffer text = {0};
    buffer_add_text(&text, "<ir_version: 8, opset_import: [\"\" : 13]>\nmain (float[4] v0) => (float[4] y) {\n");
    for (unsigned i = 0; i < count; i++)
        buffer_print(&text, "  v%u = Relu(v%u)\n", i + 1, i);
    buffer_print(&text, "  y = Relu%s(v%u)\n}\n", attribute, count);
    buffer_add_byte(&text, '\0');
    return (char *)text.data;
}

static void check_invalid(const char *what, struct opshift_model *before, struct opshift_model *after,
                          const char *expected)
{
    struct opshift_report *report = NULL;
    struct opshift_error error = {0};
    struct buffer found = {0};
    size_t index;
    json_t *entry;
    enum opshift_status status = opshift_verify(before, after, NULL, &report, &error);
    is_int(*expected ? OPSHIFT_NO : OPSHIFT_OK, status, "%s: the answer (%s)", what, error.text);
    json_array_foreach(json_object_get(report ? report->root : NULL, "invalid"), index, entry)
        buffer_print(&found, "%s %s: %s;", text_of(entry, "model"), text_of(entry, "id"), text_of(entry, "place"));
    buffer_add_byte(&found, '\0');
    is_string(expected, (const char *)found.data, "%s: the errors, the first model's first", what);
    buffer_free(&found);
    opshift_report_free(report);
}

static void test_both(unsigned count, const char *what)
{
    char *texts[] = {chain(count, ""), chain(count, "<odd = 1>"), chain(count, "<even = 2>")};
    struct opened good = {0}, odd = {0}, even = {0};
    char expected[256];
    if (!open_text(texts[0], "good", &good) || !open_text(texts[1], "odd", &odd) ||
        !open_text(texts[2], "even", &even)) {
        ok(false, "%s: the models open", what);
        return;
    }
    snprintf(expected, sizeof(expected), "before OPS007: node %u (Relu);after OPS007: node %u (Relu);", count, count);
    check_invalid(what, odd.model, even.model, expected);
    check_invalid("a valid model", good.model, good.model, "");
    snprintf(expected, sizeof(expected), "after OPS007: node %u (Relu);", count);
    check_invalid("an invalid second model", good.model, odd.model, expected);
    snprintf(expected, sizeof(expected), "before OPS007: node %u (Relu);after OPS007: node %u (Relu);", count, count);
    check_invalid("a model and itself", odd.model, odd.model, expected);
    close_text(&good);
    close_text(&odd);
    close_text(&even);
    for (size_t i = 0; i < 3; i++)
        free(texts[i]);
}

int main(void)
{
    test_both(5, "small models");
    test_both(MANY, "large models");
    return done();
}
