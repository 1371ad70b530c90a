/* CFG: the table for what a lint is told, in models and in the baseline; lib/lint finds these when all else was found.
 */
#include "check/family.h"

const struct check configuration_checks[] = {
    {.about = {.id = "CFG001",
               .slug = "suppression-without-reason",
               .severity = OPSHIFT_SEVERITY_WARNING,
               .summary = "a suppression in the model gives no reason",
               .why = "Who reads the model later cannot know whether the reason still holds; it has no effect.",
               .mend = "Write 'ID: reason' as the value of opshift.ignore."},
     .scope = CHECK_FAILURE},
    {.about = {.id = "CFG002",
               .slug = "suppression-of-nothing-known",
               .severity = OPSHIFT_SEVERITY_WARNING,
               .summary = "a suppression in the model names no check",
               .why = "It was misspelt, or is for a newer version; it has no effect.",
               .mend = "Correct the id; 'opshift lint --list-checks' lists them."},
     .scope = CHECK_FAILURE},
    {.about = {.id = "CFG003",
               .slug = "unused-suppression",
               .severity = OPSHIFT_SEVERITY_NOTE,
               .summary = "a suppression in the model suppresses nothing",
               .why = "What it was for is mended; left where it is, it would hide the next fault of that kind.",
               .mend = "Take it out of metadata_props."},
     .scope = CHECK_FAILURE},
    {.about = {.id = "CFG004",
               .slug = "stale-baseline-entry",
               .severity = OPSHIFT_SEVERITY_NOTE,
               .summary = "an entry of the baseline matches nothing any more",
               .why = "What it was for is mended; left where it is, it would hide the same fault when it comes back.",
               .mend = "Run 'opshift lint --update-baseline'."},
     .scope = CHECK_FAILURE},
};
const size_t configuration_check_count = COUNT(configuration_checks);
