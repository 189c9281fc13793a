#include "oom_report.h"
#include "report_sarif.h"

#define OUT_OF_MEMORY "out of memory"
#define BUT_WRITTEN   OUT_OF_MEMORY ", after the output files were written"
#define DOCUMENT(message)                                                                                              \
  "{\"schema\": 1, \"tool\": {\"name\": \"irrun\", \"version\": \"" IRRUN_VERSION "\"}, \"mode\": null, "              \
  "\"exit\": 6, \"counts\": {\"errors\": 1, \"warnings\": 0, \"notes\": 0, \"shown\": 1}, \"diagnostics\": "           \
  "[{\"rule\": \"IR703\", \"slug\": \"out-of-memory\", \"severity\": \"error\", \"message\": \"" message "\", "        \
  "\"file\": null, \"line\": null, \"column\": null, \"end_column\": null, \"offset\": null, \"layer\": null, "        \
  "\"attribute\": null, \"pointer\": null, \"notes\": [], \"hint\": null}]}\n"
#define SARIF(message)                                                                                                 \
  "{\"$schema\": \"" CLI_SARIF_SCHEMA "\", \"version\": \"2.1.0\", \"runs\": [{\"tool\": {\"driver\": "                \
  "{\"name\": \"irrun\", \"version\": \"" IRRUN_VERSION "\", \"rules\": []}}, \"columnKind\": \"unicodeCodePoints\", " \
  "\"invocations\": [{\"executionSuccessful\": false, \"exitCode\": 6, \"toolExecutionNotifications\": "               \
  "[{\"level\": \"error\", \"message\": {\"text\": \"" message "\"}}]}], \"results\": []}]}\n"
#define LINE(message) "irrun: error: " message " [IR703 out-of-memory]\n"

void cli_choose_oom_report(const cli *c, bool written) {
  const char *documents[] = {
      [CLI_TEXT] = NULL, [CLI_JSON] = DOCUMENT(OUT_OF_MEMORY), [CLI_SARIF] = SARIF(OUT_OF_MEMORY), [CLI_GITHUB] = NULL};
  if (written) {
    documents[CLI_JSON] = DOCUMENT(BUT_WRITTEN);
    documents[CLI_SARIF] = SARIF(BUT_WRITTEN);
  }
  cli_set_oom_report(documents[c->options.format], written ? LINE(BUT_WRITTEN) : LINE(OUT_OF_MEMORY));
}
