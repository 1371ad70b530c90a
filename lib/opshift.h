/* opshift.h: moves ONNX models between opsets and proves that nothing else changed.
 *
 * Ownership: what a function named _open, _new, _write or with a `**` result gives is the caller's, freed by the
 * _free of the same thing; _free(NULL) does nothing. Texts returned by accessors belong to the object they came from.
 * Every function that can fail returns an enum opshift_status and fills the caller's struct opshift_error (which may
 * be NULL). No function prints, exits or keeps global state; use one model from one thread at a time.
 *
 * What is named here stays for as long as the library's soname does. Structs that a caller fills may grow at the end:
 * zero them ({0}) and set size to their sizeof; a member that is 0 or NULL has its default. A size of 0 is that of the
 * struct in version 0.1. Structs that the library fills may grow as well: use their members, not their size; struct
 * opshift_error alone stays as it is. */
#ifndef OPSHIFT_H
#define OPSHIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define OPSHIFT_API __attribute__((visibility("default")))
#else
#define OPSHIFT_API
#endif

/* The answers; the command's exit statuses are derived from them. */
enum opshift_status {
    OPSHIFT_OK = 0,
    OPSHIFT_NO,          /* the answer is no: findings, cannot be converted, not equal */
    OPSHIFT_USAGE,       /* wrong arguments, options, rule files or configuration */
    OPSHIFT_MALFORMED,   /* the input breaks its format */
    OPSHIFT_UNSUPPORTED, /* the input is beyond what we read, or beyond a limit, or unsafe */
    OPSHIFT_IO,          /* reading or writing failed; may succeed later */
    OPSHIFT_MEMORY,      /* no memory */
    OPSHIFT_CANCELLED    /* the caller's callback said stop */
};

/* Why a file cannot be read as a model, for those who tell the kinds apart; the words are in the error's text. */
enum opshift_fault {
    OPSHIFT_FAULT_NONE = 0,      /* something else */
    OPSHIFT_FAULT_EMPTY,         /* a file without a byte */
    OPSHIFT_FAULT_LFS_POINTER,   /* what Git LFS leaves in a file's place */
    OPSHIFT_FAULT_COMPRESSED,    /* gzip, zip, xz, zstd */
    OPSHIFT_FAULT_TEXT,          /* a model, but in one of the textual forms */
    OPSHIFT_FAULT_FOREIGN,       /* a page, JSON, HDF5, ... */
    OPSHIFT_FAULT_CUT_SHORT,     /* a message ends in the middle of a field */
    OPSHIFT_FAULT_LENGTH,        /* a field is longer than its message */
    OPSHIFT_FAULT_VARINT,        /* a varint of more than 10 bytes */
    OPSHIFT_FAULT_FIELD_NUMBER,  /* 0, or above 2^29-1 */
    OPSHIFT_FAULT_GROUP,         /* a proto2 group */
    OPSHIFT_FAULT_NO_WIRE_TYPE,  /* wire type 6 or 7 */
    OPSHIFT_FAULT_WIRE_TYPE,     /* a known field, written as another type */
    OPSHIFT_FAULT_NO_GRAPH,      /* no ModelProto.graph */
    OPSHIFT_FAULT_TWO_GRAPHS,    /* a graph is given twice where there is one */
    OPSHIFT_FAULT_NESTING,       /* beyond opshift_limits.nesting */
    OPSHIFT_FAULT_MEMORY,        /* beyond opshift_limits.memory */
    OPSHIFT_FAULT_IMPORTS,       /* too many opset imports */
    OPSHIFT_FAULT_DEFAULT_GRAPH, /* a function's attribute whose default is a graph */
    OPSHIFT_FAULT_COUNT          /* more nodes, attributes, outputs or functions than opshift_limits allows */
};

#define OPSHIFT_ERROR_SIZE 1024

/* Start with {0}. text: "place: place: what is wrong; the way out", no newline, UTF-8, cut at the end when too long. */
struct opshift_error {
    enum opshift_status status;
    enum opshift_fault fault;
    uint64_t offset; /* with a fault: the byte of the file where it is */
    char text[OPSHIFT_ERROR_SIZE];
};

/* Text that comes from anywhere else (names, paths), made fit for terminals and the logs of CI systems: what steers
 * them, or is no UTF-8, becomes \xNN; so does what would be a command to them. The texts of errors and reports are
 * already. Into room bytes, at least 1, cut where a character ends and with a NUL; 4 * strlen(text) + 1 bytes are
 * always enough. How many bytes that is without the NUL. */
OPSHIFT_API size_t opshift_text_show(char *into, size_t room, const char *text);
/* Which of these names was probably meant, by how many letters differ, or of which one it is the beginning. NULL: none
 * is near. */
OPSHIFT_API const char *opshift_text_nearest(const char *text, const char *const *candidates, size_t count);

/* Element types; the numbers are TensorProto.DataType's. */
enum opshift_type {
    OPSHIFT_TYPE_UNDEFINED = 0,
    OPSHIFT_TYPE_FLOAT = 1,
    OPSHIFT_TYPE_UINT8,
    OPSHIFT_TYPE_INT8,
    OPSHIFT_TYPE_UINT16,
    OPSHIFT_TYPE_INT16,
    OPSHIFT_TYPE_INT32,
    OPSHIFT_TYPE_INT64,
    OPSHIFT_TYPE_STRING,
    OPSHIFT_TYPE_BOOL,
    OPSHIFT_TYPE_FLOAT16,
    OPSHIFT_TYPE_DOUBLE,
    OPSHIFT_TYPE_UINT32,
    OPSHIFT_TYPE_UINT64,
    OPSHIFT_TYPE_COMPLEX64,
    OPSHIFT_TYPE_COMPLEX128,
    OPSHIFT_TYPE_BFLOAT16,
    OPSHIFT_TYPE_FLOAT8E4M3FN,
    OPSHIFT_TYPE_FLOAT8E4M3FNUZ,
    OPSHIFT_TYPE_FLOAT8E5M2,
    OPSHIFT_TYPE_FLOAT8E5M2FNUZ,
    OPSHIFT_TYPE_UINT4,
    OPSHIFT_TYPE_INT4,
    OPSHIFT_TYPE_FLOAT4E2M1,
    OPSHIFT_TYPE_FLOAT8E8M0,
    OPSHIFT_TYPE_UINT2,
    OPSHIFT_TYPE_INT2,
    OPSHIFT_TYPE_COUNT
};

/* The newest opset whose operators we know. */
#define OPSHIFT_OPSET_NEWEST 28

OPSHIFT_API const char *opshift_version(void);

struct opshift_report; /* see the end */

/* Called now and then by what may take long. progress: between 0 and 1; a false answer cancels. */
typedef bool (*opshift_progress)(void *data, double progress);

/* ---- models --------------------------------------------------------------------------------------------------- */

struct opshift_model;

/* What a model may cost. All zero: the defaults. Beyond one it is refused (UNSUPPORTED), and the error names it. */
struct opshift_limits {
    size_t size;         /* see above */
    uint32_t nesting;    /* levels of messages, as protobuf counts them; default 100 */
    uint64_t memory;     /* bytes that the index may take, and the types of values; default 4 GiB */
    uint64_t nodes;      /* of all graphs and functions together; default 10,000,000 */
    uint64_t attributes; /* of a node; default 10,000 */
    uint64_t outputs;    /* of a node; default 1,048,576 */
    uint64_t functions;  /* default 100,000 */
    uint64_t calls;      /* functions that call each other in a row; default 100 */
    uint64_t elements;   /* of a tensor that is read; default 4,294,967,296 */
    uint64_t findings;   /* that a lint of one file keeps; default 200,000 */
    uint64_t decode;     /* bytes of an attribute, type or constant that is decoded at once; default 64 MiB */
    /* What lint reports (LOD) and nothing refuses. */
    uint64_t inlined;   /* nodes of a function whose calls are replaced by bodies; default 10,000,000 */
    uint64_t subgraphs; /* graphs inside each other; default 16 */
    uint64_t trips;     /* rounds of a loop that nothing but its constant count ends; default 100,000,000 */
    uint64_t value;     /* bytes of a value that a node makes, as far as the model alone says it; default 1 GiB */
};

