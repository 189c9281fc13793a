#include "ir_xml.h"
#include "base/limits.h"
#include "base/message_text.h"
#include "ir_hidden.h"
#include "ir_prolog.h"
#include "ir_reader.h"
#include "ir_window.h"
#include "xml_error.h"
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>

/* Guards the initialization of libxml2 and of its thread-local variables, for which libxml2 2.9 has no lock. */
static pthread_mutex_t beginning = PTHREAD_MUTEX_INITIALIZER;

typedef struct xml_run {
  xmlParserCtxt *parser;
  ir_source *source;
  ir_diags *diags;
  ir_window window;
  ir_reader reader;
  ir_hidden hidden;
  int64_t begin;            /* offset of the XML in the file */
  ir_at open[IR_MAX_DEPTH]; /* places of the open elements' start tags; {0, 0} for a skipped element */
  int depth;
  bool stopped; /* `feed` returns 0, as at the end of the file; later errors are ignored */
  ir_code code; /* the code with which the reading stopped */
} xml_run;

static const ir_at NOWHERE = {0, 0};

static void stop(xml_run *run, ir_code code) {
  run->stopped = true;
  run->code = code;
}

/* Returns the parser's offset in the file. xmlByteConsumed does the same for any encoding, but is too slow for every
 * tag. */
static int64_t position(const xml_run *run) {
  const xmlParserInput *input = run->parser->input;
  return run->begin + (int64_t)input->consumed + (input->cur - input->base);
}

static ir_at at_of(int64_t begin, int64_t end) {
  return (ir_at){(uint32_t)begin, (uint32_t)(end - begin)};
}

static ir_where where_of(const xml_run *run, int64_t begin, int64_t end) {
  return (ir_where){.source = run->source, .at = {begin, end}};
}

/* ---- input ---- */

/* Returns whether the current tag has too many attributes or namespaces. libxml2 before 2.12 compares each of them with
 * all others, which can take very long. */
static bool is_overloaded(const xmlParserCtxt *parser) {
#if LIBXML_VERSION < 21200
  enum { PER_ATTRIBUTE = 5, PER_NAMESPACE = 2 };
  return parser->maxatts > 2 * PER_ATTRIBUTE * IR_MAX_ATTRIBUTES || parser->nsNr > PER_NAMESPACE * IR_MAX_ATTRIBUTES;
#else
  (void)parser;
  return false;
#endif
}

static int feed(void *user, char *buffer, int n) {
  xml_run *run = user;
  if (!run->stopped && run->parser != NULL && is_overloaded(run->parser))
    stop(run, ir_report(run->diags, IR004_LIMIT_EXCEEDED, where_of(run, position(run), position(run)),
                        "more than %d attributes or namespaces in one element", IR_MAX_ATTRIBUTES));
  return run->stopped ? 0 : (int)ir_hidden_feed(&run->hidden, &run->window, buffer, (size_t)n);
}

/* ---- events ---- */

/* Returns the offset of the start tag that ends at `end`; -1 if the tag cannot be read. If the tag has no attributes
 * (`bare`), first tries the length of `<name`. */
static int64_t find_tag_begin(xml_run *run, int64_t end, bool bare, const xmlChar *name) {
  const int64_t begin = end - (int64_t)strlen((const char *)name) - 1;
  if (bare && begin >= run->window.begin && run->window.bytes[begin - run->window.begin] == '<')
    return begin;
  return ir_window_find_last(&run->window, '<', run->begin, end);
}

/* Finds the start tag that the parser has just read. The parser's position is before the tag's `>` or `/>`; if neither
 * follows, sets the tag's length to 0. Returns false if the bytes cannot be read again. */
