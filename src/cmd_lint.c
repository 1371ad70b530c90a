/* opshift lint: everything that is wrong with models. */
#include <string.h>

#include "output.h"

static struct text_list formats;

static const struct option options[] = {
    {.name = "format",
     .letter = 'f',
     .value = "FORMAT",
     .list = &formats,
     .help = "print the findings as text (the default)"},
    {0},
};

static bool write_out(void *data, const char *bytes, size_t size)
{
    return fwrite(bytes, 1, size, data) == size;
}

/* The gravest of two answers, by the exit status that it gives. */
static enum opshift_status graver(enum opshift_status a, enum opshift_status b)
{
    return a > b ? a : b;
}

static enum opshift_status lint_all(const struct opshift_lint *lint, struct opshift_lint_writer *writer, char **paths,
                                    size_t count, struct opshift_error *error)
{
    enum opshift_status answer = OPSHIFT_OK, status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        struct opshift_findings *findings = NULL;
        status = opshift_lint_file(lint, paths[i], &findings, error);
        if (status == OPSHIFT_OK) {
            answer = graver(answer, opshift_findings_status(findings));
            status = opshift_lint_writer_add(writer, findings, error);
        }
        opshift_findings_free(findings);
    }
    if (status == OPSHIFT_OK)
        status = opshift_lint_writer_finish(writer, error);
    return status ? status : answer;
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    struct opshift_lint_options wanted = {0};
    struct opshift_lint *lint = NULL;
    struct opshift_lint_writer *writer = NULL;
    const char *format = formats.count ? formats.items[0] : "text";
    enum opshift_status status = opshift_lint_new(&wanted, &lint, error);
    if (status == OPSHIFT_OK)
        status = opshift_lint_writer_new(lint, format, write_out, stdout, &writer, error);
    if (status == OPSHIFT_OK)
        status = lint_all(lint, writer, arguments, count, error);
    opshift_lint_writer_free(writer);
    opshift_lint_free(lint);
    return status;
}

const struct command command_lint = {
    .name = "lint",
    .arguments = "MODEL... [OPTION]...",
    .summary = "say everything that is wrong with models",
    .description =
        "Checks models and prints what is wrong, unportable or unsafe, all of it in one run, each finding with "
        "a stable id, its place and the way out.",
    .examples = "opshift lint net.onnx",
    .options = options,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