/* The limits by name, for those who let users set them. index >= count gives NULL. */
struct opshift_limit {
    const char *name; /* of the member */
    const char *meaning;
    uint64_t preset, most; /* what 0 stands for; what it may be raised to */
};
OPSHIFT_API size_t opshift_limit_count(void);
OPSHIFT_API const struct opshift_limit *opshift_limit_at(size_t index);
/* 0: it is not set, or there is none of that name. */
OPSHIFT_API uint64_t opshift_limit_get(const struct opshift_limits *limits, const char *name);
/* USAGE: there is no such limit, or the value is not possible. */
OPSHIFT_API enum opshift_status opshift_limit_set(struct opshift_limits *limits, const char *name, uint64_t value,
                                                  struct opshift_error *error);

/* Where data that lies in another file is read from. Never from outside the model's folder; never from what is no
 * regular file. */
enum opshift_external_policy {
    OPSHIFT_EXTERNAL_STRICT,   /* no symbolic link on the way */
    OPSHIFT_EXTERNAL_INSIDE,   /* links are followed that lead to a place inside the folder */
    OPSHIFT_EXTERNAL_HF_CACHE, /* also from snapshots/REVISION to blobs beside snapshots, as Hugging Face's cache has it
                                */
    OPSHIFT_EXTERNAL_NONE      /* from nowhere */
};

struct opshift_open_options {
    size_t size;                         /* see above */
    const struct opshift_limits *limits; /* NULL: the defaults */
    const char *name;                    /* how messages call it; default: the path, or "<memory>", "<stdin>" */
    const char *folder;                  /* where external data lies; default: the path's folder */
    enum opshift_external_policy external;
};

/* path "-" reads standard input. MALFORMED, UNSUPPORTED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_model_open(const char *path, const struct opshift_open_options *options,
                                                   struct opshift_model **model, struct opshift_error *error);
/* The bytes stay the caller's and must outlive the model. */
OPSHIFT_API enum opshift_status opshift_model_open_memory(const void *bytes, size_t size,
                                                          const struct opshift_open_options *options,
                                                          struct opshift_model **model, struct opshift_error *error);
OPSHIFT_API void opshift_model_free(struct opshift_model *model);

OPSHIFT_API const char *opshift_model_name(const struct opshift_model *model);
OPSHIFT_API uint64_t opshift_model_size(const struct opshift_model *model);      /* bytes of the file */
OPSHIFT_API int64_t opshift_model_ir_version(const struct opshift_model *model); /* 0: not given */
OPSHIFT_API int64_t opshift_model_opset(const struct opshift_model *model); /* of ai.onnx; 1 where IR < 3 has none */
/* Does a tensor, an initializer or one in an attribute, lie in another file? Such files must lie beside a new model too
 * (opshift_external_data). */
OPSHIFT_API bool opshift_model_has_external_data(const struct opshift_model *model);
/* An open output: the whole new file, not yet in its place. */
struct opshift_output;

/* What becomes of the files that external data lies in, where the new model lies in another folder. One that is there
 * already stays, and nothing is committed (NO) where it differs; none is ever put outside the new folder. */
enum opshift_external_data {
    OPSHIFT_EXTERNAL_DATA_KEEP, /* they stay where they are: the caller sees to it */
    OPSHIFT_EXTERNAL_DATA_COPY, /* copied at commit, blocks shared where the file system can */
    OPSHIFT_EXTERNAL_DATA_LINK  /* the same, by hard links */
};

struct opshift_write_options {
    size_t size;               /* see above */
    bool sync;                 /* flush the file, what goes with it, and their folders before success is reported */
    opshift_progress progress; /* also asked by _commit; data must live until then */
    void *progress_data;
    enum opshift_external_data external_data;
};

/* Writes the edited model to a temporary file beside path (path "-": an anonymous one, copied to standard output at
 * commit). The file is named path only by _commit; _free before that removes it. IO, MEMORY, CANCELLED. */
OPSHIFT_API enum opshift_status opshift_model_write(struct opshift_model *model, const char *path,
                                                    const struct opshift_write_options *options,
                                                    struct opshift_output **output, struct opshift_error *error);
/* The written model, opened anew: what verification looks at. */
OPSHIFT_API enum opshift_status opshift_output_open(struct opshift_output *output, struct opshift_model **model,
                                                    struct opshift_error *error);
/* The path that the new file has until it is committed or freed, for who must end the process from a signal handler;
 * NULL: it has none. */
OPSHIFT_API const char *opshift_output_temporary(const struct opshift_output *output);
OPSHIFT_API enum opshift_status opshift_output_commit(struct opshift_output *output, struct opshift_error *error);
/* After a commit that copied or linked: the first file of external data that was not beside the model, so that it is
 * not beside the new one either, with what steers a terminal as \xNN; NULL: there is none. */
OPSHIFT_API const char *opshift_output_missing(const struct opshift_output *output);
OPSHIFT_API void opshift_output_free(struct opshift_output *output);

/* write and commit. */
OPSHIFT_API enum opshift_status opshift_model_save(struct opshift_model *model, const char *path,
                                                   const struct opshift_write_options *options,
                                                   struct opshift_error *error);

/* The edited model as a list of pieces, for who writes it elsewhere than to a file: put together in their order they
 * are what a save writes. Valid until the model is edited again or freed; freed by opshift_pieces_free. UNSUPPORTED,
 * IO, MEMORY. */
struct opshift_pieces;
struct opshift_piece {
    const void *bytes; /* NULL: copied from the file, or the memory, that the model was opened from */
    uint64_t offset;   /* where in it */
    uint64_t size;     /* bytes; never 0 */
};
OPSHIFT_API enum opshift_status opshift_output_pieces(struct opshift_model *model, struct opshift_pieces **pieces,
                                                      struct opshift_error *error);
OPSHIFT_API void opshift_pieces_free(struct opshift_pieces *pieces);
OPSHIFT_API size_t opshift_pieces_count(const struct opshift_pieces *pieces);
/* NULL: index >= count. */
OPSHIFT_API const struct opshift_piece *opshift_pieces_at(const struct opshift_pieces *pieces, size_t index);
/* Bytes of all of them together. */
OPSHIFT_API uint64_t opshift_pieces_size(const struct opshift_pieces *pieces);

/* The model as it was opened in ONNX's textual syntax, as its own parser reads it: `float` is a scalar, `float[]` a
 * tensor of unknown rank. *text is NUL-terminated, *size bytes without that NUL, freed by opshift_text_free. What the
 * syntax has no words for (unknown fields, training, ...) is named in comments. MALFORMED, UNSUPPORTED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_model_to_text(struct opshift_model *model, char **text, size_t *size,
                                                      struct opshift_error *error);
/* *bytes: a serialized ModelProto of *size bytes, freed by opshift_text_free. name: how messages call the text.
 * MALFORMED: "name:line:column: what was expected". UNSUPPORTED, MEMORY. */
OPSHIFT_API enum opshift_status opshift_text_to_model(const char *text, size_t text_size, const char *name,
                                                      char **bytes, size_t *size, struct opshift_error *error);
/* All of a file, or of standard input ("-"), as the library reads what it is told to: not a device, nor a pipe that
 * nobody writes to. *text has a NUL behind it and is freed by opshift_text_free. Messages name the path. IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_file_read(const char *path, char **text, size_t *size,
                                                  struct opshift_error *error);
OPSHIFT_API void opshift_text_free(char *text);

/* What a model held when it was opened, as a report (kind "show"). */
OPSHIFT_API enum opshift_status opshift_show(struct opshift_model *model, struct opshift_report **report,
                                             struct opshift_error *error);

