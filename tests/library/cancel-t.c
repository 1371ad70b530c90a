/* Long work reports its progress, and ends when the callback asks for it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opshift.h"
#include "tests/tap/tap.h"

#define NODES 1200

/* The calls of one progress callback. */
struct cancel_watch {
    unsigned calls, most; /* the call number `most` cancels; 0: none does */
    bool beyond;
    double last;
};

static bool watch_progress(void *data, double progress)
{
    struct cancel_watch *watch = data;
    watch->beyond |= progress < 0 || progress > 1;
    watch->last = progress;
    return ++watch->calls != watch->most;
}

/* A model and its bytes. */
struct cancel_subject {
    struct opshift_model *model;
    char *bytes;
    size_t size;
};

/* A chain of Hardswish nodes, which opset 13 does not have, a Split, and a loop that computes for long. */
static struct cancel_subject subject_make(void)
{
    struct cancel_subject made = {0};
    struct opshift_error error = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return made;
    fprintf(out,
            "<ir_version: 8, opset_import: [\"\" : 14]>\n"
            "g (float[8] v0, float[1000000] big) => (float[8] v%d, float[1000000] l)\n"
            "<int64 times = {100000}, bool go = {1}> {\n",
            NODES);
    for (int i = 0; i < NODES; i++)
        fprintf(out, "v%d = HardSwish (v%d)\n", i + 1, i);
    fprintf(out, "a, b = Split <axis = 0> (v0)\n");
    fprintf(out,
            "l = Loop (times, go, big) <body = b (int64 i, bool c, float[1000000] s) => (bool o, float[1000000] t) "
            "{ o = Identity (c) t = Exp (s) }>\n}\n");
    fclose(out);
    if (opshift_text_to_model(text, size, "text", &made.bytes, &made.size, &error) != OPSHIFT_OK ||
        opshift_model_open_memory(made.bytes, made.size, NULL, &made.model, &error) != OPSHIFT_OK)
        diag("%s", error.text);
    free(text);
    return made;
}

static void subject_free(struct cancel_subject *subject)
{
    opshift_model_free(subject->model);
    opshift_text_free(subject->bytes);
}

/* One kind of work, with a progress callback. */
typedef enum opshift_status (*work)(struct cancel_subject *subject, struct cancel_watch *watch,
                                    struct opshift_error *error);

static enum opshift_status do_convert(struct cancel_subject *subject, struct cancel_watch *watch,
                                      struct opshift_error *error)
{
    const struct opshift_goal goal = {.opset = 13, .progress = watch_progress, .progress_data = watch};
    struct opshift_report *report = NULL;
    enum opshift_status status = opshift_convert(subject->model, &goal, &report, error);
    opshift_report_free(report);
    return status;
}

static enum opshift_status do_how_far(struct cancel_subject *subject, struct cancel_watch *watch,
                                      struct opshift_error *error)
{
    const struct opshift_goal goal = {.progress = watch_progress, .progress_data = watch};
    struct opshift_report *report = NULL;
    enum opshift_status status = opshift_how_far(subject->model, &goal, &report, error);
    opshift_report_free(report);
    return status;
}

