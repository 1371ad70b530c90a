/* EXT: references to external data, and the state of the files. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/check/append.h"
#include "tests/tap/tap.h"
#include "wire/wire.h"

#define NEG MODEL(13, 8, "g (float[2] x) => (float[2] y) { y = Neg (x) }")

/* An initializer 'w', float[2] by default. */
struct tensor_case {
    const char *what;
    const char *entries; /* "key=value", separated by ; */
    const char *found;
    int type;           /* 0: float */
    int64_t dim;        /* 0: 2 */
    bool inside;        /* data_location is not EXTERNAL */
    const char *raw;    /* also has raw_data */
    const char *second; /* the entries of a second tensor, 'v' */
    enum opshift_external_policy policy;
};

/* "location=" and 5,000 letters; filled by main. */
static char too_long[9 + 5000 + 1];

static const struct tensor_case cases[] = {
    {.what = "a location that is too long",
     .entries = too_long,
     .found = "EXT020 graph: tensor 'w': external data: its location has 5000 bytes, and at most 4095 are read; give "
              "the file a shorter name"},
    {.what = "all is well", .entries = "location=data;offset=0;length=8", .found = ""},
    {.what = "no offset and no length", .entries = "location=data", .found = ""},
    {.what = "no location",
     .entries = "offset=0",
     .found = "EXT001 graph: tensor 'w': external data without a location; add it"},
    {.what = "an absolute location",
     .entries = "location=/etc/passwd",
     .found = "EXT002 graph: tensor 'w': external data '/etc/passwd' is an absolute path; put the file beside the "
              "model and give its name"},
    {.what = "an absolute location of Windows",
     .entries = "location=C:\\\\data",
     .found = "EXT002 graph: tensor 'w': external data 'C:\\\\data' is an absolute path; put the file beside the model "
              "and give its name"},
    {.what = "a location outside",
     .entries = "location=sub/../../data",
     .found = "EXT003 graph: tensor 'w': external data 'sub/../../data' is outside the model's directory; put the file "
              "into it"},
    {.what = "a name that starts with dots",
     .entries = "location=..data",
     .found =
         "EXT004 graph: tensor 'w': external data '..data': No such file or directory; put the file beside the model"},
    {.what = "a file that is not there",
     .entries = "location=nothing",
     .found =
         "EXT004 graph: tensor 'w': external data 'nothing': No such file or directory; put the file beside the model"},
    {.what = "a link that leads out",
     .entries = "location=out",
     .found = "EXT005 graph: tensor 'w': external data 'out': a link leads out of the model's directory; put the file "
              "itself there"},
    {.what = "a link inside",
     .entries = "location=link",
     .found = "EXT019 graph: tensor 'w': external data 'link': the path contains a link, which is not followed; put "
              "the file itself there, or choose --external-policy inside"},
    {.what = "a link inside, where links are followed",
     .entries = "location=link",
     .policy = OPSHIFT_EXTERNAL_INSIDE,
     .found = "EXT006 graph: tensor 'w': external data 'link' is behind a symbolic link; put the file itself there"},
    {.what = "a link to a directory",
     .entries = "location=near/data",
     .found = "EXT019 graph: tensor 'w': external data 'near/data': the path contains a link, which is not followed; "
              "put the file itself there, or choose --external-policy inside"},
    {.what = "a link to a directory, where links are followed",
     .entries = "location=near/data",
     .policy = OPSHIFT_EXTERNAL_INSIDE,
     .found =
         "EXT006 graph: tensor 'w': external data 'near/data' is behind a symbolic link; put the file itself there"},
    {.what = "a link to a directory outside",
     .entries = "location=far/null",
     .found = "EXT005 graph: tensor 'w': external data 'far/null': a link leads out of the model's directory; put the "
              "file itself there"},
    {.what = "a link to nothing",
     .entries = "location=nowhere",
     .found =
         "EXT004 graph: tensor 'w': external data 'nowhere': No such file or directory; put the file beside the model"},
    {.what = "a file that is none of the policy's business",
     .entries = "location=nothing",
     .policy = OPSHIFT_EXTERNAL_NONE,
     .found = ""},
    {.what = "a directory",
     .entries = "location=sub",
     .found = "EXT007 graph: tensor 'w': external data 'sub' is a directory, no regular file; name a file"},
    {.what = "beyond the end",
     .entries = "location=data;offset=16380",
     .found = "EXT008 graph: tensor 'w': external data 'data' has 16384 bytes, but the tensor lies at 16380 and takes "
              "8; the file is truncated or not the model's"},
    {.what = "up to the end", .entries = "location=data;offset=16376", .found = ""},
    {.what = "another length",
     .entries = "location=data;length=12",
     .found = "EXT009 graph: tensor 'w': external data: length is 12, but 2 float elements need 8 bytes; correct the "
              "dims or the length"},
    {.what = "a negative offset",
     .entries = "location=data;offset=-1",
     .found = "EXT010 graph: tensor 'w': external data: offset is '-1'; write a whole number, at least 0"},
    {.what = "a length in words",
     .entries = "location=data;length=many",
     .found = "EXT010 graph: tensor 'w': external data: length is 'many'; write a whole number, at least 0"},
    {.what = "a key twice",
     .entries = "location=data;offset=0;offset=0",
     .found = "EXT011 graph: tensor 'w': external data: the key 'offset' is given twice, and readers differ in which "
              "one counts; write it once"},
    {.what = "an unknown key",
     .entries = "location=data;color=red",
     .found = "EXT012 graph: tensor 'w': external data: the key 'color' is none of location, offset, length and "
              "checksum; readers ignore it"},
    {.what = "an offset in a page",
     .entries = "location=data;offset=8",
     .dim = 1024,
     .found = "EXT014 graph: tensor 'w': external data: offset 8 is not a multiple of 4096, so that the file cannot be "
              "mapped there"},
    {.what = "an offset at a page", .entries = "location=data;offset=4096", .dim = 1024, .found = ""},
    {.what = "a small tensor in a page", .entries = "location=data;offset=8", .found = ""},
    {.what = "a checksum",
     .entries = "location=data;checksum=00",
     .found = "EXT015 graph: tensor 'w': external data: checksum is '00', but a SHA-1 is 40 hexadecimal digits; write "
              "the file's, or remove it"},
    {.what = "the checksum of another file",
     .entries = "location=data;checksum=da39a3ee5e6b4b0d3255bfef95601890afd80709",
     .found = "EXT015 graph: tensor 'w': external data 'data': its SHA-1 is 897256b6709e1a4da9daba92b6bde39ccfccd8c1, "
              "but the checksum is da39a3ee5e6b4b0d3255bfef95601890afd80709; fetch the file again"},
    {.what = "the checksum of the file, in any letters",
     .entries = "location=data;checksum=897256B6709E1A4DA9DABA92B6BDE39CCFCCD8C1",
     .found = ""},
    {.what = "strings",
     .entries = "location=data",
     .type = 8,
     .found = "EXT016 graph: tensor 'w': its elements are strings, which cannot be external data; put them into "
              "string_data"},
    {.what = "no data_location",
     .entries = "location=data",
     .inside = true,
     .found = "EXT017 graph: tensor 'w': external_data is given, but data_location is not EXTERNAL; set it, or remove "
              "external_data"},
    {.what = "raw_data too",
     .entries = "location=data",
     .raw = "12345678",
     .found = "EXT018 graph: tensor 'w': it has external data, but also data in raw_data too; keep one of "
              "the two"},
    {.what = "an overlap",
     .entries = "location=data;offset=0",
     .second = "location=data;offset=4",
     .found = "EXT013 graph: tensor 'v': external data 'data': its bytes 4 to 11 overlap those of another tensor; "
              "correct the offsets"},
    {.what = "an overlap in a file that has two names",
     .entries = "location=data;offset=0",
     .second = "location=./data;offset=4",
     .found = "EXT013 graph: tensor 'v': external data './data': its bytes 4 to 11 overlap those of another tensor; "
              "correct the offsets"},
    {.what = "an overlap in a file that is not looked at",
     .entries = "location=other;offset=0",
     .second = "location=other;offset=4",
     .policy = OPSHIFT_EXTERNAL_NONE,
     .found = "EXT013 graph: tensor 'v': external data 'other': its bytes 4 to 11 overlap those of another tensor; "
              "correct the offsets"},
    {.what = "two files whose names have one FNV-1a of 64 bits",
     .entries = "location=!0IC=VloaY;offset=0",
     .second = "location=QvXtM>@Fp%;offset=4",
     .policy = OPSHIFT_EXTERNAL_NONE,
     .found = ""},
    {.what = "one after the other",
     .entries = "location=data;offset=0",
     .second = "location=data;offset=8",
     .found = ""},
    {.what = "the same data twice",
     .entries = "location=data;offset=0",
     .second = "location=data;offset=0",
     .found = ""},
};

