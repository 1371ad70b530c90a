/* A plan and its conversion: each node of the result is as planned. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/plan.h"
#include "tests/convert/case.h"
#include "tests/tap/tap.h"

static const struct {
    const char *what, *text;
    int64_t opset;
} cases[] = {
    {"an attribute that becomes an initializer",
     MODEL(11, 8, "g (float[6] x) => (float[2] a, float[4] b) { r = Relu (x) a, b = Split <split = [2, 4]> (r) }"), 13},
    {"a Constant node in front of all others",
     MODEL(11, 3, "g (float[6] x) => (float[2] a, float[4] b) { r = Relu (x) a, b = Split <split = [2, 4]> (r) }"), 13},
    {"a constant that becomes an attribute, and nodes that go",
     MODEL(13, 8,
           "g (float[6] x) => (float[2] a, float[4] b) { s = Constant <value = int64[2] {2, 4}> () "
           "t = Identity (s) a, b = Split (x, t) }"),
     11},
    {"nodes around the one that stays",
     MODEL(18, 8, "g (float[n] x) => (float[p] a, float[q] b) { a, b = Split <num_outputs = 2> (x) }"), 13},
    {"slices", MODEL(13, 8, "g (float[6] x, int64[2] l) => (float[p] a, float[q] b) { a, b = Split (x, l) }"), 11},
    {"nodes of a subgraph and of a function",
     MODEL(11, 8,
           "g (float[6] x, bool k) => (float[2] a) { y = d.F (x) a = If (k) <then_branch = t () => (p) "
           "{ p, q = Split <split = [2, 4]> (x) }, else_branch = e () => (s) { s, u = Split <split = [2, 4]> (y) }> }\n"
           "<domain: \"d\", opset_import: [\"\" : 11]> F (x) => (y) { a, b = Split <split = [2, 4]> (x) "
           "y = Concat <axis = 0> (a, b) }"),
     13},
    {"a name that is taken",
     MODEL(11, 8,
           "g (float[6] x, float[6] a_split) => (float[2] a, float[4] b) { a, b = Split <split = [2, 4]> (x) "
           "c, d = Split <split = [3, 3]> (a_split) }"),
     13},
};

/* The plan's nodes of a graph, as text. */
static void add_planned(const struct conversion_plan *plan, struct opshift_model *model, const struct graph *graph,
                        struct arena *arena, struct buffer *out)
{
    struct opshift_error error = {0};
    for (uint32_t i = 0; i < graph->node_count; i++) {
        struct planned_node found;
        if (plan_find(plan, graph, &graph->nodes[i], arena, &found, &error))
            ok(false, "%s", error.text);
        for (size_t k = 0; found.fate == OPSHIFT_REWRITTEN && k < found.record_count; k++)
            buffer_add(out, found.records[k].data, found.records[k].size);
        struct range range = graph->nodes[i].range;
        uint8_t *copy = arena_alloc(arena, (size_t)range_size(range) + 1, 1);
        if (found.fate == OPSHIFT_KEPT &&
            source_read(model->source, range_offset(range), copy, range_size(range), &error))
            ok(false, "%s", error.text);
        if (found.fate == OPSHIFT_KEPT && node_subgraph_count(&graph->nodes[i]) == 0)
            buffer_add(out, copy, range_size(range));
    }
}

/* The nodes of a converted graph, without Constants that the plan has by name. */
static void add_seen(const struct conversion_plan *plan, struct opshift_model *before, struct opshift_model *after,
                     const struct graph *graph, struct arena *arena, struct buffer *out)
{
    struct opshift_error error = {0};
    for (uint32_t i = 0; i < graph->node_count; i++) {
        struct bytes name = names_bytes(after->names, node_outputs(&graph->nodes[i])[0]);
        name_id id = NAME_NONE;
        if (node_subgraph_count(&graph->nodes[i]) ||
            (names_find(before->names, name.data, name.size, &id) && plan_constant_find(plan, id)))
            continue;
        struct range range = graph->nodes[i].range;
        uint8_t *copy = arena_alloc(arena, (size_t)range_size(range) + 1, 1);
        if (source_read(after->source, range_offset(range), copy, range_size(range), &error))
            ok(false, "%s", error.text);
        buffer_add(out, copy, range_size(range));
    }
}

