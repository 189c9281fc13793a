/* Tests .npy headers: NumPy's headers are read, equal headers are written, and faults are reported. */
#include "io_fixture.h"
#include "runtime/files/npy.h"
#include "runtime/files/npy_header.h"
#include "runtime/files/npy_type.h"

/* ---- streams in memory ---- */

typedef struct memory_stream {
  unsigned char bytes[1 << 16];
  size_t n, at;
} memory_stream;

static memory_stream stream;

static int64_t read_stream(void *user, void *buffer, int64_t bytes) {
  memory_stream *s = user;
  size_t n = s->n - s->at < (size_t)bytes ? s->n - s->at : (size_t)bytes;
  memcpy(buffer, s->bytes + s->at, n);
  s->at += n;
  return (int64_t)n;
}

static int64_t size_of_stream(void *user, int64_t bytes) {
  (void)bytes;
  return (int64_t)((memory_stream *)user)->n;
}

static bool write_stream(void *user, const void *data, size_t bytes) {
  memory_stream *s = user;
  if (bytes > sizeof s->bytes - s->n)
    return false;
  memcpy(s->bytes + s->n, data, bytes);
  s->n += bytes;
  return true;
}

static ir_code read_header(io_fixture *f, ir_type wanted, ir_stored *out) {
  stream.at = 0;
  ir_byte_reader reader = {read_stream, size_of_stream, &stream};
  return ir_npy_read_header(reader, wanted, &f->diags, &f->memory, (ir_where){.at = IR_NOWHERE}, out);
}

static void set_file(int version, const char *text, size_t data_bytes) {
  size_t length = strlen(text);
  memcpy(stream.bytes, "\x93NUMPY", 6);
  stream.bytes[6] = (unsigned char)version;
  stream.bytes[7] = 0;
  stream.n = 8;
  for (int i = 0; i < (version == 1 ? 2 : 4); i++)
    stream.bytes[stream.n++] = (unsigned char)(length >> 8 * i);
  memcpy(stream.bytes + stream.n, text, length);
  stream.n += length;
  memset(stream.bytes + stream.n, 0, data_bytes);
  stream.n += data_bytes;
}

static void load_file(const char *path) {
  size_t n;
  unsigned char *bytes = io_read_all(path, &n);
  assert_non_null(bytes);
  assert_true(n <= sizeof stream.bytes);
  memcpy(stream.bytes, bytes, n);
  stream.n = n;
  free(bytes);
}

/* ---- reading ---- */

static void test_reads_every_spelling(void **state) {
  static const struct {
    const char *file;
    ir_type type;
    bool swapped, column_major;
  } cases[] = {
      {"i4.npy", IR_I32, false, false},
      {"i4_big.npy", IR_I32, true, false},
      {"i4_fortran.npy", IR_I32, false, true},
      {"version2.npy", IR_I32, false, false},
      {"version3.npy", IR_I32, false, false},
      {"long_header.npy", IR_I32, false, false},
      {"python2.npy", IR_I32, false, false},
      {"other_order.npy", IR_I32, false, false},
      {"other_quotes.npy", IR_I32, false, false},
      {"float_name.npy", IR_F32, false, false},
      {"misaligned.npy", IR_I32, false, false},
      {"bool_bytes.npy", IR_BOOLEAN, false, false},
      {"u1.npy", IR_U8, false, false},
      {"b1.npy", IR_BOOLEAN, false, false},
  };
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char path[96];
    ir_stored stored;
    snprintf(path, sizeof path, DATA "%s", cases[i].file);
    load_file(path);
    assert_int_equal(read_header(&f, IR_DYNAMIC, &stored), IR_OK);
    io_expect_nothing(&f);
    assert_int_equal(stored.type, cases[i].type);
    assert_int_equal(stored.swapped, cases[i].swapped);
    assert_int_equal(stored.column_major, cases[i].column_major);
    assert_int_equal(stored.shape.rank, 2);
    assert_int_equal(stored.shape.dims[0].lo, 2);
    assert_int_equal(stored.shape.dims[1].lo, 3);
    assert_int_equal(stored.offset, (int64_t)(stream.n - stored.bytes));
    assert_int_equal(stored.bytes, 6 * ir_type_size(stored.type));
  }
  io_end(&f);
}

