#!/usr/bin/env python3
"""Makes npy.zip, the .npy and .npz files that the unit tests read, with NumPy and ml_dtypes. CMake unpacks it."""
import io
import pathlib
import struct
import sys
import warnings
import zipfile
import zlib

import ml_dtypes
import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

from oracle import files

made = {}


def put(name, data):
    made[name] = bytes(data)


def npy(array, version=None):
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.lib.format.write_array(out, array, version=version)
    return out.getvalue()


def handmade(text, data, version=1):
    """Returns a .npy file with a header as other programs write it."""
    text = text.encode()
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + data


floats = [0.0, 1.5, -2.25, np.nan, np.inf, 65504.0]
types = {
    "f2": floats, "f4": floats, "f8": floats,
    "i1": [0, 1, -1, 5, -128, 127], "i2": [0, 1, -1, 5, -32768, 32767],
    "i4": [0, 1, -1, 5, -2**31, 2**31 - 1], "i8": [0, 1, -1, 5, -2**63, 2**63 - 1],
    "u1": [0, 1, 2, 5, 128, 255], "u2": [0, 1, 2, 5, 2**15, 2**16 - 1],
    "u4": [0, 1, 2, 5, 2**31, 2**32 - 1], "u8": [0, 1, 2, 5, 2**63, 2**64 - 1],
    "b1": [0, 1, 1, 0, 0, 1],
}

# Writes every type: as NumPy saves it, with the other byte order, and column-major.
for name, values in types.items():
    plain = np.array(values).astype(name) if name[0] == "f" else np.array(values, dtype=name)
    plain = plain.reshape(2, 3)
    put(f"{name}.npy", npy(plain))
    put(f"{name}_fortran.npy", npy(np.asfortranarray(plain)))
    if plain.itemsize > 1:
        put(f"{name}_big.npy", npy(plain.astype(plain.dtype.newbyteorder(">"))))
put("bf16.npy", npy(np.array(floats).astype(ml_dtypes.bfloat16).reshape(2, 3)))

# Writes every rank. In row-major order, element i is i.
for rank, shape in enumerate([(), (4,), (2, 3), (2, 3, 4), (2, 1, 3, 2), (1, 2, 3, 1, 2)]):
    array = np.arange(np.prod(shape, dtype=int), dtype="<i4").reshape(shape)
    put(f"rank{rank}.npy", npy(array))
    if rank > 1:
        put(f"rank{rank}_fortran.npy", npy(np.asfortranarray(array)))
put("rank16.npy", npy(np.zeros((1,) * 15 + (2,), "<i2")))
put("rank17.npy", npy(np.zeros((1,) * 17, "<i2")))
put("empty.npy", npy(np.zeros((3, 0, 2), "<f4")))

# Writes .npy versions 2 and 3, and headers of Python 2 and of other programs.
square = np.arange(6, dtype="<i4").reshape(2, 3)
put("version2.npy", npy(square, (2, 0)))
put("version3.npy", npy(square, (3, 0)))
data = square.tobytes()
put("long_header.npy", handmade("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }" + " " * 400 + "\n", data))
put("python2.npy", handmade("{'descr': '<i4', 'fortran_order': False, 'shape': (2L, 3L), }  \n", data))
put("other_order.npy", handmade("{'shape':(2,3),'fortran_order':False,'descr':'<i4'}\n", data))
put("other_quotes.npy", handmade('{ "descr" : u"i4" ,\t"fortran_order" : False , "shape" : ( 2 , 3 , ) , }', data))
put("float_name.npy", handmade("{'descr': 'float32', 'fortran_order': False, 'shape': (2, 3), }\n",
                               square.astype("<f4").tobytes()))
put("misaligned.npy", handmade("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }\n\n", data))
put("bool_bytes.npy", handmade("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 3), }\n", bytes([0, 1, 2, 0, 128, 255])))

# Writes types of elements that no IR has.
put("complex.npy", npy(np.zeros(2, "<c8")))
put("text.npy", npy(np.array(["a", "bc"])))
put("bytes.npy", npy(np.array([b"a", b"bc"])))
put("object.npy", npy(np.array([None, 1], dtype=object)))
put("date.npy", npy(np.zeros(2, "<M8[D]")))
put("span.npy", npy(np.zeros(2, "<m8[s]")))
put("record.npy", npy(np.zeros(2, [("x", "<f4"), ("y", "<i4", (2,))])))
put("extended.npy", handmade("{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }\n", bytes(16)))
put("void.npy", npy(np.zeros(2, "V3")))


# ---- archives ----

