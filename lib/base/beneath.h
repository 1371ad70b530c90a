/* Opening a file that a stranger names, below a folder and nowhere else. */
#ifndef BASE_BENEATH_H
#define BASE_BENEATH_H

/* For reading; a descriptor, or -1 and errno: EXDEV or ELOOP where a link leads out (or, without openat2, is met at all).
 * Does not wait for a writer of a pipe. */
int open_beneath(const char *folder, const char *path);

#endif