static bool find_tag(xml_run *run, bool bare, const xmlChar *name, ir_tag *out_tag) {
  const int64_t end = position(run), to = end + 2 < run->window.fed ? end + 2 : run->window.fed;
  const int64_t begin = find_tag_begin(run, end, bare, name);
  const char *bytes = begin < 0 ? NULL : ir_window_view(&run->window, begin, to);
  out_tag->length = 0;
  if (bytes == NULL)
    return false;
  const size_t length = (size_t)(end - begin);
  if (to > end && bytes[length] == '>')
    ir_tag_set(out_tag, bytes, length, at_of(begin, end + 1));
  else if (to > end + 1 && bytes[length] == '/' && bytes[length + 1] == '>')
    ir_tag_set(out_tag, bytes, length, at_of(begin, end + 2));
  out_tag->rest_end = begin < run->window.begin ? bytes + length : bytes + (run->window.end - begin);
  return true;
}

static ir_code report_unreadable(xml_run *run, const char *reason) {
  return ir_report(run->diags, IR701_FILE_NOT_READABLE, (ir_where){.source = run->source, .at = IR_NOWHERE},
                   "cannot read the model: %s", reason);
}

/* Reports that a tag cannot be read again, because memory is out or another process has changed the file. */
static ir_code report_lost_tag(xml_run *run) {
  return run->window.out_of_memory ? ir_out_of_memory(run->diags)
                                   : report_unreadable(run, "it changed while it was read");
}

static ir_code report_root(xml_run *run, ir_where where, const char *name, size_t length) {
  ir_code code = ir_report(run->diags, IR002_NOT_AN_IR, where,
                           "the root element is <%s>, that of an OpenVINO IR is <net>", ir_shown(name, length).text);
  if (length == 3 && strncasecmp(name, "net", 3) == 0)
    ir_hint(run->diags, "write <net> and </net> in lower case");
  return code;
}

static ir_code check_root(xml_run *run, const ir_tag *tag) {
  const ir_text *name = &tag->name;
  if (ir_text_is(name, "net", 3))
    return IR_OK;
  return report_root(run, (ir_where){.source = run->source, .at = ir_span_of(name->at)}, name->text, name->length);
}

static void on_start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int n_namespaces,
                     const xmlChar **namespaces, int n_attributes, int n_defaulted, const xmlChar **attributes) {
  (void)uri, (void)namespaces, (void)n_defaulted;
  xml_run *run = user;
  ir_tag tag;
  if (run->stopped)
    return;
  if (ir_reader_passes(&run->reader) && run->depth < IR_MAX_DEPTH) {
    run->open[run->depth++] = NOWHERE;
    ir_reader_pass_element(&run->reader, (const char *)name, n_attributes, attributes);
    return;
  }
  if (!find_tag(run, n_attributes + n_namespaces == 0 && prefix == NULL, name, &tag)) {
    stop(run, report_lost_tag(run));
    return;
  }
  if (tag.length == 0)
    return;
  ir_code code = IR_OK;
  if (run->depth == 0)
    code = check_root(run, &tag);
  else if (run->depth == IR_MAX_DEPTH)
    code = ir_report(run->diags, IR004_LIMIT_EXCEEDED, (ir_where){.source = run->source, .at = ir_span_of(tag.at)},
                     "elements are nested more than %d deep", IR_MAX_DEPTH);
  if (code == IR_OK) {
    run->open[run->depth++] = tag.at;
    code = ir_reader_start(&run->reader, &tag);
  }
  if (code != IR_OK)
    stop(run, code);
}

/* Returns the place of `bytes`, which begin at offset `begin`, without surrounding blanks. */
static ir_at trimmed(const char *bytes, int64_t length, int64_t begin) {
  const char *first = bytes, *last = bytes + length;
  while (first < last && ir_is_blank(*first))
    first++;
  while (last > first && ir_is_blank(last[-1]))
    last--;
  return at_of(begin + (first - bytes), begin + (last - bytes));
}

static int64_t end_of(ir_at at) {
  return (int64_t)at.begin + at.length;
}

/* Returns the place of the text between the tags of the innermost open element, whose end tag was just read. */
static ir_at find_content(xml_run *run) {
  const int64_t begin = end_of(run->open[run->depth - 1]);
  const int64_t end = ir_window_find_last(&run->window, '<', begin, position(run));
  const char *bytes = end <= begin ? NULL : ir_window_view(&run->window, begin, end);
  return bytes == NULL ? NOWHERE : trimmed(bytes, end - begin, begin);
}

