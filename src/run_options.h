/* Options of all commands that run models. */
#ifndef SRC_RUN_OPTIONS_H
#define SRC_RUN_OPTIONS_H

#include "command.h"

/* Where their values are stored. */
struct run_settings {
    const char *engine, *ort;
    int64_t memory_mib, steps, seconds;
};

extern struct run_settings run_settings;
extern const char *const run_engines[];

/* Rows for a command's table. */
#define RUN_OPTIONS                                                                                                    \
    {.name = "engine",                                                                                                 \
     .value = "NAME",                                                                                                  \
     .text = &run_settings.engine,                                                                                     \
     .choices = run_engines,                                                                                           \
     .help = "what computes the model: builtin (the default) or onnxruntime"},                                         \
        RUN_LIMIT_OPTIONS, RUN_LIBRARY_OPTIONS

/* Limits of a run. */
#define RUN_LIMIT_OPTIONS                                                                                              \
    {.name = "max-memory",                                                                                             \
     .value = "MIB",                                                                                                   \
     .number = &run_settings.memory_mib,                                                                               \
     .least = 1,                                                                                                       \
     .most = INT64_C(1) << 40,                                                                                         \
     .help = "limit of the memory of all values together; default 192 plus twice the weights, "                        \
             "with onnxruntime 16384"},                                                                                \
    {                                                                                                                  \
        .name = "max-steps", .value = "N", .number = &run_settings.steps, .least = 1, .most = INT64_MAX,               \
        .help = "limit of the built-in kernels' work, in steps of about a nanosecond; "                                \
                "default 6000000000"                                                                                   \
    }

/* Options for ONNX Runtime only. */
#define RUN_LIBRARY_OPTIONS                                                                                            \
    {.name = "ort",                                                                                                    \
     .value = "FILE",                                                                                                  \
     .text = &run_settings.ort,                                                                                        \
     .help = "ONNX Runtime's shared library; default: OPSHIFT_ORT, else found by the dynamic loader"},                 \
    {                                                                                                                  \
        .name = "max-seconds", .value = "N", .number = &run_settings.seconds, .least = 1, .most = 1000000,             \
        .help = "time limit of a run of ONNX Runtime; default 120"                                                     \
    }

struct opshift_run_options run_options(void);

#endif
