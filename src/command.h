/* What a subcommand is: one table that its parsing, its --help and its man page are all made from. */
#ifndef SRC_COMMAND_H
#define SRC_COMMAND_H

#include "opshift.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The values of an option that may be given again; they stay in argv. */
struct option_values {
    const char **items;
    size_t count;
};

/* One option; what its value is stored in tells what it takes. The last row of a table is {0}. */
struct option {
    const char *name;  /* without the dashes */
    char letter;       /* 0: none */
    const char *value; /* how help calls the value; NULL: it takes none, and sets flag */
    bool *flag;
    const char **text;
    const char *const *choices; /* with text: the values it may have, NULL-terminated; NULL: any */
    const char *otherwise;      /* with choices: the value it has where none of them follows; NULL: one has to */
    struct option_values *list;
    int64_t *number;
    int64_t least, most; /* of number */
    const char *help;
};

struct command {
    const char *name;
    const char *arguments;   /* as in the usage line */
    const char *summary;     /* one line, as in the list of commands */
    const char *description; /* paragraphs with an empty line between them */
    const char *examples;    /* lines to type */
    const struct option *options;
    size_t least, most; /* how many arguments there may be beside the options */
    /* Answers what became of it; a failure's words are in error, an answer of NO may have none. */
    enum opshift_status (*run)(char **arguments, size_t count, struct opshift_error *error);
};

/* Every subcommand, in the order of the list in Makefile.inc, then NULL. */
extern const struct command *const commands[];
/* NULL: there is none of that name. */
const struct command *command_find(const char *name);
/* The command that name may have been meant for; NULL: none is near. */
const char *command_nearest(const char *name);
/* Fails with "there is no command 'x'", and the nearest one. */
enum opshift_status command_unknown(const char *name, struct opshift_error *error);

/* Fills error and answers status. */
enum opshift_status fail(struct opshift_error *error, enum opshift_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
