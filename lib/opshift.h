/* opshift.h: moves ONNX models between opsets and proves that nothing else changed.
 *
 * Ownership: an object that a function returns through a `**` parameter belongs to the caller, who frees it with the
 * _free function of its type; _free(NULL) does nothing. Texts returned by accessors belong to the object. Every
 * function that can fail returns an enum opshift_status and fills the caller's struct opshift_error (which may be
 * NULL). No function prints, exits or keeps global state; use one model from one thread at a time.
 *
 * The interface stays compatible while the library's soname stays. Structs that a caller fills may grow at the end:
 * zero them ({0}) and set size to their sizeof; a member that is 0 or NULL has its default. A size of 0 stands for the
 * struct's size in version 0.1. Structs that the library fills may grow, too: do not depend on their size. Only struct
 * opshift_error never changes. */
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

/* Results of functions; the command's exit status is derived from them. */
enum opshift_status {
    OPSHIFT_OK = 0,
    OPSHIFT_NO,          /* the answer is no: findings, cannot be converted, not equal */
    OPSHIFT_USAGE,       /* wrong arguments, options, rule files or configuration */
    OPSHIFT_MALFORMED,   /* the input breaks its format */
    OPSHIFT_UNSUPPORTED, /* the input is not supported, beyond a limit, or unsafe */
    OPSHIFT_IO,          /* reading or writing failed; may succeed later */
    OPSHIFT_MEMORY,      /* no memory */
    OPSHIFT_CANCELLED    /* the caller's callback returned false */
};

/* Why a file cannot be read as a model, for programs; the error's text has the explanation. */
enum opshift_fault {
    OPSHIFT_FAULT_NONE = 0,      /* something else */
    OPSHIFT_FAULT_EMPTY,         /* an empty file */
    OPSHIFT_FAULT_LFS_POINTER,   /* a Git LFS pointer instead of the file */
    OPSHIFT_FAULT_COMPRESSED,    /* gzip, zip, xz, zstd */
    OPSHIFT_FAULT_TEXT,          /* a model in a textual format */
    OPSHIFT_FAULT_FOREIGN,       /* HTML, JSON, HDF5, ... */
    OPSHIFT_FAULT_CUT_SHORT,     /* a message ends in the middle of a field */
    OPSHIFT_FAULT_LENGTH,        /* a field is longer than its message */
    OPSHIFT_FAULT_VARINT,        /* a varint of more than 10 bytes */
    OPSHIFT_FAULT_FIELD_NUMBER,  /* 0, or above 2^29-1 */
    OPSHIFT_FAULT_GROUP,         /* a proto2 group */
    OPSHIFT_FAULT_NO_WIRE_TYPE,  /* wire type 6 or 7 */
    OPSHIFT_FAULT_WIRE_TYPE,     /* a known field, written as another type */
    OPSHIFT_FAULT_NO_GRAPH,      /* no ModelProto.graph */
    OPSHIFT_FAULT_TWO_GRAPHS,    /* a graph is given twice where one is allowed */
    OPSHIFT_FAULT_NESTING,       /* beyond opshift_limits.nesting */
    OPSHIFT_FAULT_MEMORY,        /* beyond opshift_limits.memory */
    OPSHIFT_FAULT_IMPORTS,       /* too many opset imports */
    OPSHIFT_FAULT_DEFAULT_GRAPH, /* a function's attribute whose default is a graph */
    OPSHIFT_FAULT_COUNT,         /* more nodes, attributes, outputs or functions than opshift_limits allows */
    OPSHIFT_FAULT_IR             /* the .xml of an IR of OpenVINO: opshift_import reads it */
};

#define OPSHIFT_ERROR_SIZE 1024

/* Start with {0}. text: "place: place: what is wrong; the way out", no newline, UTF-8, cut at the end when too long. */
struct opshift_error {
    enum opshift_status status;
    enum opshift_fault fault;
    uint64_t offset; /* of the fault in the file, in bytes; only with a fault */
    char text[OPSHIFT_ERROR_SIZE];
};

/* Escapes untrusted text (names, paths) for terminals and logs of CI systems: control characters, invalid UTF-8 and
 * commands of CI systems become \xNN. Texts of errors and reports are escaped already. Writes at most room bytes (at
 * least 1), truncated at a character boundary and NUL-terminated; 4 * strlen(text) + 1 bytes always suffice. Returns
 * the length written without the NUL. */
OPSHIFT_API size_t opshift_text_show(char *into, size_t room, const char *text);
/* The candidate nearest to text by edit distance, or one that begins with text. NULL: none is near. */
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

/* The newest supported opset of ai.onnx. */
#define OPSHIFT_OPSET_NEWEST    28
#define OPSHIFT_ML_OPSET_NEWEST 5 /* the newest known opset of ai.onnx.ml */

OPSHIFT_API const char *opshift_version(void);

struct opshift_report; /* see the end */

/* Called from time to time during long work. progress: from 0 to 1; returning false cancels. */
typedef bool (*opshift_progress)(void *data, double progress);

/* ---- models --------------------------------------------------------------------------------------------------- */

struct opshift_model;

/* Limits of what a model may cost. All zero: the defaults. A model beyond one is refused (UNSUPPORTED), and the error
 * names the limit. */
struct opshift_limits {
    size_t size;         /* see above */
    uint32_t nesting;    /* levels of messages, as protobuf counts them; default 100 */
    uint64_t memory;     /* bytes of the index, and of the types of values; default 4 GiB */
    uint64_t nodes;      /* in all graphs and functions together; default 10,000,000 */
    uint64_t attributes; /* of a node; default 10,000 */
    uint64_t outputs;    /* of a node; default 1,048,576 */
    uint64_t functions;  /* default 100,000 */
    uint64_t calls;      /* depth of function calls; default 100 */
    uint64_t elements;   /* of a tensor that is read; default 4,294,967,296 */
    uint64_t findings;   /* kept for one linted file; default 200,000 */
    uint64_t decode;     /* bytes of an attribute, type or constant that is decoded at once; default 64 MiB */
    /* Thresholds of lint's LOD checks; no model is refused for these. */
    uint64_t inlined;   /* nodes of a function after inlining its calls; default 10,000,000 */
    uint64_t subgraphs; /* levels of nested graphs; default 16 */
    uint64_t trips;     /* iterations of a loop that only its constant trip count ends; default 100,000,000 */
    uint64_t value;     /* bytes of a node's output, as far as the model alone determines it; default 1 GiB */
};

/* The limits by name, for options of programs. index >= count gives NULL. */
struct opshift_limit {
    const char *name; /* of the member */
    const char *meaning;
    uint64_t preset, most; /* the default; the highest possible value */
};
OPSHIFT_API size_t opshift_limit_count(void);
OPSHIFT_API const struct opshift_limit *opshift_limit_at(size_t index);
/* 0: not set, or no limit has that name. */
OPSHIFT_API uint64_t opshift_limit_get(const struct opshift_limits *limits, const char *name);
/* USAGE: there is no such limit, or the value is not possible. */
OPSHIFT_API enum opshift_status opshift_limit_set(struct opshift_limits *limits, const char *name, uint64_t value,
                                                  struct opshift_error *error);

/* From where external data is read. Never from outside the model's directory (but for HF_CACHE), and only from regular
 * files. */
enum opshift_external_policy {
    OPSHIFT_EXTERNAL_STRICT,   /* no symbolic link in the path */
    OPSHIFT_EXTERNAL_INSIDE,   /* links that stay inside the directory are followed */
    OPSHIFT_EXTERNAL_HF_CACHE, /* also links from snapshots/REVISION to blobs, as in Hugging Face's cache */
    OPSHIFT_EXTERNAL_NONE      /* no external data is read */
};

struct opshift_open_options {
    size_t size;                         /* see above */
    const struct opshift_limits *limits; /* NULL: the defaults */
    const char *name;                    /* used in messages; default: the path, or "<memory>", "<stdin>" */
    const char *directory;               /* of external data; default: the path's directory */
    enum opshift_external_policy external;
    opshift_progress progress; /* called while the model is opened, while the types of its values are inferred, and by
                                  opshift_show; also of the edited model, once that is opened; false: CANCELLED */
    void *progress_data;       /* must outlive the model */
    int64_t opset; /* of ai.onnx, in place of what the model and its functions import, which is wrong; a conversion
                      writes it. 0: as they import it; NO: the model imports none */
};

/* path "-" reads standard input. MALFORMED, UNSUPPORTED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_model_open(const char *path, const struct opshift_open_options *options,
                                                   struct opshift_model **model, struct opshift_error *error);
/* bytes remain the caller's and must outlive the model. */
OPSHIFT_API enum opshift_status opshift_model_open_memory(const void *bytes, size_t size,
                                                          const struct opshift_open_options *options,
                                                          struct opshift_model **model, struct opshift_error *error);
OPSHIFT_API void opshift_model_free(struct opshift_model *model);

OPSHIFT_API const char *opshift_model_name(const struct opshift_model *model);
OPSHIFT_API uint64_t opshift_model_size(const struct opshift_model *model);      /* bytes of the file */
OPSHIFT_API int64_t opshift_model_ir_version(const struct opshift_model *model); /* 0: not given */
OPSHIFT_API int64_t opshift_model_opset(const struct opshift_model *model); /* of ai.onnx; 1 where IR < 3 has none */
/* Does any tensor (initializer or attribute) have external data? A new model needs its files beside it, too
 * (opshift_external_data). */
OPSHIFT_API bool opshift_model_has_external_data(const struct opshift_model *model);
/* An open output: the complete new file under a temporary name. */
struct opshift_output;

/* What to do with the files of external data when the new model is in another directory. A file that exists there
 * already stays; if it differs, the commit fails (NO). No file is created outside the new directory. */
enum opshift_external_data {
    OPSHIFT_EXTERNAL_DATA_KEEP, /* nothing; the caller handles them */
    OPSHIFT_EXTERNAL_DATA_COPY, /* copy at commit, as reflinks where the file system supports them */
    OPSHIFT_EXTERNAL_DATA_LINK  /* hard links */
};

