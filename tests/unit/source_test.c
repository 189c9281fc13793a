/* Tests the places of bytes in a file: lines, columns in code points, and the line's text. */
#include "base/source.h"
#include "failing_memory.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>

static failing_memory counts;
static ir_memory memory;
static int64_t n_bytes_read; /* bytes that all sources have read */

ssize_t __real_pread(int fd, void *buffer, size_t size, off_t offset);
ssize_t __wrap_pread(int fd, void *buffer, size_t size, off_t offset);

ssize_t __wrap_pread(int fd, void *buffer, size_t size, off_t offset) {
  const ssize_t n = __real_pread(fd, buffer, size, offset);
  n_bytes_read += n;
  return n;
}

static ir_source *open_text_bytes(const void *bytes, size_t n) {
  memory = failing_memory_of(&counts);
  scratch_file file = scratch_file_make("text.xml", bytes, n);
  int error;
  ir_source *source = ir_source_open(&memory, IR_SOURCE_TEXT, file.path, &error);
  scratch_file_remove(&file); /* the removed file can still be read, because it is open */
  assert_non_null(source);
  assert_int_equal(error, 0);
  assert_int_equal(source->size, n);
  return source;
}

static ir_source *open_text(const char *text) {
  return open_text_bytes(text, strlen(text));
}

static void close_text(ir_source *source) {
  ir_source_free(source);
  assert_int_equal(counts.n_alive, 0);
}

static void assert_place(ir_source *source, int64_t begin, int64_t end, int64_t line, int64_t column,
                         int64_t end_column) {
  ir_place place;
  assert_true(ir_source_place(source, (ir_span){begin, end}, &place));
  if (place.line != line || place.column != column || place.end_column != end_column)
    fail_msg("bytes %d..%d are at %d:%d-%d, expected %d:%d-%d", (int)begin, (int)end, (int)place.line,
             (int)place.column, (int)place.end_column, (int)line, (int)column, (int)end_column);
}

static void assert_line(ir_source *source, int64_t offset, size_t size, const char *expected, int64_t skipped) {
  char buffer[4096];
  int64_t found = -1;
  memset(buffer, '#', sizeof buffer);
  assert_true(ir_source_line(source, offset, buffer, size, &found));
  assert_string_equal(buffer, expected);
  assert_int_equal(found, skipped);
  assert_true(strlen(buffer) < size);
}

/* ---- places ---- */

static void lines_and_columns_count_from_one(void **state) {
  (void)state;
  ir_source *source = open_text("<net>\n\t<a/>\n\n");
  assert_place(source, 0, 5, 1, 1, 6);
  assert_place(source, 5, 6, 1, 6, 6); /* a newline is the last byte of its line */
  assert_place(source, 6, 7, 2, 1, 2); /* a tab is one column */
  assert_place(source, 7, 11, 2, 2, 6);
  assert_place(source, 12, 12, 3, 1, 1);
  assert_place(source, 13, 13, 4, 1, 1); /* the end of the file is after the last newline */
  assert_place(source, 99, 100, 4, 1, 1);
  assert_place(source, 0, 13, 1, 1, 6); /* the reported end is the end of the first line */
  assert_place(source, 7, 7, 2, 2, 2);
  close_text(source);
}

static void columns_are_code_points(void **state) {
  (void)state;
  ir_source *source = open_text("a\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80z\n\xc3\xa9z");
  assert_place(source, 0, 1, 1, 1, 2);
  assert_place(source, 1, 3, 1, 2, 3);
  assert_place(source, 3, 6, 1, 3, 4);
  assert_place(source, 6, 10, 1, 4, 5);
  assert_place(source, 10, 11, 1, 5, 6);
  assert_place(source, 14, 15, 2, 2, 3);
  close_text(source);
}

static void carriage_returns_belong_to_the_line_end(void **state) {
  (void)state;
  ir_source *source = open_text("ab\r\ncd\r\n");
  assert_place(source, 0, 3, 1, 1, 4);
  assert_place(source, 0, 4, 1, 1, 3);
  assert_place(source, 4, 8, 2, 1, 3);
  assert_line(source, 1, 100, "ab", 0);
  assert_line(source, 2, 100, "ab", 0);
  assert_line(source, 3, 100, "ab", 0);
  assert_line(source, 5, 100, "cd", 0);
  close_text(source);
}