/* ---- files ---------------------------------------------------------------------------------------------------- */

/* The files that a piece of work will write, all told before the first is written. Two paths are the same file by what
 * they name, by whatever links and in whatever case of letters the file system takes for one, or by where they will be.
 * What is one of them, and may not be, is refused (USAGE) in words that name both. */
struct opshift_files;

/* who: what messages begin with ("convert"); NULL: nothing. MEMORY. */
OPSHIFT_API enum opshift_status opshift_files_new(const char *who, struct opshift_files **files,
                                                  struct opshift_error *error);
OPSHIFT_API void opshift_files_free(struct opshift_files *files);
/* Will be written; "-" is standard output. what: how messages call it ("option '--report'"). USAGE: so will another one
 * that is the same. A device is never the same as another. */
OPSHIFT_API enum opshift_status opshift_files_add(struct opshift_files *files, const char *what, const char *path,
                                                  struct opshift_error *error);
/* Is read and has to stay. but: what the only one is called that may be the same; NULL: none may. */
OPSHIFT_API enum opshift_status opshift_files_check(const struct opshift_files *files, const char *what,
                                                    const char *path, const char *but, struct opshift_error *error);
/* The same for the file of a model, with `but`, and all files with its external data, without; those are looked at as
 * the model was opened to. */
OPSHIFT_API enum opshift_status opshift_files_check_model(const struct opshift_files *files,
                                                          struct opshift_model *model, const char *but,
                                                          struct opshift_error *error);
/* The same for the places that its external data gets where the model is written to path with
 * OPSHIFT_EXTERNAL_DATA_COPY or _LINK. */
OPSHIFT_API enum opshift_status opshift_files_check_copies(const struct opshift_files *files,
                                                           struct opshift_model *model, const char *path,
                                                           struct opshift_error *error);

/* A file that appears whole or not at all, under a temporary name until then: what was at its place keeps its owner,
 * permissions, access control list and user's attributes. A device, a pipe and "-" get all of it at the commit. */
struct opshift_file;

OPSHIFT_API enum opshift_status opshift_file_open(const char *path, struct opshift_file **file,
                                                  struct opshift_error *error);
OPSHIFT_API enum opshift_status opshift_file_add(struct opshift_file *file, const void *data, size_t size,
                                                 struct opshift_error *error);
/* Writes out what was added: what fails now does not fail at the commit. */
OPSHIFT_API enum opshift_status opshift_file_flush(struct opshift_file *file, struct opshift_error *error);
/* As opshift_output_temporary. */
OPSHIFT_API const char *opshift_file_temporary(const struct opshift_file *file);
OPSHIFT_API enum opshift_status opshift_file_commit(struct opshift_file *file, struct opshift_error *error);
OPSHIFT_API void opshift_file_free(struct opshift_file *file);

/* ---- rules ---------------------------------------------------------------------------------------------------- */

struct opshift_rules;

/* The shipped rules, then the user's folders in order (each may replace a shipped rule). folders may be NULL.
 * USAGE: a mistake in a rule file, "file:line:column: what was expected". */
OPSHIFT_API enum opshift_status opshift_rules_load(const char *const *folders, size_t folder_count,
                                                   struct opshift_rules **rules, struct opshift_error *error);
OPSHIFT_API void opshift_rules_free(struct opshift_rules *rules);
/* What rules are in force, as a report (kind "rules"). */
OPSHIFT_API enum opshift_status opshift_rules_list(const struct opshift_rules *rules, struct opshift_report **report,
                                                   struct opshift_error *error);
/* Reads one rule file and runs its examples. USAGE: does not read; NO: an example does not come out as written. */
OPSHIFT_API enum opshift_status opshift_rules_check(const char *path, struct opshift_report **report,
                                                    struct opshift_error *error);

/* ---- infer ---------------------------------------------------------------------------------------------------- */

/* What the caller knows of a model that the model does not say. Texts stay the caller's. */
struct opshift_given {
    size_t size; /* see above */
    /* "x=1x3x224x224": the shape of an input; each dim a number, a name, or ? to leave what is declared, with x or
     * commas in between; "x=" is a scalar. A number may not be another than the model's. */
    const char *const *shapes;
    size_t shape_count;
    const char *const *dims; /* "N=4": the size of the dims of that name */
    size_t dim_count;
};

struct opshift_infer_options {
    size_t size;                       /* see above */
    const struct opshift_given *given; /* NULL: nothing */
    bool freeze_initializers;          /* an initializer that a caller may override counts as a constant */
    opshift_progress progress;
    void *progress_data;
};

/* Infers the types and shapes of all values, and lays edits on the model that write them as value infos, in subgraphs
 * too: what is missing is added, what is less than what was inferred is completed, what contradicts it is replaced, and
 * what agrees keeps its bytes. Of inputs of the main graph only what is given is written. The report (kind "infer")
 * counts them and names those that were replaced. report may be NULL; freed by opshift_report_free. USAGE: what is
 * given does not read, names nothing, or contradicts the model. CANCELLED, MALFORMED, UNSUPPORTED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_infer(struct opshift_model *model, const struct opshift_infer_options *options,
                                              struct opshift_report **report, struct opshift_error *error);

/* ---- convert and verify --------------------------------------------------------------------------------------- */

#define OPSHIFT_IR_KEEP  0
#define OPSHIFT_IR_MATCH (-1)

/* What a conversion does beside moving the model: SplitToSequence, with all that reads its sequences, becomes Split, or
 * Split becomes SplitToSequence. One that cannot is a blocker. */
enum opshift_sequences { OPSHIFT_SEQUENCES_KEEP, OPSHIFT_SEQUENCES_TO_SPLIT, OPSHIFT_SEQUENCES_FROM_SPLIT };

struct opshift_goal {
    size_t size;                       /* see above */
    int64_t opset;                     /* 1..OPSHIFT_OPSET_NEWEST; 0: the model's own, where sequences are asked for */
    enum opshift_sequences sequences;  /* what becomes of SplitToSequence and Split */
    int64_t ir_version;                /* a version, OPSHIFT_IR_KEEP or OPSHIFT_IR_MATCH */
    bool freeze_initializers;          /* an initializer that a caller may override counts as a constant */
    bool name_empty_outputs;           /* give each empty output of a Split a fresh name */
    bool strict;                       /* what is unknown or doubtful is refused */
    bool brief;                        /* the report counts the rewritten nodes and does not list them */
    bool allow_approximate;            /* nodes may be replaced by others that give nearly the same */
    const struct opshift_rules *rules; /* NULL: the shipped ones */
    opshift_progress progress;
    void *progress_data;
    const struct opshift_given *given; /* what depends on it is told as an assumption; NULL: nothing */
};

/* Plans the conversion of the model as it was opened, and lays its edits on it, in the place of those of a conversion
 * before. NO: blocked; the report lists every blocker, and there are no edits. USAGE: an opset or IR version that is
 * not known. UNSUPPORTED: the model's opset is not known. CANCELLED, MALFORMED, IO, MEMORY. report may be NULL. */
OPSHIFT_API enum opshift_status opshift_convert(struct opshift_model *model, const struct opshift_goal *goal,
                                                struct opshift_report **report, struct opshift_error *error);

/* How far the model can be moved: plans the conversion to each opset, whatever goal->opset is. The report (kind "how
 * far") has for each opset what would be done, or what is in the way, by operator and reason, and which options of the
 * goal would help. UNSUPPORTED, CANCELLED, MALFORMED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_how_far(struct opshift_model *model, const struct opshift_goal *goal,
                                                struct opshift_report **report, struct opshift_error *error);

struct opshift_run_options; /* see "run" */
struct opshift_tolerance;   /* see "values" */
struct opshift_values;

