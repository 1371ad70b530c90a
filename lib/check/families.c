/* The families of checks, in the order of lib/check/Makefile.inc. */
#include "base/ascii.h"
#include "check/family.h"
#include "infer/clash.h"

#define CHECKS(family) extern const struct check checks_##family[];
#include "check/check_list.h"
#undef CHECKS

#define CHECKS(family) checks_##family,
const struct check *const check_families[] = {
#include "check/check_list.h"
    NULL,
};
#undef CHECKS

const struct check *check_find(const char *name)
{
    for (size_t i = 0; check_families[i]; i++)
        for (const struct check *check = check_families[i]; check->id; check++)
            if (ascii_same(check->about.id, name) || ascii_same(check->about.slug, name))
                return check;
    return NULL;
}

const struct check *check_by_id(enum check_id id)
{
    for (size_t i = 0; check_families[i]; i++)
        for (const struct check *check = check_families[i]; check->id; check++)
            if (check->id == id)
                return check;
    return NULL;
}

enum opshift_status check_cite(enum check_id id, struct opshift_error *error)
{
    const struct check *check = check_by_id(id);
    if (error)
        error->fault = FAULT_OF_CHECK;
    return opshift_within(error, OPSHIFT_NO, "%s %s", check->about.id, check->about.slug);
}

size_t opshift_check_count(void)
{
    return CHECK_COUNT;
}

const struct opshift_check *opshift_check_at(size_t index)
{
    return index < CHECK_COUNT ? &check_by_id((enum check_id)(index + 1))->about : NULL;
}

const struct opshift_check *opshift_check_find(const char *name)
{
    const struct check *check = check_find(name);
    return check ? &check->about : NULL;
}