struct opshift_write_options {
    size_t size; /* see above */
    bool sync;   /* flush the file, copied external data and their directories to the disk before success is reported */
    opshift_progress progress; /* also called by _commit; progress_data must live until then */
    void *progress_data;
    enum opshift_external_data external_data;
};

/* Writes the edited model to a temporary file beside path (path "-": an anonymous one, copied to standard output at
 * commit). _commit renames it to path; _free without _commit removes it. IO, MEMORY, CANCELLED. */
OPSHIFT_API enum opshift_status opshift_model_write(struct opshift_model *model, const char *path,
                                                    const struct opshift_write_options *options,
                                                    struct opshift_output **output, struct opshift_error *error);
/* Opens the written model, for verification. */
OPSHIFT_API enum opshift_status opshift_output_open(struct opshift_output *output, struct opshift_model **model,
                                                    struct opshift_error *error);
/* The temporary path until commit or free, for a signal handler that must remove the file; NULL: none. */
OPSHIFT_API const char *opshift_output_temporary(const struct opshift_output *output);
/* The same of the file of weights that an edit puts beside the model. */
OPSHIFT_API const char *opshift_output_temporary_weights(const struct opshift_output *output);
OPSHIFT_API enum opshift_status opshift_output_commit(struct opshift_output *output, struct opshift_error *error);
/* After a commit that copied or linked: the first file of external data that did not exist and so was not copied,
 * escaped as by opshift_text_show; NULL: none. */
OPSHIFT_API const char *opshift_output_missing(const struct opshift_output *output);
OPSHIFT_API void opshift_output_free(struct opshift_output *output);

/* opshift_model_write and opshift_output_commit. */
OPSHIFT_API enum opshift_status opshift_model_save(struct opshift_model *model, const char *path,
                                                   const struct opshift_write_options *options,
                                                   struct opshift_error *error);

/* The edited model as a list of pieces, for callers that do not write to a file: concatenated they are what a save
 * writes. Valid until the model is edited again or freed; freed by opshift_pieces_free. UNSUPPORTED, IO, MEMORY. */
struct opshift_pieces;
struct opshift_piece {
    const void *bytes; /* NULL: copy from the file or memory that the model was opened from */
    uint64_t offset;   /* in that file or memory */
    uint64_t size;     /* bytes; never 0 */
};
OPSHIFT_API enum opshift_status opshift_output_pieces(struct opshift_model *model, struct opshift_pieces **pieces,
                                                      struct opshift_error *error);
OPSHIFT_API void opshift_pieces_free(struct opshift_pieces *pieces);
OPSHIFT_API size_t opshift_pieces_count(const struct opshift_pieces *pieces);
/* NULL: index >= count. */
OPSHIFT_API const struct opshift_piece *opshift_pieces_at(const struct opshift_pieces *pieces, size_t index);
/* Total size in bytes. */
OPSHIFT_API uint64_t opshift_pieces_size(const struct opshift_pieces *pieces);
/* Opens the edited model, for verification without a file; it reads the first model, and must be freed before the
 * pieces. UNSUPPORTED, MALFORMED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_pieces_open(struct opshift_pieces *pieces, struct opshift_model **model,
                                                    struct opshift_error *error);

/* The model as it was opened, in ONNX's textual syntax: `float` is a scalar, `float[]` a tensor of unknown rank. *text
 * is NUL-terminated; *size does not count the NUL; freed by opshift_text_free. Parts that the syntax cannot express
 * (unknown fields, training, ...) are listed in comments. MALFORMED, UNSUPPORTED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_model_to_text(struct opshift_model *model, char **text, size_t *size,
                                                      struct opshift_error *error);
/* Parses ONNX's textual syntax. *bytes: a serialized ModelProto of *size bytes, freed by opshift_text_free. name: of
 * the text in messages. MALFORMED: "name:line:column: what was expected". UNSUPPORTED, MEMORY. */
OPSHIFT_API enum opshift_status opshift_text_to_model(const char *text, size_t text_size, const char *name,
                                                      char **bytes, size_t *size, struct opshift_error *error);
/* Reads a whole file, or standard input ("-"); refuses devices and pipes without a writer. *text is NUL-terminated and
 * freed by opshift_text_free. Messages name the path. IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_file_read(const char *path, char **text, size_t *size,
                                                  struct opshift_error *error);
OPSHIFT_API void opshift_text_free(char *text);

/* Describes the model as it was opened, as a report (kind "show"). */
OPSHIFT_API enum opshift_status opshift_show(struct opshift_model *model, struct opshift_report **report,
                                             struct opshift_error *error);
/* Lists all nodes, in the order of the file, or all initializers, the largest first, as a report (kind "list"): of a
 * node its place, its operator, and the node in ONNX's textual syntax, without large attributes; of an initializer its
 * name, type, shape and bytes. Or, for a picture, all graphs and nodes with the types of all values (kind "graph"; its
 * text is JSON). MALFORMED, UNSUPPORTED, IO, MEMORY. */
enum opshift_listed { OPSHIFT_LISTED_NODES, OPSHIFT_LISTED_INITIALIZERS, OPSHIFT_LISTED_GRAPH };
OPSHIFT_API enum opshift_status opshift_list(struct opshift_model *model, enum opshift_listed what,
                                             struct opshift_report **report, struct opshift_error *error);

/* ---- files ---------------------------------------------------------------------------------------------------- */

/* The files that a program will write, registered before the first is written, to find conflicts. Paths are compared by
 * file identity (links and case-insensitive file systems included), or, for files that do not exist yet, by their
 * place. A conflict fails with USAGE and an error that names both. */
struct opshift_files;

/* who: the start of messages ("convert"); NULL: none. MEMORY. */
OPSHIFT_API enum opshift_status opshift_files_new(const char *who, struct opshift_files **files,
                                                  struct opshift_error *error);
OPSHIFT_API void opshift_files_free(struct opshift_files *files);
/* Registers a file to be written; "-" is standard output. what: its name in messages ("option '--report'"). USAGE: the
 * same file is registered already. Devices never conflict. */
OPSHIFT_API enum opshift_status opshift_files_add(struct opshift_files *files, const char *what, const char *path,
                                                  struct opshift_error *error);
/* Checks a file that is read and must not be overwritten. but: `what` of the one registered file that may be the same;
 * NULL: none. */
OPSHIFT_API enum opshift_status opshift_files_check(const struct opshift_files *files, const char *what,
                                                    const char *path, const char *but, struct opshift_error *error);
/* The same for a model's file (`but` applies) and the files of its external data (`but` does not apply), found by the
 * policy that the model was opened with. */
OPSHIFT_API enum opshift_status opshift_files_check_model(const struct opshift_files *files,
                                                          struct opshift_model *model, const char *but,
                                                          struct opshift_error *error);
/* The same for the copies of its external data when the model is written to path with OPSHIFT_EXTERNAL_DATA_COPY or
 * _LINK. */
OPSHIFT_API enum opshift_status opshift_files_check_copies(const struct opshift_files *files,
                                                           struct opshift_model *model, const char *path,
                                                           struct opshift_error *error);

/* A file that appears whole or not at all: written under a temporary name and renamed at the commit. It gets the owner,
 * permissions, access control list and `user.` attributes of the file that it replaces. A device, a pipe and "-" get
 * the data at the commit. */
struct opshift_file;

OPSHIFT_API enum opshift_status opshift_file_open(const char *path, struct opshift_file **file,
                                                  struct opshift_error *error);
OPSHIFT_API enum opshift_status opshift_file_add(struct opshift_file *file, const void *data, size_t size,
                                                 struct opshift_error *error);
/* Writes the buffered data, so that write errors occur before the commit. */
OPSHIFT_API enum opshift_status opshift_file_flush(struct opshift_file *file, struct opshift_error *error);
/* As opshift_output_temporary. */
OPSHIFT_API const char *opshift_file_temporary(const struct opshift_file *file);
OPSHIFT_API enum opshift_status opshift_file_commit(struct opshift_file *file, struct opshift_error *error);
OPSHIFT_API void opshift_file_free(struct opshift_file *file);

/* ---- rules ---------------------------------------------------------------------------------------------------- */

struct opshift_rules;

/* The shipped rules, then the user's directories in order (each may replace a shipped rule). directories may be NULL.
 * USAGE: a mistake in a rule file, "file:line:column: what was expected". */
OPSHIFT_API enum opshift_status opshift_rules_load(const char *const *directories, size_t directory_count,
                                                   struct opshift_rules **rules, struct opshift_error *error);
OPSHIFT_API void opshift_rules_free(struct opshift_rules *rules);
#define OPSHIFT_HASH_SIZE 65 /* of a SHA-256 in hexadecimal digits, with a NUL */
/* Hashes the effect of the rules and their reasons, not their file names. */
OPSHIFT_API void opshift_rules_hash(const struct opshift_rules *rules, char hash[OPSHIFT_HASH_SIZE]);
/* Lists the rules in force, as a report (kind "rules"). */
OPSHIFT_API enum opshift_status opshift_rules_list(const struct opshift_rules *rules, struct opshift_report **report,
                                                   struct opshift_error *error);
/* What they make of each operator at each step, up and down, as a report (kind "coverage") whose text is Markdown. */
OPSHIFT_API enum opshift_status opshift_rules_coverage(const struct opshift_rules *rules,
                                                       struct opshift_report **report, struct opshift_error *error);
/* Reads one rule file and runs its examples. USAGE: a mistake in the file; NO: an example's result is not its `after`.
 */
OPSHIFT_API enum opshift_status opshift_rules_check(const char *path, struct opshift_report **report,
                                                    struct opshift_error *error);

/* ---- infer ---------------------------------------------------------------------------------------------------- */

/* Shapes and dims that the caller gives because the model does not declare them. Texts belong to the caller. */
struct opshift_given {
    size_t size; /* see above */
    /* "x=1x3x224x224": the shape of an input; each dim a number, a name, or ? for the declared one, separated by x or
     * commas; "x=" is a scalar. A number must not contradict the model. */
    const char *const *shapes;
    size_t shape_count;
    const char *const *dims; /* "N=4": the size of a symbolic dim */
    size_t dim_count;
};

