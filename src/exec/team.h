/* The threads of the fast module, as whoever shares work among them sees them. */
#ifndef IR_TEAM_H
#define IR_TEAM_H

/* Has `work` done by so many threads at once, numbered from 0, the caller's; returns when all are done. */
typedef void ir_team(int n_threads, void (*work)(void *user, int thread), void *user);

#endif