static void on_end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  (void)name, (void)prefix, (void)uri;
  xml_run *run = user;
  if (run->stopped)
    return;
  const ir_at content = ir_reader_in_dim(&run->reader) ? find_content(run) : NOWHERE;
  run->depth--;
  ir_code code = ir_reader_end(&run->reader, content);
  if (code != IR_OK)
    stop(run, code);
}

static bool stands_at(xml_run *run, int64_t begin, const char *text, int64_t length) {
  if (begin < run->begin || begin + length > run->window.fed)
    return false;
  const char *bytes = ir_window_view(&run->window, begin, begin + length);
  return bytes != NULL && memcmp(bytes, text, (size_t)length) == 0;
}

static void report_stray(xml_run *run, const char *text, int64_t length) {
  int64_t at = position(run), before = 0, after = 0; /* blanks around the text */
  while (before < length && ir_is_blank(text[before]))
    before++;
  if (before == length)
    return;
  while (ir_is_blank(text[length - 1 - after]))
    after++;
  text += before;
  length -= before + after;
  /* The text and its blanks begin or end at the parser's position. If the text had a reference, its bytes are at
   * neither place, and the place is that of the element. */
  ir_at place = run->open[run->depth - 1];
  if (stands_at(run, at + before, text, length))
    place = at_of(at + before, at + before + length);
  else if (stands_at(run, at - after - length, text, length))
    place = at_of(at - after - length, at - after);
  ir_reader_stray_text(&run->reader, place);
}

static void on_text(void *user, const xmlChar *text, int length) {
  xml_run *run = user;
  if (run->stopped || ir_reader_passes(&run->reader))
    return;
  if (ir_reader_in_dim(&run->reader))
    ir_reader_add_text(&run->reader, (const char *)text, (size_t)length);
  else
    report_stray(run, (const char *)text, length);
}

static void on_doctype(void *user, const xmlChar *name, const xmlChar *public_id, const xmlChar *system_id) {
  (void)public_id, (void)system_id;
  xml_run *run = user;
  if (run->stopped)
    return;
  const int64_t end = position(run), begin = ir_window_find_last(&run->window, '<', run->begin, end);
  const ir_where where = begin < 0 ? where_of(run, end, end) : where_of(run, begin, begin + 9);
  if (strcasecmp((const char *)name, "net") != 0) {
    stop(run, report_root(run, where, (const char *)name, strlen((const char *)name)));
    return;
  }
  stop(run, ir_report(run->diags, IR005_DOCTYPE_REFUSED, where, "the model has a DOCTYPE, which irrun refuses"));
  ir_hint(run->diags, "delete it: an IR needs none");
}

/* ---- faults of the XML ---- */

static const struct {
  int code;
  const char *text;
} fault_texts[] = {
    {XML_ERR_LT_IN_ATTRIBUTE, "'<' in the value of an attribute: a quote is missing before it, or it should be &lt;"},
    {XML_ERR_ATTRIBUTE_NOT_STARTED, "the value of an attribute does not begin with a quote"},
    {XML_ERR_ATTRIBUTE_WITHOUT_VALUE, "an attribute has no value"},
    {XML_ERR_SPACE_REQUIRED, "a blank is missing before an attribute, or a quote too many ends the one before"},
    {XML_ERR_GT_REQUIRED, "a tag ends without '>'"},
    {XML_ERR_NAME_REQUIRED, "a name must follow '<' and '&'; the characters themselves are written &lt; and &amp;"},
    {XML_ERR_ENTITYREF_SEMICOL_MISSING, "'&' and no ';' behind it; the character itself is written &amp;"},
    {XML_ERR_INVALID_CHAR, "a character that XML does not allow"},
    {XML_ERR_INVALID_CHARREF, "a reference to a character that XML does not allow"},
    {XML_ERR_INVALID_DEC_CHARREF, "a reference to a character must be &#, digits and ';'"},
    {XML_ERR_INVALID_HEX_CHARREF, "a reference to a character must be &#x, hexadecimal digits and ';'"},
    {XML_ERR_DOCUMENT_END, "only one root element, <net>, and nothing behind it"},
    {XML_ERR_DOCUMENT_EMPTY, "there is no element"},
    {XML_ERR_HYPHEN_IN_COMMENT, "'--' in a comment"},
    {XML_ERR_RESERVED_XML_NAME, "an XML declaration that is not at the begin of the file"},
    {XML_ERR_MISPLACED_CDATA_END, "']]>' in a text"},
};

