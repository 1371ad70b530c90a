/* opshift test: runs ONNX's backend test cases, unchanged and after a conversion. */
#include <dirent.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "many.h"
#include "opening.h"
#include "options.h"
#include "print.h"
#include "run_options.h"

/* Maximum depth of directories, with --recursive. */
#define DEPTH_MAX 16

static bool exact;
static int64_t target;
static const char *relative_text, *absolute_text;

static const struct option options[] = {
    {.name = "recursive",
     .letter = 'r',
     .flag = &many_settings.recursive,
     .help = "also look for cases in all directories below"},
    {.name = "jobs",
     .letter = 'j',
     .value = "N",
     .number = &many_settings.jobs,
     .least = 1,
     .most = 256,
     .help = "run N cases at once; default 1"},
    {.name = "convert",
     .value = "N",
     .number = &target,
     .least = 1,
     .most = OPSHIFT_OPSET_NEWEST,
     .help = "also run each case after a conversion to opset N, in memory"},
    {.name = "exact", .flag = &exact, .help = "compare bit by bit"},
    {.name = "rtol", .value = "X", .text = &relative_text, .help = "relative tolerance; default 1e-3, as in ONNX"},
    {.name = "atol",
     .value = "X",
     .text = &absolute_text,
     .help =
         "absolute tolerance; default 1e-7, as in ONNX, or what the output's largest float is rounded by, up to 1e-5"},
    RUN_OPTIONS,
    FLEET_OPTIONS,
    OPENING_OPTIONS,
    {0},
};

struct case_tally {
    uint64_t cases, passed, failed, skipped;
    struct opshift_tolerance tolerance;
    struct opshift_error unread; /* the error of the first unreadable case */
};

/* ---- paths ---- */

static char *join(const char *directory, const char *name)
{
    size_t size = strlen(directory);
    char *path = malloc(size + strlen(name) + 2);
    if (path != NULL)
        sprintf(path, "%s%s%s", directory, size > 0 && directory[size - 1] == '/' ? "" : "/", name);
    return path;
}

static enum opshift_status not_opened(const char *path, struct opshift_error *error)
{
    return fail(error, OPSHIFT_IO, "%s: cannot be opened: %s", path, strerror(errno));
}

