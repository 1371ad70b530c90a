/* Subcommands: a table from which parsing, --help and the man page are made. */
#ifndef SRC_COMMAND_H
#define SRC_COMMAND_H

#include "opshift.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The values of a repeatable option; they stay in argv. */
struct option_values {
    const char **items;
    size_t count;
};

/* One option; the member that stores its value determines its type. The last row of a table is {0}. */
struct option {
    const char *name;  /* without the dashes */
    char letter;       /* 0: none */
    const char *value; /* the value's name in help; NULL: no value, the option sets flag */
    bool *flag;
    const char **text;
    const char *const *choices; /* for text: allowed values, NULL-terminated; NULL: any */
    const char *otherwise;      /* for choices: the value if none is given; NULL: one is required */
    struct option_values *list;
    int64_t *number;
    int64_t least, most;         /* of number */
    const char *required;        /* how to write it, if it must be given */
    const char *const *needs;    /* one of these must be given, too, unless the command has none of them; see NAMES */
    const char *const *excludes; /* none of these may be given, too */
    const char *reason;          /* why not; NULL: it is obvious */
    const char *const *unless;   /* a second argument is its value, unless one of these is given; NULL: never is */
    const char *help;
    const char *group; /* the heading above this option and those that follow it; NULL: the one before */
};
#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

struct many; /* many.h */

struct command {
    const char *name;
    const char *arguments;   /* as in the usage line */
    const char *summary;     /* one line, as in the list of commands */
    const char *group;       /* the heading above this command and the next ones of the list; NULL: the one before */
    const char *description; /* paragraphs with an empty line between them */
    const char *examples;    /* lines to type */
    const struct option *options;
    size_t least, most; /* minimum and maximum number of arguments besides the options */
    bool computes;      /* it runs whole models */
    /* Returns the status; a failure has an error text, NO may have none. */
    enum opshift_status (*run)(char **arguments, size_t count, struct opshift_error *error);
    const struct many *many; /* how it works on many models; NULL: it does not, or by itself */
};

/* Every subcommand, in the order of the list in Makefile.inc, then NULL. */
extern const struct command *const commands[];
/* NULL: no such command. */
const struct command *command_find(const char *name);
/* The command with the most similar name; NULL: none is similar. */
const char *command_nearest(const char *name);
/* Fails with "there is no command 'x'", and the nearest one. */
enum opshift_status command_unknown(const char *name, struct opshift_error *error);

/* Fills error and returns status. */
enum opshift_status fail(struct opshift_error *error, enum opshift_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