static void a_byte_order_mark_is_no_column(void **state) {
  (void)state;
  ir_source *source = open_text("\xef\xbb\xbf<net>\n<a/>");
  assert_place(source, 3, 8, 1, 1, 6);
  assert_place(source, 0, 3, 1, 1, 1);
  assert_place(source, 9, 13, 2, 1, 5);
  assert_line(source, 5, 100, "<net>", 0);
  assert_line(source, 0, 100, "<net>", 0);
  close_text(source);
  source = open_text("x\xef\xbb\xbfy"); /* only at the beginning is U+FEFF a byte order mark */
  assert_place(source, 4, 5, 1, 3, 4);
  close_text(source);
}

static void nowhere_has_no_place(void **state) {
  (void)state;
  ir_place place;
  ir_source *source = open_text("abc");
  assert_false(ir_source_place(source, IR_NOWHERE, &place));
  assert_int_equal(place.line, 0);
  assert_false(ir_source_place(source, (ir_span){-1, 2}, &place));
  close_text(source);
  source = ir_source_create(&memory, IR_SOURCE_COMMAND, "");
  assert_false(ir_source_place(source, (ir_span){0, 1}, &place));
  char buffer[10];
  int64_t skipped;
  assert_false(ir_source_line(source, 0, buffer, sizeof buffer, &skipped));
  assert_string_equal(buffer, "");
  close_text(source);
}

static void an_empty_file_has_one_empty_line(void **state) {
  (void)state;
  ir_source *source = open_text("");
  assert_place(source, 0, 0, 1, 1, 1);
  assert_line(source, 0, 10, "", 0);
  close_text(source);
}

/* Looks up every byte of a text in ascending, descending and random order, and compares with a plain count. The text
 * is longer than the distance of the source's marks. */
static void every_way_to_ask_gives_the_same(void **state) {
  (void)state;
  enum { SIZE = 400000 };
  static char text[SIZE];
  static int64_t lines[SIZE + 1], columns[SIZE + 1];
  uint64_t seed = 1;
  int64_t line = 1, column = 1;
  for (int i = 0; i < SIZE; i++) {
    seed = seed * UINT64_C(6364136223846793005) + 1;
    uint64_t r = seed >> 33;
    bool in_long_line = i > 100000 && i < 300000;
    text[i] = r % 40 == 0 && !in_long_line ? '\n' : r % 5 == 0 ? (char)0x97 : 'x';
    lines[i] = line;
    columns[i] = column;
    line += text[i] == '\n';
    column = text[i] == '\n' ? 1 : column + (text[i] != (char)0x97);
  }
  lines[SIZE] = line;
  columns[SIZE] = column;
  for (int way = 0; way < 3; way++) {
    ir_source *source = open_text_bytes(text, SIZE);
    for (int64_t i = 0; i <= SIZE; i += 97) {
      seed = seed * UINT64_C(6364136223846793005) + 1;
      int64_t at = way == 0 ? i : way == 1 ? SIZE - i : (int64_t)(seed >> 33) % (SIZE + 1);
      assert_place(source, at, at, lines[at], columns[at], columns[at]);
    }
    close_text(source);
  }
}

static void lines_beyond_65535_are_counted(void **state) {
  (void)state;
  enum { LINES = 200000 };
  static char text[LINES * 4];
  for (int i = 0; i < LINES; i++)
    memcpy(text + (ptrdiff_t)i * 4, "abc\n", 4);
  ir_source *source = open_text_bytes(text, sizeof text);
  assert_place(source, 70000 * 4 + 1, 70000 * 4 + 2, 70001, 2, 3);
  assert_place(source, (LINES - 1) * 4 + 2, LINES * 4, LINES, 3, 4);
  assert_place(source, 4, 7, 2, 1, 4);
  close_text(source);
}