struct opshift_verify_options {
    size_t size;                               /* see above */
    uint64_t seed;                             /* of the random inputs */
    bool freeze_initializers;                  /* an initializer that a caller may override counts as a constant */
    const struct opshift_rules *rules;         /* what nodes may become without being run; NULL: the shipped ones */
    const struct opshift_run_options *whole;   /* run both models whole too, with this engine; NULL: do not */
    unsigned draws;                            /* whole: on so many drawn inputs; default 3 */
    const struct opshift_tolerance *tolerance; /* whole: of outputs; NULL: bit by bit */
    const struct opshift_values *inputs;       /* whole: these are not drawn; NULL: all are */
    const char *const *shapes;                 /* whole: of those that are drawn, as in struct opshift_draw_options */
    size_t shape_count;
    bool brief;  /* the report is read and not kept: no file is hashed for it */
    bool strict; /* NO also where a node is only tested, or where its types or shapes are assumed */
    opshift_progress progress;
    void *progress_data;
    uint64_t memory, steps;            /* what running rewritten nodes may take, as in struct opshift_run_options */
    const struct opshift_given *given; /* what the conversion was told; NULL: nothing */
};

/* Compares what differs between the two. NO: something differs, nothing shows that a node does the same, external data
 * cannot be compared, or one of the two is no valid model by the errors of lint; the report says what and where. */
OPSHIFT_API enum opshift_status opshift_verify(struct opshift_model *before, struct opshift_model *after,
                                               const struct opshift_verify_options *options,
                                               struct opshift_report **report, struct opshift_error *error);

/* Verifies again what a certificate is about: JSON of such a report, or of convert's with one in it; its seed and
 * options are taken, those of the caller for the rest; an engine other than "builtin" only where it is the caller's,
 * too (USAGE). NO: the files are not those of the certificate, or a verdict is another; error and the report (kind
 * "replay") say which. MALFORMED: it is no certificate. */
OPSHIFT_API enum opshift_status opshift_verify_replay(struct opshift_model *before, struct opshift_model *after,
                                                      const char *certificate, size_t size,
                                                      const struct opshift_verify_options *options,
                                                      struct opshift_report **report, struct opshift_error *error);
/* A report of opshift_verify as one page of HTML that needs nothing else: each rewritten piece before and after, drawn.
 * Freed by opshift_text_free. */
OPSHIFT_API enum opshift_status opshift_verify_page(const struct opshift_report *report, char **text,
                                                    struct opshift_error *error);

/* ---- diff ----------------------------------------------------------------------------------------------------- */

/* What may differ without being told, to be joined with |. */
#define OPSHIFT_DIFF_DOC         1u  /* doc_string, everywhere */
#define OPSHIFT_DIFF_METADATA    2u  /* metadata_props, everywhere */
#define OPSHIFT_DIFF_NAMES       4u  /* the names of nodes and graphs, not those of values */
#define OPSHIFT_DIFF_PRODUCER    8u  /* producer_name, producer_version, domain and model_version of the model */
#define OPSHIFT_DIFF_VALUE_INFOS 16u /* the declared types of values in between */
#define OPSHIFT_DIFF_ORDER       32u /* where nodes, inputs and outputs stand in their lists */

/* All zero: everything is told. */
struct opshift_diff_options {
    size_t size; /* see above */
    unsigned ignore;
    opshift_progress progress;
    void *progress_data;
};

/* What differs between the two, as a report (kind "diff"); a tensor's value counts, not how it is stored. Weights are
 * read piece by piece. NO: something does. MALFORMED, UNSUPPORTED, IO, MEMORY, CANCELLED. report may be NULL. */
OPSHIFT_API enum opshift_status opshift_diff(struct opshift_model *before, struct opshift_model *after,
                                             const struct opshift_diff_options *options, struct opshift_report **report,
                                             struct opshift_error *error);

/* ---- lint ----------------------------------------------------------------------------------------------------- */

enum opshift_severity { OPSHIFT_SEVERITY_NOTE, OPSHIFT_SEVERITY_WARNING, OPSHIFT_SEVERITY_ERROR };
#define OPSHIFT_SEVERITY_NEVER 3 /* as a fail level: nothing fails */

/* What a check is about; all texts are constants. */
struct opshift_check {
    const char *id;   /* "SPL004"; stable */
    const char *slug; /* "split-sum"; stable */
    enum opshift_severity severity;
    const char *summary;        /* one line */
    const char *why;            /* why it matters */
    const char *runtimes;       /* which runtimes stumble, and how; NULL: nothing is known */
    const char *mend;           /* how to mend it */
    const char *before, *after; /* an example in ONNX's textual syntax, or NULL: the fault, and the fault mended */
    bool fixable;               /* opshift_lint_fix mends it */
};

/* Every check there is, by id. index >= count gives NULL. */
OPSHIFT_API size_t opshift_check_count(void);
OPSHIFT_API const struct opshift_check *opshift_check_at(size_t index);
/* By id or slug, in any case of letters; NULL: there is none. */
OPSHIFT_API const struct opshift_check *opshift_check_find(const char *name);

/* A family of checks: what their ids start with, and what they are about. index >= count gives NULL. */
struct opshift_family {
    const char *prefix;
    const char *title;
};
OPSHIFT_API size_t opshift_family_count(void);
OPSHIFT_API const struct opshift_family *opshift_family_at(size_t index);

/* What a check means, why it matters, how to mend it, with its example. Freed by opshift_text_free. MEMORY. */
OPSHIFT_API enum opshift_status opshift_check_explain(const struct opshift_check *check, bool markdown, char **text,
                                                      struct opshift_error *error);
/* The same for all of them, family by family. */
OPSHIFT_API enum opshift_status opshift_checks_explain(bool markdown, char **text, struct opshift_error *error);
/* All of them as a report (kind "checks"). */
OPSHIFT_API enum opshift_status opshift_checks_list(struct opshift_report **report, struct opshift_error *error);

/* All zero: every check, as it is shipped; errors fail. The texts are the caller's and outlive the lint. */
struct opshift_lint_options {
    size_t size;               /* see above */
    const char *const *select; /* ids, or prefixes of ids; none: all */
    size_t select_count;
    const char *const *ignore; /* the same; wins over select */
    size_t ignore_count;
    const char *config;         /* a configuration file (.opshift.yaml); NULL: none */
    const char *baseline;       /* a file of known findings; NULL: none */
    bool update_baseline;       /* it is to be written anew: it need not be there, and what is stale is not reported */
    const char *const *targets; /* names of target profiles */
    size_t target_count;
    const char *const *target_folders; /* where more profiles lie */
    size_t target_folder_count;
    int64_t to;     /* the opset that the models are to be converted to: what would block it; 0: none */
    int fail_level; /* 0: OPSHIFT_SEVERITY_ERROR; else a severity + 1, or OPSHIFT_SEVERITY_NEVER + 1 */
    const struct opshift_open_options *open; /* NULL: the defaults */
    const struct opshift_rules *rules;       /* for `to`; NULL: the shipped ones */
    const struct opshift_files *files; /* that will be written: a model that reads one of them ends the lint (USAGE), as
                                          it would be lost; NULL: none */
    const char *replaces;              /* the one of them that may be the model itself; NULL: none */
};

/* What is asked of every model: made once, then only read, so that many threads may share it. */
struct opshift_lint;
/* USAGE: an unknown id, a mistake in the configuration ("file:line:column: ..."), an unknown profile. IO. */
OPSHIFT_API enum opshift_status opshift_lint_new(const struct opshift_lint_options *options, struct opshift_lint **lint,
                                                 struct opshift_error *error);