static const char *fault_text(ir_xml_error error) {
  for (size_t i = 0; i < sizeof fault_texts / sizeof fault_texts[0]; i++)
    if (fault_texts[i].code == error->code)
      return fault_texts[i].text;
  return NULL;
}

static const char *message_of(ir_xml_error error) {
  return error->message == NULL ? "" : error->message;
}

static bool is_bad_utf8(ir_xml_error error) {
  return error->code == XML_ERR_INVALID_ENCODING || strstr(message_of(error), "not proper UTF-8") != NULL;
}

/* Returns whether the error is about a limit of libxml2, such as 10 MB for a text. */
static bool is_limit(ir_xml_error error) {
  static const char *const words[] = {"too big", "too long", "Huge input", "Excessive depth", "Resource limit"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strstr(message_of(error), words[i]) != NULL)
      return true;
  return false;
}

/* Reports that the end tag before `end` does not match the innermost open element. */
static ir_code report_mismatch(xml_run *run, ir_xml_error error, int64_t end) {
  const int64_t begin = ir_window_find_last(&run->window, '<', run->begin, end);
  ir_code code = ir_report(run->diags, IR001_XML_NOT_WELL_FORMED, where_of(run, begin < 0 ? end : begin, end),
                           "</%s> where </%s> is expected", ir_shown_text(error->str2 == NULL ? "" : error->str2).text,
                           ir_shown_text(error->str1 == NULL ? "" : error->str1).text);
  if (run->depth > 0 && run->open[run->depth - 1].length > 0)
    ir_note(run->diags, (ir_where){.source = run->source, .at = ir_span_of(run->open[run->depth - 1])},
            "the element begins here");
  return code;
}

/* Reports the second of two equal attributes in the tag that ends at `end`. */
static ir_code report_twice(xml_run *run, ir_xml_error error, int64_t end) {
  const char *name = error->str1 == NULL ? "" : error->str1;
  const int64_t begin = ir_window_find_last(&run->window, '<', run->begin, end);
  const char *bytes = begin < 0 ? NULL : ir_window_view(&run->window, begin, end);
  ir_at places[2] = {at_of(end, end), at_of(end, end)};
  ir_tag tag = {.length = 0};
  if (bytes != NULL)
    ir_tag_set(&tag, bytes, (size_t)(end - begin), at_of(begin, end));
  ir_tag_attr attr;
  int n = 0;
  for (size_t cursor = 0; tag.length > 0 && n < 2 && ir_tag_next(&tag, &cursor, &attr);)
    if (ir_text_is(&attr.name, name, strlen(name)))
      places[n++] = attr.name.at;
  ir_code code =
      ir_report(run->diags, IR001_XML_NOT_WELL_FORMED, (ir_where){.source = run->source, .at = ir_span_of(places[1])},
                "the attribute '%s' stands twice in one tag", ir_shown_text(name).text);
  ir_note(run->diags, (ir_where){.source = run->source, .at = ir_span_of(places[0])}, "the first one");
  return code;
}

static ir_code report_entity(xml_run *run, ir_xml_error error, int64_t end) {
  const int64_t begin = ir_window_find_last(&run->window, '&', run->begin, end);
  ir_code code = ir_report(run->diags, IR005_DOCTYPE_REFUSED, where_of(run, begin < 0 ? end : begin, end),
                           "unknown entity '&%s;'", ir_shown_text(error->str1 == NULL ? "" : error->str1).text);
  ir_hint(run->diags, "XML knows &amp; &lt; &gt; &quot; &apos; and numbers such as &#38;");
  return code;
}

