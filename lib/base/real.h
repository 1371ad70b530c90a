/* Real numbers as text and back, with a point whatever the locale of the host says. */
#ifndef BASE_REAL_H
#define BASE_REAL_H

#include <stddef.h>

/* As strtod and strtof; a number of more than REAL_SIZE_MAX characters is none. */
#define REAL_SIZE_MAX 1023
double real_parse(const char *text, char **end);
float real_parse_float(const char *text, char **end);

/* As printf's %.*g; the text is its argument's. */
struct real_text {
    char text[48];
};
char *real_print(struct real_text *text, int precision, double value);
/* For an argument of printf: six digits. */
#define REAL_SHOWN(value) real_print(&(struct real_text){{0}}, 6, value)

#endif