OPSHIFT_API void opshift_lint_free(struct opshift_lint *lint);
/* The target profiles that are shipped, a line each: name and description. Freed by opshift_text_free. */
OPSHIFT_API enum opshift_status opshift_target_list(char **text, struct opshift_error *error);
/* How the lint opens models. */
OPSHIFT_API const struct opshift_open_options *opshift_lint_open_options(const struct opshift_lint *lint);
/* The baseline in force, by the options or the configuration; NULL: none. */
OPSHIFT_API const char *opshift_lint_baseline(const struct opshift_lint *lint);
/* The .opshift.yaml that is in force in a folder: of the folder itself or the nearest above, up to the root of a
 * repository. *path: NULL where there is none; freed by opshift_text_free. IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_lint_config_find(const char *folder, char **path, struct opshift_error *error);

/* A fault of a model. The texts belong to the findings that it came from. */
struct opshift_finding {
    const struct opshift_check *check;
    enum opshift_severity severity; /* as configured */
    const char *place;              /* for people: "node 'split_0' (Split)"; "" for the model */
    const char *location;           /* for machines: "graph/node[12]:Split_0/then_branch/node[3]" */
    const char *message;            /* "what is wrong; the way out" */
    const char *fingerprint; /* the same for the same fault, also where other nodes came or went; 64 hex digits */
    uint64_t offset, size;   /* bytes of the file to look at */
    bool known;              /* the baseline has it: it does not fail */
    const char *suppressed;  /* the reason that the model itself gives; NULL: it is not suppressed */
};

/* What was found in one file. */
struct opshift_findings;
/* Opens and checks a file. What cannot be opened or is malformed is a finding too; the status of the findings says so.
 * MEMORY. */
OPSHIFT_API enum opshift_status opshift_lint_file(const struct opshift_lint *lint, const char *path,
                                                  struct opshift_findings **findings, struct opshift_error *error);
OPSHIFT_API enum opshift_status opshift_lint_model(const struct opshift_lint *lint, struct opshift_model *model,
                                                   struct opshift_findings **findings, struct opshift_error *error);
OPSHIFT_API const char *opshift_findings_name(const struct opshift_findings *findings); /* of the file */
/* By rising place in the file. */
OPSHIFT_API size_t opshift_findings_count(const struct opshift_findings *findings);
OPSHIFT_API const struct opshift_finding *opshift_findings_at(const struct opshift_findings *findings, size_t index);
/* OK; NO: one at or above the fail level; MALFORMED, UNSUPPORTED, IO: the file could not be read (whole). */
OPSHIFT_API enum opshift_status opshift_findings_status(const struct opshift_findings *findings);
/* Why it could not be read (whole), with its name in front; NULL: it was read. */
OPSHIFT_API const char *opshift_findings_failure(const struct opshift_findings *findings);
/* How many findings opshift_lint_fix mended before these were left. */
OPSHIFT_API uint64_t opshift_findings_mended(const struct opshift_findings *findings);
OPSHIFT_API void opshift_findings_free(struct opshift_findings *findings);

/* A finding that is mended. The texts belong to the fixes that it came from. */
struct opshift_fix {
    const struct opshift_check *check;
    const char *place;          /* as in struct opshift_finding, in the model as mended so far */
    const char *message;        /* what was wrong */
    const char *before, *after; /* what it is about and what that becomes, as text, in whole lines; "": nothing */
};

/* What opshift_lint_fix mended, and what it left. */
struct opshift_fixes;
/* Mends, of what the lint finds in a model as it was opened, all that has one right answer: not what the baseline knows
 * or the model suppresses, and nothing in a model that does not read (whole). The model then computes the same. Lays
 * the edits on the model, in the place of those of a fix or conversion before; where nothing is mended there are none.
 * MALFORMED, UNSUPPORTED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_lint_fix(const struct opshift_lint *lint, struct opshift_model *model,
                                                 struct opshift_fixes **fixes, struct opshift_error *error);
/* In the order in which they were made. index >= count gives NULL. */
OPSHIFT_API size_t opshift_fixes_count(const struct opshift_fixes *fixes);
OPSHIFT_API const struct opshift_fix *opshift_fixes_at(const struct opshift_fixes *fixes, size_t index);
/* What is found in the mended model. They belong to the fixes. */
OPSHIFT_API const struct opshift_findings *opshift_fixes_findings(const struct opshift_fixes *fixes);
OPSHIFT_API void opshift_fixes_free(struct opshift_fixes *fixes);

/* Gets what was found in a file; freed when it returns. Anything but OK ends the work with that status. */
typedef enum opshift_status (*opshift_lint_done)(void *data, const struct opshift_findings *findings,
                                                 struct opshift_error *error);
/* opshift_lint_file for each path, `jobs` threads at once (0 is 1), of which the caller's is one. done is called by
 * that one, in the order of the paths; no more than a few files a thread are held ahead of it. MEMORY, and what done
 * answers. */
OPSHIFT_API enum opshift_status opshift_lint_files(const struct opshift_lint *lint, const char *const *paths,
                                                   size_t count, unsigned jobs, opshift_lint_done done, void *data,
                                                   struct opshift_error *error);

/* Findings as a document, written file by file as they come. */
struct opshift_lint_writer;

struct opshift_lint_writer_options {
    size_t size;        /* see above */
    const char *format; /* text, json, ndjson, sarif, github, junit, or baseline: a file for opshift_lint_options */
    bool color;         /* text: for a terminal that shows colours */
    bool exit_zero;     /* sarif: the command ends with 0 where findings would make it fail */
};

/* How many formats there are, and how they are called. index >= count gives NULL. */
OPSHIFT_API size_t opshift_lint_format_count(void);
OPSHIFT_API const char *opshift_lint_format_at(size_t index);

/* write: gets the bytes; a false answer ends the writing with IO. USAGE: no such format. */
typedef bool (*opshift_write)(void *data, const char *bytes, size_t size);
OPSHIFT_API enum opshift_status opshift_lint_writer_new(const struct opshift_lint *lint,
                                                        const struct opshift_lint_writer_options *options,
                                                        opshift_write write, void *data,
                                                        struct opshift_lint_writer **writer,
                                                        struct opshift_error *error);
OPSHIFT_API enum opshift_status opshift_lint_writer_add(struct opshift_lint_writer *writer,
                                                        const struct opshift_findings *findings,
                                                        struct opshift_error *error);
/* The end of the document, with the counts. */
OPSHIFT_API enum opshift_status opshift_lint_writer_finish(struct opshift_lint_writer *writer,
                                                           struct opshift_error *error);
OPSHIFT_API void opshift_lint_writer_free(struct opshift_lint_writer *writer);

/* ---- values --------------------------------------------------------------------------------------------------- */

/* What goes into a model and comes out of it: a tensor, a sequence of tensors, or an optional that holds nothing. It
 * never changes once it is made. */
struct opshift_value;

enum opshift_value_kind { OPSHIFT_VALUE_TENSOR, OPSHIFT_VALUE_SEQUENCE, OPSHIFT_VALUE_NOTHING };

/* A tensor of every type but string. data: its elements in row-major order and the machine's byte order, types of 4 and
 * 2 bits packed as in TensorProto.raw_data; size: their bytes. Copied. USAGE: size is not what type and dims need. */
OPSHIFT_API enum opshift_status opshift_value_tensor(enum opshift_type type, size_t rank, const int64_t *dims,
                                                     const void *data, size_t size, struct opshift_value **value,
                                                     struct opshift_error *error);
/* A tensor of strings; sizes NULL: each ends in a NUL. Copied. */
OPSHIFT_API enum opshift_status opshift_value_strings(size_t rank, const int64_t *dims, const char *const *texts,
                                                      const size_t *sizes, size_t count, struct opshift_value **value,
                                                      struct opshift_error *error);
