/* The options of commands that verify: running both models whole. */
#include "whole_options.h"

#include <stdlib.h>

#include "options.h"

struct whole_settings whole_settings;

/* "1e-5" or "1e-5,1e-8" */
static bool read_tolerance(const char *text, struct opshift_tolerance *tolerance)
{
    const char *end;
    if (!read_real(text, &tolerance->relative, &end))
        return false;
    return *end == '\0' || (*end == ',' && read_real(end + 1, &tolerance->absolute, &end) && *end == '\0');
}

bool whole_is_asked(void)
{
    return whole_settings.tolerance != NULL || whole_settings.draws > 0 || input_settings.inputs.count > 0 ||
           input_settings.shapes.count > 0;
}

enum opshift_status whole_read(const char *command, struct opshift_model *before, bool replay, struct whole_run *whole,
                               struct opshift_verify_options *how, struct opshift_error *error)
{
    whole->tolerance = (struct opshift_tolerance){.exact = whole_settings.tolerance == NULL};
    whole->run = run_options();
    how->memory = whole->run.memory;
    how->steps = whole->run.steps;
    if (run_settings.engine == NULL && !replay && whole_is_asked())
        return fail(error, OPSHIFT_USAGE,
                    "%s: --tolerance, --draws, --input and --shape are about whole models; add --engine NAME", command);
    if (whole_settings.tolerance != NULL && !read_tolerance(whole_settings.tolerance, &whole->tolerance))
        return fail(error, OPSHIFT_USAGE, "%s: option '--tolerance': '%s' must be written as REL or REL,ABS", command,
                    whole_settings.tolerance);
    how->whole = run_settings.engine == NULL && !replay ? NULL : &whole->run;
    how->draws = (unsigned)whole_settings.draws;
    how->tolerance = &whole->tolerance;
    how->shapes = input_settings.shapes.items;
    how->shape_count = input_settings.shapes.count;
    if (input_settings.inputs.count == 0)
        return OPSHIFT_OK;
    enum opshift_status status = opshift_values_new(&whole->inputs, error);
    how->inputs = whole->inputs;
    return status == OPSHIFT_OK ? inputs_read(before, whole->inputs, error) : status;
}

void whole_free(struct whole_run *whole)
{
    opshift_values_free(whole->inputs);
}
