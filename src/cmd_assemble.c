/* opshift assemble: makes a model from ONNX's textual syntax. */
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "print.h"

static const char *output;

static const struct option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "OUT",
     .text = &output,
     .required = "-o OUT, or -o - for standard output",
     .help = "the file to write; '-' is standard output"},
    {0},
};

static enum opshift_status file_check(const char *text, struct opshift_error *error)
{
    struct opshift_files *files = NULL;
    enum opshift_status status = opshift_files_new("assemble", &files, error);
    if (status == OPSHIFT_OK)
        status = opshift_files_add(files, "option '--output'", output, error);
    if (status == OPSHIFT_OK)
        status = opshift_files_check(files, "the text", text, NULL, error);
    opshift_files_free(files);
    return status;
}

static enum opshift_status run(char **arguments, size_t count, struct opshift_error *error)
{
    char *text = NULL, *bytes = NULL;
    size_t text_size = 0, size = 0;
    enum opshift_status status = file_check(arguments[0], error);
    if (status == OPSHIFT_OK)
        status = opshift_file_read(arguments[0], &text, &text_size, error);
    if (status == OPSHIFT_OK)
        status = opshift_text_to_model(text, text_size, strcmp(arguments[0], "-") == 0 ? "<stdin>" : arguments[0],
                                       &bytes, &size, error);
    if (status == OPSHIFT_OK)
        status = output_write(output, bytes, size, error);
    opshift_text_free(bytes);
    opshift_text_free(text);
    return status;
}

const struct command command_assemble = {
    .name = "assemble",
    .arguments = "FILE -o OUT",
    .summary = "make a model from ONNX's textual syntax",
    .description =
        "Reads a model that is written in ONNX's textual syntax, as 'opshift show --text' prints it, and writes it "
        "in ONNX's binary form. A mistake is reported with its line and column.\n\n"
        "A type is read as ONNX's own parser reads it: 'float' is a scalar, 'float[]' a tensor of unknown rank, "
        "'float[N, 2, ?]' one of rank 3 with a named, a fixed and an unknown dim.\n\n"
        "FILE '-' is standard input.",
    .examples = "opshift assemble net.txt -o net.onnx",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
