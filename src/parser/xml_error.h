/* Differences between versions of libxml2. */
#ifndef IR_XML_ERROR_H
#define IR_XML_ERROR_H

#include <libxml/globals.h>
#include <libxml/threads.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlversion.h>
#include <stdbool.h>
#include <stdlib.h>

/* The parameter of libxml2's error callback, which is a pointer to const since libxml2 2.12. */
#if LIBXML_VERSION >= 21200
typedef const xmlError *ir_xml_error;
#else
typedef xmlError *ir_xml_error;
#endif

/* Whether this thread has its own error handlers and other variables of libxml2. If there is no memory for them,
 * libxml2 crashes when it uses them, and 2.9 even when it reports that; so ask for the memory first. */
static inline bool ir_xml_has_variables(void) {
#if LIBXML_VERSION >= 21200
  return xmlCheckThreadLocalData() == 0;
#else
  if (xmlIsMainThread() == 1) /* its variables are static */
    return true;
  void *room = malloc(sizeof(xmlGlobalState));
  free(room);
  return room != NULL && xmlGetGlobalState() != NULL;
#endif
}

#endif
