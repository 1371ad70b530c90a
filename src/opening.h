/* The options of every command that opens models: limits, external data, time. */
#ifndef SRC_OPENING_H
#define SRC_OPENING_H

#include "command.h"

/* Where their values are stored. */
struct opening_settings {
    struct option_values limits;
    const char *external;
    int64_t timeout, read_as;
    struct opshift_limits read; /* from limits */
};

extern struct opening_settings opening_settings;
extern const char *const external_policies[];

/* Rows for a command's table. */
#define OPENING_OPTIONS                                                                                                \
    {.name = "limit",                                                                                                  \
     .group = "reading the model",                                                                                     \
     .value = "NAME=N",                                                                                                \
     .list = &opening_settings.limits,                                                                                 \
     .help = "refuse a model beyond this limit; NAME is attributes, calls, decode, elements, findings, functions, "    \
             "memory, "                                                                                                \
             "nesting, nodes or outputs, or, for lint's findings, inlined, subgraphs, trips or value; may be given "   \
             "again"},                                                                                                 \
        {.name = "external-policy",                                                                                    \
         .value = "POLICY",                                                                                            \
         .text = &opening_settings.external,                                                                           \
         .choices = external_policies,                                                                                 \
         .help = "read external data below the model's directory, not through links (strict, the default), "           \
                 "through links that stay inside (inside), also from Hugging Face's cache (hf-cache), or not at all "  \
                 "(none)"},                                                                                            \
    {                                                                                                                  \
        .name = "timeout", .value = "SECONDS", .number = &opening_settings.timeout, .least = 1, .most = 1000000,       \
        .help = "stop after so many seconds, with exit status 4"                                                       \
    }

/* Of commands that write the model at another opset, or compare with such a one. */
#define READ_AS_OPTION                                                                                                 \
    {                                                                                                                  \
        .name = "read-as", .value = "N", .number = &opening_settings.read_as, .least = 1,                              \
        .group = "reading the model", .most = OPSHIFT_OPSET_NEWEST,                                                    \
        .help = "read the model, which imports a wrong opset, and its functions as of opset N"                         \
    }

/* Converts the options' values. USAGE: an unknown limit. */
enum opshift_status opening_read(struct opshift_open_options *options, struct opshift_error *error);
/* opshift_model_open with these options. */
enum opshift_status opening_open(const char *path, struct opshift_model **model, struct opshift_error *error);
/* Starts the time limit, if given. */
void opening_start_clock(void);

#endif