/* A sequence of tensors of this type. Copied. */
OPSHIFT_API enum opshift_status opshift_value_sequence(enum opshift_type type, const struct opshift_value *const *items,
                                                       size_t count, struct opshift_value **value,
                                                       struct opshift_error *error);
OPSHIFT_API void opshift_value_free(struct opshift_value *value);

OPSHIFT_API enum opshift_value_kind opshift_value_kind(const struct opshift_value *value);
/* Of a tensor's elements, or of the tensors in a sequence; UNDEFINED for nothing, and where a sequence does not say. */
OPSHIFT_API enum opshift_type opshift_value_type(const struct opshift_value *value);
/* "float", "int64", ...; NULL for a number that is no type. */
OPSHIFT_API const char *opshift_type_name(enum opshift_type type);
/* Of a tensor; *dims is the value's. 0 and NULL for what is none. */
OPSHIFT_API size_t opshift_value_rank(const struct opshift_value *value);
OPSHIFT_API const int64_t *opshift_value_dims(const struct opshift_value *value);
/* How many elements, or tensors in a sequence. */
OPSHIFT_API uint64_t opshift_value_count(const struct opshift_value *value);
/* As for opshift_value_tensor; NULL for strings and for what is no tensor. */
OPSHIFT_API const void *opshift_value_data(const struct opshift_value *value, size_t *size);
/* NUL-terminated; NULL where there is none. */
OPSHIFT_API const char *opshift_value_string(const struct opshift_value *value, uint64_t index, size_t *size);
/* A tensor of a sequence, which owns it; NULL where there is none. */
OPSHIFT_API const struct opshift_value *opshift_value_item(const struct opshift_value *value, uint64_t index);
/* The type, the shape and the first elements on one line. Freed by opshift_text_free. */
OPSHIFT_API enum opshift_status opshift_value_text(const struct opshift_value *value, char **text,
                                                   struct opshift_error *error);

struct opshift_tolerance {
    size_t size;     /* see above */
    bool exact;      /* bit by bit; else |a - b| <= absolute + relative * |b| for numbers, where relative is at least
                      * one step of bfloat16 for that type */
    double relative; /* 0: none */
    double absolute;
};

/* Is a what b says it should be? NO: error says where they differ first. Types and shapes are always compared; what is
 * not a number equals itself. */
OPSHIFT_API enum opshift_status opshift_value_compare(const struct opshift_value *a, const struct opshift_value *b,
                                                      const struct opshift_tolerance *tolerance,
                                                      struct opshift_error *error);

/* Values by name, in the order they were added. */
struct opshift_values;

OPSHIFT_API enum opshift_status opshift_values_new(struct opshift_values **values, struct opshift_error *error);
/* And all that it holds. */
OPSHIFT_API void opshift_values_free(struct opshift_values *values);
/* Takes the value over, also when it fails. USAGE: the name is there already. */
OPSHIFT_API enum opshift_status opshift_values_add(struct opshift_values *values, const char *name,
                                                   struct opshift_value *value, struct opshift_error *error);
/* All of them once more. */
OPSHIFT_API enum opshift_status opshift_values_copy(const struct opshift_values *from, struct opshift_values **values,
                                                    struct opshift_error *error);
OPSHIFT_API size_t opshift_values_count(const struct opshift_values *values);
OPSHIFT_API const char *opshift_values_name(const struct opshift_values *values, size_t index);
OPSHIFT_API const struct opshift_value *opshift_values_at(const struct opshift_values *values, size_t index);
/* NULL: there is none of that name. */
OPSHIFT_API const struct opshift_value *opshift_values_find(const struct opshift_values *values, const char *name);

/* How many bytes all that opshift_values_read adds to the values may take. Default: 4 GiB, and of an archive (.npz)
 * 64 MiB and four times its size. */
OPSHIFT_API void opshift_values_limit(struct opshift_values *values, uint64_t memory);
/* Adds what a file holds: .npy, .pb (a TensorProto, SequenceProto or OptionalProto; the model's input or output of that
 * name says which), or .npz, of which name NULL adds every entry by its own name, and a name the only one.
 * uint16 where the model declares bfloat16 is taken for its bits. MALFORMED, UNSUPPORTED, IO; USAGE: the ending says
 * nothing. */
OPSHIFT_API enum opshift_status opshift_values_read(struct opshift_values *values, struct opshift_model *model,
                                                    const char *name, const char *path, struct opshift_error *error);
/* One value as .npy or .pb, by the ending. UNSUPPORTED: NumPy has no such type. */
OPSHIFT_API enum opshift_status opshift_value_write(const struct opshift_value *value, const char *name,
                                                    const char *path, struct opshift_error *error);
/* Can a .npy file hold it? */
OPSHIFT_API bool opshift_value_fits_npy(const struct opshift_value *value);
/* The name of a value as the name of a file: one part of a path, with "/" and what else would lead elsewhere, or steers
 * a terminal, as %XX. Freed by opshift_text_free. MEMORY. */
OPSHIFT_API enum opshift_status opshift_value_file_name(const char *name, char **file, struct opshift_error *error);
/* All of them as one .npz, whose entries have the values' names; what in one would lead out of a folder that it is
 * unpacked in becomes %XX. */
OPSHIFT_API enum opshift_status opshift_values_write(const struct opshift_values *values, const char *path,
                                                     struct opshift_error *error);

/* ---- walk ------------------------------------------------------------------------------------------------------ */

/* What a model held when it was opened, read-only: its graphs, their nodes, initializers and declared values. Graphs
 * and nodes belong to the model, and so do the texts: they are valid until it is freed. A text is NUL-terminated; one
 * that holds a NUL ends there. An index beyond the last gives NULL or 0. */
struct opshift_graph; /* the main graph, a subgraph in an attribute, or the body of a function */
struct opshift_node;

/* Opset imports, in the order of the file; the domain of ai.onnx is "". */
OPSHIFT_API size_t opshift_model_import_count(const struct opshift_model *model);
OPSHIFT_API const char *opshift_model_import_domain(const struct opshift_model *model, size_t index);
OPSHIFT_API int64_t opshift_model_import_version(const struct opshift_model *model, size_t index);

/* The main graph, and the model's functions. */
OPSHIFT_API const struct opshift_graph *opshift_model_graph(const struct opshift_model *model);
OPSHIFT_API size_t opshift_model_function_count(const struct opshift_model *model);
OPSHIFT_API const char *opshift_model_function_name(const struct opshift_model *model, size_t index);
OPSHIFT_API const char *opshift_model_function_domain(const struct opshift_model *model, size_t index);
OPSHIFT_API const struct opshift_graph *opshift_model_function_body(const struct opshift_model *model, size_t index);

OPSHIFT_API const char *opshift_graph_name(const struct opshift_model *model, const struct opshift_graph *graph);
OPSHIFT_API size_t opshift_graph_node_count(const struct opshift_graph *graph);
OPSHIFT_API const struct opshift_node *opshift_graph_node(const struct opshift_graph *graph, size_t index);

/* The three lists of values that a graph declares. */
enum opshift_value_list { OPSHIFT_LIST_INPUTS, OPSHIFT_LIST_OUTPUTS, OPSHIFT_LIST_VALUE_INFOS };
OPSHIFT_API size_t opshift_graph_value_count(const struct opshift_graph *graph, enum opshift_value_list list);
OPSHIFT_API const char *opshift_graph_value_name(const struct opshift_model *model, const struct opshift_graph *graph,
                                                 enum opshift_value_list list, size_t index);
/* The declared type in ONNX's textual syntax, such as "float[N, 3]"; "" where none is declared. Freed by
 * opshift_text_free. USAGE: there is no such value; UNSUPPORTED: the syntax cannot express the type; MALFORMED, IO,
 * MEMORY. */
OPSHIFT_API enum opshift_status opshift_graph_value_type(struct opshift_model *model, const struct opshift_graph *graph,
                                                         enum opshift_value_list list, size_t index, char **text,
                                                         struct opshift_error *error);

