/* Options for the inputs that models are run on. */
#ifndef SRC_INPUT_OPTIONS_H
#define SRC_INPUT_OPTIONS_H

#include "command.h"

struct input_settings {
    struct option_values inputs, shapes;
};

extern struct input_settings input_settings;

/* Rows for a command's table: files of inputs; shapes of random inputs. */
#define INPUT_OPTION(others)                                                                                           \
    {                                                                                                                  \
        .name = "input", .letter = 'i', .value = "NAME=FILE", .list = &input_settings.inputs, .needs = (others),       \
        .help = "read an input from FILE: .npy, .npz or .pb; FILE.npz alone gives every input in it"                   \
    }
#define INPUT_OPTIONS                                                                                                  \
    INPUT_OPTION(NULL),                                                                                                \
        {.name = "shape",                                                                                              \
         .value = "NAME=2x3",                                                                                          \
         .list = &input_settings.shapes,                                                                               \
         .needs = NAMES("random"),                                                                                     \
         .help = "the shape of a random input (NAME= is a scalar), or the size of the symbolic dim NAME"},             \
    {                                                                                                                  \
        .name = "dim", .value = "NAME=4", .list = &input_settings.shapes, .needs = NAMES("random"),                    \
        .help = "the size of the symbolic dim NAME, in random inputs; may be given again"                              \
    }

/* USAGE: a file of --input is also an output. */
enum opshift_status input_files_check(const struct opshift_files *files, struct opshift_error *error);
/* Adds the inputs of --input. */
enum opshift_status inputs_read(struct opshift_model *model, struct opshift_values *values,
                                struct opshift_error *error);

#endif