struct opshift_infer_options {
    size_t size;                       /* see above */
    const struct opshift_given *given; /* NULL: nothing */
    bool freeze_initializers;          /* an initializer that a caller may override counts as a constant */
    opshift_progress progress;
    void *progress_data;
};

/* Infers the types and shapes of all values and stores edits in the model that write them as value infos, in subgraphs,
 * too: missing ones are added, incomplete ones completed, contradicting ones replaced; the others keep their bytes. For
 * inputs of the main graph only given shapes are written. The report (kind "infer") has the counts and the replaced
 * ones; it may be NULL. USAGE: a given shape or dim does not parse, names nothing, or contradicts the model. CANCELLED,
 * MALFORMED, UNSUPPORTED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_infer(struct opshift_model *model, const struct opshift_infer_options *options,
                                              struct opshift_report **report, struct opshift_error *error);

/* ---- convert and verify --------------------------------------------------------------------------------------- */

#define OPSHIFT_IR_KEEP  0
#define OPSHIFT_IR_MATCH (-1)

/* Whether a conversion also replaces SplitToSequence and the readers of its sequences by Split, or Split by
 * SplitToSequence. A node that cannot be replaced is a blocker. */
enum opshift_sequences { OPSHIFT_SEQUENCES_KEEP, OPSHIFT_SEQUENCES_TO_SPLIT, OPSHIFT_SEQUENCES_FROM_SPLIT };

/* How a conversion writes each Split; a Split that cannot be written so is a blocker. */
enum opshift_split_form {
    OPSHIFT_SPLIT_KEEP,
    OPSHIFT_SPLIT_LENGTHS,     /* explicit lengths; where the dim is unknown, computed in the graph (opset 13 and up) */
    OPSHIFT_SPLIT_NUM_OUTPUTS, /* the attribute num_outputs (opset 18 and up) */
    OPSHIFT_SPLIT_EQUAL        /* equal parts without lengths; from opset 18 on num_outputs that divides the dim */
};

struct opshift_goal {
    size_t size;                       /* see above */
    int64_t opset;                     /* 1..OPSHIFT_OPSET_NEWEST; 0: the model's own, with another goal */
    enum opshift_sequences sequences;  /* replacement of SplitToSequence or Split */
    int64_t ir_version;                /* a version, OPSHIFT_IR_KEEP or OPSHIFT_IR_MATCH */
    bool freeze_initializers;          /* an initializer that a caller may override counts as a constant */
    bool name_empty_outputs;           /* give each empty output of a Split a fresh name */
    bool strict;                       /* refuse assumptions */
    bool brief;                        /* the report has the number of rewritten nodes, not the list */
    bool allow_approximate;            /* allow replacements whose results are only approximate */
    const struct opshift_rules *rules; /* NULL: the shipped ones */
    opshift_progress progress;
    void *progress_data;
    const struct opshift_given *given; /* reported as assumptions where a result depends on it; NULL: nothing */
    /* "ai.onnx.ml=3": opsets of other domains; of one that the model does not import, nothing moves. Those of domains
     * other than ai.onnx.ml need `rules`. */
    const char *const *domains;
    size_t domain_count;
    enum opshift_split_form split_form;
    /* A target profile, "NAME" or "NAME@VERSION"; NULL: none. Without `opset` it is the model's if the target takes it,
     * else the nearest that the target takes; the IR version is lowered to what it takes; sequences become Splits where
     * it has none; each Split is written in a form that it takes. What the target refuses after that is no blocker:
     * lint tells it. USAGE: there is no such profile. */
    const char *target;
    const char *const *target_directories; /* searched for profiles first */
    size_t target_directory_count;
};

/* Plans the conversion of the model as it was opened and stores the edits in the model, replacing those of an earlier
 * conversion. NO: blocked; the report lists every blocker, and there are no edits. USAGE: an unknown opset or IR
 * version. UNSUPPORTED: the model's opset is unknown. CANCELLED, MALFORMED, IO, MEMORY. report may be NULL. */
OPSHIFT_API enum opshift_status opshift_convert(struct opshift_model *model, const struct opshift_goal *goal,
                                                struct opshift_report **report, struct opshift_error *error);

/* The same, and gives the plan that was applied, as struct opshift_verify_options takes it; NULL if it fails. Freed by
 * opshift_plan_free, before the model. plan may be NULL. */
struct opshift_plan; /* see "plans" */
OPSHIFT_API enum opshift_status opshift_convert_planned(struct opshift_model *model, const struct opshift_goal *goal,
                                                        struct opshift_plan **plan, struct opshift_report **report,
                                                        struct opshift_error *error);

/* How far the model can be moved: plans the conversion to each opset, whatever goal->opset is. The report (kind "how
 * far") has for each opset what would be done, or what is in the way, by operator and reason, and which options of the
 * goal would help; then the same for the other domains that the model imports, as far as they are known. UNSUPPORTED,
 * CANCELLED, MALFORMED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_how_far(struct opshift_model *model, const struct opshift_goal *goal,
                                                struct opshift_report **report, struct opshift_error *error);

struct opshift_run_options; /* see "run" */
struct opshift_tolerance;   /* see "values" */
struct opshift_values;

struct opshift_verify_options {
    size_t size;                               /* see above */
    uint64_t seed;                             /* of the random inputs */
    bool freeze_initializers;                  /* an initializer that a caller may override counts as a constant */
    const struct opshift_rules *rules;         /* for the verdict "by rule"; NULL: the shipped ones */
    const struct opshift_run_options *whole;   /* also run both whole models with this engine; NULL: do not */
    unsigned draws;                            /* whole: number of random inputs; default 3 */
    const struct opshift_tolerance *tolerance; /* whole: of outputs; NULL: bit by bit */
    const struct opshift_values *inputs;       /* whole: given inputs; the others are random */
    const char *const *shapes;                 /* whole: of random inputs, as in struct opshift_draw_options */
    size_t shape_count;
    bool brief;  /* no hashes of files in the report */
    bool strict; /* NO also for the verdicts "tested" and "assumed" */
    opshift_progress progress;
    void *progress_data;
    uint64_t memory, steps;            /* limits for running rewritten nodes, as in struct opshift_run_options */
    const struct opshift_given *given; /* as given to the conversion; NULL: nothing */
    /* The plan by which the first model was converted, if the caller has it, so that it is not made again; one for
     * another goal is ignored. NULL: none. */
    const struct opshift_plan *plan;
    /* Asks only whether both compute the same: names, metadata, order of nodes, and how it is computed may differ, and
     * are listed as changes. Else all that is not rewritten must be the same bytes, too. */
    bool computation;
    bool verbose; /* the text of the report lists changes */
    bool exact;   /* bit for bit: what is the same but for rounding differs */
    bool map;     /* the report also says which nodes of the first model became which of the second */
    /* A directory, which is made if it is missing: the first region that differs is written there as before.onnx,
     * after.onnx and inputs.npz, on which both differ. NULL: none. */
    const char *reduce;
};

/* Compares the parts in which the two models differ. NO: a difference, a node whose equivalence is not shown, external
 * data that cannot be compared, or lint errors in one of the models; the report has the details. The models must not be
 * used elsewhere meanwhile: large ones are checked for errors in two threads, of which one ends before the call does.
 */
OPSHIFT_API enum opshift_status opshift_verify(struct opshift_model *before, struct opshift_model *after,
                                               const struct opshift_verify_options *options,
                                               struct opshift_report **report, struct opshift_error *error);

/* opshift_verify in two parts, for a caller that opens the second model meanwhile. _begin checks the first model, in a
 * thread of its own if it is large: until _free, nothing else may use that model, nor open its pieces, and what the
 * options refer to must live. _end is called once, and waits. The caller frees *verification, before the models; that
 * waits, too. MEMORY, USAGE; of _end: as opshift_verify. */
struct opshift_verification;
OPSHIFT_API enum opshift_status opshift_verify_begin(struct opshift_model *before,
                                                     const struct opshift_verify_options *options,
                                                     struct opshift_verification **verification,
                                                     struct opshift_error *error);
OPSHIFT_API enum opshift_status opshift_verify_end(struct opshift_verification *verification,
                                                   struct opshift_model *after, struct opshift_report **report,
                                                   struct opshift_error *error);
OPSHIFT_API void opshift_verification_free(struct opshift_verification *verification);

/* Repeats the verification of a certificate, the JSON of such a report or of a report of convert that contains one.
 * Uses the certificate's seed and options, and the caller's for the rest; an engine other than "builtin" must also be
 * the caller's (USAGE). NO: the files differ from those of the certificate, or a verdict differs; error and the report
 * (kind "replay") say which. MALFORMED: not a certificate. */
OPSHIFT_API enum opshift_status opshift_verify_replay(struct opshift_model *before, struct opshift_model *after,
                                                      const char *certificate, size_t size,
                                                      const struct opshift_verify_options *options,
                                                      struct opshift_report **report, struct opshift_error *error);
/* A report of opshift_verify as a self-contained HTML page with drawings of each rewritten piece before and after.
 * Freed by opshift_text_free. */
OPSHIFT_API enum opshift_status opshift_verify_page(const struct opshift_report *report, char **text,
                                                    struct opshift_error *error);

/* ---- edits ------------------------------------------------------------------------------------------------------ */

/* One edit, by the name of the option of `opshift edit`: {"rename", "x=input"}, {"strip", "docs,metadata"},
 * {"drop-unused", NULL}. */
struct opshift_edit_step {
    const char *name;
    const char *value; /* NULL: none */
};

struct opshift_edit_options {
    size_t size;                           /* see above */
    const struct opshift_edit_step *steps; /* made in the order of the documentation, whatever their order here */
    size_t step_count;
};

/* Makes edits of the model, which replace those that it had. All else stays, byte for byte. The file of {"external",
 * FILE} is written by opshift_model_write; opshift_output_pieces does not have it. The report (kind "edit")
 * lists what was done; it may be NULL. USAGE: a step that does not read, or names what the model does not have;
 * UNSUPPORTED, MALFORMED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_edit(struct opshift_model *model, const struct opshift_edit_options *options,
                                             struct opshift_report **report, struct opshift_error *error);

struct opshift_join_options {
    size_t size;                /* see above */
    const char *const *connect; /* "out=in": a value of the first model, an input of the second; none: equal names, else
                                 * the only output and the only required input */
    size_t connect_count;
    const char *prefix;                /* of names of the second that clash; NULL: "b_" */
    const struct opshift_rules *rules; /* of the conversion of the one with lower opsets; NULL: the shipped ones */
};

