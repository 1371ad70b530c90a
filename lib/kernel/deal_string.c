/* Runs of outputs that the caches can hold, by the processor's own instruction to copy a string: where it is fast it
 * writes whole lines without reading them first, as no loop of stores does. */
#include "kernel/deal.h"

#ifdef DEAL_STRING

#include <sys/platform/x86.h>

#define RUN_LEAST  1024
#define SIZE_LEAST ((uint64_t)1 << 20) /* fewer bytes stay in the nearest caches, where plain stores are as fast */

bool deal_string_can(const struct deal *deal)
{
    return true;
}

bool deal_string_pays(const struct deal *deal)
{
    return deal->least >= RUN_LEAST && deal->size >= SIZE_LEAST && CPU_FEATURE_ACTIVE(FSRM);
}

void deal_string(const struct deal *deal, uint64_t first, uint64_t end)
{
    for (uint64_t at = first; at < end; at++)
        for (size_t i = 0; i < deal->count; i++) {
            size_t size = deal->parts[i].size;
            void *to = deal->parts[i].to + at * size;
            const void *from = deal->from + at * deal->row + deal->parts[i].start;
            __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
        }
}

#endif