/* Accepts unusual headers. `bytes` is the size of their data. */
static void test_reads_odd_headers(void **state) {
  static const struct {
    const char *text;
    int rank;
    size_t bytes;
  } cases[] = {
      {"{'descr':'<f4','fortran_order':True,'shape':()}", 0, 4},
      {" \t{'descr':'<f4','fortran_order':True,'shape':(0,9223372036854775807,9223372036854775807)}\r\n\f", 3, 0},
      {"{'descr':'<f8','fortran_order':False,'shape':(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,3),}", 16, 24},
      {"{'descr':'=i2','fortran_order':False,'shape':(3,)}", 1, 6},
      {"{'descr':'|i2','fortran_order':False,'shape':(3,)}", 1, 6},
      {"{'descr':'?','fortran_order':False,'shape':(3,)}", 1, 3},
      {"{'descr':'>u1','fortran_order':False,'shape':(3,)}", 1, 3},
  };
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (int version = 1; version <= 3; version++) {
      ir_stored stored;
      set_file(version, cases[i].text, cases[i].bytes);
      read_header(&f, IR_DYNAMIC, &stored);
      io_expect_nothing(&f);
      assert_int_equal(stored.shape.rank, cases[i].rank);
      assert_int_equal(stored.bytes, cases[i].bytes);
      assert_false(stored.swapped);
    }
  io_end(&f);
}

#define HEAD "{'descr':'<f4','fortran_order':False,'shape':"

static void test_names_what_is_wrong(void **state) {
  static const struct {
    const char *text, *message;
    size_t data;
  } cases[] = {
      {"", "byte 0: it ends where '{' is expected", 0},
      {"[]", "byte 0: expected '{'", 0},
      {"{}", "key 'descr' is missing", 0},
      {"{'descr':'<f4','shape':()}", "key 'fortran_order' is missing", 4},
      {"{'descr':'<f4','descr':'<f4'}", "byte 15: a key stands twice", 0},
      {"{'descr':'<f4','more':1}", "byte 15: expected the keys 'descr', 'fortran_order' and 'shape'", 0},
      {"{descr:'<f4'}", "byte 1: expected a text in quotes", 0},
      {"{'descr:<f4}", "byte 1: a quote is not closed", 0},
      {"{'de\\scr':0}", "a backslash", 0},
      {"{'descr' '<f4'}", "byte 9: expected ':'", 0},
      {"{'descr':1}", "byte 9: expected a text in quotes", 0},
      {"{'descr':[('x','<f4')", "byte 9: a bracket is not closed", 0},
      {"{'descr':'<f4','fortran_order':1}", "byte 31: expected True or False", 0},
      {"{'descr':'<f4' 'fortran_order':True}", "byte 15: expected ','", 0},
      {HEAD "[2]}", "expected '('", 0},
      {HEAD "(2)}", "expected ','", 8},
      {HEAD "(,)}", "expected a dim", 8},
      {HEAD "(2.0,)}", "expected ','", 8},
      {HEAD "(-1,)}", "a dim is negative", 8},
      {HEAD "(9223372036854775808,)}", "a dim does not fit 64 bits", 8},
      {HEAD "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}", "more than 16 dims", 4},
      {HEAD "(2,", "it ends", 8},
      {HEAD "(2,)} {", "something stands behind the closing '}'", 8},
      {HEAD "(2,)", "it ends where ',' is expected", 8},
      {HEAD "(4294967296,4294967296)}", "the size of shape [4294967296,4294967296] overflows", 8},
      {HEAD "(4611686018427387904,)}", "overflows", 8},
      {HEAD "(2,)}", "f32[2], 8 bytes, but only 7 follow it", 7},
      {HEAD "(2,)}", "1 byte too many: the header says f32[2], 8 bytes, and 9 follow it", 9},
      {HEAD "()}", "only 0 follow it", 0},
      {HEAD "(0,)}", "4 bytes too many", 4},
  };
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_stored stored;
    set_file(1, cases[i].text, cases[i].data);
    assert_int_equal(read_header(&f, IR_DYNAMIC, &stored), IR_BAD_DATA);
    io_expect(&f, IR505_NPY_MALFORMED, cases[i].message);
  }
  io_end(&f);
}

