/* The library's version. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "opshift.h"

const char *opshift_version(void)
{
    return PACKAGE_VERSION;
}
