/* Tables about the whole model for checks: made once at the start of a run, in time linear in the names. */
#ifndef CHECK_TABLES_H
#define CHECK_TABLES_H

#include "check/check.h"
#include "wire/wire.h"

enum once { ONCE_UNDEFINED, ONCE_DOMAIN, ONCE_OPERATOR, ONCE_NODE_NAME };

enum opshift_status tables_new(struct checking *checking, struct check_tables **tables, struct opshift_error *error);
void tables_free(struct check_tables *tables); /* NULL is fine */

/* What has a name that another has too lost its own: one name that is defined nowhere follows from that. Outputs of
 * nodes are counted from the start. */
void tables_name_lost(struct check_tables *tables, const struct graph *graph);
/* Can a name that this graph does not define be such a one? Each counts once. root: see graph_root. */
bool tables_name_find_lost(struct check_tables *tables, const struct graph *root);
/* Is a name read, anywhere in the model, that is defined nowhere? */
bool tables_have_undefined(const struct check_tables *tables);
/* Does the output of a node have, anywhere in the model, a name that its graph defines already? */
bool tables_have_repeated(const struct check_tables *tables);
/* Does a node of the graph, or of one inside it, read a value of this graph before it is made? */
bool graph_is_disordered(const struct check_tables *tables, const struct graph *graph);
/* Is any output of the node used? Graph outputs are used. */
bool node_is_used(const struct check_tables *tables, const struct graph *graph, uint32_t index);
/* Is an output of it other than the first one used? */
bool node_is_used_beyond_first(const struct check_tables *tables, const struct graph *graph, uint32_t index);
bool initializer_is_used(const struct check_tables *tables, const struct graph *graph, uint32_t index);

/* The first value info of a name in the graph; NULL: there is none. */
enum opshift_status value_info_first(struct checking *checking, const struct graph *graph, name_id name,
                                     const struct value_info **first, struct opshift_error *error);

/* Is a name of the index listed twice? Begins a list; then each of its names: true if it is there for the first time.
 */
void tables_list_begin(struct check_tables *tables);
bool tables_list_add(struct check_tables *tables, name_id name);
/* *first: the first node of its graph with this name, which is not empty; name: the field in its message. */
enum opshift_status tables_node_add(struct checking *checking, const struct graph *graph, const struct node *node,
                                    const struct wire_field *name, bool *first, struct opshift_error *error);
/* *first: the first call with these arguments in this run. */
enum opshift_status tables_once(struct checking *checking, enum once what, uint32_t where, uint32_t which, bool *first,
                                struct opshift_error *error);
/* The same, with a number of the caller: *holder is the number of the first call with these arguments. */
enum opshift_status tables_holder(struct checking *checking, enum once what, uint32_t where, uint32_t which,
                                  uint32_t number, uint32_t *holder, struct opshift_error *error);
/* Does the model have a function of this domain? */
bool domain_has_functions(const struct check_tables *tables, name_id domain);
/* The attributes of a function that have a default: as many as function->default_count. */
enum opshift_status function_defaults(struct checking *checking, const struct function *function, const name_id **names,
                                      struct opshift_error *error);
/* A function's attributes without a default that an operator of its body needs a value of: the first of them. */
struct function_needs {
    name_id names[32];
    uint32_t count;
};
enum opshift_status function_needs_find(struct checking *checking, const struct function *function,
                                        const struct function_needs **needs, struct opshift_error *error);
/* The defined name nearest to an undefined one; NULL: none is near. */
const char *tables_nearest(struct checking *checking, struct graph *graph, name_id name);
/* The graph that holds all others around this one: main, or a function's body. */
const struct graph *graph_root(const struct graph *graph);

#endif
