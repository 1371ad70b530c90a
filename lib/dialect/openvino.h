/* The export to OpenVINO's IR while it is built: layers, constants, and which port has which value. */
#ifndef DIALECT_OPENVINO_H
#define DIALECT_OPENVINO_H

#include "dialect/export.h"
#include "dialect/ir.h"

struct openvino {
    struct exporting *exporting;
    struct ir_net net;
    struct ir_link *values; /* by name_id: the port that has the value of the main graph */
    struct ir_names names;  /* of layers */
    uint64_t port_size;     /* bytes of the input ports, about */
    struct buffer payloads; /* what the .bin consists of */
    uint64_t size;          /* of the .bin */
};

/* ---- openvino_build.c ---- */

enum opshift_status openvino_open(struct openvino *openvino, struct exporting *exporting, struct opshift_error *error);
void openvino_close(struct openvino *openvino);
/* Adds a layer with a fresh name that begins with stem; its inputs come from links, its outputs are unknown. */
enum opshift_status openvino_layer(struct openvino *openvino, const char *stem, const char *type, const char *version,
                                   const struct ir_link *links, uint32_t input_count, uint32_t output_count,
                                   struct ir_layer **layer, struct opshift_error *error);
/* Gives a layer its attributes; the texts are copied. */
enum opshift_status openvino_settings(struct openvino *openvino, struct ir_layer *layer,
                                      const struct ir_setting *settings, uint32_t count, struct opshift_error *error);
/* Gives a port the type and dims of a value, without a name. NO: OpenVINO has no such type, or it is unknown. */
enum opshift_status openvino_port_type(struct openvino *openvino, struct graph *graph, name_id name,
                                       struct ir_port *port, struct opshift_error *error);
/* Names a port by a value; more than one name is possible. */
enum opshift_status openvino_port_name(struct openvino *openvino, name_id name, struct ir_port *port,
                                       struct opshift_error *error);
/* A Parameter for a value. */
enum opshift_status openvino_parameter(struct openvino *openvino, struct graph *graph, name_id name,
                                       struct ir_link *link, struct opshift_error *error);
/* A Result of a port. */
enum opshift_status openvino_result(struct openvino *openvino, const char *stem, struct ir_link link,
                                    struct opshift_error *error);
/* A Const of int64: a list, or a scalar where count is SIZE_MAX. */
enum opshift_status openvino_ints(struct openvino *openvino, const char *stem, const int64_t *values, size_t count,
                                  struct ir_link *link, struct opshift_error *error);
/* A Const with a tensor's elements, which are copied. */
enum opshift_status openvino_tensor(struct openvino *openvino, const char *stem, const struct tensor *tensor,
                                    struct ir_link *link, struct opshift_error *error);
/* The port that has a value of the main graph; an initializer gets its Const at the first use. NO: there is none. */
enum opshift_status openvino_value(struct openvino *openvino, name_id name, struct ir_link *link,
                                   struct opshift_error *error);
/* The name of a value as text; NULL: it holds a NUL or what XML cannot hold. */
const char *openvino_name(const struct openvino *openvino, name_id name);
/* Writes the .bin. */
enum opshift_status openvino_write_payloads(struct openvino *openvino, struct destination *destination,
                                            struct opshift_error *error);

/* ---- openvino_split.c ---- */

/* The layers of a Split whose data, and lengths if they are computed, come from these ports. became: in words. */
enum opshift_status openvino_split(struct openvino *openvino, struct graph *graph, const struct node_cut *cut,
                                   const char *stem, struct ir_link data, struct ir_link lengths, uint32_t *layer,
                                   struct opshift_error *error);

/* ---- openvino_node.c ---- */

/* The layers of a node of the main graph. NO: it has no counterpart, or not with these attributes. */
enum opshift_status openvino_node(struct openvino *openvino, struct node *node, struct arena *arena,
                                  struct opshift_error *error);

#endif