static void test_names_a_wrong_start(void **state) {
  io_fixture f;
  ir_stored stored;
  (void)state;
  io_begin(&f);
  load_file(DATA "i4.npy");
  const size_t whole = stream.n;
  for (stream.n = 0; stream.n < whole; stream.n++) {
    assert_int_equal(read_header(&f, IR_DYNAMIC, &stored), IR_BAD_DATA);
    io_expect(&f, IR505_NPY_MALFORMED, stream.n < 128 ? "ends" : "is the file cut short?");
  }
  stream.bytes[6] = 4;
  read_header(&f, IR_DYNAMIC, &stored);
  io_expect(&f, IR505_NPY_MALFORMED, "version 4.0");
  stream.bytes[6] = 1;
  stream.bytes[7] = 1;
  read_header(&f, IR_DYNAMIC, &stored);
  io_expect(&f, IR505_NPY_MALFORMED, "version 1.1");
  stream.bytes[0] = 'x';
  read_header(&f, IR_DYNAMIC, &stored);
  io_expect(&f, IR505_NPY_MALFORMED, "does not begin with");
  set_file(2, "{}", 0);
  stream.bytes[11] = 0xff;
  read_header(&f, IR_DYNAMIC, &stored);
  io_expect(&f, IR004_LIMIT_EXCEEDED, "a header of 4278190082 bytes; irrun reads up to 1048576");
  assert_true(f.state.largest < 1 << 20);
  io_end(&f);
}

static void test_names_what_no_ir_has(void **state) {
  static const struct {
    const char *file, *message;
  } cases[] = {
      {"complex.npy", "'<c8', complex numbers"},
      {"text.npy", "'<U2', texts"},
      {"bytes.npy", "'|S2', texts"},
      {"object.npy", "'|O', Python objects"},
      {"date.npy", "'<M8[D]', dates"},
      {"span.npy", "'<m8[s]', time spans"},
      {"record.npy", "'[('x', '<f4'), ('y', '<i4', (2,))]', records"},
      {"extended.npy", "'<f16', extended precision floats"},
      {"void.npy", "'|V3', bytes without a type"},
      {"bf16.npy",
       "as NumPy saves bfloat16; they are taken as bf16 only where the model has bf16, and here it has f32"},
  };
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char path[96];
    ir_stored stored;
    snprintf(path, sizeof path, DATA "%s", cases[i].file);
    load_file(path);
    assert_int_equal(read_header(&f, IR_F32, &stored), IR_BAD_DATA);
    io_expect(&f, IR506_NPY_TYPE_UNSUPPORTED, cases[i].message);
  }
  ir_stored stored;
  assert_int_equal(read_header(&f, IR_DYNAMIC, &stored), IR_BAD_DATA);
  io_expect(&f, IR506_NPY_TYPE_UNSUPPORTED, "not known what it has");
  assert_int_equal(read_header(&f, IR_BF16, &stored), IR_OK);
  assert_int_equal(stored.type, IR_BF16);
  io_end(&f);
}

/* A fault in the header is reported at the place of its field. */
static void test_places_the_fault(void **state) {
  io_fixture f;
  ir_stored stored;
  (void)state;
  io_begin(&f);
  ir_source *source = ir_source_create(&f.memory, IR_SOURCE_BYTES, "x.npy");
  ir_where where = {.source = source, .at = IR_NOWHERE};
  set_file(1, HEAD "(2,)}", 7);
  ir_byte_reader reader = {read_stream, size_of_stream, &stream};
  stream.at = 0;
  ir_npy_read_header(reader, IR_DYNAMIC, &f.diags, &f.memory, where, &stored);
  assert_int_equal(f.diags.first->offset, 10 + strlen(HEAD));
  assert_string_equal(f.diags.first->file, "x.npy");
  ir_source_free(source);
  io_end(&f);
}

