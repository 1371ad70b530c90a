/* Writes an IR, version 11. */
#include "dialect/ir.h"

#include <stdlib.h>

/* Names of a port, separated by commas; a comma in a name is "\,". NULL: no memory. */
static char *names_join(const struct ir_port *port)
{
    struct buffer text = {0};
    for (uint32_t i = 0; i < port->name_count; i++) {
        buffer_add_text(&text, i == 0 ? "" : ",");
        for (const char *at = port->names[i]; *at; at++) {
            buffer_add_text(&text, *at == ',' ? "\\" : "");
            buffer_add_byte(&text, (uint8_t)*at);
        }
    }
    return buffer_take(&text);
}

static enum opshift_status write_port(struct xml_writer *writer, const struct ir_port *port, int64_t id,
                                      struct opshift_error *error)
{
    xml_start(writer, "port");
    xml_attribute_number(writer, "id", id);
    xml_attribute(writer, "precision", ir_precision(port->type));
    if (port->name_count > 0) {
        char *names = names_join(port);
        if (names == NULL)
            return opshift_no_memory(error);
        xml_attribute(writer, "names", names);
        free(names);
    }
    for (int32_t i = 0; i < port->rank; i++) {
        struct buffer text = {0};
        buffer_add_decimal(&text, port->dims[i]);
        char *decimal = buffer_take(&text);
        if (decimal == NULL)
            return opshift_no_memory(error);
        xml_start(writer, "dim");
        xml_text(writer, decimal);
        xml_end(writer);
        free(decimal);
    }
    xml_end(writer);
    return OPSHIFT_OK;
}

static enum opshift_status write_ports(struct xml_writer *writer, const char *element, const struct ir_port *ports,
                                       uint32_t count, uint32_t first, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (count == 0)
        return OPSHIFT_OK;
    xml_start(writer, element);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++)
        status = write_port(writer, &ports[i], first + i, error);
    xml_end(writer);
    return status;
}

/* Ports are numbered: the inputs, then the outputs. */
static enum opshift_status write_layer(struct xml_writer *writer, const struct ir_layer *layer,
                                       struct opshift_error *error)
{
    xml_start(writer, "layer");
    xml_attribute_number(writer, "id", layer->id);
    xml_attribute(writer, "name", layer->name);
    xml_attribute(writer, "type", layer->type);
    xml_attribute(writer, "version", layer->version);
    if (layer->setting_count > 0)
        xml_start(writer, "data");
    for (uint32_t i = 0; i < layer->setting_count; i++)
        xml_attribute(writer, layer->settings[i].name, layer->settings[i].value);
    if (layer->setting_count > 0)
        xml_end(writer);
    enum opshift_status status = write_ports(writer, "input", layer->inputs, layer->input_count, 0, error);
    if (status == OPSHIFT_OK)
        status = write_ports(writer, "output", layer->outputs, layer->output_count, layer->input_count, error);
    xml_end(writer);
    return status;
}

static void write_edges(struct xml_writer *writer, const struct ir_net *net, const struct ir_layer *layer)
{
    for (uint32_t i = 0; i < layer->input_count; i++) {
        const struct ir_layer *from = &net->layers[layer->links[i].layer];
        xml_start(writer, "edge");
        xml_attribute_number(writer, "from-layer", from->id);
        xml_attribute_number(writer, "from-port", from->input_count + layer->links[i].port);
        xml_attribute_number(writer, "to-layer", layer->id);
        xml_attribute_number(writer, "to-port", i);
        xml_end(writer);
    }
}

static enum opshift_status write_net(struct xml_writer *writer, const struct ir_net *net, const char *note,
                                     struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    xml_start(writer, "net");
    xml_attribute(writer, "name", net->name);
    xml_attribute(writer, "version", "11");
    if (note)
        xml_comment(writer, note);
    xml_start(writer, "layers");
    for (uint32_t i = 0; status == OPSHIFT_OK && i < net->count; i++)
        status = write_layer(writer, &net->layers[i], error);
    xml_end(writer);
    xml_start(writer, "edges");
    for (uint32_t i = 0; i < net->count; i++)
        write_edges(writer, net, &net->layers[i]);
    xml_end(writer);
    xml_start(writer, "rt_info");
    xml_end(writer);
    xml_end(writer);
    return status;
}

enum opshift_status ir_write(const struct ir_net *net, const char *note, struct destination *destination,
                             struct opshift_error *error)
{
    struct xml_writer *writer;
    enum opshift_status status = xml_writer_open(destination, &writer, error);
    if (status)
        return status;
    status = write_net(writer, net, note, error);
    if (status) {
        xml_writer_free(writer);
        return status;
    }
    return xml_writer_close(writer, error);
}
