/* The arena with a block for each allocation, so that each can fail. */
#define BLOCK_FIRST 4u
#define BLOCK_LAST  4u
#include "lib/base/arena.c"
