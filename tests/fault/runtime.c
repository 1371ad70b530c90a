/* A fake ONNX Runtime library that does what OPSHIFT_RUNTIME selects: crash, hang, exit, print, abort on an open
 * descriptor, or return nothing. OPSHIFT_RUNTIME_FILE is a file for the process id. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const void *OrtGetApiBase(void);

static void note_process(const char *path)
{
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file)
        fprintf(file, "%ld\n", (long)getpid());
    if (file)
        fclose(file);
}

const void *OrtGetApiBase(void)
{
    const char *deed = getenv("OPSHIFT_RUNTIME");
    note_process(getenv("OPSHIFT_RUNTIME_FILE"));
    /* Above the standard descriptors and the socket. */
    for (int i = 4; deed && strcmp(deed, "files") == 0 && i < 1024; i++)
        if (fcntl(i, F_GETFD) >= 0)
            abort();
    if (deed && strcmp(deed, "print") == 0 &&
        write(STDOUT_FILENO, "noise\n", 6) + write(STDERR_FILENO, "noise\n", 6) != 12)
        abort();
    if (deed && strcmp(deed, "crash") == 0)
        raise(SIGSEGV);
    if (deed && strcmp(deed, "abort") == 0)
        abort();
    while (deed && strcmp(deed, "hang") == 0)
        pause();
    if (deed && strcmp(deed, "end") == 0)
        _exit(0);
    return NULL;
}
