/* Conversion of real numbers to text and back with a decimal point, independent of the locale. */
#ifndef BASE_REAL_H
#define BASE_REAL_H

#include <stddef.h>

/* Like strtod and strtof; numbers of more than REAL_SIZE_MAX characters are not read. */
#define REAL_SIZE_MAX 1023
double real_parse(const char *text, char **end);
float real_parse_float(const char *text, char **end);

/* Like printf's %.*g; the text is stored in and returned from its argument. */
struct real_text {
    char text[48];
};
char *real_print(struct real_text *text, int precision, double value);
/* For an argument of printf: six digits. */
#define REAL_SHOWN(value) real_print(&(struct real_text){{0}}, 6, value)

#endif
