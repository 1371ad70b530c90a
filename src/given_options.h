/* Options for shapes of inputs and sizes of dims that the model does not declare. */
#ifndef SRC_GIVEN_OPTIONS_H
#define SRC_GIVEN_OPTIONS_H

#include "command.h"

struct given_settings {
    struct option_values shapes, dims;
};

extern struct given_settings given_settings;

/* Rows for a command's table. */
#define GIVEN_OPTIONS                                                                                                  \
    {.name = "shape",                                                                                                  \
     .value = "NAME=1x3x224x224",                                                                                      \
     .list = &given_settings.shapes,                                                                                   \
     .help =                                                                                                           \
         "the shape of the input NAME; a dim may be a number, a name, or ? to leave it as it is; commas may stand "    \
         "for the x, and NAME= is a scalar; may be given again"},                                                      \
    {                                                                                                                  \
        .name = "dim", .value = "NAME=4", .list = &given_settings.dims,                                                \
        .help = "the size of the dim that the model calls NAME; may be given again"                                    \
    }

/* Their values; the texts stay in argv. */
struct opshift_given given_options(void);

#endif