/* Makes edits of the first model that put the second one behind it: its nodes, weights, functions, metadata and opset
 * imports. Connected outputs are outputs no more. Opsets are brought together by conversion to the newer ones. External
 * data of the second from another directory becomes one file that opshift_model_write writes; the second model must
 * live until then. The report (kind "join") lists what was done; it may be NULL. USAGE: a connection that does not read
 * or fit; NO: the conversion is blocked; UNSUPPORTED, MALFORMED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_join(struct opshift_model *first, struct opshift_model *second,
                                             const struct opshift_join_options *options, struct opshift_report **report,
                                             struct opshift_error *error);
/* Does the joined model, opened anew, compute what both do, one behind the other? As opshift_edit_verify; report: of
 * opshift_join, by which the names are known. */
OPSHIFT_API enum opshift_status opshift_join_verify(struct opshift_model *first, struct opshift_model *second,
                                                    struct opshift_model *joined, struct opshift_report *report,
                                                    struct opshift_error *error);

/* Compares an edited model, opened anew, with the one that opshift_edit edited, by the same options: both are one but
 * for names, descriptions and where weights are (proved), or runs of both with the built-in kernels agree (tested). The
 * verdict, which may be "not shown" as well, is added to the report of opshift_edit, which may be NULL. NO: an output
 * differs. IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_edit_verify(struct opshift_model *before, struct opshift_model *after,
                                                    const struct opshift_edit_options *options,
                                                    struct opshift_report *report, struct opshift_error *error);

/* ---- other dialects --------------------------------------------------------------------------------------------- */

/* Names of the dialects that a model can be exported to; an index beyond the last gives NULL. */
OPSHIFT_API const char *opshift_dialect_at(size_t index);
/* The dialect of a regular file, by its first bytes: "openvino" for an IR's .xml, "directml" for JSON. NULL: neither,
 * so perhaps an ONNX model, or there is no such file. MALFORMED: it is empty; IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_dialect_of(const char *path, const char **dialect, struct opshift_error *error);

struct opshift_export_options {
    size_t size;                       /* see above */
    const char *to;                    /* the dialect: "openvino" or "directml" */
    const struct opshift_given *given; /* NULL: nothing */
    bool freeze_initializers;          /* an initializer that a caller may override counts as a constant */
    bool assume_even;          /* openvino: where num_outputs splits a dim of unknown size, that is divisible by it */
    const char *feature_level; /* directml: "1_0" to "6_4"; NULL: for each Split the lowest that it can have */
    const char *format;        /* directml: "json" (the default) or "c" */
    bool sync;                 /* flush the files and their directory to the disk before success is reported */
    opshift_progress progress;
    void *progress_data;
};

/* The files of an export, complete under temporary names. */
struct opshift_exported;

/* Writes the model as it was opened in another dialect, without its edits, which are removed. openvino: path is the
 * .xml, and the weights are beside it as .bin; directml: path is the one file. _commit gives the files their names;
 * _free without _commit removes them; path NULL, for directml: only the report is made. NO: not all of the model can be
 * exported; *exported has what could be (openvino: the Splits, each as a net of its own), or is NULL where nothing
 * could be. The report (kind "export") lists what became of each node, and what is in the way; it may be NULL. USAGE,
 * UNSUPPORTED, MALFORMED, IO, MEMORY, CANCELLED. */
OPSHIFT_API enum opshift_status opshift_export(struct opshift_model *model, const char *path,
                                               const struct opshift_export_options *options,
                                               struct opshift_exported **exported, struct opshift_report **report,
                                               struct opshift_error *error);
/* The temporary path of a file, as opshift_output_temporary; index beyond the last: NULL. */
OPSHIFT_API const char *opshift_exported_temporary(const struct opshift_exported *exported, size_t index);
/* All of the files get their names, or none. IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_exported_commit(struct opshift_exported *exported, struct opshift_error *error);
OPSHIFT_API void opshift_exported_free(struct opshift_exported *exported);

struct opshift_import_options {
    size_t size;                             /* see above */
    int64_t opset;                           /* of the model; 0: it will be run by opshift_imported_run alone */
    const struct opshift_given *given;       /* shapes of inputs; NULL: nothing */
    const struct opshift_open_options *open; /* limits; NULL: the defaults */
    opshift_progress progress;
    void *progress_data;
};

/* A file of another dialect that was opened as a model: OpenVINO's IR. */
struct opshift_imported;
/* path: NAME.xml, with NAME.bin beside it. NO: lint finds an error in a layer, or a layer has no operator at this
 * opset; the error names it. The report (kind "import") may be NULL. USAGE: a given shape. MALFORMED, UNSUPPORTED
 * (another version of IR, a limit), IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_import(const char *path, const struct opshift_import_options *options,
                                               struct opshift_imported **imported, struct opshift_report **report,
                                               struct opshift_error *error);
/* The model, which reads its weights from NAME.bin; it belongs to imported. */
OPSHIFT_API struct opshift_model *opshift_imported_model(const struct opshift_imported *imported);
/* The path of NAME.bin, which need not exist. */
OPSHIFT_API const char *opshift_imported_weights(const struct opshift_imported *imported);
/* Runs the layers: Split and VariadicSplit by OpenVINO's definition, the others by the built-in kernels. Imported with
 * opset 0. Otherwise as opshift_run. */
OPSHIFT_API enum opshift_status opshift_imported_run(struct opshift_imported *imported,
                                                     const struct opshift_values *inputs,
                                                     const struct opshift_run_options *options,
                                                     struct opshift_values **outputs, struct opshift_error *error);
OPSHIFT_API void opshift_imported_free(struct opshift_imported *imported);

/* Splits lowered for DirectML, as opshift_export writes them in JSON. */
struct opshift_lowered;
/* Reads a document, or standard input ("-"). MALFORMED: error names the wrong member; UNSUPPORTED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_lowered_open(const char *path, struct opshift_lowered **lowered,
                                                     struct opshift_error *error);
OPSHIFT_API void opshift_lowered_free(struct opshift_lowered *lowered);
/* A model without nodes whose inputs and outputs are the tensors that the operators need and make; it belongs to the
 * document. */
OPSHIFT_API struct opshift_model *opshift_lowered_model(const struct opshift_lowered *lowered);
/* Runs the operators by DirectML's definition, in the order of the document, on any machine. inputs: as for
 * opshift_run; *outputs: all tensors that operators write. Of the options only memory counts: bytes of all outputs, by
 * default 192 MiB. USAGE: as opshift_run; MALFORMED: operators disagree about a tensor. */
OPSHIFT_API enum opshift_status opshift_lowered_run(const struct opshift_lowered *lowered,
                                                    const struct opshift_values *inputs,
                                                    const struct opshift_run_options *options,
                                                    struct opshift_values **outputs, struct opshift_error *error);

/* ---- diff ----------------------------------------------------------------------------------------------------- */

/* Differences to ignore, combined with |. */
#define OPSHIFT_DIFF_DOC         1u  /* doc_string, everywhere */
#define OPSHIFT_DIFF_METADATA    2u  /* metadata_props, everywhere */
#define OPSHIFT_DIFF_NAMES       4u  /* the names of nodes and graphs, not those of values */
#define OPSHIFT_DIFF_PRODUCER    8u  /* producer_name, producer_version, domain and model_version of the model */
#define OPSHIFT_DIFF_VALUE_INFOS 16u /* value_info: the declared types of intermediate values */
#define OPSHIFT_DIFF_ORDER       32u /* the order of nodes, inputs and outputs */

/* All zero: every difference is reported. */
struct opshift_diff_options {
    size_t size; /* see above */
    unsigned ignore;
    opshift_progress progress;
    void *progress_data;
};

/* The differences between two models, as a report (kind "diff"); tensors are compared by value, not by storage. Weights
 * are read piece by piece. NO: there are differences. MALFORMED, UNSUPPORTED, IO, MEMORY, CANCELLED. report may be
 * NULL. */
OPSHIFT_API enum opshift_status opshift_diff(struct opshift_model *before, struct opshift_model *after,
                                             const struct opshift_diff_options *options, struct opshift_report **report,
                                             struct opshift_error *error);

/* ---- lint ----------------------------------------------------------------------------------------------------- */

enum opshift_severity { OPSHIFT_SEVERITY_NOTE, OPSHIFT_SEVERITY_WARNING, OPSHIFT_SEVERITY_ERROR };
#define OPSHIFT_SEVERITY_NEVER 3 /* as a fail level: no finding fails */

/* A check's description; all texts are constants. */
struct opshift_check {
    const char *id;   /* "SPL004"; stable */
    const char *slug; /* "split-sum"; stable */
    enum opshift_severity severity;
    const char *summary;        /* one line */
    const char *why;            /* why it matters */
    const char *runtimes;       /* which runtimes are affected, and how; NULL: unknown */
    const char *mend;           /* how to fix it */
    const char *before, *after; /* an example in ONNX's textual syntax, with the fault and without; or NULL */
    bool fixable;               /* by opshift_lint_fix */
};

/* All checks, sorted by id. index >= count gives NULL. */
OPSHIFT_API size_t opshift_check_count(void);
OPSHIFT_API const struct opshift_check *opshift_check_at(size_t index);
/* By id or slug, case-insensitive; NULL: not found. */
OPSHIFT_API const struct opshift_check *opshift_check_find(const char *name);

/* A family of checks: the prefix of their ids, and their subject. index >= count gives NULL. */
struct opshift_family {
    const char *prefix;
    const char *title;
};
OPSHIFT_API size_t opshift_family_count(void);
OPSHIFT_API const struct opshift_family *opshift_family_at(size_t index);

/* Explains a check: its meaning, why it matters, how to fix it, an example. Freed by opshift_text_free. MEMORY. */
OPSHIFT_API enum opshift_status opshift_check_explain(const struct opshift_check *check, bool markdown, char **text,
                                                      struct opshift_error *error);
