/* Injects faults: loaded before the C library (LD_PRELOAD), it makes the Nth call of a kind fail.
 *
 * OPSHIFT_FAULT="KIND N DO": KIND is a kind of calls below, or "any" for all but memory; "N+" means this call and all
 * after it. DO is a number (the call fails with that errno), "short" (a read or write transfers half), or an action
 * before the call: "signal=N" (raised), "cut=FILE" (FILE is emptied), "swap=FILE:BY" (BY is renamed to FILE), or
 * "poke=FILE" (a byte near the start of FILE and its last byte are changed).
 * OPSHIFT_FAULT_NO_LINKS, set to anything, is a file system without hard links: each link fails with EPERM, which is
 * not counted. OPSHIFT_FAULT_FLAGS names a file to which each open is appended: its flags, its mode and its path, a
 * line each. OPSHIFT_FAULT_FIRED names a file that is written when the fault is injected; OPSHIFT_FAULT_LEFT one that
 * is written at exit: the number of blocks of memory that were not freed, of calls of KIND (with N 0 none fails), and 1
 * if a child process is left, else 0. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* The kinds of calls. */
static const char any[] = "any", open_kind[] = "open", read_kind[] = "read", write_kind[] = "write",
                  flush_kind[] = "flush", stat_kind[] = "stat", seek_kind[] = "seek", sync_kind[] = "sync",
                  rename_kind[] = "rename", link_kind[] = "link", unlink_kind[] = "unlink", mkdir_kind[] = "mkdir",
                  truncate_kind[] = "truncate", reserve_kind[] = "reserve", rights_kind[] = "rights",
                  close_kind[] = "close", dup_kind[] = "dup", random_kind[] = "random", pipe_kind[] = "pipe",
                  spawn_kind[] = "spawn", resolve_kind[] = "resolve", access_kind[] = "access", clone_kind[] = "clone",
                  splice_kind[] = "splice", thread_kind[] = "thread", openat2_kind[] = "openat2", poll_kind[] = "poll",
                  wait_kind[] = "wait", memory_kind[] = "memory";

enum fault_outcome { GO_ON, FAIL, SHORT };

static char wanted[4096]; /* the kind; then, after NULs, the action and its files */
static const char *what, *file, *by, *fired, *flags_file;
static unsigned long at;
static bool onwards, active;
static int number; /* errno or signal */
static atomic_ulong count;

/* Parses "KIND N DO". */
static void read_wish(const char *wish)
{
    char *rest = NULL;
    if (wish == NULL || strlen(wish) >= sizeof(wanted))
        return;
    strcpy(wanted, wish);
    char *space = strchr(wanted, ' ');
    if (space == NULL)
        return;
    *space = '\0';
    at = strtoul(space + 1, &rest, 10);
    onwards = *rest == '+';
    rest += onwards;
    what = rest + (*rest == ' ');
    number = atoi(what);
    char *equals = strchr(rest, '=');
    if (equals) {
        *equals = '\0';
        file = equals + 1;
        number = atoi(file);
        char *colon = strchr(equals + 1, ':');
        if (colon) {
            *colon = '\0';
            by = colon + 1;
        }
    }
    active = true;
}

/* Wrapper scripts and shells are not tested. */
__attribute__((constructor)) static void start(void)
{
    const char *name = program_invocation_short_name;
    fired = getenv("OPSHIFT_FAULT_FIRED");
    flags_file = getenv("OPSHIFT_FAULT_FLAGS");
    if (strncmp(name, "lt-", 3) == 0)
        name += 3;
    if (strcmp(name, "opshift") == 0 || strcmp(name, "thin") == 0 || strcmp(name, "again") == 0)
        read_wish(getenv("OPSHIFT_FAULT"));
}

/* Uses system calls only, so that these calls are not counted. */
static void put_text(const char *path, const char *text)
{
    long descriptor = path ? syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;
    if (descriptor < 0)
        return;
    long ignored = syscall(SYS_write, descriptor, text, strlen(text));
    (void)ignored;
    syscall(SYS_close, descriptor);
}