OPSHIFT_API size_t opshift_graph_initializer_count(const struct opshift_graph *graph);
OPSHIFT_API const char *opshift_graph_initializer_name(const struct opshift_model *model,
                                                       const struct opshift_graph *graph, size_t index);
OPSHIFT_API enum opshift_type opshift_graph_initializer_type(const struct opshift_graph *graph, size_t index);
OPSHIFT_API size_t opshift_graph_initializer_rank(const struct opshift_graph *graph, size_t index);
/* As many as the rank; NULL for a scalar. */
OPSHIFT_API const int64_t *opshift_graph_initializer_dims(const struct opshift_graph *graph, size_t index);
OPSHIFT_API bool opshift_graph_initializer_is_sparse(const struct opshift_graph *graph, size_t index);
/* Do its elements lie in another file? */
OPSHIFT_API bool opshift_graph_initializer_is_external(const struct opshift_graph *graph, size_t index);
/* A copy of its elements, a sparse one made dense; freed by opshift_value_free. USAGE: there is no such initializer;
 * MALFORMED, UNSUPPORTED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_graph_initializer_value(struct opshift_model *model,
                                                                const struct opshift_graph *graph, size_t index,
                                                                struct opshift_value **value,
                                                                struct opshift_error *error);

/* NULL where the name cannot be read (I/O, memory); "" where there is none. */
OPSHIFT_API const char *opshift_node_name(struct opshift_model *model, const struct opshift_node *node);
OPSHIFT_API const char *opshift_node_operator(const struct opshift_model *model, const struct opshift_node *node);
OPSHIFT_API const char *opshift_node_domain(const struct opshift_model *model, const struct opshift_node *node);
OPSHIFT_API size_t opshift_node_input_count(const struct opshift_node *node);
/* "" where an optional input or output is absent. */
OPSHIFT_API const char *opshift_node_input(const struct opshift_model *model, const struct opshift_node *node,
                                           size_t index);
OPSHIFT_API size_t opshift_node_output_count(const struct opshift_node *node);
OPSHIFT_API const char *opshift_node_output(const struct opshift_model *model, const struct opshift_node *node,
                                            size_t index);
/* The graphs in its attributes, in the order of the file. */
OPSHIFT_API size_t opshift_node_graph_count(const struct opshift_node *node);
OPSHIFT_API const struct opshift_graph *opshift_node_graph(const struct opshift_node *node, size_t index);

/* A node's attributes, read from the file and decoded. */
struct opshift_attributes;
/* The numbers are AttributeProto.AttributeType's. */
enum opshift_attribute_type {
    OPSHIFT_ATTRIBUTE_UNDEFINED = 0,
    OPSHIFT_ATTRIBUTE_FLOAT = 1,
    OPSHIFT_ATTRIBUTE_INT,
    OPSHIFT_ATTRIBUTE_STRING,
    OPSHIFT_ATTRIBUTE_TENSOR,
    OPSHIFT_ATTRIBUTE_GRAPH,
    OPSHIFT_ATTRIBUTE_FLOATS,
    OPSHIFT_ATTRIBUTE_INTS,
    OPSHIFT_ATTRIBUTE_STRINGS,
    OPSHIFT_ATTRIBUTE_TENSORS,
    OPSHIFT_ATTRIBUTE_GRAPHS,
    OPSHIFT_ATTRIBUTE_SPARSE_TENSOR,
    OPSHIFT_ATTRIBUTE_SPARSE_TENSORS,
    OPSHIFT_ATTRIBUTE_TYPE_PROTO,
    OPSHIFT_ATTRIBUTE_TYPE_PROTOS
};
/* Freed by opshift_attributes_free, before the model. MALFORMED, UNSUPPORTED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_node_attributes(struct opshift_model *model, const struct opshift_node *node,
                                                        struct opshift_attributes **attributes,
                                                        struct opshift_error *error);
OPSHIFT_API void opshift_attributes_free(struct opshift_attributes *attributes);
OPSHIFT_API size_t opshift_attributes_count(const struct opshift_attributes *attributes);
OPSHIFT_API const char *opshift_attributes_name(const struct opshift_attributes *attributes, size_t index);
OPSHIFT_API enum opshift_attribute_type opshift_attributes_type(const struct opshift_attributes *attributes,
                                                                size_t index);
/* In a function's body: the function's attribute that gives the value; "": the attribute has its own. */
OPSHIFT_API const char *opshift_attributes_reference(const struct opshift_attributes *attributes, size_t index);
/* The value of an attribute of this type; 0 or NULL where it is of another type. */
OPSHIFT_API int64_t opshift_attributes_int(const struct opshift_attributes *attributes, size_t index);
OPSHIFT_API float opshift_attributes_float(const struct opshift_attributes *attributes, size_t index);
OPSHIFT_API const int64_t *opshift_attributes_ints(const struct opshift_attributes *attributes, size_t index,
                                                   size_t *count);
OPSHIFT_API const float *opshift_attributes_floats(const struct opshift_attributes *attributes, size_t index,
                                                   size_t *count);
/* How many strings a STRINGS attribute has; 1 for a STRING. */
OPSHIFT_API size_t opshift_attributes_string_count(const struct opshift_attributes *attributes, size_t index);
/* *size bytes, without a NUL behind them. */
OPSHIFT_API const char *opshift_attributes_string(const struct opshift_attributes *attributes, size_t index,
                                                  size_t position, size_t *size);
/* A copy of a TENSOR attribute's elements, freed by opshift_value_free. USAGE: it is of another type. */
OPSHIFT_API enum opshift_status opshift_attributes_tensor(const struct opshift_attributes *attributes, size_t index,
                                                          struct opshift_value **value, struct opshift_error *error);

/* ---- plans ------------------------------------------------------------------------------------------------------ */

/* What a conversion makes of each node, before anything is edited: what opshift_convert applies. */
struct opshift_plan;

enum opshift_fate {
    OPSHIFT_KEPT,      /* the node stays as it is */
    OPSHIFT_REWRITTEN, /* other nodes, or one that differs, stand in its place */
    OPSHIFT_REMOVED,   /* nobody reads it any more */
    OPSHIFT_BLOCKED    /* it cannot be converted */
};

/* Plans the conversion of the model as it was opened, which stays as it is. Nodes in the way are no failure: see
 * opshift_plan_blocker_count. Freed by opshift_plan_free, before the model. Fails as opshift_convert does, but for
 * blocked nodes. */
OPSHIFT_API enum opshift_status opshift_plan_new(struct opshift_model *model, const struct opshift_goal *goal,
                                                 struct opshift_plan **plan, struct opshift_error *error);
OPSHIFT_API void opshift_plan_free(struct opshift_plan *plan);
/* How many nodes cannot be converted. */
OPSHIFT_API size_t opshift_plan_blocker_count(const struct opshift_plan *plan);

/* What the plan holds about one node; its texts and bytes are valid until it is freed. */
struct opshift_planned;
/* graph and node: of the model, as the walk over it gives them. Freed by opshift_planned_free, before the plan. MEMORY,
 * and what reading the node gives. */
OPSHIFT_API enum opshift_status opshift_plan_find(const struct opshift_plan *plan, const struct opshift_graph *graph,
                                                  const struct opshift_node *node, struct opshift_planned **planned,
                                                  struct opshift_error *error);
OPSHIFT_API void opshift_planned_free(struct opshift_planned *planned);
OPSHIFT_API enum opshift_fate opshift_planned_fate(const struct opshift_planned *planned);
/* BLOCKED: what is in the way, and the way out; else NULL. */
OPSHIFT_API const char *opshift_planned_why(const struct opshift_planned *planned);
/* The lists of texts that a plan has of a node: files of the rules that rewrite it, in the order of the steps; what
 * could not be shown and the result depends on; what else is to be known. */
