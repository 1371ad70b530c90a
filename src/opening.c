/* The options of every command that opens models: limits, external data, time. */
#include "opening.h"

#include <stdlib.h>
#include <string.h>

#include "interrupt.h"

struct opening_settings opening_settings;
const char *const external_policies[] = {"strict", "inside", "hf-cache", "none", NULL}; /* in the order of the enum */

/* "NAME=N"; N may end in K, M or G (powers of 1024). */
static enum opshift_status limit_read(const char *text, struct opshift_limits *limits, struct opshift_error *error)
{
    static const char units[] = "KMG";
    char name[32] = "", *end = NULL;
    size_t size = strcspn(text, "=");
    unsigned long long value = 0;
    if (text[size] == '=' && text[size + 1] >= '0' && text[size + 1] <= '9' && size < sizeof name) {
        memcpy(name, text, size);
        value = strtoull(text + size + 1, &end, 10);
    }
    const char *unit = end && *end ? strchr(units, *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (end == NULL || end[unit != NULL] != '\0' || value > UINT64_MAX >> shift)
        return fail(error, OPSHIFT_USAGE, "option '--limit': '%s' is not NAME=N; write --limit nodes=1000000", text);
    return opshift_limit_set(limits, name, (uint64_t)value << shift, error);
}

enum opshift_status opening_read(struct opshift_open_options *options, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    opening_settings.read = (struct opshift_limits){0};
    *options = (struct opshift_open_options){.limits = &opening_settings.read, .opset = opening_settings.read_as};
    for (size_t i = 0; status == OPSHIFT_OK && i < opening_settings.limits.count; i++)
        status = limit_read(opening_settings.limits.items[i], &opening_settings.read, error);
    for (int i = 0; opening_settings.external && external_policies[i]; i++)
        if (strcmp(external_policies[i], opening_settings.external) == 0)
            options->external = (enum opshift_external_policy)i;
    return status;
}

enum opshift_status opening_open(const char *path, struct opshift_model **model, struct opshift_error *error)
{
    struct opshift_open_options options;
    enum opshift_status status = opening_read(&options, error);
    return status ? status : opshift_model_open(path, &options, model, error);
}

void opening_start_clock(void)
{
    if (opening_settings.timeout > 0)
        interrupt_after((unsigned)opening_settings.timeout);
}
