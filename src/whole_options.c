/* The options of commands that verify: running both models whole. */
#include "whole_options.h"

#include <math.h>
#include <stdlib.h>

struct whole_settings whole_settings;

/* "1e-5" or "1e-5,1e-8" */
static bool read_tolerance(const char *text, struct opshift_tolerance *tolerance)
{
    char *end;
    tolerance->relative = strtod(text, &end);
    bool good = end != text && (*end == '\0' || *end == ',');
    if (good && *end == ',') {
        const char *second = end + 1;
        tolerance->absolute = strtod(second, &end);
        good = end != second && *end == '\0';
    }
    return good && isfinite(tolerance->relative) && isfinite(tolerance->absolute) && tolerance->relative >= 0 &&
           tolerance->absolute >= 0;
}

enum opshift_status whole_read(const char *command, struct opshift_run_options *run,
                               struct opshift_tolerance *tolerance, struct opshift_verify_options *how,
                               struct opshift_error *error)
{
    *tolerance = (struct opshift_tolerance){.exact = whole_settings.tolerance == NULL};
    *run = run_options();
    if (run_settings.engine == NULL && (whole_settings.tolerance != NULL || whole_settings.draws > 0))
        return fail(error, OPSHIFT_USAGE, "%s: --tolerance and --draws are about whole models; add --engine NAME",
                    command);
    if (whole_settings.tolerance != NULL && !read_tolerance(whole_settings.tolerance, tolerance))
        return fail(error, OPSHIFT_USAGE, "%s: option '--tolerance': '%s' must be written as REL or REL,ABS", command,
                    whole_settings.tolerance);
    how->whole = run_settings.engine == NULL ? NULL : run;
    how->draws = (unsigned)whole_settings.draws;
    how->tolerance = tolerance;
    return OPSHIFT_OK;
}