/* The same for all of them, family by family. */
OPSHIFT_API enum opshift_status opshift_checks_explain(bool markdown, char **text, struct opshift_error *error);
/* All of them as a report (kind "checks"). */
OPSHIFT_API enum opshift_status opshift_checks_list(struct opshift_report **report, struct opshift_error *error);

/* All zero: every check with its own severity; errors fail. The texts belong to the caller and must outlive the lint.
 */
struct opshift_lint_options {
    size_t size;               /* see above */
    const char *const *select; /* ids, or prefixes of ids; none: all */
    size_t select_count;
    const char *const *ignore; /* the same; wins over select */
    size_t ignore_count;
    const char *config;   /* a configuration file (.opshift.yaml); NULL: none */
    const char *baseline; /* a file of known findings; NULL: none */
    bool update_baseline; /* the baseline will be rewritten: it need not exist, and stale entries are not reported */
    const char *const *targets; /* names of target profiles */
    size_t target_count;
    const char *const *target_directories; /* searched for profiles first */
    size_t target_directory_count;
    int64_t to;     /* also report what blocks a conversion to this opset; 0: none */
    int fail_level; /* 0: OPSHIFT_SEVERITY_ERROR; else a severity + 1, or OPSHIFT_SEVERITY_NEVER + 1 */
    const struct opshift_open_options *open; /* NULL: the defaults */
    const struct opshift_rules *rules;       /* for `to`; NULL: the shipped ones */
    const struct opshift_files *files; /* to be written: a model that is one of them, or whose external data is, ends
                                          the lint (USAGE); NULL: none */
    const char *replaces;              /* `what` of the one of files that may be the model itself; NULL: none */
    const char *const *to_domains;     /* "ai.onnx.ml=3": the same for other domains, as in struct opshift_goal */
    size_t to_domain_count;
    opshift_progress progress; /* of each model; called in the thread that lints it; false: CANCELLED */
    void *progress_data;
    bool edited; /* opshift_lint_fix: fix the model with the edits that it has, as of a conversion, and keep them */
};

/* The checks and settings of a lint: immutable after creation, so that threads may share it. */
struct opshift_lint;
/* USAGE: an unknown id, a mistake in the configuration ("file:line:column: ..."), an unknown profile. IO. */
OPSHIFT_API enum opshift_status opshift_lint_new(const struct opshift_lint_options *options, struct opshift_lint **lint,
                                                 struct opshift_error *error);
OPSHIFT_API void opshift_lint_free(struct opshift_lint *lint);

/* ---- targets: the profiles of runtimes ---- */

struct opshift_targets_options {
    size_t size;                /* see above */
    const char *const *targets; /* "NAME" or "NAME@VERSION", or "all"; none: all that are shipped, at their newest */
    size_t target_count;
    const char *const *directories; /* searched for profiles first */
    size_t directory_count;
    const struct opshift_open_options *open; /* check: of the models; NULL: the defaults */
    bool strict;                             /* check: a model of which something is not known does not run */
};

/* The profiles. whole: with all that they state, not one line each. The report (kind "targets") has all of it either
 * way. USAGE: an unknown profile or version, a mistake in a profile. IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_targets_show(const struct opshift_targets_options *options, bool whole,
                                                     struct opshift_report **report, struct opshift_error *error);
/* The same as a page of Markdown. Freed by opshift_text_free. */
OPSHIFT_API enum opshift_status opshift_targets_page(const struct opshift_targets_options *options, char **text,
                                                     struct opshift_error *error);
/* Which models run where: for each model and target whether it runs, runs after a conversion for the target, does not,
 * or whether that is not known, and why. The conversion is done to a temporary file; the models stay as they are. The
 * report (kind "target check") has a row for each. NO: a model does not run on a target, or cannot be read. USAGE, IO,
 * MEMORY. */
OPSHIFT_API enum opshift_status opshift_targets_check(const struct opshift_targets_options *options,
                                                      const char *const *paths, size_t path_count,
                                                      struct opshift_report **report, struct opshift_error *error);
/* The shipped target profiles, one line each: name and description. Freed by opshift_text_free. */
OPSHIFT_API enum opshift_status opshift_target_list(char **text, struct opshift_error *error);
/* The options with which the lint opens models. */
OPSHIFT_API const struct opshift_open_options *opshift_lint_open_options(const struct opshift_lint *lint);
/* The baseline in force, from the options or the configuration; NULL: none. */
OPSHIFT_API const char *opshift_lint_baseline(const struct opshift_lint *lint);
/* Finds the .opshift.yaml for a directory: in the directory itself or the nearest parent, up to the root of a
 * repository. *path: NULL if there is none; freed by opshift_text_free. IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_lint_config_find(const char *directory, char **path,
                                                         struct opshift_error *error);

/* A fault of a model. The texts belong to the struct opshift_findings that contains it. */
struct opshift_finding {
    const struct opshift_check *check;
    enum opshift_severity severity; /* as configured */
    const char *place;              /* for people: "node 'split_0' (Split)"; "" for the model */
    const char *location;           /* for machines: "graph/node[12]:Split_0/then_branch/node[3]" */
    const char *message;            /* "what is wrong; the way out" */
    const char *fingerprint;        /* identifies the fault, also after changes to other nodes; 64 hex digits */
    uint64_t offset, size;          /* the place in the file, in bytes */
    bool known;                     /* in the baseline: it does not fail */
    const char *suppressed;         /* the reason that the model gives; NULL: not suppressed */
};

/* The findings of one file. */
struct opshift_findings;
/* Opens and checks a file. A file that cannot be opened or is malformed gives a finding, too; see
 * opshift_findings_status. MEMORY. */
OPSHIFT_API enum opshift_status opshift_lint_file(const struct opshift_lint *lint, const char *path,
                                                  struct opshift_findings **findings, struct opshift_error *error);
/* The same for a model in memory. name: used in messages; NULL: "<memory>". */
OPSHIFT_API enum opshift_status opshift_lint_memory(const struct opshift_lint *lint, const void *bytes, size_t size,
                                                    const char *name, struct opshift_findings **findings,
                                                    struct opshift_error *error);
OPSHIFT_API enum opshift_status opshift_lint_model(const struct opshift_lint *lint, struct opshift_model *model,
                                                   struct opshift_findings **findings, struct opshift_error *error);
/* The finding of a file that cannot be opened, or whose process died. why: its text may begin with the path. MEMORY. */
OPSHIFT_API enum opshift_status opshift_lint_failure(const struct opshift_lint *lint, const char *path,
                                                     const struct opshift_error *why,
                                                     struct opshift_findings **findings, struct opshift_error *error);
OPSHIFT_API const char *opshift_findings_name(const struct opshift_findings *findings); /* of the file */
/* Sorted by offset in the file. */
OPSHIFT_API size_t opshift_findings_count(const struct opshift_findings *findings);
OPSHIFT_API const struct opshift_finding *opshift_findings_at(const struct opshift_findings *findings, size_t index);
/* OK; NO: a finding at or above the fail level; MALFORMED, UNSUPPORTED, IO: the file could not be read completely. */
OPSHIFT_API enum opshift_status opshift_findings_status(const struct opshift_findings *findings);
/* Why the file could not be read completely, starting with its name; NULL: it was read. */
OPSHIFT_API const char *opshift_findings_failure(const struct opshift_findings *findings);
/* Number of findings that opshift_lint_fix fixed. */
OPSHIFT_API uint64_t opshift_findings_fixed(const struct opshift_findings *findings);
OPSHIFT_API void opshift_findings_free(struct opshift_findings *findings);
/* As bytes for another process of the same program, and back, with the same lint. *data is freed by opshift_text_free.
 * MALFORMED: they are not such bytes. MEMORY. */
OPSHIFT_API enum opshift_status opshift_findings_pack(const struct opshift_findings *findings, char **data,
                                                      size_t *size, struct opshift_error *error);
OPSHIFT_API enum opshift_status opshift_findings_unpack(const struct opshift_lint *lint, const char *data, size_t size,
                                                        struct opshift_findings **findings,
                                                        struct opshift_error *error);

/* A fixed finding. The texts belong to the struct opshift_fixes that contains it. */
struct opshift_fix {
    const struct opshift_check *check;
    const char *place;          /* as in struct opshift_finding, in the model with the previous fixes */
    const char *message;        /* what was wrong */
    const char *before, *after; /* the part of the model before and after, as lines of text; "": nothing */
};

/* The findings that opshift_lint_fix fixed, and the remaining ones. */
struct opshift_fixes;
/* Fixes all findings of the model as it was opened that have one right answer, except those that the baseline contains
 * or the model suppresses; changes nothing in a model that cannot be read completely. The model still computes the
 * same. Stores the edits in the model, replacing those of an earlier fix or conversion, unless the lint's options say
 * `edited`. MALFORMED, UNSUPPORTED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_lint_fix(const struct opshift_lint *lint, struct opshift_model *model,
                                                 struct opshift_fixes **fixes, struct opshift_error *error);
/* In the order in which they were made. index >= count gives NULL. */
OPSHIFT_API size_t opshift_fixes_count(const struct opshift_fixes *fixes);
OPSHIFT_API const struct opshift_fix *opshift_fixes_at(const struct opshift_fixes *fixes, size_t index);
/* The findings of the fixed model. They belong to fixes. */
OPSHIFT_API const struct opshift_findings *opshift_fixes_findings(const struct opshift_fixes *fixes);
OPSHIFT_API void opshift_fixes_free(struct opshift_fixes *fixes);

/* Receives the findings of a file, which are freed when it returns. A result other than OK ends the lint with that
 * status. */
typedef enum opshift_status (*opshift_lint_done)(void *data, const struct opshift_findings *findings,
                                                 struct opshift_error *error);
/* opshift_lint_file for each path, with `jobs` threads (0 is 1) including the caller's. done is called in the caller's
 * thread, in the order of the paths; at most a few results per thread wait for it. MEMORY, and what done returns. */
OPSHIFT_API enum opshift_status opshift_lint_files(const struct opshift_lint *lint, const char *const *paths,
                                                   size_t count, unsigned jobs, opshift_lint_done done, void *data,
                                                   struct opshift_error *error);