static void add_entry(struct buffer *tensor, const char *text, size_t size)
{
    struct buffer entry = {0};
    size_t key = (size_t)((const char *)memchr(text, '=', size) - text);
    wire_add_bytes(&entry, 1, text, key);
    wire_add_bytes(&entry, 2, text + key + 1, size - key - 1);
    wire_add_bytes(tensor, 13, entry.data, entry.size);
    buffer_free(&entry);
}

static void add_tensor(struct buffer *graph, const struct tensor_case *row, const char *name, const char *entries)
{
    struct buffer tensor = {0};
    wire_add_int(&tensor, 1, row->dim ? (uint64_t)row->dim : 2);
    wire_add_int(&tensor, 2, row->type ? (uint64_t)row->type : 1);
    wire_add_bytes(&tensor, 8, name, strlen(name));
    if (row->raw)
        wire_add_bytes(&tensor, 9, row->raw, strlen(row->raw));
    for (const char *at = entries; *at;) {
        size_t size = strcspn(at, ";");
        add_entry(&tensor, at, size);
        at += size + (at[size] == ';');
    }
    if (!row->inside)
        wire_add_int(&tensor, 14, 1);
    wire_add_bytes(graph, 5, tensor.data, tensor.size);
    buffer_free(&tensor);
}

static void check_case(const struct tensor_case *row, const char *directory)
{
    struct buffer tensors = {0};
    add_tensor(&tensors, row, "w", row->entries);
    if (row->second)
        add_tensor(&tensors, row, "v", row->second);
    struct appended appended = {row->what, NEG, "\7", (const char *)tensors.data, tensors.size, row->found};
    size_t size;
    char *bytes = model_with(&appended, &size);
    struct opshift_lint_options options = {
        .open = &(struct opshift_open_options){.directory = directory, .external = row->policy}};
    lint_bytes_finds(row->what, bytes, size, row->found, "EXT", &options);
    free(bytes);
    buffer_free(&tensors);
}

