/* Options of commands that verify, for running both whole models. */
#include "whole_options.h"

#include <stdlib.h>
#include <string.h>

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

/* Reads inputs given by sizes only. */
static enum opshift_status drawn_read(struct whole_run *whole, struct opshift_verify_options *how,
                                      struct opshift_error *error)
{
    const struct opshift_given *given = &whole->given;
    whole->drawn = calloc(given->shape_count + given->dim_count + 1, sizeof(*whole->drawn));
    if (whole->drawn == NULL)
        return fail(error, OPSHIFT_MEMORY, "no memory");
    for (size_t i = 0; i < given->shape_count; i++) {
        const char *equals = strrchr(given->shapes[i], '=');
        if (equals == NULL || equals[1 + strspn(equals + 1, "0123456789x,")] == '\0')
            whole->drawn[how->shape_count++] = given->shapes[i];
    }
    for (size_t i = 0; i < given->dim_count; i++)
        whole->drawn[how->shape_count++] = given->dims[i];
    how->shapes = whole->drawn;
    return OPSHIFT_OK;
}

enum opshift_status whole_read(const char *command, struct opshift_model *before, bool replay, bool assume,
                               struct whole_run *whole, struct opshift_verify_options *how, struct opshift_error *error)
{
    whole->given = given_options();
    if (assume)
        how->given = &whole->given;
    whole->tolerance = (struct opshift_tolerance){.exact = whole_settings.tolerance == NULL};
    whole->run = run_options();
    how->memory = whole->run.memory;
    how->steps = whole->run.steps;
    if (whole_settings.tolerance != NULL && !read_tolerance(whole_settings.tolerance, &whole->tolerance))
        return fail(error, OPSHIFT_USAGE, "%s: option '--tolerance': '%s' must be written as REL or REL,ABS", command,
                    whole_settings.tolerance);
    how->whole = run_settings.engine == NULL && !replay ? NULL : &whole->run;
    how->draws = (unsigned)whole_settings.draws;
    how->tolerance = &whole->tolerance;
    enum opshift_status status = drawn_read(whole, how, error);
    if (status || input_settings.inputs.count == 0)
        return status;
    status = opshift_values_new(&whole->inputs, error);
    how->inputs = whole->inputs;
    return status == OPSHIFT_OK ? inputs_read(before, whole->inputs, error) : status;
}

void whole_free(struct whole_run *whole)
{
    opshift_values_free(whole->inputs);
    free(whole->drawn);
}
