/* Opening models: what the index holds, and what a file is told that is no model. */
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "model/text.h"
#include "tests/tap/tap.h"
#include "wire/wire.h"

static const char sample[] = "<ir_version: 8, opset_import: [\"\": 17, \"my\": 2], producer_name: \"p\">\n"
                             "agraph (float[N, 4] x, bool c) => (float[N, 2] y)\n"
                             "<float[2] w = {1, 2}, int64[2] sz = {2, 2}, float[N] mid>\n"
                             "{\n"
                             "  [first] a, b = Split<axis = 1>(x, sz)\n"
                             "  y = If(c) <then_branch = inner () => (float[N, 2] t) { t = my.F(a) },\n"
                             "             else_branch = other () => (float[N, 2] e) { e = Identity(b) }>\n"
                             "}\n"
                             "<domain: \"my\", opset_import: [\"\": 16]>\n"
                             "F <k> (p) => (q) { q = Add(p, p) }\n";

static enum opshift_status open_text(const char *text, char **bytes, struct opshift_model **model,
                                     struct opshift_error *error)
{
    size_t size;
    *bytes = NULL;
    *model = NULL;
    enum opshift_status status = opshift_text_to_model(text, strlen(text), "sample", bytes, &size, error);
    return status ? status : opshift_model_open_memory(*bytes, size, NULL, model, error);
}

static void test_index(void)
{
    struct opshift_error error = {0};
    struct opshift_model *model;
    char *bytes;
    if (!ok(open_text(sample, &bytes, &model, &error) == OPSHIFT_OK, "a sample opens")) {
        diag("%s", error.text);
        return;
    }
    is_int(8, opshift_model_ir_version(model), "its IR version");
    is_int(17, opshift_model_opset(model), "its opset");
    is_int(4, model->graph_count, "main, two branches, a function's body");
    is_int(2, model->main->node_count, "two nodes");
    is_int(2, model->main->initializer_count, "two initializers");
    is_string("node 'first' (Split)", node_place(model, model->main, &model->main->nodes[0]), "a named node's place");
    is_string("node 1 (If): then_branch: node 0 (F)", node_place(model, model->graphs[1], model->graphs[1]->nodes),
              "a node in a branch");
    is_int(16, graph_opset(model, model->functions[0].body, NAME_NONE), "a function has its own imports");
    opshift_model_free(model);
    opshift_text_free(bytes);
}

int main(void)
{
    test_index();
    return done();
}
