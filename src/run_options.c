/* Options of all commands that run models. */
#include "run_options.h"

#include <stdlib.h>

#include "interrupt.h"

struct run_settings run_settings;
const char *const run_engines[] = {"builtin", "onnxruntime", NULL};

/* ONNX Runtime's shared library: from --ort or OPSHIFT_ORT; NULL: found by the dynamic loader. */
static const char *run_library(void)
{
    const char *named = getenv("OPSHIFT_ORT");
    if (run_settings.ort != NULL)
        return run_settings.ort;
    return named == NULL || named[0] == '\0' ? NULL : named;
}

static bool is_wanted(void *data, double progress)
{
    return !interrupt_asked();
}

struct opshift_run_options run_options(void)
{
    return (struct opshift_run_options){
        .engine = run_settings.engine,
        .memory = (uint64_t)run_settings.memory_mib << 20,
        .steps = (uint64_t)run_settings.steps,
        .ort = run_library(),
        .seconds = (unsigned)run_settings.seconds,
        .progress = is_wanted,
    };
}