/* Does a directory contain such a file or directory? */
static enum opshift_status look_for(const char *directory, const char *name, bool *found, struct opshift_error *error)
{
    struct stat about;
    enum opshift_status status = OPSHIFT_OK;
    char *path = join(directory, name);
    *found = false;
    if (path == NULL)
        return fail(error, OPSHIFT_MEMORY, "out of memory");
    *found = stat(path, &about) == 0;
    if (!*found && errno != ENOENT && errno != ENOTDIR)
        status = not_opened(path, error);
    free(path);
    return status;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* ---- results, in the Test Anything Protocol ---- */

static void print_case(struct case_tally *tally, const char *directory, const char *how, const char *result)
{
    printf("%s %llu - ", result, (unsigned long long)++tally->cases);
    print_shown(stdout, directory);
    fputs(how, stdout);
}

static void passed(struct case_tally *tally, const char *directory, const char *how)
{
    print_case(tally, directory, how, "ok");
    putchar('\n');
    tally->passed++;
}

static void skipped(struct case_tally *tally, const char *directory, const char *how, const char *why)
{
    print_case(tally, directory, how, "ok");
    printf(" # SKIP %s\n", why);
    tally->skipped++;
}

/* An unreadable case counts as neither passed nor failed: it has its own exit status. */
static void failed(struct case_tally *tally, const char *directory, const char *how, const struct opshift_error *why)
{
    print_case(tally, directory, how, "not ok");
    printf("\n# %s\n", why->text);
    tally->failed++;
    if ((why->status == OPSHIFT_IO || why->status == OPSHIFT_MEMORY) && tally->unread.status == OPSHIFT_OK)
        tally->unread = *why;
}

/* ---- one set of data ---- */

/* input_0.pb, input_1.pb, ... are the values of the required inputs, in order. */
static enum opshift_status read_inputs(struct opshift_model *model, const char *data, struct opshift_values *values,
                                       struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    size_t number = 0;
    for (size_t i = 0; i < opshift_model_input_count(model) && status == OPSHIFT_OK; i++) {
        char name[40];
        snprintf(name, sizeof name, "input_%zu.pb", number);
        if (!opshift_model_input_is_required(model, i))
            continue;
        number++;
        char *path = join(data, name);
        if (path == NULL)
            return fail(error, OPSHIFT_MEMORY, "out of memory");
        status = opshift_values_read(values, model, opshift_model_input_name(model, i), path, error);
        free(path);
    }
    return status;
}

/* ONNX's default, or how much a sum of floats as large as the greatest one can be off. */
static double rounding_of(const struct opshift_value *wanted)
{
    const float *data = opshift_value_data(wanted, NULL);
    double largest = 0;
    if (data == NULL || opshift_value_type(wanted) != OPSHIFT_TYPE_FLOAT)
        return 1e-7;
    for (uint64_t i = 0; i < opshift_value_count(wanted); i++)
        largest = isfinite(data[i]) ? fmax(largest, fabs((double)data[i])) : largest;
    return fmax(1e-7, fmin(1e-5, (double)FLT_EPSILON * largest));
}

static enum opshift_status compare_output(struct opshift_model *model, const char *data, size_t number,
                                          const struct opshift_values *made, const struct opshift_tolerance *tolerance,
                                          struct opshift_error *error)
{
    const char *output = opshift_model_output_name(model, number);
    struct opshift_tolerance own = *tolerance;
    struct opshift_values *wanted = NULL;
    char name[40];
    snprintf(name, sizeof name, "output_%zu.pb", number);
    bool found;
    enum opshift_status status = look_for(data, name, &found, error);
    if (status || !found)
        return status;
    char *path = join(data, name);
    status = path == NULL ? fail(error, OPSHIFT_MEMORY, "out of memory") : opshift_values_new(&wanted, error);
    if (status == OPSHIFT_OK)
        status = opshift_values_read(wanted, model, output, path, error);
    if (status == OPSHIFT_OK && absolute_text == NULL)
        own.absolute = rounding_of(opshift_values_at(wanted, 0));
    if (status == OPSHIFT_OK)
        status = opshift_value_compare(opshift_values_at(made, number), opshift_values_at(wanted, 0), &own, error);
    if (status == OPSHIFT_NO) {
        char words[OPSHIFT_ERROR_SIZE];
        snprintf(words, sizeof words, "%s", error->text);
        fail(error, OPSHIFT_NO, "output '%s': %s", output, words);
    }
    free(path);
    opshift_values_free(wanted);
    return status;
}

static enum opshift_status run_set(struct opshift_model *model, const char *data,
                                   const struct opshift_tolerance *tolerance, struct opshift_error *error)
{
    struct opshift_run_options how = run_options();
    struct opshift_values *given = NULL, *made = NULL;
    enum opshift_status status = opshift_values_new(&given, error);
    how.ignore_shapes = true; /* some of ONNX's own cases have data of another shape than declared */
    if (status == OPSHIFT_OK)
        status = read_inputs(model, data, given, error);
    if (status == OPSHIFT_OK)
        status = opshift_run(model, given, &how, &made, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < opshift_model_output_count(model); i++)
        status = compare_output(model, data, i, made, tolerance, error);
    opshift_values_free(made);
    opshift_values_free(given);
    return status;
}

/* Runs every test_data_set_*. */
static void run_sets(struct case_tally *tally, struct opshift_model *model, const char *directory, const char *how)
{
    struct opshift_error error = {0};
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, is_visible, by_name), sets = 0;
    enum opshift_status status = count < 0 ? not_opened(directory, &error) : OPSHIFT_OK;
    for (int i = 0; i < count; i++) {
        if (status == OPSHIFT_OK && strncmp(entries[i]->d_name, "test_data_set_", 14) == 0) {
            char *data = join(directory, entries[i]->d_name);
            status = data == NULL ? fail(&error, OPSHIFT_MEMORY, "out of memory")
                                  : run_set(model, data, &tally->tolerance, &error);
            free(data);
            sets++;
        }
        free(entries[i]);
    }
    free(entries);
    if (status == OPSHIFT_UNSUPPORTED)
        skipped(tally, directory, how, error.text);
    else if (status)
        failed(tally, directory, how, &error);
    else if (sets == 0)
        skipped(tally, directory, how, "has no test_data_set_*");
    else
        passed(tally, directory, how);
}

/* ---- one case ---- */

static void run_model(struct case_tally *tally, struct opshift_model *model, const char *directory, const char *how)
{
    const struct opshift_run_options options_of_run = run_options();
    struct opshift_error error = {0};
    enum opshift_status status = opshift_run_check(model, &options_of_run, &error);
    if (status == OPSHIFT_UNSUPPORTED)
        skipped(tally, directory, how, error.text);
    else if (status)
        failed(tally, directory, how, &error);
    else
        run_sets(tally, model, directory, how);
}

static void run_converted(struct case_tally *tally, struct opshift_model *model, const char *directory)
{
    const struct opshift_goal goal = {.opset = target};
    struct opshift_error error = {0};
    struct opshift_output *written = NULL;
    struct opshift_model *converted = NULL;
    char how[40];
    snprintf(how, sizeof how, " at opset %lld", (long long)target);
    enum opshift_status status = opshift_convert(model, &goal, NULL, &error);
    if (status == OPSHIFT_NO) {
        skipped(tally, directory, how, error.text[0] != '\0' ? error.text : "cannot be converted");
        return;
    }
    /* Standard output is written only by a commit, and there is none here. */
    if (status == OPSHIFT_OK)
        status = opshift_model_write(model, "-", NULL, &written, &error);
    if (status == OPSHIFT_OK)
        status = opshift_output_open(written, &converted, &error);
    if (status == OPSHIFT_OK)
        run_model(tally, converted, directory, how);
    else
        failed(tally, directory, how, &error);
    opshift_model_free(converted);
    opshift_output_free(written);
}

