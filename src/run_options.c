/* The options that every command has which runs models. */
#include "run_options.h"

struct run_settings run_settings;
const char *const run_engines[] = {"builtin", NULL};

struct opshift_run_options run_options(void)
{
    return (struct opshift_run_options){
        .engine = run_settings.engine,
        .memory = (uint64_t)run_settings.memory_mib << 20,
        .steps = (uint64_t)run_settings.steps,
    };
}
