/* A directory of files for one test program. */
#ifndef MANY_TREE_H
#define MANY_TREE_H

/* Makes a temporary directory and works in it. */
void tree_make(void);
/* Writes a file, and makes the directories above it. */
void tree_write(const char *path, const char *text);
/* The contents of a file; freed by the caller. NULL: it cannot be read. */
char *tree_read(const char *path);
void tree_remove(void);

#endif