enum opshift_planned_list { OPSHIFT_PLANNED_RULES, OPSHIFT_PLANNED_ASSUMPTIONS, OPSHIFT_PLANNED_NOTES };
OPSHIFT_API size_t opshift_planned_count(const struct opshift_planned *planned, enum opshift_planned_list list);
OPSHIFT_API const char *opshift_planned_text(const struct opshift_planned *planned, enum opshift_planned_list list,
                                             size_t index);
/* REWRITTEN: the nodes that stand in its place, in their order, each as a serialized NodeProto of *size bytes; graphs
 * in attributes are left out, as their nodes have fates of their own. */
OPSHIFT_API size_t opshift_planned_record_count(const struct opshift_planned *planned);
OPSHIFT_API const void *opshift_planned_record(const struct opshift_planned *planned, size_t index, size_t *size);

/* ---- run ------------------------------------------------------------------------------------------------------ */

/* The inputs and outputs of a model's main graph, in order; index beyond the last gives NULL. */
OPSHIFT_API size_t opshift_model_input_count(const struct opshift_model *model);
OPSHIFT_API const char *opshift_model_input_name(const struct opshift_model *model, size_t index);
/* Must it be given? False where an initializer is its default; true also where there is no memory to find out. */
OPSHIFT_API bool opshift_model_input_is_required(struct opshift_model *model, size_t index);
OPSHIFT_API size_t opshift_model_output_count(const struct opshift_model *model);
OPSHIFT_API const char *opshift_model_output_name(const struct opshift_model *model, size_t index);

struct opshift_draw_options {
    size_t size; /* see above */
    uint64_t seed;
    /* "input=2x3", or "N=4" for a symbolic dim; a scalar is "input=". Of a sequence it is the shape of each tensor. */
    const char *const *shapes;
    size_t shape_count;
    unsigned attempt; /* 0: a dim without a size is an error; else it gets one, another one for another attempt */
    uint64_t memory;  /* bytes that all drawn values may take together; default 192 MiB */
};

/* Draws a value for each required input that has none: elements as the nodes need them that read it (indices within
 * the axis, lengths that sum up, a shape that fits), as far as that is known; three tensors in a sequence, and in an
 * optional what it may hold. USAGE: a shape names nothing, or a dim has no size. */
OPSHIFT_API enum opshift_status opshift_values_draw(struct opshift_values *values, struct opshift_model *model,
                                                    const struct opshift_draw_options *options,
                                                    struct opshift_error *error);

struct opshift_run_options {
    size_t size;        /* see above */
    const char *engine; /* NULL: "builtin" */
    uint64_t memory;    /* bytes that all values may take together; default 192 MiB and twice what the model's
                         * initializers take; onnxruntime: 16 GiB */
    uint64_t steps;     /* builtin: work that may be done, in steps of about a nanosecond; default 6,000,000,000 */
    bool ignore_shapes; /* take inputs of another shape than the model declares */
    const char *ort;    /* onnxruntime: its shared library; NULL: the loader finds it */
    unsigned seconds;   /* onnxruntime: how long a run may take; default 120 */
    opshift_progress progress; /* onnxruntime: asked while it works; false: CANCELLED */
    void *progress_data;
};

/* The engines there are; index >= their number gives NULL. */
OPSHIFT_API const char *opshift_engine_at(size_t index);
/* Which version of the engine answers. Freed by opshift_text_free. USAGE: its library is not here. */
OPSHIFT_API enum opshift_status opshift_engine_version(const struct opshift_run_options *options, char **version,
                                                       struct opshift_error *error);
/* Can the engine run this model? UNSUPPORTED: error lists the operators that it cannot compute. */
OPSHIFT_API enum opshift_status
opshift_run_check(struct opshift_model *model, const struct opshift_run_options *options, struct opshift_error *error);
/* Runs the model, without the edits that may lie on it. inputs: by name; *outputs: all of the model's, by name. Engine
 * "onnxruntime" runs without optimizations in a program of its own, opshift-ort: MALFORMED also where that crashes.
 * USAGE: an input is missing, unknown, or of another type or shape than the model declares; MALFORMED: a node does not
 * take what it is given; UNSUPPORTED: no kernel, or beyond a limit. */
OPSHIFT_API enum opshift_status opshift_run(struct opshift_model *model, const struct opshift_values *inputs,
                                            const struct opshift_run_options *options, struct opshift_values **outputs,
                                            struct opshift_error *error);

/* ---- split ---------------------------------------------------------------------------------------------------- */

/* Threads that are started once and wait for work, for who splits again and again: with them also a few hundred KB are
 * worth sharing, with threads that must be started first some MB. After a call they look out for the next one for two
 * milliseconds, which takes their processors' time, and then sleep. A process that is forked has none of them: there
 * the caller's thread is alone. */
struct opshift_team;
/* Of so many threads, of which the caller's is one; at most 64, and no more than the system gives. MEMORY. Freed by
 * opshift_team_free, which waits until they have ended. */
OPSHIFT_API enum opshift_status opshift_team_new(unsigned threads, struct opshift_team **team,
                                                 struct opshift_error *error);
OPSHIFT_API void opshift_team_free(struct opshift_team *team);

/* All zero: the defaults. */
struct opshift_split_options {
    size_t size; /* see above */
    /* At most so many; 0 is 1, or all of a team. Few bytes are always copied by the caller's thread alone. */
    unsigned threads;
    /* NULL: threads are started for this call. One that has not begun when all is done is not waited for: it touches
     * nothing of the caller's, and ends when it begins. A team that works for another call is not waited for either:
     * the caller's thread is then alone. */
    struct opshift_team *team;
};

/* Split on plain buffers. The input is [outer, dim, inner] elements of element_size bytes in row-major order; output i
 * gets [outer, lengths[i], inner], the parts of the axis one after the other, lengths of 0 among them. The elements are
 * only moved: any type will do, and buffers may lie at any address (outputs at multiples of 64 bytes are fastest).
 * outputs[i] NULL: that part is not wanted. Outputs must not overlap each other or the input, and are not written
 * beyond their size. Where opshift_split_views answers OK, nothing need be copied.
 * USAGE: lengths below 0 or that do not sum to dim, element_size 0, a size above PTRDIFF_MAX. MEMORY. Nothing is
 * written then. */
OPSHIFT_API enum opshift_status opshift_split(const void *input, size_t element_size, uint64_t outer, uint64_t dim,
                                              uint64_t inner, const int64_t *lengths, size_t count,
                                              void *const *outputs, const struct opshift_split_options *options,
                                              struct opshift_error *error);

/* Where the parts lie in the input, for who may keep the input instead of copies: views[i] is where part i starts, a
 * run of as many bytes as the part takes. NO: they are no runs, because of outer; nothing is given. USAGE as above. */
OPSHIFT_API enum opshift_status opshift_split_views(const void *input, size_t element_size, uint64_t outer,
                                                    uint64_t dim, uint64_t inner, const int64_t *lengths, size_t count,
                                                    const void **views, struct opshift_error *error);

/* ---- reports -------------------------------------------------------------------------------------------------- */

/* A struct opshift_report is what was found or done: a tree of named values, the same for people and for machines. */

/* For people: lines, columns aligned. Freed by opshift_text_free. */
OPSHIFT_API enum opshift_status opshift_report_text(const struct opshift_report *report, char **text,
                                                    struct opshift_error *error);
/* JSON, one object, indented, keys in a fixed order. Freed by opshift_text_free. */
OPSHIFT_API enum opshift_status opshift_report_json(const struct opshift_report *report, char **text,
                                                    struct opshift_error *error);
OPSHIFT_API void opshift_report_free(struct opshift_report *report);

#ifdef __cplusplus
}
#endif

#endif
