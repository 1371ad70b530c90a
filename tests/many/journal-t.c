/* A journal: what it tells is read again, cut at any place; one writer; the summary of several. */
#include "many/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "tests/many/tree.h"
#include "tests/tap/tap.h"

#define ODD "a b\n\xff.onnx"

static struct opshift_error error;
static const char *const options[] = {"--opset=18"};
static const struct opshift_journal_options usual = {.command = "convert", .options = options, .option_count = 1};

static struct opshift_journal *opened(const char *path, const struct opshift_journal_options *how)
{
    struct opshift_journal *journal = NULL;
    error = (struct opshift_error){0};
    is_int(OPSHIFT_OK, opshift_journal_open(path, how, &journal, &error), "%s is opened", path);
    return journal;
}

static void end(struct opshift_journal *journal, const char *name, enum opshift_outcome outcome,
                enum opshift_status status, const char *text)
{
    struct opshift_result result = {.name = name, .outcome = outcome, .status = status, .seconds = 0.25};
    memcpy(result.hash, "abc", 4);
    if (status == OPSHIFT_NO)
        result.reasons = text;
    else
        result.message = text;
    if (opshift_journal_end(journal, &result, &error) != OPSHIFT_OK)
        diag("%s", error.text);
}

/* Five models: done, refused, killed, begun, and one of two lives. */
static void usual_write(void)
{
    struct opshift_journal *journal = opened("usual.jsonl", &usual);
    static const char *const names[] = {ODD, "refused", "killed", "begun", "twice", "twice"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (opshift_journal_begin(journal, names[i], &error) != OPSHIFT_OK)
            diag("%s", error.text);
    end(journal, ODD, OPSHIFT_OUTCOME_DONE, OPSHIFT_OK, "");
    end(journal, "refused", OPSHIFT_OUTCOME_REFUSED, OPSHIFT_NO, "Resize: why\nSplit: how");
    end(journal, "twice", OPSHIFT_OUTCOME_FAILED, OPSHIFT_IO, "no disk");
    end(journal, "killed", OPSHIFT_OUTCOME_KILLED, OPSHIFT_UNSUPPORTED, "crashed");
    end(journal, "twice", OPSHIFT_OUTCOME_DONE, OPSHIFT_OK, "");
    opshift_journal_free(journal);
}

static void test_done(void)
{
    struct opshift_journal *journal = opened("usual.jsonl", &usual);
    ok(opshift_journal_is_done(journal, ODD, "abc", NULL), "what is done is done, whatever its name");
    ok(!opshift_journal_is_done(journal, ODD, "abd", NULL), "not with another hash");
    ok(opshift_journal_is_done(journal, "refused", "abc", NULL), "a refusal stays");
    ok(!opshift_journal_is_done(journal, "killed", "abc", NULL), "what was killed is not done");
    ok(!opshift_journal_is_done(journal, "begun", "abc", NULL), "nor is what was begun");
    ok(opshift_journal_is_done(journal, "twice", "abc", NULL), "the last end counts");
    ok(!opshift_journal_is_done(journal, "other", "abc", NULL), "nothing is told of others");
    opshift_journal_free(journal);
    static const char *const other[] = {"--opset=17"};
    struct opshift_journal_options changed = usual;
    changed.options = other;
    journal = opened("usual.jsonl", &changed);
    ok(!opshift_journal_is_done(journal, ODD, "abc", NULL), "with another option all is open");
    opshift_journal_free(journal);
    changed = usual;
    changed.versions = "rules 2";
    journal = opened("usual.jsonl", &changed);
    ok(!opshift_journal_is_done(journal, ODD, "abc", NULL), "with other rules, too");
    opshift_journal_free(journal);
}

/* Cut anywhere: no line is lost but the last, and the next line stands for itself. */
static void test_cut(void)
{
    char *whole = tree_read("usual.jsonl");
    size_t size = whole ? strlen(whole) : 0, wrong = 0;
    for (size_t cut = 0; cut <= size; cut++) {
        struct journal_entries all = {0}, most = {0};
        const char *last = cut < size ? memrchr(whole, '\n', cut) : NULL;
        size_t lines = cut == size ? cut : last ? (size_t)(last - whole) + 1 : 0;
        wrong += entries_read(&all, whole, cut, &error) || entries_read(&most, whole, lines, &error);
        wrong += all.count < most.count || all.count > most.count + 1 || most.torn > 0 || all.torn > 1;
        entries_free(&all);
        entries_free(&most);
    }
    ok(size > 1000 && wrong == 0, "cut at any byte, it loses one line at most");
    whole[size - 30] = '\0';
    tree_write("cut.jsonl", whole);
    free(whole);
    struct opshift_journal *journal = opened("cut.jsonl", &usual);
    is_int(1, (int64_t)journal->entries.torn, "one that is cut has a torn line");
    ok(opshift_journal_is_done(journal, ODD, "abc", NULL), "the others are whole");
    end(journal, "twice", OPSHIFT_OUTCOME_DONE, OPSHIFT_OK, "");
    opshift_journal_free(journal);
    journal = opened("cut.jsonl", &usual);
    ok(opshift_journal_is_done(journal, "twice", "abc", NULL), "what is appended is not torn with it");
    is_int(1, (int64_t)journal->entries.torn, "and nothing else is");
    opshift_journal_free(journal);
}

static void test_refused(void)
{
    struct opshift_journal *journal = opened("lock.jsonl", &usual), *second = NULL;
    pid_t child = fork();
    if (child == 0)
        _exit(opshift_journal_open("lock.jsonl", &usual, &second, NULL) == OPSHIFT_USAGE ? 0 : 1);
    int status = 1;
    waitpid(child, &status, 0);
    is_int(0, status, "a second process is refused");
    opshift_journal_free(journal);
    const struct opshift_shard shard = {2, 3};
    struct opshift_journal_options shared = usual;
    shared.shard = &shard;
    is_int(OPSHIFT_USAGE, opshift_journal_open("lock.jsonl", &shared, &journal, &error), "another shard, too");
    is_string(
        "lock.jsonl: is the journal of shard 1/1, and this is shard 2/3; give the same --shard, or another journal",
        error.text, "both are told");
    tree_write("none.jsonl", "{\"a\":1}\n[]\n");
    is_int(OPSHIFT_USAGE, opshift_journal_open("none.jsonl", &usual, &journal, &error), "a file that is no journal");
    is_string("none.jsonl: is not a journal; name another file", error.text, "it is named");
    char *kept = tree_read("none.jsonl");
    is_string("{\"a\":1}\n[]\n", kept, "it stays");
    free(kept);
}

static void summary_is(const char *wanted, const char *format, const char *const *paths, size_t count, const char *what)
{
    char *text = NULL;
    size_t size = 0;
    enum opshift_status gravest;
    const struct opshift_summary_options how = {.format = format};
    is_int(OPSHIFT_OK, opshift_journal_summary(paths, count, &how, &text, &size, &gravest, &error), "%s", what);
    is_string(wanted, text, "%s", what);
    is_int(OPSHIFT_IO, gravest, "what is not ended is the gravest");
    opshift_text_free(text);
}

static void test_summary(void)
{
    static const char *const usual_alone[] = {"usual.jsonl"}, *const both[] = {"usual.jsonl", "later.jsonl"};
    summary_is("1 model: Resize: why (refused)\n1 model: Split: how (refused)\nunfinished: begun: begun, and not "
               "ended\nkilled: killed: "
               "crashed\ndone       2\nrefused    1\nmalformed  0\nfailed     0\nkilled     1\nunfinished 1\n",
               "text", usual_alone, 1, "one journal");
    summary_is("begun\nkilled\n", "names", usual_alone, 1, "what is to be run again");
    struct opshift_journal *journal = opened("later.jsonl", &usual);
    opshift_journal_begin(journal, "begun", &error);
    end(journal, "begun", OPSHIFT_OUTCOME_REFUSED, OPSHIFT_NO, "Split: how");
    opshift_journal_begin(journal, "refused", &error);
    opshift_journal_free(journal);
    summary_is("1 model: Split: how (begun)\nkilled: killed: crashed\nunfinished: refused: begun, and "
               "not ended\ndone       2\nrefused    1\nmalformed  0\nfailed     0\nkilled     1\nunfinished 1\n",
               "text", both, 2, "two journals, of which the later line counts");
}

/* The array that failed tasks are of. */
static void test_slurm(void)
{
    static const char *const paths[] = {"slurm.jsonl"};
    const struct opshift_shard shard = {2, 4};
    struct opshift_journal_options shared = usual;
    char name[16], wanted[80];
    unsigned number = 0;
    shared.shard = &shard;
    do
        snprintf(name, sizeof(name), "m%u", number++);
    while (opshift_shard_of(name, 4) != 2);
    setenv("SLURM_ARRAY_TASK_MIN", "10", 1);
    setenv("SLURM_ARRAY_TASK_MAX", "16", 1);
    setenv("SLURM_ARRAY_TASK_STEP", "2", 1);
    struct opshift_journal *journal = opened("slurm.jsonl", &shared);
    opshift_journal_begin(journal, name, &error);
    opshift_journal_free(journal);
    snprintf(wanted, sizeof(wanted), "--array=12 --export=ALL,OPSHIFT_ARRAY=10-16:2\n");
    summary_is(wanted, "slurm", paths, 1, "the task of what is open");
}

int main(void)
{
    tree_make();
    usual_write();
    test_done();
    test_cut();
    test_refused();
    test_summary();
    test_slurm();
    tree_remove();
    return done();
}