/* Writes findings as a document, file by file. */
struct opshift_lint_writer;

struct opshift_lint_writer_options {
    size_t size;        /* see above */
    const char *format; /* text, json, ndjson, sarif, github, junit, or baseline: a file for opshift_lint_options */
    bool color;         /* text: for a terminal that shows colours */
    bool exit_zero;     /* sarif: record exit status 0 also where findings fail */
};

/* Number of formats, and their names. index >= count gives NULL. */
OPSHIFT_API size_t opshift_lint_format_count(void);
OPSHIFT_API const char *opshift_lint_format_at(size_t index);

/* write: receives the bytes; if it returns false, writing fails with IO. USAGE: no such format. */
typedef bool (*opshift_write)(void *data, const char *bytes, size_t size);
OPSHIFT_API enum opshift_status opshift_lint_writer_new(const struct opshift_lint *lint,
                                                        const struct opshift_lint_writer_options *options,
                                                        opshift_write write, void *data,
                                                        struct opshift_lint_writer **writer,
                                                        struct opshift_error *error);
OPSHIFT_API enum opshift_status opshift_lint_writer_add(struct opshift_lint_writer *writer,
                                                        const struct opshift_findings *findings,
                                                        struct opshift_error *error);
/* Writes the end of the document, with the counts. */
OPSHIFT_API enum opshift_status opshift_lint_writer_finish(struct opshift_lint_writer *writer,
                                                           struct opshift_error *error);
OPSHIFT_API void opshift_lint_writer_free(struct opshift_lint_writer *writer);

/* ---- values --------------------------------------------------------------------------------------------------- */

/* An input or output of a model: a tensor, a sequence of tensors, or an empty optional. Immutable. */
struct opshift_value;

enum opshift_value_kind { OPSHIFT_VALUE_TENSOR, OPSHIFT_VALUE_SEQUENCE, OPSHIFT_VALUE_NOTHING };

/* Makes a tensor of any type but string. data: its elements in row-major order and the machine's byte order, types of 4
 * and 2 bits packed as in TensorProto.raw_data; size: in bytes. Copied. USAGE: size does not fit type and dims. */
OPSHIFT_API enum opshift_status opshift_value_tensor(enum opshift_type type, size_t rank, const int64_t *dims,
                                                     const void *data, size_t size, struct opshift_value **value,
                                                     struct opshift_error *error);
/* The same without a copy: data, aligned to 16 bytes, remains the caller's and must stay as it is until the value and
 * all collections that it was added to are freed. USAGE: also another alignment. */
OPSHIFT_API enum opshift_status opshift_value_borrow(enum opshift_type type, size_t rank, const int64_t *dims,
                                                     const void *data, size_t size, struct opshift_value **value,
                                                     struct opshift_error *error);
/* Makes a tensor of strings; sizes NULL: each is NUL-terminated. Copied. */
OPSHIFT_API enum opshift_status opshift_value_strings(size_t rank, const int64_t *dims, const char *const *texts,
                                                      const size_t *sizes, size_t count, struct opshift_value **value,
                                                      struct opshift_error *error);
/* Makes a sequence of tensors of this type. Copied. */
OPSHIFT_API enum opshift_status opshift_value_sequence(enum opshift_type type, const struct opshift_value *const *items,
                                                       size_t count, struct opshift_value **value,
                                                       struct opshift_error *error);
OPSHIFT_API void opshift_value_free(struct opshift_value *value);

OPSHIFT_API enum opshift_value_kind opshift_value_kind(const struct opshift_value *value);
/* Element type of a tensor, or of the tensors in a sequence; UNDEFINED for an empty optional and a sequence of unknown
 * type. */
OPSHIFT_API enum opshift_type opshift_value_type(const struct opshift_value *value);
/* "float", "int64", ...; NULL for a number that is not a type. */
OPSHIFT_API const char *opshift_type_name(enum opshift_type type);
/* Of a tensor; the dims belong to the value. 0 and NULL for other values. */
OPSHIFT_API size_t opshift_value_rank(const struct opshift_value *value);
OPSHIFT_API const int64_t *opshift_value_dims(const struct opshift_value *value);
/* Number of elements, or of tensors in a sequence. */
OPSHIFT_API uint64_t opshift_value_count(const struct opshift_value *value);
/* As for opshift_value_tensor; NULL for strings and values that are not tensors. */
OPSHIFT_API const void *opshift_value_data(const struct opshift_value *value, size_t *size);
/* NUL-terminated; NULL: no such string. */
OPSHIFT_API const char *opshift_value_string(const struct opshift_value *value, uint64_t index, size_t *size);
/* A tensor of a sequence, which owns it; NULL: no such tensor. */
OPSHIFT_API const struct opshift_value *opshift_value_item(const struct opshift_value *value, uint64_t index);
/* The type, the shape and the first elements on one line. Freed by opshift_text_free. */
OPSHIFT_API enum opshift_status opshift_value_text(const struct opshift_value *value, char **text,
                                                   struct opshift_error *error);

struct opshift_tolerance {
    size_t size; /* see above */
    bool exact; /* bit by bit; else |a - b| <= absolute + relative * |b| for numbers; for bfloat16, relative is at least
                   its epsilon */
    double relative; /* 0: none */
    double absolute;
};

/* Compares a value a with the expected value b. NO: error names the first difference. Types and shapes are always
 * compared; NaN equals NaN. */
OPSHIFT_API enum opshift_status opshift_value_compare(const struct opshift_value *a, const struct opshift_value *b,
                                                      const struct opshift_tolerance *tolerance,
                                                      struct opshift_error *error);

/* Values by name, in the order they were added. */
struct opshift_values;

OPSHIFT_API enum opshift_status opshift_values_new(struct opshift_values **values, struct opshift_error *error);
/* Frees also the values in it. */
OPSHIFT_API void opshift_values_free(struct opshift_values *values);
/* Takes ownership of the value, also when it fails. USAGE: the name exists already. */
OPSHIFT_API enum opshift_status opshift_values_add(struct opshift_values *values, const char *name,
                                                   struct opshift_value *value, struct opshift_error *error);
/* A copy of all values. */
OPSHIFT_API enum opshift_status opshift_values_copy(const struct opshift_values *from, struct opshift_values **values,
                                                    struct opshift_error *error);
OPSHIFT_API size_t opshift_values_count(const struct opshift_values *values);
OPSHIFT_API const char *opshift_values_name(const struct opshift_values *values, size_t index);
OPSHIFT_API const struct opshift_value *opshift_values_at(const struct opshift_values *values, size_t index);
/* NULL: no value has that name. */
OPSHIFT_API const struct opshift_value *opshift_values_find(const struct opshift_values *values, const char *name);

/* Sets the bytes that all values added by opshift_values_read may take. Default: 4 GiB, and for an archive (.npz) 64
 * MiB plus four times its size. */
OPSHIFT_API void opshift_values_limit(struct opshift_values *values, uint64_t memory);
/* Adds the values in a file: .npy, .pb (a TensorProto, SequenceProto or OptionalProto, as the model's input or output
 * of that name declares), or .npz: with name NULL all entries by their own names, else its only entry. uint16 data for
 * a declared bfloat16 is reinterpreted. MALFORMED, UNSUPPORTED, IO; USAGE: an unknown file extension. */
OPSHIFT_API enum opshift_status opshift_values_read(struct opshift_values *values, struct opshift_model *model,
                                                    const char *name, const char *path, struct opshift_error *error);
/* Writes a value as .npy or .pb, by the file extension. UNSUPPORTED: NumPy has no such type. */
OPSHIFT_API enum opshift_status opshift_value_write(const struct opshift_value *value, const char *name,
                                                    const char *path, struct opshift_error *error);
/* Can a .npy file hold it? */
OPSHIFT_API bool opshift_value_fits_npy(const struct opshift_value *value);
/* Makes a file name from a value's name: one path component, with "/", other characters special in paths, and control
 * characters as %XX. Freed by opshift_text_free. MEMORY. */
OPSHIFT_API enum opshift_status opshift_value_file_name(const char *name, char **file, struct opshift_error *error);
/* Writes all values as one .npz, whose entries have the values' names, escaped with %XX so that unpacking stays in its
 * directory. */
OPSHIFT_API enum opshift_status opshift_values_write(const struct opshift_values *values, const char *path,
                                                     struct opshift_error *error);

/* ---- walk ------------------------------------------------------------------------------------------------------ */

/* Read-only access to the model as it was opened: its graphs, their nodes, initializers and declared values. Graphs,
 * nodes and texts belong to the model and are valid until it is freed. A text is NUL-terminated and ends at the first
 * NUL in it. An index beyond the last gives NULL or 0. */
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
/* Is its data external? */
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
/* The subgraphs in its attributes, in the order of the file. */
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
/* In a function's body: the function's attribute that gives the value (ref_attr_name); "": the attribute has a value.
 */
OPSHIFT_API const char *opshift_attributes_reference(const struct opshift_attributes *attributes, size_t index);
/* The value of an attribute of this type; 0 or NULL if it has another type. */
OPSHIFT_API int64_t opshift_attributes_int(const struct opshift_attributes *attributes, size_t index);
OPSHIFT_API float opshift_attributes_float(const struct opshift_attributes *attributes, size_t index);
OPSHIFT_API const int64_t *opshift_attributes_ints(const struct opshift_attributes *attributes, size_t index,
                                                   size_t *count);
OPSHIFT_API const float *opshift_attributes_floats(const struct opshift_attributes *attributes, size_t index,
                                                   size_t *count);
/* Number of strings of a STRINGS attribute; 1 for a STRING. */
OPSHIFT_API size_t opshift_attributes_string_count(const struct opshift_attributes *attributes, size_t index);
/* *size bytes, not NUL-terminated. */
OPSHIFT_API const char *opshift_attributes_string(const struct opshift_attributes *attributes, size_t index,
                                                  size_t position, size_t *size);
/* A copy of a TENSOR attribute's elements, freed by opshift_value_free. USAGE: it has another type. */
OPSHIFT_API enum opshift_status opshift_attributes_tensor(const struct opshift_attributes *attributes, size_t index,
                                                          struct opshift_value **value, struct opshift_error *error);