static struct opshift_model *saved(struct opshift_model *model)
{
    char path[] = "/tmp/opshift-plan-XXXXXX";
    struct opshift_error error = {0};
    struct opshift_model *after = NULL;
    int descriptor = mkstemp(path);
    if (descriptor < 0 || opshift_model_save(model, path, NULL, &error) ||
        opshift_model_open(path, NULL, &after, &error))
        ok(false, "%s", error.text);
    fclose(fdopen(descriptor, "r"));
    remove(path);
    return after;
}

static bool same(const struct buffer *one, const struct buffer *other)
{
    return one->size == other->size && memcmp(one->data, other->data, one->size) == 0;
}

static void check_plan(const char *what, const char *text, int64_t opset)
{
    struct opshift_error error = {0};
    struct opshift_goal goal = {.opset = opset};
    char *bytes;
    struct opshift_model *model = open_text(text, &bytes, what), *after = NULL;
    struct conversion_plan *plan = NULL, *again = NULL;
    struct arena *arena = arena_new(0);
    if (plan_new(model, &goal, &plan, &error) || opshift_convert(model, &goal, NULL, &error) ||
        plan_new(model, &goal, &again, &error))
        ok(false, "%s: %s", what, error.text);
    after = saved(model);
    struct buffer planned = {0}, seen = {0}, second = {0};
    for (uint32_t i = 0; i < model->graph_count; i++) {
        add_planned(plan, model, model->graphs[i], arena, &planned);
        add_planned(again, model, model->graphs[i], arena, &second);
        add_seen(plan, model, after, after->graphs[i], arena, &seen);
    }
    is_int(0, plan_blocker_count(plan), "%s: nothing is in the way", what);
    ok(same(&planned, &seen), "%s: the result is as planned", what);
    ok(same(&planned, &second), "%s: a second plan is the same", what);
    buffer_free(&planned);
    buffer_free(&seen);
    buffer_free(&second);
    plan_free(plan);
    plan_free(again);
    arena_free(arena);
    opshift_model_free(after);
    opshift_model_free(model);
    opshift_text_free(bytes);
}

static void check_blocked(void)
{
    const char *text = MODEL(13, 8,
                             "g (bfloat16[6] x) => (bfloat16[2] a, bfloat16[4] b) <int64[2] s = {2, 4}> "
                             "{ a, b = Split (x, s) }");
    struct opshift_error error = {0};
    struct opshift_goal goal = {.opset = 11};
    char *bytes;
    struct opshift_model *model = open_text(text, &bytes, "blocked");
    struct conversion_plan *plan = NULL;
    struct planned_node found;
    struct arena *arena = arena_new(0);
    is_int(OPSHIFT_OK, plan_new(model, &goal, &plan, &error), "a plan with a node in the way is a plan");
    is_int(1, plan_blocker_count(plan), "which counts it");
    is_int(OPSHIFT_OK, plan_find(plan, model->main, &model->main->nodes[0], arena, &found, &error), "and holds it");
    is_int(OPSHIFT_BLOCKED, found.fate, "as blocked");
    is_string("'x' is bfloat16, which Split-11 does not take; insert a Cast, or go to opset 13 or up",
              strstr(found.why, "'x'"), "with the reason");
    is_int(13, found.from, "at its step");
    is_int(12, found.to, "at its step");
    plan_free(plan);
    arena_free(arena);
    opshift_model_free(model);
    opshift_text_free(bytes);
}