/* A directory with a file of 16384 bytes, a directory, a link to the file and one that leads out. */
static bool directory_make(char *directory)
{
    char path[128];
    if (mkdtemp(directory) == NULL)
        return false;
    snprintf(path, sizeof(path), "%s/data", directory);
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    bool made = file >= 0 && ftruncate(file, 16384) == 0;
    close(file);
    snprintf(path, sizeof(path), "%s/sub", directory);
    made = mkdir(path, 0700) == 0 && made;
    snprintf(path, sizeof(path), "%s/link", directory);
    made = symlink("data", path) == 0 && made;
    snprintf(path, sizeof(path), "%s/near", directory);
    made = symlink(".", path) == 0 && made;
    snprintf(path, sizeof(path), "%s/far", directory);
    made = symlink("/dev", path) == 0 && made;
    snprintf(path, sizeof(path), "%s/nowhere", directory);
    made = symlink("nothing", path) == 0 && made;
    snprintf(path, sizeof(path), "%s/out", directory);
    return symlink("/dev/null", path) == 0 && made;
}

static void directory_remove(const char *directory)
{
    static const char *const names[] = {"data", "link", "near", "far", "nowhere", "out"};
    char path[128];
    for (size_t i = 0; i < COUNT(names); i++) {
        snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
        unlink(path);
    }
    snprintf(path, sizeof(path), "%s/sub", directory);
    rmdir(path);
    rmdir(directory);
}

int main(void)
{
    char directory[] = "/tmp/opshift-external.XXXXXX";
    if (!ok(directory_make(directory), "a directory"))
        return done();
    memset(too_long, 'n', sizeof(too_long) - 1);
    memcpy(too_long, "location=", 9);
    for (size_t i = 0; i < COUNT(cases); i++)
        check_case(&cases[i], directory);
    directory_remove(directory);
    return done();
}