def archive(name, members, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(out, "w", method) as file:
            for key, content in members:
                info = zipfile.ZipInfo(key)
                info.compress_type = method
                file.writestr(info, content)
    put(name, out.getvalue())
    return out.getvalue()


many = np.zeros((8, 512), "<f4")
many[3, 5] = 7
out = io.BytesIO()
np.savez(out, x=square, **{"a/b.c": many[:1, :8], "größe": np.asfortranarray(square)})  # type: ignore[arg-type] # the stubs of NumPy take a name for allow_pickle
put("savez.npz", out.getvalue())
out = io.BytesIO()
np.savez_compressed(out, x=square, zeros=many, big=square.astype(">i4"), yes=np.array([True, False]))
put("savez_compressed.npz", out.getvalue())
put("no_members.npz", b"PK\x05\x06" + bytes(18))
archive("twice.npz", [("x.npy", npy(square)), ("x.npy", npy(square))])
archive("not_npy.npz", [("x.npy", npy(square)), ("readme.txt", b"hello")])
archive("bzip2.npz", [("x.npy", npy(square))], zipfile.ZIP_BZIP2)
archive("malformed_member.npz", [("good.npy", npy(square)), ("cut.npy", npy(square)[:-1]), ("no.npy", b"hello")])
archive("unsupported_member.npz", [("z.npy", npy(np.zeros(2, "<c8")))])
plain = archive("plain.npz", [("x.npy", npy(square))])


def zip64(members):
    """Returns an archive whose sizes and offsets are all in zip64 fields, which files of more than 4 GiB need."""
    data = directory = b""
    for key, content in members:
        key, size, crc, at = key.encode(), len(content), zlib.crc32(content), len(data)
        other = struct.pack("<HH3s", 0x9901, 3, b"abc")
        extra = other + struct.pack("<HHQQ", 1, 16, size, size)
        data += struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 45, 0, 0, 0, 33, crc, 2**32 - 1, 2**32 - 1, len(key), len(extra))
        data += key + extra + content
        extra = other + struct.pack("<HHQQQ", 1, 24, size, size, at)
        directory += struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 45, 45, 0, 0, 0, 33, crc, 2**32 - 1, 2**32 - 1, len(key),
                                 len(extra), 0, 0, 0, 0, 2**32 - 1) + key + extra
    n, at, size = len(members), len(data), len(directory)
    return (data + directory + struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, n, n, size, at)
            + struct.pack("<4sIQI", b"PK\6\7", 0, at + size, 1)
            + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 2**16 - 1, 2**16 - 1, 2**32 - 1, 2**32 - 1, 0))


put("zip64.npz", zip64([("x.npy", npy(square)), ("y.npy", npy(many[:1, :8]))]))

# Changes the number of members in the end record, which is then not that of the zip64 end record.
two_ends = bytearray(made["zip64.npz"])
struct.pack_into("<H", two_ends, len(two_ends) - 12, 1)
put("two_ends.npz", two_ends)

# Sets the flag of an encrypted member in both of its headers.
encrypted = bytearray(plain)
encrypted[6] |= 1
encrypted[plain.index(b"PK\x01\x02") + 8] |= 1
put("encrypted.npz", encrypted)
# Changes a byte of the data, so that the checksum is wrong.
damaged = bytearray(plain)
damaged[plain.index(b"PK\x01\x02") - 1] ^= 1
put("damaged.npz", damaged)
# Sets the size in the directory to 3 GiB, although the member has 152 bytes.
lying = bytearray(plain)
at = plain.index(b"PK\x01\x02")
struct.pack_into("<I", lying, at + 24, 3 << 30)
put("lying.npz", lying)
# Changes the name in the directory to another than in the member's own header.
two_names = bytearray(plain)
two_names[plain.index(b"PK\x01\x02") + 46] = ord("z")
put("two_names.npz", two_names)

# Sets the size in header and directory to 40,128 bytes. Only 152 of these bytes exist.
packed = bytearray(archive("lying_packed.npz", [("x.npy", npy(np.zeros(10000, "<i4"))[:152])], zipfile.ZIP_DEFLATED))
for at in (22, packed.index(b"PK\x01\x02") + 24):
    struct.pack_into("<I", packed, at, 40128)
put("lying_packed.npz", packed)

# Changes one bit of the packed bytes such that they unpack to as many bytes, but with another .npy header.
whole = npy(np.arange(16, dtype="<f4"))
packed = bytearray(archive("damaged_header.npz", [("x.npy", whole)], zipfile.ZIP_DEFLATED))
begin, end = 30 + len("x.npy"), packed.index(b"PK\x01\x02")
for at in range(begin, end):
    flipped = packed[:at] + bytes([packed[at] ^ 0x10]) + packed[at + 1 :]
    try:
        unpacked = zlib.decompressobj(-15).decompress(bytes(flipped[begin:end]))
    except zlib.error:
        continue
    if len(unpacked) == len(whole) and unpacked[:8] == whole[:8] and unpacked[8:64] != whole[8:64]:
        put("damaged_header.npz", flipped)
        break

with open(pathlib.Path(__file__).with_name("npy.zip"), "wb") as file:
    file.write(files.archive(made))