/* Unknown and only declared types. */
static void check_assumed(void)
{
    static const char *const wanted[] = {NULL, "type of 't' is float, as declared", NULL,
                                         "type of 'u' is not bfloat16"};
    const char *text = "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 1]>\n"
                       "g (float[2] x) => (float[2] z, float[2] w) <float[2] t> "
                       "{ t = my.F (x) z = Neg (t) u = my.F (x) w = Neg (u) }";
    struct opshift_error error = {0};
    struct opshift_goal goal = {.opset = 12};
    char *bytes;
    struct opshift_model *model = open_text(text, &bytes, "assumed");
    struct conversion_plan *plan = NULL;
    struct arena *arena = arena_new(0);
    if (plan_new(model, &goal, &plan, &error))
        ok(false, "%s", error.text);
    for (uint32_t i = 0; i < model->main->node_count; i++) {
        struct planned_node found;
        plan_find(plan, model->main, &model->main->nodes[i], arena, &found, &error);
        is_string(wanted[i], found.assumption_count ? found.assumptions[0] : NULL, "what node %u assumes", i);
    }
    plan_free(plan);
    goal.strict = true;
    is_int(OPSHIFT_NO, opshift_convert(model, &goal, NULL, &error), "strict refuses it");
    ok(strstr(error.text,
              "type of 't' is float, as declared, and nothing confirms it; compute it from the graph's inputs, "
              "or leave out --strict") != NULL,
       "and says why: %s", error.text);
    arena_free(arena);
    opshift_model_free(model);
    opshift_text_free(bytes);
}

#define FOREIGN(opset, declared, nodes)                                                                                \
    "<ir_version: 8, opset_import: [\"\" : " #opset ", \"my\" : 1]>\n"                                                 \
    "g (float[2, 3] x, float[5] v) => (float[a, b] z) <" declared " t> { t = my.F (x) " nodes " }"

/* Unconfirmed declarations that a node's rewrite depends on. */
static const struct {
    const char *what, *text;
    int64_t opset;
    uint32_t node;
    const char *words; /* NULL: no assumption */
} rests[] = {
    {"a rule that goes by a declared rank", FOREIGN(12, "float[2, 12]", "z = Softmax (t)"), 13, 1,
     "rank of 't' is 2, as declared"},
    {"a constant that is a declared shape",
     FOREIGN(13, "float[2, 3]", "d = Shape (t) a, b = Split (v, d) z = Relu (x)"), 11, 2,
     "shape of 't' is [2, 3], as declared"},
    {"a constant that is computed from a declared shape",
     FOREIGN(13, "float[1, 2]", "d = Shape (t) e = Mul (d, d) i = Identity (e) a, b = Split (v, i) z = Relu (x)"), 11,
     4, "shape of 't' is [1, 2], as declared"},
    {"a constant that follows from the graph's input",
     FOREIGN(13, "float[2]", "d = Shape (x) a, b = Split (v, d) z = Relu (x)"), 11, 2, NULL},
    {"a constant behind a shape that follows all the same",
     FOREIGN(13, "float[2]", "r = Relu (x) d = Shape (r) a, b = Split (v, d) z = Relu (x)"), 11, 3, NULL},
    {"how many tensors a sequence has",
     FOREIGN(13, "float[2, 4]", "s = SplitToSequence (t) z = ConcatFromSequence <axis = 0> (s)"), 11, 1,
     "shape of 't' is [2, 4], as declared"},
    {"which of a sequence's tensors is read",
     FOREIGN(13, "float[1, 1]", "s = SplitToSequence <axis = 1> (x) d = Size (t) z = SequenceAt (s, d)"), 11, 3,
     "shape of 't' is [1, 1], as declared"},
};

static void check_rest(const char *what, const char *text, int64_t opset, uint32_t node, const char *words)
{
    struct opshift_error error = {0};
    struct opshift_goal goal = {.opset = opset, .sequences = OPSHIFT_SEQUENCES_TO_SPLIT};
    char *bytes;
    struct opshift_model *model = open_text(text, &bytes, what);
    struct conversion_plan *plan = NULL;
    struct planned_node found = {0};
    struct arena *arena = arena_new(0);
    bool same = false;
    if (plan_new(model, &goal, &plan, &error) ||
        plan_find(plan, model->main, &model->main->nodes[node], arena, &found, &error))
        ok(false, "%s", error.text);
    if (found.why)
        ok(false, "%s: %s", what, found.why);
    for (uint32_t i = 0; words && i < found.assumption_count; i++)
        same |= strcmp(found.assumptions[i], words) == 0;
    ok(words ? same : found.assumption_count == 0, "%s: %s", what,
       found.assumption_count ? found.assumptions[0] : "nothing is assumed");
    plan_free(plan);
    arena_free(arena);
    opshift_model_free(model);
    opshift_text_free(bytes);
}