/* ---- plans ------------------------------------------------------------------------------------------------------ */

/* The plan of a conversion: the fate of each node. opshift_convert applies such a plan. */
struct opshift_plan;

enum opshift_fate {
    OPSHIFT_KEPT,      /* the node is not changed */
    OPSHIFT_REWRITTEN, /* replaced by one or more nodes */
    OPSHIFT_REMOVED,   /* dropped, because its outputs are no longer used */
    OPSHIFT_BLOCKED    /* it cannot be converted */
};

/* Plans the conversion of the model as it was opened, without edits. Blocked nodes are no failure: see
 * opshift_plan_blocker_count. Freed by opshift_plan_free, before the model. Fails like opshift_convert, except for
 * blocked nodes. */
OPSHIFT_API enum opshift_status opshift_plan_new(struct opshift_model *model, const struct opshift_goal *goal,
                                                 struct opshift_plan **plan, struct opshift_error *error);
OPSHIFT_API void opshift_plan_free(struct opshift_plan *plan);
/* Number of nodes that cannot be converted. */
OPSHIFT_API size_t opshift_plan_blocker_count(const struct opshift_plan *plan);

/* The plan for one node; its texts and bytes are valid until it is freed. */
struct opshift_planned;
/* graph and node: of the same model. Freed by opshift_planned_free, before the plan. MEMORY, and errors of reading the
 * node. */
OPSHIFT_API enum opshift_status opshift_plan_find(const struct opshift_plan *plan, const struct opshift_graph *graph,
                                                  const struct opshift_node *node, struct opshift_planned **planned,
                                                  struct opshift_error *error);
OPSHIFT_API void opshift_planned_free(struct opshift_planned *planned);
OPSHIFT_API enum opshift_fate opshift_planned_fate(const struct opshift_planned *planned);
/* BLOCKED: the reason and the way out; else NULL. */
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

/* The inputs and outputs of the main graph, in order; an index beyond the last gives NULL. */
OPSHIFT_API size_t opshift_model_input_count(const struct opshift_model *model);
OPSHIFT_API const char *opshift_model_input_name(const struct opshift_model *model, size_t index);
/* False if an initializer is its default; true also if memory ran out. */
OPSHIFT_API bool opshift_model_input_is_required(struct opshift_model *model, size_t index);
OPSHIFT_API size_t opshift_model_output_count(const struct opshift_model *model);
OPSHIFT_API const char *opshift_model_output_name(const struct opshift_model *model, size_t index);

struct opshift_draw_options {
    size_t size; /* see above */
    uint64_t seed;
    /* "input=2x3", or "N=4" for a symbolic dim; a scalar is "input=". For a sequence, the shape of each tensor. */
    const char *const *shapes;
    size_t shape_count;
    unsigned attempt; /* 0: a dim of unknown size is an error; else it gets a size, which depends on attempt */
    uint64_t memory;  /* bytes of all drawn values together; default 192 MiB */
};

/* Draws a random value for each required input without one. Elements suit the nodes that read the input (indices within
 * the axis, lengths with the right sum, a matching shape), as far as that is known; a sequence gets three tensors, an
 * optional is not empty. USAGE: a shape names no input or dim, or the size of a dim is unknown. */
OPSHIFT_API enum opshift_status opshift_values_draw(struct opshift_values *values, struct opshift_model *model,
                                                    const struct opshift_draw_options *options,
                                                    struct opshift_error *error);

struct opshift_run_options {
    size_t size;        /* see above */
    const char *engine; /* NULL: "builtin" */
    uint64_t memory;    /* bytes of all values together; default 192 MiB plus twice the bytes of the initializers;
                           onnxruntime: 16 GiB */
    uint64_t steps;     /* builtin: limit of work, in steps of about a nanosecond; default 6,000,000,000 */
    bool ignore_shapes; /* accept inputs of another shape than the model declares */
    const char *ort;    /* onnxruntime: its shared library; NULL: found by the dynamic loader */
    unsigned seconds;   /* onnxruntime: time limit of a run; default 120 */
    opshift_progress progress; /* called during the run; false: CANCELLED */
    void *progress_data;
};

/* Names of the engines; an index beyond the last gives NULL. */
OPSHIFT_API const char *opshift_engine_at(size_t index);
/* The engine's version. Freed by opshift_text_free. USAGE: its library is not installed. */
OPSHIFT_API enum opshift_status opshift_engine_version(const struct opshift_run_options *options, char **version,
                                                       struct opshift_error *error);
/* Checks whether the engine can run this model. UNSUPPORTED: error lists the operators without a kernel. */
OPSHIFT_API enum opshift_status
opshift_run_check(struct opshift_model *model, const struct opshift_run_options *options, struct opshift_error *error);
/* Runs the model as it was opened, without edits. inputs: by name; *outputs: all outputs, by name. Engine "onnxruntime"
 * runs without optimizations in a separate program, opshift-ort: MALFORMED also if that crashes. USAGE: an input is
 * missing, unknown, or of another type or shape than declared; MALFORMED: an invalid node or invalid input values;
 * UNSUPPORTED: no kernel, or beyond a limit. */
OPSHIFT_API enum opshift_status opshift_run(struct opshift_model *model, const struct opshift_values *inputs,
                                            const struct opshift_run_options *options, struct opshift_values **outputs,
                                            struct opshift_error *error);

/* ---- split ---------------------------------------------------------------------------------------------------- */

/* A thread pool for repeated splits: with it sharing pays from a few hundred KB, with threads started for one call from
 * some MB. After a call the threads poll for the next one for two milliseconds, which takes processor time, and then
 * sleep. A forked process has none of them and splits with the caller's thread alone. */
struct opshift_team;
/* threads: their number, including the caller's thread; at most 64, fewer if the system refuses some. MEMORY. Freed by
 * opshift_team_free, which waits for their end. */
OPSHIFT_API enum opshift_status opshift_team_new(unsigned threads, struct opshift_team **team,
                                                 struct opshift_error *error);
OPSHIFT_API void opshift_team_free(struct opshift_team *team);

/* All zero: the defaults. */
struct opshift_split_options {
    size_t size; /* see above */
    /* Maximum number of threads; 0 is 1, or all of a team. The caller's thread copies small amounts alone. */
    unsigned threads;
    /* NULL: threads are started for this call. A thread that has not begun when the work is done is not waited for: it
     * ends without touching the caller's memory. If the team is busy with another call, the caller's thread works
     * alone. */
    struct opshift_team *team;
};

/* Split on plain buffers. The input is [outer, dim, inner] elements of element_size bytes in row-major order; output i
 * gets [outer, lengths[i], inner], consecutive parts of the axis; lengths may be 0. Elements are only copied: any type
 * works, and buffers may have any alignment (outputs aligned to 64 bytes are fastest). outputs[i] NULL: that part is
 * skipped. Outputs must not overlap each other or the input, and are not written beyond their size. No copy is needed
 * where opshift_split_views returns OK. USAGE: lengths below 0 or that do not sum to dim, element_size 0, a size above
 * PTRDIFF_MAX. MEMORY. Nothing is written then. */
OPSHIFT_API enum opshift_status opshift_split(const void *input, size_t element_size, uint64_t outer, uint64_t dim,
                                              uint64_t inner, const int64_t *lengths, size_t count,
                                              void *const *outputs, const struct opshift_split_options *options,
                                              struct opshift_error *error);

/* Pointers to the parts in the input, instead of copies: part i is contiguous and starts at views[i]. NO: the parts are
 * not contiguous, because of outer; views is not written. USAGE as above. */
OPSHIFT_API enum opshift_status opshift_split_views(const void *input, size_t element_size, uint64_t outer,
                                                    uint64_t dim, uint64_t inner, const int64_t *lengths, size_t count,
                                                    const void **views, struct opshift_error *error);

/* ---- many models ---------------------------------------------------------------------------------------------- */

/* The models that arguments name: files, directories of models, lists of names. */
struct opshift_models;

typedef void (*opshift_unread)(void *data, const char *message);

struct opshift_models_options {
    size_t size;     /* see above */
    const char *who; /* the start of messages, a command ("convert"); NULL: "opshift" */
    bool recursive;  /* search directories for *.onnx */
    bool cases;      /* what is searched for are directories with a model.onnx, as in ONNX's backend tests */
    /* Names are relative to this directory. NULL: to the directory that was searched; of a file its last part; of a
     * listed file the path as it is written. */
    const char *root;
    opshift_unread unread; /* called for each directory that cannot be read; may be NULL */
    void *unread_data;
    const char *leave_out; /* a directory below a searched one that is not searched, as that of outputs; NULL: none */
};

/* IO: the root cannot be found. */
OPSHIFT_API enum opshift_status opshift_models_new(const struct opshift_models_options *options,
                                                   struct opshift_models **models, struct opshift_error *error);
OPSHIFT_API void opshift_models_free(struct opshift_models *models);
/* Adds a file, whether it exists or not; "-", standard input; or a directory (USAGE if not recursive), sorted, without
 * hidden files and links to directories. */
OPSHIFT_API enum opshift_status opshift_models_add(struct opshift_models *models, const char *path,
                                                   struct opshift_error *error);
/* Adds NUL-terminated names from a file or standard input ("-"). USAGE, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_models_add_list(struct opshift_models *models, const char *list,
                                                        struct opshift_error *error);
/* Removes duplicates, keeping the first. */
OPSHIFT_API enum opshift_status opshift_models_unite(struct opshift_models *models, struct opshift_error *error);
/* USAGE: two models have one name, or one has none: it is not below the root. */
OPSHIFT_API enum opshift_status opshift_models_check_names(const struct opshift_models *models,
                                                           struct opshift_error *error);
/* Gives each model the output directory/name. ending: instead of .onnx; NULL: the same. USAGE: two would write one
 * file, or one would write what another is read from. */
OPSHIFT_API enum opshift_status opshift_models_set_outputs(struct opshift_models *models, const char *directory,
                                                           const char *ending, struct opshift_error *error);
