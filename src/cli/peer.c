#include "peer.h"

#include <math.h>

irrun_status cli_match_peer(cli_run *r, const char *key, cli_key_match *out) {
  int64_t layer;
  int port;
  *out = (cli_key_match){.index = -1, .layer = -1};
  const irrun_status status = irrun_model_find_tensor(r->peer->old.model, key, &layer, &port);
  const cli_diff_layer *partner = status == IRRUN_OK && layer >= 0 ? r->peer->old.layers[layer].partner : NULL;
  if (partner != NULL)
    cli_match_tensor(r, IRRUN_OUTPUTS, partner->layer, port, out);
  return status;
}

irrun_tolerance cli_tolerance_against(const cli_run *r, irrun_tolerance given, const irrun_tensor *got,
                                      const irrun_tensor *expected) {
  static const struct {
    irrun_element_type type;
    double share;
  } shares[] = {{IRRUN_BF16, 5e-2}, {IRRUN_F16, 1e-2}, {IRRUN_F32, 1e-4}, {IRRUN_F64, 1e-9}};
  const irrun_element_type types[] = {irrun_tensor_get_info(got).type, irrun_tensor_get_info(expected).type};
  if (!cli_options_have(&r->c->options, CLI_OPTION_AGAINST) || given.atol >= 0)
    return given;
  const irrun_statistics found = irrun_tensor_statistics(expected);
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
    if (types[0] == shares[i].type || types[1] == shares[i].type) {
      given.atol = shares[i].share * fmax(fabs(found.min), fabs(found.max));
      break;
    }
  return given;
}
