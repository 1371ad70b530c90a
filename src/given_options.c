/* Options for shapes of inputs and sizes of dims that the model does not declare. */
#include "given_options.h"

struct given_settings given_settings;

struct opshift_given given_options(void)
{
    return (struct opshift_given){.size = sizeof(struct opshift_given),
                                  .shapes = given_settings.shapes.items,
                                  .shape_count = given_settings.shapes.count,
                                  .dims = given_settings.dims.items,
                                  .dim_count = given_settings.dims.count};
}
