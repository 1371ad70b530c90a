/* CFG: the table of checks on lint's configuration, in models and in the baseline; lib/lint reports them after all
 * others. */
#include "check/family.h"

const struct check configuration_checks[] = {
    {.about = {.id = "CFG001",
               .slug = "suppression-without-reason",
               .severity = OPSHIFT_SEVERITY_WARNING,
               .summary = "a suppression in the model gives no reason",
               .why = "Later readers cannot tell whether it is still justified; the suppression has no effect.",
               .mend = "Write 'ID: reason' as the value of opshift.ignore."},
     .scope = CHECK_FAILURE},
    {.about = {.id = "CFG002",
               .slug = "suppression-of-nothing-known",
               .severity = OPSHIFT_SEVERITY_WARNING,
               .summary = "a suppression in the model names an unknown check",
               .why = "It is misspelt, or for a newer version; it has no effect.",
               .mend = "Correct the id; 'opshift lint --list-checks' lists them."},
     .scope = CHECK_FAILURE},
    {.about = {.id = "CFG003",
               .slug = "unused-suppression",
               .severity = OPSHIFT_SEVERITY_NOTE,
               .summary = "a suppression in the model suppresses nothing",
               .why = "The fault was fixed; the suppression would hide the next fault of that kind.",
               .mend = "Remove it from metadata_props."},
     .scope = CHECK_FAILURE},
    {.about = {.id = "CFG004",
               .slug = "stale-baseline-entry",
               .severity = OPSHIFT_SEVERITY_NOTE,
               .summary = "an entry of the baseline matches no finding",
               .why = "The fault was fixed; the entry would hide the same fault if it came back.",
               .mend = "Run 'opshift lint --update-baseline'."},
     .scope = CHECK_FAILURE},
};
const size_t configuration_check_count = COUNT(configuration_checks);