static void lines_around_a_line_are_found(void **state) {
  (void)state;
  ir_source *source = open_text("<net>\n\t<a/>\n\n<b/>\nend");
  const int64_t begins[] = {0, 6, 12, 13, 18};
  for (int64_t line = 0; line < 5; line++)
    for (int step = -6; step <= 6; step++) {
      const int64_t wanted = line + step;
      const int64_t found = ir_source_next_line(source, begins[line], step);
      assert_int_equal(found, wanted < 0 || wanted > 4 ? -1 : begins[wanted]);
    }
  assert_int_equal(ir_source_next_line(source, 21, -1), 13);
  assert_int_equal(ir_source_next_line(source, 22, -1), -1);
  close_text(source);
  char text[4002];
  memset(text, 'x', sizeof text);
  text[2000] = '\n';
  source = open_text_bytes(text, sizeof text);
  assert_int_equal(ir_source_next_line(source, 1999, 1), 2001);
  assert_int_equal(ir_source_next_line(source, 0, 1), -1);
  assert_int_equal(ir_source_next_line(source, 2001, 0), 2001);
  assert_int_equal(ir_source_next_line(source, 2001, -1), -1);
  assert_int_equal(ir_source_next_line(source, 4000, 0), -1);
  close_text(source);
}

/* Looks up 20,000 ascending places in a line of 24 MB. A scan from the line's beginning for each would take minutes. */
static void a_huge_line_is_scanned_once(void **state) {
  (void)state;
  const size_t size = 24 * 1024 * 1024;
  char *text = malloc(size);
  memset(text, 'x', size);
  ir_source *source = open_text_bytes(text, size);
  free(text);
  for (int64_t i = 0; i < 20000; i++) {
    int64_t at = i * 1250;
    assert_place(source, at, at + 10, 1, at + 1, at + 11);
    char line[161];
    int64_t skipped;
    assert_true(ir_source_line(source, at, line, sizeof line, &skipped));
    assert_int_equal(skipped, at < 80 ? 0 : at - 80);
  }
  assert_place(source, 5, 6, 1, 6, 7);
  close_text(source);
}

/* Many faults can point at one layer with a name of megabytes. Its end is not searched again for each. */
static void a_huge_span_is_not_scanned_each_time(void **state) {
  (void)state;
  enum { SPAN = 2000000, TIMES = 1000 };
  static char text[SPAN + 2];
  memset(text, 'x', SPAN);
  text[SPAN] = '\n';
  text[SPAN + 1] = 'y';
  ir_source *source = open_text_bytes(text, sizeof text);
  assert_place(source, 0, SPAN, 1, 1, 1 + 4096);
  n_bytes_read = 0;
  for (int i = 0; i < TIMES; i++) {
    assert_place(source, SPAN - 10, SPAN, 1, SPAN - 9, SPAN + 1);
    assert_place(source, SPAN + 1, SPAN + 2, 2, 1, 2);
    assert_place(source, 1, SPAN, 1, 2, 2 + 4096);
  }
  assert_in_range(n_bytes_read, 0, SPAN + TIMES * 4 * 64 * 1024);
  close_text(source);
}

static void places_need_no_memory(void **state) {
  (void)state;
  static char text[200000];
  memset(text, 'x', sizeof text);
  ir_source *source = open_text_bytes(text, sizeof text);
  counts.refuse_at = 0;
  assert_place(source, 150000, 150001, 1, 150001, 150002);
  assert_place(source, 150005, 150006, 1, 150006, 150007);
  assert_place(source, 7, 8, 1, 8, 9);
  counts.refuse_at = -1;
  assert_place(source, 199999, 200000, 1, 200000, 200001);
  close_text(source);
}

/* ---- the text of a line ---- */

static void short_lines_are_whole(void **state) {
  (void)state;
  ir_source *source = open_text("one\n  <data kernel=\"2\"/>\nthree");
  for (int64_t i = 4; i <= 24; i++)
    assert_line(source, i, 161, "  <data kernel=\"2\"/>", 0);
  assert_line(source, 0, 161, "one", 0);
  assert_line(source, 25, 161, "three", 0);
  assert_line(source, 30, 161, "three", 0);
  assert_line(source, 0, 2, "o", 0);
  assert_line(source, 2, 2, "e", 2);
  assert_line(source, 0, 1, "", 0);
  close_text(source);
}