/* Returns the offset after the last byte that is not blank, so that the excerpt in a report is not empty. */
static int64_t find_text_end(const ir_source *source) {
  char bytes[256];
  const int64_t from = source->size > (int64_t)sizeof bytes ? source->size - (int64_t)sizeof bytes : 0;
  int64_t n = ir_source_read(source, from, bytes, source->size - from);
  while (n > 0 && ir_is_blank(bytes[n - 1]))
    n--;
  return n > 0 ? from + n : source->size;
}

static ir_code report_truncated(xml_run *run) {
  const int64_t end = find_text_end(run->source);
  ir_code code;
  while (run->depth > 0 && run->open[run->depth - 1].length == 0)
    run->depth--;
  if (run->depth == 0) {
    code = ir_report(run->diags, IR001_XML_NOT_WELL_FORMED, where_of(run, end, end),
                     "the file ends before its first element is complete");
  } else {
    const ir_at at = run->open[run->depth - 1];
    const char *bytes = ir_window_view(&run->window, at.begin, (int64_t)at.begin + at.length);
    ir_tag tag = {.name = {.text = ""}};
    if (bytes != NULL)
      ir_tag_set(&tag, bytes, at.length - 1, at);
    code = ir_report(run->diags, IR001_XML_NOT_WELL_FORMED, where_of(run, end, end), "the file ends inside <%s>",
                     ir_shown(tag.name.text, tag.name.length).text);
    ir_note(run->diags, (ir_where){.source = run->source, .at = ir_span_of(at)}, "which begins here");
  }
  ir_hint(run->diags, "it seems to be cut short: copy or export it again");
  return code;
}

/* Returns the byte at offset `at`; -1 if it cannot be read. */
static int byte_at(const xml_run *run, int64_t at) {
  unsigned char byte;
  return ir_source_read(run->source, at, &byte, 1) == 1 ? byte : -1;
}

static ir_code report_fault(xml_run *run, ir_xml_error error) {
  const int64_t at = position(run);
  const ir_where where = where_of(run, at, at + 1);
  if (error->code == XML_ERR_NO_MEMORY)
    return ir_out_of_memory(run->diags);
  if (run->window.error != 0)
    return report_unreadable(run, strerror(run->window.error));
  if (error->code == XML_ERR_TAG_NAME_MISMATCH)
    return report_mismatch(run, error, at);
  if (error->code == XML_ERR_ATTRIBUTE_REDEFINED)
    return report_twice(run, error, at);
  if (error->code == XML_ERR_UNDECLARED_ENTITY || error->code == XML_WAR_UNDECLARED_ENTITY)
    return report_entity(run, error, at);
  if (at >= run->source->size)
    return report_truncated(run);
  const int byte = byte_at(run, at);
  if (byte == '\0')
    return ir_report(run->diags, IR001_XML_NOT_WELL_FORMED, where, "a NUL byte, which XML does not allow");
  if (is_bad_utf8(error))
    return ir_report(run->diags, IR006_ENCODING_NOT_UTF8, where, "these bytes are not UTF-8");
  if (byte >= 0 && ir_is_hidden((unsigned char)byte))
    return ir_report(run->diags, IR001_XML_NOT_WELL_FORMED, where, "a character that XML does not allow");
  const char *text = byte == '<' && error->code == XML_ERR_NAME_REQUIRED ? "a tag ends without '>'" : fault_text(error);
  if (text != NULL)
    return ir_report(run->diags, IR001_XML_NOT_WELL_FORMED, where, "%s", text);
  const char *message = message_of(error);
  const int length = (int)strcspn(message, "\n");
  if (is_limit(error))
    return ir_report(run->diags, IR004_LIMIT_EXCEEDED, where, "libxml2 refuses to go on: %.*s", length, message);
  return ir_report(run->diags, IR001_XML_NOT_WELL_FORMED, where, "not well-formed XML: %.*s", length, message);
}

/* Reports a fatal error of libxml2. Ignores lesser errors, such as those of namespaces: the text is still well-formed.
 */