/* ---- types ---- */

static void test_type_names(void **state) {
  static const struct {
    const char *descr;
    ir_type type; /* IR_DYNAMIC: `descr` is invalid */
    bool swapped;
  } cases[] = {
      {"<f4", IR_F32, false},          {">f4", IR_F32, true},       {"=f8", IR_F64, false},
      {"f2", IR_F16, false},           {"float16", IR_F16, false},  {"<d", IR_F64, false},
      {"bool", IR_BOOLEAN, false},     {"|b1", IR_BOOLEAN, false},  {">b1", IR_BOOLEAN, false},
      {">u8", IR_U64, true},           {"B", IR_U8, false},         {"<V2", IR_BF16, false},
      {"|V2", IR_BF16, false},         {">V2", IR_DYNAMIC, false},  {"V2", IR_BF16, false},
      {"<float32", IR_DYNAMIC, false}, {"<f4 ", IR_DYNAMIC, false}, {"", IR_DYNAMIC, false},
      {"<", IR_DYNAMIC, false},        {"f", IR_F32, false},        {"l", IR_DYNAMIC, false},
      {"f16", IR_DYNAMIC, false},      {"<b8", IR_DYNAMIC, false},  {"<<f4", IR_DYNAMIC, false},
      {"u", IR_DYNAMIC, false},        {"V1", IR_DYNAMIC, false},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_type type;
    bool swapped;
    bool found = ir_npy_type_from_descr(cases[i].descr, strlen(cases[i].descr), IR_BF16, &type, &swapped);
    if (found != (cases[i].type != IR_DYNAMIC) || type != cases[i].type || swapped != cases[i].swapped)
      fail_msg("'%s' is read as %s", cases[i].descr, ir_type_name(type));
  }
}

static void test_unsupported_types(void **state) {
  static const struct {
    const char *descr, *message;
  } cases[] = {
      {"<f16", "'<f16', extended precision floats"},
      {"g", "'g', extended precision floats"},
      {"<f4 ", "'<f4 ', of a type that irrun does not know"},
      {"f3", "'f3', of a type that irrun does not know"},
      {"<c8", "complex numbers"},
      {">V2",
       "'>V2', two bytes without a type, as NumPy saves bfloat16; they are taken as bf16 only where the model has "
       "bf16, not in the other byte order"},
  };
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[128];
    ir_stored stored;
    snprintf(text, sizeof text, "{'descr':'%s','fortran_order':False,'shape':(1,)}", cases[i].descr);
    set_file(1, text, 2);
    assert_int_equal(read_header(&f, IR_BF16, &stored), IR_BAD_DATA);
    io_expect(&f, IR506_NPY_TYPE_UNSUPPORTED, cases[i].message);
  }
  io_end(&f);
}

/* ---- writing ---- */

/* The written files equal numpy.save's byte for byte, for every type. */
static void test_writes_as_numpy_does(void **state) {
  static const char *const files[] = {"f2",    "f4",    "f8",    "i1",    "i2",    "i4",    "i8",
                                      "u1",    "u2",    "u4",    "u8",    "b1",    "bf16",  "rank0",
                                      "rank1", "rank2", "rank3", "rank4", "rank5", "empty", "rank16"};
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char path[96];
    ir_stored stored;
    snprintf(path, sizeof path, DATA "%s.npy", files[i]);
    load_file(path);
    assert_int_equal(read_header(&f, IR_BF16, &stored), IR_OK);
    memory_stream *read = malloc(sizeof *read);
    assert_non_null(read);
    *read = stream;
    ir_tensor tensor = ir_tensor_borrow(stored.type, &stored.shape, read->bytes + stored.offset, stored.bytes);
    stream.n = 0;
    assert_true(ir_npy_write(&tensor, (ir_byte_sink){write_stream, &stream}));
    assert_int_equal(stream.n, ir_npy_bytes(&tensor));
    if (stream.n != read->n || memcmp(stream.bytes, read->bytes, read->n) != 0)
      fail_msg("%s is written otherwise", path);
    free(read);
  }
  io_end(&f);
}

