/* CFG: the table of checks on lint's configuration, in models and in the baseline; lib/lint reports them after all
 * others. */
#include "check/family.h"

const struct check checks_configuration[] = {
    {CHECK(CFG001), .scope = CHECK_FAILURE},
    {CHECK(CFG002), .scope = CHECK_FAILURE},
    {CHECK(CFG003), .scope = CHECK_FAILURE},
    {CHECK(CFG004), .scope = CHECK_FAILURE},
    {0},
};
