"""Prints a PNG of 8-bit RGB as "WIDTH HEIGHT" and, of each row, the colours with their counts."""

import itertools
import struct
import sys
import zlib


def chunks(data):
    at = 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        at += 12 + length


def unfilter(kind, row, before):
    out = bytearray(row)
    for i, value in enumerate(row):
        left = out[i - 3] if i >= 3 else 0
        up, corner = before[i], before[i - 3] if i >= 3 else 0
        guess = left + up - corner
        distances = abs(guess - left), abs(guess - up), abs(guess - corner)
        paeth = (left, up, corner)[distances.index(min(distances))]
        out[i] = (value + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
    return bytes(out)


def main(path):
    with open(path, "rb") as file:
        parts = list(chunks(file.read()))
    width, height = struct.unpack(">II", dict(parts)[b"IHDR"][:8])
    print(width, height)
    data = zlib.decompress(b"".join(part for name, part in parts if name == b"IDAT"))
    row = bytes(3 * width)
    for i in range(height):
        line = data[i * (3 * width + 1) : (i + 1) * (3 * width + 1)]
        row = unfilter(line[0], line[1:], row)
        colors = (row[k : k + 3].hex() for k in range(0, len(row), 3))
        print(" ".join(f"{len(list(same))}*{color}" for color, same in itertools.groupby(colors)))


main(sys.argv[1])
