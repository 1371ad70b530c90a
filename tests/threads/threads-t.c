/* Many threads, each with its own models, and shared rules and lint: each gets the results of a single thread. */
#include "opshift.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "tests/tap/tap.h"

#define THREADS 8
#define ROUNDS  6

static const char source[] = "<ir_version: 8, opset_import: [\"\" : 11]>\n"
                             "net (float[N, 6] x, bool c) => (float[N, 2] a, float[N, 4] b, float[N, 3] d) {\n"
                             "  a, b = Split <axis = -1, split = [2, 4]> (x)\n"
                             "  d = If (c) <\n"
                             "    then_branch = t () => (float[N, 3] p) { p, q = Split <axis = 1> (x) },\n"
                             "    else_branch = e () => (float[N, 3] r) { s, r = Split <axis = 1> (x) }>\n"
                             "}\n";

static char directory[] = "/tmp/opshift-threads.XXXXXX";
static struct opshift_rules *rules;
static struct opshift_lint *lint;

struct worker {
    pthread_t thread;
    int number;
    struct buffer seen; /* all results */
};

static enum opshift_status keep_report(struct buffer *seen, struct opshift_report *report, struct opshift_error *error)
{
    char *text = NULL;
    enum opshift_status status = opshift_report_text(report, &text, error);
    if (status == OPSHIFT_OK)
        buffer_add_text(seen, text);
    opshift_text_free(text);
    return status;
}

static enum opshift_status find(struct worker *worker, struct opshift_model *model, struct opshift_error *error)
{
    struct opshift_findings *findings = NULL;
    enum opshift_status status = opshift_lint_model(lint, model, &findings, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < opshift_findings_count(findings); i++) {
        const struct opshift_finding *finding = opshift_findings_at(findings, i);
        buffer_print(&worker->seen, "%s %s: %s\n", finding->check->id, finding->place, finding->message);
    }
    opshift_findings_free(findings);
    return status;
}

static enum opshift_status compute(struct worker *worker, struct opshift_model *model, struct opshift_error *error)
{
    static const char *const shapes[] = {"N=3"};
    struct opshift_draw_options how = {.seed = 7, .shapes = shapes, .shape_count = 1};
    struct opshift_values *given = NULL, *made = NULL;
    enum opshift_status status = opshift_values_new(&given, error);
    if (status == OPSHIFT_OK)
        status = opshift_values_draw(given, model, &how, error);
    if (status == OPSHIFT_OK)
        status = opshift_run(model, given, NULL, &made, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < opshift_values_count(made); i++) {
        char *text = NULL;
        status = opshift_value_text(opshift_values_at(made, i), &text, error);
        buffer_print(&worker->seen, "%s\n", text ? text : "");
        opshift_text_free(text);
    }
    opshift_values_free(made);
    opshift_values_free(given);
    return status;
}

static enum opshift_status look_at(struct worker *worker, struct opshift_model *model, struct opshift_error *error)
{
    struct opshift_report *report = NULL;
    enum opshift_status status = opshift_show(model, &report, error);
    if (status == OPSHIFT_OK)
        status = keep_report(&worker->seen, report, error);
    opshift_report_free(report);
    return status;
}

static enum opshift_status check(struct worker *worker, struct opshift_model *before, struct opshift_model *after,
                                 struct opshift_error *error)
{
    struct opshift_verify_options how = {.rules = rules};
    struct opshift_report *report = NULL;
    enum opshift_status status = opshift_verify(before, after, &how, &report, error);
    if (status == OPSHIFT_OK)
        status = keep_report(&worker->seen, report, error);
    opshift_report_free(report);
    return status;
}

/* All operations on a model: made, read, linted, converted, saved, verified and run. */
static enum opshift_status live(struct worker *worker, int round, struct opshift_error *error)
{
    struct opshift_goal goal = {.opset = 13 + (worker->number + round) % 6, .rules = rules};
    struct opshift_model *model = NULL, *written = NULL;
    struct opshift_open_options options = {.name = "net"};
    char *bytes = NULL, path[256];
    size_t size = 0;
    snprintf(path, sizeof(path), "%s/%d.onnx", directory, worker->number);
    enum opshift_status status = opshift_text_to_model(source, strlen(source), "net", &bytes, &size, error);
    if (status == OPSHIFT_OK)
        status = opshift_model_open_memory(bytes, size, &options, &model, error);
    if (status == OPSHIFT_OK)
        status = look_at(worker, model, error);
    if (status == OPSHIFT_OK)
        status = find(worker, model, error);
    if (status == OPSHIFT_OK)
        status = opshift_convert(model, &goal, NULL, error);
    if (status == OPSHIFT_OK)
        status = opshift_model_save(model, path, NULL, error);
    if (status == OPSHIFT_OK)
        status = opshift_model_open(path, &options, &written, error);
    if (status == OPSHIFT_OK)
        status = check(worker, model, written, error);
    if (status == OPSHIFT_OK)
        status = compute(worker, written, error);
    opshift_model_free(written);
    opshift_model_free(model);
    opshift_text_free(bytes);
    return status;
}

static void *work(void *data)
{
    struct worker *worker = data;
    for (int round = 0; round < ROUNDS; round++) {
        struct opshift_error error = {0};
        if (live(worker, round, &error) != OPSHIFT_OK)
            buffer_print(&worker->seen, "failed: %s\n", error.text);
    }
    return NULL;
}

static void all_at_once(struct worker *workers)
{
    size_t started = 0;
    for (int i = 0; i < THREADS; i++) {
        workers[i].number = i;
        started += pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
    }
    is_int(THREADS, (int64_t)started, "all threads are started");
    for (size_t i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
}

int main(void)
{
    static struct worker workers[THREADS], alone[THREADS];
    struct opshift_error error = {0};
    if (mkdtemp(directory) == NULL)
        skip_all("no directory can be made in /tmp");
    ok(opshift_rules_load(NULL, 0, &rules, &error) == OPSHIFT_OK && opshift_lint_new(NULL, &lint, &error) == OPSHIFT_OK,
       "rules and a lint are made");
    all_at_once(workers);
    for (int i = 0; i < THREADS; i++) {
        alone[i].number = i;
        work(&alone[i]);
        is_bytes(alone[i].seen.data, alone[i].seen.size, workers[i].seen.data, workers[i].seen.size,
                 "thread %d: what it gets is what it gets alone", i);
        ok(alone[i].seen.size > 1000 && memmem(alone[i].seen.data, alone[i].seen.size, "failed", 6) == NULL,
           "thread %d: which is all that was asked for", i);
        char path[256];
        snprintf(path, sizeof(path), "%s/%d.onnx", directory, i);
        unlink(path);
        buffer_free(&alone[i].seen);
        buffer_free(&workers[i].seen);
    }
    ok(rmdir(directory) == 0, "nothing is left in the directory");
    opshift_lint_free(lint);
    opshift_rules_free(rules);
    return done();
}
