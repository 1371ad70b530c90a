/* Reads a Split node from its draft for the checks. */
#include "check/split_view.h"

#include <stdarg.h>

#include "base/shown.h"

enum opshift_status split_view_fault(struct split_view *view, struct opshift_error *error, const char *format, ...)
{
    char words[OPSHIFT_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    size_t size = shown_print(words, sizeof(words), format, arguments);
    va_end(arguments);
    view->fault = arena_copy(view->draft->arena, words, size);
    return view->fault ? OPSHIFT_OK : opshift_no_memory(error);
}

enum opshift_status split_view_read(const struct draft *draft, const struct schema *schema, struct split_view **result,
                                    struct opshift_error *error)
{
    struct split_view *view = arena_alloc(draft->arena, 1, sizeof(*view));
    if (view == NULL)
        return opshift_no_memory(error);
    *view = (struct split_view){.draft = draft, .schema = schema};
    *result = view;
    return split_read(draft, &view->cut, error);
}

struct range split_view_where(const struct split_view *view)
{
    const struct draft_attribute *attribute = view->pointed ? draft_attribute_find(view->draft, view->pointed) : NULL;
    return attribute ? attribute->range : (struct range){0};
}
