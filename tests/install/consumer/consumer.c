/* A program of somebody else: needs only what was installed. */
#include <irrun.h>
#include <stdio.h>

int main(void) {
  irrun_context *context = irrun_context_create(NULL);
  irrun_rule rule;
  if (context == NULL || !irrun_find_rule("IR304", &rule))
    return 1;
  irrun_context_free(context);
  return printf("irrun %s\n", IRRUN_VERSION) < 0;
}