static void on_error(void *user, ir_xml_error error) {
  xml_run *run = user;
  if (run->stopped || run->parser == NULL || error->level != XML_ERR_FATAL)
    return;
  stop(run, report_fault(run, error));
}

/* ---- reading a file ---- */

static xmlSAXHandler make_handler(void) {
  return (xmlSAXHandler){.initialized = XML_SAX2_MAGIC,
                         .startElementNs = on_start,
                         .endElementNs = on_end,
                         .characters = on_text,
                         .ignorableWhitespace = on_text,
                         .internalSubset = on_doctype,
                         .serror = on_error};
}

/* Checks the end of a text that the parser accepts, and warns of hidden characters. */
static ir_code conclude(xml_run *run) {
  if (run->stopped)
    return run->code;
  const int64_t at = position(run);
  if (!run->parser->wellFormed)
    return ir_report(run->diags, IR001_XML_NOT_WELL_FORMED, where_of(run, at, at), "not well-formed XML");
  if (at < run->source->size)
    return ir_report(run->diags, IR001_XML_NOT_WELL_FORMED, where_of(run, at, at + 1),
                     "only one root element, <net>, and nothing behind it");
  ir_hidden_warn(&run->hidden, run->source, run->diags);
  return IR_OK;
}

static void say_nothing(void *user, const char *format, ...) {
  (void)user, (void)format;
}

static ir_code parse(xml_run *run) {
  /* Errors without a parser, such as out of memory, go to handlers of the thread. libxml2's own would print them. */
  pthread_mutex_lock(&beginning);
  if (!ir_xml_has_variables()) {
    pthread_mutex_unlock(&beginning);
    return ir_out_of_memory(run->diags);
  }
  const xmlStructuredErrorFunc handler_before = xmlStructuredError;
  void *const user_before = xmlStructuredErrorContext;
  const xmlGenericErrorFunc printer_before = xmlGenericError;
  void *const printer_user_before = xmlGenericErrorContext;
  xmlSetStructuredErrorFunc(run, on_error);
  xmlSetGenericErrorFunc(NULL, say_nothing);
  xmlInitParser();
  pthread_mutex_unlock(&beginning);
  xmlSAXHandler handler = make_handler();
  ir_code code;
  run->parser = xmlCreateIOParserCtxt(&handler, run, feed, NULL, run, XML_CHAR_ENCODING_UTF8);
  if (run->parser != NULL) {
    /* XML_PARSE_HUGE: 10 MB of neighbouring attributes are read. The table of names stays small: it is slow. */
    xmlCtxtUseOptions(run->parser, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC | XML_PARSE_HUGE);
    xmlDictSetLimit(run->parser->dict, XML_MAX_DICTIONARY_LIMIT);
    xmlParseDocument(run->parser);
    code = conclude(run);
    xmlFreeDoc(run->parser->myDoc); /* libxml2 makes a document if the text has a DOCTYPE with entities */
  } else {
    code = ir_out_of_memory(run->diags);
  }
  xmlFreeParserCtxt(run->parser);
  xmlSetStructuredErrorFunc(user_before, handler_before);
  xmlSetGenericErrorFunc(printer_user_before, printer_before);
  return code;
}

ir_code ir_xml_read(ir_source *source, ir_graph *graph, ir_diags *diags) {
  graph->source = source;
  graph->dialect = IR_OPENVINO;
  int64_t begin;
  ir_code code = ir_check_encoding(source, diags, &begin);
  if (code != IR_OK)
    return code;
  xml_run *run = ir_alloc_zero(graph->memory, 1, sizeof *run);
  if (run == NULL)
    return ir_out_of_memory(diags);
  *run = (xml_run){.source = source, .diags = diags, .begin = begin};
  if (ir_window_init(&run->window, source, begin, IR_WINDOW_BYTES) && ir_reader_init(&run->reader, graph, diags))
    code = parse(run);
  else
    code = ir_out_of_memory(diags);
  ir_reader_reset(&run->reader);
  ir_window_reset(&run->window);
  ir_free(graph->memory, run);
  return code;
}