OPSHIFT_API size_t opshift_models_count(const struct opshift_models *models);
/* index >= count gives NULL. */
OPSHIFT_API const char *opshift_models_path(const struct opshift_models *models, size_t index);
OPSHIFT_API const char *opshift_models_name(const struct opshift_models *models, size_t index);
OPSHIFT_API const char *opshift_models_output(const struct opshift_models *models, size_t index); /* NULL: none */
OPSHIFT_API size_t opshift_models_directories(const struct opshift_models *models); /* that were searched */
/* IO: a directory could not be read. */
OPSHIFT_API enum opshift_status opshift_models_unread(const struct opshift_models *models);

/* A share of the models. */
struct opshift_shard {
    uint32_t index; /* from 1 */
    uint32_t count;
};
/* "3/8"; "auto": by the variables of Slurm, Kubernetes, Bazel, GitLab or AWS Batch; "auto/8": of 8. USAGE: it is
 * neither, or the variables do not suffice. */
OPSHIFT_API enum opshift_status opshift_shard_read(const char *text, struct opshift_shard *shard,
                                                   struct opshift_error *error);
/* The shard of a name, from 1 to count: its SHA-256's first 8 bytes, as a big-endian number, modulo count, plus 1. */
OPSHIFT_API uint32_t opshift_shard_of(const char *name, uint32_t count);
/* Keeps the models of the shard. USAGE as opshift_models_check_names. */
OPSHIFT_API enum opshift_status opshift_models_keep_shard(struct opshift_models *models,
                                                          const struct opshift_shard *shard,
                                                          struct opshift_error *error);

/* What became of a model. */
enum opshift_outcome {
    OPSHIFT_OUTCOME_DONE,
    OPSHIFT_OUTCOME_REFUSED,   /* NO */
    OPSHIFT_OUTCOME_MALFORMED, /* MALFORMED, UNSUPPORTED */
    OPSHIFT_OUTCOME_FAILED,    /* USAGE, IO, MEMORY */
    OPSHIFT_OUTCOME_KILLED     /* its process died, or took too long */
};

/* Filled by the work on a model, and by the library. Texts may be NULL in what the work gives, never in what the
 * library delivers. */
struct opshift_result {
    size_t index; /* in the list */
    const char *path;
    const char *name;
    const char *output; /* "": none */
    enum opshift_outcome outcome;
    enum opshift_status status;
    bool earlier;     /* it is the journal's: nothing was done */
    uint64_t attempt; /* from 1 */
    double seconds;
    uint64_t memory;     /* peak, in bytes; 0: unknown */
    const char *message; /* why it is not done */
    const char *reasons; /* of a refusal: a line each, without what belongs to this model alone */
    const char *counts;  /* for the journal: "12 rewritten" */
    const char *out;     /* what the work printed */
    const char *err;
    const void *extra; /* for the caller */
    size_t out_size;
    size_t err_size;
    size_t extra_size;
    char hash[OPSHIFT_HASH_SIZE]; /* with a journal; "": unknown */
    char output_hash[OPSHIFT_HASH_SIZE];
    uint64_t output_size;
};

/* The SHA-256 of a model's file, or of it and its external data if it has any. What is no model has the hash of its
 * bytes, a directory that of all files in it. IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_model_hash(const char *path, const struct opshift_open_options *options,
                                                   char hash[OPSHIFT_HASH_SIZE], struct opshift_error *error);

/* A file with a JSON line for each model that was begun, and one for each that was done. */
struct opshift_journal;

struct opshift_journal_options {
    size_t size; /* see above */
    const char *command;
    const char *const *options; /* all that decides what is done */
    size_t option_count;
    const char *versions;              /* of the rules, and of other files that decide; NULL: none */
    const struct opshift_shard *shard; /* NULL: all models */
    bool sync;                         /* flush each line to the disk */
};

/* Opens or creates it, and locks it until it is freed or the process ends; the process must not open and close the
 * file by other means. USAGE: another process has it, it belongs to another shard, or is no journal. IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_journal_open(const char *path, const struct opshift_journal_options *options,
                                                     struct opshift_journal **journal, struct opshift_error *error);
OPSHIFT_API void opshift_journal_free(struct opshift_journal *journal);
/* For programs that work on the models themselves; opshift_many does all of this. Is it done, or refused, with this
 * hash, by the same command, and is its output, if it had one, still there? */
OPSHIFT_API bool opshift_journal_is_done(const struct opshift_journal *journal, const char *name, const char *hash,
                                         const char *output);
OPSHIFT_API enum opshift_status opshift_journal_begin(struct opshift_journal *journal, const char *name,
                                                      struct opshift_error *error);
OPSHIFT_API enum opshift_status opshift_journal_end(struct opshift_journal *journal,
                                                    const struct opshift_result *result, struct opshift_error *error);

/* An expression about a model: "operator == Split and opset < 13". */
struct opshift_where;
/* USAGE: it does not parse; the error has the place and what was expected. */
OPSHIFT_API enum opshift_status opshift_where_new(const char *text, struct opshift_where **where,
                                                  struct opshift_error *error);
OPSHIFT_API void opshift_where_free(struct opshift_where *where);
OPSHIFT_API bool opshift_where_needs_findings(const struct opshift_where *where);
/* findings: of a lint of the model; NULL: none. MALFORMED, UNSUPPORTED, IO, MEMORY. */
OPSHIFT_API enum opshift_status opshift_where_test(const struct opshift_where *where, struct opshift_model *model,
                                                   const struct opshift_findings *findings, bool *matches,
                                                   struct opshift_error *error);

/* Counts what became of models. */
struct opshift_tally;
OPSHIFT_API enum opshift_status opshift_tally_new(struct opshift_tally **tally, struct opshift_error *error);
OPSHIFT_API void opshift_tally_free(struct opshift_tally *tally);
OPSHIFT_API enum opshift_status opshift_tally_add(struct opshift_tally *tally, const struct opshift_result *result,
                                                  struct opshift_error *error);
/* The reasons of refusals by the number of models, then a table. Freed by opshift_text_free. */
OPSHIFT_API enum opshift_status opshift_tally_text(struct opshift_tally *tally, char **text,
                                                   struct opshift_error *error);
OPSHIFT_API enum opshift_status opshift_tally_status(const struct opshift_tally *tally); /* the gravest */

struct opshift_summary_options {
    size_t size;        /* see above */
    const char *format; /* text, json, csv, junit, sarif; names, names0: what to run again; slurm: the tasks of it */
    const struct opshift_models *expected; /* models that are missing if no journal has them; NULL: none */
    bool verbose;                          /* text: also the models that are done */
};
/* Merges journals. *text, of *size bytes, is freed by opshift_text_free; *gravest: the status of the whole, IO
 * where a model is missing or not ended. USAGE: no journal, or no such format. */
OPSHIFT_API enum opshift_status opshift_journal_summary(const char *const *paths, size_t path_count,
                                                        const struct opshift_summary_options *options, char **text,
                                                        size_t *size, enum opshift_status *gravest,
                                                        struct opshift_error *error);

/* Does the work on one model: result has its path, name and output; texts that it gives stay valid until the next call.
 */
typedef enum opshift_status (*opshift_work)(void *data, struct opshift_result *result, struct opshift_error *error);

/* What a worker needs. */
struct opshift_worker {
    opshift_work work;
    void *data;
    const struct opshift_open_options *open; /* for hashes; NULL: the defaults */
    uint64_t memory;                         /* limit of the process, in bytes; 0: none */
    int64_t host;                            /* the process that started it */
    const char *beside; /* a directory: the hash is also of the file of the same name in it; NULL: none */
};
/* Serves the process that started this one, on standard input, until it closes. IO. */
OPSHIFT_API enum opshift_status opshift_worker_serve(const struct opshift_worker *worker, struct opshift_error *error);

/* Receives each result, in the order of the list. A result other than OK ends all with that status. */
typedef enum opshift_status (*opshift_result_done)(void *data, const struct opshift_result *result,
                                                   struct opshift_error *error);

struct opshift_many_options {
    size_t size;                         /* see above */
    const struct opshift_worker *worker; /* does the work in this process, without a program */
    const char *program;                 /* calls opshift_worker_serve; NULL: none */
    const char *const *arguments;        /* of the program, from its name on; ends with NULL */
    unsigned jobs;                       /* processes; 0 is 1 */
    unsigned seconds_each;               /* 0: any time */
    unsigned retries;                /* further tries of a model that failed by IO or MEMORY, or whose process died */
    struct opshift_journal *journal; /* NULL: none */
    opshift_result_done done;
    void *done_data;
    opshift_progress progress; /* false: what is begun has a second, then it is dropped, and all ends as CANCELLED */
    void *progress_data;
};
/* Works on all models of the list. */
OPSHIFT_API enum opshift_status opshift_many(struct opshift_models *models, const struct opshift_many_options *options,
                                             struct opshift_error *error);

/* ---- reports -------------------------------------------------------------------------------------------------- */

/* A report is a tree of named values, printed as text for people or as JSON for programs. */

/* As text in aligned columns. Freed by opshift_text_free. */
OPSHIFT_API enum opshift_status opshift_report_text(const struct opshift_report *report, char **text,
                                                    struct opshift_error *error);
/* As one JSON object, indented, with keys in a fixed order. Freed by opshift_text_free. */
OPSHIFT_API enum opshift_status opshift_report_json(const struct opshift_report *report, char **text,
                                                    struct opshift_error *error);
/* The same on one line, without a newline. */
OPSHIFT_API enum opshift_status opshift_report_line(const struct opshift_report *report, char **text,
                                                    struct opshift_error *error);
/* Of a conversion that is blocked, or an export that is not whole: a line for each reason, "Resize at opset 10: ...",
 * without the nodes. "": it is none of these. Freed by opshift_text_free. */
OPSHIFT_API enum opshift_status opshift_report_reasons(const struct opshift_report *report, char **text,
                                                       struct opshift_error *error);
/* What is not 0 of the report's counts: "3 rewritten, 1 added". "": it has none. Freed by opshift_text_free. */
OPSHIFT_API enum opshift_status opshift_report_counts(const struct opshift_report *report, char **text,
                                                      struct opshift_error *error);
OPSHIFT_API void opshift_report_free(struct opshift_report *report);

#ifdef __cplusplus
}
#endif

#endif
