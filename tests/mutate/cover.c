/* Records which places of the code a test executes: linked with each program that mutate.pl builds, which is compiled
 * with -fsanitize-coverage=trace-pc. $MUTATE_COVER is a file of COVER_SIZE bytes, one for each address of the library
 * and of the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define COVER_SIZE   (16u << 20)
#define LIBRARY_SIZE (12u << 20) /* the rest is the program's */

static uint8_t *seen;
static uintptr_t library, program;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    if (seen == NULL)
        return;
    uintptr_t place = (uintptr_t)__builtin_return_address(0);
    if (place - library < LIBRARY_SIZE)
        seen[place - library] = 1;
    else if (place > program && place - program < COVER_SIZE - LIBRARY_SIZE)
        seen[LIBRARY_SIZE + (place - program)] = 1;
}

static int module_note(struct dl_phdr_info *module, size_t size, void *data)
{
    (void)size, (void)data;
    if (program == 0)
        program = module->dlpi_addr;
    if (strstr(module->dlpi_name, "libinside.so") != NULL)
        library = module->dlpi_addr;
    return 0;
}

__attribute__((constructor)) static void cover_start(void)
{
    const char *path = getenv("MUTATE_COVER");
    if (path == NULL)
        return;
    dl_iterate_phdr(module_note, NULL);
    if (strcmp(program_invocation_short_name, "opshift") != 0)
        program = UINTPTR_MAX; /* a test, whose own places do not matter */
    int file = open(path, O_RDWR | O_CLOEXEC);
    void *bytes = file < 0 ? MAP_FAILED : mmap(NULL, COVER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    if (bytes != MAP_FAILED)
        seen = bytes;
}