static void check_rules(void)
{
    const char *text = MODEL(11, 8, "g (float[6] x) => (float[2] a, float[4] b) { a, b = Split <split = [2, 4]> (x) }");
    struct opshift_error error = {0};
    struct opshift_goal goal = {.opset = 13};
    char *bytes;
    struct opshift_model *model = open_text(text, &bytes, "rules");
    struct conversion_plan *plan = NULL;
    struct planned_node found;
    struct arena *arena = arena_new(0);
    if (plan_new(model, &goal, &plan, &error) ||
        plan_find(plan, model->main, &model->main->nodes[0], arena, &found, &error))
        ok(false, "%s", error.text);
    is_int(1, found.rule_count, "one rule changed the node");
    is_string("rules/opset-13/split.yaml", found.rules[0], "which is named");
    plan_free(plan);
    arena_free(arena);
    opshift_model_free(model);
    opshift_text_free(bytes);
}

/* Is a plan for one goal also the plan for another one? */
static void is_for(struct opshift_model *model, const struct opshift_goal *made_for, const struct opshift_goal *asked,
                   bool wanted, const char *what)
{
    struct conversion_plan *plan = NULL;
    struct opshift_error error = {0};
    if (ok(plan_new(model, made_for, &plan, &error) == OPSHIFT_OK, "%s: planned (%s)", what, error.text))
        ok(plan_is_for(plan, model, asked) == wanted, "%s: %s", what, wanted ? "the same plan" : "another one");
    plan_free(plan);
}

static void check_is_for(void)
{
    static const char text[] = MODEL(11, 7, "g (float[n] x) => (float[p] a, float[q] b) { a, b = Split (x) }");
    static const char *const dims[] = {"n=4"};
    const struct opshift_given none = {.size = sizeof(none)}, some = {sizeof(some), NULL, 0, dims, 1};
    const struct opshift_goal goal = {.opset = 13, .ir_version = OPSHIFT_IR_KEEP, .given = &none};
    struct opshift_goal goals[] = {goal, goal, goal, goal, goal, goal, goal, goal, goal, goal};
    size_t at = 0, count = sizeof(goals) / sizeof(goals[0]);
    char *bytes;
    struct opshift_model *model = open_text(text, &bytes, "plans for goals");
    goals[at++].allow_approximate = true;
    goals[at++].ir_version = 7;
    const size_t same = at;
    goals[at++].opset = 12;
    goals[at++].ir_version = 8;
    goals[at++].freeze_initializers = true;
    goals[at++].split_form = OPSHIFT_SPLIT_LENGTHS;
    goals[at++].sequences = OPSHIFT_SEQUENCES_TO_SPLIT;
    goals[at++].name_empty_outputs = true;
    goals[at++].strict = true;
    goals[at++].given = &some;
    for (size_t i = 0; model != NULL && i < at && at == count; i++) {
        char what[40];
        snprintf(what, sizeof(what), "goal %zu", i);
        is_for(model, &goal, &goals[i], i < same, what);
        is_for(model, &goals[i], &goal, i < same, what);
    }
    opshift_model_free(model);
    free(bytes);
}

int main(void)
{
    check_is_for();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_plan(cases[i].what, cases[i].text, cases[i].opset);
    check_blocked();
    check_rules();
    check_assumed();
    for (size_t i = 0; i < sizeof(rests) / sizeof(rests[0]); i++)
        check_rest(rests[i].what, rests[i].text, rests[i].opset, rests[i].node, rests[i].words);
    return done();
}