/* Logs one open. */
static void note_flags(const char *path, int flags, mode_t mode)
{
    char line[512];
    if (flags_file == NULL)
        return;
    snprintf(line, sizeof(line), "%s%s%s%s %03o %.400s\n", flags & O_CREAT ? "CREAT " : "",
             flags & O_EXCL ? "EXCL " : "", flags & O_NOFOLLOW ? "NOFOLLOW " : "", flags & O_CLOEXEC ? "CLOEXEC" : "",
             (unsigned)mode, path);
    long descriptor = syscall(SYS_openat, AT_FDCWD, flags_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    long ignored = syscall(SYS_write, descriptor, line, strlen(line));
    (void)ignored;
    syscall(SYS_close, descriptor);
}

static void put(const char *path, const char *with)
{
    if (with)
        syscall(SYS_renameat2, AT_FDCWD, with, AT_FDCWD, path, 0);
    else
        syscall(SYS_truncate, path, 0L);
}

static void poke(const char *path)
{
    long descriptor = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    long size = syscall(SYS_lseek, descriptor, 0L, SEEK_END);
    const long places[] = {size / 100, size - 1};
    for (int i = 0; i < 2; i++) {
        long ignored = syscall(SYS_pwrite64, descriptor, "!", 1L, places[i]);
        (void)ignored;
    }
    syscall(SYS_close, descriptor);
}

static enum fault_outcome meet(const char *kind, const char *function)
{
    if (!active ||
        (strcmp(wanted, kind) != 0 && (strcmp(wanted, any) != 0 || kind == memory_kind || kind == openat2_kind)))
        return GO_ON;
    unsigned long now = atomic_fetch_add(&count, 1) + 1;
    if (at == 0 || now < at || (now > at && !onwards))
        return GO_ON;
    put_text(fired, function);
    if (strcmp(what, "signal") == 0)
        kill(getpid(), number);
    else if (strcmp(what, "cut") == 0 || strcmp(what, "swap") == 0)
        put(file, by);
    else if (strcmp(what, "poke") == 0)
        poke(file);
    else if (strcmp(what, "short") == 0)
        return SHORT;
    else {
        errno = number;
        return FAIL;
    }
    return GO_ON;
}

/* A wrapper that fails, or calls the real function, which is looked up once. */
#define WRAP(kind, type, failed, name, parameters, arguments)                                                          \
    type name parameters                                                                                               \
    {                                                                                                                  \
        static type(*real) parameters;                                                                                 \
        if (real == NULL)                                                                                              \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                 \
        return meet(kind, #name) == FAIL ? (failed) : real arguments;                                                  \
    }

/* A wrapper that may do half of the request: size is reduced. */
#define WRAP_SHORT(kind, type, name, parameters, arguments)                                                            \
    type name parameters                                                                                               \
    {                                                                                                                  \
        static type(*real) parameters;                                                                                 \
        if (real == NULL)                                                                                              \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                 \
        enum fault_outcome outcome = meet(kind, #name);                                                                \
        if (outcome == SHORT && size > 1)                                                                              \
            size /= 2;                                                                                                 \
        return outcome == FAIL ? (type)-1 : real arguments;                                                            \
    }

/* A wrapper of a function that has a mode argument only if it creates a file. */
#define WRAP_OPEN(name, parameters, arguments)                                                                         \
    int name parameters                                                                                                \
    {                                                                                                                  \
        static int(*real) parameters;                                                                                  \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                                                      \
        va_end(rest);                                                                                                  \
        if (real == NULL)                                                                                              \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                 \
        note_flags(path, flags, mode);                                                                                 \
        return meet(open_kind, #name) == FAIL ? -1 : real arguments;                                                   \
    }

WRAP_OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(openat, (int directory, const char *path, int flags, ...), (directory, path, flags, mode))
WRAP(open_kind, int, -1, __open_2, (const char *path, int flags), (path, flags))
WRAP(open_kind, int, -1, __openat_2, (int directory, const char *path, int flags), (directory, path, flags))
WRAP(open_kind, int, -1, mkstemp, (char *path), (path))
WRAP(open_kind, int, -1, mkostemp, (char *path, int flags), (path, flags))
WRAP(open_kind, int, -1, mkstemps, (char *path, int ending), (path, ending))
WRAP(open_kind, int, -1, mkostemps, (char *path, int ending, int flags), (path, ending, flags))
WRAP(open_kind, FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode))
WRAP(open_kind, int, -1, scandir,
     (const char *path, struct dirent ***entries, int (*filter)(const struct dirent *),
      int (*order)(const struct dirent **, const struct dirent **)),
     (path, entries, filter, order))

WRAP_SHORT(read_kind, ssize_t, read, (int from, void *into, size_t size), (from, into, size))
WRAP_SHORT(read_kind, ssize_t, pread, (int from, void *into, size_t size, off_t offset), (from, into, size, offset))
WRAP_SHORT(read_kind, ssize_t, __read_chk, (int from, void *into, size_t size, size_t room), (from, into, size, room))
WRAP_SHORT(read_kind, ssize_t, __pread_chk, (int from, void *into, size_t size, off_t offset, size_t room),
           (from, into, size, offset, room))
WRAP_SHORT(write_kind, ssize_t, write, (int to, const void *from, size_t size), (to, from, size))
WRAP_SHORT(write_kind, ssize_t, pwrite, (int to, const void *from, size_t size, off_t offset), (to, from, size, offset))

WRAP_SHORT(read_kind, ssize_t, recv, (int from, void *into, size_t size, int flags), (from, into, size, flags))
WRAP_SHORT(read_kind, ssize_t, __recv_chk, (int from, void *into, size_t size, size_t room, int flags),
           (from, into, size, room, flags))
WRAP_SHORT(write_kind, ssize_t, send, (int to, const void *from, size_t size, int flags), (to, from, size, flags))

WRAP_SHORT(splice_kind, ssize_t, splice,
           (int from, loff_t *from_offset, int to, loff_t *to_offset, size_t size, unsigned flags),
           (from, from_offset, to, to_offset, size, flags))

WRAP(flush_kind, int, EOF, fflush, (FILE * stream), (stream))
WRAP(stat_kind, int, -1, stat, (const char *path, struct stat *into), (path, into))
WRAP(stat_kind, int, -1, lstat, (const char *path, struct stat *into), (path, into))
WRAP(stat_kind, int, -1, fstat, (int descriptor, struct stat *into), (descriptor, into))
WRAP(stat_kind, int, -1, fstatat, (int directory, const char *path, struct stat *into, int flags),
     (directory, path, into, flags))
WRAP(seek_kind, off_t, -1, lseek, (int descriptor, off_t offset, int from), (descriptor, offset, from))
WRAP(sync_kind, int, -1, fsync, (int descriptor), (descriptor))
WRAP(rename_kind, int, -1, rename, (const char *from, const char *to), (from, to))
WRAP(rename_kind, int, -1, renameat, (int from_directory, const char *from, int to_directory, const char *to),
     (from_directory, from, to_directory, to))
WRAP(rename_kind, int, -1, renameat2,
     (int from_directory, const char *from, int to_directory, const char *to, unsigned flags),
     (from_directory, from, to_directory, to, flags))
WRAP(link_kind, int, -1, linkat, (int from_directory, const char *from, int to_directory, const char *to, int flags),
     (from_directory, from, to_directory, to, flags))
WRAP(unlink_kind, int, -1, unlink, (const char *path), (path))
WRAP(unlink_kind, int, -1, unlinkat, (int directory, const char *path, int flags), (directory, path, flags))
WRAP(mkdir_kind, int, -1, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(mkdir_kind, int, -1, mkdirat, (int directory, const char *path, mode_t mode), (directory, path, mode))
WRAP(truncate_kind, int, -1, ftruncate, (int descriptor, off_t size), (descriptor, size))
WRAP(reserve_kind, int, -1, fallocate, (int descriptor, int mode, off_t offset, off_t size),
     (descriptor, mode, offset, size))
WRAP(rights_kind, int, -1, fchmod, (int descriptor, mode_t mode), (descriptor, mode))
WRAP(rights_kind, int, -1, fchown, (int descriptor, uid_t user, gid_t group), (descriptor, user, group))
WRAP(random_kind, int, -1, getentropy, (void *into, size_t size), (into, size))
WRAP(pipe_kind, int, -1, pipe, (int ends[2]), (ends))
WRAP(pipe_kind, int, -1, pipe2, (int ends[2], int flags), (ends, flags))
WRAP(pipe_kind, int, -1, socketpair, (int domain, int type, int protocol, int ends[2]), (domain, type, protocol, ends))
WRAP(spawn_kind, int, EAGAIN, posix_spawn,
     (pid_t * process, const char *path, const posix_spawn_file_actions_t *files, const posix_spawnattr_t *attributes,
      char *const *arguments, char *const *environment),
     (process, path, files, attributes, arguments, environment))
WRAP(resolve_kind, char *, NULL, realpath, (const char *path, char *into), (path, into))
WRAP(resolve_kind, char *, NULL, __realpath_chk, (const char *path, char *into, size_t room), (path, into, room))
WRAP(access_kind, int, -1, access, (const char *path, int mode), (path, mode))
WRAP(poll_kind, int, -1, poll, (struct pollfd * watched, nfds_t items, int most_ms), (watched, items, most_ms))
WRAP(poll_kind, int, -1, __poll_chk, (struct pollfd * watched, nfds_t items, int most_ms, size_t room),
     (watched, items, most_ms, room))
WRAP(wait_kind, pid_t, -1, waitpid, (pid_t process, int *how, int flags), (process, how, flags))
WRAP(thread_kind, int, EAGAIN, pthread_create,
     (pthread_t * thread, const pthread_attr_t *how, void *(*work)(void *), void *data), (thread, how, work, data))

int link(const char *from, const char *to)
{
    static int (*real)(const char *, const char *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "link");
    if (getenv("OPSHIFT_FAULT_NO_LINKS") == NULL)
        return meet(link_kind, "link") == FAIL ? -1 : real(from, to);
    errno = EPERM;
    return -1;
}

/* Closes the descriptor even if close reports an error. */
int close(int descriptor)
{
    enum fault_outcome outcome = meet(close_kind, "close");
    int why = errno;
    int done = (int)syscall(SYS_close, descriptor);
    if (outcome != FAIL)
        return done;
    errno = why;
    return -1;
}

/* A stream records that it failed. */
int fclose(FILE *stream)
{
    static int (*real)(FILE *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "fclose");
    enum fault_outcome outcome = meet(flush_kind, "fclose");
    int why = errno;
    int done = real(stream);
    if (outcome != FAIL)
        return done;
    errno = why;
    return EOF;
}

size_t fread(void *into, size_t size, size_t items, FILE *stream)
{
    static size_t (*real)(void *, size_t, size_t, FILE *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "fread");
    if (meet(read_kind, "fread") != FAIL)
        return real(into, size, items, stream);
    stream->_flags |= 0x20; /* the flag of ferror */
    return 0;
}

int fcntl(int descriptor, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    long value = va_arg(rest, long);
    va_end(rest);
    if (command == F_DUPFD_CLOEXEC && meet(dup_kind, "fcntl") == FAIL)
        return -1;
    if (command == F_SETPIPE_SZ && meet(pipe_kind, "fcntl") == FAIL)
        return -1;
    return (int)syscall(SYS_fcntl, descriptor, command, value);
}

int ioctl(int descriptor, unsigned long command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *value = va_arg(rest, void *);
    va_end(rest);
    return meet(clone_kind, "ioctl") == FAIL ? -1 : (int)syscall(SYS_ioctl, descriptor, command, value);
}

/* openat2 has no wrapper in the C library. */
long syscall(long call, ...)
{
    static long (*real)(long, ...);
    long values[6];
    va_list rest;
    va_start(rest, call);
    for (size_t i = 0; i < 6; i++)
        values[i] = va_arg(rest, long);
    va_end(rest);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "syscall");
    if (call == SYS_openat2 && (meet(open_kind, "openat2") == FAIL || meet(openat2_kind, "openat2") == FAIL))
        return -1;
    if (call == SYS_openat2) { /* the flags are the first member of its struct */
        uint64_t flags = *(const uint64_t *)values[2];
        note_flags((const char *)values[1], (int)flags, 0);
    }
    return real(call, values[0], values[1], values[2], values[3], values[4], values[5]);
}

/* ---- memory: dlsym may ask for some, so the real functions are called by the names that the C library gives them ----
 */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t items, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static atomic_long left;

static void *counted(void *memory)
{
    if (memory)
        atomic_fetch_add(&left, 1);
    return memory;
}

void *malloc(size_t size)
{
    return meet(memory_kind, "malloc") == FAIL ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t items, size_t size)
{
    return meet(memory_kind, "calloc") == FAIL ? NULL : counted(__libc_calloc(items, size));
}

void *realloc(void *old, size_t size)
{
    if (meet(memory_kind, "realloc") == FAIL)
        return NULL;
    return old ? __libc_realloc(old, size) : counted(__libc_malloc(size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return meet(memory_kind, "aligned_alloc") == FAIL ? NULL : counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = meet(memory_kind, "posix_memalign") == FAIL ? NULL : counted(__libc_memalign(alignment, size));
    return *memory ? 0 : ENOMEM;
}

void free(void *memory)
{
    if (memory)
        atomic_fetch_sub(&left, 1);
    __libc_free(memory);
}

__attribute__((destructor)) static void end(void)
{
    char text[64];
    bool children = active && wait4(-1, NULL, WNOHANG, NULL) >= 0;
    snprintf(text, sizeof(text), "%ld %lu %d", atomic_load(&left), atomic_load(&count), children);
    put_text(getenv("OPSHIFT_FAULT_LEFT"), text);
}
