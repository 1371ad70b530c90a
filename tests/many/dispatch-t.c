/* Work on many models in this process: in order, each once, again where it may help, goes on from a journal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "tests/many/tree.h"
#include "tests/tap/tap.h"
#include "opshift.h"

static struct opshift_error error;
static unsigned calls;
static char first[32], ends[64]; /* the names of the first and of the last call */
static bool failed_once;

/* Fails by IO once for a name with "once", always for "never"; writes the output of the others. */
static enum opshift_status work(void *data, struct opshift_result *result, struct opshift_error *why)
{
    (void)data;
    if (calls++ == 0)
        snprintf(first, sizeof(first), "%s", result->name);
    snprintf(ends, sizeof(ends), "%s %s", first, result->name);
    if (strstr(result->name, "never") || (strstr(result->name, "once") && !failed_once)) {
        failed_once = failed_once || strstr(result->name, "once");
        snprintf(why->text, sizeof(why->text), "%s: no disk", result->path);
        return why->status = OPSHIFT_IO;
    }
    if (strstr(result->name, "refused")) {
        result->reasons = "Split: why";
        return why->status = OPSHIFT_NO;
    }
    if (*result->output)
        tree_write(result->output, "written");
    result->out = "printed";
    result->out_size = 7;
    return OPSHIFT_OK;
}

/* "name:outcome:attempt" for each, "+" where it was done before. */
static enum opshift_status note(void *data, const struct opshift_result *result, struct opshift_error *why)
{
    (void)why;
    buffer_print(data, "%s:%d:%d%s ", result->name, (int)result->outcome, (int)result->attempt,
                 result->earlier ? "+" : "");
    return OPSHIFT_OK;
}

static bool stop(void *data, double progress)
{
    double *most = data;
    return progress < *most;
}

static const struct opshift_worker worker = {.work = work};

static struct opshift_models *zoo(void)
{
    struct opshift_models *models = NULL;
    const struct opshift_models_options how = {.recursive = true};
    if (opshift_models_new(&how, &models, &error) || opshift_models_add(models, "zoo", &error) ||
        opshift_models_set_outputs(models, "out", NULL, &error))
        diag("%s", error.text);
    return models;
}

static void run_is(const char *wanted, unsigned wanted_calls, const char *journal_path, unsigned retries,
                   const char *what)
{
    struct buffer notes = {0};
    struct opshift_journal *journal = NULL;
    struct opshift_models *models = zoo();
    const struct opshift_journal_options how = {.command = "test"};
    if (journal_path && opshift_journal_open(journal_path, &how, &journal, &error) != OPSHIFT_OK)
        diag("%s", error.text);
    const struct opshift_many_options options = {
        .worker = &worker, .retries = retries, .journal = journal, .done = note, .done_data = &notes};
    calls = 0;
    is_int(OPSHIFT_OK, opshift_many(models, &options, &error), "%s", what);
    char *text = buffer_take(&notes);
    is_string(wanted, text, "%s", what);
    is_int(wanted_calls, calls, "%s: so often the work is done", what);
    free(text);
    opshift_journal_free(journal);
    opshift_models_free(models);
}

static void test_runs(void)
{
    struct stat found;
    run_is("a.onnx:0:1 d/never.onnx:3:1 d/once.onnx:3:1 e f.onnx:0:1 refused.onnx:1:1 ", 5, NULL, 0,
           "each once, in order");
    ok(stat("out/e f.onnx", &found) == 0, "the tree is written");
    failed_once = false;
    run_is("a.onnx:0:1 d/never.onnx:3:3 d/once.onnx:0:2 e f.onnx:0:1 refused.onnx:1:1 ", 8, NULL, 2,
           "again, where it may help");
    failed_once = false;
    run_is("a.onnx:0:1 d/never.onnx:3:1 d/once.onnx:3:1 e f.onnx:0:1 refused.onnx:1:1 ", 5, "j", 0, "with a journal");
    run_is("a.onnx:0:1+ d/never.onnx:3:1 d/once.onnx:0:1 e f.onnx:0:1+ refused.onnx:1:1+ ", 2, "j", 0, "it goes on");
    tree_write("zoo/a.onnx", "changed");
    remove("out/e f.onnx");
    run_is("a.onnx:0:1 d/never.onnx:3:1 d/once.onnx:0:2+ e f.onnx:0:1 refused.onnx:1:1+ ", 3, "j", 0,
           "what changed, and what is lost");
}

/* Models that were begun when all ended are taken last: one of them may be why. */
static void test_suspects(void)
{
    struct buffer text = {0};
    run_is("a.onnx:0:1 d/never.onnx:3:1 d/once.onnx:0:1 e f.onnx:0:1 refused.onnx:1:1 ", 5, "k", 0, "without suspects");
    is_string("a.onnx refused.onnx", ends, "in order");
    char *whole = tree_read("k");
    const char *end = whole ? strchr(whole, '\n') : NULL;
    if (ok(end != NULL, "a journal has a first line")) {
        buffer_add(&text, whole, (size_t)(end + 1 - whole));
        buffer_print(&text, "{\"begin\":\"a.onnx\",\"run\":\"0\",\"attempt\":1}\n");
    }
    free(whole);
    char *journal = buffer_take(&text);
    tree_write("k", journal);
    free(journal);
    run_is("a.onnx:0:1 d/never.onnx:3:1 d/once.onnx:0:1 e f.onnx:0:1 refused.onnx:1:1 ", 5, "k", 0, "with one");
    is_string("d/never.onnx a.onnx", ends, "it is the last");
}

static void test_stop(void)
{
    struct buffer notes = {0};
    struct opshift_models *models = zoo();
    double most = 0.4;
    const struct opshift_many_options options = {
        .worker = &worker, .done = note, .done_data = &notes, .progress = stop, .progress_data = &most};
    is_int(OPSHIFT_CANCELLED, opshift_many(models, &options, &error), "stopped");
    is_string("stopped after 2 of 5 models", error.text, "it tells how far");
    opshift_models_free(models);
    buffer_free(&notes);
}

int main(void)
{
    tree_make();
    tree_write("zoo/a.onnx", "a");
    tree_write("zoo/d/never.onnx", "b");
    tree_write("zoo/d/once.onnx", "c");
    tree_write("zoo/e f.onnx", "d");
    tree_write("zoo/refused.onnx", "e");
    test_runs();
    test_suspects();
    test_stop();
    tree_remove();
    return done();
}
