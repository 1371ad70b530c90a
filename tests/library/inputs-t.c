/* Required inputs of a model: those without an initializer in the main graph. */
#include "opshift.h"

#include "tests/tap/opened.h"
#include "tests/tap/tap.h"

/* The initializer 'inner' belongs to another graph. */
static const char source[] = "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                             "net (float[2] x, float[2] w, bool c, float[2] inner) => (float[2] y)\n"
                             "<float[2] w = {1, 2}> {\n"
                             "  s = Add (x, w)\n"
                             "  y = If (c) <then_branch = t () => (float[2] p) <float[2] inner = {3, 4}> {\n"
                             "                p = Add (s, inner)\n"
                             "              },\n"
                             "              else_branch = e () => (float[2] q) { q = Abs (s) }>\n"
                             "}\n";

int main(void)
{
    static const struct {
        const char *name;
        bool required;
    } rows[] = {{"x", true}, {"w", false}, {"c", true}, {"inner", true}};
    struct opened net;
    ok(text_open(source, NULL, &net), "the model opens");
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows) && net.model != NULL; i++) {
        is_string(rows[i].name, opshift_model_input_name(net.model, i), "input %zu is '%s'", i, rows[i].name);
        ok(opshift_model_input_is_required(net.model, i) == rows[i].required, "'%s' %s be given", rows[i].name,
           rows[i].required ? "must" : "need not");
    }
    text_close(&net);
    return done();
}