/* The longest header fits its buffer. A sink that accepts no more bytes stops the writer. */
static void test_writes_at_the_limits(void **state) {
  int64_t dims[IR_MAX_RANK];
  (void)state;
  for (int i = 0; i < IR_MAX_RANK; i++)
    dims[i] = i == 3 ? 0 : INT64_MAX;
  ir_shape shape = ir_shape_of(IR_MAX_RANK, dims);
  ir_tensor tensor = ir_tensor_borrow(IR_F32, &shape, stream.bytes, 0);
  stream.n = 0;
  assert_true(ir_npy_write(&tensor, (ir_byte_sink){write_stream, &stream}));
  assert_int_equal(stream.n % 64, 0);
  io_fixture f;
  ir_stored stored;
  io_begin(&f);
  assert_int_equal(read_header(&f, IR_DYNAMIC, &stored), IR_OK);
  assert_true(ir_shapes_equal(&stored.shape, &shape));
  io_end(&f);
  stream.n = sizeof stream.bytes - 10;
  assert_false(ir_npy_write(&tensor, (ir_byte_sink){write_stream, &stream}));
}

/* ---- damage ---- */

/* Changes one byte of a header. The header is either accepted or reported with one fault. */
static void test_survives_damage(void **state) {
  static const char *const files[] = {"i4.npy", "other_quotes.npy", "python2.npy", "record.npy"};
  uint64_t seed = 1;
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (int i = 0; i < 8000; i++) {
    char path[96];
    ir_stored stored;
    snprintf(path, sizeof path, DATA "%s", files[i % 4]);
    load_file(path);
    for (uint64_t n = 1 + io_random(&seed) % 3; n > 0; n--) {
      static const char common[] = "{}()[]',: 0123456789LuTrueFals<>|fi";
      uint64_t r = io_random(&seed);
      size_t at = io_random(&seed) % stream.n;
      stream.bytes[at] = r % 4 == 0 ? (unsigned char)(r >> 8) : (unsigned char)common[(r >> 8) % (sizeof common - 1)];
    }
    stream.n -= io_random(&seed) % 8 == 0 ? io_random(&seed) % stream.n : 0;
    ir_code code = read_header(&f, IR_DYNAMIC, &stored);
    assert_int_equal(f.diags.n_errors, code == IR_OK ? 0 : 1);
    assert_true(code == IR_OK || code == IR_BAD_DATA);
    if (code == IR_OK)
      assert_int_equal(stored.offset + (int64_t)stored.bytes, (int64_t)stream.n);
    ir_diags_reset(&f.diags);
  }
  io_end(&f);
}

static void test_without_memory(void **state) {
  io_fixture f;
  ir_stored stored;
  (void)state;
  io_begin(&f);
  f.state.refuse_at = 0;
  load_file(DATA "i4.npy");
  assert_int_equal(read_header(&f, IR_DYNAMIC, &stored), IR_NO_MEMORY);
  assert_int_equal(f.diags.first->rule, IR703_OUT_OF_MEMORY);
  io_end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reads_every_spelling), cmocka_unit_test(test_reads_odd_headers),
      cmocka_unit_test(test_names_what_is_wrong),  cmocka_unit_test(test_names_a_wrong_start),
      cmocka_unit_test(test_names_what_no_ir_has), cmocka_unit_test(test_places_the_fault),
      cmocka_unit_test(test_type_names),           cmocka_unit_test(test_unsupported_types),
      cmocka_unit_test(test_writes_as_numpy_does), cmocka_unit_test(test_writes_at_the_limits),
      cmocka_unit_test(test_survives_damage),      cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