static enum opshift_status do_lint(struct cancel_subject *subject, struct cancel_watch *watch,
                                   struct opshift_error *error)
{
    const struct opshift_lint_options options = {.to = 13, .progress = watch_progress, .progress_data = watch};
    struct opshift_lint *lint = NULL;
    struct opshift_findings *findings = NULL;
    enum opshift_status status = opshift_lint_new(&options, &lint, error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_model(lint, subject->model, &findings, error);
    opshift_findings_free(findings);
    opshift_lint_free(lint);
    return status;
}

static enum opshift_status do_lint_memory(struct cancel_subject *subject, struct cancel_watch *watch,
                                          struct opshift_error *error)
{
    const struct opshift_open_options open = {.size = sizeof open, .progress = watch_progress, .progress_data = watch};
    const struct opshift_lint_options options = {.open = &open};
    struct opshift_lint *lint = NULL;
    struct opshift_findings *findings = NULL;
    enum opshift_status status = opshift_lint_new(&options, &lint, error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_memory(lint, subject->bytes, subject->size, NULL, &findings, error);
    opshift_findings_free(findings);
    opshift_lint_free(lint);
    return status;
}

static enum opshift_status do_show(struct cancel_subject *subject, struct cancel_watch *watch,
                                   struct opshift_error *error)
{
    const struct opshift_open_options open = {.size = sizeof open, .progress = watch_progress, .progress_data = watch};
    struct opshift_model *model = NULL;
    struct opshift_report *report = NULL;
    enum opshift_status status = opshift_model_open_memory(subject->bytes, subject->size, &open, &model, error);
    if (status == OPSHIFT_OK)
        status = opshift_show(model, &report, error);
    opshift_report_free(report);
    opshift_model_free(model);
    return status;
}

static enum opshift_status do_infer(struct cancel_subject *subject, struct cancel_watch *watch,
                                    struct opshift_error *error)
{
    const struct opshift_infer_options options = {.progress = watch_progress, .progress_data = watch};
    return opshift_infer(subject->model, &options, NULL, error);
}

/* Each replaced node is run before and after. */
static enum opshift_status do_verify(struct cancel_subject *subject, struct cancel_watch *watch,
                                     struct opshift_error *error)
{
    const struct opshift_goal goal = {.opset = 13};
    const struct opshift_verify_options options = {.progress = watch_progress, .progress_data = watch};
    struct opshift_output *output = NULL;
    struct opshift_model *after = NULL;
    struct opshift_report *report = NULL;
    enum opshift_status status = opshift_convert(subject->model, &goal, NULL, error);
    if (status == OPSHIFT_OK)
        status = opshift_model_write(subject->model, "-", NULL, &output, error);
    if (status == OPSHIFT_OK)
        status = opshift_output_open(output, &after, error);
    if (status == OPSHIFT_OK)
        status = opshift_verify(subject->model, after, &options, &report, error);
    opshift_report_free(report);
    opshift_model_free(after);
    opshift_output_free(output);
    return status;
}

/* Runs until it is cancelled or meets the limit of steps. */
static enum opshift_status do_run(struct cancel_subject *subject, struct cancel_watch *watch,
                                  struct opshift_error *error)
{
    const struct opshift_run_options options = {.steps = 600000000, .progress = watch_progress, .progress_data = watch};
    const struct opshift_draw_options draw = {0};
    struct opshift_values *inputs = NULL, *outputs = NULL;
    enum opshift_status status = opshift_values_new(&inputs, error);
    if (status == OPSHIFT_OK)
        status = opshift_values_draw(inputs, subject->model, &draw, error);
    if (status == OPSHIFT_OK)
        status = opshift_run(subject->model, inputs, &options, &outputs, error);
    opshift_values_free(outputs);
    opshift_values_free(inputs);
    return status;
}

static const struct {
    const char *what;
    work work;
    enum opshift_status wanted; /* to its end */
    unsigned least;             /* number of calls */
    double last;                /* what the last call tells at least */
} cases[] = {
    {"convert", do_convert, OPSHIFT_OK, NODES / 64, 0.95},
    {"how far", do_how_far, OPSHIFT_OK, 28 * (NODES / 64), 0.99},
    {"lint, with a conversion", do_lint, OPSHIFT_OK, NODES / 64, 0.95},
    {"lint, while it opens and infers", do_lint_memory, OPSHIFT_OK, 2, 0.8},
    {"open and show", do_show, OPSHIFT_OK, 3, 0.8},
    {"infer", do_infer, OPSHIFT_OK, 1, 1},
    {"verify", do_verify, OPSHIFT_OK, NODES, 0.6},
    {"run", do_run, OPSHIFT_UNSUPPORTED, 15, 0.9},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct opshift_error error = {0};
        struct cancel_watch whole = {0}, cut = {0};
        struct cancel_subject subject = subject_make();
        is_int(cases[i].wanted, cases[i].work(&subject, &whole, &error), "%s: %s", cases[i].what, error.text);
        ok(whole.calls >= cases[i].least, "%s: reports progress (%u calls)", cases[i].what, whole.calls);
        ok(!whole.beyond, "%s: from 0 to 1", cases[i].what);
        ok(whole.last >= cases[i].last, "%s: up to %g (%g)", cases[i].what, cases[i].last, whole.last);
        cut.most = whole.calls / 2 + 1;
        subject_free(&subject);
        subject = subject_make();
        is_int(OPSHIFT_CANCELLED, cases[i].work(&subject, &cut, &error), "%s: is cancelled", cases[i].what);
        is_int(cut.most, cut.calls, "%s: and does not ask again", cases[i].what);
        ok(strstr(error.text, "cancelled") != NULL, "%s: says so: %s", cases[i].what, error.text);
        subject_free(&subject);
    }
    return done();
}
