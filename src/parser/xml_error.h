/* ir_xml_error is the parameter of libxml2's error callback, which is a pointer to const since libxml2 2.12. */
#ifndef IR_XML_ERROR_H
#define IR_XML_ERROR_H

#include <libxml/xmlerror.h>
#include <libxml/xmlversion.h>

#if LIBXML_VERSION >= 21200
typedef const xmlError *ir_xml_error;
#else
typedef xmlError *ir_xml_error;
#endif

#endif
