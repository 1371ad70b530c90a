/* Threads that are started once and wait for work: the team of opshift.h, as it is for who has work for it. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include "opshift.h"

/* Of the team, with the caller's. */
unsigned team_threads(const struct opshift_team *team);

/* `work` is called with `data` by the caller, and meanwhile by each of up to threads - 1 others that comes before the
 * caller is done; returns when all who began are done. false, and nothing is called: the team is at work already, for
 * another caller or for this one, or is that of a parent process. */
bool team_work(struct opshift_team *team, unsigned threads, void (*work)(void *data), void *data);

#endif
