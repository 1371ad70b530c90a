/* Scopes: resolution of names, readers of values, undefined names. */
#include <stdio.h>
#include <string.h>

#include "model/scope.h"
#include "tests/tap/opened.h"
#include "tests/tap/tap.h"

static const char sample[] = "<ir_version: 8, opset_import: [\"\": 17, \"my\": 2]>\n"
                             "agraph (float[4] x, int64[2] sz, bool c) => (float[2] y)\n"
                             "<int64[2] sz = {2, 2}, float[2] w = {1, 2}>\n"
                             "{\n"
                             "  a, b = Split<axis = 0>(x, sz)\n"
                             "  y = If(c) <then_branch = inner () => (float[2] t) { t = my.F(a) },\n"
                             "             else_branch = other () => (float[2] e) { b2 = my.F(b) e = Identity(b2) }>\n"
                             "}\n"
                             "<domain: \"my\", opset_import: [\"\": 16]>\n"
                             "F (p) => (q) { q = Add(p, p) }\n";

static struct opshift_model *model;
static struct scopes *scopes;

static name_id name_of(const char *text)
{
    return names_add(model->names, text, strlen(text));
}

static void is_defined(struct graph *graph, const char *name, enum definition_kind kind, struct graph *where,
                       const char *what)
{
    struct definition definition = scope_find(scopes, graph, name_of(name));
    ok(definition.kind == kind && (kind == DEFINED_NOWHERE || definition.graph == where), "%s", what);
}

static void test_names(void)
{
    struct graph *outer = model->main, *inner = node_subgraphs(&model->main->nodes[1])[0],
                 *body = model->functions[0].body;
    is_defined(outer, "x", DEFINED_INPUT, outer, "an input");
    is_defined(outer, "w", DEFINED_INITIALIZER, outer, "an initializer");
    is_defined(outer, "sz", DEFINED_INITIALIZER, outer, "an initializer that is an input too");
    ok(scope_is_input(scopes, outer, name_of("sz")), "and is known as one");
    ok(!scope_is_input(scopes, outer, name_of("w")), "another is not");
    is_defined(outer, "b", DEFINED_NODE, outer, "a node's output");
    is_int(1, scope_find(scopes, outer, name_of("b")).output, "its second");
    is_defined(inner, "a", DEFINED_NODE, outer, "a name of the graph around it");
    is_defined(outer, "t", DEFINED_NOWHERE, NULL, "a name of a graph inside is not seen");
    is_defined(body, "p", DEFINED_INPUT, body, "a function's input");
    is_defined(body, "x", DEFINED_NOWHERE, NULL, "a function is closed");
}

static void test_uses_and_calls(void)
{
    uint32_t count;
    is_int(1, scope_uses(scopes, name_of("a")), "read once, in a branch");
    is_int(2, scope_uses(scopes, name_of("p")), "read twice by one node");
    is_int(1, scope_uses(scopes, name_of("y")), "an output is a read");
    is_int(0, scope_uses(scopes, name_of("w")), "read by nobody");
    scope_drop_use(scopes, name_of("p"));
    is_int(1, scope_uses(scopes, name_of("p")), "read once less when a read is dropped");
    const struct call *calls = scope_calls(scopes, &model->functions[0], &count);
    is_int(2, count, "the function is called twice");
    ok(scope_callee(scopes, &calls[0].graph->nodes[calls[0].node]) == &model->functions[0], "by nodes that call it");
    ok(scope_callee(scopes, &model->main->nodes[0]) == NULL, "an operator is no function");
}

/* Functions are identified by domain, name and overload; of duplicates the first counts. */
static void test_callees(void)
{
    static const char text[] =
        "<ir_version: 10, opset_import: [\"\" : 13, \"f\" : 1, \"g\" : 1]>\n"
        "m (float[2] x) => (float[2] y) "
        "{ a = f.one (x) b = g.one (a) c = f.one:two (b) d = f.two (c) e = f.none (d) "
        "y = Neg (e) }\n"
        "<domain: \"f\", opset_import: [\"\" : 13]> two (x) => (y) { y = Neg (x) }\n"
        "<domain: \"g\", opset_import: [\"\" : 13]> one (x) => (y) { y = Neg (x) }\n"
        "<domain: \"f\", overload: \"two\", opset_import: [\"\" : 13]> one (x) => (y) { y = Neg (x) }\n"
        "<domain: \"f\", opset_import: [\"\" : 13]> one (x) => (y) { y = Neg (x) }\n"
        "<domain: \"f\", opset_import: [\"\" : 13]> two (x) => (y) { y = Abs (x) }";
    static const int callees[] = {3, 1, 2, 0, -1, -1};
    struct opened called;
    struct scopes *found = NULL;
    bool made = text_open(text, "called", &called) && scopes_new(called.model, &found, NULL) == OPSHIFT_OK;
    for (size_t i = 0; made && i < COUNT(callees); i++) {
        const struct function *callee = scope_callee(found, &called.model->main->nodes[i]);
        is_int(callees[i], callee ? callee - called.model->functions : -1, "the function that call %zu means", i);
    }
    ok(made, "functions of one name");
    scopes_free(found);
    text_close(&called);
}

