/* Options of commands that verify, for running both whole models. */
#ifndef SRC_WHOLE_OPTIONS_H
#define SRC_WHOLE_OPTIONS_H

#include "given_options.h"
#include "input_options.h"
#include "run_options.h"

struct whole_settings {
    const char *tolerance;
    int64_t draws;
};

extern struct whole_settings whole_settings;

/* Rows for a command's table. */
#define WHOLE_OPTIONS                                                                                                  \
    {.name = "engine",                                                                                                 \
     .value = "NAME",                                                                                                  \
     .text = &run_settings.engine,                                                                                     \
     .choices = run_engines,                                                                                           \
     .needs = NAMES("verify"),                                                                                         \
     .help = "also run both whole models on the same random inputs: builtin or onnxruntime"},                          \
        {.name = "tolerance",                                                                                          \
         .value = "REL[,ABS]",                                                                                         \
         .text = &whole_settings.tolerance,                                                                            \
         .needs = NAMES("engine", "replay"),                                                                           \
         .help = "tolerance of --engine's outputs; default: equal bit by bit"},                                        \
        {.name = "draws",                                                                                              \
         .value = "N",                                                                                                 \
         .number = &whole_settings.draws,                                                                              \
         .least = 1,                                                                                                   \
         .most = 1000,                                                                                                 \
         .needs = NAMES("engine", "replay"),                                                                           \
         .help = "number of random inputs of --engine; default 3"},                                                    \
        INPUT_OPTION(NAMES("engine", "replay")), GIVEN_OPTIONS, RUN_LIMIT_OPTIONS, RUN_LIBRARY_OPTIONS

/* Values of the options. */
struct whole_run {
    struct opshift_run_options run;
    struct opshift_tolerance tolerance;
    struct opshift_values *inputs;
    struct opshift_given given;
    const char **drawn; /* sizes given for random inputs */
};

/* Fills how; whole must outlive it, and is freed by the caller. replay: the certificate decides whether the models
 * are run. assume: given shapes also count for the proofs. USAGE. */
enum opshift_status whole_read(const char *command, struct opshift_model *before, bool replay, bool assume,
                               struct whole_run *whole, struct opshift_verify_options *how,
                               struct opshift_error *error);
void whole_free(struct whole_run *whole);

#endif
