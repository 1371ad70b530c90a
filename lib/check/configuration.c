/* CFG: the table of checks on lint's configuration, in models and in the baseline; lib/lint reports them after all
 * others. */
#include "check/family.h"

const struct check checks_configuration[] = {
    {WARNING(CFG001, "suppression-without-reason", "a suppression in the model gives no reason"),
     .about.why = "Later readers cannot tell whether it is still justified; the suppression has no effect.",
     .about.mend = "Write 'ID: reason' as the value of opshift.ignore.", .scope = CHECK_FAILURE},
    {WARNING(CFG002, "suppression-of-nothing-known", "a suppression in the model names an unknown check"),
     .about.why = "It is misspelt, or for a newer version; it has no effect.",
     .about.mend = "Correct the id; 'opshift lint --list-checks' lists them.", .scope = CHECK_FAILURE},
    {NOTE(CFG003, "unused-suppression", "a suppression in the model suppresses nothing"),
     .about.why = "The fault was fixed; the suppression would hide the next fault of that kind.",
     .about.mend = "Remove it from metadata_props.", .scope = CHECK_FAILURE},
    {NOTE(CFG004, "stale-baseline-entry", "an entry of the baseline matches no finding"),
     .about.why = "The fault was fixed; the entry would hide the same fault if it came back.",
     .about.mend = "Run 'opshift lint --update-baseline'.", .scope = CHECK_FAILURE},
    {0},
};