static void test_fresh(void)
{
    is_string("new", names_text(model->names, scope_fresh(scopes, "new", 3)),
              "a name that nobody has is given as it is");
    is_string("new_1", names_text(model->names, scope_fresh(scopes, "new", 3)), "and numbered the next time");
    is_string("a_1", names_text(model->names, scope_fresh(scopes, "a", 1)), "one that is there is numbered at once");
    is_string("t_1", names_text(model->names, scope_fresh(scopes, "t", 1)), "also when it is there in a subgraph only");
    is_string("q_1", names_text(model->names, scope_fresh(scopes, "q", 1)), "or in a function");
}

/* A name is read this many times, beside as many undefined inputs; then its uses are dropped. */
static void is_counted(uint32_t times)
{
    struct opened opened;
    struct scopes *counting;
    struct buffer text = {0};
    uint32_t seen = 0;
    buffer_add_text(&text,
                    "<ir_version: 8, opset_import: [\"\": 13]> g (float[4] x, float[4] z) => (float[4] y) { y = Sum(z");
    for (uint32_t i = 0; i < times; i++)
        buffer_add_text(&text, ", x, \"\"");
    buffer_add_text(&text, ", z) }");
    buffer_add_byte(&text, '\0');
    text_open((const char *)text.data, "many", &opened);
    struct opshift_model *many = opened.model;
    scopes_new(many, &counting, NULL);
    scopes_count_uses(counting, NULL);
    name_id name = names_add(many->names, "x", 1);
    is_int(times, scope_uses(counting, name), "%u reads", times);
    is_int(2, scope_uses(counting, names_add(many->names, "z", 1)), "beside another's");
    for (; seen < times && scope_uses(counting, name) == times - seen; seen++)
        scope_drop_use(counting, name);
    is_int(times, seen, "%u dropped one by one", times);
    scope_drop_use(counting, name);
    is_int(0, scope_uses(counting, name), "and no more than there were");
    scopes_free(counting);
    text_close(&opened);
    buffer_free(&text);
}

static void test_many_uses(void)
{
    static const uint32_t counts[] = {0, 1, 255, 256, 257, 100000};
    for (size_t i = 0; i < COUNT(counts); i++)
        is_counted(counts[i]);
}

/* The last of many outputs of a node, and the last of many nodes: their numbers fit into the compact form, or not. */
static void is_found(uint32_t outputs, uint32_t nodes)
{
    struct opened opened;
    struct scopes *own;
    struct buffer text = {0};
    char name[16];
    buffer_add_text(&text,
                    "<ir_version: 8, opset_import: [\"\": 13]> g (float[4] x) => (float[4] x) <float k = {1}> { o0");
    for (uint32_t i = 1; i < outputs; i++)
        buffer_print(&text, ", o%u", i);
    buffer_add_text(&text, " = Split(x)");
    for (uint32_t i = 1; i < nodes; i++)
        buffer_print(&text, " n%u = Relu(x)", i);
    buffer_add_text(&text, " }");
    buffer_add_byte(&text, '\0');
    text_open((const char *)text.data, "wide", &opened);
    struct opshift_model *wide = opened.model;
    scopes_new(wide, &own, NULL);
    int count = snprintf(name, sizeof(name), "o%u", outputs - 1);
    struct definition found = scope_find(own, wide->main, names_add(wide->names, name, (size_t)count));
    ok(found.kind == DEFINED_NODE && found.graph == wide->main && found.index == 0 && found.output == outputs - 1,
       "the last of %u outputs, beside %u nodes", outputs, nodes);
    count = snprintf(name, sizeof(name), "n%u", nodes - 1);
    found = scope_find(own, wide->main, names_add(wide->names, name, (size_t)count));
    ok(found.kind == DEFINED_NODE && found.index == nodes - 1 && found.output == 0,
       "the last of %u nodes, beside %u outputs", nodes, outputs);
    ok(scope_find(own, wide->main, names_add(wide->names, "k", 1)).kind == DEFINED_INITIALIZER, "an initializer");
    ok(scope_find(own, wide->main, names_add(wide->names, "none", 4)).kind == DEFINED_NOWHERE, "what nobody gives");
    ok(scope_is_input(own, wide->main, names_add(wide->names, "x", 1)) &&
           !scope_is_input(own, wide->main, names_add(wide->names, "k", 1)),
       "what is an input and what is none");
    scopes_free(own);
    text_close(&opened);
    buffer_free(&text);
}

static void test_many_places(void)
{
    static const uint32_t counts[][2] = {{1, 2}, {2, 3}, {100000, 2}, {1, 100000}, {16384, 32768}, {16385, 32768}};
    for (size_t i = 0; i < COUNT(counts); i++)
        is_found(counts[i][0], counts[i][1]);
}

int main(void)
{
    struct opshift_error error = {0};
    struct opened opened;
    if (!text_open(sample, "sample", &opened))
        return done();
    model = opened.model;
    if (scopes_new(model, &scopes, &error) || scopes_count_uses(scopes, &error)) {
        ok(false, "%s", error.text);
        return done();
    }
    test_names();
    test_uses_and_calls();
    test_callees();
    test_fresh();
    test_many_uses();
    test_many_places();
    scopes_free(scopes);
    text_close(&opened);
    return done();
}