static void run_case(struct case_tally *tally, const char *directory)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    char *path = join(directory, "model.onnx");
    if (path == NULL) {
        fail(&error, OPSHIFT_MEMORY, "out of memory");
        failed(tally, directory, "", &error);
        return;
    }
    if (opening_open(path, &model, &error) == OPSHIFT_OK) {
        run_model(tally, model, directory, "");
        if (target != 0)
            run_converted(tally, model, directory);
    } else {
        failed(tally, directory, "", &error);
    }
    opshift_model_free(model);
    free(path);
}

/* ---- directories ---- */

static enum opshift_status run_directory(struct case_tally *tally, const char *directory, unsigned depth,
                                         struct opshift_error *error)
{
    struct dirent **entries = NULL;
    bool is_case;
    enum opshift_status status = look_for(directory, "model.onnx", &is_case, error);
    if (status == OPSHIFT_OK && is_case)
        run_case(tally, directory);
    if (status || is_case || !many_settings.recursive)
        return status;
    if (depth > DEPTH_MAX) {
        fail(&tally->unread, OPSHIFT_IO, "%.512s: is more than %d directories deep; name a directory nearer to it",
             directory, DEPTH_MAX);
        tell("%s", tally->unread.text);
        return OPSHIFT_OK;
    }
    int count = scandir(directory, &entries, is_visible, by_name);
    if (count < 0 && depth > 0) { /* the other directories are run all the same */
        not_opened(directory, &tally->unread);
        tell("%s", tally->unread.text);
        return OPSHIFT_OK;
    }
    if (count < 0)
        return not_opened(directory, error);
    for (int i = 0; i < count; i++) {
        char *path = join(directory, entries[i]->d_name);
        struct stat about;
        if (path == NULL)
            status = fail(error, OPSHIFT_MEMORY, "out of memory");
        else if (status == OPSHIFT_OK && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
            status = run_directory(tally, path, depth + 1, error);
        free(path);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static enum opshift_status run_argument(struct case_tally *tally, const char *directory, struct opshift_error *error)
{
    struct stat about;
    uint64_t before = tally->cases;
    if (stat(directory, &about) != 0)
        return not_opened(directory, error);
    if (!S_ISDIR(about.st_mode))
        return fail(error, OPSHIFT_USAGE,
                    "%s: is not a directory; a case is a directory with model.onnx and test_data_set_0", directory);
    enum opshift_status status = run_directory(tally, directory, 0, error);
    if (status == OPSHIFT_OK && tally->cases == before)
        return fail(error, OPSHIFT_USAGE, "%s: holds no model.onnx%s", directory,
                    many_settings.recursive ? ", nor does a directory below it"
                                            : "; -r looks into the directories below");
    return status;
}

static enum opshift_status read_tolerance(const char *name, const char *text, double *value,
                                          struct opshift_error *error)
{
    const char *end;
    if (text != NULL && (!read_real(text, value, &end) || *end != '\0'))
        return fail(error, OPSHIFT_USAGE, "test: --%s must be a number from 0 on, not '%s'", name, text);
    return OPSHIFT_OK;
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct case_tally tally = {.tolerance = {.exact = exact, .relative = 1e-3}};
    enum opshift_status status = read_tolerance("rtol", relative_text, &tally.tolerance.relative, error);
    if (status == OPSHIFT_OK)
        status = read_tolerance("atol", absolute_text, &tally.tolerance.absolute, error);
    if (status)
        return status;
    if (!many_is_working())
        puts("TAP version 13");
    for (size_t i = 0; i < count && status == OPSHIFT_OK; i++)
        status = run_argument(&tally, arguments[i], error);
    many_give_counts("%llu passed, %llu failed, %llu skipped", (unsigned long long)tally.passed,
                     (unsigned long long)tally.failed, (unsigned long long)tally.skipped);
    if (!many_is_working())
        printf("1..%llu\n# %llu passed, %llu failed, %llu skipped\n", (unsigned long long)tally.cases,
               (unsigned long long)tally.passed, (unsigned long long)tally.failed, (unsigned long long)tally.skipped);
    if (status)
        return status;
    if (tally.unread.status)
        *error = tally.unread;
    else if (tally.failed > 0)
        return OPSHIFT_NO;
    return tally.unread.status;
}

static const struct many many = {.listing = true, .cases = true};

const struct command command_test = {
    .name = "test",
    .arguments = "DIR... [OPTION]...",
    .summary = "run ONNX backend test cases",
    .description =
        "A case is a directory with model.onnx and test_data_set_0, test_data_set_1, ..., each with input_0.pb, ..., "
        "and "
        "output_0.pb, ..., as in ONNX itself. Each is run and its outputs are compared. Results are in the "
        "Test Anything Protocol.\n\n"
        "A case is skipped, with the reason, when an operator has no kernel, when it is beyond a limit, or when it "
        "cannot be converted. The exit "
        "status is 1 when a case fails, and 4 when one cannot be read.",
    .examples = "opshift test -r /usr/share/libonnx-testdata/data/node\n"
                "opshift test -r cases --convert 18",
    .options = options,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
    .many = &many,
};
