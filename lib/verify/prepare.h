/* What is done with each of the two models alone, before they are compared: tables, checks, and the plan of the first.
 */
#ifndef VERIFY_PREPARE_H
#define VERIFY_PREPARE_H

#include <pthread.h>

#include "verify/expect.h"
#include "verify/valid.h"

struct preparation {
    struct comparison *comparison;
    struct validity before, after;
    struct opshift_error before_why, after_why,
        plan_why; /* why its tables or the plan failed; status OK: they did not */
    struct expect_goal goal;
    pthread_t thread; /* prepares the first model */
    pthread_mutex_t lock;
    pthread_cond_t signalled; /* `may_end` was set */
    bool may_end;             /* the goal is known, or there will be none */
    bool has_goal;
    bool running; /* the thread has not been joined */
    bool checked; /* the first model has been, or is being */
};

/* Begins to check the first model, in a thread of its own if it is large. Until prepare_wait or prepare_models, nothing
 * else may use that model. */
void prepare_begin(struct preparation *preparation, struct comparison *comparison);
/* Waits for the thread, which plans nothing. */
void prepare_wait(struct preparation *preparation);
/* Checks both models and plans the conversion of the first; large ones in two threads, of which one ends before the
 * call does. */
enum opshift_status prepare_models(struct preparation *preparation, struct opshift_error *error);
/* Waits for the thread, and frees what is not the comparison's. */
void prepare_end(struct preparation *preparation);

/* Frees the tables of a side. */
void side_end(struct side *side);

#endif
