/* Reads and writes XML with libxml2, which is loaded at first use: at every start it would cost a millisecond and two
 * megabytes. Nothing outside of the document is read: no DTD, no entities but the predefined ones, no network. */
#ifndef BASE_XML_H
#define BASE_XML_H

#include "base/destination.h"

struct xml_attribute {
    const char *name, *value;
};

/* A start tag; valid until the handler returns. */
struct xml_element {
    const char *name; /* without a namespace's prefix */
    const struct xml_attribute *attributes;
    size_t attribute_count;
    unsigned depth;  /* 0: the root */
    uint64_t offset; /* of the tag in the source */
    uint64_t size;   /* bytes of the tag */
};

/* The value of an attribute; NULL: it has none of that name. */
const char *xml_attribute_find(const struct xml_element *element, const char *name);

/* Called for the parts of a document in their order. A result that is not OK ends the reading. text is for one element
 * possibly several calls; size bytes, not NUL-terminated. */
struct xml_handler {
    enum opshift_status (*start)(void *data, const struct xml_element *element, struct opshift_error *error);
    enum opshift_status (*text)(void *data, const char *text, size_t size, struct opshift_error *error);
    enum opshift_status (*end)(void *data, struct opshift_error *error);
};

/* Limits of a document, whose excess is refused (UNSUPPORTED). */
struct xml_limits {
    unsigned depth;    /* nested elements */
    size_t attributes; /* of an element */
    uint64_t elements; /* in all */
};

/* Reads a whole document, piece by piece. MALFORMED: it is not well-formed ("line N: ..."), or has a DTD. UNSUPPORTED:
 * a limit, or libxml2 is not there. IO, MEMORY, and what the handler returns. */
enum opshift_status xml_read(struct source *source, const struct xml_limits *limits, const struct xml_handler *handler,
                             void *data, struct opshift_error *error);

/* Loads libxml2 now instead of at first use. UNSUPPORTED: it is not there. MEMORY. */
enum opshift_status xml_need(struct opshift_error *error);

/* Writes a document to a destination, indented with tabs. After a failure further calls do nothing; xml_writer_close
 * gives the first one. */
struct xml_writer;
enum opshift_status xml_writer_open(struct destination *destination, struct xml_writer **writer,
                                    struct opshift_error *error);
void xml_start(struct xml_writer *writer, const char *element);
/* The value is UTF-8 without control characters (xml_is_text); it is escaped. */
void xml_attribute(struct xml_writer *writer, const char *name, const char *value);
void xml_attribute_number(struct xml_writer *writer, const char *name, int64_t value);
void xml_text(struct xml_writer *writer, const char *text);
/* "--", which a comment cannot have, becomes "- -". */
void xml_comment(struct xml_writer *writer, const char *text);
void xml_end(struct xml_writer *writer);
/* Ends what is open, and frees the writer. UNSUPPORTED, IO, MEMORY. */
enum opshift_status xml_writer_close(struct xml_writer *writer, struct opshift_error *error);
/* For an early end; NULL does nothing. */
void xml_writer_free(struct xml_writer *writer);

/* Can XML hold these bytes as they are: UTF-8, and no control character but tab and newline? */
bool xml_is_text(const void *data, size_t size);

#endif
