/* The internal interface of the parser of ONNX's textual syntax: tokens, lists, and a function for each construct. */
#ifndef MODEL_TEXT_READ_H
#define MODEL_TEXT_READ_H

#include "base/arena.h"
#include "base/error.h"
#include "onnx.pb-c.h"

/* Graphs in attributes and types in types, counted together. */
#define TEXT_NESTING_MAX 100

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_STRING,
    TOKEN_INTEGER,
    TOKEN_DECIMAL, /* has a point, an exponent, or is -inf, -nan; plain inf and nan are names */
    TOKEN_ARROW,
    TOKEN_SIGN /* any other single byte */
};

struct token {
    enum token_kind kind;
    unsigned line, column;
    struct bytes text;         /* as in the text */
    ProtobufCBinaryData value; /* of a name or a string: without quotes and escapes, in the arena */
};

/* After the first failure the token stays TOKEN_END and every function returns at once: check status at the end. */
struct text_reader {
    const char *name;
    const char *text;
    size_t size, at;
    unsigned line;
    size_t line_start;
    unsigned depth;
    struct arena *arena;
    struct token token;
    enum opshift_status status;
    struct opshift_error *error;
};

void text_reader_init(struct text_reader *reader, const char *text, size_t size, const char *name, unsigned first_line,
                      struct arena *arena, struct opshift_error *error);
void text_next(struct text_reader *reader);
bool text_is(const struct text_reader *reader, char sign);
/* Consumes the sign if it is the next token. */
bool text_accept(struct text_reader *reader, char sign);
bool text_expect(struct text_reader *reader, char sign);
void text_expect_arrow(struct text_reader *reader);
/* After an element of a list: true when a comma follows, false when the list was closed. */
bool text_more(struct text_reader *reader, char close);
/* Is the next token this word? */
bool text_is_word(const struct text_reader *reader, const char *word);
/* A name, plain or quoted; what: its description in messages. */
ProtobufCBinaryData text_name(struct text_reader *reader, const char *what);
bool text_is_name(const struct text_reader *reader);
ProtobufCBinaryData text_string(struct text_reader *reader);

/* Names joined by dots; each may be quoted. */
struct text_dotted {
    ProtobufCBinaryData whole;
    size_t last; /* offset of its last part */
};

struct text_dotted text_dotted(struct text_reader *reader, const char *what);

/* "expected WHAT, found 'TOKEN'", at the next token or at the place of another one. */
void text_fail(struct text_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_fail_at(struct text_reader *reader, const struct token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A fault that is not about one token. */
void text_refuse(struct text_reader *reader, const struct token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void text_no_memory(struct text_reader *reader);
/* Enters a nesting level; fails beyond TEXT_NESTING_MAX. Paired with text_leave. */
bool text_enter(struct text_reader *reader);
void text_leave(struct text_reader *reader);

/* A repeated field while it grows, in the arena. */
struct text_list {
    void *items;
    size_t count, room;
};

/* Adds a zeroed element. NULL: failed. */
void *text_list_add(struct text_reader *reader, struct text_list *list, size_t size);
/* Adds a message to a list of messages. NULL: failed. */
void *text_list_add_message(struct text_reader *reader, struct text_list *list,
                            const ProtobufCMessageDescriptor *descriptor);
/* An initialised message. NULL: failed. */
void *text_message(struct text_reader *reader, const ProtobufCMessageDescriptor *descriptor);

/* Numbers; they consume the token. what: describes the expected number in messages. */
bool text_is_number(const struct text_reader *reader);
int64_t text_int64(struct text_reader *reader, int64_t least, int64_t greatest, const char *what);
uint64_t text_uint64(struct text_reader *reader, uint64_t greatest, const char *what);
float text_float(struct text_reader *reader);
double text_double(struct text_reader *reader);

/* Does a type start here? */
bool text_is_type(const struct text_reader *reader);
Onnx__TypeProto *text_type(struct text_reader *reader);

/* The rest of a tensor behind its type: an optional name, an optional '=' and the data. */
bool text_is_tensor_rest(const struct text_reader *reader);
Onnx__TensorProto *text_tensor_rest(struct text_reader *reader, const Onnx__TypeProto *type);
Onnx__SparseTensorProto *text_sparse_rest(struct text_reader *reader, const Onnx__TypeProto *type);
/* The data alone, after the name and '='. */
Onnx__TensorProto *text_tensor_data(struct text_reader *reader, const Onnx__TypeProto *type, ProtobufCBinaryData name);
Onnx__SparseTensorProto *text_sparse_data(struct text_reader *reader, const Onnx__TypeProto *type,
                                          ProtobufCBinaryData name);
/* ["key" : "value", ...] */
void text_pairs(struct text_reader *reader, size_t *count, Onnx__StringStringEntryProto ***pairs);

/* < attributes >, up to the closing sign; list is of Onnx__AttributeProto *. */
void text_attributes(struct text_reader *reader, struct text_list *list);
/* The rest of an attribute behind its name. */
void text_attribute_rest(struct text_reader *reader, Onnx__AttributeProto *attribute);

Onnx__GraphProto *text_graph(struct text_reader *reader);
/* The rest of a graph behind its name. */
void text_graph_rest(struct text_reader *reader, Onnx__GraphProto *graph);

#endif