static void long_lines_are_cut_around_the_place(void **state) {
  (void)state;
  char text[3001];
  for (int i = 0; i < 3000; i++)
    text[i] = (char)('a' + i % 26);
  text[3000] = '\0';
  ir_source *source = open_text(text);
  char expected[161];
  snprintf(expected, sizeof expected, "%.160s", text);
  assert_line(source, 0, 161, expected, 0);
  assert_line(source, 80, 161, expected, 0);
  snprintf(expected, sizeof expected, "%.160s", text + 1);
  assert_line(source, 81, 161, expected, 1);
  snprintf(expected, sizeof expected, "%.160s", text + 2840);
  assert_line(source, 2990, 161, expected, 2840);
  assert_line(source, 3000, 161, expected, 2840);
  char line[4096]; /* a larger buffer gets a longer excerpt, up to a limit */
  int64_t skipped;
  assert_true(ir_source_line(source, 1500, line, sizeof line, &skipped));
  assert_true(strlen(line) >= 1000);
  assert_memory_equal(line, text + skipped, strlen(line));
  close_text(source);
}

static void cuts_fall_between_characters(void **state) {
  (void)state;
  char text[3 * 400 + 1];
  for (int i = 0; i < 400; i++)
    memcpy(text + (ptrdiff_t)i * 3, "\xe6\x97\xa5", 4);
  ir_source *source = open_text(text);
  for (int64_t i = 0; i < 400; i++) {
    for (size_t size = 12; size < 16; size++) {
      char line[32];
      int64_t skipped;
      assert_true(ir_source_line(source, i * 3, line, size, &skipped));
      assert_int_equal(strlen(line) % 3, 0);
      assert_true(strlen(line) >= 6);
      assert_memory_equal(line, text, strlen(line));
      assert_true(skipped <= i && i <= skipped + (int64_t)strlen(line) / 3);
    }
  }
  close_text(source);
}

static void bytes_that_are_no_text_do_no_harm(void **state) {
  (void)state;
  ir_source *source = open_text_bytes("a\0b\xff\x80\x80\x80\x80\x80\x80z", 11);
  assert_line(source, 0, 100,
              "a\x1a"
              "b\xff\x80\x80\x80\x80\x80\x80z",
              0);
  assert_place(source, 10, 11, 1, 5, 6);
  char line[5];
  int64_t skipped;
  for (int64_t i = 0; i < 11; i++)
    assert_true(ir_source_line(source, i, line, sizeof line, &skipped));
  close_text(source);
}

/* ---- reading ---- */

static void reading_stops_at_the_end(void **state) {
  (void)state;
  ir_source *source = open_text("hello");
  char buffer[10];
  assert_int_equal(ir_source_read(source, 0, buffer, 10), 5);
  assert_memory_equal(buffer, "hello", 5);
  assert_int_equal(ir_source_read(source, 3, buffer, 1), 1);
  assert_int_equal(buffer[0], 'l');
  assert_int_equal(ir_source_read(source, 5, buffer, 10), 0);
  assert_int_equal(ir_source_read(source, -1, buffer, 10), -1);
  assert_int_equal(errno, EINVAL);
  assert_int_equal(fcntl(source->fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  close_text(source);
  source = ir_source_create(&memory, IR_SOURCE_NAME, "in.npz:x");
  assert_string_equal(source->name, "in.npz:x");
  assert_int_equal(ir_source_read(source, 0, buffer, 1), -1);
  assert_int_equal(errno, EBADF);
  close_text(source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_and_columns_count_from_one),
      cmocka_unit_test(columns_are_code_points),
      cmocka_unit_test(carriage_returns_belong_to_the_line_end),
      cmocka_unit_test(a_byte_order_mark_is_no_column),
      cmocka_unit_test(nowhere_has_no_place),
      cmocka_unit_test(an_empty_file_has_one_empty_line),
      cmocka_unit_test(every_way_to_ask_gives_the_same),
      cmocka_unit_test(lines_beyond_65535_are_counted),
      cmocka_unit_test(a_huge_line_is_scanned_once),
      cmocka_unit_test(a_huge_span_is_not_scanned_each_time),
      cmocka_unit_test(places_need_no_memory),
      cmocka_unit_test(short_lines_are_whole),
      cmocka_unit_test(long_lines_are_cut_around_the_place),
      cmocka_unit_test(cuts_fall_between_characters),
      cmocka_unit_test(lines_around_a_line_are_found),
      cmocka_unit_test(bytes_that_are_no_text_do_no_harm),
      cmocka_unit_test(reading_stops_at_the_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
